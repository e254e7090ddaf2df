// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/channel_key.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sodium.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "base/error.hpp"

namespace selvedge::protocol {
namespace {

static_assert(crypto_aead_chacha20poly1305_ietf_ABYTES == kSealTagBytes &&
              crypto_aead_aes256gcm_ABYTES == kSealTagBytes);
static_assert(crypto_aead_chacha20poly1305_ietf_KEYBYTES == sizeof(SealKey) &&
              crypto_aead_aes256gcm_KEYBYTES == sizeof(SealKey));

using Nonce = std::array<unsigned char, 12>;
static_assert(crypto_aead_chacha20poly1305_ietf_NPUBBYTES == sizeof(Nonce) &&
              crypto_aead_aes256gcm_NPUBBYTES == sizeof(Nonce));

/// A datagram with `text` bytes of text, split into the ciphers' arguments.
struct Parts {
  Parts(std::byte* datagram, std::size_t text)
      : head(octets(datagram)), body(head + kSealHeadBytes), tag(body + text) {
    std::memcpy(nonce.data() + 4, datagram + kSealNumberAt, 8);
  }

  unsigned char *head, *body, *tag;
  Nonce nonce{};
};

/// OpenSSL's ciphers, fetched once: a fetch takes longer than encrypting a packet.
struct Ciphers {
  EVP_CIPHER* chacha = EVP_CIPHER_fetch(nullptr, "ChaCha20-Poly1305", nullptr);
  EVP_CIPHER* aes = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  bool sodium = sodium_init() >= 0;
};
const Ciphers& ciphers() {
  static const Ciphers all;
  return all;
}

/// What OpenSSL allocates while one of these exists is secret.
class SecretContext {
 public:
  SecretContext() { ++depth; }
  ~SecretContext() { --depth; }
  SecretContext(const SecretContext&) = delete;
  SecretContext& operator=(const SecretContext&) = delete;
  static bool exists() { return depth != 0; }

 private:
  static thread_local unsigned depth;
};
thread_local unsigned SecretContext::depth = 0;

void* openssl_allocates(std::size_t bytes, const char*, int) {
  return SecretContext::exists() ? allocate_secret(bytes) : std::malloc(bytes);
}
void openssl_frees(void* block, const char*, int) {
  if (is_secret(block))
    free_secret(block);
  else
    std::free(block);
}
void* openssl_resizes(void* block, std::size_t bytes, const char* file, int line) {
  if (!is_secret(block) && !SecretContext::exists()) return std::realloc(block, bytes);
  void* moved = bytes == 0 ? nullptr : openssl_allocates(bytes, file, line);
  if (block == nullptr || (moved == nullptr && bytes != 0)) return moved;
  // Who began with other memory than secret one does not resize it while a context is made.
  const std::size_t before = is_secret(block) ? secret_bytes(block) : 0;
  if (moved != nullptr) std::memcpy(moved, block, std::min(before, bytes));
  openssl_frees(block, file, line);
  return moved;
}

}  // namespace

bool keep_openssl_keys_secret() {
  return CRYPTO_set_mem_functions(openssl_allocates, openssl_resizes, openssl_frees) == 1;
}

void start_ciphers() {
  if (!ciphers().sodium)
    throw EnvironmentError("libsodium cannot be initialised", "sodium_init",
                           "see why the system has no random numbers");
  if (ciphers().chacha == nullptr || ciphers().aes == nullptr)
    throw EnvironmentError("OpenSSL lacks ChaCha20-Poly1305 or AES-256-GCM", "its configuration",
                           "activate its default provider");
}

struct ChannelKey::Short {
  SealKey key{};
  crypto_aead_aes256gcm_state aes{};
  bool is_aes = false;
  bool available = true;  ///< libsodium has AES only on processors with AES instructions

  bool applies_to(std::size_t text) const { return text < kShortTextBytes && available; }

  static void* operator new(std::size_t bytes) { return allocate_secret_or_throw(bytes); }
  static void operator delete(void* block) { free_secret(block); }
};

ChannelKey::ChannelKey(const SealKey& master, Cipher cipher, const Salt& salt, Use use)
    : short_(new Short), long_(nullptr) {
  ciphers();  // what is fetched once is no secret
  const SecretContext secret;
  long_ = EVP_CIPHER_CTX_new();
  constexpr std::string_view context = "selvedge channel 1";
  Short& s = *short_;
  crypto_generichash_state hash;
  crypto_generichash_init(&hash, master.data(), master.size(), s.key.size());
  crypto_generichash_update(&hash, reinterpret_cast<const unsigned char*>(context.data()),
                            context.size());
  const auto number = static_cast<std::uint8_t>(cipher);
  crypto_generichash_update(&hash, &number, 1);
  crypto_generichash_update(&hash, salt.data(), salt.size());
  crypto_generichash_final(&hash, s.key.data(), s.key.size());
  sodium_memzero(&hash, sizeof hash);
  s.is_aes = cipher == Cipher::kAes256Gcm;
  if (s.is_aes) {
    s.available = crypto_aead_aes256gcm_is_available() != 0;
    if (s.available) crypto_aead_aes256gcm_beforenm(&s.aes, s.key.data());
  }
  // No nonce length is set: OpenSSL's default is 12 bytes for both ciphers.
  if (long_ == nullptr ||
      EVP_CipherInit_ex2(long_, s.is_aes ? ciphers().aes : ciphers().chacha, s.key.data(), nullptr,
                         use == Use::kSeal ? 1 : 0, nullptr) != 1) {
    EVP_CIPHER_CTX_free(long_);
    throw std::bad_alloc();
  }
}

ChannelKey::~ChannelKey() { EVP_CIPHER_CTX_free(long_); }  // this call wipes the key

void ChannelKey::seal(std::byte* datagram, std::size_t text) {
  const Short& s = *short_;
  const Parts p(datagram, text);
  if (!s.applies_to(text)) {
    int n = 0;
    const bool done = EVP_EncryptInit_ex2(long_, nullptr, nullptr, p.nonce.data(), nullptr) == 1 &&
                      EVP_EncryptUpdate(long_, nullptr, &n, p.head, kSealHeadBytes) == 1 &&
                      EVP_EncryptUpdate(long_, p.body, &n, p.body, static_cast<int>(text)) == 1 &&
                      EVP_EncryptFinal_ex(long_, p.tag, &n) == 1 &&
                      EVP_CIPHER_CTX_ctrl(long_, EVP_CTRL_AEAD_GET_TAG, kSealTagBytes, p.tag) == 1;
    // A failure is not expected. If it happens, the datagram may be in the clear and must not be
    // sent.
    if (!done)
      throw EnvironmentError("OpenSSL failed to encipher a packet", "libcrypto", "report it");
  } else if (s.is_aes) {
    crypto_aead_aes256gcm_encrypt_detached_afternm(p.body, p.tag, nullptr, p.body, text, p.head,
                                                   kSealHeadBytes, nullptr, p.nonce.data(), &s.aes);
  } else {
    crypto_aead_chacha20poly1305_ietf_encrypt_detached(p.body, p.tag, nullptr, p.body, text, p.head,
                                                       kSealHeadBytes, nullptr, p.nonce.data(),
                                                       s.key.data());
  }
}

bool ChannelKey::open(std::byte* datagram, std::size_t text) {
  const Short& s = *short_;
  const Parts p(datagram, text);
  if (!s.applies_to(text)) {
    int n = 0;
    return EVP_DecryptInit_ex2(long_, nullptr, nullptr, p.nonce.data(), nullptr) == 1 &&
           EVP_DecryptUpdate(long_, nullptr, &n, p.head, kSealHeadBytes) == 1 &&
           EVP_DecryptUpdate(long_, p.body, &n, p.body, static_cast<int>(text)) == 1 &&
           EVP_CIPHER_CTX_ctrl(long_, EVP_CTRL_AEAD_SET_TAG, kSealTagBytes, p.tag) == 1 &&
           EVP_DecryptFinal_ex(long_, p.tag, &n) == 1;
  }
  if (s.is_aes)
    return crypto_aead_aes256gcm_decrypt_detached_afternm(p.body, nullptr, p.body, text, p.tag,
                                                          p.head, kSealHeadBytes, p.nonce.data(),
                                                          &s.aes) == 0;
  return crypto_aead_chacha20poly1305_ietf_decrypt_detached(p.body, nullptr, p.body, text, p.tag,
                                                            p.head, kSealHeadBytes, p.nonce.data(),
                                                            s.key.data()) == 0;
}

}  // namespace selvedge::protocol
