// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which cables err too often to be used. The subnet manager reads the error counters; this decides,
// from values alone, which cable should be drained, and drains no more than so many in an hour.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "plugin/control/clock.hpp"
#include "plugin/fabric/ids.hpp"

namespace selvedge {

struct ErrorSettings {
  enum class Action { kOff, kDryRun, kDrain };
  Action action = Action::kOff;
  // The most errors of a port in a minute; 0: this kind is not watched.
  double symbol_per_min = 10;
  double integrity_per_min = 1;
  double discards_per_min = 0;
  unsigned drains_per_hour = 2;
  friend bool operator==(const ErrorSettings&, const ErrorSettings&) = default;
};

/// What the counters of a switch's port have grown by in a time.
struct ErrorReading {
  Guid node = 0;
  PortNum port = 0;
  double seconds = 0;
  std::uint64_t symbol = 0;     // SymbolErrorCounter
  std::uint64_t integrity = 0;  // LocalLinkIntegrityErrors and LinkErrorRecoveryCounter
  std::uint64_t discards = 0;   // PortXmitDiscards: packets that waited for too long (congestion)
};

/// What is wrong with the port: its rate that is most above its limit, in words. nullopt: nothing.
std::optional<std::string> excess(const ErrorReading& reading, const ErrorSettings& settings);

class ErrorWatch {
 public:
  struct Decision {
    std::string why;     // as of excess()
    bool drain = false;  // false: the limit of drains in an hour is reached
  };
  /// A decision if the port errs too much. One port is decided about once an hour only, so that
  /// what stays in use for a reason is not tried again at every reading. A port's first reading is
  /// not judged: it has all that the counter gathered before anybody read it.
  std::optional<Decision> judge(const ErrorReading& reading, const ErrorSettings& settings,
                                Instant now);
  /// The cable was not drained after all, so that another one may be.
  void give_back(const ErrorReading& reading);

 private:
  struct Judged {
    Guid node;
    PortNum port;
    Instant when;
    bool drain;
  };
  std::deque<Judged> recent_;  // of the last hour, oldest first
  std::set<std::pair<Guid, PortNum>> seen_;
};

/// The name of a port's cable, as orders take it: "0x0002c902004ab3f8:4".
std::string cable_to_drain(const ErrorReading& reading);

}  // namespace selvedge
