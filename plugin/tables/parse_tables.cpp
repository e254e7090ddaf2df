// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Defines the shape of `selvedge-tables-1` (docs/formats.md), and how each value is stored in
// ParsedTables.
#include <fmt/format.h>

#include <array>
#include <charconv>

#include "plugin/tables/json_shape.hpp"
#include "plugin/tables/parsed_tables.hpp"

namespace selvedge::tables_file {
namespace {

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
  kHostSlRow,
  kHostSlEntry,
  kFurther,
  kFurtherSl,
  kTurn,
  kTurnVl,
  kHostVl,
  kDisjointRow,
  kOffset,
  kGroup,
  kGroupPort,
  kSpareLid,
  kRemark
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

constexpr Shape kFormatShape{.kind = Kind::kText, .field = kFormat};
constexpr Shape kSwitchNumberShape = integer(kSwitchNumber, 0, kMaxSwitches - 1);
constexpr Shape kSwitchGuidShape{.kind = Kind::kGuid, .field = kSwitchGuid};
constexpr Shape kSwitchNameShape{.kind = Kind::kText, .field = kSwitchName};
constexpr Shape kSwitchPortsShape = integer(kSwitchPorts, 0, kMaxSwitchPorts);
constexpr Shape kSwitchLidShape = integer(kSwitchLid, 0, kMaxUnicastLid);
constexpr Member kSwitchMembers[] = {{"id", &kSwitchNumberShape},
                                     {"guid", &kSwitchGuidShape},
                                     {"name", &kSwitchNameShape},
                                     {"ports", &kSwitchPortsShape},
                                     {"lid", &kSwitchLidShape}};
constexpr Shape kSwitchShape{
    .kind = Kind::kObject, .field = kSwitchNode, .members = kSwitchMembers};

constexpr Shape kHostNumberShape = integer(kHostNumber, 0, UINT32_MAX - 1);
constexpr Shape kHostGuidShape{.kind = Kind::kGuid, .field = kHostGuid};
constexpr Shape kHostNodeGuidShape{.kind = Kind::kGuid, .field = kHostNodeGuid};
constexpr Shape kHostNameShape{.kind = Kind::kText, .field = kHostName};
constexpr Shape kHostCaPortShape = integer(kHostCaPort, 0, 255);
constexpr Shape kHostSwitchShape = integer(kHostSwitch, -1, kMaxSwitches - 1);
constexpr Shape kHostPortShape = integer(kHostPort, 0, kMaxSwitchPorts);
constexpr Shape kHostLidShape = integer(kHostLid, 0, kMaxUnicastLid);
constexpr Shape kHostLmcShape = integer(kHostLmc, 0, kMaxLmc);
constexpr Shape kHostAttachedShape{.kind = Kind::kFlag, .field = kHostAttached};
constexpr Member kHostMembers[] = {{"id", &kHostNumberShape},
                                   {"guid", &kHostGuidShape},
                                   {"name", &kHostNameShape},
                                   {"switch", &kHostSwitchShape},
                                   {"port", &kHostPortShape},
                                   {"lid", &kHostLidShape},
                                   {"lmc", &kHostLmcShape},
                                   {"node_guid", &kHostNodeGuidShape, false},
                                   {"ca_port", &kHostCaPortShape, false},
                                   {"attached", &kHostAttachedShape, false}};
constexpr Shape kHostShape{.kind = Kind::kObject, .field = kHostNode, .members = kHostMembers};

constexpr Shape kLinkEndShape = integer(kLinkEnd, 0, kMaxSwitches - 1);
constexpr Shape kLinkShape = array(&kLinkEndShape, kIgnored, 4);

constexpr Shape kSwitchesShape = array(&kSwitchShape);
constexpr Shape kHostsShape = array(&kHostShape);
constexpr Shape kLinksShape = array(&kLinkShape);
constexpr Member kFabricMembers[] = {
    {"switches", &kSwitchesShape}, {"hosts", &kHostsShape}, {"links", &kLinksShape}};
constexpr Shape kFabricShape{.kind = Kind::kObject, .members = kFabricMembers};

constexpr Shape kLftEntryShape = integer(kLftEntry, 0, kNoPort);
constexpr Shape kLftRowShape = array(&kLftEntryShape, kLftRow);
constexpr Shape kLftShape = array(&kLftRowShape);
constexpr Shape kSlEntryShape = integer(kSlEntry, 0, kSls - 1);
constexpr Shape kSlRowShape = array(&kSlEntryShape, kSlRow);
constexpr Shape kSlsShape = array(&kSlRowShape);

constexpr Shape kHostSlEntryShape = integer(kHostSlEntry, 0, kSls - 1);
constexpr Shape kHostSlRowShape = array(&kHostSlEntryShape, kHostSlRow);
constexpr Shape kHostSlsShape = array(&kHostSlRowShape);
constexpr Shape kFurtherSlShape = integer(kFurtherSl, 0, kSls - 1);
constexpr Shape kFurtherListShape = array(&kFurtherSlShape);
constexpr Shape kFurtherRowShape = map(&kFurtherListShape, kFurther);
constexpr Shape kFurtherShape = array(&kFurtherRowShape);

constexpr Shape kTurnVlShape = integer(kTurnVl, 0, kDropVl);
constexpr Shape kTurnShape = array(&kTurnVlShape, kIgnored, kSls);
constexpr Shape kSwitchSl2VlShape = map(&kTurnShape, kTurn);
constexpr Shape kSl2VlShape = array(&kSwitchSl2VlShape);
constexpr Shape kHostVlShape = integer(kHostVl, 0, kDropVl);
constexpr Shape kHostVlsShape = array(&kHostVlShape, kIgnored, kSls);

constexpr Shape kOffsetShape = integer(kOffset, 0, (1 << kMaxLmc) - 1);
constexpr Shape kOffsetsShape = array(&kOffsetShape);
constexpr Shape kDisjointRowShape = map(&kOffsetsShape, kDisjointRow);
constexpr Shape kDisjointShape = array(&kDisjointRowShape);

constexpr Shape kGroupPortShape = integer(kGroupPort, 0, kMaxSwitchPorts);
constexpr Shape kGroupShape = array(&kGroupPortShape);
constexpr Shape kSwitchMftShape = map(&kGroupShape, kGroup);
constexpr Shape kMftShape = array(&kSwitchMftShape);

constexpr Shape kSpareLidShape = integer(kSpareLid, 1, kMaxUnicastLid);
constexpr Shape kSpareLidsShape = array(&kSpareLidShape);

constexpr Shape kRemarkShape{.kind = Kind::kText, .field = kRemark};
constexpr Shape kRemarksShape = array(&kRemarkShape);

constexpr Member kFileMembers[] = {{"format", &kFormatShape},
                                   {"fabric", &kFabricShape},
                                   {"lft", &kLftShape},
                                   {"sl2vl", &kSl2VlShape},
                                   {"host_sl2vl", &kHostVlsShape},
                                   {"path_sl", &kSlsShape},
                                   {"host_path_sl", &kHostSlsShape, false},
                                   {"further_path_sl", &kFurtherShape, false},
                                   {"disjoint_lids", &kDisjointShape, false},
                                   {"mft", &kMftShape, false},
                                   {"spare_lids", &kSpareLidsShape, false},
                                   {"remarks", &kRemarksShape, false}};
constexpr Shape kFileShape{.kind = Kind::kObject, .members = kFileMembers};

/// Parses a number. Returns false unless the number is the whole text.
template <typename Number>
bool parse_whole(std::string_view text, Number& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc{} && end == text.data() + text.size();
}

class TablesParser final : public JsonSink {
 public:
  TablesParser(std::string_view text, const std::string& where)
      : reader_(text, where, kFileShape) {}

  ParsedTables run() && {
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
      case kHostSlEntry:
        c_.host_sls.entries.push_back(static_cast<std::uint8_t>(value));
        break;
      case kFurtherSl:
        c_.further.back().sls.push_back(static_cast<Sl>(value));
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
      case kSpareLid:
        c_.spare_lids.push_back(static_cast<Lid>(value));
        break;
      case kOffset:
        break;  // ignored: it can be computed from the tables
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
    else if (field == kRemark)
      c_.remarks.push_back(std::move(value));
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
      case kFurther:
        c_.has_further = true;
        ++c_.further_count;
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
    if (field == kHostSlRow) c_.host_sls.ends.push_back(c_.host_sls.entries.size());
    if (field == kTurn && !default_seen_)
      reader_.fail("the key \"default\" is missing", "add it: an array of 16 VLs");
    if (field == kHostNode && !node_guid_seen_) c_.hosts.back().node_guid = c_.hosts.back().guid;
  }

  void key(int field, const std::string& key) override {
    if (field == kTurn) turn(key);
    if (field == kGroup) group(key);
    if (field == kFurther) {
      unsigned lid = 0;
      if (!parse_whole(key, lid) || lid == kNoLid || lid > kMaxUnicastLid)
        reader_.fail("this key is no LID",
                     fmt::format("write a DLID, \"1\" to \"{}\"", kMaxUnicastLid));
      c_.further.push_back(
          {static_cast<SwitchId>(c_.further_count - 1), static_cast<Lid>(lid), {}});
    }
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
  ParsedTables c_;
  bool default_seen_ = false;    // whether the current switch's SL2VL table had a default row
  bool node_guid_seen_ = false;  // whether the current host had a node GUID
};

}  // namespace

ParsedTables parse_tables(std::string_view text, const std::string& where) {
  return TablesParser(text, where).run();
}

}  // namespace selvedge::tables_file
