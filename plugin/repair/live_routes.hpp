// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables on one VL under repair. With these indexes the cost of repairing a fault depends on how
// many paths the fault broke:
//
//   direct      the LIDs that use a channel: read from the switch's LFT, without further memory
//               (Montañana 2008 §5.2.1 keeps a direct reachability table, DRT, per path)
//   indirect    the switches that reach a LID through a given switch (its senders): found by
//               reading the neighbours' entries (the thesis keeps an indirect table, IRT)
//   turns       how many routes make each turn, as a counted graph of dependencies. A route is an
//               entry (switch, LID): it turns from its channel into that of the next switch's entry
//   loads       how many LIDs use each channel
//   touched     the LIDs for which some switch's entry has been written
//   by LID      a copy of the next hops in the order of LIDs: the repair of one LID's paths reads
//               its entries at many switches, which are far apart in the LFTs
//
// Changes are kept in a journal, for rewind() and for the delta of a repair.
//
// Private to this folder: only its own files include this header.
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
  PortNum port, back;  // the ports of the cable at this end and at the other end
};

class LiveRoutes {
 public:
  /// `whole`: the undamaged fabric, to which a reference is kept. Where an entry leads to a port
  /// without a cable, the route ends.
  LiveRoutes(const Fabric& whole, Tables tables);

  const Fabric& whole() const { return whole_; }
  SwitchId target(Channel c) const { return to_[c]; }
  const Tables& tables() const { return tables_; }
  const Tables& original() const { return original_; }
  /// The caller may change rows as long as all of them stay on one VL.
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
  /// The dependencies of the routes and of the multicast tree, which MulticastTreeRepair adds.
  DependencyOrder& dependencies() { return order_; }
  /// If true, some switch's entry for the LID may differ from the original tables; if false, none
  /// does.
  bool may_differ(Lid lid) const { return may_differ_[lid] != 0; }
  /// Marks all entries for the LID as equal to the original ones.
  void mark_as_original(Lid lid) { may_differ_[lid] = 0; }

  /// Sets the LID's next hops at the switches `at` to `ports`. Entries of other switches stay. All
  /// dependencies of the old entries are removed before those of the new ones are added. So the
  /// graph never holds a turn between an old and a new entry of these switches.
  void change(Lid lid, std::span<const SwitchId> at, std::span<const PortNum> ports);
  /// Sets one entry to kNoPort: ends a path that no host needs any more.
  void cut(Lid lid, SwitchId at);

  /// The present position in the journal of changes. rewind(mark) undoes all later changes.
  std::size_t mark() const { return journal_.size(); }
  void rewind(std::size_t mark);
  /// The changes since the last call, sorted by switch, then LID; entries that have their old value
  /// again are left out.
  std::vector<LftChange> take_delta();

  /// Memory in bytes: of the LFTs, which serve as RFTR's reachability tables; and of all further
  /// indexes.
  std::size_t reachability_bytes() const { return tables_.bytes(); }
  std::size_t further_bytes() const;

  /// For tests: whether the counts equal the counts of a new object made from the same tables.
  bool consistent() const;

 private:
  struct Written {
    SwitchId at;
    PortNum before;
  };
  struct Change {
    Lid lid;
    std::uint32_t first, count;  // the entries written_[first] … written_[first + count − 1]
  };

  void set(Lid lid, SwitchId at, PortNum port);

  const Fabric& whole_;
  Tables tables_;
  const Tables original_;
  std::vector<PortNum> ports_;        // per switch: the number of its ports
  std::vector<SwitchId> to_;          // per channel: the switch to which it leads, or kNoSwitch
  std::vector<std::uint32_t> first_;  // per switch: its first index in links_
  std::vector<AdjacentLink> links_;
  std::vector<Channel> channel_;  // per switch: the number of port 0's channel
  DependencyOrder order_;
  std::size_t switches_;
  std::vector<PortNum> by_lid_;               // [LID][switch]: next hops
  std::vector<SwitchId> destination_switch_;  // per LID: the switch of its owner
  std::vector<std::uint32_t> load_;           // per channel: how many LIDs use it
  std::vector<std::uint8_t> may_differ_;      // per LID: may_differ()
  std::vector<Change> journal_;
  std::vector<Written> written_;
};

}  // namespace selvedge
