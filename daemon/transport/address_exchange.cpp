// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/address_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace selvedge::transport {

using protocol::TimeNs;

void AddressExchange::set_own_address(VerbsAddress own, std::uint64_t change) {
  own_ = std::move(own);
  // The generation is a keyed hash, so that it differs from those of earlier starts of the daemon,
  // and all workers have the same. No input of a nonce is as long.
  std::vector<std::byte> input(8);
  protocol::put64(input.data(), change);
  for (unsigned w = 0; w < own_.queues.size(); ++w) {
    const auto bytes = encode({.worker = w, .verbs_address = own_});
    input.insert(input.end(), bytes.begin(), bytes.end());
  }
  generation_ = protocol::siphash(secret_, input) | 1;
  for (auto& [key, peer] : peers_) {
    peer.peer_is_current = false;
    peer.interval_ns = 0;
  }
}

AddressExchange::Peer* AddressExchange::find(const Address& address) {
  const auto it = peers_.find(address.bytes);
  return it == peers_.end() ? nullptr : &it->second;
}

AddressExchange::Peer* AddressExchange::find_or_add(TimeNs now, const Address& address) {
  if (Peer* known = find(address)) return known;
  if (peers_.size() >= kPeersMax) {
    ++counters_.table_full;
    return nullptr;
  }
  Peer& peer = peers_[address.bytes];
  peer.address = address;
  // received_ns is set too: a new peer has had no time to answer, so it must not count as silent.
  peer.sent_ns = peer.received_ns = now;
  return &peer;
}

AddressExchange::Peer* AddressExchange::require_peer(TimeNs now, const Address& address) {
  Peer* peer = find_or_add(now, address);
  if (peer != nullptr) peer->sent_ns = now;
  return peer;
}

bool AddressExchange::due(TimeNs now, const Peer& p) const {
  if (p.sent_ns + kPeerUnusedNs < now) return false;
  const bool silent = p.sent_ns > p.received_ns + kPeerSilentNs;
  if (p.generation != 0 && p.peer_is_current && !p.missing_worker())
    return (silent && now >= p.requested_ns + kPeerSilentNs) ||
           now >= std::max(p.heard_ns, p.requested_ns) + kPeerRenewalNs;
  return p.requested_ns == 0 ||
         now >= p.requested_ns + std::max(p.interval_ns, kRequestIntervalNsMin);
}

std::uint64_t AddressExchange::nonce(TimeNs slot, const Address& to) const {
  std::array<std::byte, 32 + 8> input;
  std::memcpy(input.data(), to.bytes.data(), to.bytes.size());
  protocol::put64(input.data() + 32, slot);
  return protocol::siphash(secret_, input) | 1;  // never 0, which stands for no nonce
}

Announcement AddressExchange::message(TimeNs now, const Address& to, bool reply_requested,
                                      std::uint64_t echo, unsigned worker) {
  const Peer* peer = find(to);
  return {.reply_requested = reply_requested,
          .worker = worker,
          .wanted_worker = peer != nullptr ? peer->missing_worker().value_or(0) : 0,
          .nonce = nonce(now / kNonceNsMax, to),
          .echo = echo,
          .generation = generation_,
          .known_generation = peer != nullptr ? peer->generation : 0,
          .verbs_address = own_};
}

AddressExchange::Received AddressExchange::on_datagram(TimeNs now, const Address& from,
                                                       protocol::Bytes datagram) {
  Received received;
  const auto announcement = decode_announcement(datagram);
  if (!announcement) {
    ++counters_.malformed;
    return received;
  }
  const TimeNs slot = now / kNonceNsMax;
  const bool validated =
      announcement->echo != 0 && (announcement->echo == nonce(slot, from) ||
                                  (slot != 0 && announcement->echo == nonce(slot - 1, from)));
  Peer* peer = nullptr;
  if (validated) {
    peer = find_or_add(now, from);
    if (peer == nullptr) return received;
    peer->heard_ns = now;
    received.validated = true;
    peer->peer_is_current = announcement->known_generation == generation_;
    const unsigned worker = announcement->worker;
    if (peer->generation != announcement->generation) {
      peer->generation = announcement->generation;
      peer->verbs_address = announcement->verbs_address;
      peer->interval_ns = 0;
      ++counters_.updated;
      received.updated = peer;
    } else if (auto& queues = peer->verbs_address.queues;
               worker < queues.size() && queues[worker].empty()) {
      queues[worker] = announcement->verbs_address.queues[worker];
      peer->interval_ns = 0;
      received.completed = peer;
    }
  } else {
    ++counters_.unvalidated;
    peer = find(from);
  }
  if (announcement->reply_requested && generation_ != 0) {
    // The answer requests an answer itself only if the peer's present generation is not known here,
    // or queues of its workers: packets from those are lost, and perhaps nothing is sent from here.
    const bool ask = peer == nullptr || peer->generation != announcement->generation ||
                     peer->missing_worker().has_value();
    const unsigned wanted = announcement->wanted_worker;
    received.answer = encode(
        message(now, from, ask, announcement->nonce, wanted < own_.queues.size() ? wanted : 0));
  }
  return received;
}

}  // namespace selvedge::transport
