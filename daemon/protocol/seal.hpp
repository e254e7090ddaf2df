// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A sealed datagram is encrypted and authenticated with a key that all daemons share. Nothing is
// sealed unless keys are configured. With keys every datagram is sealed: packets, and announcements
// (a daemon's verbs address, sent to its peers). Unsealed datagrams are then dropped. The layout:
//
//   byte 0    2        3      4                16     17             24               24 + n
//   +-------+--------+------+----------------+------+--------------+----------------+----------+
//   | "SX"  | cipher | hint | salt           | lane | number       | n bytes        | tag      |
//   +-------+--------+------+----------------+------+--------------+----------------+----------+
//     in the clear, authenticated                                   encrypted         16 bytes
//
// A *channel* is the sequence of datagrams that a daemon sends to one worker at one address
// (sharding.hpp). Each channel has a salt, random but for the worker, and a key of its own: a
// BLAKE2b hash of the salt, keyed with the key from the file. The low bits of the salt's first byte
// are the worker: so the receiving kernel finds it, and nobody can change it on the way.
// So the nonce (lane and number) need be unique only within a channel. It is, because numbers count
// up, and because a restarted daemon draws other salts. The chance that two of a million salts of
// 92 random bits are equal is 2^-53. A channel ends after 2^40 packets on a lane, long before
// either cipher's limits; the next channel has another salt.
//
// The datagrams of each path are numbered separately (a *lane*), because packets within a path
// arrive nearly in order. A datagram whose number is ReplayWindow::kNumbers or more below the
// lane's highest counts as a replay. The replay window of a new channel is empty, so it cannot
// detect the replay of a channel recorded before this daemon started. The protocol detects it:
// every packet but kOpen carries the token that the receiver chose, and kOpen is answered with a
// challenge.
//
// Several keys may be configured, so that keys can be changed while packets flow: the first key
// seals, any of them opens. `hint` is a byte of the key's hash, by which the receiver finds the
// key. Sealing does not provide forward secrecy: the key decrypts recorded traffic. Nor does it
// authenticate one daemon against others that share the key.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "daemon/protocol/channel_key.hpp"
#include "daemon/protocol/connection.hpp"
#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/wire.hpp"

namespace selvedge::protocol {

struct SealConfig {
  SealKeys keys;  ///< the first one seals, any opens; if empty, nothing is sealed
  Cipher cipher = Cipher::kChaCha20Poly1305;
  std::uint64_t packets_max = kChannelPacketsMax;  ///< per lane of a channel; tests set fewer
  friend bool operator==(const SealConfig&, const SealConfig&) = default;
};

/// The lane of packets over path i is i. Announcements belong to no path and have a lane of their
/// own.
inline constexpr unsigned kAnnouncementLane = kPathsMax;
inline constexpr unsigned kLanes = kPathsMax + 1;

/// Whether the datagram begins with a sealed datagram's magic; this needs no key.
bool looks_sealed(Bytes datagram);
/// The worker (of so many) for which the datagram was sealed; 0 if it is too short to tell.
unsigned sealed_for(Bytes datagram, unsigned workers);

class Seal {
 public:
  struct Counters {
    std::uint64_t unsealed = 0;   ///< in the clear, or too short
    std::uint64_t other_key = 0;  ///< sealed with an unknown key, or an unknown cipher
    std::uint64_t forged = 0;     ///< corrupted or forged; or another key with the same hint
    std::uint64_t replayed = 0;   ///< received before, or numbered too far below the lane's highest
  };

  /// `config` has at least one key. `random`: 32 random bytes, drawn when the daemon starts; all
  /// salts are derived from them. Throws EnvironmentError as start_ciphers() does.
  /// channels_max: how many channels are remembered in each direction. Where there is no more
  /// memory for keys, fewer are. The least recently used are forgotten.
  Seal(const SealConfig& config, const std::array<std::uint8_t, 32>& random,
       std::size_t channels_max = kChannelsMax);
  ~Seal();
  Seal(const Seal&) = delete;
  Seal& operator=(const Seal&) = delete;

  /// Replaces the keys. A datagram sealed with an old key is accepted only if the new keys include
  /// it.
  void change_keys(const SealConfig& config);

  /// Seals `head` and `body` as one datagram for a worker (below kWorkersMax) of the peer, writes
  /// it to `out` and returns its length: both lengths plus kSealBytes.
  std::size_t seal(const PeerAddress& to, unsigned worker, unsigned lane, Bytes head, Bytes body,
                   std::byte* out);

  /// Decrypts a datagram in place and returns its text. Returns an empty text if the datagram must
  /// be dropped; it has then been counted. `announcement`: only the announcements' lane is
  /// accepted.
  Bytes open(MutableBytes datagram, bool announcement = false);

  const Counters& counters() const { return counters_; }
  /// How many channels to peers, and from peers, are remembered now.
  std::size_t sending() const;
  std::size_t receiving() const;

 private:
  struct Sending;
  struct Receiving;
  struct State;

  Sending& channel_to(const PeerAddress& to, unsigned worker);
  /// The channel of a received datagram. Null: the datagram must be dropped, and has been counted.
  /// *opened: the datagram has been decrypted already. That is so for a new channel, because only
  /// decryption shows which key the channel has.
  Receiving* channel_from(MutableBytes datagram, std::size_t text, bool* opened);

  std::unique_ptr<State> state_;
  Counters counters_;
};

}  // namespace selvedge::protocol
