// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// ChannelKey is the key of one channel (the datagrams to one address, seal.hpp). It encrypts or
// decrypts the channel's datagrams in place and without allocating.
//
// Two libraries do the work, with the same output: libsodium for short texts, OpenSSL for long
// ones. OpenSSL encrypts 4 KB in half libsodium's time, but its setup takes 150 to 350 ns more for
// each packet. OpenSSL would take almost twice as long as libsodium for 64 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/secret_memory.hpp"

struct evp_cipher_ctx_st;

namespace selvedge::protocol {

inline unsigned char* octets(std::byte* p) { return reinterpret_cast<unsigned char*>(p); }

/// A key that is wiped when it ends.
struct SealKey : std::array<std::uint8_t, 32> {
  SealKey() = default;
  explicit SealKey(std::uint8_t first) : array{first} {}
  SealKey(const SealKey&) = default;
  SealKey& operator=(const SealKey&) = default;
  ~SealKey() { explicit_bzero(data(), size()); }
};
/// Keys that are kept.
using SealKeys = std::vector<SealKey, SecretAllocator<SealKey>>;

using Salt = std::array<std::uint8_t, 12>;

/// The number is a byte of each sealed datagram, and stands for the datagram's format too.
enum class Cipher : std::uint8_t { kChaCha20Poly1305 = 1, kAes256Gcm = 2 };

/// libsodium encrypts texts shorter than this. The length from which OpenSSL is faster is lower for
/// AES and higher for ChaCha20.
inline constexpr std::size_t kShortTextBytes = 768;

/// Offset in a datagram of the nonce's last eight bytes; the nonce's first four bytes are zero.
inline constexpr std::size_t kSealNumberAt = 16;

/// Initialises both libraries; to be called before the first ChannelKey. Throws EnvironmentError if
/// a library does not start or lacks a cipher.
void start_ciphers();
/// Makes OpenSSL take memory for keys of ChannelKeys from allocate_secret(). To be called before
/// anything else uses OpenSSL; false: something has, and nothing has changed.
bool keep_openssl_keys_secret();

class ChannelKey {
 public:
  enum class Use : std::uint8_t { kSeal, kOpen };

  /// Derives the channel's key from `master`, a key of the file, and `salt`. Throws std::bad_alloc,
  /// and nothing else, whatever the salt.
  ChannelKey(const SealKey& master, Cipher cipher, const Salt& salt, Use use);
  ~ChannelKey();
  ChannelKey(const ChannelKey&) = delete;
  ChannelKey& operator=(const ChannelKey&) = delete;

  /// Encrypts the `text` bytes that follow the datagram's head, and writes the tag after them. The
  /// caller has written the head and the text and left room for the tag. Throws EnvironmentError if
  /// OpenSSL fails; the datagram must then not be sent.
  void seal(std::byte* datagram, std::size_t text);
  /// Decrypts and authenticates a datagram with `text` bytes of text. Returns false if the datagram
  /// was not sealed with this key or was changed on the way; its text is then destroyed.
  bool open(std::byte* datagram, std::size_t text);

 private:
  struct Short;  // libsodium's state, for short texts

  std::unique_ptr<Short> short_;  // in secret memory
  evp_cipher_ctx_st* long_;
};

}  // namespace selvedge::protocol
