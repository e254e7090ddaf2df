// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Turns from cable to cable, permitted or not for each SL class, and an order of (channel, VL)
// which shows that the permitted turns are acyclic for all LFTs. lft_independent_deadlock_check.hpp
// proves that again, with code that shares nothing with this.
//
// A turn is numbered by its switch and the indexes of its two cables there, so that data about
// turns are flat arrays.
//
// Of this room only.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/verify/sl_rules.hpp"

namespace selvedge::transition {

using prover::SlMask;
using prover::VlMask;
using TurnId = std::uint32_t;

/// SL classes of a turn; the bit of a class is that of its lowest SL.
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
  /// The index of a port with a cable to a switch, in fabric.out() of its switch.
  std::size_t place(Channel port) const { return place_[port]; }
  /// SL classes that the tables do not drop at the turn.
  SlMask carried(TurnId t) const { return carried_[t]; }
  SlMask permitted(TurnId t) const { return permitted_[t]; }
  const Sl2VlRow& row(TurnId t) const { return *row_[t]; }

  /// Permits all of them (but SLs that the tables drop) if the graph stays acyclic; else none.
  bool add_all(const std::vector<Permit>& permits);
  /// Permits as many as fit, in order, by bisection of ranges that do not fit, up to a limit on the
  /// work.
  void add_acyclic_part(const std::vector<Permit>& permits);
  /// Permits, without a search, the turns that agree with the present order.
  void add_ordered_part(const std::vector<Permit>& permits);
  /// Permits them without a test.
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
  const Tables& tables_;
  const prover::SlRules& rules_;
  const unsigned num_vls_;
  std::vector<TurnId> first_;                // per switch
  std::vector<std::uint8_t> place_;          // per switch channel
  std::vector<const Sl2VlRow*> row_;         // per turn
  std::vector<SlMask> carried_, permitted_;  // per turn
  std::vector<VlMask> sourced_, vls_;        // [channel][SL class]: from sources; in all
  std::vector<SlMask> on_;                   // [channel][VL]: classes there
  std::vector<std::uint32_t> position_;      // per node (channel × VLs + VL), of the last success
  std::vector<Permit> added_;                // what apply() has changed
};

}  // namespace selvedge::transition
