// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast simulator of the data plane under traffic. It implements docs/simulator.md's "The model"
// to the tick. reference.hpp implements the same model slowly, byte by byte, and a differential
// test compares the two.
//
// A packet needs few events: its head has been routed at a switch, its tail has crossed the
// crossbar, its tail has left, its credits return. An instant is a tick that has events. It takes
// the three steps of the model in turn (changes, crossbars, links). Within a step the result does
// not depend on the order, so ties need no rule.
//
// Reading order: network.hpp, network_state.hpp, then network.cpp (instants, routing, delivery) and
// what it includes: sources.hpp (messages become packets), class_queues.hpp (an HCA's queues by
// SL), crossbar.hpp (step 2) and adaptive.hpp (step 2 with adaptive forwarding), per_output.hpp
// (step 2 with a queue for each output), multicast.hpp (copies), links.hpp (step 3), ears.hpp
// (self-routing trees), management.hpp (VL 15), managed.hpp (SMPs, changes by a subnet manager),
// epochs.hpp (EBR), layers.hpp (the double scheme), faults.hpp (failures, restoring, lifetimes),
// find_deadlock.hpp, prefetch.hpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/transition/epochs.hpp"
#include "sim/model/ear_move.hpp"
#include "sim/model/epoch_cases.hpp"
#include "sim/model/model.hpp"
#include "sim/model/smp.hpp"
#include "sim/model/statistics.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim {

/// A queue in a deadlock: the packet at its head waits for another queue of the deadlock.
struct BlockedQueue {
  Channel channel;  // the queue is at this channel's far end (input) or near end (output)
  bool input;
  Vl vl;
  HostId from, to;  // of the packet at its head
  Lid dlid;
};

class Network {
 public:
  /// The fabric, the model and the traffic must outlive the network; tables are copied. A channel
  /// without a peer (a failed cable) is a link that is down. `seed`: for the random choice of paths
  /// and of output ports. A managed network with Selection::kEar or InputQueues::kPerOutput throws
  /// std::logic_error, as does one with epochs and adaptive forwarding.
  Network(const Fabric& fabric, const Tables& tables, const Model& model, Traffic& traffic,
          std::uint64_t seed, Managed managed = Managed::kNo);
  Network(const Fabric&, const Tables&, const Model&&, Traffic&, std::uint64_t,
          Managed = Managed::kNo) = delete;  // a model that ends with the call
  ~Network();
  Network(Network&&) noexcept;

  /// Simulates every tick before `until`; now() is then `until`. If an SMP reaches its end, run()
  /// returns after that tick, and now() is the next tick.
  void run(Tick until);
  Tick now() const;
  /// No event is pending: nothing happens until the caller changes something. Packets may remain
  /// that a deadlock, a closed link or a held host blocks.
  bool idle() const;

  // --- Changes at now(), before the events of that tick
  /// Cuts or restores the cable of this channel, both directions. As on real links, a cut loses the
  /// packets on the wire; packets that were received whole go on. Where switches replicate packets
  /// cut() throws std::logic_error.
  void cut(Channel link);
  void restore(Channel link);
  /// Replace the LFT of one switch, or all tables. Packets that have been routed keep their output
  /// port.
  void set_lft(SwitchId at, std::span<const PortNum> lft);
  void set_tables(const Tables& tables);

  // --- Management by a subnet manager (docs/simulator.md), also changes at now(). Only a network
  // with a Managed other than kNo carries SMPs; without it send() and most of these functions
  // throw std::logic_error.
  /// Sends an SMP. Its directed route, if it has one, has 1 to kMaxSmpHops links.
  void send(const SmpEnd& from, const Smp& smp);
  /// The SMPs that have reached their end since the last call.
  std::vector<SmpArrival> take_arrivals();
  /// The SMPs that were lost since the last call. No node of a real subnet learns of such a loss;
  /// the caller uses it only to free what it stores for the SMP's tag.
  std::vector<LostSmp> take_lost_smps();
  /// Writes at most 64 LFT entries, from LID 64 · `block` on.
  void write_lft_block(SwitchId at, unsigned block, std::span<const PortNum> entries);
  void write_sl2vl(SwitchId at, PortNum in, PortNum out, const Sl2VlRow& row);
  void write_host_sl2vl(HostId host, const Sl2VlRow& row);
  /// Sets the DLID and the SL of packets from a host to another, as a path record from the SA does,
  /// whatever LIDs the destination has. With kNoLid the host chooses them itself again. A source
  /// with at least one such record needs 4 bytes of memory for each host of the fabric.
  void write_path(HostId from, HostId to, Lid dlid, Sl sl);
  /// Writes the VL arbitration tables at the near end of a channel (IBA 1.3 §7.6.9). `high_limit`:
  /// in units of 4,096 bytes; 0 is one packet, 255 no limit. A VL that no entry with a weight lists
  /// is never sent. The arbiter starts anew.
  void write_arbitration(Channel c, std::span<const ArbitrationEntry> high,
                         std::span<const ArbitrationEntry> low, unsigned high_limit);
  /// Write the head-of-queue lifetime at the near end of a switch's channel, and the lifetime in a
  /// switch; kNever: unlimited. They also apply to packets already in these queues.
  void write_head_life(Channel c, Tick life);
  void write_switch_life(SwitchId at, Tick life);
  /// Sets the LIDs of a host: base … base + count − 1.
  void write_lids(HostId host, Lid base, unsigned count);
  /// Opens or closes one direction of a link for data, as the port states Active and Init do. All
  /// are open at first.
  void open(Channel c, bool for_data);
  /// Polls every source at now(), as after a delivery that concerns the source. To be called when
  /// the traffic has changed from outside.
  void poll_sources();
  /// Holds or releases a host's injection of data.
  void hold(HostId host, bool held);
  /// Discards the head of the input queue at the far end of a channel. False if there is none, or
  /// if it is a token.
  bool discard_head(Channel c, Vl vl);
  /// Sets the epoch of a switch (E_SCHD), which never falls. Only with Managed::kWithEpochs.
  void set_epoch(SwitchId at, Epoch epoch);
  /// What a switch does with its two layers; all are kSeparate at first. Only with kWithLayers, as
  /// is the next one.
  void set_layering(SwitchId at, Layering how);
  /// As write_lft_block(), which then writes the LFT of VL 0: writes that of VL 1. With tokens it
  /// writes the next LFT.
  void write_layer_block(SwitchId at, unsigned block, std::span<const PortNum> entries);
  /// Only with Managed::kWithTokens, as all that follow. A switch, whose next LFT has been written,
  /// takes and sends tokens of this length from now on. An output sends its token when those of all
  /// inputs have passed from which one of these turns leads there.
  void begin_tokens(SwitchId at, std::span<const Turn> turns, unsigned bytes);
  /// Lets a host send a token on each VL before what waits in its queue.
  void send_tokens(HostId host, unsigned bytes);
  /// Ends that at a switch: all tokens have passed (tokens_done()), and its LFT has been written.
  void end_tokens(SwitchId at);

  // --- Results
  /// Whether the tokens of all inputs and outputs of a switch that has begun have passed.
  bool tokens_done(SwitchId at) const;
  /// Whether no packet of this VL is in the output queue of a channel, on its way to a switch, or
  /// in the input queue there.
  bool is_clear(Channel c, Vl vl) const;
  /// The cases of Tables 6.1 and 6.2 in which a head without credits has been looked at.
  const EpochCases& epoch_cases() const;
  const Totals& totals() const;
  const Window& window() const;
  /// The counters of every channel, computed at each call.
  std::vector<ChannelUse> use() const;
  ChannelUse use(Channel c) const;
  /// Clears window() and use().
  void clear_window();
  /// Occupied blocks of the input buffers at the far end of a channel, of all VLs.
  unsigned occupied(Channel c) const;
  unsigned occupied(Channel c, Vl vl) const;
  /// Packets that are generated and not yet injected.
  std::uint64_t waiting_at_sources() const;
  /// Whether there is traffic: packets in the network, or at hosts whose link carries data, or
  /// messages that such hosts will have. O(hosts) if the network is empty.
  bool has_traffic() const;
  /// Sets the function that is called for every packet delivered, but not for SMPs.
  void on_delivery(std::function<void(const Delivery&)> listener);
  /// Sets the function that is called for every flow that a leaf switch moves (Selection::kEar).
  void on_move(std::function<void(const FlowMove&)> listener);
  /// Sets the function that is called for every packet lost, but not for SMPs. Delivery::delivered
  /// is the tick of the loss.
  void on_loss(std::function<void(const Delivery&, Loss)> listener);
  /// A cycle of queues that wait for each other and can never move; empty if there is none.
  /// `despite_lifetimes`: also a cycle that ends when a lifetime discards one of its packets.
  std::vector<BlockedQueue> deadlock(bool despite_lifetimes = false) const;

  /// The state of a network. `Shape` tells at compile time which features the network has
  /// (NoFeatures, EarFeatures, PerOutputFeatures, AnyFeatures or ManagedFeatures). The member
  /// functions are in the files that network.cpp includes.
  template <class Shape>
  struct State;

 private:
  struct Variant;
  template <class Self, class Do>
  static decltype(auto) visit_state(Self& self, Do&& what);

  std::unique_ptr<Variant> variant_;
};

}  // namespace selvedge::sim
