// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The key of one channel (defined in seal.hpp), ready to encrypt or decrypt its packets in place
// and without allocating.
//
// The ciphers' output does not depend on the library, so two libraries are used: libsodium for
// short texts, OpenSSL for long ones. OpenSSL encrypts 4 KB in half the time, but its setup for
// each packet takes 150 to 350 ns more. With it 64 bytes would take almost twice as long.
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

/// The numbers are on the wire and identify the datagram's format too.
enum class Cipher : std::uint8_t { kChaCha20Poly1305 = 1, kAes256Gcm = 2 };

/// Texts shorter than this go to libsodium. Where OpenSSL becomes faster is lower for AES and
/// higher for ChaCha20.
inline constexpr std::size_t kShortTextBytes = 768;

/// Offset in a datagram of the nonce's last eight bytes; the nonce's first four bytes are zero.
inline constexpr std::size_t kSealNumberAt = 16;

/// To be called before the first ChannelKey. Throws EnvironmentError if a library does not start or
/// lacks a cipher.
void start_ciphers();

class ChannelKey {
 public:
  enum class Use : std::uint8_t { kSeal, kOpen };

  /// Throws std::bad_alloc, and nothing else, whatever the salt.
  ChannelKey(const SealKey& master, Cipher cipher, const Salt& salt, Use use);
  ~ChannelKey();
  ChannelKey(const ChannelKey&) = delete;
  ChannelKey& operator=(const ChannelKey&) = delete;

  /// datagram: the head and the text are written, and there is room for the tag after the text.
  /// Throws EnvironmentError if OpenSSL fails; the datagram must then not be sent.
  void seal(std::byte* datagram, std::size_t text);
  /// Decrypts and authenticates. False: not sealed with this key, and the text is destroyed.
  bool open(std::byte* datagram, std::size_t text);

 private:
  struct Short;  // libsodium's state, for short texts

  std::unique_ptr<Short> short_;
  evp_cipher_ctx_st* long_;
};

}  // namespace selvedge::protocol
