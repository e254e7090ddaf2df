// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/smp_exchange.hpp"

namespace selvedge {

SmpExchange::SmpExchange(std::span<const SmpRequest> requests, const SmpLimits& limits,
                         std::uint32_t first_tag, std::chrono::nanoseconds grace)
    : TagExchange(requests.size(), limits, first_tag, grace),
      requests_(requests),
      answers_(requests.size()) {
  for (SmpAnswer& a : answers_) a.status = kSmpNoAnswer;
}

SmpRequest SmpExchange::next() const {
  const Next next = TagExchange::next();
  SmpRequest request = requests_[next.request];
  request.tag = next.tag;
  request.timeout_ms = timeout_ms();
  return request;
}

std::size_t SmpExchange::take(const SmpAnswer& answer) {
  const std::size_t index = TagExchange::take(answer.tag, answer.status != kSmpNoAnswer);
  if (index != SIZE_MAX) answers_[index] = answer;
  return index;
}

}  // namespace selvedge
