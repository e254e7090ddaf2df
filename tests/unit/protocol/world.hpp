// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A test world: two endpoints, a clock that only the test advances, and a faulty network. The
// network drops, duplicates, delays and reorders packets, and cuts paths, at random from a seed.
// There is one thread and no socket, so the same seed gives the same run.
//
//   side 0  <==== paths 0 … n-1, each and each direction with its own faults ====>  side 1
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <queue>
#include <random>
#include <set>
#include <vector>

#include "daemon/protocol/endpoint.hpp"
#include "daemon/protocol/seal.hpp"

namespace selvedge::protocol::test {

struct Faults {
  double loss = 0, duplicate = 0, reorder = 0;
  TimeNs delay_ns = 10 * kMicrosecond;
  TimeNs jitter_ns = 0;          ///< additional delay of each packet, uniformly distributed
  TimeNs reorder_ns = 200'000;   ///< additional delay of the packets that `reorder` selects
  double stop = 0;               ///< probability, for each packet, that its path goes down
  TimeNs stop_ns = 10'000'000;   ///< how long the path then stays down (burst loss)
  double back_loss = 0;          ///< additional loss from side 1 to side 0
  double corrupt = 0;            ///< share of packets with a flipped bit; needs seals
  double replay = 0;             ///< share of packets followed by a replayed one; needs seals too
  std::set<unsigned> dead = {};  ///< paths that carry nothing
  std::array<std::set<unsigned>, 2> dead_to = {};  ///< likewise, to side 0 or to side 1 only
  TimeNs byte_ns = 0;           ///< time per byte on a path and direction; packets queue for it
  std::size_t queue_bytes = 0;  ///< what does not fit this is lost; 0: everything fits
  std::size_t mark_bytes = 0;   ///< packets that meet so long a queue are marked (ECN); 0: none
  /// Path -> another path, whose queue the packets of the first one use.
  std::map<unsigned, unsigned> detour = {};
  TimeNs faults_end_ns = kNever;  ///< no losses, duplicates or extra delays from this time on
};

struct World {
  struct Flying {
    TimeNs at;
    std::uint64_t order;
    unsigned to;
    std::vector<std::byte> bytes;
    bool marked = false;
    bool operator>(const Flying& o) const { return std::tie(at, order) > std::tie(o.at, o.order); }
  };
  /// What one application has sent and received on one connection.
  struct Stream {
    std::vector<std::vector<std::byte>> sent;
    std::size_t pushed = 0, got = 0;
    bool wrong = false, ended = false, closed = false;
    Error error = Error::kNone;
  };

  TimeNs now = 1'000 * kSecond;
  Faults faults;
  std::mt19937_64 random;
  std::priority_queue<Flying, std::vector<Flying>, std::greater<>> air;
  std::map<std::pair<unsigned, unsigned>, TimeNs> down_until;  // (to, path)
  std::map<std::pair<unsigned, unsigned>, TimeNs> free_ns;     // likewise: when the queue is empty
  std::array<std::unique_ptr<Endpoint>, 2> side;
  std::map<std::pair<unsigned, ConnectionId>, Stream> streams;
  std::vector<std::pair<unsigned, Event>> events;
  std::uint64_t order = 0, datagrams = 0;
  std::uint64_t overflowed = 0, marked = 0;       ///< datagrams that met a full or a long queue
  std::function<bool(unsigned to, Bytes)> drops;  ///< loses the datagrams for which it is true
  TimeNs read_ns[2] = {0, 0};                     ///< an application reads nothing until this time
  EndpointConfig config;
  SealConfig seal_config;                                       ///< with keys, all is sealed
  std::array<std::unique_ptr<Seal>, 2> seals;                   ///< one for each side
  std::array<std::vector<std::vector<std::byte>>, 2> recorded;  ///< recorded datagrams to each side

  World(const EndpointConfig& c, const Faults& f, std::uint64_t seed, SealConfig sealed = {})
      : faults(f), random(seed), config(c), seal_config(std::move(sealed)) {
    for (unsigned i : {0u, 1u}) restart(i);
  }
  void restart(unsigned i) {
    config.secret = {random(), random()};
    if (!seal_config.keys.empty()) {
      std::array<std::uint8_t, 32> life;
      for (auto& byte : life) byte = static_cast<std::uint8_t>(random());
      seals[i] = std::make_unique<Seal>(seal_config, life);
    }
    side[i] = std::make_unique<Endpoint>(config);
    side[i]->listen("echo");
  }
  static PeerAddress address(unsigned i) {
    PeerAddress a;
    a.bytes[0] = static_cast<std::byte>(i + 1);
    return a;
  }
  double chance() { return std::uniform_real_distribution<>()(random); }

  void fly(unsigned to, unsigned path, Bytes clear) {
    ++datagrams;
    if (drops && drops(to, clear)) return;
    std::vector<std::byte> datagram{clear.begin(), clear.end()};
    if (const auto& seal = seals[1 - to]) {
      datagram.resize(clear.size() + kSealBytes);
      seal->seal(address(to), 0, path, clear, {}, datagram.data());
    }
    TimeNs delay = faults.delay_ns;
    bool mark = false;
    if (faults.byte_ns != 0) {
      const auto detour = faults.detour.find(path);
      TimeNs& free = free_ns[{to, detour == faults.detour.end() ? path : detour->second}];
      const std::size_t queued = free > now ? (free - now) / faults.byte_ns : 0;
      if (faults.queue_bytes != 0 && queued + datagram.size() > faults.queue_bytes) {
        ++overflowed;
        return;
      }
      mark = faults.mark_bytes != 0 && queued > faults.mark_bytes;
      marked += mark;
      free = std::max(free, now) + datagram.size() * faults.byte_ns;
      delay += free - now;
    }
    int copies = 1;
    if (now < faults.faults_end_ns) {
      auto& until = down_until[{to, path}];
      if (faults.stop != 0 && chance() < faults.stop) until = now + faults.stop_ns;
      if (faults.dead.contains(path) || faults.dead_to[to].contains(path)) return;
      if (until > now || chance() < faults.loss) return;
      if (to == 0 && chance() < faults.back_loss) return;
      if (chance() < faults.duplicate) copies = 2;
      if (chance() < faults.reorder) delay += random() % (faults.reorder_ns + 1);
      if (faults.jitter_ns != 0) delay += random() % faults.jitter_ns;
      if (faults.replay != 0) record(to, datagram);
      if (chance() < faults.corrupt)
        datagram[random() % datagram.size()] ^= static_cast<std::byte>(1u << random() % 8);
    }
    for (; copies > 0; --copies, delay += 7'000)
      air.push({now + delay, order++, to, {datagram.begin(), datagram.end()}, mark});
  }

  /// An attacker records datagrams and replays some of them.
  void record(unsigned to, const std::vector<std::byte>& datagram) {
    auto& seen = recorded[to];
    if (seen.size() < 1'000)
      seen.push_back(datagram);
    else
      seen[random() % seen.size()] = datagram;
    if (chance() < faults.replay)
      air.push({now + random() % kMillisecond, order++, to, seen[random() % seen.size()]});
  }

  struct Transmit {
    World& world;
    unsigned from;
    void control(const PeerAddress& to, PeerLayout, std::uint8_t path, Bytes datagram) {
      world.fly(std::to_integer<unsigned>(to.bytes[0]) - 1, path, datagram);
    }
    void data(const Connection& c, const Burst& burst) {
      for (unsigned i = 0; i < burst.count; ++i) {
        const Outgoing& p = burst.packets[i];
        std::vector<std::byte> bytes(kHeaderBytes + p.length);
        encode(c.data_header(p, burst.path), bytes.data());
        if (p.length != 0) std::memcpy(bytes.data() + kHeaderBytes, p.data, p.length);
        world.fly(1 - from, burst.path, bytes);
      }
    }
  };

  bool take(unsigned i, ConnectionId id, Bytes payload) {
    if (now < read_ns[i]) return false;
    Stream& mine = streams[{i, id}];
    const Stream& other = peer_stream(i, id);
    if (mine.got >= other.sent.size()) {
      mine.wrong = true;
      return true;
    }
    const auto& want = other.sent[mine.got++];
    mine.wrong |= want.size() != payload.size() ||
                  (!want.empty() && std::memcmp(want.data(), payload.data(), want.size()) != 0);
    return true;
  }
  Stream& peer_stream(unsigned i, ConnectionId id) {
    return streams[{1 - i, side[i]->find(id)->peer_connection()}];
  }

  void pump(unsigned i) {
    Endpoint& e = *side[i];
    for (auto& [key, stream] : streams) {
      if (key.first != i) continue;
      Connection* c = e.find(key.second);
      if (!c || c->state() != Connection::State::kOpen) continue;
      if (now >= read_ns[i])
        c->receiver()->drain([&](Bytes b, std::uint8_t) { return take(i, key.second, b); });
      c->receiver()->set_room(now < read_ns[i] ? 4 : 1'000'000);
      while (stream.pushed < stream.sent.size()) {
        const auto& m = stream.sent[stream.pushed];
        if (!c->sender().push(m.data(), static_cast<std::uint16_t>(m.size()), 3, now)) break;
        ++stream.pushed;
      }
      e.mark_ready(key.second);
    }
    e.on_timer(now);
    e.flush(now, true, Transmit{*this, i});
    for (const Event& event : e.take_events()) {
      events.emplace_back(i, event);
      Stream& s = streams[{i, event.id}];
      if (event.what == Event::What::kPeerClosed) s.ended = true;
      if (event.what == Event::What::kClosed) {
        s.closed = true;
        s.error = event.error;
      }
    }
  }

  /// Advances to the next arrival of a packet, at most by 100 µs, and lets both sides work.
  void step() {
    TimeNs next = now + 100 * kMicrosecond;
    if (!air.empty()) next = std::min(next, std::max(now, air.top().at));
    now = next;
    while (!air.empty() && air.top().at <= now) {
      Flying f = air.top();
      air.pop();
      const Bytes bytes = seals[f.to] ? seals[f.to]->open(f.bytes) : Bytes{f.bytes};
      if (bytes.empty()) continue;
      side[f.to]->on_datagram(
          now, address(1 - f.to), bytes,
          [&](ConnectionId id, Bytes payload, std::uint8_t) { return take(f.to, id, payload); },
          {.arrived_ns = f.at, .marked = f.marked});
    }
    for (unsigned i : {0u, 1u}) pump(i);
  }
  template <class Until>
  bool run(TimeNs at_most, Until&& until) {
    for (const TimeNs end = now + at_most; now < end; step())
      if (until()) return true;
    return until();
  }

  /// Queues `count` messages of up to `bytes` random bytes for sending.
  void fill(unsigned i, ConnectionId id, std::size_t count, std::size_t bytes) {
    Stream& s = streams[{i, id}];
    for (std::size_t n = 0; n < count; ++n) {
      std::vector<std::byte> m(random() % (bytes + 1));
      for (auto& b : m) b = static_cast<std::byte>(random());
      s.sent.push_back(std::move(m));
    }
  }
  /// The number at side 1 of a connection of side 0.
  ConnectionId other(ConnectionId id) const { return side[0]->find(id)->peer_connection(); }
  std::optional<ConnectionId> open(TimeNs at_most = 20 * kSecond) {
    const auto id = side[0]->connect(now, address(1), "echo");
    const bool open = run(at_most, [&] {
      Connection* c = side[0]->find(*id);
      return !c || c->state() == Connection::State::kOpen;
    });
    return open && side[0]->find(*id) ? id : std::nullopt;
  }
};

inline EndpointConfig small_config() {
  EndpointConfig c;
  c.payload_bytes = kPayloadBytesMin;
  c.window_packets = 256;
  c.sender.window_packets = 256;
  c.sender.in_flight_packets = 64;
  c.sender.burst_packets = 8;
  c.sender.paths.paths = 4;
  c.memory_bytes = 64 * kPayloadBytesMin;
  c.memory_bytes_per_connection = 48 * kPayloadBytesMin;
  return c;
}

}  // namespace selvedge::protocol::test
