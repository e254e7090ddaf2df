// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths to one DLID. Each switch has one LFT entry for it, so the entries form a forest, rooted
// where paths end, unless they contain a cycle. Removing switches from the leaves inwards visits
// children before parents. Switches that cannot be removed lie on a cycle. This needs no recursion
// and touches each (switch, DLID) a fixed number of times.
#pragma once

#include <span>
#include <vector>

#include "plugin/verify/sl_rules.hpp"
#include "plugin/verify/wiring.hpp"

namespace selvedge::prover {

class DestinationTree {
 public:
  explicit DestinationTree(const Wiring& wiring);

  /// Takes the LFT entries of all switches for this DLID.
  void load(Lid dlid, const PortNum* next);

  std::uint32_t size() const { return switches_; }
  /// The switch that s forwards to; size() or more if it forwards to none.
  SwitchId parent(SwitchId s) const { return parent_[s]; }
  bool forwards(SwitchId s) const { return parent_[s] < switches_; }
  /// The channel by which s forwards; only if it forwards to a switch, or delivers.
  Channel out(SwitchId s) const { return wiring_->first[s] + next_[s]; }
  PortNum out_port(SwitchId s) const { return next_[s]; }
  bool delivers(SwitchId s) const { return parent_[s] > switches_; }

  /// Switches that are on no cycle, children before parents.
  std::span<const SwitchId> order() const { return {order_.data(), ordered_}; }
  bool loops() const { return ordered_ < switches_; }
  /// Switches on cycles; linear in the fabric.
  std::vector<SwitchId> on_cycles() const;

  /// For each switch the SLs with which a packet that leaves it arrives at the DLID's owner: none
  /// if its path ends elsewhere or loops. `rows` = nullptr: SL2VL tables drop nothing. Returns how
  /// many switches have none.
  std::uint32_t resolve(const RowMasks* rows);
  SlMask arriving(SwitchId s) const { return arriving_[s]; }

 private:
  const Wiring* wiring_;
  std::uint32_t switches_;
  const PortNum* next_ = nullptr;
  std::vector<SwitchId> parent_;        // switches_: the path ends; switches_ + 1: it is delivered
  std::vector<std::uint32_t> pending_;  // children not yet in the order
  std::vector<SwitchId> order_;
  std::uint32_t ordered_ = 0;
  std::vector<SlMask> arriving_;  // and two more: path ends, packet is delivered
};

}  // namespace selvedge::prover
