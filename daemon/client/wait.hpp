// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// This file defines how a call of libselvedge waits for a condition of a connection.
#pragma once

#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>

#include <chrono>

#include "daemon/client/connection.hpp"

template <class Ready>
int selvedge_connection::wait(const selvedge::client::Deadline& deadline,
                              selvedge::ring::Waits what, Ready&& ready) {
  // A daemon that polls reacts within microseconds, so this call spins first. It yields, because
  // the daemon may need this core. If the daemon sleeps or the peer is slow, the wait is so long
  // that a system call does not matter. But a thousand threads that all spin take the daemon's
  // time; so after a wait in which spinning was of no use no wait spins, until a sleep is so short
  // that spinning would have been of use. And where others take the core at each yield, a hundred
  // of them take so long that a sleep costs less. A wait that spins makes ten all the same: between
  // two busy daemons on two cores a few take 100 us, and a sleep costs the daemon a system call.
  // But not for longer than kSpinMax: if so many want the core, each yield takes it from them for
  // nothing.
  using Clock = std::chrono::steady_clock;
  constexpr int kLeastYields = 10;
  constexpr std::chrono::microseconds kSpin(100), kSpinMax(500), kShortSleep(200);
  if (ready()) return 0;
  const auto began = Clock::now();
  for (int spin = 0; spin < (spins_ ? 100 : 0) && !deadline.no_wait(); ++spin) {
    sched_yield();
    const auto took = Clock::now() - began;
    if (ready()) {
      spins_ = took < kSpinMax;
      return 0;
    }
    if (took >= kSpinMax || (took >= kSpin && (spin + 1 >= kLeastYields || deadline.expired())))
      break;
  }
  const auto slept = spins_ ? Clock::now() : began;
  if (!deadline.no_wait()) spins_ = false;
  for (;;) {
    arm(what);
    if (ready()) break;
    const bool last = deadline.expired();
    if (daemon_is_gone(last ? 0 : deadline.remaining_ms())) {
      if (ready()) break;
      return SELVEDGE_E_NO_DAEMON;
    }
    if (last) return SELVEDGE_E_TIMEOUT;
  }
  spins_ = Clock::now() - slept < kShortSleep;
  segment_.control().application_waits.store(selvedge::ring::Waits::kNo, std::memory_order_relaxed);
  return 0;
}
