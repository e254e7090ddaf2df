// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths to one DLID. Each switch has one LFT entry for the DLID. So the entries form a forest,
// rooted where paths end, unless they contain a cycle. Repeatedly removing a switch to which no
// remaining switch forwards visits children before parents. Switches that cannot be removed lie on
// a cycle. The algorithm needs no recursion and touches each (switch, DLID) a fixed number of
// times.
#pragma once

#include <span>
#include <vector>

#include "plugin/verify/sl_rules.hpp"
#include "plugin/verify/wiring.hpp"

namespace selvedge::prover {

class DestinationTree {
 public:
  explicit DestinationTree(const Wiring& wiring);

  /// Loads the tree of a DLID. `next`: its LFT entries, indexed by switch; must outlive the tree's
  /// use.
  void load(Lid dlid, const PortNum* next);

  std::uint32_t size() const { return switches_; }
  /// The switch to which s forwards; size() or more if s forwards to no switch.
  SwitchId parent(SwitchId s) const { return parent_[s]; }
  bool forwards(SwitchId s) const { return parent_[s] < switches_; }
  /// The channel by which s forwards. Valid only if s forwards to a switch, or delivers.
  Channel out(SwitchId s) const { return wiring_->first[s] + next_[s]; }
  PortNum out_port(SwitchId s) const { return next_[s]; }
  bool delivers(SwitchId s) const { return parent_[s] > switches_; }

  /// Switches that are on no cycle, children before parents.
  std::span<const SwitchId> order() const { return {order_.data(), ordered_}; }
  bool loops() const { return ordered_ < switches_; }
  /// Switches on cycles, in time linear in the number of switches.
  std::vector<SwitchId> on_cycles() const;

  /// Computes for each switch the SLs on which a packet that leaves it arrives at the DLID's owner:
  /// no SL if its path ends elsewhere or loops. `rows` = nullptr: SL2VL tables drop nothing.
  /// Returns the number of switches from which no SL arrives.
  std::uint32_t resolve(const RowMasks* rows);
  SlMask arriving(SwitchId s) const { return arriving_[s]; }

 private:
  const Wiring* wiring_;
  std::uint32_t switches_;
  const PortNum* next_ = nullptr;
  std::vector<SwitchId> parent_;        // switches_: the path ends; switches_ + 1: delivered
  std::vector<std::uint32_t> pending_;  // per switch: children not yet in the order
  std::vector<SwitchId> order_;
  std::uint32_t ordered_ = 0;
  std::vector<SlMask> arriving_;  // [switch]; then two entries, for "path ends" and "delivered"
};

}  // namespace selvedge::prover
