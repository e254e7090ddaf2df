// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// PathDelays lets the peer measure how long its packets are in the network, for each path: without
// the time that either machine takes to handle them (as in Swift, SIGCOMM 2020), and without
// clocks that agree.
//
//   data packet: a stamp, the sender's time t0      report: the stamp + (t2 - t1)
//
//     sender  t0 ----------------------------> t1 ... t2 ----------------------> t3  sender
//                                              receiver
//
// t1 and t3 are the times at which the kernel received the packets; where the transport does not
// tell them, they are when the daemon read them. In the network is what t3 minus the echo says. Of
// all packets since the last report, the one with the least delay is echoed.
#pragma once

#include <array>
#include <cstdint>

#include "daemon/protocol/wire.hpp"

namespace selvedge::protocol {

/// What the transport knows about how a datagram arrived.
struct Seen {
  TimeNs arrived_ns = 0;  ///< when the kernel received it; 0: unknown
  bool marked = false;    ///< a mark of congestion (ECN, RFC 3168)
};

/// Times on the wire have 16 bits and this unit: 16 µs, so they wrap after a second.
inline constexpr unsigned kStampShift = 14;
constexpr std::uint16_t stamp_of(TimeNs t) { return static_cast<std::uint16_t>(t >> kStampShift); }
/// What has passed since an echo. Clocks are read at four places, so that may seem to be less than
/// nothing.
constexpr TimeNs since(std::uint16_t echo, TimeNs t) {
  const auto units = static_cast<std::uint16_t>(stamp_of(t) - echo);
  return units > 0xfff0 ? 0 : TimeNs{units} << kStampShift;
}

class PathDelays {
 public:
  void on_data(std::uint8_t path, std::uint16_t stamp, TimeNs now, const Seen& seen) {
    const auto bit = static_cast<std::uint16_t>(1u << path);
    const auto took =
        static_cast<std::uint16_t>(stamp_of(seen.arrived_ns != 0 ? seen.arrived_ns : now) - stamp);
    // The clocks differ by anything, so only differences have a meaning.
    if ((seen_ & bit) == 0 || static_cast<std::int16_t>(took - least_[path]) < 0)
      least_[path] = took;
    seen_ |= bit;
    if (seen.marked) marked_ |= bit;
  }
  void take(TimeNs now, Report& report) {
    report.delay_count = 0;
    for (std::uint8_t path = 0; seen_ != 0; ++path, seen_ >>= 1, marked_ >>= 1)
      if ((seen_ & 1) != 0)
        report.delays[report.delay_count++] = {
            path, (marked_ & 1) != 0, static_cast<std::uint16_t>(stamp_of(now) - least_[path])};
    marked_ = 0;
  }

 private:
  std::uint16_t seen_ = 0, marked_ = 0;  // bit i: path i, since the last report
  std::array<std::uint16_t, kPathsMax> least_{};
};

}  // namespace selvedge::protocol
