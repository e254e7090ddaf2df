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
int selvedge_connection::wait(const selvedge::client::Deadline& deadline, Ready&& ready) {
  // A daemon that polls reacts within microseconds, so this call spins first. It yields, because
  // the daemon may need this core. If the daemon sleeps or the peer is slow, the wait is so long
  // that a system call does not matter. But a thousand threads that all spin take the daemon's
  // time; so after a wait in which spinning was of no use, only every 16th wait spins. And where
  // others take the core at each yield, a hundred of them take so long that a sleep costs less.
  // A wait that spins makes ten all the same: between two busy daemons on two cores a few take
  // 100 us, and a sleep costs the daemon a system call.
  constexpr int kLeastYields = 10;
  if (ready()) return 0;
  const bool spins = spins_ || ++waits_ % 16 == 0;
  using Clock = std::chrono::steady_clock;
  const auto began = spins ? Clock::now() : Clock::time_point{};
  for (int spin = 0; spin < (spins ? 100 : 1) && !deadline.no_wait(); ++spin) {
    sched_yield();
    if (ready()) {
      spins_ = true;
      return 0;
    }
    if (spins && Clock::now() - began >= std::chrono::microseconds(100) &&
        (spin + 1 >= kLeastYields || deadline.expired()))
      break;
  }
  if (!deadline.no_wait()) spins_ = false;
  for (;;) {
    arm();
    if (ready()) break;
    const bool last = deadline.expired();
    if (daemon_is_gone(last ? 0 : deadline.remaining_ms())) {
      if (ready()) break;
      return SELVEDGE_E_NO_DAEMON;
    }
    if (last) return SELVEDGE_E_TIMEOUT;
  }
  segment_.control().application_waits.store(0, std::memory_order_relaxed);
  return 0;
}
