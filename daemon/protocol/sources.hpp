// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Limits on what one source (a peer's address, whatever its port) may open here, so that it cannot
// shut out others. A cookie has proved the address, so nobody uses up the limits of another one. A
// connection is half open until its peer has sent a packet with the token that kAccept told it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "daemon/protocol/limits.hpp"

namespace selvedge::protocol {

struct SourceLimits {
  std::uint32_t connections = kSourceConnectionsDefault;
  std::uint32_t half_open = kSourceHalfOpenDefault;
  std::uint32_t new_per_second = kSourceNewPerSecondDefault;
  friend bool operator==(const SourceLimits&, const SourceLimits&) = default;
};

/// The workers of a daemon count together. The lock is taken once or twice in the life of a
/// connection, never for a packet.
class Sources {
 public:
  using Source = std::array<std::byte, 32>;

  /// Counts a new, half-open connection; false: a limit forbids it.
  bool admit(TimeNs now, const Source& source, const SourceLimits& limits);
  /// To be called when the peer of a half-open connection has proved that it got kAccept.
  void confirm(const Source& source);
  void close(const Source& source, bool half_open);
  /// How many sources are remembered: those with connections, and those that tried to open one
  /// since the present second began.
  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return uses_.size();
  }

 private:
  struct Use {
    std::uint32_t connections = 0, half_open = 0, new_in_second = 0;
  };
  mutable std::mutex mutex_;
  std::map<Source, Use> uses_;
  TimeNs second_ = 0;
};

}  // namespace selvedge::protocol
