// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// AddressExchange announces this daemon's verbs address to its peers and stores theirs, by
// datagrams that announcement.hpp describes. It does no I/O and has no clock.
//
//   A                                            B
//   | nonce a, reply requested ----------------> |   B keeps no state yet
//   | <------ nonce b, echo a, reply requested   |
//   | A accepts B's address                      |
//   | nonce a, echo b -------------------------> |   B accepts A's address
//
// A nonce is a keyed hash of the peer's address and the time, so none is stored. An echo proves
// that its sender receives at the address that it claims. A datagram causes at most one answer of
// about the same size. The generation of a verbs address is a number that changes with the address.
// Each datagram carries the generation of the receiver's address that the sender knows. A daemon
// that sees an old generation of its own address there sends requests again. So a change (another
// LID, a restart) reaches all peers, however many datagrams are lost.
//
// A datagram has the queue pairs of one of the sender's workers. Who has heard of some asks for the
// others, one at a time; until then packets for a worker that is not known go to another one, which
// hands them over. Each worker of a daemon has an AddressExchange, all with the same secret and the
// same own address, so they give the same nonces and generations. One of them answers,
// and the others are told of every datagram whose sender has proved its address.
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
/// A peer that packets are sent to, but that has been silent for this long, may have been
/// restarted. Its address is then requested again.
inline constexpr protocol::TimeNs kPeerSilentNs = 500 * protocol::kMillisecond;
/// If no packet was sent to a peer for this long, its address is no longer requested. After
/// kPeerExpiryNs without a packet in either direction the peer is removed.
inline constexpr protocol::TimeNs kPeerUnusedNs = 5 * protocol::kSecond;
inline constexpr protocol::TimeNs kPeerExpiryNs = 60 * protocol::kSecond;
/// A peer in use is asked for its address so often, at least: else those workers of either daemon
/// that have no packets for the other would forget it, and drop the next handshake.
inline constexpr protocol::TimeNs kPeerRenewalNs = kPeerExpiryNs / 3;
inline constexpr protocol::TimeNs kNonceNsMax = 10 * protocol::kSecond;

class AddressExchange {
 public:
  using Address = protocol::PeerAddress;

  struct Peer {
    Address address;
    VerbsAddress verbs_address;    ///< the peer's, in generation `generation`
    std::uint64_t generation = 0;  ///< 0: not announced yet
    bool peer_is_current = false;  ///< the peer knows this daemon's present generation
    /// The first of the peer's workers whose queues are not known, if there is one.
    std::optional<unsigned> missing_worker() const {
      const auto& queues = verbs_address.queues;
      const auto it = std::ranges::find_if(queues, [](const auto& q) { return q.empty(); });
      if (it == queues.end()) return std::nullopt;
      return static_cast<unsigned>(it - queues.begin());
    }
    // The caller keeps these up to date.
    protocol::TimeNs sent_ns = 0;      ///< time of the last packet to it, or call of require_peer()
    protocol::TimeNs received_ns = 0;  ///< time of the last packet from it
    /// When the peer last proved its address. All workers of a daemon see that, also those that
    /// have no packets for the peer; AddressExchange only.
    protocol::TimeNs heard_ns = 0;
    /// When this peer's address was last requested; used by AddressExchange only.
    protocol::TimeNs requested_ns = 0;
    /// Least time from that request to the next one; 0: an address has changed since.
    /// AddressExchange only.
    protocol::TimeNs interval_ns = 0;
  };

  struct Counters {
    std::uint64_t malformed = 0, unvalidated = 0, updated = 0, table_full = 0;
  };

  explicit AddressExchange(const protocol::SipKey& secret) : secret_(secret) {}

  /// Sets this daemon's own address, with the queues of all workers, at the start and after each
  /// change. tick() then announces it to all peers. Before the first call there is no address, and
  /// tick() does nothing. change: another number at each change, the same of all workers. Peers
  /// make their routes anew at each change, also if the address is the same as before.
  void set_own_address(VerbsAddress own, std::uint64_t change = 0);

  /// Returns the entry of a peer to send to, which is added if needed; tick() then requests its
  /// address. The pointer stays valid until expire() removes the peer. Returns null if there are
  /// too many peers.
  Peer* require_peer(protocol::TimeNs now, const Address& address);
  Peer* find(const Address& address);

  struct Received {
    Peer* updated = nullptr;        ///< the peer, if its verbs address is new or has changed
    Peer* completed = nullptr;      ///< the peer, if only queues of a worker have become known
    bool validated = false;         ///< the datagram's sender has proved its address
    std::vector<std::byte> answer;  ///< to be sent back; empty: nothing
  };
  /// Handles a datagram received from the address `from`.
  Received on_datagram(protocol::TimeNs now, const Address& from, protocol::Bytes datagram);

  /// Sends the requests that are due. send: void(const Address&, Bytes).
  template <class Send>
  void tick(protocol::TimeNs now, Send&& send) {
    for (auto& [key, peer] : peers_) {
      if (generation_ == 0 || !due(now, peer)) continue;
      peer.requested_ns = now;
      peer.interval_ns =
          std::clamp(2 * peer.interval_ns, kRequestIntervalNsMin, kRequestIntervalNsMax);
      const std::vector<std::byte> bytes =
          encode(message(now, peer.address, true, 0, next_worker()));
      send(peer.address, protocol::Bytes{bytes});
    }
  }

  /// Removes peers to which and from which no packet was sent for kPeerExpiryNs. on_expired is
  /// called before a peer is removed: void(const Peer&).
  template <class OnExpired>
  void expire(protocol::TimeNs now, OnExpired&& on_expired) {
    for (auto it = peers_.begin(); it != peers_.end();) {
      const Peer& p = it->second;
      const bool idle = std::max({p.sent_ns, p.received_ns, p.heard_ns}) + kPeerExpiryNs < now;
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
                       std::uint64_t echo, unsigned worker);
  /// Requests tell of one worker after the other.
  unsigned next_worker() { return told_++ % static_cast<unsigned>(own_.queues.size()); }
  std::uint64_t nonce(protocol::TimeNs slot, const Address& to) const;
  Peer* find_or_add(protocol::TimeNs now, const Address& address);

  protocol::SipKey secret_;
  VerbsAddress own_;
  std::uint64_t generation_ = 0;
  unsigned told_ = 0;
  std::map<Key, Peer> peers_;
  Counters counters_;
};

}  // namespace selvedge::transport
