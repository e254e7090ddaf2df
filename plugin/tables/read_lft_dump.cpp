// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads the output of dump_fts (infiniband-diags 44), which has a section for each switch. The
// header of a section gives the range of LIDs and the switch's GUID. A line for each entry follows,
// then a line with the number of entries. Column titles and names are ignored, but the port GUID of
// a destination is checked.
#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <charconv>
#include <optional>

#include "base/error.hpp"
#include "plugin/tables/readers.hpp"

namespace selvedge {
namespace {

constexpr std::string_view kUnicastHeader = "Unicast lids [";
constexpr std::string_view kMulticastHeader = "Multicast mlids [";
constexpr unsigned kBlock = 64;  // entries in an LFT block

/// Reads a number at the beginning of the text and removes it from the text.
template <typename Number>
std::optional<Number> take_number(std::string_view& text, int base) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc{}) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

class DumpReader {
 public:
  DumpReader(std::string_view text, const std::string& where, const Fabric& fabric)
      : text_(text), where_(where), fabric_(fabric), covered_(fabric.num_switches()) {
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) switch_of_.emplace(fabric.node(s).guid, s);
    file_.fabric = fabric;
    file_.tables = Tables(fabric);
  }

  TablesFile run() && {
    while (!text_.empty()) {
      const std::size_t end = text_.find('\n');
      std::string_view line = text_.substr(0, end);
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (end == std::string_view::npos && section_ != Section::kNone &&
          line.find("lids dumped") == std::string_view::npos)
        cut_short();
      read_line(line);
    }
    if (section_ != Section::kNone) cut_short();
    check_coverage();
    return std::move(file_);
  }

 private:
  enum class Section { kNone, kUnicast, kMulticast };
  struct Range {
    unsigned first = UINT32_MAX, last = 0;
  };

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const {
    throw InputError(problem, fmt::format("line {} of {}", line_, where_), remedy);
  }
  [[noreturn]] void cut_short() const {
    fail(fmt::format("the table of \"{}\" is cut short", fabric_.node(at_).name),
         "run dump_fts again");
  }

  void read_line(std::string_view line) {
    if (line.starts_with(kUnicastHeader) || line.starts_with(kMulticastHeader)) return begin(line);
    if (line.starts_with("SubnGet("))
      fail("dump_fts could not read a switch's table", "run it again when the subnet is stable");
    if (line.starts_with("ibwarn: ")) {
      file_.remarks.push_back(fmt::format("line {} of {}: {}", line_, where_, line));
      return;
    }
    // Column titles, and a line that dump_fts -v prints.
    if (line.empty() || line.starts_with(' ') || line.starts_with("Switch multicast mlid")) return;
    if (section_ != Section::kNone) {
      if (line.starts_with("0x"))
        return section_ == Section::kUnicast ? unicast(line) : multicast(line);
      if (line.find("lids dumped") != std::string_view::npos) return end(line);
    }
    fail("this line is not understood", "give the unchanged output of dump_fts");
  }

  void begin(std::string_view line) {
    if (section_ != Section::kNone) cut_short();
    const bool unicast = take(line, kUnicastHeader);
    if (!unicast) take(line, kMulticastHeader);
    constexpr std::string_view kGuid = " guid 0x";
    std::optional<unsigned> first, last;
    std::optional<Guid> guid;
    if (take(line, "0x")) first = take_number<unsigned>(line, 16);
    if (take(line, "-0x")) last = take_number<unsigned>(line, 16);
    if (const std::size_t at = line.find(kGuid); at != std::string_view::npos) {
      line.remove_prefix(at + kGuid.size());
      guid = take_number<Guid>(line, 16);
    }
    if (!first || !last || !guid)
      fail("this header is not understood", "give the unchanged output of dump_fts");
    const auto found = switch_of_.find(*guid);
    if (found == switch_of_.end())
      fail(fmt::format("the fabric has no switch with GUID 0x{:016x}", *guid),
           "give output of ibnetdiscover and of dump_fts that was taken at the same time");
    at_ = found->second;
    section_ = unicast ? Section::kUnicast : Section::kMulticast;
    entries_ = 0;
    if (unicast) {
      covered_[at_].first = std::min(covered_[at_].first, *first);
      covered_[at_].last = std::max(covered_[at_].last, *last);
    }
  }

  void end(std::string_view line) {
    const auto count = take_number<std::uint64_t>(line, 10);
    if (count != entries_) cut_short();
    section_ = Section::kNone;
  }

  void unicast(std::string_view line) {
    take(line, "0x");
    const auto lid = take_number<unsigned>(line, 16);
    const bool spaced = take(line, " ");
    const auto port = take_number<unsigned>(line, 10);
    if (!lid || !spaced || !port || *port > kNoPort)
      fail("this entry is not understood", "give the unchanged output of dump_fts");
    ++entries_;
    if (*lid == kNoLid || *lid > fabric_.top_lid()) return;  // no node has this LID
    const auto dlid = static_cast<Lid>(*lid);
    check_owner(dlid, line);
    if (fabric_.node(at_).failed) return;
    if (*port > fabric_.node(at_).ports) {
      if (*port != kNoPort)
        file_.remarks.push_back(
            fmt::format("line {} of {}: switch \"{}\" has no port {}; its "
                        "packets to LID {} are lost",
                        line_, where_, fabric_.node(at_).name, *port, *lid));
      return;
    }
    const PortNum before = file_.tables.next(at_, dlid);
    if (before != kNoPort && before != *port)
      fail(fmt::format("LID {} leaves \"{}\" by another port than further up", *lid,
                       fabric_.node(at_).name),
           "give tables that were taken at the same time");
    file_.tables.set_next(at_, dlid, static_cast<PortNum>(*port));
  }

  /// Fails if the dump gives another port GUID for a LID's owner than the fabric.
  void check_owner(Lid lid, std::string_view line) const {
    constexpr std::string_view kPortGuid = "portguid 0x";
    const std::size_t at = line.find(kPortGuid);
    if (at == std::string_view::npos) return;
    line.remove_prefix(at + kPortGuid.size());
    const auto guid = take_number<Guid>(line, 16);
    const LidOwner owner = fabric_.owner(lid);
    const Guid ours = owner.kind == LidOwner::Kind::kSwitch ? fabric_.node(owner.id).guid
                      : owner.kind == LidOwner::Kind::kHost ? fabric_.host(owner.id).guid
                                                            : 0;
    if (guid && ours != 0 && *guid != ours)
      fail(fmt::format("LID {} is 0x{:016x} here and 0x{:016x} in the fabric", lid, *guid, ours),
           "give output of ibnetdiscover and of dump_fts that was taken at the same time");
  }

  void multicast(std::string_view line) {
    take(line, "0x");
    const auto mlid = take_number<unsigned>(line, 16);
    if (!mlid || *mlid < kMinMulticastLid || *mlid > kMaxMulticastLid)
      fail("this entry is not understood", "give the unchanged output of dump_fts");
    ++entries_;
    constexpr std::size_t kGap = 6;  // characters before the column of port 0
    const std::string_view ports = line.substr(std::min(kGap, line.size()));
    const bool masks = ports.find_first_not_of(" x") != std::string_view::npos;
    const PortSet set = masks ? parse_masks(ports) : parse_columns(ports);
    if (set.none() || fabric_.node(at_).failed) return;
    for (std::size_t p = fabric_.node(at_).ports + 1u; p < set.size(); ++p)
      if (set[p])
        fail(fmt::format("switch \"{}\" has no port {}", fabric_.node(at_).name, p),
             "give output of ibnetdiscover and of dump_fts that was taken at the same time");
    MulticastTree& tree = file_.tables.mft[static_cast<Lid>(*mlid)];
    tree.resize(fabric_.num_switches());
    tree[at_] |= set;
  }

  /// Reads columns of two characters, one for each port, with an x if the port is in the group.
  PortSet parse_columns(std::string_view text) const {
    PortSet set;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != 'x') continue;
      if (i % 2 != 0 || i / 2 >= set.size())
        fail("this entry is not understood", "give the unchanged output of dump_fts");
      set.set(i / 2);
    }
    return set;
  }

  /// Reads the form that -n prints: four hex digits for each sixteen ports, the lowest ports first.
  PortSet parse_masks(std::string_view text) const {
    constexpr std::size_t kDigits = 4, kPorts = 16;
    PortSet set;
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (text.size() % kDigits != 0 || text.size() / kDigits * kPorts > set.size())
      fail("this entry is not understood", "give the unchanged output of dump_fts");
    for (std::size_t chunk = 0; chunk * kDigits < text.size(); ++chunk) {
      std::string_view digits = text.substr(chunk * kDigits, kDigits);
      const auto mask = take_number<std::uint16_t>(digits, 16);
      if (!mask || !digits.empty())
        fail("this entry is not understood", "give the unchanged output of dump_fts");
      for (std::size_t bit = 0; bit < kPorts; ++bit)
        if ((*mask >> bit & 1u) != 0) set.set(chunk * kPorts + bit);
    }
    return set;
  }

  /// Fails unless the dump has every switch, with all LIDs in use. If an LFT ends early but all its
  /// missing LIDs are unused, a remark is added.
  void check_coverage() {
    unsigned lowest = 1;
    while (lowest < fabric_.top_lid() && unassigned(lowest)) ++lowest;
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      if (fabric_.node(s).failed) continue;
      const Range& range = covered_[s];
      const std::string& name = fabric_.node(s).name;
      if (range.first > range.last)
        throw InputError(fmt::format("switch \"{}\" has no LFT in the dump", name), where_,
                         "dump all switches, without -M");
      if (range.first > lowest)
        throw InputError(fmt::format("the LFT of \"{}\" begins at LID {}", name, range.first),
                         where_, "dump all LIDs");
      if (range.last < fabric_.top_lid())
        file_.remarks.push_back(
            fmt::format("{}: the LFT of \"{}\" ends at LID {}, the fabric's "
                        "LIDs at {}",
                        where_, name, range.last, fabric_.top_lid()));
      else if (range.last % kBlock == 0 && range.last == fabric_.top_lid() &&
               file_.tables.next(s, fabric_.top_lid()) == kNoPort)
        throw InputError(
            fmt::format("LID {} is not in the LFT of \"{}\"", range.last, name), where_,
            "dump_fts leaves out a last LID that is a multiple of 64; use an LMC or a number of "
            "hosts that ends elsewhere");
    }
  }

  bool unassigned(unsigned lid) const {
    return fabric_.owner(static_cast<Lid>(lid)).kind == LidOwner::Kind::kUnassigned;
  }

  std::string_view text_;
  const std::string& where_;
  const Fabric& fabric_;
  boost::unordered_flat_map<Guid, SwitchId> switch_of_;
  TablesFile file_;
  std::vector<Range> covered_;  // per switch: the range in its unicast header
  std::size_t line_ = 0;
  Section section_ = Section::kNone;
  SwitchId at_ = kNoSwitch;
  std::uint64_t entries_ = 0;
};

}  // namespace

TablesFile read_lft_dump(std::string_view text, const std::string& where, const Fabric* fabric) {
  if (fabric == nullptr)
    throw InputError("the output of dump_fts says nothing about cables", where,
                     "give the fabric too, as the output of ibnetdiscover");
  if (fabric->top_lid() == kNoLid)
    throw InputError("the fabric has no LIDs", where,
                     "give output of ibnetdiscover that was taken at the same time");
  return DumpReader(text, where, *fabric).run();
}

}  // namespace selvedge
