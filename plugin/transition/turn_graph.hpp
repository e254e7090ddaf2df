// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The turns from cable to cable between switches. Each turn is permitted or not for each SL class
// (SLs that the tables map to the same VLs everywhere). The dependencies of the permitted turns are
// kept acyclic for all LFTs, shown by an order of all (channel, VL).
// lft_independent_deadlock_check.hpp proves the result again, with code that shares nothing with
// TurnGraph.
//
// Turns are numbered by switch and by the indexes of their two cables at the switch, so that data
// about turns are flat arrays.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/verify/sl_rules.hpp"

namespace selvedge::transition {

using prover::SlMask;
using prover::VlMask;
using TurnId = std::uint32_t;

/// Permits a turn for several SL classes; the bit of a class is that of its lowest SL.
struct Permit {
  TurnId turn;
  SlMask sls;
};

class TurnGraph {
 public:
  /// At first no turn is permitted. Keeps references to all arguments.
  TurnGraph(const Fabric& fabric, const Tables& tables, const prover::SlRules& rules);

  TurnId num_turns() const { return static_cast<TurnId>(row_.size()); }
  TurnId turn(SwitchId at, std::size_t in, std::size_t out) const {
    return first_[at] + static_cast<TurnId>(in * fabric_.out(at).size() + out);
  }
  /// The index of the channel `port` in fabric.out() of its switch.
  std::size_t place(Channel port) const { return place_[port]; }
  /// The SL classes that the tables do not drop at the turn.
  SlMask carried(TurnId t) const { return carried_[t]; }
  SlMask permitted(TurnId t) const { return permitted_[t]; }
  const Sl2VlRow& row(TurnId t) const { return *row_[t]; }

  /// Permits all of these (but for SLs that the tables drop) if the graph stays acyclic; else none.
  bool add_all(const std::vector<Permit>& permits);
  /// Permits as many of these as the graph can take without a cycle, in the order given. A range
  /// that closes a cycle is bisected, up to a limit on the work.
  void add_acyclic_part(const std::vector<Permit>& permits);
  /// Permits those whose dependencies agree with the present order of (channel, VL); needs no
  /// search for cycles.
  void add_ordered_part(const std::vector<Permit>& permits);
  /// Permits all of these without a test.
  void put(const std::vector<Permit>& permits) { apply(permits, 0, permits.size()); }
  bool acyclic();

 private:
  void apply(const std::vector<Permit>& permits, std::size_t begin, std::size_t end);
  void undo();
  bool try_range(const std::vector<Permit>& permits, std::size_t begin, std::size_t end);
  void propagate();
  VlMask leaving(TurnId t, Channel in, unsigned vl) const;
  template <class F>
  void each_successor(std::uint32_t node, F f) const;

  const Fabric& fabric_;
  const prover::SlRules& rules_;
  const unsigned num_vls_;
  std::vector<TurnId> first_;                // per switch: its first turn; one past the last
  std::vector<std::uint8_t> place_;          // per channel of a switch: place()
  std::vector<const Sl2VlRow*> row_;         // per turn: its SL2VL row in the tables
  std::vector<SlMask> carried_, permitted_;  // per turn: carried(), permitted()
  /// [channel][SL class]: the VLs of packets that enter at its switch, and of all packets.
  std::vector<VlMask> sourced_, vls_;
  std::vector<SlMask> on_;  // [channel][VL]: the SL classes of packets there
  /// Per node (channel × num_vls_ + VL): its position in the order found by acyclic() when that
  /// last returned true.
  std::vector<std::uint32_t> position_;
  std::vector<Permit> added_;  // what the last apply() has permitted, for undo()
};

}  // namespace selvedge::transition
