// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#pragma once

#include <optional>

#include "plugin/verify/wiring.hpp"

namespace selvedge::test {

/// Whether all attached hosts are connected with each other.
inline bool whole(const Fabric& left) {
  const prover::Wiring wiring(left);
  std::optional<std::uint32_t> piece;
  for (HostId h = 0; h < left.num_hosts(); ++h) {
    if (!left.attached(h)) continue;
    const std::uint32_t here = wiring.component[wiring.host_at[h]];
    if (piece.value_or(here) != here) return false;
    piece = here;
  }
  return true;
}

}  // namespace selvedge::test
