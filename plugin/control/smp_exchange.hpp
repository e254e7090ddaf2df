// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The exchange of a batch of SMPs (tag_exchange.hpp) with their requests and answers.
#pragma once

#include <span>
#include <vector>

#include "plugin/control/tag_exchange.hpp"

namespace selvedge {

class SmpExchange : public TagExchange {
 public:
  /// `first_tag` and `grace` as in TagExchange.
  SmpExchange(std::span<const SmpRequest> requests, const SmpLimits& limits,
              std::uint32_t first_tag, std::chrono::nanoseconds grace);

  /// The request to be sent next, with its tag and time-out.
  SmpRequest next() const;
  std::size_t take(const SmpAnswer& answer);
  std::vector<SmpAnswer>& answers() { return answers_; }

 private:
  const std::span<const SmpRequest> requests_;
  std::vector<SmpAnswer> answers_;
};

}  // namespace selvedge
