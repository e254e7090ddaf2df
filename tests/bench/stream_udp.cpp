// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The throughput of daemon/protocol over daemon/transport's UDP, without the rest of the daemon:
// messages in order over loopback, two processes, a core each, one connection. The receiver copies
// each message into a ring, as the daemon does for its client; with --verify it compares every
// byte.
//
//   stream_udp [--bytes N] [--seconds S] [--paths P] [--burst B] [--flight F] [--verify]
//              [--loss X] [--duplicate X] [--reorder X] [--depth D] [--seed N] [--port P]
//
// The output is one line of JSON with the messages per second, measured for S seconds after one
// second of warm-up.
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/error.hpp"
#include "daemon/transport/udp.hpp"

namespace {

using namespace selvedge;
using namespace selvedge::protocol;
using transport::Udp;
using transport::UdpConfig;

struct Options {
  std::size_t bytes = 4'096;
  double seconds = 3;
  unsigned paths = 8, burst = kBurstPacketsDefault, flight = kInFlightPacketsDefault, port = 47'100;
  bool verify = false, gso = true;
  transport::ImpairConfig impair;
};

/// Memory that the two processes share, for counts and the end of the run.
struct Shared {
  std::atomic<std::uint64_t> delivered{0}, wrong{0}, stored{0}, rejected{0}, duplicates{0};
  std::atomic<std::uint32_t> slots_used_max{0};
  std::atomic<bool> stop{false};
};

TimeNs now_ns() {
  return static_cast<TimeNs>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::steady_clock::now().time_since_epoch())
                                 .count());
}

void pin(unsigned core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core % std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)), &set);
  sched_setaffinity(0, sizeof set, &set);
}

EndpointConfig endpoint_config(const Options& o, std::uint64_t secret) {
  EndpointConfig c;
  c.secret = {secret, ~secret};
  c.payload_bytes = static_cast<std::uint16_t>(
      std::clamp<std::size_t>(o.bytes, kPayloadBytesMin, kPayloadBytesMax));
  c.sender.paths.paths = o.paths;
  c.sender.burst_packets = o.burst;
  c.sender.in_flight_packets = o.flight;
  return c;
}

UdpConfig udp_config(const Options& o, unsigned side) {
  UdpConfig c;
  c.listen = fmt::format("127.0.0.1:{}", o.port + 100 * side);
  c.paths = o.paths;
  c.segmentation = o.gso;
  c.impair = o.impair;
  c.impair.seed += side;
  return c;
}

/// Byte i of message n, which begins with its number; all later bytes follow from n.
constexpr std::size_t kPatterns = 1'024;
std::byte pattern(std::uint64_t n, std::size_t i) {
  return static_cast<std::byte>((n % kPatterns) * 31 + i * 7 + (i >> 8));
}

constexpr std::size_t kRingBytes = 8 << 20;

void receive(const Options& o, Shared& shared) {
  pin(1);
  Udp udp(udp_config(o, 1));
  Endpoint endpoint(endpoint_config(o, 2));
  endpoint.listen("stream");
  std::vector<std::byte> ring(kRingBytes + o.bytes);
  std::size_t at = 0;
  std::uint64_t delivered = 0;
  TimeNs timer = 0;
  const auto sink = [&](ConnectionId, Bytes payload, std::uint8_t) {
    std::memcpy(ring.data() + at, payload.data(), payload.size());
    std::uint64_t n = 0;
    std::memcpy(&n, payload.data(), sizeof n);
    bool right = payload.size() == o.bytes && n == delivered;
    if (o.verify)
      for (std::size_t i = sizeof n; right && i < o.bytes; ++i)
        right = ring[at + i] == pattern(n, i);
    if (!right) shared.wrong.fetch_add(1);
    ++delivered;
    at += o.bytes;
    if (at >= kRingBytes) at = 0;
    return true;
  };
  while (!shared.stop.load(std::memory_order_relaxed)) {
    const TimeNs now = now_ns();
    const std::uint32_t got = udp.poll(kReportEveryPackets, [&](const PeerAddress& from, Bytes d) {
      endpoint.on_datagram(now, from, d, sink, udp.seen());
    });
    udp.tick(now);
    endpoint.flush(now, got == 0, udp);
    if (now > timer + 2 * kMillisecond) {
      timer = now;
      endpoint.on_timer(now);
    }
    shared.delivered.store(delivered, std::memory_order_relaxed);
  }
  endpoint.for_each([&](Connection& c) {
    shared.stored = c.receiver()->counters().stored;
    shared.rejected = c.receiver()->counters().rejected + c.receiver()->counters().evicted;
    shared.duplicates = c.receiver()->counters().duplicates;
  });
  shared.slots_used_max = endpoint.pool().used_max();
  if (getenv("STREAM_VERBOSE"))
    fmt::print(stderr, "receiver: {} packets in {} reads, {} reports\n",
               udp.counters().received_packets, udp.counters().received_calls,
               udp.counters().sent_calls);
}

int send(const Options& o, Shared& shared) {
  pin(0);
  Udp udp(udp_config(o, 0));
  Endpoint endpoint(endpoint_config(o, 1));
  const auto id = *endpoint.connect(
      now_ns(), transport::parse_address(fmt::format("127.0.0.1:{}", o.port + 100), "--port"),
      "stream");
  // A slot is never overwritten before its packet is acknowledged: the sender's window is far
  // smaller than the ring.
  const std::size_t slots = 2 * kWindowPacketsDefault;
  std::vector<std::byte> ring(slots * o.bytes);
  for (std::size_t n = 0; n < slots; ++n)
    for (std::size_t i = 8; i < o.bytes; ++i) ring[n * o.bytes + i] = pattern(n, i);
  const auto sink = [](ConnectionId, Bytes, std::uint8_t) { return true; };
  std::uint64_t pushed = 0;
  const TimeNs began = now_ns();
  const TimeNs warm = began + kSecond;
  const TimeNs end = warm + static_cast<TimeNs>(o.seconds * 1e9);
  TimeNs timer = 0, measured_from = 0;
  std::uint64_t delivered_warm = 0;
  TimeNs now = began;
  for (; now < end; now = now_ns()) {
    Connection* c = endpoint.find(id);
    if (c == nullptr) {
      fmt::print(stderr, "error: the connection ended\n");
      return 1;
    }
    if (measured_from == 0 && now >= warm) {
      measured_from = now;
      delivered_warm = shared.delivered.load();
    }
    while (c->sender().wanted() != 0) {
      std::byte* m = ring.data() + pushed % slots * o.bytes;
      std::memcpy(m, &pushed, sizeof pushed);
      c->sender().push(m, static_cast<std::uint16_t>(o.bytes), kFirstOfMessage | kLastOfMessage);
      ++pushed;
    }
    const std::uint32_t got = udp.poll(64, [&](const PeerAddress& from, Bytes d) {
      endpoint.on_datagram(now, from, d, sink, udp.seen());
    });
    endpoint.mark_ready(id);
    udp.tick(now);
    endpoint.flush(now, got == 0, udp);
    if (now > timer + 2 * kMillisecond) {
      timer = now;
      endpoint.on_timer(now);
    }
  }
  const std::uint64_t messages = shared.delivered.load() - delivered_warm;
  const double seconds = static_cast<double>(now - measured_from) * 1e-9;
  shared.stop = true;
  int status = 0;
  wait(&status);
  const Sender& s = endpoint.find(id)->sender();
  if (getenv("STREAM_VERBOSE"))
    for (unsigned p = 0; p < s.paths().size(); ++p)
      fmt::print(stderr, "path {}: rtt {} us, variation {} us\n", p, s.paths()[p].rtt_ns / 1000,
                 s.paths()[p].rtt_variation_ns / 1000);
  fmt::print(
      "{{\"bytes\": {}, \"messages\": {}, \"seconds\": {:.3f}, \"messages_per_s\": {:.0f}, "
      "\"gigabytes_per_s\": {:.3f}, \"wrong\": {}, \"sent\": {}, \"retransmitted_lost\": {}, "
      "\"retransmitted_rejected\": {}, \"timeouts\": {}, \"paths_died\": {}, \"stored\": {}, "
      "\"rejected\": {}, \"duplicates\": {}, \"slots_used_max\": {}, \"gso\": {}, "
      "\"unsent\": {}}}\n",
      o.bytes, messages, seconds, static_cast<double>(messages) / seconds,
      static_cast<double>(messages) * static_cast<double>(o.bytes) / seconds * 1e-9,
      shared.wrong.load(), s.counters().sent, s.counters().retransmitted_lost,
      s.counters().retransmitted_rejected, s.counters().timeouts, s.counters().paths_died,
      shared.stored.load(), shared.rejected.load(), shared.duplicates.load(),
      shared.slots_used_max.load(), udp.gso(), udp.counters().unsent);
  return status != 0 || shared.wrong != 0 || messages == 0 ? 1 : 0;
}

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const auto number = [&] { return i + 1 < argc ? std::atof(argv[++i]) : 0.; };
    if (name == "--verify")
      o.verify = true;
    else if (name == "--no-gso")
      o.gso = false;
    else if (name == "--bytes")
      o.bytes = static_cast<std::size_t>(number());
    else if (name == "--seconds")
      o.seconds = number();
    else if (name == "--paths")
      o.paths = static_cast<unsigned>(number());
    else if (name == "--burst")
      o.burst = static_cast<unsigned>(number());
    else if (name == "--flight")
      o.flight = static_cast<unsigned>(number());
    else if (name == "--port")
      o.port = static_cast<unsigned>(number());
    else if (name == "--loss")
      o.impair.loss = number();
    else if (name == "--duplicate")
      o.impair.duplicate = number();
    else if (name == "--reorder")
      o.impair.reorder = number();
    else if (name == "--depth")
      o.impair.reorder_depth = static_cast<unsigned>(number());
    else if (name == "--seed")
      o.impair.seed = static_cast<std::uint64_t>(number());
    else
      throw InputError("unknown option", std::string(name), "see the head of stream_udp.cpp");
  }
  if (o.bytes < 8 || o.bytes > kPayloadBytesMax || o.paths < 1 || o.paths > kPathsMax ||
      o.burst < 1 || o.burst > kBurstPacketsMax || o.flight < 1 ||
      o.flight > kWindowPacketsDefault || o.impair.reorder_depth < 1)
    throw InputError("an option is out of range", "stream_udp",
                     "bytes 8 to 16384, paths 1 to 16, burst 1 to 64, flight 1 to 2048");
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse(argc, argv);
    void* memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto* shared = new (memory) Shared;
    if (fork() == 0) {
      receive(options, *shared);
      return 0;
    }
    return send(options, *shared);
  } catch (const InputError& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 2;
  } catch (const EnvironmentError& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 3;
  }
}
