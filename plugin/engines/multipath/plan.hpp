// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which path bits each LID of a host has. The paper has a bit for each cycle (Kim 2007 §3.2); IBA
// ends at LMC 7 (IBA 1.3 §4.1.1), and an LFT cannot see a packet's SLID. So offset 0, the base LID,
// is the default path. Offset o > 0 has the bits o, the first bit the highest. With fewer LIDs than
// strings some cycles have no bit, and the string of zeros has no LID. With one LMC bit more than
// cycles, every string has a LID: that bit is the paper's "indication bit" (§3.3).
#pragma once

#include <array>
#include <string>

#include "plugin/engines/multipath/entries.hpp"

namespace selvedge::multipath {

struct BitPlan {
  SwitchGraph graph;
  Components pieces;
  SimpleGraph simple;
  Cycles cycles;
  std::uint32_t limit = 0;  // path_limit()
  /// Per LMC that hosts have: the bits of each component.
  std::array<std::vector<KeptBits>, kMaxLmc + 1> kept;

  /// The string of a LID of this offset, from 1.
  static std::uint32_t string_of(const KeptBits& kept, unsigned offset) {
    return offset & (kept.strings() - 1);
  }
};
/// Plans the bits of each LMC that some host has.
BitPlan plan_bits(const Fabric& fabric);

/// The path bits of a host's LID as text, P1 first; "-" for the default path.
std::string lid_bits(const Fabric& fabric, const BitPlan& plan, const Host& host, unsigned offset);

}  // namespace selvedge::multipath
