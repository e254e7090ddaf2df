// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What each local user has at the daemon, and the limits that keep one user from shutting out the
// others. The memory of rings counts as reserved, because an application can touch all of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "daemon/protocol/connection.hpp"

namespace selvedge::service {

struct UserLimits {
  unsigned clients = 128, connections = 16'384;
  std::uint64_t ring_bytes = std::uint64_t{64} << 30;       ///< of one user
  std::uint64_t all_ring_bytes = std::uint64_t{128} << 30;  ///< of all together
};

class Users {
 public:
  struct Use {
    unsigned clients = 0, connections = 0;
    std::uint64_t ring_bytes = 0;
  };

  /// Why the user may not have another application or connection, as a ring::Message::error; 0: it
  /// may.
  std::uint32_t refuses_client(unsigned user, const UserLimits& limits) const;
  std::uint32_t refuses_connection(unsigned user, std::uint64_t ring_bytes,
                                   const UserLimits& limits) const;

  void add_client(unsigned user) { ++uses_[user].clients; }
  void remove_client(unsigned user);
  /// Counts a connection and its rings until release(); `ring_bytes`: of both rings.
  void reserve(protocol::ConnectionId id, unsigned user, std::uint64_t ring_bytes);
  /// Does nothing for a connection that is not counted.
  void release(protocol::ConnectionId id);
  /// The user who has the connection; nothing if it is not counted.
  std::optional<unsigned> user(protocol::ConnectionId id) const;
  /// The bytes of both rings of a connection, as reserve() counted them; 0 if it is not counted.
  std::uint64_t ring_bytes(protocol::ConnectionId id) const;

  std::uint64_t all_ring_bytes() const { return all_ring_bytes_; }
  /// The users who have an application or a connection.
  const std::map<unsigned, Use>& uses() const { return uses_; }

 private:
  struct Reserved {
    unsigned user = 0;
    std::uint64_t ring_bytes = 0;
  };
  Use use(unsigned user) const;
  void forget_if_unused(unsigned user);

  std::map<unsigned, Use> uses_;
  std::map<protocol::ConnectionId, Reserved> reserved_;
  std::uint64_t all_ring_bytes_ = 0;
};

}  // namespace selvedge::service
