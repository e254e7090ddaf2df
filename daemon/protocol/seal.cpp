// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/seal.hpp"

#include <sodium.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "base/error.hpp"
#include "daemon/protocol/replay_window.hpp"

namespace selvedge::protocol {
namespace {

using Salt = std::array<std::uint8_t, 12>;

constexpr std::byte kMagicFirst{0x53}, kMagicSecond{0x58};  // "SX"
constexpr std::size_t kCipherAt = 2, kHintAt = 3, kSaltAt = 4, kNumberAt = 16;
constexpr std::uint64_t kNumberMax = (std::uint64_t{1} << 56) - 1;

static_assert(crypto_aead_chacha20poly1305_ietf_ABYTES == kSealTagBytes &&
              crypto_aead_aes256gcm_ABYTES == kSealTagBytes);
static_assert(crypto_aead_chacha20poly1305_ietf_KEYBYTES == sizeof(SealKey) &&
              crypto_aead_aes256gcm_KEYBYTES == sizeof(SealKey));
static_assert(crypto_aead_chacha20poly1305_ietf_NPUBBYTES == 12 &&
              crypto_aead_aes256gcm_NPUBBYTES == 12);
static_assert(kChannelPacketsMax <= kNumberMax);

unsigned char* octets(std::byte* p) { return reinterpret_cast<unsigned char*>(p); }

bool available(Cipher cipher) {
  return cipher == Cipher::kChaCha20Poly1305 ||
         (cipher == Cipher::kAes256Gcm && crypto_aead_aes256gcm_is_available() != 0);
}

std::uint8_t hint_of(const SealKey& key) {
  constexpr std::string_view use = "selvedge hint 1";
  SealKey hash;
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(use.data()),
                     use.size(), key.data(), key.size());
  return hash[0];
}

/// A channel's own key, ready for use. The nonce is the 8 bytes of lane and number after zeros.
class ChannelKey {
 public:
  ChannelKey(const SealKey& master, Cipher cipher, const Salt& salt) : cipher_(cipher) {
    constexpr std::string_view use = "selvedge channel 1";
    crypto_generichash_state hash;
    crypto_generichash_init(&hash, master.data(), master.size(), key_.size());
    crypto_generichash_update(&hash, reinterpret_cast<const unsigned char*>(use.data()),
                              use.size());
    const auto number = static_cast<std::uint8_t>(cipher);
    crypto_generichash_update(&hash, &number, 1);
    crypto_generichash_update(&hash, salt.data(), salt.size());
    crypto_generichash_final(&hash, key_.data(), key_.size());
    if (cipher == Cipher::kAes256Gcm) crypto_aead_aes256gcm_beforenm(&aes_, key_.data());
  }
  ~ChannelKey() {
    sodium_memzero(key_.data(), key_.size());
    sodium_memzero(&aes_, sizeof aes_);
  }
  ChannelKey(const ChannelKey&) = delete;
  ChannelKey& operator=(const ChannelKey&) = delete;

  /// datagram: its head is written, its text stands after it, and has room for the tag behind.
  void seal(std::byte* datagram, std::size_t text) const {
    unsigned char* head = octets(datagram);
    unsigned char* body = head + kSealHeadBytes;
    const Nonce nonce = nonce_of(datagram);
    if (cipher_ == Cipher::kAes256Gcm)
      crypto_aead_aes256gcm_encrypt_detached_afternm(body, body + text, nullptr, body, text, head,
                                                     kSealHeadBytes, nullptr, nonce.data(), &aes_);
    else
      crypto_aead_chacha20poly1305_ietf_encrypt_detached(body, body + text, nullptr, body, text,
                                                         head, kSealHeadBytes, nullptr,
                                                         nonce.data(), key_.data());
  }
  /// The other way round. False: not made with this key, and the text is lost.
  bool open(std::byte* datagram, std::size_t text) const {
    unsigned char* head = octets(datagram);
    unsigned char* body = head + kSealHeadBytes;
    const Nonce nonce = nonce_of(datagram);
    if (cipher_ == Cipher::kAes256Gcm)
      return crypto_aead_aes256gcm_decrypt_detached_afternm(body, nullptr, body, text, body + text,
                                                            head, kSealHeadBytes, nonce.data(),
                                                            &aes_) == 0;
    return crypto_aead_chacha20poly1305_ietf_decrypt_detached(body, nullptr, body, text,
                                                              body + text, head, kSealHeadBytes,
                                                              nonce.data(), key_.data()) == 0;
  }

 private:
  using Nonce = std::array<unsigned char, 12>;
  static Nonce nonce_of(const std::byte* datagram) {
    Nonce nonce{};
    std::memcpy(nonce.data() + 4, datagram + kNumberAt, 8);
    return nonce;
  }

  Cipher cipher_;
  SealKey key_{};
  crypto_aead_aes256gcm_state aes_{};
};

struct AddressHash {
  std::size_t operator()(const PeerAddress& a) const {
    return std::hash<std::string_view>{}(
        {reinterpret_cast<const char*>(a.bytes.data()), a.bytes.size()});
  }
};
struct SaltHash {  // random already
  std::size_t operator()(const Salt& salt) const {
    std::size_t hash;
    std::memcpy(&hash, salt.data(), sizeof hash);
    return hash;
  }
};

}  // namespace

struct Seal::Sending {
  Sending(const SealKey& master, Cipher cipher, const Salt& own) : key(master, cipher, own) {
    head[0] = kMagicFirst;
    head[1] = kMagicSecond;
    head[kCipherAt] = static_cast<std::byte>(cipher);
    head[kHintAt] = static_cast<std::byte>(hint_of(master));
    std::memcpy(head.data() + kSaltAt, own.data(), own.size());
  }
  ChannelKey key;
  std::array<std::byte, kNumberAt> head{};
  std::array<std::uint64_t, kLanes> numbers{};  // of the last packet
  std::uint64_t used = 0;
};

struct Seal::Receiving {
  Receiving(const SealKey& from, Cipher with, const Salt& salt)
      : master(from), cipher(with), key(from, with, salt) {}
  SealKey master;
  Cipher cipher;
  ChannelKey key;
  std::array<ReplayWindow, kLanes> seen;
  std::uint64_t used = 0;
};

struct Seal::State {
  SealConfig config;
  std::vector<std::uint8_t> hints;
  std::array<std::uint8_t, 32> random;
  std::uint64_t salts = 0, clock = 0;  // the latter counts uses, to find who was used least lately
  std::unordered_map<PeerAddress, std::unique_ptr<Sending>, AddressHash> sending;
  std::unordered_map<Salt, std::unique_ptr<Receiving>, SaltHash> receiving;
  // Datagrams of one channel come in runs.
  PeerAddress last_to;
  Sending* last_sending = nullptr;
  Salt last_salt{};
  Receiving* last_receiving = nullptr;

  void set(const SealConfig& c) {
    config = c;
    hints.clear();
    for (const SealKey& key : c.keys) hints.push_back(hint_of(key));
  }
  Salt salt() {
    std::array<std::byte, 8> number;
    put64(number.data(), ++salts);
    std::array<std::uint8_t, 16> hash;
    crypto_generichash(hash.data(), hash.size(), octets(number.data()), number.size(),
                       random.data(), random.size());
    Salt salt;
    std::memcpy(salt.data(), hash.data(), salt.size());
    return salt;
  }
  template <class Map>
  static void make_room(Map& map) {
    if (map.size() < kChannelsMax) return;
    map.erase(
        std::ranges::min_element(map, {}, [](const auto& entry) { return entry.second->used; }));
  }
};

Seal::Seal(const SealConfig& config, const std::array<std::uint8_t, 32>& random)
    : state_(std::make_unique<State>()) {
  if (sodium_init() < 0)
    throw EnvironmentError("libsodium does not start", "sodium_init",
                           "see why the system has no "
                           "random numbers");
  state_->random = random;
  change(config);
}

Seal::~Seal() = default;

void Seal::change(const SealConfig& config) {
  if (!available(config.cipher))
    throw EnvironmentError("this processor cannot do AES-256-GCM", "[seal] cipher",
                           "write cipher = \"chacha20-poly1305\"");
  State& s = *state_;
  s.set(config);
  // Ours begin anew, with the first key; those of others stay if their key does.
  s.sending.clear();
  std::erase_if(s.receiving, [&](const auto& entry) {
    return std::ranges::find(config.keys, entry.second->master) == config.keys.end();
  });
  s.last_sending = nullptr;
  s.last_receiving = nullptr;
}

std::size_t Seal::sending() const { return state_->sending.size(); }
std::size_t Seal::receiving() const { return state_->receiving.size(); }

Seal::Sending& Seal::channel_to(const PeerAddress& to) {
  State& s = *state_;
  if (s.last_sending != nullptr && s.last_to == to) return *s.last_sending;
  auto it = s.sending.find(to);
  if (it == s.sending.end()) {
    State::make_room(s.sending);
    it = s.sending
             .emplace(to,
                      std::make_unique<Sending>(s.config.keys.front(), s.config.cipher, s.salt()))
             .first;
  }
  it->second->used = ++s.clock;
  s.last_to = to;
  s.last_sending = it->second.get();
  return *it->second;
}

std::size_t Seal::seal(const PeerAddress& to, unsigned lane, Bytes head, Bytes body,
                       std::byte* out) {
  Sending* channel = &channel_to(to);
  if (channel->numbers[lane] >= state_->config.packets_max) {
    state_->sending.erase(to);
    state_->last_sending = nullptr;
    channel = &channel_to(to);
  }
  const std::uint64_t number = ++channel->numbers[lane];
  std::memcpy(out, channel->head.data(), channel->head.size());
  put64(out + kNumberAt, std::uint64_t{lane} << 56 | number);
  std::byte* text = out + kSealHeadBytes;
  if (!head.empty()) std::memcpy(text, head.data(), head.size());
  if (!body.empty()) std::memcpy(text + head.size(), body.data(), body.size());
  channel->key.seal(out, head.size() + body.size());
  return head.size() + body.size() + kSealBytes;
}

Seal::Receiving* Seal::channel_from(MutableBytes datagram, std::size_t text, bool* opened) {
  State& s = *state_;
  Salt salt;
  std::memcpy(salt.data(), datagram.data() + kSaltAt, salt.size());
  const auto cipher = static_cast<Cipher>(datagram[kCipherAt]);
  *opened = false;
  if (s.last_receiving != nullptr && s.last_salt == salt && s.last_receiving->cipher == cipher)
    return s.last_receiving;
  auto it = s.receiving.find(salt);
  if (it == s.receiving.end()) {
    const auto hint = std::to_integer<std::uint8_t>(datagram[kHintAt]);
    const auto same_hint = std::ranges::count(s.hints, hint);
    std::vector<std::byte> kept;  // a key that does not fit leaves zeros
    if (same_hint > 1) kept.assign(datagram.begin(), datagram.end());
    bool known = false;
    for (std::size_t i = 0; i < s.hints.size() && available(cipher); ++i) {
      if (s.hints[i] != hint) continue;
      known = true;
      if (!kept.empty()) std::ranges::copy(kept, datagram.begin());
      // Remembered only when it is genuine, so that nobody without a key makes us remember.
      auto made = std::make_unique<Receiving>(s.config.keys[i], cipher, salt);
      if (!made->key.open(datagram.data(), text)) continue;
      *opened = true;
      State::make_room(s.receiving);
      s.last_receiving = nullptr;
      it = s.receiving.emplace(salt, std::move(made)).first;
      break;
    }
    if (it == s.receiving.end()) {
      ++(known ? counters_.forged : counters_.other_key);
      return nullptr;
    }
  } else if (it->second->cipher != cipher) {
    ++counters_.forged;
    return nullptr;
  }
  it->second->used = ++s.clock;
  s.last_salt = salt;
  s.last_receiving = it->second.get();
  return it->second.get();
}

Bytes Seal::open(MutableBytes datagram, bool introduction) {
  if (!looks_sealed(datagram) || datagram.size() < kSealBytes) {
    ++counters_.unsealed;
    return {};
  }
  const std::uint64_t lane_and_number = get64(datagram.data() + kNumberAt);
  const auto lane = static_cast<unsigned>(lane_and_number >> 56);
  const std::uint64_t number = lane_and_number & kNumberMax;
  const std::size_t text = datagram.size() - kSealBytes;
  if (introduction ? lane != kIntroductionLane : lane >= kPathsMax) {
    ++counters_.forged;
    return {};
  }
  bool opened = false;
  Receiving* channel = channel_from(datagram, text, &opened);
  if (channel == nullptr) return {};
  // Cheaper than a tag, so first: a replay is known by its number.
  if (!channel->seen[lane].is_new(number)) {
    ++counters_.replayed;
    return {};
  }
  if (!opened && !channel->key.open(datagram.data(), text)) {
    ++counters_.forged;
    return {};
  }
  channel->seen[lane].take(number);
  return datagram.subspan(kSealHeadBytes, text);
}

bool looks_sealed(Bytes datagram) {
  return datagram.size() >= 2 && datagram[0] == kMagicFirst && datagram[1] == kMagicSecond;
}

}  // namespace selvedge::protocol
