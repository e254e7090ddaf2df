// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Sealed datagrams: encrypted and authenticated with a key that all daemons share. Off unless keys
// are configured. With keys every datagram, packet or announcement, is sent sealed, and unsealed
// ones are dropped:
//
//   byte 0    2        3      4                16     17             24               24 + n
//   +-------+--------+------+----------------+------+--------------+----------------+----------+
//   | "SX"  | cipher | hint | salt           | lane | number       | n bytes        | tag      |
//   +-------+--------+------+----------------+------+--------------+----------------+----------+
//     in the clear, authenticated                                   encrypted         16 bytes
//
// A *channel* is what a daemon, from its start to its end, sends to one address. It has a random
// salt. The channel's own key is a keyed BLAKE2b hash of the salt, with the key from the file. So
// the nonce (lane and number) need be unique within a channel only: it counts up, and a restarted
// daemon has other salts. The chance that two of a million salts of 96 random bits are equal is
// 2^-57. A channel ends after 2^40 packets on a lane, long before either cipher's limits; the next
// channel has another salt.
//
// Each path has its own counter (a lane), because packets within a path arrive nearly in order. A
// packet more than ReplayWindow::kNumbers behind is taken for a replay. The window cannot detect
// the replay of a channel recorded before this receiver started; the protocol does: every packet
// but kOpen carries the token that the receiver chose, and kOpen is answered with a challenge.
//
// Several keys permit a change of keys while packets flow: the first seals, any opens. `hint` is a
// byte of the key's hash. Not provided: forward secrecy (the key decrypts recorded traffic), and
// authentication of one daemon against others that share the key.
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
  std::vector<SealKey> keys;  ///< the first one seals; empty: nothing is sealed
  Cipher cipher = Cipher::kChaCha20Poly1305;
  std::uint64_t packets_max = kChannelPacketsMax;  ///< per lane of a channel; less in tests
  friend bool operator==(const SealConfig&, const SealConfig&) = default;
};

/// Packets over path i have lane i; announcements belong to no path and have a lane of their own.
inline constexpr unsigned kAnnouncementLane = kPathsMax;
inline constexpr unsigned kLanes = kPathsMax + 1;

/// Whether the datagram begins with the magic of a sealed one; needs no key.
bool looks_sealed(Bytes datagram);

class Seal {
 public:
  struct Counters {
    std::uint64_t unsealed = 0;   ///< in the clear, or too short
    std::uint64_t other_key = 0;  ///< sealed with an unknown key, or an unknown cipher
    std::uint64_t forged = 0;     ///< corrupted or forged; or another key with the same hint
    std::uint64_t replayed = 0;   ///< seen before, or too far behind
  };

  /// config: at least one key. random: 32 bytes drawn at this start of the daemon; the only
  /// randomness here. Throws EnvironmentError as start_ciphers() does.
  Seal(const SealConfig& config, const std::array<std::uint8_t, 32>& random);
  ~Seal();
  Seal(const Seal&) = delete;
  Seal& operator=(const Seal&) = delete;

  /// Replaces the keys. Datagrams sealed with an old key are accepted only if it is among the new.
  void change_keys(const SealConfig& config);

  /// Writes head and body as one sealed datagram and returns its length, theirs plus kSealBytes.
  std::size_t seal(const PeerAddress& to, unsigned lane, Bytes head, Bytes body, std::byte* out);

  /// Opens a datagram in place and returns its text. Empty: the datagram was counted and is to be
  /// dropped.
  Bytes open(MutableBytes datagram, bool announcement = false);

  const Counters& counters() const { return counters_; }
  /// Channels kept now, in each direction.
  std::size_t sending() const;
  std::size_t receiving() const;

 private:
  struct Sending;
  struct Receiving;
  struct State;

  Sending& channel_to(const PeerAddress& to);
  /// Null: the datagram was counted and is to be dropped. *opened: it has been decrypted here,
  /// because only that shows which key a new channel has.
  Receiving* channel_from(MutableBytes datagram, std::size_t text, bool* opened);

  std::unique_ptr<State> state_;
  Counters counters_;
};

}  // namespace selvedge::protocol
