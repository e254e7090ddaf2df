// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Messages of which some packets have arrived and some have not. Searched linearly: there are few
// at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace selvedge::sim {

class PartialMessages {
 public:
  /// A packet of message `tag` has arrived, which has `packets` packets. True for the last of them.
  bool add_packet(std::uint32_t tag, std::uint32_t packets) {
    if (packets == 1) return true;
    const auto of_tag = [tag](const Partial& f) { return f.tag == tag; };
    const auto partial = std::find_if(partial_.begin(), partial_.end(), of_tag);
    if (partial == partial_.end()) {
      partial_.push_back({tag, packets - 1});
      return false;
    }
    if (--partial->left > 0) return false;
    *partial = partial_.back();
    partial_.pop_back();
    return true;
  }

 private:
  struct Partial {
    std::uint32_t tag, left;
  };
  std::vector<Partial> partial_;
};

}  // namespace selvedge::sim
