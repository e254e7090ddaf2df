// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// One channel's own key (seal.hpp says what a channel is), ready to seal its packets or to open
// them, where they stand and without allocating.
//
// The format is the ciphers' own, so any library's will do, and each has two: short texts go to
// libsodium, long ones to OpenSSL. OpenSSL enciphers 4 KB in half the time, but begins each packet
// so slowly (150 to 350 ns more) that 64 bytes would take almost twice as long with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "daemon/protocol/limits.hpp"

struct evp_cipher_ctx_st;

namespace selvedge::protocol {

inline unsigned char* octets(std::byte* p) { return reinterpret_cast<unsigned char*>(p); }

using SealKey = std::array<std::uint8_t, 32>;
using Salt = std::array<std::uint8_t, 12>;

/// The numbers are on the wire and stand for the format too.
enum class Cipher : std::uint8_t { kChaCha20Poly1305 = 1, kAes256Gcm = 2 };

/// Below so many bytes of text libsodium is quicker (less for AES, more for ChaCha20).
inline constexpr std::size_t kShortTextBytes = 768;

/// Where the nonce's last eight bytes stand in a datagram; the four before them are zeros.
inline constexpr std::size_t kSealNumberAt = 16;

/// EnvironmentError when a library does not start or lacks a cipher. Before the first ChannelKey.
void start_ciphers();

class ChannelKey {
 public:
  enum class Use : std::uint8_t { kSeal, kOpen };

  /// bad_alloc is all that can go wrong, whatever the salt.
  ChannelKey(const SealKey& master, Cipher cipher, const Salt& salt, Use use);
  ~ChannelKey();
  ChannelKey(const ChannelKey&) = delete;
  ChannelKey& operator=(const ChannelKey&) = delete;

  /// datagram: its head is written, its text stands after it, and has room for the tag behind.
  /// EnvironmentError, and nothing to be sent, if OpenSSL fails.
  void seal(std::byte* datagram, std::size_t text);
  /// The other way round. False: not made with this key, and the text is lost.
  bool open(std::byte* datagram, std::size_t text);

 private:
  struct Short;  // libsodium's part of it

  std::unique_ptr<Short> short_;
  evp_cipher_ctx_st* long_;
};

}  // namespace selvedge::protocol
