// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Counts the packets of messages that have arrived only in part. The list is searched linearly,
// since there are few such messages at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace selvedge::sim {

class PartialMessages {
 public:
  /// A packet of message `tag` has arrived; the message has `packets` packets. True if all of them
  /// have arrived now.
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
