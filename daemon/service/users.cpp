// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/users.hpp"

#include "daemon/ring/control.hpp"

namespace selvedge::service {

Users::Use Users::use(unsigned user) const {
  const auto it = uses_.find(user);
  return it == uses_.end() ? Use{} : it->second;
}

std::uint32_t Users::refuses_client(unsigned user, const UserLimits& limits) const {
  return use(user).clients >= limits.clients ? ring::kUserClients : 0;
}

std::uint32_t Users::refuses_connection(unsigned user, std::uint64_t ring_bytes,
                                        const UserLimits& limits) const {
  const Use u = use(user);
  if (u.connections >= limits.connections) return ring::kUserConnections;
  if (u.ring_bytes + ring_bytes > limits.ring_bytes) return ring::kUserRings;
  return all_ring_bytes_ + ring_bytes > limits.all_ring_bytes ? ring::kAllRings : 0;
}

void Users::remove_client(unsigned user) {
  --uses_[user].clients;
  forget_if_unused(user);
}

void Users::reserve(protocol::ConnectionId id, unsigned user, std::uint64_t ring_bytes) {
  reserved_[id] = {user, ring_bytes};
  Use& u = uses_[user];
  ++u.connections;
  u.ring_bytes += ring_bytes;
  all_ring_bytes_ += ring_bytes;
}

void Users::release(protocol::ConnectionId id) {
  const auto it = reserved_.find(id);
  if (it == reserved_.end()) return;
  const auto [user, bytes] = it->second;
  reserved_.erase(it);
  Use& u = uses_[user];
  --u.connections;
  u.ring_bytes -= bytes;
  all_ring_bytes_ -= bytes;
  forget_if_unused(user);
}

std::optional<unsigned> Users::user(protocol::ConnectionId id) const {
  const auto it = reserved_.find(id);
  return it == reserved_.end() ? std::nullopt : std::optional(it->second.user);
}

std::uint64_t Users::ring_bytes(protocol::ConnectionId id) const {
  const auto it = reserved_.find(id);
  return it == reserved_.end() ? 0 : it->second.ring_bytes;
}

void Users::forget_if_unused(unsigned user) {
  const Use u = use(user);
  if (u.clients == 0 && u.connections == 0) uses_.erase(user);
}

}  // namespace selvedge::service
