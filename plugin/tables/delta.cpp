// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/delta.hpp"

#include <algorithm>
#include <utility>

namespace selvedge {
namespace {

void compare_sl2vl(const Sl2Vl& from, const Sl2Vl& to, SwitchId s, Delta& delta) {
  if (from.uniform(s) && to.uniform(s) && from.default_row(s) == to.default_row(s)) return;
  for (unsigned i = 0; i <= from.ports(s); ++i) {
    for (unsigned o = 0; o <= from.ports(s); ++o) {
      const auto in = static_cast<PortNum>(i), out = static_cast<PortNum>(o);
      if (from.row(s, in, out) != to.row(s, in, out))
        delta.sl2vl.push_back({s, in, out, from.row(s, in, out), to.row(s, in, out)});
    }
  }
}

void compare_mft(const MulticastTables& from, const MulticastTables& to, Delta& delta) {
  const MulticastTree nothing;
  auto compare = [&](Lid mlid, const MulticastTree& a, const MulticastTree& b) {
    for (SwitchId s = 0; s < std::max(a.size(), b.size()); ++s) {
      const PortSet before = s < a.size() ? a[s] : PortSet{};
      const PortSet after = s < b.size() ? b[s] : PortSet{};
      if (before != after) delta.mft.push_back({mlid, s, before, after});
    }
  };
  for (const auto& [mlid, tree] : from) {
    const auto other = to.find(mlid);
    compare(mlid, tree, other == to.end() ? nothing : other->second);
  }
  for (const auto& [mlid, tree] : to)
    if (!from.contains(mlid)) compare(mlid, nothing, tree);
  // Sorted, so that the order does not depend on which of the two table sets has a group:
  // inverse(difference(a, b)) must equal difference(b, a).
  std::ranges::sort(delta.mft, {}, [](const MftChange& c) { return std::pair(c.mlid, c.at); });
}

}  // namespace

Delta difference(const Tables& from, const Tables& to) {
  Delta delta;
  delta.host_sl2vl_before = from.host_sl2vl;
  delta.host_sl2vl_after = to.host_sl2vl;
  const bool sls = !from.one_sl() || !to.one_sl();
  for (SwitchId s = 0; s < from.num_switches(); ++s) {
    const auto a = from.lft(s), b = to.lft(s);
    for (std::size_t lid = 0; lid < a.size(); ++lid)
      if (a[lid] != b[lid]) delta.lft.push_back({s, static_cast<Lid>(lid), a[lid], b[lid]});
    for (std::size_t i = 0; sls && i < a.size(); ++i) {
      const auto lid = static_cast<Lid>(i);
      if (from.sl(s, lid) != to.sl(s, lid))
        delta.sl.push_back({s, lid, from.sl(s, lid), to.sl(s, lid)});
    }
    compare_sl2vl(from.sl2vl, to.sl2vl, s, delta);
  }
  compare_mft(from.mft, to.mft, delta);
  return delta;
}

void apply(Tables& tables, const Delta& delta) {
  for (const LftChange& c : delta.lft) tables.set_next(c.at, c.dlid, c.after);
  for (const SlChange& c : delta.sl) tables.set_sl(c.source, c.dlid, c.after);
  for (const Sl2VlChange& c : delta.sl2vl) tables.sl2vl.set(c.at, c.in, c.out, c.after);
  for (const MftChange& c : delta.mft) {
    MulticastTree& tree = tables.mft[c.mlid];
    tree.resize(tables.num_switches());
    tree[c.at] = c.after;
  }
  std::erase_if(tables.mft, [](const auto& group) {
    for (const PortSet& ports : group.second)
      if (ports.any()) return false;
    return true;
  });
  tables.host_sl2vl = delta.host_sl2vl_after;
}

Delta inverse(Delta delta) {
  for (LftChange& c : delta.lft) std::swap(c.before, c.after);
  for (SlChange& c : delta.sl) std::swap(c.before, c.after);
  for (Sl2VlChange& c : delta.sl2vl) std::swap(c.before, c.after);
  for (MftChange& c : delta.mft) std::swap(c.before, c.after);
  std::swap(delta.host_sl2vl_before, delta.host_sl2vl_after);
  return delta;
}

}  // namespace selvedge
