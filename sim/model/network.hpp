// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The data plane under traffic, fast. It implements docs/simulator.md's "The model" to the tick.
// reference.hpp does the same slowly, flit by flit, and a differential test compares them.
//
// A packet needs few events: its head is routed at a switch, its tail has crossed, its tail has
// left, its credits return. Within one instant the three steps of the model follow each other
// (changes, crossbars, links). Within a step the result does not depend on the order, so ties need
// no rule.
//
// Reading order: network.hpp, network_state.hpp, then network.cpp (instants, routing, delivery) and
// what it includes: sources.hpp (messages become packets), crossbar.hpp (step 2) and adaptive.hpp
// (step 2 with adaptive forwarding), links.hpp (step 3), management.hpp (VL 15), managed.hpp (SMPs,
// changes by a subnet manager), faults.hpp (failures, restoring, lifetimes), find_deadlock.hpp,
// prefetch.hpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "sim/model/model.hpp"
#include "sim/model/smp.hpp"
#include "sim/model/statistics.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim {

/// A queue that waits for another, as part of a deadlock.
struct BlockedQueue {
  Channel channel;  // the queue is at this channel's far end (input) or near end (output)
  bool input;
  Vl vl;
  HostId from, to;  // of the packet at its head
  Lid dlid;
};

class Network {
 public:
  /// The fabric, the model and the traffic must outlive it; tables are copied. A channel without a
  /// peer (a failed cable) is a link that is down. `seed`: for random paths and selections.
  Network(const Fabric& fabric, const Tables& tables, const Model& model, Traffic& traffic,
          std::uint64_t seed, Managed managed = Managed::kNo);
  ~Network();
  Network(Network&&) noexcept;

  /// Simulates every instant before `until`; now() is then `until`. If an SMP ends, it stops after
  /// that tick; now() is then the next one.
  void run(Tick until);
  Tick now() const;
  /// No event is pending: no packet moves and no source has a message.
  bool idle() const;

  // --- Changes at now(), before the events of that tick
  /// Cuts or restores the cable of this channel, both directions. As on real links, a cut loses the
  /// packets on the wire; packets that were received whole go on.
  void cut(Channel link);
  void restore(Channel link);
  /// New tables, of one switch or of all. Packets that have been routed keep their output port.
  void set_lft(SwitchId at, std::span<const PortNum> lft);
  void set_tables(const Tables& tables);

  // --- Management by a subnet manager (docs/simulator.md), also changes at now(). What names SMPs
  // needs Managed::kYes.
  /// A directed route has 1 to kMaxSmpHops links.
  void send(const SmpEnd& from, const Smp& smp);
  /// Those that have ended since the last call.
  std::vector<SmpArrival> take_arrivals();
  /// Those that were lost since the last call. Nobody in a subnet learns of it; whoever keeps what
  /// the SMPs say can clear it.
  std::vector<LostSmp> take_lost_smps();
  /// LFT entries from LID 64 · `block` on, at most 64.
  void write_lft_block(SwitchId at, unsigned block, std::span<const PortNum> entries);
  void write_sl2vl(SwitchId at, PortNum in, PortNum out, const Sl2VlRow& row);
  void write_host_sl2vl(HostId host, const Sl2VlRow& row);
  /// The DLID and the SL of packets from a host to another, as from the SA, whatever LIDs the
  /// destination has; kNoLid: the host chooses again. 4 bytes for each host at every source that
  /// has a record.
  void write_path(HostId from, HostId to, Lid dlid, Sl sl);
  /// The VL arbitration tables at the near end of a channel (IBA 1.3 §7.6.9). `high_limit`: in
  /// 4,096 bytes; 0 is one packet, 255 no limit. A VL that no entry with a weight lists is never
  /// sent. The arbiter starts anew.
  void write_arbitration(Channel c, std::span<const ArbitrationEntry> high,
                         std::span<const ArbitrationEntry> low, unsigned high_limit);
  /// The head-of-queue lifetime at the near end of a switch's channel, and the lifetime in a
  /// switch; kNever: unlimited. They hold for the packets that are there too.
  void write_head_life(Channel c, Tick life);
  void write_switch_life(SwitchId at, Tick life);
  /// The LIDs of a host: base … base + count − 1.
  void write_lids(HostId host, Lid base, unsigned count);
  /// Opens or closes one direction of a link for data. All are open at first.
  void open(Channel c, bool for_data);
  /// Polls every source at now(), as after a delivery that concerns it: the traffic has changed.
  void poll_sources();
  /// Holds or releases a host's injection of data.
  void hold(HostId host, bool held);
  /// Discards the head of the input queue at the far end of a channel. False if there is none.
  bool discard_head(Channel c, Vl vl);

  // --- Results
  const Totals& totals() const;
  const Window& window() const;
  /// Per channel. Computed at each call.
  std::vector<ChannelUse> use() const;
  ChannelUse use(Channel c) const;
  /// Clears window() and use().
  void clear_window();
  /// Occupied blocks of the input buffers at the far end of a channel, of all VLs.
  unsigned occupied(Channel c) const;
  unsigned occupied(Channel c, Vl vl) const;
  /// Packets that are generated and not yet injected.
  std::uint64_t waiting_at_sources() const;
  /// Called for every packet delivered.
  void on_delivery(std::function<void(const Delivery&)> listener);
  /// A cycle of queues that wait for each other and can never move; empty if there is none.
  /// `despite_lifetimes`: also one that lasts only until packets in it are discarded by theirs.
  std::vector<BlockedQueue> deadlock(bool despite_lifetimes = false) const;

  /// The state of a network of this shape. Its member functions are in the files that network.cpp
  /// includes.
  template <class Shape>
  struct State;

 private:
  struct Variant;
  template <class Self, class Do>
  static decltype(auto) visit_state(Self& self, Do&& what);

  std::unique_ptr<Variant> variant_;
};

}  // namespace selvedge::sim
