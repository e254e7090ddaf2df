// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/tag_exchange.hpp"

#include <numeric>

namespace selvedge {

TagExchange::TagExchange(std::size_t requests, const SmpLimits& limits, std::uint32_t first_tag,
                         std::chrono::nanoseconds grace)
    : limits_(limits),
      grace_(grace),
      answered_(requests, false),
      unanswered_(requests),
      first_tag_(first_tag) {
  std::iota(unanswered_.begin(), unanswered_.end(), std::size_t{0});
  begin_try();
}

void TagExchange::begin_try() {
  open_.assign(unanswered_.size(), false);
  sent_ = outstanding_ = 0;
}

void TagExchange::sent(Instant now) {
  open_[sent_++] = true;
  ++outstanding_;
  deadline_ = now + std::chrono::milliseconds(limits_.timeout_ms) + grace_;
}

void TagExchange::expire() {
  ++tries_;
  first_tag_ = next_tag();
  std::erase_if(unanswered_, [&](std::size_t i) { return answered_[i]; });
  begin_try();
}

std::size_t TagExchange::take(std::uint32_t tag, bool answered) {
  const std::uint32_t at = tag - first_tag_;
  if (at >= open_.size() || !open_[at]) return SIZE_MAX;
  open_[at] = false;
  --outstanding_;
  const std::size_t index = unanswered_[at];
  if (answered) answered_[index] = true;
  if (sent_ == unanswered_.size() && outstanding_ == 0) expire();
  return index;
}

}  // namespace selvedge
