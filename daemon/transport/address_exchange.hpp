// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The exchange of verbs addresses: a daemon's own, and those of its peers. No I/O, no clock.
//
//   A                                            B
//   | nonce a, answer me ----------------------> |   keeps no state
//   | <------------ nonce b, echo a, answer me   |
//   | A accepts B's address                      |
//   | nonce a, echo b -------------------------> |   B accepts A's address
//
// A nonce is a keyed hash of the peer's address and the time, so none is stored. An echo proves
// that its sender receives at the address that it claims. A datagram causes at most one answer of
// about the same size. Each carries the edition of the peer's address that its sender holds. A
// daemon that sees an old edition of its own address there sends requests again. So a change
// (another LID, a restart) reaches all peers, however many datagrams are lost.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "daemon/protocol/connection.hpp"
#include "daemon/protocol/siphash.hpp"
#include "daemon/transport/announcement.hpp"

namespace selvedge::transport {

inline constexpr std::size_t kPeersMax = 16'384;
inline constexpr protocol::TimeNs kRequestIntervalNsMin = 40 * protocol::kMillisecond;
inline constexpr protocol::TimeNs kRequestIntervalNsMax = 1 * protocol::kSecond;
/// A peer that is sent to but has been silent for this long may have been restarted: it is asked.
inline constexpr protocol::TimeNs kPeerSilentNs = 500 * protocol::kMillisecond;
/// A peer that was not sent to for this long is no longer asked; after kPeerExpiryNs it is removed.
inline constexpr protocol::TimeNs kPeerUnusedNs = 5 * protocol::kSecond;
inline constexpr protocol::TimeNs kPeerExpiryNs = 60 * protocol::kSecond;
inline constexpr protocol::TimeNs kNonceNsMax = 10 * protocol::kSecond;

class AddressExchange {
 public:
  using Address = protocol::PeerAddress;

  struct Peer {
    Address address;
    VerbsAddress verbs_address;    ///< of `generation`
    std::uint64_t generation = 0;  ///< 0: not announced yet
    bool peer_is_current = false;  ///< the peer holds this daemon's present generation
    // The caller keeps these up to date.
    protocol::TimeNs sent_ns = 0;      ///< the last packet to it, or call of require_peer()
    protocol::TimeNs received_ns = 0;  ///< the last packet from it
    // Of the AddressExchange.
    protocol::TimeNs requested_ns = 0;
    /// From the last request to the next; 0: none since a change.
    protocol::TimeNs interval_ns = 0;
  };

  struct Counters {
    std::uint64_t malformed = 0, unvalidated = 0, updated = 0, table_full = 0;
  };

  explicit AddressExchange(const protocol::SipKey& secret) : secret_(secret) {}

  /// Sets this daemon's own address, also after a change: it is announced to all peers.
  void set_own_address(VerbsAddress own);

  /// A peer to send to, which is asked if its address is not known yet. The pointer stays valid
  /// until expire() removes the peer. Null when there are too many peers.
  Peer* require_peer(protocol::TimeNs now, const Address& address);
  Peer* find(const Address& address);

  struct Received {
    Peer* updated = nullptr;        ///< the peer, if its verbs address is new or has changed
    std::vector<std::byte> answer;  ///< to be sent back; empty: nothing
  };
  /// A datagram received from that address.
  Received on_datagram(protocol::TimeNs now, const Address& from, protocol::Bytes datagram);

  /// Asks the peers that are due. send: void(const Address&, Bytes).
  template <class Send>
  void tick(protocol::TimeNs now, Send&& send) {
    for (auto& [key, peer] : peers_) {
      if (!due(now, peer)) continue;
      peer.requested_ns = now;
      peer.interval_ns =
          std::clamp(2 * peer.interval_ns, kRequestIntervalNsMin, kRequestIntervalNsMax);
      const std::vector<std::byte> bytes = encode(message(now, peer.address, true, 0));
      send(peer.address, protocol::Bytes{bytes});
    }
  }

  /// Removes peers neither sent to nor received from for kPeerExpiryNs. gone: void(const Peer&),
  /// called before.
  template <class OnExpired>
  void expire(protocol::TimeNs now, OnExpired&& on_expired) {
    for (auto it = peers_.begin(); it != peers_.end();) {
      const Peer& p = it->second;
      const bool idle = std::max(p.sent_ns, p.received_ns) + kPeerExpiryNs < now;
      if (!idle) {
        ++it;
        continue;
      }
      on_expired(p);
      it = peers_.erase(it);
    }
  }

  const Counters& counters() const { return counters_; }
  std::size_t peers() const { return peers_.size(); }
  template <class F>
  void for_each(F&& f) {
    for (auto& [key, peer] : peers_) f(peer);
  }

 private:
  using Key = std::array<std::byte, 32>;

  bool due(protocol::TimeNs now, const Peer& peer) const;
  Announcement message(protocol::TimeNs now, const Address& to, bool reply_requested,
                       std::uint64_t echo);
  std::uint64_t nonce(protocol::TimeNs slot, const Address& to) const;
  Peer* find_or_add(protocol::TimeNs now, const Address& address);

  protocol::SipKey secret_;
  VerbsAddress own_;
  std::uint64_t generation_ = 0, generations_ = 0;
  std::map<Key, Peer> peers_;
  Counters counters_;
};

}  // namespace selvedge::transport
