// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/introducer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace selvedge::transport {

using protocol::TimeNs;

void Introducer::describe(Description own) {
  own_ = std::move(own);
  // Pseudorandom, so that the editions of all starts of the daemon differ.
  std::array<std::byte, 9> input{};  // its length differs from a nonce's input
  protocol::put64(input.data(), ++editions_);
  edition_ = protocol::siphash(secret_, input) | 1;
  for (auto& [key, peer] : peers_) {
    peer.knows_us = false;
    peer.wait_ns = 0;
  }
}

Introducer::Peer* Introducer::find(const Address& address) {
  const auto it = peers_.find(address.bytes);
  return it == peers_.end() ? nullptr : &it->second;
}

Introducer::Peer* Introducer::place(TimeNs now, const Address& address) {
  if (Peer* known = find(address)) return known;
  if (peers_.size() >= kPeersMax) {
    ++counters_.table_full;
    return nullptr;
  }
  Peer& peer = peers_[address.bytes];
  peer.address = address;
  // Counts as heard now: a new peer has had no time to answer yet.
  peer.sent_ns = peer.heard_ns = now;
  return &peer;
}

Introducer::Peer* Introducer::want(TimeNs now, const Address& address) {
  Peer* peer = place(now, address);
  if (peer != nullptr) peer->sent_ns = now;
  return peer;
}

bool Introducer::due(TimeNs now, const Peer& p) const {
  if (p.sent_ns + kUnwantedNs < now) return false;
  const bool unheard = p.sent_ns > p.heard_ns + kUnheardNs;
  if (p.edition != 0 && p.knows_us) return unheard && now >= p.asked_ns + kUnheardNs;
  return p.asked_ns == 0 || now >= p.asked_ns + std::max(p.wait_ns, kAskEveryNsMin);
}

std::uint64_t Introducer::nonce(TimeNs slot, const Address& to) const {
  std::array<std::byte, 32 + 8> input;
  std::memcpy(input.data(), to.bytes.data(), to.bytes.size());
  protocol::put64(input.data() + 32, slot);
  return protocol::siphash(secret_, input) | 1;  // never 0, which means no nonce
}

Introduction Introducer::message(TimeNs now, const Address& to, bool answer_me,
                                 std::uint64_t echo) {
  const Peer* peer = find(to);
  return {.answer_me = answer_me,
          .nonce = nonce(now / kNonceNsMax, to),
          .echo = echo,
          .edition = edition_,
          .held_edition = peer != nullptr ? peer->edition : 0,
          .description = own_};
}

Introducer::Heard Introducer::on_datagram(TimeNs now, const Address& from,
                                          protocol::Bytes datagram) {
  Heard heard;
  const auto said = decode_introduction(datagram);
  if (!said) {
    ++counters_.malformed;
    return heard;
  }
  const TimeNs slot = now / kNonceNsMax;
  const bool proven = said->echo != 0 && (said->echo == nonce(slot, from) ||
                                          (slot != 0 && said->echo == nonce(slot - 1, from)));
  Peer* peer = nullptr;
  if (proven) {
    peer = place(now, from);
    if (peer == nullptr) return heard;
    peer->knows_us = said->held_edition == edition_;
    if (peer->edition != said->edition) {
      peer->edition = said->edition;
      peer->description = said->description;
      peer->wait_ns = 0;
      ++counters_.learnt;
      heard.learnt = peer;
    }
  } else {
    ++counters_.unproven;
    peer = find(from);
  }
  if (said->answer_me) {
    // Request an answer in turn only if the peer's edition is not known here.
    const bool ask = peer == nullptr || peer->edition != said->edition;
    heard.answer = encode(message(now, from, ask, said->nonce));
  }
  return heard;
}

}  // namespace selvedge::transport
