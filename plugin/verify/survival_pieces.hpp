// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The bare graph under the tables: into which pieces do faults part the switches that have hosts?
//
// Of this room only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/verify/survival_damage.hpp"

namespace selvedge::survival {

class Pieces {
 public:
  Pieces(const prover::Wiring& wiring, const Elements& elements);

  /// Names the pieces that are left. Returns whether all working switches with hosts are in one.
  bool find(std::span<const std::uint8_t> failed);
  /// After find(): are both switches at work and in one piece?
  bool together(SwitchId a, SwitchId b) const {
    return piece_[a] == piece_[b] && piece_[a] != kNoPiece;
  }

  /// The elements each of which, failing too, would part working switches with hosts; false if they
  /// are apart already.
  bool find_cuts(std::span<const std::uint8_t> failed, Bits& cuts);

  /// The fewest elements whose loss parts two working switches with hosts, or most + 1 if it takes
  /// more than `most`. 0 if they are apart as it is.
  unsigned least_cut(unsigned most);

 private:
  static constexpr std::uint32_t kNoPiece = UINT32_MAX;
  struct Cable {
    SwitchId to;
    std::uint32_t number;  // the same at both ends
    Element element;       // kNoElement where switches fail
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
  std::vector<Element> of_switch_;  // empty where cables fail
  std::vector<std::uint32_t> first_;
  std::vector<Cable> cables_;
  std::uint32_t num_cables_ = 0;
  std::vector<std::uint8_t> has_hosts_;  // per switch
  std::vector<SwitchId> hosted_;         // switches that have some

  // Scratch, per switch.
  std::vector<std::uint32_t> piece_;
  std::vector<SwitchId> stack_;
  struct Visit {
    std::uint32_t number = 0;   // in the order of the search; 0 = not yet
    std::uint32_t low = 0;      // the lowest number that the subtree has a cable to
    std::uint32_t hosted = 0;   // switches with hosts in the subtree
    std::uint32_t parts = 0;    // pieces with hosts that come off if this switch fails
    std::uint32_t came_by = 0;  // the number of the cable
    std::uint32_t next = 0;     // cable to look at
  };
  std::vector<Visit> visits_;
};

}  // namespace selvedge::survival
