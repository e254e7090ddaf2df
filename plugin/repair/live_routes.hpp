// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables on one VL under repair. With these indexes the cost of a fault depends on what it broke:
//
//   direct      the LIDs that use a channel: one row of the LFT, which needs no further memory
//               (the DRT of Montañana 2008 §5.2.1, kept there per path)
//   indirect    the switches that reach a LID through a switch: its senders, found by reading the
//               neighbours' entries (the IRT, there)
//   turns       how many routes make each turn, as a counted graph of dependencies. A route is an
//               entry (switch, LID): it turns from its channel into that of the next switch's entry
//   loads       how many LIDs use each channel
//   touched     the LIDs of which some entry has been written
//   by LID      a copy of the next hops, by LID: the reattachment of one LID's tree reads its
//               entries at many switches, which are far apart in the LFTs
//
// Changes are kept in a journal, for rewind() and for the delta of a repair.
//
// Of this room only.
#pragma once

#include <span>
#include <vector>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/tables/delta.hpp"

namespace selvedge {

/// A cable between switches, seen from one end.
struct AdjacentLink {
  Channel out, in;  // in = peer of out: the opposite channel
  SwitchId to;
  PortNum port, back;  // of `out`, of `in`
};

class LiveRoutes {
 public:
  /// Keeps a reference to `whole`. An entry that leads to a port without a cable is a route that
  /// ends there.
  LiveRoutes(const Fabric& whole, Tables tables);

  const Fabric& whole() const { return whole_; }
  SwitchId target(Channel c) const { return to_[c]; }
  const Tables& tables() const { return tables_; }
  const Tables& original() const { return original_; }
  /// Rows may be changed as long as all stay on one VL.
  Sl2Vl& sl2vl() { return tables_.sl2vl; }
  SwitchId destination_switch(Lid lid) const { return destination_switch_[lid]; }
  PortNum next(SwitchId s, Lid lid) const { return by_lid_[lid * switches_ + s]; }
  /// All switches' next hops for one LID.
  std::span<const PortNum> row(Lid lid) const {
    return {by_lid_.data() + lid * switches_, switches_};
  }
  /// The channel to another switch by which s sends the LID; kNoChannel if there is none.
  Channel out_of(SwitchId s, Lid lid) const { return channel_at(s, next(s, lid)); }
  Channel channel_at(SwitchId s, PortNum port) const {
    if (port > ports_[s]) return kNoChannel;
    const Channel c = channel_[s] + port;
    return to_[c] == kNoSwitch ? kNoChannel : c;
  }
  /// All cables of a switch to other switches, including failed ones.
  std::span<const AdjacentLink> links(SwitchId s) const {
    return {links_.data() + first_[s], links_.data() + first_[s + 1]};
  }

  std::uint32_t load(Channel c) const { return load_[c]; }
  /// The number of routes that turn from `in` into `out`.
  std::uint32_t turns(Channel in, Channel out) const { return order_.count({{in, 0}, {out, 0}}); }
  bool acyclic() { return order_.acyclic(); }
  /// Also holds dependencies of other routes: a multicast tree's.
  DependencyOrder& dependencies() { return order_; }
  /// Whether some entry may differ from the original tables. If false, none does.
  bool may_differ(Lid lid) const { return may_differ_[lid] != 0; }
  /// Marks the entries as equal to the original ones.
  void mark_as_original(Lid lid) { may_differ_[lid] = 0; }

  /// Sets one LID's next hops at some switches to `ports`; entries that lead to these switches
  /// stay. Turns between old and new entries are never counted, not even temporarily.
  void change(Lid lid, std::span<const SwitchId> at, std::span<const PortNum> ports);
  /// Sets one entry to kNoPort: ends a path that no host needs any more.
  void cut(Lid lid, SwitchId at);

  /// The present position in the journal, for rewind().
  std::size_t mark() const { return journal_.size(); }
  void rewind(std::size_t mark);
  /// The changes since the last call, sorted, without those that were undone.
  std::vector<LftChange> take_delta();

  /// Memory of direct and indirect, which are the LFTs; and of the indexes beyond the thesis'
  /// tables.
  std::size_t reachability_bytes() const { return tables_.bytes(); }
  std::size_t further_bytes() const;

  /// For tests: whether the counts equal those built from the same tables from scratch.
  bool consistent() const;

 private:
  struct Written {
    SwitchId at;
    PortNum before;
  };
  struct Change {
    Lid lid;
    std::uint32_t first, count;  // into written_
  };

  void set(Lid lid, SwitchId at, PortNum port);

  const Fabric& whole_;
  Tables tables_;
  const Tables original_;
  std::vector<PortNum> ports_;        // per switch
  std::vector<SwitchId> to_;          // per channel; kNoSwitch if it leads to no other switch
  std::vector<std::uint32_t> first_;  // per switch, into links_
  std::vector<AdjacentLink> links_;
  std::vector<Channel> channel_;  // per switch: the channel of its port 0
  DependencyOrder order_;
  std::size_t switches_;
  std::vector<PortNum> by_lid_;               // [LID][switch]: next hops
  std::vector<SwitchId> destination_switch_;  // per LID
  std::vector<std::uint32_t> load_;           // per channel
  std::vector<std::uint8_t> may_differ_;      // per LID
  std::vector<Change> journal_;
  std::vector<Written> written_;
};

}  // namespace selvedge
