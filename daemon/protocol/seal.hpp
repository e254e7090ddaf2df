// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Datagrams that only who has the key can make or read. Off unless there are keys; then every
// datagram, packets and introductions alike, goes out sealed, and nothing else is let in:
//
//   byte 0    2        3      4                16     17             24               24 + n
//   +-------+--------+------+----------------+------+--------------+----------------+----------+
//   | "SX"  | cipher | hint | salt           | lane | number       | n bytes        | tag      |
//   +-------+--------+------+----------------+------+--------------+----------------+----------+
//     in the clear, authenticated                                   encrypted         16 bytes
//
// A *channel* is what one life of a daemon sends to one address. It has a random salt, and the salt
// and the key from the file make the channel's own key (BLAKE2b, keyed), so that the nonce (lane
// and number) need be unique within a channel only: it counts up, and a daemon that is restarted
// has other salts. Two salts of 96 random bits are the same with a chance of 2^-57 after a million
// of them. A channel ends after 2^40 packets a lane, long before either cipher's limits, and the
// next has another salt.
//
// Each path counts by itself (a lane), for within a path packets come nearly in order: what is more
// than ReplayWindow::kNumbers behind is taken for a replay. What the window cannot know, a channel
// that was recorded before this receiver began, the protocol sees: everything but an opening
// carries the token that the receiver chose, and an opening is answered with a question.
//
// Several keys at once make a change of keys possible while packets flow: the first one seals, each
// opens. `hint` is a byte of the key's hash. What this does not do: forward secrecy (who has the
// key can read what was recorded), and telling apart the daemons that share a key.
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
  std::vector<SealKey> keys;  ///< the first one seals; none: nothing is sealed
  Cipher cipher = Cipher::kChaCha20Poly1305;
  std::uint64_t packets_max = kChannelPacketsMax;  ///< of a lane, before another channel; for tests
  friend bool operator==(const SealConfig&, const SealConfig&) = default;
};

/// Packets over path i have lane i; introductions, which go beside all paths, their own.
inline constexpr unsigned kIntroductionLane = kPathsMax;
inline constexpr unsigned kLanes = kPathsMax + 1;

/// Whether it begins as a sealed datagram does, for those who have no key.
bool looks_sealed(Bytes datagram);

class Seal {
 public:
  struct Counters {
    std::uint64_t unsealed = 0;   ///< in the clear, or too short
    std::uint64_t other_key = 0;  ///< sealed with a key that we have not, or another cipher
    std::uint64_t forged = 0;     ///< damaged or made up; or another key with the same hint
    std::uint64_t replayed = 0;   ///< seen before, or too far behind
  };

  /// At least one key. random: 32 bytes that no other life has; nothing else here is random.
  /// EnvironmentError as start_ciphers().
  Seal(const SealConfig& config, const std::array<std::uint8_t, 32>& random);
  ~Seal();
  Seal(const Seal&) = delete;
  Seal& operator=(const Seal&) = delete;

  /// Other keys from now on. What the old ones sealed is let in as long as they are among the new.
  void change(const SealConfig& config);

  /// Writes head and body as one sealed datagram and gives its length, kSealBytes more than theirs.
  std::size_t seal(const PeerAddress& to, unsigned lane, Bytes head, Bytes body, std::byte* out);

  /// Opens a datagram where it stands and gives what was in it; empty: counted, not to be used.
  Bytes open(MutableBytes datagram, bool introduction = false);

  const Counters& counters() const { return counters_; }
  /// Channels that are remembered now, each way.
  std::size_t sending() const;
  std::size_t receiving() const;

 private:
  struct Sending;
  struct Receiving;
  struct State;

  Sending& channel_to(const PeerAddress& to);
  /// Null: counted. *opened: it was opened on the way, for that alone shows a new one's key.
  Receiving* channel_from(MutableBytes datagram, std::size_t text, bool* opened);

  std::unique_ptr<State> state_;
  Counters counters_;
};

}  // namespace selvedge::protocol
