// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A packet's part of a message.
#pragma once

#include <cstdint>

#include "sim/engine/ticks.hpp"

namespace selvedge::sim {

/// From when its packet is given to the protocol until the peer's application has it.
struct Piece {
  Tick at = 0;            // when its message was generated
  std::uint32_t tag = 0;  // of its message
  std::uint16_t bytes = 0;
  bool last = false;  // of its message
};

}  // namespace selvedge::sim
