// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/smp_exchange.hpp"

#include <numeric>

namespace selvedge {

SmpExchange::SmpExchange(std::span<const SmpRequest> requests, const SmpLimits& limits,
                         std::uint32_t first_tag, std::chrono::nanoseconds grace)
    : requests_(requests),
      limits_(limits),
      grace_(grace),
      answers_(requests.size()),
      unanswered_(requests.size()),
      first_tag_(first_tag) {
  for (SmpAnswer& a : answers_) a.status = kSmpNoAnswer;
  std::iota(unanswered_.begin(), unanswered_.end(), std::size_t{0});
  begin_try();
}

void SmpExchange::begin_try() {
  open_.assign(unanswered_.size(), false);
  sent_ = outstanding_ = 0;
}

SmpRequest SmpExchange::next() const {
  SmpRequest request = requests_[unanswered_[sent_]];
  request.tag = first_tag_ + static_cast<std::uint32_t>(sent_);
  request.timeout_ms = limits_.timeout_ms;
  return request;
}

void SmpExchange::sent(Instant now) {
  open_[sent_++] = true;
  ++outstanding_;
  deadline_ = now + std::chrono::milliseconds(limits_.timeout_ms) + grace_;
}

void SmpExchange::expire() {
  ++tries_;
  first_tag_ = next_tag();
  std::erase_if(unanswered_, [&](std::size_t i) { return answers_[i].status != kSmpNoAnswer; });
  begin_try();
}

std::size_t SmpExchange::take(const SmpAnswer& answer) {
  const std::uint32_t at = answer.tag - first_tag_;
  if (at >= open_.size() || !open_[at]) return SIZE_MAX;
  open_[at] = false;
  --outstanding_;
  const std::size_t index = unanswered_[at];
  answers_[index] = answer;
  if (sent_ == unanswered_.size() && outstanding_ == 0) expire();
  return index;
}

}  // namespace selvedge
