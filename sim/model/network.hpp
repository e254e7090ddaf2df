// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The data plane under traffic, fast. What it does is docs/simulator.md's "The model", to the tick;
// reference.hpp does the same slowly, flit by flit, and a test holds them together.
//
// A packet is moved by few events: its head is routed at a switch, its tail has crossed, its tail
// has left, its credits come back. Within one instant the three steps of the model follow each
// other (changes, crossbars, links); within a step nothing depends on the order, so that ties need
// no rule.
//
// Reading order: network.hpp, network_state.hpp, then network.cpp (instants, routing, delivery) and
// what it includes: sources.hpp (messages become packets), crossbar.hpp (step 2) and adaptive.hpp
// (step 2 where packets may choose), links.hpp (step 3), management.hpp (VL 15), faults.hpp (what
// fails, comes back, or grows too old), stuck.hpp (deadlocks, named), fetch.hpp (for speed alone).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "sim/model/model.hpp"
#include "sim/model/statistics.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim {

/// A queue that waits for another, as part of a deadlock.
struct Waiting {
  Channel channel;  // the queue is of this channel's far end (input) or its near end (output)
  bool input;
  Vl vl;
  HostId from, to;  // of the packet at its head
  Lid dlid;
};

class Network {
 public:
  /// The fabric, the model and the traffic must outlive it; tables are copied. Cables that the
  /// fabric lacks (failed ones) are links that are down. `seed`: of random selections.
  Network(const Fabric& fabric, const Tables& tables, const Model& model, Traffic& traffic,
          std::uint64_t seed);
  ~Network();
  Network(Network&&) noexcept;

  /// Every instant before `until` happens; now() is then `until`.
  void run(Tick until);
  Tick now() const;
  /// Nothing is left to happen: no packet moves and no source has a message.
  bool idle() const;

  // --- At now(), before what happens in it
  /// The cable of this channel, both directions, is cut or comes back. A cut is as on real links:
  /// what is on the wire is lost, what was wholly received goes on.
  void cut(Channel link);
  void mend(Channel link);
  /// New forwarding tables, of one switch or all. Packets that were routed stay so.
  void set_lft(SwitchId at, std::span<const PortNum> lft);
  void set_tables(const Tables& tables);

  // --- What was seen
  const Totals& totals() const;
  const Window& window() const;
  /// Per channel. Put together for each call.
  std::vector<ChannelUse> use() const;
  /// Clears window() and use().
  void clear_window();
  /// Blocks that are taken in the input buffer at the far end of a channel, of all VLs.
  unsigned occupied(Channel c) const;
  /// Packets that wait at their sources' HCAs (generated, not injected).
  std::uint64_t waiting_at_sources() const;
  /// Called for every packet delivered.
  void on_delivery(std::function<void(const Delivery&)> hear);
  /// A cycle of queues that wait for each other and can never move; empty if there is none.
  std::vector<Waiting> deadlock() const;

  /// Of a network of this shape; what network.cpp includes are its parts.
  template <class Shape>
  struct State;

 private:
  struct Either;
  template <class Self, class Do>
  static decltype(auto) with_state(Self& self, Do&& what);

  std::unique_ptr<Either> either_;
};

}  // namespace selvedge::sim
