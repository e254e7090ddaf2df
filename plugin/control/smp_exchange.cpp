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
      ask_(requests.size()),
      first_tag_(first_tag) {
  for (SmpAnswer& a : answers_) a.status = kSmpNoAnswer;
  std::iota(ask_.begin(), ask_.end(), std::size_t{0});
  begin_try();
}

void SmpExchange::begin_try() {
  open_.assign(ask_.size(), false);
  sent_ = under_way_ = 0;
}

SmpRequest SmpExchange::next() const {
  SmpRequest request = requests_[ask_[sent_]];
  request.tag = first_tag_ + static_cast<std::uint32_t>(sent_);
  request.timeout_ms = limits_.timeout_ms;
  return request;
}

void SmpExchange::sent(Instant now) {
  open_[sent_++] = true;
  ++under_way_;
  deadline_ = now + std::chrono::milliseconds(limits_.timeout_ms) + grace_;
}

void SmpExchange::expire() {
  ++tries_;
  first_tag_ = next_tag();
  std::erase_if(ask_, [&](std::size_t i) { return answers_[i].status != kSmpNoAnswer; });
  begin_try();
}

std::size_t SmpExchange::take(const SmpAnswer& answer) {
  const std::uint32_t at = answer.tag - first_tag_;
  if (at >= open_.size() || !open_[at]) return SIZE_MAX;
  open_[at] = false;
  --under_way_;
  const std::size_t index = ask_[at];
  answers_[index] = answer;
  if (sent_ == ask_.size() && under_way_ == 0) expire();
  return index;
}

}  // namespace selvedge
