// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The SMP protocol, as a value: which request is sent next, how many are outstanding, which answer
// belongs to which request, which answer is late, and which request is sent again.
//
// A batch is tried up to SmpLimits::tries times. Each try sends, in order, the requests without an
// answer so far. It ends when all of these are answered, or when the last one sent has timed out.
// Every request of every try has its own tag, so that a late answer of an earlier try, or a
// duplicate, is recognised and dropped.
#pragma once

#include <span>
#include <vector>

#include "plugin/control/clock.hpp"
#include "plugin/control/smp.hpp"

namespace selvedge {

class SmpExchange {
 public:
  /// `first_tag`: no outstanding answer may have this tag or a following one.
  /// `grace`: how long after a request's own time-out its answer is still waited for.
  SmpExchange(std::span<const SmpRequest> requests, const SmpLimits& limits,
              std::uint32_t first_tag, std::chrono::nanoseconds grace);

  bool done() const { return unanswered_.empty() || tries_ >= limits_.tries; }
  /// May another request be sent now?
  bool may_send() const {
    return !done() && sent_ < unanswered_.size() && outstanding_ < limits_.outstanding_max;
  }
  /// The request to be sent next, with its tag and time-out.
  SmpRequest next() const;
  /// next() was sent.
  void sent(Instant now);
  std::size_t outstanding() const { return outstanding_; }
  /// If no answer has arrived by then, call expire().
  Instant deadline() const { return deadline_; }
  /// Ends this try; the next one sends the requests without an answer.
  void expire();
  /// The index of the request that it answers; SIZE_MAX for a late answer or a duplicate.
  std::size_t take(const SmpAnswer& answer);

  std::vector<SmpAnswer>& answers() { return answers_; }
  /// The first tag of the following exchange.
  std::uint32_t next_tag() const {
    return first_tag_ + static_cast<std::uint32_t>(unanswered_.size());
  }

 private:
  void begin_try();

  const std::span<const SmpRequest> requests_;
  const SmpLimits limits_;
  const std::chrono::nanoseconds grace_;
  std::vector<SmpAnswer> answers_;
  unsigned tries_ = 0;                   // that are over
  std::vector<std::size_t> unanswered_;  // of this try: indices into requests_
  std::vector<bool> open_;               // per entry of unanswered_: outstanding
  std::size_t sent_ = 0, outstanding_ = 0;
  std::uint32_t first_tag_ = 0;  // of this try
  Instant deadline_{};
};

}  // namespace selvedge
