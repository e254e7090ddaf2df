// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The second half of read_fabric(): resolves ids to nodes, matches the two lines of each cable, and
// builds the Fabric from what listing.cpp has parsed. Errors name the line. There is one pass over
// the ports, with one hash lookup each.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cerrno>
#include <cstring>

#include "plugin/fabric/files.hpp"
#include "plugin/fabric/listing.hpp"

namespace selvedge {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

std::string quote(std::string_view name) { return '"' + shown(name) + '"'; }

class Joiner {
 public:
  Joiner(const Listing& listing, Reporter& reporter) : listing_(listing), reporter_(reporter) {}

  FabricFile join() {
    index_nodes();
    index_ports();
    far_.assign(ports().size(), kNone);
    for (std::uint32_t p = 0; p < ports().size(); ++p)
      if (!ports()[p].commented_out) join_cable(p);
    add_switches();
    collect_hosts();
    if (switch_nodes_.empty() && found_.empty())
      throw InputError("neither a switch nor a cabled host found", reporter_.where(),
                       "check the cables and run ibnetdiscover again");
    add_cables();
    check_guids();
    check_lids();
    for (Found& h : found_) {
      // A host whose cable has failed is added without a switch, so that it gets no cable. The
      // switch that it had is set afterwards.
      const SwitchId at = h.host.at;
      if (!h.cabled) h.host.at = kNoSwitch;
      const HostId id = builder_.add_host(h.host, h.rate);
      builder_.host(id).at = at;
    }
    FabricFile file;
    file.form = listing_.form;
    file.has_lids = every_lid_;
    file.fabric = std::move(builder_).build(reporter_.where());
    file.remarks = reporter_.take_remarks();
    return file;
  }

 private:
  /// A host, with its line in the file and what else is needed to build the Fabric.
  struct Found {
    Host host;
    LinkRate rate;
    std::uint32_t line;
    std::uint32_t number;
    bool cabled;
    bool has_guid;  // whether its adapter has a GUID
  };

  const std::vector<ListedNode>& nodes() const { return listing_.nodes; }
  const std::vector<ListedPort>& ports() const { return listing_.ports; }
  const ListedNode& node_of(std::uint32_t p) const { return nodes()[ports()[p].node]; }
  std::uint32_t end_of_ports(std::uint32_t node) const {
    return node + 1 < nodes().size() ? nodes()[node + 1].first_port
                                     : static_cast<std::uint32_t>(ports().size());
  }
  bool from_ibnetdiscover() const { return listing_.form == FabricFile::Form::kIbnetdiscover; }
  const char* remedy() const {
    return from_ibnetdiscover() ? "the file looks cut short or edited: write it again"
                                : "list every cable in the sections of both its ends";
  }

  void index_nodes() {
    by_id_.reserve(nodes().size());
    for (std::uint32_t n = 0; n < nodes().size(); ++n) {
      const auto [it, fresh] = by_id_.try_emplace(nodes()[n].id, n);
      if (!fresh)
        reporter_.fail(nodes()[n].line,
                       fmt::format("the id {} is used twice, first at line {}",
                                   quote(nodes()[n].id), nodes()[it->second].line),
                       "give every section an id of its own");
    }
    if (nodes().empty())
      throw InputError("no section found", reporter_.where(),
                       "give the output of ibnetdiscover or an ibsim .net file");
    if (from_ibnetdiscover() && listing_.from &&
        std::ranges::find(nodes(), *listing_.from, &ListedNode::guid) == nodes().end())
      reporter_.fail(listing_.from_line,
                     fmt::format("the node 0x{:016x}, from which the fabric was listed, has no "
                                 "section",
                                 *listing_.from),
                     "the file looks cut short: write it again (or remove this line, if the node "
                     "was taken out on purpose)");
  }

  void index_ports() {
    std::size_t size = 0;
    for (const ListedNode& n : nodes()) {
      first_slot_.push_back(size);
      size += n.ports + 1u;
    }
    slots_.assign(size, kNone);
    for (std::uint32_t p = 0; p < ports().size(); ++p) {
      const ListedPort& port = ports()[p];
      if (port.commented_out) continue;
      std::uint32_t& slot = slots_[first_slot_[port.node] + port.port];
      if (slot != kNone)
        reporter_.fail(port.line,
                       fmt::format("port {} of {} is listed twice, first at line {}", port.port,
                                   quote(node_of(p).name), ports()[slot].line),
                       "a port takes one cable: remove a line");
      slot = p;
    }
  }

  /// Finds the line of the cable's other end, and sets far_. For a node of unknown type and for a
  /// loopback plug far_ remains kNone; any other line without a counterpart is an error.
  void join_cable(std::uint32_t p) {
    const ListedPort& port = ports()[p];
    const ListedNode& node = node_of(p);
    const auto it = by_id_.find(port.remote);
    if (it == by_id_.end())
      reporter_.fail(port.line,
                     fmt::format("port {} of {} is cabled to {}, which has no section", port.port,
                                 quote(node.name), quote(port.remote)),
                     from_ibnetdiscover() ? remedy() : "add its section or correct the id");
    const ListedNode& remote = nodes()[it->second];
    if (node.kind == ListedNode::Kind::kUnknown || remote.kind == ListedNode::Kind::kUnknown) {
      reporter_.remark(
          port.line,
          fmt::format("the cable between {} and {} is ignored: a node's type is not known",
                      quote(node.name), quote(remote.name)));
      return;
    }
    if (port.remote_port > remote.ports)
      reporter_.fail(
          port.line,
          fmt::format("port {} of {} is cabled to port {} of {}, which has {}", port.port,
                      quote(node.name), port.remote_port, quote(remote.name), remote.ports),
          "correct the port number or the number of ports");
    const std::uint32_t back = slots_[first_slot_[it->second] + port.remote_port];
    if (back == p) {
      reporter_.remark(port.line, fmt::format("port {} of {} is cabled to itself; taken as empty",
                                              port.port, quote(node.name)));
      return;
    }
    if (back == kNone)
      reporter_.fail(port.line,
                     fmt::format("a link with one end: port {} of {} is cabled to port {} of {}, "
                                 "whose section does not list it",
                                 port.port, quote(node.name), port.remote_port, quote(remote.name)),
                     remedy());
    const ListedPort& other = ports()[back];
    if (other.remote != node.id || other.remote_port != port.port)
      reporter_.fail(port.line,
                     fmt::format("a link with one end: port {} of {} is cabled to port {} of {}, "
                                 "which line {} cables to port {} of {}",
                                 port.port, quote(node.name), port.remote_port, quote(remote.name),
                                 other.line, other.remote_port, quote(other.remote)),
                     remedy());
    far_[p] = back;
    if (p < back && port.rate_in_words && other.rate_in_words && port.rate != other.rate)
      reporter_.remark(port.line,
                       fmt::format("the rates at the two ends of this cable differ (line "
                                   "{}); the slower is taken",
                                   other.line));
  }

  LinkRate rate_of(std::uint32_t p) const {
    const LinkRate a = ports()[p].rate, b = ports()[far_[p]].rate;
    LinkRate rate;
    rate.lanes = std::min(a.lanes, b.lanes);
    rate.speed =
        a.speed == 0 || b.speed == 0 ? std::max(a.speed, b.speed) : std::min(a.speed, b.speed);
    return rate;
  }

  /// Whether the file gives the node's GUID itself, so that it does not come from ibsim's
  /// numbering.
  bool has_guid(const ListedNode& node) const {
    return node.guid != 0 && (!node.guid_generated || from_ibnetdiscover());
  }

  /// The switches in the order of their ids: by the numbers that write_net() wrote, else by GUID,
  /// so that ids do not depend on the node on which ibnetdiscover was run. If some switch has no
  /// GUID, they are in the order of the file.
  std::vector<std::uint32_t> switches_in_order() const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t n = 0; n < nodes().size(); ++n)
      if (nodes()[n].is_switch()) order.push_back(n);
    std::vector<std::uint32_t> place(order.size(), kNone);
    bool numbered = true;
    for (const std::uint32_t n : order) {
      const std::uint32_t number = nodes()[n].number;
      numbered = numbered && number < place.size() && place[number] == kNone;
      if (!numbered) break;
      place[number] = n;
    }
    if (numbered) return place;
    if (std::ranges::all_of(order, [&](std::uint32_t n) { return has_guid(nodes()[n]); }))
      std::ranges::stable_sort(order, {}, [&](std::uint32_t n) { return nodes()[n].guid; });
    return order;
  }

  void add_switches() {
    switch_ids_.assign(nodes().size(), kNoSwitch);
    for (const std::uint32_t n : switches_in_order()) {
      const ListedNode& node = nodes()[n];
      bool cabled = false;
      for (std::uint32_t p = node.first_port; p < end_of_ports(n); ++p) cabled |= far_[p] != kNone;
      if (node.failed && cabled)
        reporter_.remark(
            node.line,
            fmt::format("{} is marked failed but has cables; taken as working", quote(node.name)));
      Switch s;
      s.guid = node.guid;
      s.name = node.name;
      s.ports = node.ports;
      s.lid = node.lid;
      s.failed = node.failed && !cabled;
      switch_ids_[n] = builder_.add_switch(std::move(s));
      switch_nodes_.push_back(n);
    }
  }

  void collect_hosts() {
    for (std::uint32_t n = 0; n < nodes().size(); ++n) {
      if (!nodes()[n].is_host()) {
        if (nodes()[n].kind == ListedNode::Kind::kUnknown)
          reporter_.remark(nodes()[n].line, fmt::format("{} is ignored: its type is not known",
                                                        quote(nodes()[n].name)));
        continue;
      }
      const std::size_t before = found_.size();
      for (std::uint32_t p = nodes()[n].first_port; p < end_of_ports(n); ++p) collect_host(p);
      if (found_.size() == before)
        reporter_.remark(nodes()[n].line,
                         fmt::format("{} has no cable; left out", quote(nodes()[n].name)));
    }
    put_in_order();
  }

  void collect_host(std::uint32_t p) {
    const ListedPort& port = ports()[p];
    const ListedNode& node = node_of(p);
    Found found{};
    found.line = port.line;
    found.number = port.host_number;
    found.has_guid = has_guid(node);
    Host& h = found.host;
    h.node_guid = node.guid;
    h.name = node.name;
    h.ca_port = port.port;
    h.lid = port.lid;
    h.lmc = port.lmc;
    h.guid = port.guid.value_or(node.port_base + port.port);
    if (port.commented_out) {
      if (!remember_place(p, h)) return;
    } else if (far_[p] == kNone) {
      return;
    } else {
      const ListedPort& other = ports()[far_[p]];
      if (!port.guid && other.remote_guid) h.guid = *other.remote_guid;
      h.at = switch_ids_[other.node];
      if (h.at != kNoSwitch) {
        h.port = other.port;
        found.cabled = true;
        found.rate = rate_of(p);
      } else {
        reporter_.remark(port.line,
                         fmt::format("{} is cabled to a host, {}; both are left unattached",
                                     quote(node.name), quote(nodes()[other.node].name)));
      }
    }
    found_.push_back(std::move(found));
  }

  /// For a port line that is commented out: sets where the unattached host was cabled before.
  /// Returns false if the port has another line.
  bool remember_place(std::uint32_t p, Host& h) {
    const ListedPort& port = ports()[p];
    std::uint32_t& slot = slots_[first_slot_[port.node] + port.port];
    if (slot != kNone) return false;
    slot = p;
    // No switch port given; tested first, as an id may be empty
    if (port.remote_port == 0) return true;
    const auto it = by_id_.find(port.remote);
    if (it == by_id_.end() || switch_ids_[it->second] == kNoSwitch ||
        port.remote_port > nodes()[it->second].ports)
      return true;
    h.at = switch_ids_[it->second];
    h.port = port.remote_port;
    return true;
  }

  /// Sorts the hosts: by the numbers that write_net() wrote, else by the adapter's GUID and the
  /// port, else in the order of the file.
  void put_in_order() {
    std::vector<std::uint32_t> place(found_.size(), kNone);
    bool numbered = true;
    for (std::uint32_t i = 0; i < found_.size() && numbered; ++i) {
      const std::uint32_t number = found_[i].number;
      numbered = number < place.size() && place[number] == kNone;
      if (numbered) place[number] = i;
    }
    if (!numbered) {
      if (std::ranges::all_of(found_, &Found::has_guid))
        std::ranges::stable_sort(
            found_, {}, [](const Found& h) { return std::pair(h.host.node_guid, h.host.ca_port); });
      return;
    }
    std::vector<Found> ordered;
    ordered.reserve(found_.size());
    for (const std::uint32_t i : place) ordered.push_back(std::move(found_[i]));
    found_ = std::move(ordered);
  }

  void add_cables() {
    for (std::uint32_t p = 0; p < ports().size(); ++p) {
      if (far_[p] == kNone || far_[p] < p) continue;
      const ListedPort& a = ports()[p];
      const ListedPort& b = ports()[far_[p]];
      if (switch_ids_[a.node] != kNoSwitch && switch_ids_[b.node] != kNoSwitch)
        builder_.connect(switch_ids_[a.node], a.port, switch_ids_[b.node], b.port, rate_of(p));
    }
  }

  void claim_guid(boost::unordered_flat_map<Guid, std::uint32_t>& owners, Guid guid,
                  std::uint32_t line) {
    if (guid == 0) return;
    const auto [it, fresh] = owners.try_emplace(guid, line);
    if (!fresh)
      reporter_.fail(std::max(line, it->second),
                     fmt::format("GUID 0x{:016x} is used twice, first at line {}", guid,
                                 std::min(line, it->second)),
                     "give every node and every host port a GUID of its own");
  }

  void check_guids() {
    // An adapter and its port may have the same GUID; two nodes or two ports may not.
    boost::unordered_flat_map<Guid, std::uint32_t> of_nodes, of_ports;
    of_nodes.reserve(nodes().size());
    of_ports.reserve(nodes().size() + found_.size());
    for (const ListedNode& n : nodes()) {
      if (n.kind == ListedNode::Kind::kUnknown) continue;
      claim_guid(of_nodes, n.guid, n.line);
      if (n.is_switch()) claim_guid(of_ports, n.guid, n.line);
    }
    for (const Found& h : found_) claim_guid(of_ports, h.host.guid, h.line);
  }

  void check_lids() {
    std::vector<std::uint32_t> line_of(kMaxUnicastLid + 1u, 0);
    every_lid_ = true;
    auto claim = [&](unsigned first, unsigned count, std::uint32_t line) {
      for (unsigned lid = first; lid < first + count; ++lid) {
        if (lid > kMaxUnicastLid)
          reporter_.fail(line, fmt::format("LID {} is beyond the unicast range", lid),
                         fmt::format("LIDs go up to {}", unsigned{kMaxUnicastLid}));
        if (line_of[lid] != 0)
          reporter_.fail(line,
                         fmt::format("LID {} is used twice, first at line {}", lid, line_of[lid]),
                         "give every port a LID range of its own");
        line_of[lid] = line;
      }
    };
    for (const std::uint32_t n : switch_nodes_) {
      if (nodes()[n].lid == kNoLid)
        every_lid_ = every_lid_ && builder_.node(switch_ids_[n]).failed;
      else
        claim(nodes()[n].lid, 1, nodes()[n].line);
    }
    for (const Found& h : found_) {
      if (h.host.lid == kNoLid)
        every_lid_ = every_lid_ && !h.cabled;
      else
        claim(h.host.lid, h.host.lid_count(), h.line);
    }
  }

  const Listing& listing_;
  Reporter& reporter_;
  FabricBuilder builder_;
  boost::unordered_flat_map<std::string_view, std::uint32_t> by_id_;
  std::vector<std::size_t> first_slot_;  // per node: its first entry in slots_
  std::vector<std::uint32_t> slots_;     // per port of a node: its line in ports(), or kNone
  std::vector<std::uint32_t> far_;       // per line: the line of the cable's other end
  std::vector<SwitchId> switch_ids_;     // per node: its id, or kNoSwitch
  std::vector<std::uint32_t> switch_nodes_;
  std::vector<Found> found_;
  bool every_lid_ = false;
};

}  // namespace

FabricFile read_fabric(std::string_view text, const std::string& where) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
  if (text.find('\0') != std::string_view::npos)
    throw InputError("not a text file", where,
                     "give the output of ibnetdiscover or an ibsim .net file");
  if (text.size() > kMaxFabricFileBytes)
    throw InputError("the file is larger than 1 GiB", where,
                     "give the output of ibnetdiscover or an ibsim .net file");
  Reporter reporter(where);
  const Listing listing = read_listing(text, reporter);
  return Joiner(listing, reporter).join();
}

FabricFile read_fabric_file(const std::string& path) {
  // The file is read, not mapped: if another program truncates a mapped file, an access raises
  // SIGBUS.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  auto fail = [&](const char* what) {
    const int error = errno;
    if (fd >= 0) ::close(fd);
    throw InputError(fmt::format("{} ({})", what, std::strerror(error)), path,
                     "name a readable file");
  };
  if (fd < 0) fail("cannot open the file");
  struct stat status{};
  if (::fstat(fd, &status) != 0) fail("cannot read the file");
  std::string text;
  text.resize(S_ISREG(status.st_mode) && status.st_size > 0 &&
                      static_cast<std::size_t>(status.st_size) <= kMaxFabricFileBytes
                  ? static_cast<std::size_t>(status.st_size) + 1
                  : std::size_t{1} << 16);
  std::size_t size = 0;
  while (true) {
    if (size == text.size()) text.resize(2 * text.size());
    const ssize_t got = ::read(fd, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot read the file");
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size > kMaxFabricFileBytes) break;
  }
  ::close(fd);
  text.resize(size);
  return read_fabric(text, path);
}

}  // namespace selvedge
