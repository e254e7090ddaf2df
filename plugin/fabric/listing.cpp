// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace selvedge {

namespace {

using lex::Cursor;
using Kind = ListedNode::Kind;

constexpr std::size_t kMaxNodes = kMaxUnicastLid;  // a subnet has no LIDs for more

std::optional<Kind> kind_of(std::string_view word) {
  if (lex::same_word(word, "switch")) return Kind::kSwitch;
  if (lex::same_word(word, "ca") || lex::same_word(word, "hca")) return Kind::kAdapter;
  if (lex::same_word(word, "rt") || lex::same_word(word, "router")) return Kind::kRouter;
  return {};
}

/// The number that follows the last `key` (such as "lid ") in a comment.
std::optional<std::uint64_t> number_after(std::string_view comment, std::string_view key) {
  const std::size_t at = comment.rfind(key);
  if (at == std::string_view::npos) return {};
  return Cursor(comment.substr(at + key.size())).decimal(UINT64_MAX);
}

/// How ibsim assigns GUIDs to the nodes of a type: counting from a base that lines of the file may
/// set.
struct Numbering {
  Guid base = 0, next = 0;
  bool given = false;  // whether a line gave the GUID of the next node
  bool none = false;   // "(0)": the number serves only ibsim; the node has no GUID
};

class ListingReader {
 public:
  ListingReader(std::string_view text, Reporter& reporter) : lines_(text), reporter_(reporter) {
    numbering_[static_cast<std::size_t>(Kind::kAdapter)] = {0x100000, 0x100000};
    numbering_[static_cast<std::size_t>(Kind::kSwitch)] = {0x200000, 0x200000};
  }

  Listing read() {
    std::string_view line;
    while (lines_.next(line)) take(line);
    return std::move(listing_);
  }

 private:
  [[noreturn]] void fail(std::string what, std::string remedy) const {
    reporter_.fail(lines_.number(), std::move(what), std::move(remedy));
  }
  bool from_ibnetdiscover() const { return listing_.form == FabricFile::Form::kIbnetdiscover; }

  void take(std::string_view line) {
    Cursor at(line);
    at.spaces();
    if (at.done()) {
      in_section_ = false;
    } else if (at.peek() == '#') {
      take_comment(at);
    } else if (at.peek() == '[') {
      take_port(at, line, false);
    } else if (at.peek() == '@') {
      fail("port aliases (@) are not read",
           "write the node's id and the port's number in place of the alias");
    } else if (lex::is_letter(at.peek())) {
      take_word(at, line);
    } else if (at.take("???")) {
      if (lex::is_space(at.peek())) take_header(Kind::kUnknown, at, line);
    } else {
      in_section_ = false;
      reporter_.remark(lines_.number(), fmt::format("not understood: {}", shown(line)));
    }
  }

  void take_comment(Cursor at) {
    if (at.rest().starts_with("# Topology file")) {
      listing_.form = FabricFile::Form::kIbnetdiscover;
    } else if (at.take("# Initiated from node ")) {
      listing_.from = at.hex();
      listing_.from_line = lines_.number();
    } else if (at.take('#') && at.peek() == '[' && in_section_ && listing_.nodes.back().is_host()) {
      take_port(at, at.rest(), true);
    }
  }

  void take_word(Cursor at, std::string_view line) {
    const std::string_view word = at.word();
    if (const auto kind = kind_of(word); kind && word.size() > 0)
      return take_header(*kind, at, line);
    in_section_ = false;
    if (word == "switchguid") return take_guid(Kind::kSwitch, at, line);
    if (word == "caguid" || word == "caguids" || word == "hcaguid" || word == "hcaguids")
      return take_guid(Kind::kAdapter, at, line);
    if (word == "rtguid" || word == "rtguids") return take_guid(Kind::kRouter, at, line);
    if (word == "width") return take_mask(at, line, 1, 31, width_);
    if (word == "speed") return take_mask(at, line, 1, 7, speed_);
    if (word == "extspeed") return take_mask(at, line, 0, 15, extended_);
    if (word == "module") return take_module(at, line);
    if (word == "include")
      fail("included files are not read", "put the included file's lines in this line's place");
    if (word == "do")
      return reporter_.remark(lines_.number(),
                              fmt::format("ibsim's command is not carried out: {}", shown(line)));
    for (const std::string_view known :
         {"vendid", "devid", "sysimgguid", "Chassis", "Hostname", "pdebug"})
      if (word == known) return;
    reporter_.remark(lines_.number(), fmt::format("not understood: {}", shown(line)));
  }

  std::uint64_t assigned(Cursor& at, std::string_view line) const {
    at.spaces();
    const bool sign = at.take('=');
    at.spaces();
    const auto value = at.number();
    if (!sign || !value)
      fail(fmt::format("no number in \"{}\"", shown(line)), "write the name, = and the number");
    return *value;
  }

  // Reads switchguid=0x8f10400411f56(8f10400411f56), or "+0x10": an offset from the base, which
  // ibsim allows.
  void take_guid(Kind kind, Cursor at, std::string_view line) {
    Numbering& n = numbering_[static_cast<std::size_t>(kind)];
    at.spaces();
    if (at.take('+')) {
      const auto offset = at.number();
      if (!offset) fail(fmt::format("no GUID in \"{}\"", shown(line)), "write it as 0x…");
      n.next = n.base + *offset;
    } else {
      n.base = n.next = assigned(at, line);
    }
    n.given = true;
    n.none = false;
    if (at.take('(')) {
      const auto port = at.hex();
      if (!port || !at.take(')'))
        fail(fmt::format("no GUID in the parentheses of \"{}\"", shown(line)),
             "close them after the port's GUID");
      n.none = *port == 0;
    }
  }

  void take_mask(Cursor at, std::string_view line, unsigned low, unsigned high, unsigned& mask) {
    const std::uint64_t value = assigned(at, line);
    if (value < low || value > high)
      fail(fmt::format("\"{}\" is out of range", shown(line)),
           fmt::format("ibsim takes {} to {}", low, high));
    mask = static_cast<unsigned>(value);
  }

  void take_module(Cursor at, std::string_view line) {
    at.spaces();
    const bool sign = at.take('=');
    at.spaces();
    const auto name = at.quoted();
    if (!sign || !name) fail(fmt::format("malformed: {}", shown(line)), "write module=\"NAME\"");
    module_ = *name;
  }

  /// The id that the whole file uses for a node: `module` puts the module's name before the id.
  std::string_view whole_id(std::string_view id) {
    if (module_.empty() || id.find('#') != std::string_view::npos) return id;
    listing_.generated_ids.push_back(fmt::format("{}#{}", module_, id));
    return listing_.generated_ids.back();
  }

  // Reads the first line of a section, such as:
  // Switch	36 "S-0008f10400411f56"		# "spine 1" enhanced port 0 lid 3 lmc 0
  void take_header(Kind kind, Cursor at, std::string_view line) {
    at.spaces();
    if (at.peek() == ':')
      fail("this is a list of nodes without cables", "run ibnetdiscover without -l, -S, -H or -R");
    const auto ports = at.decimal(kMaxSwitchPorts);
    at.spaces();
    const auto id = at.quoted();
    if (!ports || !id)
      fail(fmt::format("malformed section: {}", shown(line)),
           "a section begins with the kind of node, its number of ports (up to 254) and its id in "
           "quotes, as ibnetdiscover writes them without -p");
    if (listing_.nodes.size() == kMaxNodes)
      fail(fmt::format("more than {} nodes", kMaxNodes), "a subnet has no LIDs for more");

    ListedNode node;
    node.kind = kind;
    node.ports = static_cast<PortNum>(*ports);
    node.line = lines_.number();
    node.first_port = static_cast<std::uint32_t>(listing_.ports.size());
    node.id = whole_id(*id);
    node.name = node.id;
    take_description(node, at.rest(), line);
    number(node);
    listing_.nodes.push_back(node);
    in_section_ = true;
  }

  void take_description(ListedNode& node, std::string_view rest, std::string_view line) {
    const std::size_t hash = rest.find('#');
    if (hash == std::string_view::npos) {
      if (from_ibnetdiscover())
        fail(fmt::format("section without a description: {}", shown(line)),
             "the file looks cut short: write it again");
      return;
    }
    Cursor at(rest.substr(hash + 1));
    at.spaces();
    std::string_view suffix;
    if (at.peek() == '"') {
      const std::size_t end = at.rest().rfind('"');
      if (end == 0)
        fail(fmt::format("the description's quote is not closed: {}", shown(line)),
             "close it; if the file was cut short, write it again");
      node.name = at.rest().substr(1, end - 1);
      suffix = at.rest().substr(end + 1);
    } else {
      // ibsim's other form: no quotes; the name ends before the first of these marks.
      std::size_t end = at.rest().size();
      for (const std::string_view mark : {" enhanced port ", " base port ", " lid ", " lmc "})
        end = std::min(end, at.rest().find(mark));
      suffix = at.rest().substr(end);
      std::string_view name = at.rest().substr(0, end);
      while (!name.empty() && lex::is_space(name.back())) name.remove_suffix(1);
      if (!name.empty()) node.name = name;
    }
    if (!node.is_switch()) return;
    if (const auto lid = number_after(suffix, "lid ")) node.lid = checked_lid(*lid);
    if (number_after(suffix, "lmc ").value_or(0) != 0)
      reporter_.remark(lines_.number(), fmt::format("\"{}\" has several LIDs for its port 0; only "
                                                    "the first is used",
                                                    shown(node.name)));
    node.failed = suffix.find("failed") != std::string_view::npos;
    if (suffix.find("no ports") != std::string_view::npos) node.ports = 0;
    node.number = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(number_after(suffix, " switch ").value_or(kNoSwitch), kNoSwitch));
  }

  Lid checked_lid(std::uint64_t lid) const {
    if (lid > kMaxUnicastLid)
      fail(fmt::format("LID {} is beyond the unicast range", lid),
           fmt::format("LIDs go up to {}", unsigned{kMaxUnicastLid}));
    return static_cast<Lid>(lid);
  }

  void number(ListedNode& node) {
    if (node.kind == Kind::kUnknown) return;
    Numbering& n = numbering_[static_cast<std::size_t>(node.kind)];
    if (!n.given && from_ibnetdiscover()) {
      // The GUID line was removed, but the id has the GUID: "S-0008f10400411f56".
      if (node.id.size() == 18 && node.id[1] == '-')
        if (const auto guid = Cursor(node.id.substr(2)).hex()) n.next = *guid;
    }
    node.guid_generated = !n.given;
    node.guid = n.none ? 0 : n.next;
    node.port_base = n.next;
    n.next += node.is_switch() ? 1u : node.ports + 1u;
    n.given = n.none = false;
  }

  // Reads a port line, such as:
  // [3][ext 5](guid)	"H-0008f10403961354"[1][ext 2](guid) 	w=2 s=4	# "host" lid 4 4xQDR
  void take_port(Cursor at, std::string_view line, bool commented_out) {
    if (!in_section_) {
      if (commented_out) return;
      fail(fmt::format("a port outside any section: {}", shown(line)),
           "a section begins with Switch, Ca or Rt and ends at an empty line");
    }
    ListedPort port;
    port.node = static_cast<std::uint32_t>(listing_.nodes.size() - 1);
    port.line = lines_.number();
    port.commented_out = commented_out;
    const ListedNode& node = listing_.nodes.back();

    if (!take_own_end(at, port) || !take_far_end(at, port)) {
      if (commented_out) return;
      fail(fmt::format("malformed port: {}", shown(line)),
           "a port line is [port] \"id of the far node\"[its port]; if the file was cut short, "
           "write it again");
    }
    if (port.port == 0 || port.port > node.ports) {
      if (commented_out) return;
      fail(fmt::format("port {} of \"{}\" is cabled, but it has ports 1 to {}", port.port,
                       shown(node.name), node.ports),
           "correct the port number or the number of ports");
    }
    if (!port.remote.empty()) port.remote = whole_id(port.remote);
    take_rate(at, port, node);
    listing_.ports.push_back(port);
  }

  /// Reads the near end, such as "[3][ext 5](guid)".
  static bool take_own_end(Cursor& at, ListedPort& port) {
    if (!take_bracket(at, port.port)) return false;
    return take_mark(at) && take_parenthesis(at, port.guid);
  }

  static bool take_bracket(Cursor& at, PortNum& port) {
    if (!at.take('[')) return false;
    at.spaces();
    const auto number = at.decimal(255);
    at.spaces();
    if (!number || !at.take(']')) return false;
    port = static_cast<PortNum>(*number);
    return true;
  }

  /// Reads "[ext 5]", the number printed on the chassis. It may be absent.
  static bool take_mark(Cursor& at) {
    if (!at.take("[ext ")) return true;
    return at.decimal(UINT16_MAX) && at.take(']');
  }

  static bool take_parenthesis(Cursor& at, std::optional<Guid>& guid) {
    at.spaces();
    if (at.take('(')) {
      guid = at.hex();
      if (!guid || !at.take(')')) return false;
    }
    at.spaces();
    return true;
  }

  bool take_far_end(Cursor& at, ListedPort& port) {
    // The far end is unknown
    if (port.commented_out && (at.done() || at.peek() == '#')) return true;
    const auto id = at.quoted();
    if (!id || id->empty()) return false;
    port.remote = *id;
    at.spaces();
    if (at.peek() != '[') {
      port.remote_port = 1;  // the default of ibsim
      return !from_ibnetdiscover();
    }
    return take_bracket(at, port.remote_port) && port.remote_port != 0 && take_mark(at) &&
           take_parenthesis(at, port.remote_guid);
  }

  void take_rate(Cursor at, ListedPort& port, const ListedNode& node) {
    const std::size_t hash = std::min(at.rest().find('#'), at.rest().size());
    take_masks(at.rest().substr(0, hash), port);
    if (hash == at.rest().size()) return;
    const std::string_view comment = at.rest().substr(hash + 1);

    // In an adapter's comment the port's own LID comes before the far node's description. After the
    // description come the far node's LID and the rate. The description may contain any character,
    // also quotes.
    const std::size_t open = comment.find('"');
    const std::size_t close = comment.rfind('"');
    const std::string_view before = comment.substr(0, open);
    const std::string_view after =
        close == std::string_view::npos ? comment : comment.substr(close + 1);
    if (node.is_host()) {
      Cursor own(before);
      own.spaces();
      if (own.take("lid ")) {
        const auto lid = own.decimal(UINT64_MAX);
        const bool lmc_follows = own.take(" lmc ");
        const auto lmc = own.decimal(UINT64_MAX);
        if (lid && lmc_follows && lmc) {
          if (*lmc > kMaxLmc)
            fail(fmt::format("port {} of \"{}\" has LMC {}", port.port, shown(node.name), *lmc),
                 fmt::format("LMC goes from 0 to {}", kMaxLmc));
          port.lid = checked_lid(*lid);
          port.lmc = static_cast<std::uint8_t>(*lmc);
        }
      }
    }
    const std::size_t lid = after.rfind("lid ");
    if (lid == std::string_view::npos) return;
    Cursor end(after.substr(lid + 4));
    if (!end.decimal(UINT16_MAX)) return;
    end.spaces();
    if (const auto rate = lex::rate(end)) {
      port.rate = *rate;
      port.rate_in_words = true;
    }
    end.spaces();
    if (end.take("host "))
      port.host_number = static_cast<std::uint32_t>(end.decimal(UINT32_MAX).value_or(kNoHost));
  }

  // Reads "w=2 s=4 e=1": masks of what ibsim enables at this port.
  void take_masks(std::string_view options, ListedPort& port) const {
    unsigned width = width_, speed = speed_, extended = extended_;
    for (std::size_t at = options.find('='); at != std::string_view::npos && at > 0;
         at = options.find('=', at + 1)) {
      const auto value = Cursor(options.substr(at + 1)).number();
      const char option = options[at - 1];
      if (option != 'w' && option != 's' && option != 'e') continue;
      const unsigned low = option == 'w' ? 1 : 0;
      const unsigned high = option == 'w' ? 31 : option == 's' ? 7 : 15;
      if (!value || *value < low || *value > high)
        fail(fmt::format("{}= is out of range at port {}", option, port.port),
             fmt::format("ibsim takes {} to {}", low, high));
      (option == 'w' ? width : option == 's' ? speed : extended) = static_cast<unsigned>(*value);
    }
    if (speed == 0) speed = 4;  // ibsim takes 0 as 4 (QDR)
    port.rate = lex::rate_of_masks(width, speed, extended);
  }

  lex::Lines lines_;
  Reporter& reporter_;
  Listing listing_;
  bool in_section_ = false;
  Numbering numbering_[4];
  std::string_view module_;
  unsigned width_ = 2, speed_ = 1, extended_ = 0;  // the defaults of ibsim: 4x, SDR
};

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t kMaxShown = 64;  // bytes, as in a node description
  std::string out(text.substr(0, kMaxShown));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  if (text.size() > kMaxShown) out += "…";
  return out;
}

void Reporter::fail(std::uint32_t line, std::string what, std::string remedy) const {
  throw InputError(std::move(what), fmt::format("{}:{}", where_, line), std::move(remedy));
}

void Reporter::remark(std::uint32_t line, std::string_view what) {
  if (remarks_.size() + 1 < kMaxRemarks)
    remarks_.push_back(fmt::format("{}:{}: {}", where_, line, what));
  else
    ++omitted_;
}

std::vector<std::string> Reporter::take_remarks() {
  if (omitted_ > 0)
    remarks_.push_back(fmt::format("{}: {} more remarks left out", where_, omitted_));
  omitted_ = 0;
  return std::move(remarks_);
}

Listing read_listing(std::string_view text, Reporter& reporter) {
  return ListingReader(text, reporter).read();
}

}  // namespace selvedge
