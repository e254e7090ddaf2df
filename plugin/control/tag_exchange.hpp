// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The exchange of a batch of requests as a state machine without I/O, whatever they hold: which
// request is sent next, how many are outstanding, to which request an answer belongs, and which
// requests are sent again.
//
// A batch is tried up to SmpLimits::tries times. Each try sends, in order, the requests without an
// answer so far. A try ends when all of these are answered, or when the request sent last has timed
// out. Every request of every try has its own tag, so that a late answer to an earlier try, or a
// duplicate, is recognised and dropped.
#pragma once

#include <vector>

#include "plugin/control/clock.hpp"
#include "plugin/control/smp.hpp"

namespace selvedge {

class TagExchange {
 public:
  struct Next {
    std::size_t request;  // its index
    std::uint32_t tag;
  };

  /// `first_tag`: the batch uses this tag and the following ones; no answer that may still arrive
  /// may have one of them. `grace`: how long after a request's time-out its answer is still
  /// accepted.
  TagExchange(std::size_t requests, const SmpLimits& limits, std::uint32_t first_tag,
              std::chrono::nanoseconds grace);

  bool done() const { return unanswered_.empty() || tries_ >= limits_.tries; }
  /// Whether another request may be sent now.
  bool may_send() const {
    return !done() && sent_ < unanswered_.size() && outstanding_ < limits_.outstanding_max;
  }
  /// The request to be sent next.
  Next next() const { return {unanswered_[sent_], first_tag_ + static_cast<std::uint32_t>(sent_)}; }
  /// Notes that the request next() was sent at time `now`.
  void sent(Instant now);
  std::size_t outstanding() const { return outstanding_; }
  /// The time at which the caller must call expire() if no answer has arrived by then.
  Instant deadline() const { return deadline_; }
  /// Ends this try. The next try sends the requests without an answer.
  void expire();
  /// Takes an answer and returns the index of its request; SIZE_MAX for a late answer or a
  /// duplicate, which is dropped. `answered`: false for a report that no answer came in time.
  std::size_t take(std::uint32_t tag, bool answered);

  unsigned timeout_ms() const { return limits_.timeout_ms; }
  /// The first tag that this exchange has not used; the following exchange may begin with it.
  std::uint32_t next_tag() const {
    return first_tag_ + static_cast<std::uint32_t>(unanswered_.size());
  }

 private:
  void begin_try();

  const SmpLimits limits_;
  const std::chrono::nanoseconds grace_;
  unsigned tries_ = 0;                      // how many tries have ended
  std::vector<bool> answered_;              // per request
  std::vector<std::size_t> unanswered_;     // the requests of this try
  std::vector<bool> open_;                  // per entry of unanswered_: whether it is outstanding
  std::size_t sent_ = 0, outstanding_ = 0;  // numbers of requests in this try
  std::uint32_t first_tag_ = 0;             // the tag of this try's first request
  Instant deadline_{};
};

}  // namespace selvedge
