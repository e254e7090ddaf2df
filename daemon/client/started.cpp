// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Sends and receives that were started and not waited for. The library has no thread: they go on in
// the calls that ask for completions or for what is ready.
//
//   selvedge_send_start --> sends_ --> ring ------> undelivered_ ------> acknowledged
//                                       | SELVEDGE_TAKEN                  | SELVEDGE_DELIVERED
//                                       +------> completions_ <-----------+
//   selvedge_receive_start -> receives_ -----------^ SELVEDGE_RECEIVED
#include <algorithm>
#include <utility>

#include "daemon/client/wait.hpp"

namespace ring = selvedge::ring;
using namespace selvedge::client;

namespace {
/// Limit on what is started and on completions that were not taken, together.
constexpr std::size_t kStartedMax = SELVEDGE_STARTED_MAX;

selvedge_completion completion(const Send& s, int kind, int error) {
  return {s.context, kind, error, s.tag, s.parts.bytes};
}
selvedge_completion completion(const Receive& r, int error) {
  return {r.context, SELVEDGE_RECEIVED, error, r.tag, r.length};
}
}  // namespace

int selvedge_connection::start_send(const Parts& parts, std::uint64_t tag, int kinds,
                                    void* context) {
  if (closing_ || sending_) return SELVEDGE_E_REQUEST;
  if (const int error = refusal(parts.bytes, tag)) return error;
  if (sends_.size() + undelivered_.size() + receives_.size() + completions_.size() >= kStartedMax)
    return SELVEDGE_E_FULL;
  if (ended()) return end_error();
  const bool headed = tag != 0 || parts.bytes > ring::kMessageBytesMax;
  sends_.push_back(
      {.parts = parts, .tag = tag, .kinds = kinds, .context = context, .headed = headed});
  unwritten_ = true;
  write_started();
  return 0;
}

int selvedge_connection::start_receive(const Parts& parts, void* context) {
  if (rx_next_ != rx_head_ || receiving_) return SELVEDGE_E_REQUEST;
  if (sends_.size() + undelivered_.size() + receives_.size() + completions_.size() >= kStartedMax)
    return SELVEDGE_E_FULL;
  receives_.push_back({.parts = parts, .context = context});
  return 0;
}

bool selvedge_connection::write_unwritten() {
  if (sending_) return false;
  while (!sends_.empty()) {
    Send& s = sends_.front();
    if (ended() || !write_more(s, ring::kMessageBytesMax)) return false;
    if ((s.kinds & SELVEDGE_TAKEN) != 0) completions_.push_back(completion(s, SELVEDGE_TAKEN, 0));
    if ((s.kinds & SELVEDGE_DELIVERED) != 0)
      undelivered_.push_back({tx_tail_, completion(s, SELVEDGE_DELIVERED, 0)});
    sends_.pop_front();
  }
  unwritten_ = false;
  return true;
}

void selvedge_connection::progress() {
  // Whether it has ended is asked first, so that all that was acknowledged before is seen.
  const bool over = ended();
  write_started();
  while (!undelivered_.empty() && undelivered_.front().position <= delivered()) {
    completions_.push_back(undelivered_.front().completion);
    undelivered_.pop_front();
  }
  while (!receives_.empty()) {
    Receive& r = receives_.front();
    Readable readable;
    int done = look_for(true, readable);
    if (done == SELVEDGE_E_TIMEOUT) break;
    if (done == 0) done = receive_more(r, readable);
    if (done == 0) continue;
    completions_.push_back(completion(r, done > 0 ? 0 : done));
    receives_.pop_front();
  }
  if (over) fail_started(end_error());
}

void selvedge_connection::fail_started(int error) {
  for (const Undelivered& u : std::exchange(undelivered_, {})) {
    completions_.push_back(u.completion);
    completions_.back().error = error;
  }
  for (const Send& s : std::exchange(sends_, {}))
    for (const int kind : {SELVEDGE_TAKEN, SELVEDGE_DELIVERED})
      if ((s.kinds & kind) != 0) completions_.push_back(completion(s, kind, error));
  for (const Receive& r : std::exchange(receives_, {}))
    completions_.push_back(completion(r, error));
}

int selvedge_connection::complete(selvedge_completion* completions, int count,
                                  const Deadline& deadline) {
  const auto any = [&] {
    if (completions_.empty()) progress();
    return !completions_.empty();
  };
  if (!any()) {
    const bool nothing = sends_.empty() && undelivered_.empty() && receives_.empty();
    if (nothing && ended()) return end_error();
    if (const int error = wait(deadline, ring::Waits::kForAnything, any)) {
      if (error == SELVEDGE_E_TIMEOUT) return error;
      fail_started(error);
      if (completions_.empty()) return error;
    }
  }
  int n = 0;
  for (; n < count && !completions_.empty(); ++n, completions_.pop_front())
    completions[n] = completions_.front();
  return n;
}
