// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Writes the tables directly into one string, with an array or an object on each line. A tree of
// JSON values would take ten times the memory.
#include <fmt/format.h>

#include <iterator>

#include "plugin/tables/files.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/tables/readers.hpp"

namespace selvedge {
namespace {

using Buffer = fmt::memory_buffer;

template <typename... Args>
void put(Buffer& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void put_number(Buffer& out, unsigned value) {
  const fmt::format_int digits(value);
  out.append(digits.data(), digits.data() + digits.size());
}

template <typename Range>
void put_array(Buffer& out, const Range& values) {
  char separator = '[';
  for (const auto value : values) {
    out.push_back(separator);
    put_number(out, value);
    separator = ',';
  }
  if (separator == '[') out.push_back('[');
  out.push_back(']');
}

/// Writes `"NAME": [`, one item on each line, and `]`.
template <typename Item>
void put_lines(Buffer& out, std::string_view name, std::size_t count, Item&& item) {
  put(out, "\"{}\": [", name);
  for (std::size_t i = 0; i < count; ++i) {
    put(out, "{}\n", i == 0 ? "" : ",");
    item(static_cast<std::uint32_t>(i));
  }
  put(out, "\n]");
}

void put_fabric(Buffer& out, const Fabric& fabric) {
  put(out, "\"fabric\": {{\n");
  put_lines(out, "switches", fabric.num_switches(), [&](SwitchId s) {
    const Switch& node = fabric.node(s);
    put(out, R"({{"id": {}, "guid": "0x{:016x}", "name": {}, "ports": {}, "lid": {}}})", s,
        node.guid, json_string(node.name), node.failed ? 0 : node.ports, node.lid);
  });
  put(out, ",\n");
  put_lines(out, "hosts", fabric.num_hosts(), [&](HostId h) {
    const Host& host = fabric.host(h);
    const bool cabled = host.at != kNoSwitch;
    put(out,
        R"({{"id": {}, "guid": "0x{:016x}", "name": {}, "switch": {}, "port": {}, "lid": {}, )"
        R"("lmc": {}, "node_guid": "0x{:016x}", "ca_port": {})",
        h, host.guid, json_string(host.name), cabled ? std::int64_t{host.at} : -1, host.port,
        host.lid, host.lmc, host.node_guid, host.ca_port);
    if (cabled && !fabric.attached(h) && !fabric.node(host.at).failed)
      put(out, ", \"attached\": false");
    put(out, "}}");
  });
  put(out, ",\n");
  put_lines(out, "links", fabric.links().size(), [&](std::uint32_t i) {
    const Channel a = fabric.links()[i], b = fabric.peer(a);
    put(out, "[{},{},{},{}]", fabric.switch_of(a), fabric.port_of(a), fabric.switch_of(b),
        fabric.port_of(b));
  });
  put(out, "\n}}");
}

void put_lft(Buffer& out, const Fabric& fabric, const Tables& tables, SwitchId s) {
  if (fabric.node(s).failed)
    put_array(out, std::vector<PortNum>(tables.lft(s).size(), kNoPort));
  else
    put_array(out, tables.lft(s));
}

void put_sl2vl(Buffer& out, const Fabric& fabric, const Tables& tables, SwitchId s) {
  const Sl2Vl& sl2vl = tables.sl2vl;
  const Sl2VlRow& usual = sl2vl.default_row(s);
  put(out, "{{\"default\": ");
  put_array(out, usual);
  const unsigned ports = sl2vl.uniform(s) || fabric.node(s).failed ? 0 : sl2vl.ports(s) + 1u;
  for (unsigned i = 0; i < ports; ++i) {
    for (unsigned o = 0; o < ports; ++o) {
      const Sl2VlRow& row = sl2vl.row(s, static_cast<PortNum>(i), static_cast<PortNum>(o));
      if (row == usual) continue;
      put(out, ", \"{},{}\": ", i, o);
      put_array(out, row);
    }
  }
  out.push_back('}');
}

void put_path_sl(Buffer& out, const Tables& tables, SwitchId s) {
  for (std::size_t lid = 0; lid <= tables.top_lid(); ++lid) {
    out.push_back(lid == 0 ? '[' : ',');
    put_number(out, tables.sl(s, static_cast<Lid>(lid)));
  }
  out.push_back(']');
}

/// Whatever is there besides one SL for each path.
void put_further(Buffer& out, const Fabric& fabric, const FurtherSls& further, Lid top) {
  if (!further.of_hosts().empty()) {
    put(out, ",\n");
    put_lines(out, "host_path_sl", fabric.num_hosts(), [&](HostId h) {
      const auto found = further.of_hosts().find(h);
      put_array(out, found == further.of_hosts().end() ? std::vector<Sl>{} : found->second);
    });
  }
  if (further.empty()) return;
  put(out, ",\n");
  put_lines(out, "further_path_sl", fabric.num_switches(), [&](SwitchId s) {
    char separator = '{';
    for (unsigned lid = 1; lid <= top; ++lid) {
      const FurtherSls::Set set = further.at(s, static_cast<Lid>(lid));
      if (set == 0) continue;
      put(out, "{}\"{}\": ", separator, lid);
      std::vector<unsigned> sls;
      for (unsigned sl = 0; sl < kSls; ++sl)
        if ((set >> sl & 1u) != 0) sls.push_back(sl);
      put_array(out, sls);
      separator = ',';
    }
    if (separator == '{') out.push_back('{');
    out.push_back('}');
  });
}

void put_disjoint(Buffer& out, const Fabric& fabric, DisjointPaths& paths, SwitchId s) {
  char separator = '{';
  for (HostId h = 0; !fabric.hosts_at(s).empty() && h < fabric.num_hosts(); ++h) {
    if (fabric.host(h).lid == kNoLid) continue;
    out.push_back(separator);
    separator = ',';
    out.push_back('"');
    put_number(out, fabric.host(h).lid);
    out.push_back('"');
    out.push_back(':');
    put_array(out, paths.find(s, h));
  }
  if (separator == '{') out.push_back('{');
  out.push_back('}');
}

std::vector<unsigned> ports_of(const PortSet& set) {
  std::vector<unsigned> ports;
  for (unsigned p = 0; p < set.size(); ++p)
    if (set[p]) ports.push_back(p);
  return ports;
}

void put_mft(Buffer& out, const Fabric& fabric, const Tables& tables, SwitchId s) {
  char separator = '{';
  for (const auto& [mlid, tree] : tables.mft) {
    const bool any = s < tree.size() && tree[s].any() && !fabric.node(s).failed;
    // Switch 0 lists every group, so that the file also contains groups without any port.
    if (!any && s != 0) continue;
    put(out, "{}\"{}\": ", separator, mlid);
    put_array(out, any ? ports_of(tree[s]) : std::vector<unsigned>{});
    separator = ',';
  }
  if (separator == '{') out.push_back('{');
  out.push_back('}');
}

}  // namespace

std::string write_tables(const Fabric& fabric, const Tables& tables, const FurtherSls& further,
                         const std::vector<std::string>& remarks) {
  Buffer out;
  const std::uint32_t switches = fabric.num_switches();
  out.reserve(switches * (tables.top_lid() + std::size_t{1}) * 5);
  put(out, "{{\n\"format\": \"selvedge-tables-1\",\n");
  put_fabric(out, fabric);
  put(out, ",\n");
  put_lines(out, "lft", switches, [&](SwitchId s) { put_lft(out, fabric, tables, s); });
  put(out, ",\n");
  put_lines(out, "sl2vl", switches, [&](SwitchId s) { put_sl2vl(out, fabric, tables, s); });
  put(out, ",\n\"host_sl2vl\": ");
  put_array(out, tables.host_sl2vl);
  put(out, ",\n");
  put_lines(out, "path_sl", switches, [&](SwitchId s) { put_path_sl(out, tables, s); });
  put_further(out, fabric, further, tables.top_lid());
  put(out, ",\n");
  DisjointPaths paths(fabric, tables);
  put_lines(out, "disjoint_lids", switches,
            [&](SwitchId s) { put_disjoint(out, fabric, paths, s); });
  if (!tables.mft.empty()) {
    put(out, ",\n");
    put_lines(out, "mft", switches, [&](SwitchId s) { put_mft(out, fabric, tables, s); });
  }
  if (tables.has_spare_lids()) {
    std::vector<unsigned> spare;
    for (unsigned lid = 1; lid <= tables.top_lid(); ++lid)
      if (tables.is_spare(static_cast<Lid>(lid))) spare.push_back(lid);
    put(out, ",\n\"spare_lids\": ");
    put_array(out, spare);
  }
  if (!remarks.empty()) {
    put(out, ",\n");
    put_lines(out, "remarks", remarks.size(),
              [&](std::uint32_t i) { put(out, "{}", json_string(remarks[i])); });
  }
  put(out, "\n}}\n");
  return fmt::to_string(out);
}

}  // namespace selvedge
