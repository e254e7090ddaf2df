// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The second of two steps. The first step has collected the file into flat arrays
// (parsed_tables.hpp), because its keys may come in any order. This step checks the arrays against
// each other and makes a Fabric and Tables of them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "plugin/tables/parsed_tables.hpp"
#include "plugin/tables/readers.hpp"

namespace selvedge {
namespace {

using namespace tables_file;

class Assembly {
 public:
  Assembly(ParsedTables parsed, const std::string& where) : c_(std::move(parsed)), where_(where) {}

  TablesFile run(const Fabric* given) && {
    TablesFile file;
    check_ids("switches", c_.switch_ids);
    check_ids("hosts", c_.host_ids);
    const Fabric read = fabric();
    file.fabric = given != nullptr ? match_fabric(read, *given, where_) : read;
    check_count("lft", c_.lft.count());
    check_count("path_sl", c_.sls.count());
    check_count("sl2vl", c_.sl2vl_count);
    if (c_.has_disjoint) check_count("disjoint_lids", c_.disjoint_count);
    if (c_.has_further) check_count("further_path_sl", c_.further_count);
    if (c_.host_sls.count() != 0 && c_.host_sls.count() != c_.hosts.size())
      fail("host_path_sl", fmt::format("it has {} entries", c_.host_sls.count()),
           fmt::format("write one for each of the {} hosts", c_.hosts.size()));
    if (c_.has_mft) check_count("mft", c_.mft_count);
    file.tables = Tables(file.fabric);
    fill_lft(file);
    fill_sls(file);
    fill_further(file);
    fill_sl2vl(file);
    fill_mft(file);
    fill_spare(file);
    file.remarks = std::move(c_.remarks);
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
      if (!attached) host.at = kNoSwitch;  // so that the builder adds no cable
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

  /// The entries of a row up to the fabric's top LID. A row may end before it (then the other LIDs
  /// have no route and SL 0) or after it (a switch may have entries for unused LIDs).
  static std::span<const std::uint8_t> in_use(std::span<const std::uint8_t> row,
                                              const Fabric& fabric) {
    return row.first(std::min(row.size(), fabric.top_lid() + std::size_t{1}));
  }

  /// Whether the switch has tables. A failed switch has none.
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
      std::ranges::copy(in_use(row, file.fabric), file.tables.lft(s).begin());
    }
  }

  void fill_sls(TablesFile& file) const {
    for (SwitchId s = 0; s < file.fabric.num_switches(); ++s) {
      const auto row = in_use(c_.sls.row(s), file.fabric);
      for (std::size_t lid = 0; lid < row.size(); ++lid)
        if (row[lid] != 0) file.tables.set_sl(s, static_cast<Lid>(lid), row[lid]);
    }
  }

  void fill_further(TablesFile& file) const {
    file.further = FurtherSls(file.tables);
    for (HostId h = 0; h < c_.host_sls.count(); ++h) {
      const auto row = in_use(c_.host_sls.row(h), file.fabric);
      const SwitchId at = file.fabric.host(h).at;
      if (row.empty() || at == kNoSwitch) continue;
      std::vector<Sl> sls(row.begin(), row.end());
      sls.resize(file.fabric.top_lid() + std::size_t{1}, 0);
      file.further.set_host(file.tables, at, h, std::move(sls));
    }
    for (const Further& further : c_.further)
      for (const Sl sl : further.sls)
        if (further.dlid <= file.fabric.top_lid())
          file.further.add(file.tables, further.at, further.dlid, sl);
  }

  void fill_sl2vl(TablesFile& file) {
    Tables& tables = file.tables;
    tables.host_sl2vl = c_.host_sl2vl;
    std::ranges::sort(c_.turns, {}, &Turn::place);  // default rows come first
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
        if (!tables.sl2vl.holds_or_fits(turn.row))
          fail(turn.name(), "too many different rows",
               fmt::format("all switches together may have {}", Sl2Vl::kMaxRows));
        tables.sl2vl.set(turn.at, static_cast<PortNum>(turn.in), static_cast<PortNum>(turn.out),
                         turn.row);
      }
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

  void fill_spare(TablesFile& file) const {
    for (const Lid lid : c_.spare_lids) {
      if (file.fabric.owner(lid).kind != LidOwner::Kind::kHost)
        fail("spare_lids", fmt::format("LID {} is not a host's", lid), "list LIDs of hosts only");
      file.tables.set_spare(lid);
    }
  }

  ParsedTables c_;
  const std::string& where_;
};

}  // namespace

TablesFile read_tables_json(std::string_view text, const std::string& where, const Fabric* fabric) {
  return Assembly(parse_tables(text, where), where).run(fabric);
}

}  // namespace selvedge
