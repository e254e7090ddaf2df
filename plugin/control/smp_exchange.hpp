// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The SMP protocol, as a value: who is asked what, how many requests are under way at once, which
// answer belongs to which request, which is late, and who is asked again.
//
// A batch is tried up to SmpLimits::tries times. Each try asks, in order, for what has no answer
// yet. It ends when all that it asked for is answered, or when nothing has come for a time-out.
// Every request of every try has a tag of its own, so that a late answer of an earlier try, or a
// second copy, is recognised and dropped.
#pragma once

#include <span>
#include <vector>

#include "plugin/control/clock.hpp"
#include "plugin/control/smp.hpp"

namespace selvedge {

class SmpExchange {
 public:
  /// `first_tag`: no answer under way may have this tag or one of the next.
  /// `grace`: how long after a request's own time-out its answer is still waited for.
  SmpExchange(std::span<const SmpRequest> requests, const SmpLimits& limits,
              std::uint32_t first_tag, std::chrono::nanoseconds grace);

  bool done() const { return ask_.empty() || tries_ >= limits_.tries; }
  /// May another request be sent now?
  bool may_send() const { return !done() && sent_ < ask_.size() && under_way_ < limits_.under_way; }
  /// The request to be sent next, with its tag and time-out.
  SmpRequest next() const;
  /// It was sent.
  void sent(Instant now);
  std::size_t under_way() const { return under_way_; }
  /// Without an answer until then, expire() is due.
  Instant deadline() const { return deadline_; }
  /// This try is over: what it has not got, the next one asks for.
  void expire();
  /// The index of the request that it answers; SIZE_MAX for a late answer, or a copy.
  std::size_t take(const SmpAnswer& answer);

  std::vector<SmpAnswer>& answers() { return answers_; }
  /// For the exchange that follows.
  std::uint32_t next_tag() const { return first_tag_ + static_cast<std::uint32_t>(ask_.size()); }

 private:
  void begin_try();

  const std::span<const SmpRequest> requests_;
  const SmpLimits limits_;
  const std::chrono::nanoseconds grace_;
  std::vector<SmpAnswer> answers_;
  unsigned tries_ = 0;            // that are over
  std::vector<std::size_t> ask_;  // of this try: indices into requests_
  std::vector<bool> open_;        // of ask_: under way
  std::size_t sent_ = 0, under_way_ = 0;
  std::uint32_t first_tag_ = 0;  // of this try
  Instant deadline_{};
};

}  // namespace selvedge
