// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/vl_loads.hpp"

#include <algorithm>

#include "plugin/tables/path_tree.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kVls = 16;

class VlLoads {
 public:
  VlLoads(const Fabric& fabric, const Tables& tables)
      : fabric_(fabric),
        tables_(tables),
        drops_(tables),
        tree_(fabric, tables, drops_),
        load_(fabric.num_switch_channels() * kVls, 0) {}

  std::vector<std::uint64_t> count() && {
    for (HostId d = 0; d < fabric_.num_hosts(); ++d) {
      if (!is_end(d)) continue;
      tree_.grow(d, fabric_.host(d).lid);
      for (const SwitchId s : tree_.order())
        if (tree_.distance(s) > 0) add_paths(s, fabric_.host(d));
    }
    return std::move(load_);
  }

 private:
  bool is_end(HostId h) const { return fabric_.attached(h) && fabric_.host(h).lid != kNoLid; }

  /// Rows differ by the port of entry: at the first switch by the host's, later by the cable's.
  void add_paths(SwitchId s, const Host& to) {
    const Sl sl = tables_.sl(s, to.lid);
    std::uint64_t pairs = 0;
    for (const HostId h : fabric_.hosts_at(s))
      if (is_end(h) && add(s, fabric_.host(h).port, sl, 1)) ++pairs;
    while (pairs > 0) {
      const Channel by = tree_.out(s);
      s = fabric_.target(by);
      if (tree_.distance(s) == 0 || !add(s, fabric_.port_of(fabric_.peer(by)), sl, pairs)) return;
    }
  }

  /// Adds pairs at a switch to the channel by which they leave; false if they are dropped there.
  bool add(SwitchId s, PortNum in, Sl sl, std::uint64_t pairs) {
    const Channel by = tree_.out(s);
    const Vl vl = tables_.sl2vl.row(s, in, fabric_.port_of(by))[sl];
    if (vl >= kDropVl) return false;
    load_[by * kVls + vl] += pairs;
    return true;
  }

  const Fabric& fabric_;
  const Tables& tables_;
  DroppedSls drops_;
  PathTree tree_;
  std::vector<std::uint64_t> load_;
};

}  // namespace

std::vector<std::uint64_t> base_vl_loads(const Fabric& fabric, const Tables& tables) {
  return VlLoads(fabric, tables).count();
}

std::uint64_t base_vl_load_max(const Fabric& fabric, const Tables& tables) {
  const std::vector<std::uint64_t> loads = base_vl_loads(fabric, tables);
  return loads.empty() ? 0 : std::ranges::max(loads);
}

}  // namespace selvedge
