// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Messages of which some packets have arrived and some have not. Searched linearly: there are few
// at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace selvedge::sim {

class Flights {
 public:
  /// A packet of message `tag` has arrived, which has `packets` packets. True for the last of them.
  bool landed(std::uint32_t tag, std::uint32_t packets) {
    if (packets == 1) return true;
    const auto of_tag = [tag](const Flight& f) { return f.tag == tag; };
    const auto flight = std::find_if(flights_.begin(), flights_.end(), of_tag);
    if (flight == flights_.end()) {
      flights_.push_back({tag, packets - 1});
      return false;
    }
    if (--flight->left > 0) return false;
    *flight = flights_.back();
    flights_.pop_back();
    return true;
  }

 private:
  struct Flight {
    std::uint32_t tag, left;
  };
  std::vector<Flight> flights_;
};

}  // namespace selvedge::sim
