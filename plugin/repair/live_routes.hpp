// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables on one VL that are being repaired, with the indexes that make a fault cost what it broke:
//
//   direct      the LIDs that use a channel: one row of the LFT, so it needs no memory of its own
//               (what Montañana 2008 §5.2.1 keeps as the DRT, per path)
//   indirect    the switches that reach a LID through a switch: its senders, found by asking the
//               neighbours (there, the IRT)
//   turns       how many routes make each turn, as a counted graph of dependencies. A route is an
//               entry (switch, LID): its turn is that of its channel into the next entry's.
//   loads       how many LIDs use each channel
//   touched     the LIDs of which some entry has been written
//   by LID      the next hops once more: whoever hangs up one LID's tree again looks at many
//               switches' entries for it, which in LFTs are far from each other
//
// Changes are kept in a journal: they can be taken back, and they are what a repair hands out.
//
// Of this room only.
#pragma once

#include <span>
#include <vector>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/tables/delta.hpp"

namespace selvedge {

/// A cable between switches, from one end.
struct Way {
  Channel out, in;  // in = peer of out: the channel that comes back
  SwitchId to;
  PortNum port, back;  // of `out`, of `in`
};

class LiveRoutes {
 public:
  /// `whole` must stay. Entries that lead to ports without a cable are routes that end there.
  LiveRoutes(const Fabric& whole, Tables tables);

  const Fabric& whole() const { return whole_; }
  SwitchId target(Channel c) const { return to_[c]; }
  const Tables& tables() const { return tables_; }
  const Tables& base() const { return base_; }
  /// Rows may be changed as long as all stay on one VL.
  Sl2Vl& sl2vl() { return tables_.sl2vl; }
  SwitchId home(Lid lid) const { return home_[lid]; }
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
  /// All cables of a switch to others, dead ones too.
  std::span<const Way> ways(SwitchId s) const {
    return {ways_.data() + first_[s], ways_.data() + first_[s + 1]};
  }

  std::uint32_t load(Channel c) const { return load_[c]; }
  /// Routes that hold `in` and ask for `out`.
  std::uint32_t turns(Channel in, Channel out) const { return order_.count({{in, 0}, {out, 0}}); }
  bool acyclic() { return order_.acyclic(); }
  /// Of other routes than these: a multicast tree's.
  DependencyOrder& dependencies() { return order_; }
  /// May some entry differ from the tables at the beginning? If not, none does.
  bool touched(Lid lid) const { return touched_[lid] != 0; }
  /// The entries turned out to be those of the beginning.
  void forget(Lid lid) { touched_[lid] = 0; }

  /// One LID's next hops at some switches: `ports` are the new ones; what leads to them stays.
  /// Turns between old entries and new ones never count, not even for a moment.
  void change(Lid lid, std::span<const SwitchId> at, std::span<const PortNum> ports);
  /// One entry becomes kNoPort: a path that nobody needs any more has a gap there.
  void cut(Lid lid, SwitchId at);

  /// Everything since the last take_delta() up to here, for rewind().
  std::size_t mark() const { return journal_.size(); }
  void rewind(std::size_t mark);
  /// The changes since the last time, sorted, without those that came to nothing.
  std::vector<LftChange> take_delta();

  /// Held by direct and indirect, which are the LFT; and by what goes beyond the thesis' tables.
  std::size_t reachability_bytes() const { return tables_.bytes(); }
  std::size_t further_bytes() const;

  /// For tests: counts as they are if all is built anew from the same tables.
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
  const Tables base_;
  std::vector<PortNum> ports_;        // per switch
  std::vector<SwitchId> to_;          // per channel; kNoSwitch if it leads to no other switch
  std::vector<std::uint32_t> first_;  // per switch, into ways_
  std::vector<Way> ways_;
  std::vector<Channel> channel_;  // per switch: that of its port 0
  DependencyOrder order_;
  std::size_t switches_;
  std::vector<PortNum> by_lid_;        // [LID][switch]: next hops
  std::vector<SwitchId> home_;         // per LID
  std::vector<std::uint32_t> load_;    // per channel
  std::vector<std::uint8_t> touched_;  // per LID
  std::vector<Change> journal_;
  std::vector<Written> written_;
};

}  // namespace selvedge
