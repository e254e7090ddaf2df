// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables on several VLs or SLs under repair. The VL of a packet on a channel depends on its path
// and its SL. So the unit counted here is the path of each (source switch, LID) on its SL. Counted
// are its dependencies and the SL2VL entries (switch, in, out, SL) that it uses. An entry that no
// path uses is free: a detour may set it to the VL that it needs.
//
// Of this room only.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/tables/delta.hpp"

namespace selvedge {

class LayeredRoutes {
 public:
  using VlSet = std::uint16_t;
  using SlSet = std::uint16_t;
  /// The SL2VL entry of one turn and SL.
  struct Entry {
    SwitchId at;
    PortNum in, out;
    Sl sl;
  };

  /// Keeps a reference to `whole`. `vls`: VLs 0 … vls − 1 may be used; more if the tables use more.
  LayeredRoutes(const Fabric& whole, Tables tables, unsigned vls);

  const Fabric& whole() const { return whole_; }
  const Tables& tables() const { return tables_; }
  const Tables& original() const { return original_; }
  unsigned vls() const { return vls_; }
  /// The number of VLs of the original tables.
  unsigned original_vls() const { return original_vls_; }
  SlSet sls() const { return sls_; }
  DependencyOrder& dependencies() { return order_; }
  std::uint32_t moved(Lid lid) const { return moved_[lid]; }

  PortNum next(SwitchId s, Lid lid) const { return tables_.next(s, lid); }
  Channel out_of(SwitchId s, Lid lid) const { return channel_at(s, tables_.next(s, lid)); }
  Channel channel_at(SwitchId s, PortNum port) const;
  Vl vl(const Entry& e) const { return tables_.sl2vl.row(e.at, e.in, e.out)[e.sl]; }
  bool free(const Entry& e) const { return uses_[at(e)] == 0; }
  /// Ports of a switch at which packets start: its hosts' (of the whole), and 0 for its own.
  std::span<const PortNum> sources(SwitchId s) const { return sources_[s]; }

  /// Counts the path of (s, LID) along its present entries, or removes it. Count a path only if its
  /// dependencies were added to the order or are known to close no cycle.
  void put(SwitchId s, Lid lid) { count(s, lid, 1); }
  void take(SwitchId s, Lid lid) { count(s, lid, -1); }
  /// Counts the path unless it would close a cycle, or some entry on it drops.
  bool add(SwitchId s, Lid lid);
  /// The dependencies of a path, each once; false if some entry on it drops.
  bool edges(SwitchId s, Lid lid, std::vector<DependencyOrder::Edge>& edges) const;

  /// Only for paths that are not counted at the moment.
  void set_next(SwitchId s, Lid lid, PortNum port);
  void set_sl(SwitchId s, Lid lid, Sl sl);
  /// Only for a free entry.
  void set_vl(const Entry& e, Vl vl);
  /// Pins an entry for a multicast tree, so that it is not free (times = 1), or unpins it (−1).
  void pin(const Entry& e, int times) { uses_[at(e)] += static_cast<std::uint32_t>(times); }

  /// The changes since the last call, sorted, without those that were undone.
  Delta take_delta();

  std::size_t bytes() const;
  /// For tests: whether the counts equal those built from the same tables from scratch.
  bool consistent() const;

 private:
  std::size_t at(const Entry& e) const {
    return first_entry_[e.at] +
           ((e.in * (whole_.node(e.at).ports + std::size_t{1})) + e.out) * kSls + e.sl;
  }
  template <class Turn, class Hold>
  void walk(SwitchId s, Lid lid, Turn turn, Hold hold) const;
  void count(SwitchId s, Lid lid, int times);

  const Fabric& whole_;
  Tables tables_;
  const Tables original_;
  unsigned original_vls_, vls_;
  SlSet sls_ = 0;
  DependencyOrder order_;
  std::vector<std::size_t> first_entry_;  // per switch, into uses_
  std::vector<std::uint32_t> uses_;       // paths by (switch, in, out, SL)
  std::vector<std::vector<PortNum>> sources_;
  std::vector<DependencyOrder::Edge> edges_;
  std::vector<std::uint32_t> moved_;  // per LID: entries that differ from original_
  std::map<std::pair<SwitchId, Lid>, PortNum> next_before_;
  std::map<std::pair<SwitchId, Lid>, Sl> sl_before_;
  std::map<std::tuple<SwitchId, PortNum, PortNum>, Sl2VlRow> row_before_;
};

}  // namespace selvedge
