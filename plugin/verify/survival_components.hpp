// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The connected components of the physical graph that faults leave, without the tables. Only
// components with hosts count.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/verify/survival_damage.hpp"

namespace selvedge::survival {

class ConnectedComponents {
 public:
  ConnectedComponents(const prover::Wiring& wiring, const Elements& elements);

  /// Finds the components that remain when `failed` (per element) has failed. Returns whether all
  /// working switches with hosts are in one component.
  bool find(std::span<const std::uint8_t> failed);
  /// Valid after find(): whether both switches work and are in one component.
  bool connected(SwitchId a, SwitchId b) const {
    return component_[a] == component_[b] && component_[a] != kNoComponent;
  }

  /// Finds the elements each of which would disconnect working switches with hosts if it failed
  /// too. Returns false if such switches are disconnected already.
  bool find_cuts(std::span<const std::uint8_t> failed, Bits& cuts);

  /// The least number of elements whose failure disconnects two working switches with hosts; most +
  /// 1 if that number exceeds `most`; 0 if two are disconnected already.
  unsigned least_cut(unsigned most);

 private:
  static constexpr std::uint32_t kNoComponent = UINT32_MAX;
  struct Cable {
    SwitchId to;
    std::uint32_t number;  // the number of the cable, the same at both ends
    Element element;       // the element of the cable; kNoElement for FaultKind::kSwitches
  };

  std::span<const Cable> cables(SwitchId s) const {
    return {cables_.data() + first_[s], first_[s + 1] - first_[s]};
  }
  bool works(SwitchId s, std::span<const std::uint8_t> failed) const {
    return of_switch_.empty() || (of_switch_[s] != kNoElement && failed[of_switch_[s]] == 0);
  }
  bool works(const Cable& c, std::span<const std::uint8_t> failed) const {
    return of_switch_.empty() ? failed[c.element] == 0 : works(c.to, failed);
  }

  std::uint32_t elements_;
  std::vector<Element> of_switch_;  // per switch: its element; empty for FaultKind::kLinks
  std::vector<std::uint32_t> first_;
  std::vector<Cable> cables_;
  std::uint32_t num_cables_ = 0;
  std::vector<std::uint8_t> has_hosts_;  // per switch: whether it has hosts
  std::vector<SwitchId> hosted_;         // all switches that have hosts

  // Scratch memory of the searches, per switch.
  std::vector<std::uint32_t> component_;
  std::vector<SwitchId> stack_;
  struct Visit {
    std::uint32_t number = 0;   // from 1, in the order of the search; 0: not visited
    std::uint32_t low = 0;      // the lowest number that a cable from its subtree leads to
    std::uint32_t hosted = 0;   // switches with hosts in the subtree
    std::uint32_t parts = 0;    // subtrees with hosts that the switch's failure cuts off
    std::uint32_t came_by = 0;  // number of the cable by which the search came
    std::uint32_t next = 0;     // index of the next cable to follow
  };
  std::vector<Visit> visits_;
};

}  // namespace selvedge::survival
