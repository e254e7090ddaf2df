// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Neither end allocates memory for packets after its first ones, in whatever order they arrive.
// Idle connections need little memory.
#include <gtest/gtest.h>
#include <malloc.h>
#include <openssl/crypto.h>

#include <cstdlib>
#include <new>

#include "daemon/protocol/endpoint.hpp"
#include "daemon/protocol/seal.hpp"

namespace {
std::size_t allocations = 0, live_bytes = 0;
std::size_t openssl_may = SIZE_MAX;  // how many allocations of OpenSSL still succeed

// Allocates for OpenSSL. It is registered before main(), because OpenSSL refuses new functions once
// it has allocated anything.
void* openssl_allocates(std::size_t size, const char*, int) {
  if (openssl_may == 0) return nullptr;
  if (openssl_may != SIZE_MAX) --openssl_may;
  ++allocations;
  return std::malloc(size);
}
const bool openssl_is_counted = CRYPTO_set_mem_functions(
                                    openssl_allocates,
                                    [](void* p, std::size_t size, const char*, int) {
                                      return ++allocations, std::realloc(p, size);
                                    },
                                    [](void* p, const char*, int) { std::free(p); }) == 1;
}  // namespace

// NOLINTBEGIN: operator new is replaced, so that all allocations of the program are counted. So is
// that of arrays, because AddressSanitizer's does not call the other one.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) {
    live_bytes += malloc_usable_size(p);
    return p;
  }
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  live_bytes -= malloc_usable_size(p);
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete[](void* p) noexcept { operator delete(p); }
void operator delete[](void* p, std::size_t) noexcept { operator delete(p); }
// NOLINTEND

namespace selvedge::protocol {
namespace {

TEST(Allocation, NoneOnTheFastPath) {
  SlotPool pool(256 * 64, 64);
  Sender sender({}, 0xffff'ff00);  // the numbers wrap around
  Receiver receiver(pool, MemoryPolicy::kDynamic, 256, kWindowPacketsDefault, 0xffff'ff00);
  sender.on_ack(1, 0xffff'ff00, kWindowPacketsDefault);
  std::array<std::byte, 64> bytes{};
  std::array<std::byte, kControlBytesMax> wire{};
  std::size_t delivered = 0, before = 0;
  TimeNs now = kSecond;
  Sequence number = 0;
  Burst burst;
  for (int round = 0; round < 2'000; ++round, now += 100'000) {
    if (round == 100) before = allocations;
    while (sender.space() != 0) sender.push(bytes.data(), 64, 3);
    if (sender.deadline() <= now) sender.on_timer(now);
    while (sender.next_burst(now, burst))
      for (unsigned i = burst.count; i-- > 0;) {  // in reverse order, and one in 17 is lost
        if ((round + i) % 17 == 0) continue;
        const Outgoing& p = burst.packets[i];
        Header h, back;
        h.sequence = p.sequence;
        encode(h, wire.data());
        ASSERT_EQ(decode(Bytes{wire.data(), kHeaderBytes}, back), Decoded::kGood);
        receiver.on_data(back.sequence, p.flags, {p.data, p.length}, [&](Bytes, std::uint8_t) {
          ++delivered;
          return true;
        });
      }
    Report report, back;
    const Sequence ack = receiver.expected();
    receiver.take_report(report);
    ASSERT_TRUE(decode(Bytes{wire.data(), encode(report, wire.data())}, back));
    ASSERT_TRUE(sender.on_ack(now, ack, receiver.window()));
    sender.on_report(now, ++number, ack, back);
  }
  EXPECT_GT(before, 0u);  // the counter of allocations works
  EXPECT_EQ(allocations, before);
  EXPECT_GT(delivered, 50'000u);
  EXPECT_GT(sender.counters().retransmitted_lost, 1'000u);
}

TEST(Allocation, AWindowTakesWhatIsOutstanding) {
  const auto memory = [](std::uint32_t outstanding) {
    const std::size_t before = live_bytes;
    SenderConfig config;
    config.window_packets = 1'024;
    Sender sender(config, 0xffff'ff00);
    std::array<std::byte, 64> bytes{};
    Burst burst;
    TimeNs now = kSecond;
    Sequence ack = 0xffff'ff00;
    for (unsigned round = 0; round < 1'000; ++round, now += 100'000) {
      sender.on_ack(now, ack, 1'024);
      for (; sender.next() != ack + outstanding;) sender.push(bytes.data(), 64, 3);
      while (sender.next_burst(now, burst)) ack += burst.count;
    }
    EXPECT_GE(sender.counters().sent, 1'000u);
    return live_bytes - before;
  };
  EXPECT_GT(memory(1'000), 32'768u);
  EXPECT_LT(memory(1), 1'500u);
  EXPECT_LT(memory(100), 6'000u);
}

TEST(Allocation, NoneForASealedPacket) {
  ASSERT_TRUE(openssl_is_counted);
  std::array<std::byte, 4'096> text{};
  std::array<std::byte, 4'096 + kSealBytes> wire{};
  for (const Cipher cipher : {Cipher::kChaCha20Poly1305, Cipher::kAes256Gcm}) {
    SealConfig config;
    config.keys = {SealKey{1}};
    config.cipher = cipher;
    Seal a(config, {1}), b(config, {2});
    std::size_t before = 0;
    for (int n = 0; n < 100; ++n) {
      if (n == 2) before = allocations;
      for (const std::size_t length : {16u, 4'096u}) {
        const std::size_t size = a.seal({}, 0, 0, Bytes{text.data(), length}, {}, wire.data());
        ASSERT_EQ(b.open({wire.data(), size}).size(), length);
      }
    }
    EXPECT_GT(before, 0u);
    EXPECT_EQ(allocations, before);
  }
}

TEST(Allocation, WithoutMemoryForItsCipherThereIsNoKey) {
  ASSERT_TRUE(openssl_is_counted);
  start_ciphers();
  for (const Cipher cipher : {Cipher::kChaCha20Poly1305, Cipher::kAes256Gcm}) {
    unsigned refused = 0;
    for (bool made = false; !made; ++refused) {
      ASSERT_LT(refused, 20u);
      openssl_may = refused;
      try {
        const ChannelKey key(SealKey{1}, cipher, Salt{2}, ChannelKey::Use::kSeal);
        made = true;
      } catch (const std::bad_alloc&) {
      }
      openssl_may = SIZE_MAX;
    }
    EXPECT_GE(refused, 3u);  // for OpenSSL's context, and for the cipher's part of it
  }
}

struct Into {
  Endpoint& to;
  TimeNs now;
  void control(const PeerAddress&, PeerLayout, std::uint8_t, Bytes datagram) {
    to.on_datagram(now, {}, datagram, [](ConnectionId, Bytes, std::uint8_t) { return true; });
  }
  void data(const Connection& c, const Burst& burst) {
    for (std::uint32_t i = 0; i < burst.count; ++i) {
      const Outgoing& packet = burst.packets[i];
      std::array<std::byte, kHeaderBytes + 8> datagram;
      std::memcpy(&datagram[kHeaderBytes], packet.data, packet.length);
      encode(c.data_header(packet, burst.path), datagram.data());
      control({}, {}, burst.path, datagram);
    }
  }
};

TEST(Allocation, TenThousandIdleConnections) {
  EndpointConfig config;  // packets of 4 KB, rearrange memory of 4 MiB
  config.secret = {1, 2};
  config.sources = {.connections = 10'000, .half_open = 10'000, .new_per_second = 10'000};
  const std::size_t before = live_bytes;
  Endpoint a(config);
  config.secret = {3, 4};
  const std::size_t between = live_bytes;
  Endpoint b(config);
  b.listen("idle");
  TimeNs now = kSecond;
  std::vector<ConnectionId> ids;
  ids.reserve(10'000);
  for (int i = 0; i < 10'000; ++i) {
    ids.push_back(*a.connect(now, {}, "idle"));
    for (int round = 0; round < 4; ++round, now += 10'000) {
      a.flush(now, true, Into{b, now});
      b.flush(now, true, Into{a, now});
    }
    a.take_events();
    b.take_events();
  }
  const auto run = [&](TimeNs time, TimeNs step) {
    for (const TimeNs end = now + time; now < end; now += step) {
      a.on_timer(now);
      b.on_timer(now);
      for (int round = 0; round < 4; ++round) {
        a.flush(now, true, Into{b, now});
        b.flush(now, true, Into{a, now});
      }
    }
  };
  run(2 * kSecond, 50 * kMillisecond);  // keep-alives alone are sent
  EXPECT_EQ(b.connections(), 10'000u);
  for (const ConnectionId id : ids) ASSERT_EQ(a.find(id)->state(), Connection::State::kOpen);
  const auto bytes_of_one = [&] {
    // Both ends are in this process, so each of them has half of the memory. Without the rearrange
    // memory and tables of fixed size.
    return ((live_bytes - before) / 2 - (between - before)) / 10'000;
  };
  const std::size_t of_one = bytes_of_one();
  std::printf("%zu bytes for an idle connection\n", of_one);
  EXPECT_LE(of_one, 1'100u);
  // Used in both directions, they give most of the memory back afterwards.
  const std::array<std::byte, 8> bytes{};
  for (Endpoint* const end : {&a, &b})
    end->for_each([&](Connection& c) {
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(c.sender().push(bytes.data(), 8, 0));
      end->mark_ready(c.id());
    });
  run(20 * kMillisecond, 100'000);
  std::uint64_t unacknowledged = 0;
  a.for_each(
      [&](Connection& c) { unacknowledged += c.sender().next() - c.sender().acknowledged(); });
  EXPECT_EQ(unacknowledged, 0u);
  std::printf("%zu bytes after 20 packets each way\n", bytes_of_one());
  run(3 * kSecond, 50 * kMillisecond);
  std::printf("%zu bytes when idle again\n", bytes_of_one());
  EXPECT_LE(bytes_of_one(), 1'200u);
  const std::size_t each = (live_bytes - before) / 2;
  RecordProperty("bytes_each_end", static_cast<int>(each));
  std::printf("%zu bytes for 10,000 connections at either end\n", each);
}

}  // namespace
}  // namespace selvedge::protocol
