// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Who knows whom: a daemon's own verbs address, and those that others have told. No I/O, no clock.
//
//   A                                            B
//   | nonce a, answer me ----------------------> |   remembers nothing
//   | <------------ nonce b, echo a, answer me   |
//   | A believes B                               |
//   | nonce a, echo b -------------------------> |   B believes A
//
// A nonce is a keyed hash of the other's address and the time, so none is stored, and one that
// comes back shows that its sender hears us at the address that it claims. Nothing is answered with
// more than one datagram of about the same size. Each tells which edition of the other's address it
// holds; who sees an old one there asks again, so that a change (another LID, a restart) gets
// around however many datagrams are lost.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "daemon/protocol/connection.hpp"
#include "daemon/protocol/siphash.hpp"
#include "daemon/transport/introduction.hpp"

namespace selvedge::transport {

inline constexpr std::size_t kPeersMax = 16'384;
inline constexpr protocol::TimeNs kAskEveryNsMin = 40 * protocol::kMillisecond;
inline constexpr protocol::TimeNs kAskEveryNsMax = 1 * protocol::kSecond;
/// Sent to, but not heard: it may have been restarted, and is asked.
inline constexpr protocol::TimeNs kUnheardNs = 500 * protocol::kMillisecond;
/// Not sent to for so long: no longer asked; and after kForgetNs it may be forgotten.
inline constexpr protocol::TimeNs kUnwantedNs = 5 * protocol::kSecond;
inline constexpr protocol::TimeNs kForgetNs = 60 * protocol::kSecond;
inline constexpr protocol::TimeNs kNonceNsMax = 10 * protocol::kSecond;

class Introducer {
 public:
  using Address = protocol::PeerAddress;

  struct Peer {
    Address address;
    Description description;    ///< of `edition`
    std::uint64_t edition = 0;  ///< 0: not told yet
    bool knows_us = false;      ///< holds our present edition
    // The caller's to keep up to date.
    protocol::TimeNs sent_ns = 0;   ///< when it was last sent to, or wanted
    protocol::TimeNs heard_ns = 0;  ///< when a packet of it last came
    // Ours.
    protocol::TimeNs asked_ns = 0, wait_ns = kAskEveryNsMin;
  };

  struct Counters {
    std::uint64_t malformed = 0, unproven = 0, learnt = 0, table_full = 0;
  };

  explicit Introducer(const protocol::SipKey& secret) : secret_(secret) {}

  /// Our own address, for the first time or because it has changed: everybody gets told.
  void describe(Description own);

  /// A peer that is to be sent to; asked if it is not known yet. Stays where it is until forget()
  /// gives it back. Null when there are too many.
  Peer* want(protocol::TimeNs now, const Address& address);
  Peer* find(const Address& address);

  struct Heard {
    Peer* learnt = nullptr;         ///< its description is new, or another one
    std::vector<std::byte> answer;  ///< to be sent back; empty: nothing
  };
  /// A datagram that came from there.
  Heard on_datagram(protocol::TimeNs now, const Address& from, protocol::Bytes datagram);

  /// Asks who is due. send: void(const Address&, Bytes).
  template <class Send>
  void tick(protocol::TimeNs now, Send&& send) {
    for (auto& [key, peer] : peers_) {
      if (!due(now, peer)) continue;
      peer.asked_ns = now;
      peer.wait_ns = std::min(2 * peer.wait_ns, kAskEveryNsMax);
      const std::vector<std::byte> bytes = encode(message(now, peer.address, true, 0));
      send(peer.address, protocol::Bytes{bytes});
    }
  }

  /// Drops those that nobody wants any more, if there are many. gone: void(const Peer&), before.
  template <class Gone>
  void forget(protocol::TimeNs now, Gone&& gone) {
    for (auto it = peers_.begin(); it != peers_.end();) {
      const Peer& p = it->second;
      const bool idle = std::max(p.sent_ns, p.heard_ns) + kForgetNs < now;
      if (!idle) {
        ++it;
        continue;
      }
      gone(p);
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
  Introduction message(protocol::TimeNs now, const Address& to, bool answer_me, std::uint64_t echo);
  std::uint64_t nonce(protocol::TimeNs slot, const Address& to) const;
  Peer* place(protocol::TimeNs now, const Address& address);

  protocol::SipKey secret_;
  Description own_;
  std::uint64_t edition_ = 0, editions_ = 0;
  std::map<Key, Peer> peers_;
  Counters counters_;
};

}  // namespace selvedge::transport
