// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which cables have too many errors to be used. The subnet manager reads the error counters. From
// these values alone this decides which cable should be drained, within a limit of drains an hour.
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
  // The most errors of a port in a minute; 0: errors of this kind are ignored.
  double symbol_per_min = 10;
  double integrity_per_min = 1;
  double discards_per_min = 0;
  unsigned drains_per_hour = 2;
  friend bool operator==(const ErrorSettings&, const ErrorSettings&) = default;
};

/// How much the error counters of a switch port have grown within `seconds`.
struct ErrorReading {
  Guid node = 0;
  PortNum port = 0;
  double seconds = 0;
  std::uint64_t symbol = 0;     // SymbolErrorCounter
  std::uint64_t integrity = 0;  // LocalLinkIntegrityErrors and LinkErrorRecoveryCounter
  std::uint64_t discards = 0;   // PortXmitDiscards: the port was down or congested
};

/// If the port exceeds a limit: the rate that exceeds its limit most, as text. Else nullopt; also
/// if less than a second was observed.
std::optional<std::string> excess(const ErrorReading& reading, const ErrorSettings& settings);

class ErrorWatch {
 public:
  struct Decision {
    std::string why;     // text of excess()
    bool drain = false;  // false: the limit of drains an hour is reached
  };
  /// A decision if the port exceeds a limit; else nullopt. There is at most one decision for a port
  /// in an hour. So a cable that must stay in use is not tried again at every reading. A port's
  /// first reading is ignored: it includes all errors before.
  std::optional<Decision> judge(const ErrorReading& reading, const ErrorSettings& settings,
                                Instant now);
  /// Notes that the drain was refused or moved no traffic. So another cable may be drained instead.
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

/// The name of a port's cable in orders: "0x0002c902004ab3f8:4".
std::string cable_to_drain(const ErrorReading& reading);

}  // namespace selvedge
