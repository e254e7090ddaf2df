// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Two steps: the stream is collected into flat arrays (its keys may come in any order), then these
// are checked against each other and become a Fabric and Tables.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.hpp"
#include "plugin/tables/json_shape.hpp"
#include "plugin/tables/readers.hpp"

namespace selvedge {
namespace {

/// A guard against files that are no tables: engines make a row for each kind of turn, a few dozen.
constexpr std::size_t kMaxDistinctRows = 4096;
constexpr std::size_t kMaxSwitches = kMaxUnicastLid;

// --- The shape of the file

enum Field : int {
  kIgnored,
  kFormat,
  kSwitchNode,
  kSwitchNumber,
  kSwitchGuid,
  kSwitchName,
  kSwitchPorts,
  kSwitchLid,
  kHostNode,
  kHostNumber,
  kHostGuid,
  kHostNodeGuid,
  kHostName,
  kHostCaPort,
  kHostSwitch,
  kHostPort,
  kHostLid,
  kHostLmc,
  kHostAttached,
  kLinkEnd,
  kLftRow,
  kLftEntry,
  kSlRow,
  kSlEntry,
  kTurn,
  kTurnVl,
  kHostVl,
  kDisjointRow,
  kOffset,
  kGroup,
  kGroupPort
};

using Shape = JsonShape;
using Member = JsonShape::Member;
using Kind = JsonShape::Kind;

constexpr Shape integer(Field field, std::int64_t low, std::int64_t high) {
  return {.kind = Kind::kInteger, .field = field, .low = low, .high = high};
}
constexpr Shape array(const Shape* element, Field field = kIgnored, std::size_t size = 0) {
  return {.kind = Kind::kArray, .field = field, .element = element, .size = size};
}
constexpr Shape map(const Shape* element, Field field) {
  return {.kind = Kind::kMap, .field = field, .element = element};
}

constexpr Shape kAFormat{.kind = Kind::kText, .field = kFormat};
constexpr Shape kASwitchNumber = integer(kSwitchNumber, 0, kMaxSwitches - 1);
constexpr Shape kASwitchGuid{.kind = Kind::kGuid, .field = kSwitchGuid};
constexpr Shape kASwitchName{.kind = Kind::kText, .field = kSwitchName};
constexpr Shape kASwitchPorts = integer(kSwitchPorts, 0, kMaxSwitchPorts);
constexpr Shape kASwitchLid = integer(kSwitchLid, 0, kMaxUnicastLid);
constexpr Member kSwitchMembers[] = {{"id", &kASwitchNumber},
                                     {"guid", &kASwitchGuid},
                                     {"name", &kASwitchName},
                                     {"ports", &kASwitchPorts},
                                     {"lid", &kASwitchLid}};
constexpr Shape kASwitch{.kind = Kind::kObject, .field = kSwitchNode, .members = kSwitchMembers};

constexpr Shape kAHostNumber = integer(kHostNumber, 0, UINT32_MAX - 1);
constexpr Shape kAHostGuid{.kind = Kind::kGuid, .field = kHostGuid};
constexpr Shape kAHostNodeGuid{.kind = Kind::kGuid, .field = kHostNodeGuid};
constexpr Shape kAHostName{.kind = Kind::kText, .field = kHostName};
constexpr Shape kAHostCaPort = integer(kHostCaPort, 0, 255);
constexpr Shape kAHostSwitch = integer(kHostSwitch, -1, kMaxSwitches - 1);
constexpr Shape kAHostPort = integer(kHostPort, 0, kMaxSwitchPorts);
constexpr Shape kAHostLid = integer(kHostLid, 0, kMaxUnicastLid);
constexpr Shape kAHostLmc = integer(kHostLmc, 0, kMaxLmc);
constexpr Shape kAHostAttached{.kind = Kind::kFlag, .field = kHostAttached};
constexpr Member kHostMembers[] = {{"id", &kAHostNumber},
                                   {"guid", &kAHostGuid},
                                   {"name", &kAHostName},
                                   {"switch", &kAHostSwitch},
                                   {"port", &kAHostPort},
                                   {"lid", &kAHostLid},
                                   {"lmc", &kAHostLmc},
                                   {"node_guid", &kAHostNodeGuid, false},
                                   {"ca_port", &kAHostCaPort, false},
                                   {"attached", &kAHostAttached, false}};
constexpr Shape kAHost{.kind = Kind::kObject, .field = kHostNode, .members = kHostMembers};

constexpr Shape kALinkEnd = integer(kLinkEnd, 0, kMaxSwitches - 1);
constexpr Shape kALink = array(&kALinkEnd, kIgnored, 4);

constexpr Shape kTheSwitches = array(&kASwitch);
constexpr Shape kTheHosts = array(&kAHost);
constexpr Shape kTheLinks = array(&kALink);
constexpr Member kFabricMembers[] = {
    {"switches", &kTheSwitches}, {"hosts", &kTheHosts}, {"links", &kTheLinks}};
constexpr Shape kTheFabric{.kind = Kind::kObject, .members = kFabricMembers};

constexpr Shape kALftEntry = integer(kLftEntry, 0, kNoPort);
constexpr Shape kALftRow = array(&kALftEntry, kLftRow);
constexpr Shape kTheLft = array(&kALftRow);
constexpr Shape kAnSl = integer(kSlEntry, 0, kSls - 1);
constexpr Shape kAnSlRow = array(&kAnSl, kSlRow);
constexpr Shape kTheSls = array(&kAnSlRow);

constexpr Shape kATurnVl = integer(kTurnVl, 0, kDropVl);
constexpr Shape kATurn = array(&kATurnVl, kIgnored, kSls);
constexpr Shape kASl2Vl = map(&kATurn, kTurn);
constexpr Shape kTheSl2Vl = array(&kASl2Vl);
constexpr Shape kAHostVl = integer(kHostVl, 0, kDropVl);
constexpr Shape kTheHostVls = array(&kAHostVl, kIgnored, kSls);

constexpr Shape kAnOffset = integer(kOffset, 0, (1 << kMaxLmc) - 1);
constexpr Shape kSomeOffsets = array(&kAnOffset);
constexpr Shape kADisjointRow = map(&kSomeOffsets, kDisjointRow);
constexpr Shape kTheDisjoint = array(&kADisjointRow);

constexpr Shape kAGroupPort = integer(kGroupPort, 0, kMaxSwitchPorts);
constexpr Shape kAGroup = array(&kAGroupPort);
constexpr Shape kAnMft = map(&kAGroup, kGroup);
constexpr Shape kTheMft = array(&kAnMft);

constexpr Member kFileMembers[] = {{"format", &kAFormat},
                                   {"fabric", &kTheFabric},
                                   {"lft", &kTheLft},
                                   {"sl2vl", &kTheSl2Vl},
                                   {"host_sl2vl", &kTheHostVls},
                                   {"path_sl", &kTheSls},
                                   {"disjoint_lids", &kTheDisjoint, false},
                                   {"mft", &kTheMft, false}};
constexpr Shape kTheFile{.kind = Kind::kObject, .members = kFileMembers};

// --- The collection

/// Rows of bytes end to end.
struct Rows {
  std::vector<std::uint8_t> entries;
  std::vector<std::size_t> ends;

  std::size_t count() const { return ends.size(); }
  std::size_t begin_of(std::size_t row) const { return row == 0 ? 0 : ends[row - 1]; }
  std::span<const std::uint8_t> row(std::size_t i) const {
    return {entries.data() + begin_of(i), ends[i] - begin_of(i)};
  }
};

struct Turn {
  static constexpr int kDefault = -1;
  SwitchId at;
  int in, out;  // kDefault: every pair without a turn of its own
  Sl2VlRow row;

  auto place() const { return std::tuple(at, in, out); }
  std::string name() const {
    return in == kDefault ? fmt::format("sl2vl[{}].default", at)
                          : fmt::format("sl2vl[{}][\"{},{}\"]", at, in, out);
  }
};

struct Group {
  SwitchId at;
  Lid mlid;
  PortSet ports;
};

struct Collected {
  std::vector<Switch> switches;
  std::vector<std::int64_t> switch_ids;
  std::vector<Host> hosts;
  std::vector<std::int64_t> host_ids;
  std::vector<bool> host_attached;
  std::vector<std::uint32_t> link_ends;  // four a link
  Rows lft, sls;
  std::size_t sl2vl_count = 0, mft_count = 0, disjoint_count = 0;
  bool has_disjoint = false, has_mft = false;
  std::vector<Turn> turns;
  Sl2VlRow host_sl2vl{};
  std::vector<Group> groups;
};

/// A number that is all of the text.
template <typename Number>
bool parse_whole(std::string_view text, Number& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc{} && end == text.data() + text.size();
}

class Collector final : public JsonSink {
 public:
  Collector(std::string_view text, const std::string& where) : reader_(text, where, kTheFile) {}

  Collected run() && {
    reader_.read(*this);
    return std::move(c_);
  }

  void integer(int field, std::int64_t value) override {
    switch (field) {
      case kLftEntry:
        c_.lft.entries.push_back(static_cast<std::uint8_t>(value));
        break;
      case kSlEntry:
        c_.sls.entries.push_back(static_cast<std::uint8_t>(value));
        break;
      case kTurnVl:
        if (reader_.index() < kSls) c_.turns.back().row[reader_.index()] = static_cast<Vl>(value);
        break;
      case kHostVl:
        if (reader_.index() < kSls) c_.host_sl2vl[reader_.index()] = static_cast<Vl>(value);
        break;
      case kLinkEnd:
        c_.link_ends.push_back(static_cast<std::uint32_t>(value));
        break;
      case kGroupPort:
        c_.groups.back().ports.set(static_cast<std::size_t>(value));
        break;
      case kOffset:
        break;  // follows from the tables
      default:
        node_integer(field, value);
    }
  }

  void guid(int field, std::uint64_t value) override {
    if (field == kSwitchGuid) c_.switches.back().guid = value;
    if (field == kHostGuid) c_.hosts.back().guid = value;
    if (field == kHostNodeGuid) {
      c_.hosts.back().node_guid = value;
      node_guid_seen_ = true;
    }
  }

  void text(int field, std::string& value) override {
    if (field == kSwitchName)
      c_.switches.back().name = std::move(value);
    else if (field == kHostName)
      c_.hosts.back().name = std::move(value);
    else if (field == kFormat && value != "selvedge-tables-1")
      reader_.fail("the format is another", "give a file whose \"format\" is selvedge-tables-1");
  }

  void flag(int, bool value) override { c_.host_attached.back() = value; }

  void begin(int field) override {
    switch (field) {
      case kSwitchNode:
        c_.switches.emplace_back();
        c_.switch_ids.push_back(-1);
        if (c_.switches.size() > kMaxSwitches)
          reader_.fail("too many switches",
                       fmt::format("a subnet has at most {} LIDs", kMaxSwitches));
        break;
      case kHostNode:
        c_.hosts.emplace_back();
        c_.host_ids.push_back(-1);
        c_.host_attached.push_back(true);
        node_guid_seen_ = false;
        break;
      case kTurn:
        default_seen_ = false;
        ++c_.sl2vl_count;
        break;
      case kGroup:
        c_.has_mft = true;
        ++c_.mft_count;
        break;
      case kDisjointRow:
        ++c_.disjoint_count;
        break;
      default:
        break;
    }
  }

  void end(int field) override {
    if (field == kLftRow) c_.lft.ends.push_back(c_.lft.entries.size());
    if (field == kSlRow) c_.sls.ends.push_back(c_.sls.entries.size());
    if (field == kTurn && !default_seen_)
      reader_.fail("the key \"default\" is missing", "add it: an array of 16 VLs");
    if (field == kHostNode && !node_guid_seen_) c_.hosts.back().node_guid = c_.hosts.back().guid;
  }

  void key(int field, const std::string& key) override {
    if (field == kTurn) turn(key);
    if (field == kGroup) group(key);
    if (field == kDisjointRow) {
      unsigned lid = 0;
      if (!parse_whole(key, lid) || lid == kNoLid || lid > kMaxUnicastLid)
        reader_.fail("this key is no LID",
                     fmt::format("write a base LID, \"1\" to \"{}\"", kMaxUnicastLid));
      c_.has_disjoint = true;
    }
  }

 private:
  void node_integer(int field, std::int64_t value) {
    switch (field) {
      case kSwitchNumber:
        c_.switch_ids.back() = value;
        break;
      case kSwitchPorts:
        c_.switches.back().ports = static_cast<PortNum>(value);
        c_.switches.back().failed = value == 0;
        break;
      case kSwitchLid:
        c_.switches.back().lid = static_cast<Lid>(value);
        break;
      case kHostNumber:
        c_.host_ids.back() = value;
        break;
      case kHostCaPort:
        c_.hosts.back().ca_port = static_cast<PortNum>(value);
        break;
      case kHostSwitch:
        c_.hosts.back().at = value < 0 ? kNoSwitch : static_cast<SwitchId>(value);
        break;
      case kHostPort:
        c_.hosts.back().port = static_cast<PortNum>(value);
        break;
      case kHostLid:
        c_.hosts.back().lid = static_cast<Lid>(value);
        break;
      case kHostLmc:
        c_.hosts.back().lmc = static_cast<std::uint8_t>(value);
        break;
      default:
        break;
    }
  }

  void turn(const std::string& key) {
    Turn turn{static_cast<SwitchId>(c_.sl2vl_count - 1), Turn::kDefault, Turn::kDefault, {}};
    if (key == "default") {
      default_seen_ = true;
    } else {
      const std::size_t comma = key.find(',');
      const std::string_view view = key;
      if (comma == std::string::npos || !parse_whole(view.substr(0, comma), turn.in) ||
          !parse_whole(view.substr(comma + 1), turn.out) || turn.in < 0 || turn.out < 0 ||
          turn.in > kMaxSwitchPorts || turn.out > kMaxSwitchPorts)
        reader_.fail("this key is no pair of ports",
                     "write \"in,out\", as \"1,2\", or \"default\"");
    }
    c_.turns.push_back(turn);
  }

  void group(const std::string& key) {
    const bool hex = key.starts_with("0x");
    unsigned mlid = 0;
    if (!parse_whole(std::string_view(key).substr(hex ? 2 : 0), mlid, hex ? 16 : 10) ||
        mlid < kMinMulticastLid || mlid > kMaxMulticastLid)
      reader_.fail("this key is no multicast LID",
                   fmt::format("write \"{}\" to \"{}\"", kMinMulticastLid, kMaxMulticastLid));
    c_.groups.push_back(
        {static_cast<SwitchId>(c_.mft_count - 1), static_cast<Lid>(mlid), PortSet{}});
  }

  JsonShapeReader reader_;
  Collected c_;
  bool default_seen_ = false;    // in the switch's SL2VL at hand
  bool node_guid_seen_ = false;  // in the host at hand
};

std::string printable(std::string text) {
  std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
  return text;
}

// --- What the parts must have in common

class Assembly {
 public:
  Assembly(Collected collected, const std::string& where)
      : c_(std::move(collected)), where_(where) {}

  TablesFile run(const Fabric* given) && {
    TablesFile file;
    check_ids("switches", c_.switch_ids);
    check_ids("hosts", c_.host_ids);
    const Fabric read = fabric();
    file.fabric = given != nullptr ? match_fabric(read, *given, where_) : read;
    check_rows("lft", c_.lft, file.fabric);
    check_rows("path_sl", c_.sls, file.fabric);
    check_count("sl2vl", c_.sl2vl_count);
    if (c_.has_disjoint) check_count("disjoint_lids", c_.disjoint_count);
    if (c_.has_mft) check_count("mft", c_.mft_count);
    file.tables = Tables(file.fabric);
    fill_lft(file);
    fill_sls(file);
    fill_sl2vl(file);
    fill_mft(file);
    return file;
  }

 private:
  [[noreturn]] void fail(const std::string& place, const std::string& problem,
                         const std::string& remedy) const {
    throw InputError(problem, fmt::format("{} of {}", place, where_), remedy);
  }

  void check_ids(std::string_view what, const std::vector<std::int64_t>& ids) const {
    std::vector<bool> seen(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::string place = fmt::format("fabric.{}[{}].id", what, i);
      if (std::cmp_greater_equal(ids[i], ids.size()))
        fail(place, fmt::format("id {} is out of range", ids[i]),
             fmt::format("number the {} {} from 0 to {}", ids.size(), what, ids.size() - 1));
      if (seen[static_cast<std::size_t>(ids[i])])
        fail(place, fmt::format("id {} comes twice", ids[i]), "give each an id of its own");
      seen[static_cast<std::size_t>(ids[i])] = true;
    }
  }

  Fabric fabric() const {
    FabricBuilder builder;
    std::vector<std::size_t> by_id(c_.switches.size());
    for (std::size_t i = 0; i < by_id.size(); ++i)
      by_id[static_cast<std::size_t>(c_.switch_ids[i])] = i;
    for (const std::size_t i : by_id) builder.add_switch(c_.switches[i]);
    const std::vector<std::size_t> switch_at = by_id;

    by_id.resize(c_.hosts.size());
    for (std::size_t i = 0; i < by_id.size(); ++i)
      by_id[static_cast<std::size_t>(c_.host_ids[i])] = i;
    for (const std::size_t i : by_id) {
      Host host = c_.hosts[i];
      const SwitchId at = host.at;
      if (at != kNoSwitch && at >= switch_at.size())
        fail(fmt::format("fabric.hosts[{}].switch", i), fmt::format("there is no switch {}", at),
             fmt::format("the switches are 0 to {}", switch_at.size() - 1));
      const bool attached =
          at != kNoSwitch && c_.host_attached[i] && !c_.switches[switch_at[at]].failed;
      if (!attached) host.at = kNoSwitch;  // so that it gets no cable
      const HostId id = builder.add_host(std::move(host));
      builder.host(id).at = at;
    }
    for (std::size_t i = 0; i < c_.link_ends.size(); i += 4) {
      const std::uint32_t* const end = &c_.link_ends[i];
      for (const unsigned side : {0u, 2u}) {
        const std::string place = fmt::format("fabric.links[{}][{}]", i / 4, side);
        if (end[side] >= switch_at.size())
          fail(place, fmt::format("there is no switch {}", end[side]),
               fmt::format("the switches are 0 to {}", switch_at.size() - 1));
        if (end[side + 1] == 0 || end[side + 1] > c_.switches[switch_at[end[side]]].ports)
          fail(fmt::format("fabric.links[{}][{}]", i / 4, side + 1),
               fmt::format("switch {} has no port {}", end[side], end[side + 1]),
               fmt::format("its ports are 1 to {} (0 ports: it failed and has no cable)",
                           c_.switches[switch_at[end[side]]].ports));
      }
      builder.connect(end[0], static_cast<PortNum>(end[1]), end[2], static_cast<PortNum>(end[3]));
    }
    return std::move(builder).build(where_);
  }

  void check_count(std::string_view what, std::size_t count) const {
    if (count != c_.switches.size())
      fail(std::string(what), fmt::format("it has {} entries", count),
           fmt::format("write one for each of the {} switches", c_.switches.size()));
  }

  /// Before any table is made: a small file must not ask for much memory.
  void check_rows(std::string_view what, const Rows& rows, const Fabric& fabric) const {
    check_count(what, rows.count());
    const std::size_t width = fabric.top_lid() + std::size_t{1};
    for (std::size_t s = 0; s < rows.count(); ++s)
      if (rows.row(s).size() != width)
        fail(fmt::format("{}[{}]", what, s), fmt::format("it has {} entries", rows.row(s).size()),
             fmt::format("write {}, for LIDs 0 to {}", width, width - 1));
  }

  /// A failed switch keeps no tables.
  bool takes_part(const Fabric& fabric, SwitchId s) const { return !fabric.node(s).failed; }

  void fill_lft(TablesFile& file) const {
    for (SwitchId s = 0; s < file.fabric.num_switches(); ++s) {
      if (!takes_part(file.fabric, s)) continue;
      const auto row = c_.lft.row(s);
      const PortNum ports = file.fabric.node(s).ports;
      for (std::size_t lid = 0; lid < row.size(); ++lid)
        if (row[lid] > ports && row[lid] != kNoPort)
          fail(fmt::format("lft[{}][{}]", s, lid),
               fmt::format("switch {} has no port {}", s, row[lid]),
               fmt::format("write a port from 0 to {}, or 255 for no route", ports));
      std::ranges::copy(row, file.tables.lft(s).begin());
    }
  }

  void fill_sls(TablesFile& file) const {
    for (SwitchId s = 0; s < file.fabric.num_switches(); ++s) {
      const auto row = c_.sls.row(s);
      for (std::size_t lid = 0; lid < row.size(); ++lid)
        if (row[lid] != 0) file.tables.set_sl(s, static_cast<Lid>(lid), row[lid]);
    }
  }

  void fill_sl2vl(TablesFile& file) {
    Tables& tables = file.tables;
    tables.host_sl2vl = c_.host_sl2vl;
    std::ranges::sort(c_.turns, {}, &Turn::place);  // defaults first
    for (std::size_t i = 0; i < c_.turns.size(); ++i) {
      const Turn& turn = c_.turns[i];
      if (i != 0 && c_.turns[i - 1].place() == turn.place())
        fail(turn.name(), "this key comes twice", "keep one of them");
      if (turn.in == Turn::kDefault) {
        tables.sl2vl.set_all(turn.at, turn.row);
      } else if (takes_part(file.fabric, turn.at)) {
        const PortNum ports = file.fabric.node(turn.at).ports;
        if (turn.in > ports || turn.out > ports)
          fail(turn.name(), fmt::format("switch {} has no such port", turn.at),
               fmt::format("its ports are 0 to {}", ports));
        tables.sl2vl.set(turn.at, static_cast<PortNum>(turn.in), static_cast<PortNum>(turn.out),
                         turn.row);
      }
      if (tables.sl2vl.rows().size() > kMaxDistinctRows)
        fail(turn.name(), "too many different rows",
             fmt::format("all switches together may have {}", kMaxDistinctRows));
    }
  }

  void fill_mft(TablesFile& file) const {
    for (const Group& group : c_.groups) {
      MulticastTree& tree = file.tables.mft[group.mlid];
      tree.resize(file.fabric.num_switches());
      if (!takes_part(file.fabric, group.at)) continue;
      const PortNum ports = file.fabric.node(group.at).ports;
      for (std::size_t p = ports + 1u; p < group.ports.size(); ++p)
        if (group.ports[p])
          fail(fmt::format("mft[{}][\"{}\"]", group.at, group.mlid),
               fmt::format("switch {} has no port {}", group.at, p),
               fmt::format("its ports are 0 to {}", ports));
      tree[group.at] |= group.ports;
    }
  }

  Collected c_;
  const std::string& where_;
};

}  // namespace

TablesFile read_tables_json(std::string_view text, const std::string& where, const Fabric* fabric) {
  try {
    return Assembly(Collector(text, where).run(), where).run(fabric);
  } catch (const InputError& error) {
    // JSON names hold any character; an error is one line.
    throw InputError(printable(error.problem()), printable(error.where()),
                     printable(error.remedy()));
  }
}

}  // namespace selvedge
