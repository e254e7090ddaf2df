// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/seal.hpp"

#include <sodium.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>
#include <unordered_map>

#include "daemon/protocol/replay_window.hpp"
#include "daemon/protocol/sharding.hpp"

namespace selvedge::protocol {
namespace {

constexpr std::byte kMagicFirst{0x53}, kMagicSecond{0x58};  // "SX"
constexpr std::size_t kCipherAt = 2, kHintAt = 3, kSaltAt = 4, kNumberAt = kSealNumberAt;
constexpr std::uint64_t kNumberMax = (std::uint64_t{1} << 56) - 1;

static_assert(kChannelPacketsMax <= kNumberMax);

bool known(Cipher cipher) {
  return cipher == Cipher::kChaCha20Poly1305 || cipher == Cipher::kAes256Gcm;
}

std::uint8_t hint_of(const SealKey& key) {
  constexpr std::string_view use = "selvedge hint 1";
  SealKey hash;
  crypto_generichash_state state;  // it has the key, so it is wiped
  crypto_generichash_init(&state, key.data(), key.size(), hash.size());
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(use.data()), use.size());
  crypto_generichash_final(&state, hash.data(), hash.size());
  sodium_memzero(&state, sizeof state);
  return hash[0];
}

}  // namespace

// The two hashes are not in the unnamed namespace, because types of Seal::State's fields name them.
struct Destination {
  PeerAddress address;
  unsigned worker = 0;
  friend bool operator==(const Destination&, const Destination&) = default;
};
struct DestinationHash {
  std::size_t operator()(const Destination& d) const {
    const auto& a = d.address.bytes;
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(a.data()), a.size()}) * 31 +
           d.worker;
  }
};
struct SaltHash {  // a salt is random, so a part of it is a good hash
  std::size_t operator()(const Salt& salt) const {
    std::size_t hash;
    std::memcpy(&hash, salt.data(), sizeof hash);
    return hash;
  }
};

struct Seal::Sending {
  Sending(const SealKey& master, Cipher cipher, const Salt& own)
      : key(master, cipher, own, ChannelKey::Use::kSeal) {
    head[0] = kMagicFirst;
    head[1] = kMagicSecond;
    head[kCipherAt] = static_cast<std::byte>(cipher);
    head[kHintAt] = static_cast<std::byte>(hint_of(master));
    std::memcpy(head.data() + kSaltAt, own.data(), own.size());
  }
  ChannelKey key;
  std::array<std::byte, kNumberAt> head{};
  std::array<std::uint64_t, kLanes> numbers{};  // of the last packet on each lane
  std::uint64_t used = 0;
};

struct Seal::Receiving {
  Receiving(const SealKey& from, Cipher with, const Salt& salt)
      : master{from}, cipher(with), key(from, with, salt, ChannelKey::Use::kOpen) {}
  SealKeys master;  // one key
  Cipher cipher;
  ChannelKey key;
  std::array<ReplayWindow, kLanes> seen;
  std::uint64_t used = 0;
};

struct Seal::State {
  SealConfig config;
  std::vector<std::uint8_t> hints;
  std::array<std::uint8_t, 32> random;
  std::size_t channels_max = kChannelsMax;
  std::uint64_t salts = 0, clock = 0;  // clock counts look-ups, to order channels by use
  std::unordered_map<Destination, std::unique_ptr<Sending>, DestinationHash> sending;
  std::unordered_map<Salt, std::unique_ptr<Receiving>, SaltHash> receiving;
  // The channels that were looked up last: consecutive datagrams mostly belong to the same channel.
  Destination last_to;
  Sending* last_sending = nullptr;
  Salt last_salt{};
  Receiving* last_receiving = nullptr;

  void set(const SealConfig& c) {
    config = c;
    hints.clear();
    for (const SealKey& key : c.keys) hints.push_back(hint_of(key));
  }
  Salt salt(unsigned worker) {
    std::array<std::byte, 8> number;
    put64(number.data(), ++salts);
    std::array<std::uint8_t, 16> hash;
    crypto_generichash(hash.data(), hash.size(), octets(number.data()), number.size(),
                       random.data(), random.size());
    Salt salt;
    std::memcpy(salt.data(), hash.data(), salt.size());
    salt[0] = static_cast<Salt::value_type>((hash[0] & ~(kWorkersMax - 1)) | worker);
    return salt;
  }
  template <class Map>
  static void erase_least_recently_used(Map& map) {
    map.erase(
        std::ranges::min_element(map, {}, [](const auto& entry) { return entry.second->used; }));
  }
  template <class Map>
  void make_room(Map& map) {
    if (map.size() >= channels_max) erase_least_recently_used(map);
  }
  /// Makes a channel. Memory for keys is the whole daemon's, so it may end before channels_max is
  /// reached: others are forgotten then.
  template <class Channel, class... Arguments>
  std::unique_ptr<Channel> make(const Arguments&... arguments) {
    for (;;) try {
        return std::make_unique<Channel>(arguments...);
      } catch (const std::bad_alloc&) {
        if (sending.empty() && receiving.empty()) throw;
        last_sending = nullptr;
        last_receiving = nullptr;
        if (sending.size() > receiving.size())
          erase_least_recently_used(sending);
        else
          erase_least_recently_used(receiving);
      }
  }
};

Seal::Seal(const SealConfig& config, const std::array<std::uint8_t, 32>& random,
           std::size_t channels_max)
    : state_(std::make_unique<State>()) {
  state_->channels_max = channels_max;
  start_ciphers();
  state_->random = random;
  change_keys(config);
}

Seal::~Seal() = default;

void Seal::change_keys(const SealConfig& config) {
  State& s = *state_;
  s.set(config);
  // New channels to peers begin with the new first key. A channel from a peer is kept if its key is
  // still among the keys.
  s.sending.clear();
  std::erase_if(s.receiving, [&](const auto& entry) {
    return std::ranges::find(config.keys, entry.second->master.front()) == config.keys.end();
  });
  s.last_sending = nullptr;
  s.last_receiving = nullptr;
}

std::size_t Seal::sending() const { return state_->sending.size(); }
std::size_t Seal::receiving() const { return state_->receiving.size(); }

Seal::Sending& Seal::channel_to(const PeerAddress& address, unsigned worker) {
  State& s = *state_;
  const Destination to{.address = address, .worker = worker};
  if (s.last_sending != nullptr && s.last_to == to) return *s.last_sending;
  auto it = s.sending.find(to);
  if (it == s.sending.end()) {
    s.make_room(s.sending);
    auto made = s.make<Sending>(s.config.keys.front(), s.config.cipher, s.salt(worker));
    it = s.sending.emplace(to, std::move(made)).first;
  }
  it->second->used = ++s.clock;
  s.last_to = to;
  s.last_sending = it->second.get();
  return *it->second;
}

std::size_t Seal::seal(const PeerAddress& to, unsigned worker, unsigned lane, Bytes head,
                       Bytes body, std::byte* out) {
  Sending* channel = &channel_to(to, worker);
  if (channel->numbers[lane] >= state_->config.packets_max) {
    state_->sending.erase({to, worker});
    state_->last_sending = nullptr;
    channel = &channel_to(to, worker);
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
    const auto keys_with_hint = std::ranges::count(s.hints, hint);
    std::vector<std::byte> original;  // a copy: a wrong key destroys the text
    if (keys_with_hint > 1) original.assign(datagram.begin(), datagram.end());
    bool hint_known = false;
    for (std::size_t i = 0; i < s.hints.size() && known(cipher); ++i) {
      if (s.hints[i] != hint) continue;
      hint_known = true;
      if (!original.empty()) std::ranges::copy(original, datagram.begin());
      // A channel enters the table only after its first datagram is authenticated: forged datagrams
      // must not fill the table.
      auto made = s.make<Receiving>(s.config.keys[i], cipher, salt);
      if (!made->key.open(datagram.data(), text)) continue;
      *opened = true;
      s.make_room(s.receiving);
      s.last_receiving = nullptr;
      it = s.receiving.emplace(salt, std::move(made)).first;
      break;
    }
    if (it == s.receiving.end()) {
      ++(hint_known ? counters_.forged : counters_.other_key);
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

Bytes Seal::open(MutableBytes datagram, bool announcement) {
  if (!looks_sealed(datagram) || datagram.size() < kSealBytes) {
    ++counters_.unsealed;
    return {};
  }
  const std::uint64_t lane_and_number = get64(datagram.data() + kNumberAt);
  const auto lane = static_cast<unsigned>(lane_and_number >> 56);
  const std::uint64_t number = lane_and_number & kNumberMax;
  const std::size_t text = datagram.size() - kSealBytes;
  if (announcement ? lane != kAnnouncementLane : lane >= kPathsMax) {
    ++counters_.forged;
    return {};
  }
  bool opened = false;
  Receiving* channel = channel_from(datagram, text, &opened);
  if (channel == nullptr) return {};
  // The replay check comes first, because it is cheaper than checking the tag.
  if (!channel->seen[lane].is_new(number)) {
    ++counters_.replayed;
    return {};
  }
  if (!opened && !channel->key.open(datagram.data(), text)) {
    ++counters_.forged;
    return {};
  }
  channel->seen[lane].mark_seen(number);
  return datagram.subspan(kSealHeadBytes, text);
}

unsigned sealed_for(Bytes datagram, unsigned workers) {
  return datagram.size() <= kSaltAt
             ? 0
             : worker_of(std::to_integer<std::uint32_t>(datagram[kSaltAt]), workers);
}

bool looks_sealed(Bytes datagram) {
  return datagram.size() >= 2 && datagram[0] == kMagicFirst && datagram[1] == kMagicSecond;
}

}  // namespace selvedge::protocol
