// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which cases of Montañana 2008's Tables 6.1 and 6.2 a running network has met: the epochs of heads
// that had no credits when they were looked at.
#pragma once

#include <bitset>

#include "plugin/transition/epochs.hpp"

namespace selvedge::sim {

/// Epochs of 0 to 3 each. Later epochs are not recorded.
class EpochCases {
 public:
  static constexpr unsigned kEpochs = 4;

  void add(Epoch packet, Epoch routed, Epoch scheduled) {
    if (packet < kEpochs && routed < kEpochs && scheduled < kEpochs)
      seen_.set(index(packet, routed, scheduled));
  }
  /// Whether a head with these epochs (E_PCK, E_RTD, E_SCHD) has been looked at.
  bool seen(Epoch packet, Epoch routed, Epoch scheduled) const {
    return seen_.test(index(packet, routed, scheduled));
  }
  EpochCases& operator|=(const EpochCases& more) {
    seen_ |= more.seen_;
    return *this;
  }
  std::size_t count() const { return seen_.count(); }
  friend bool operator==(const EpochCases&, const EpochCases&) = default;

 private:
  static std::size_t index(Epoch packet, Epoch routed, Epoch scheduled) {
    return (std::size_t{packet} * kEpochs + routed) * kEpochs + scheduled;
  }
  std::bitset<kEpochs * kEpochs * kEpochs> seen_;
};

}  // namespace selvedge::sim
