// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables on several VLs or SLs under repair. The VL of a packet on a channel depends on the whole
// path and its SL. So each path, from a source switch to a LID on its SL, is counted as a unit: by
// its dependencies, and by the SL2VL entries (switch, port in, port out, SL) that it uses. An SL2VL
// entry that no path uses is free: a detour may set the entry to the VL that the detour needs.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/repair/repair.hpp"
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

  /// `whole`: the undamaged fabric, to which a reference is kept. `vls`: paths may use VLs 0 … vls
  /// − 1, or more if the tables use more.
  LayeredRoutes(const Fabric& whole, Tables tables, unsigned vls);

  const Fabric& whole() const { return whole_; }
  const Tables& tables() const { return tables_; }
  const Tables& original() const { return original_; }
  unsigned vls() const { return vls_; }
  /// The number of VLs of the original tables.
  unsigned original_vls() const { return original_vls_; }
  /// The SLs of the original paths, and the SL that add_spare_sl() may have added.
  SlSet sls() const { return sls_; }
  /// Keeps an SL and a VL for base LIDs: may_have() and vls_for() leave them out for others.
  void reserve(const ReservedLane& lane) { lane_ = lane; }
  /// Whether a path to a LID may change to this SL.
  bool may_have(Sl sl) const { return (sls_ >> sl & 1u) != 0 && (!lane_ || lane_->sl != sl); }
  /// The VLs to which a free SL2VL entry of this SL may be set.
  VlSet vls_for(Sl sl) const {
    const unsigned all = (1u << vls_) - 1;
    return static_cast<VlSet>(!lane_ || lane_->sl == sl ? all : all & ~(1u << lane_->vl));
  }
  /// Adds the lowest of the first `sls` SLs that no path has and that hosts do not drop, if any.
  void add_spare_sl(unsigned sls);
  DependencyOrder& dependencies() { return order_; }
  std::uint32_t moved(Lid lid) const { return moved_[lid]; }

  PortNum next(SwitchId s, Lid lid) const { return tables_.next(s, lid); }
  Channel out_of(SwitchId s, Lid lid) const { return channel_at(s, tables_.next(s, lid)); }
  Channel channel_at(SwitchId s, PortNum port) const;
  Vl vl(const Entry& e) const { return tables_.sl2vl.row(e.at, e.in, e.out)[e.sl]; }
  bool free(const Entry& e) const { return uses_[at(e)] == 0; }
  /// Ports at which packets enter the fabric at a switch: the ports of its hosts in the undamaged
  /// fabric, and port 0 for the switch's own packets.
  std::span<const PortNum> sources(SwitchId s) const { return sources_[s]; }

  /// put() counts the path from s to the LID along the present entries: its dependencies, and its
  /// uses of SL2VL entries. take() undoes that. Call put() only if the dependencies are known to
  /// close no cycle.
  void put(SwitchId s, Lid lid) { count(s, lid, 1); }
  void take(SwitchId s, Lid lid) { count(s, lid, -1); }
  /// put() with a test: returns false, with nothing counted, if the path would close a cycle or if
  /// an SL2VL entry on it drops.
  bool add(SwitchId s, Lid lid);
  /// The dependencies of a path, each once; false if an SL2VL entry on it drops.
  bool edges(SwitchId s, Lid lid, std::vector<DependencyOrder::Edge>& edges) const;

  /// set_next() and set_sl() may only be called while no path that uses the entry is counted.
  void set_next(SwitchId s, Lid lid, PortNum port);
  void set_sl(SwitchId s, Lid lid, Sl sl);
  /// Sets an SL2VL entry, which no path may use (free()).
  void set_vl(const Entry& e, Vl vl);
  /// Counts the multicast tree as a user of the SL2VL entry, so that it is not free() (times = 1),
  /// or undoes that (−1).
  void pin(const Entry& e, int times) { uses_[at(e)] += static_cast<std::uint32_t>(times); }

  /// The changes since the last call, sorted; entries that have their old value again are left out.
  Delta take_delta();

  std::size_t bytes() const;
  /// For tests: whether the counts equal those of a new object made from the same tables.
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
  std::optional<ReservedLane> lane_;
  DependencyOrder order_;
  std::vector<std::size_t> first_entry_;  // per switch: its first index in uses_
  std::vector<std::uint32_t> uses_;       // per (switch, port in, port out, SL): paths, and pins
  std::vector<std::vector<PortNum>> sources_;
  std::vector<DependencyOrder::Edge> edges_;
  std::vector<std::uint32_t> moved_;  // per LID: the number of entries that differ from original_
  std::map<std::pair<SwitchId, Lid>, PortNum> next_before_;
  std::map<std::pair<SwitchId, Lid>, Sl> sl_before_;
  std::map<std::tuple<SwitchId, PortNum, PortNum>, Sl2VlRow> row_before_;
};

}  // namespace selvedge
