// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests the limits of local users against a list of all that they have.
#include "daemon/service/users.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "daemon/ring/control.hpp"

namespace selvedge::service {
namespace {

RC_GTEST_PROP(Users, HaveWhatAListSaysAndNoMoreThanTheLimits, ()) {
  struct Had {
    unsigned user;
    std::uint64_t bytes;
  };
  const UserLimits limits{.clients = *rc::gen::inRange(1u, 4u),
                          .connections = *rc::gen::inRange(1u, 6u),
                          .ring_bytes = *rc::gen::inRange<std::uint64_t>(1, 40),
                          .all_ring_bytes = *rc::gen::inRange<std::uint64_t>(1, 80)};
  Users users;
  std::map<protocol::ConnectionId, Had> connections;
  std::vector<unsigned> clients;
  protocol::ConnectionId next = 0;
  for (int step = 0; step < 200; ++step) {
    const auto user = *rc::gen::inRange(0u, 3u);
    switch (*rc::gen::inRange(0, 4)) {
      case 0: {
        const bool full = std::ranges::count(clients, user) >= limits.clients;
        RC_ASSERT(users.refuses_client(user, limits) == (full ? ring::kUserClients : 0u));
        if (full) break;
        users.add_client(user);
        clients.push_back(user);
        break;
      }
      case 1:
        if (const auto it = std::ranges::find(clients, user); it != clients.end()) {
          users.remove_client(user);
          clients.erase(it);
        }
        break;
      case 2: {
        const auto bytes = *rc::gen::inRange<std::uint64_t>(0, 20);
        std::uint64_t own = 0, all = 0, count = 0;
        for (const auto& [id, had] : connections) {
          all += had.bytes;
          if (had.user == user) own += had.bytes, ++count;
        }
        const std::uint32_t want = count >= limits.connections           ? ring::kUserConnections
                                   : own + bytes > limits.ring_bytes     ? ring::kUserRings
                                   : all + bytes > limits.all_ring_bytes ? ring::kAllRings
                                                                         : 0;
        RC_ASSERT(users.refuses_connection(user, bytes, limits) == want);
        RC_ASSERT(users.all_ring_bytes() == all);
        if (want != 0) break;
        users.reserve(next, user, bytes);
        RC_ASSERT(users.ring_bytes(next) == bytes);
        connections[next++] = {user, bytes};
        break;
      }
      default: {
        const auto id = *rc::gen::inRange<protocol::ConnectionId>(0, next + 1);
        users.release(id);  // also of one that is not counted, or no longer
        connections.erase(id);
        RC_ASSERT(users.ring_bytes(id) == 0u);
      }
    }
    for (unsigned u = 0; u < 3; ++u) {
      const bool has =
          std::ranges::count(clients, u) > 0 ||
          std::ranges::any_of(connections, [u](const auto& c) { return c.second.user == u; });
      RC_ASSERT(users.uses().contains(u) == has);
    }
  }
}

}  // namespace
}  // namespace selvedge::service
