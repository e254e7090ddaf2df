// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A test world with many daemons that send to one, through a queue of finite rate and length. Other
// traffic may share the queue: TCP connections, as a model of CUBIC. All is virtual time. The
// messages are numbered, and each test fails that delivers others than were sent, in another order,
// or some twice.
//
//   daemon 0 ... n-1  ==== all paths ====>  [ queue ] ----> daemon n (the receiver)
//   TCP 0 ... m-1     ------------------>   [       ]
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "daemon/protocol/endpoint.hpp"

namespace selvedge::protocol::test {

/// CUBIC of RFC 9438, with its region of small windows, in packets of 1,514 bytes.
struct TcpModel {
  static constexpr std::size_t kBytes = 1'514;
  double window = 10, before = 0, friendly = 0, threshold = 1e9;
  TimeNs reduced_ns = 0, rtt_ns = kMillisecond;
  std::uint64_t next = 0, recover = 0, highest = 0, in_flight = 0, delivered = 0;
  std::set<std::uint64_t> flying;
  bool running = true;

  void on_ack(TimeNs now, std::uint64_t number, TimeNs rtt) {
    if (flying.erase(number) == 0) return;
    --in_flight;
    rtt_ns = rtt;
    ++delivered;
    highest = std::max(highest, number);
    while (!flying.empty() && *flying.begin() + 3 < highest) {
      const std::uint64_t lost = *flying.begin();
      flying.erase(flying.begin());
      --in_flight;
      if (lost < recover) continue;
      recover = next;
      before = window;
      window = std::max(2.0, 0.7 * window);
      threshold = friendly = window;
      reduced_ns = now;
    }
    if (window < threshold) {
      window += 1;
      return;
    }
    friendly += 0.53 / window;
    const double t = static_cast<double>(now - reduced_ns) * 1e-9,
                 k = std::cbrt(before * 0.3 / 0.4);
    const double cubic = 0.4 * std::pow(t - k, 3) + before;
    if (before == 0)
      window += 1;
    else if (const double target = std::min(std::max(cubic, friendly), 1.5 * window);
             target > window)
      window += (target - window) / window;
  }
  void on_timeout() {  // all that is in flight was lost
    flying.clear();
    in_flight = 0;
    window = threshold = friendly = 2;
  }
};

struct Bottleneck {
  struct Network {
    TimeNs byte_ns = 40;  ///< 40: 200 Mbit/s; 8: 1 Gbit/s
    std::size_t queue_bytes = 150'000, mark_bytes = 0;
    TimeNs delay_ns = 25 * kMicrosecond;  ///< each way
    double loss = 0;
    TimeNs away_ns = 0;  ///< a daemon does not run for so long, then it runs for as long
    /// Time comes in turns of so many ns. A TCP sends nothing in this share of its turns, drawn by
    /// their numbers.
    TimeNs tcp_turn_ns = kMillisecond;
    double tcp_pauses = 0;
    /// Daemons without work sleep as a Worker does, until a deadline in whole milliseconds, and
    /// wake up so much later at most.
    bool sleeps = false;
    TimeNs wakes_late_ns = 0;
    TimeNs send_ns = 0;  ///< so long after it has sent a packet a daemon does nothing
    std::map<unsigned, TimeNs> byte_ns_of = {};  ///< paths with a queue of their own
  };
  struct Queue {
    TimeNs free_ns = 0;
    std::uint64_t passed = 0, passed_bytes = 0, dropped = 0;
    double waited_ns = 0;
  };
  struct Flying {
    TimeNs at;
    std::uint64_t order;
    int tcp;  // −1: a datagram
    unsigned from, to;
    std::uint64_t number;
    TimeNs sent;
    bool marked, lost;
    std::vector<std::byte> bytes;
    bool operator>(const Flying& o) const { return std::tie(at, order) > std::tie(o.at, o.order); }
  };
  /// The messages of one connection, sent and delivered.
  struct Stream {
    std::size_t first = 0;  // the number of the first message
    std::uint64_t pushed = 0, delivered = 0;
  };
  static constexpr unsigned kLowerBytes = kCrcBytes + 42;
  /// Message n is the numbers n, n + 1 and so on, modulo this: many windows, so that whatever is
  /// delivered in its place differs.
  static constexpr std::size_t kNumbers = 1 << 16;

  Network network;
  TimeNs now = 1'000 * kSecond, pumped_ns = now;
  std::uint64_t order = 0, random = 88172645463325252;
  std::map<unsigned, Queue> queues;  // 1000: the common one
  std::priority_queue<Flying, std::vector<Flying>, std::greater<>> air;
  std::vector<std::unique_ptr<Endpoint>> daemons;
  std::vector<std::vector<ConnectionId>> connections;
  std::vector<TcpModel> tcp;
  std::map<ConnectionId, std::uint64_t> got;  // packets, by the receiver's numbers
  std::size_t message_bytes;
  std::uint32_t window_packets;
  std::vector<std::uint64_t> numbers;  // all messages lie in here, because senders refer to them
  std::map<std::pair<unsigned, ConnectionId>, Stream> streams;  // by the sender and its number
  bool wrong = false;
  std::vector<bool> sends;
  std::vector<std::vector<Flying>> arrived;  // what each daemon is to read
  std::vector<TimeNs> wakes_ns;              // until when each sleeps
  std::vector<TimeNs> free_ns;               // until when each sends what it has sent

  /// workers: the first so many of the senders are workers of one daemon.
  Bottleneck(const Network& n, unsigned senders, unsigned each, EndpointConfig config,
             unsigned tcp_connections = 0, unsigned workers = 0)
      : network(n),
        connections(senders),
        message_bytes(config.payload_bytes),
        window_packets(config.sender.window_packets),
        numbers(kNumbers + message_bytes / sizeof(std::uint64_t) + 1),
        sends(senders, true) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i % kNumbers;
    const auto team = std::make_shared<PeerWorkers>();
    for (unsigned i = 0; i <= senders; ++i) {
      config.secret = {i + 1, 2 * i + 1};
      config.peer_workers = i < workers ? team : nullptr;
      daemons.push_back(std::make_unique<Endpoint>(config));
      daemons.back()->listen("echo");
    }
    for (unsigned i = 0; i < senders; ++i)
      for (unsigned n_of = 0; n_of < each; ++n_of) {
        const ConnectionId id = *daemons[i]->connect(now, address(senders), "echo");
        connections[i].push_back(id);
        streams[{i, id}].first = streams.size() * 4'999 % kNumbers;  // each another
      }
    tcp.resize(tcp_connections);
    arrived.resize(daemons.size());
    wakes_ns.resize(daemons.size());
    free_ns.resize(daemons.size());
  }
  static EndpointConfig config(unsigned paths = 8) {
    EndpointConfig c;
    c.payload_bytes = 1'416;
    c.sender.paths.paths = paths;
    return c;
  }
  static PeerAddress address(unsigned i) {
    PeerAddress a;
    a.bytes[0] = static_cast<std::byte>(i + 1);
    return a;
  }
  unsigned receiver() const { return static_cast<unsigned>(daemons.size()) - 1; }
  Queue& common() { return queues[1'000]; }
  double chance() {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return static_cast<double>(random >> 11) * 0x1p-53;
  }

  /// When a packet of so many bytes, sent at some time, leaves the queue of its path; nothing if it
  /// is dropped.
  std::optional<TimeNs> through(TimeNs at, unsigned path, std::size_t bytes, bool* marked) {
    const auto own = network.byte_ns_of.find(path);
    const bool shared = own == network.byte_ns_of.end();
    Queue& q = queues[shared ? 1'000 : path];
    const TimeNs byte_ns = shared ? network.byte_ns : own->second;
    const TimeNs wait = q.free_ns > at ? q.free_ns - at : 0;
    if (wait / byte_ns + bytes > network.queue_bytes) {
      ++q.dropped;
      return std::nullopt;
    }
    *marked = network.mark_bytes != 0 && wait / byte_ns > network.mark_bytes;
    q.free_ns = std::max(q.free_ns, at) + bytes * byte_ns;
    ++q.passed;
    q.passed_bytes += bytes;
    q.waited_ns += static_cast<double>(wait);
    return q.free_ns;
  }
  void fly(unsigned from, unsigned to, unsigned path, Bytes datagram) {
    const TimeNs at = std::max(free_ns[from], now);
    free_ns[from] = at + network.send_ns;
    Flying f{at, order++, -1, from, to, 0, 0, false, false, {datagram.begin(), datagram.end()}};
    if (to == receiver()) {
      const auto out = through(at, path, datagram.size() + kLowerBytes, &f.marked);
      if (!out || chance() < network.loss) return;
      f.at = *out;
    }
    f.at += network.delay_ns;
    air.push(std::move(f));
  }
  struct Transmit {
    Bottleneck& world;
    unsigned from;
    TimeNs now() const { return std::max(world.now, world.free_ns[from]); }
    void control(const PeerAddress& to, PeerLayout, std::uint8_t path, Bytes datagram) {
      world.fly(from, std::to_integer<unsigned>(to.bytes[0]) - 1, path, datagram);
    }
    void data(const Connection& c, const Burst& burst) {
      std::array<std::byte, kHeaderBytes + kPayloadBytesMax> bytes;
      for (unsigned i = 0; i < burst.count; ++i) {
        const Outgoing& p = burst.packets[i];
        encode(c.data_header(p, burst.path), bytes.data());
        std::memcpy(bytes.data() + kHeaderBytes, p.data, p.length);
        world.fly(from, std::to_integer<unsigned>(c.peer().bytes[0]) - 1, burst.path,
                  Bytes{bytes}.first(kHeaderBytes + p.length));
      }
    }
  };

  const std::byte* message(const Stream& s, std::uint64_t n) const {
    return reinterpret_cast<const std::byte*>(&numbers[(s.first + n) % kNumbers]);
  }
  /// A message has been delivered.
  void take(ConnectionId id, Bytes payload) {
    ++got[id];
    const Connection& c = *daemons.back()->find(id);
    const auto from = std::to_integer<unsigned>(c.peer().bytes[0]) - 1;
    const auto stream = streams.find({from, c.peer_connection()});
    const char* what = nullptr;
    if (stream == streams.end())
      what = "to a connection that does not send";
    else if (Stream& s = stream->second; s.delivered == s.pushed)
      what = "more than was sent";
    else if (s.pushed - s.delivered > window_packets)
      what = "after the sender took it for delivered";
    else if (payload.size() != message_bytes ||
             std::memcmp(payload.data(), message(s, s.delivered++), payload.size()) != 0)
      what = "something else than was sent next";
    if (what != nullptr && !std::exchange(wrong, true))
      ADD_FAILURE() << "daemon " << from << " had delivered " << what;
  }

  bool runs(unsigned i) const {
    return network.away_ns == 0 || (now + i * 7 * network.away_ns / 10) / network.away_ns % 2 == 0;
  }
  void pump(unsigned i) {
    if (!runs(i) || now < free_ns[i]) return;
    Endpoint& e = *daemons[i];
    for (const Flying& f : arrived[i])
      e.on_datagram(now, address(f.from), f.bytes,
                    [&](ConnectionId id, Bytes payload, std::uint8_t) {
                      take(id, payload);
                      return true;
                    },
                    {.arrived_ns = f.at, .marked = f.marked});
    arrived[i].clear();
    if (i < connections.size())
      for (const ConnectionId id : connections[i]) {
        Connection* c = e.find(id);
        if (c == nullptr || c->state() != Connection::State::kOpen || !sends[i]) continue;
        Stream& s = streams[{i, id}];
        while (c->sender().push(message(s, s.pushed), c->payload_bytes(), 3)) ++s.pushed;
        e.mark_ready(id);
      }
    e.on_timer(now);
    e.flush(now, true, Transmit{*this, i});
    e.take_events();
    if (network.sleeps) wakes_ns[i] = e.has_unflushed() ? now : now + sleep_ns(e);
  }
  TimeNs sleep_ns(const Endpoint& e) {
    const TimeNs until = std::max(e.deadline(), now + 1) - now;
    const TimeNs ms = std::min<TimeNs>(e.busy() ? 20 : 100, (until - 1) / kMillisecond + 1);
    return ms * kMillisecond +
           static_cast<TimeNs>(chance() * static_cast<double>(network.wakes_late_ns));
  }
  bool pauses(int i) const {
    std::uint64_t x = (now / network.tcp_turn_ns) * 64 + static_cast<std::uint64_t>(i);
    for (const std::uint64_t factor : {0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u}) {
      x ^= x >> 33;
      x *= factor;
    }
    return static_cast<double>(x >> 11) * 0x1p-53 < network.tcp_pauses;
  }
  void pump_tcp(TcpModel& t, int i) {
    if (pauses(i)) return;
    while (t.running && static_cast<double>(t.in_flight + 1) <= t.window) {
      const std::uint64_t number = t.next++;
      t.flying.insert(number);
      ++t.in_flight;
      bool marked = false;
      const auto out = through(now, 1'000, TcpModel::kBytes, &marked);
      if (out)
        air.push({*out + 2 * network.delay_ns, order++, i, 0, 0, number, now, false, false, {}});
    }
  }
  void step() {
    constexpr TimeNs kTurn = 50 * kMicrosecond;
    std::set<unsigned> woken;
    now =
        air.empty() ? pumped_ns + kTurn : std::min(pumped_ns + kTurn, std::max(now, air.top().at));
    while (!air.empty() && air.top().at <= now) {
      const Flying f = air.top();
      air.pop();
      if (f.tcp >= 0) {
        TcpModel& t = tcp[static_cast<std::size_t>(f.tcp)];
        t.on_ack(now, f.number, now - f.sent);
        pump_tcp(t, f.tcp);
        continue;
      }
      arrived[f.to].push_back(f);
      woken.insert(f.to);
    }
    if (now >= pumped_ns + kTurn) {
      pumped_ns = now;
      for (unsigned i = 0; i < daemons.size(); ++i)
        if (wakes_ns[i] <= now || !arrived[i].empty()) pump(i);
      for (std::size_t i = 0; i < tcp.size(); ++i) {
        if (tcp[i].in_flight == tcp[i].flying.size() && tcp[i].in_flight != 0 && idle_tcp(i))
          tcp[i].on_timeout();
        pump_tcp(tcp[i], static_cast<int>(i));
      }
    } else {
      for (const unsigned i : woken) pump(i);
    }
  }
  std::vector<std::pair<std::uint64_t, TimeNs>> tcp_seen;  // delivered, and since when
  bool idle_tcp(std::size_t i) {
    tcp_seen.resize(tcp.size());
    auto& [delivered, since] = tcp_seen[i];
    if (delivered != tcp[i].delivered || since == 0) {
      delivered = tcp[i].delivered;
      since = now;
    }
    return now > since + 200 * kMillisecond;
  }
  void run(TimeNs time) {
    for (const TimeNs end = now + time; now < end;) step();
  }

  /// Sums over all senders.
  struct Sums {
    std::uint64_t sent = 0, resent = 0, got = 0, tcp = 0;
    std::uint64_t passed = 0, dropped = 0;
    double waited_ns = 0;
    TimeNs at = 0;
  };
  Sums sums() {
    Sums s;
    for (unsigned i = 0; i < connections.size(); ++i)
      for (const ConnectionId id : connections[i])
        if (const Connection* c = daemons[i]->find(id)) {
          const auto& counters = c->sender().counters();
          s.sent += counters.sent;
          s.resent += counters.retransmitted_lost + counters.retransmitted_rejected;
        }
    for (const auto& [id, n] : got) s.got += n;
    for (const TcpModel& t : tcp) s.tcp += t.delivered;
    for (const auto& [path, q] : queues) {
      s.passed += q.passed;
      s.dropped += q.dropped;
      s.waited_ns += q.waited_ns;
    }
    s.at = now;
    return s;
  }
  struct Result {
    double resent, goodput, tcp, queue_ms, dropped;  // shares; goodput and tcp: of the link
  };
  /// What happens in `time`.
  Result measure(TimeNs time) {
    const Sums a = sums();
    run(time);
    const Sums b = sums();
    const double link = static_cast<double>(b.at - a.at) / static_cast<double>(network.byte_ns);
    const auto of = [](std::uint64_t x, std::uint64_t y) { return static_cast<double>(x - y); };
    const double wire = static_cast<double>(message_bytes + kHeaderBytes + kLowerBytes);
    return {of(b.resent, a.resent) / std::max(1.0, of(b.sent, a.sent)),
            of(b.got, a.got) * wire / link,
            of(b.tcp, a.tcp) * static_cast<double>(TcpModel::kBytes) / link,
            (b.waited_ns - a.waited_ns) / std::max(1.0, of(b.passed, a.passed)) * 1e-6,
            of(b.dropped, a.dropped) / std::max(1.0, of(b.passed, a.passed))};
  }
};

}  // namespace selvedge::protocol::test
