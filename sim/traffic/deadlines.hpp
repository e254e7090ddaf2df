// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The deadlines of a stream's frames (Kim 2007 §4): each is a period after the one before; but if a
// frame misses its deadline, the next one is due a period after the arrival of that frame. The
// paper does not say when the first frame is due; that is handed in.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/engine/ticks.hpp"

namespace selvedge::sim {

class Deadlines {
 public:
  /// `first`: the deadline of frame 0.
  Deadlines(Tick first, Tick period) : anchor_(first), period_(period) {}

  Tick of(std::uint32_t frame) const {
    return anchor_ + (Tick{frame} - Tick{anchor_frame_}) * period_;
  }
  /// Frame number `frame` arrived at `at`. Returns by how much it missed its deadline; 0: it did
  /// not.
  Tick arrived(std::uint32_t frame, Tick at) {
    const Tick late = at - of(frame);
    if (late <= 0) return 0;
    // Frames may overtake each other; an old one does not bring the deadlines back.
    if (frame >= anchor_frame_) {
      anchor_ = at;
      anchor_frame_ = frame;
    }
    return late;
  }

 private:
  Tick anchor_;
  Tick period_;
  std::uint32_t anchor_frame_ = 0;  // whose deadline is anchor_, or which arrived then, too late
};

}  // namespace selvedge::sim
