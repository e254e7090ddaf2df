// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Endpoint has all connections of a daemon. It finds the connection of a received packet, answers
// kOpen, and drops packets of unknown connections. All received datagrams pass through
// on_datagram(), all sent ones through flush().
//
// The first kOpen of a peer is answered with a cookie: a keyed hash of the peer's address, of the
// parameters in kOpen and of the time. A connection is made only for a kOpen that returns the
// cookie, so a sender with a forged address costs no memory. A packet of no known connection is
// counted and dropped. It is answered with kReset only if it carries a token, and at a limited rate
// (kResetsPerSecondMax).
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/protocol/bandwidth.hpp"
#include "daemon/protocol/connection.hpp"
#include "daemon/protocol/deadlines.hpp"
#include "daemon/protocol/old_version.hpp"
#include "daemon/protocol/sharding.hpp"
#include "daemon/protocol/siphash.hpp"
#include "daemon/protocol/sources.hpp"
#include "daemon/protocol/totals.hpp"

namespace selvedge::protocol {

struct EndpointConfig {
  SipKey secret{};  ///< random key, from which all random numbers are derived
  std::uint16_t payload_bytes = kPayloadBytesDefault;
  std::uint32_t window_packets = kWindowPacketsDefault;
  std::uint32_t connections_max = kConnectionsMax;
  MemoryPolicy policy = MemoryPolicy::kDynamic;
  std::size_t memory_bytes = 4 << 20;
  std::size_t memory_bytes_per_connection = 1 << 20;
  SenderConfig sender;
  SourceLimits sources;
  /// How many bytes the network's queues of received packets hold. No more memory than that is
  /// promised to senders (SlotPool::limit_promises), and no more is in flight from this endpoint to
  /// a peer (PeerRates). 0: it is not known.
  std::size_t receive_bytes = 0;
  /// Gives the part of a peer's address that identifies its source, to which `sources` applies.
  /// Null: the whole address.
  PeerAddress (*source_of)(const PeerAddress&) = nullptr;
  /// Which worker of the daemon the endpoint belongs to. All of them have the same incarnation (0:
  /// the endpoint draws it), count sources together (null: the endpoint counts for itself), divide
  /// among them what they add to windows to the same peer (null: nobody else sends), and share
  /// memory_bytes (null: the endpoint makes the depot, for as many pools as there are
  /// workers). Payloads are not longer than the depot's packets.
  Shard shard;
  std::uint64_t incarnation = 0;
  std::shared_ptr<Sources> shared_sources;
  std::shared_ptr<PeerWorkers> peer_workers;
  std::shared_ptr<SlotDepot> shared_memory;
};

struct Event {
  enum class What : std::uint8_t {
    kAccepted,    ///< a peer connected to a service here
    kConnected,   ///< the peer accepted a connection that connect() began to open
    kPeerClosed,  ///< the peer has closed; all that it sent has been delivered
    kClosed,      ///< the connection has ended for the reason `error`
  };
  What what;
  Error error = Error::kNone;
  ConnectionId id = 0;
};

class Endpoint {
 public:
  struct Counters {
    std::uint64_t malformed = 0;           ///< wrong magic, too short, or impossible values
    std::uint64_t version = 0;             ///< another version of the wire format
    std::uint64_t unknown_connection = 0;  ///< no such connection, or the wrong token
    std::uint64_t bad_cookies = 0;
    std::uint64_t accepted = 0, refused = 0, resets_sent = 0;
    std::uint64_t limited = 0;  ///< kOpen refused because of the limits of its source
  };

  explicit Endpoint(const EndpointConfig& config);

  /// features: Handshake::features of whoever listens.
  void listen(std::string name, std::uint32_t features = 0) {
    services_[std::move(name)] = features;
  }
  void stop_listening(const std::string& name) { services_.erase(name); }
  bool listening(const std::string& name) const { return services_.contains(name); }

  /// Begins to open a connection; kConnected or kClosed follows. Returns nullopt if the table of
  /// connections is full. The name has at most kNameBytesMax bytes.
  std::optional<ConnectionId> connect(TimeNs now, const PeerAddress& peer, std::string name,
                                      std::uint32_t features = 0);
  /// Sets the configuration of connections that begin from now on. The number of paths must not
  /// change, and the injection mode must fit the memory policy.
  void reconfigure(const SenderConfig& sender, std::size_t memory_bytes_per_connection,
                   const SourceLimits& sources) {
    config_.sources = sources;
    config_.sender = sender;
    config_.memory_bytes_per_connection = memory_bytes_per_connection;
  }
  /// Returns null if there is no such connection. One that has ended is found until flush() makes
  /// its event kClosed.
  Connection* find(ConnectionId id);
  /// To be called after a push, close or drain, so that the next flush() handles the connection.
  void mark_ready(ConnectionId id);

  /// Handles a received datagram. sink: bool(ConnectionId, Bytes payload, std::uint8_t flags)
  /// delivers a packet to the application, or returns false if the application has no room.
  template <class Sink>
  void on_datagram(TimeNs now, const PeerAddress& from, Bytes datagram, Sink&& sink,
                   const Seen& seen = {}) {
    Header h;
    const Decoded decoded = decode(datagram, h);
    const Bytes payload =
        decoded == Decoded::kGood ? datagram.subspan(kHeaderBytes) : datagram.first(0);
    if (decoded == Decoded::kGood && h.kind == Kind::kData) {
      Entry* entry = at(h.connection);
      if (entry != nullptr && entry->connection->token() == h.token) {
        ++paths_[h.path].received_packets;
        paths_[h.path].received_bytes += payload.size();
        bandwidth_.on_data(seen.arrived_ns != 0 ? seen.arrived_ns : now, h.connection,
                           slots_of(payload.size()));
        if (entry->half_open) confirm(*entry);
        entry->connection->on_data(
            now, h, payload,
            [&](Bytes bytes, std::uint8_t flags) { return sink(h.connection, bytes, flags); },
            seen);
        mark_ready(*entry, h.connection);
        return;
      }
    }
    if (decoded == Decoded::kVersion) return on_other_version(now, from, datagram);
    on_non_data(now, from, decoded, h, payload, seen);
  }

  /// Sends all that may be sent now. receive_idle: no received datagram waits to be read. transmit
  /// has
  ///   void control(const PeerAddress&, PeerLayout, std::uint8_t path, Bytes datagram)
  ///   void data(const Connection&, const Burst&): has read the packets' bytes when it returns
  /// and may have
  ///   void hold(bool): true: packets may wait for others to the same peer; data() need not have
  ///   read bytes before hold(false), which sends all that wait
  ///   TimeNs now(), where sending takes time: each report states for how long the receiver had
  ///   its packet. A daemon may lose its core to each of those whom it wakes by a report, and such
  ///   delays are none of the network.
  template <class Transmit>
  void flush(TimeNs now, bool receive_idle, Transmit&& transmit);

  /// The connections that the next flush() handles: those that have received something since the
  /// last one, or have something to send. f: void(Connection&).
  template <class F>
  void for_each_ready(F&& f) {
    // By index, because f may mark others ready.
    for (std::size_t n = 0; n < ready_.size(); ++n)
      if (Entry& entry = entries_[ready_[n]]; entry.connection) f(*entry.connection);
  }

  /// Runs the timers that are due, also of idle connections; a call every few milliseconds
  /// suffices.
  void on_timer(TimeNs now);
  /// The time for the next call of on_timer() and flush(), if nothing is received, pushed or opened
  /// until then. It may be too early, since a deadline that moves to a later time is noticed only
  /// when the earlier one comes.
  TimeNs deadline() const { return deadlines_.next(); }
  /// Whether flush() has a connection to handle: a busy one, or one for which mark_ready() was
  /// called.
  bool busy() const { return !ready_.empty(); }
  /// Whether something has happened to a connection since flush() began to handle it: deadline()
  /// does not know what follows from it before the next flush().
  bool has_unflushed() const { return unflushed_; }

  /// A peer that speaks another version, and that version.
  struct OtherVersion {
    PeerAddress from;
    std::uint8_t version = 0;
  };
  /// The last such peer since the previous call; nullopt if there was none.
  std::optional<OtherVersion> take_other_version() {
    return std::exchange(other_version_, std::nullopt);
  }

  /// The events since the last call.
  std::vector<Event> take_events();
  bool has_events() const { return !events_.empty(); }

  std::uint64_t incarnation() const { return incarnation_; }
  const SlotPool& pool() const { return pool_; }
  const Counters& counters() const { return counters_; }
  std::size_t connections() const { return used_; }
  /// Sums over the connections that are open or opening, and over all since the start.
  Totals open() const;
  Totals since_start() const;
  const SenderTimes& times() const { return times_; }
  const std::array<PathTotals, kPathsMax>& paths() const { return paths_; }
  template <class F>
  void for_each(F&& f) {
    for (Entry& entry : entries_)
      if (entry.connection) f(*entry.connection);
  }

 private:
  struct Entry {
    std::unique_ptr<Connection> connection;
    std::uint16_t generation = 0;
    bool listed = false;     // ready_ contains this entry
    bool half_open = false;  // accepted, and the peer has not confirmed it (sources.hpp)
    bool refused = false;    // the peer's kReset said kSourceLimit; kOpen is repeated
    // When the peer is asked whether it speaks the older version, if it has not answered until
    // then.
    TimeNs ask_old_ns = kNever;
  };
  struct Answer {
    PeerAddress to;
    std::uint8_t size = 0, path = 0;
    std::uint8_t worker = 0;  // of the peer, if it is known
    std::array<std::byte, kOldOpenBytesMax> bytes;
  };

  Entry* at(ConnectionId id) {
    const std::size_t i = config_.shard.index(id);
    if (i >= entries_.size()) return nullptr;
    Entry& entry = entries_[i];
    return entry.connection && entry.connection->id() == id ? &entry : nullptr;
  }
  void mark_ready(Entry& entry, ConnectionId id) {
    unflushed_ = true;
    list(entry, id);
  }
  void list(Entry& entry, ConnectionId id) {
    if (entry.listed) return;
    entry.listed = true;
    ready_.push_back(config_.shard.index(id));
  }
  std::uint64_t random();
  std::optional<ConnectionId> allocate_entry();
  Connection::Setup setup(ConnectionId id, const PeerAddress& peer, std::string name,
                          std::uint32_t features);
  void on_non_data(TimeNs now, const PeerAddress& from, Decoded decoded, const Header& h,
                   Bytes payload, const Seen& seen);
  void on_other_version(TimeNs now, const PeerAddress& from, Bytes datagram);
  void ask_old_version(TimeNs now, std::size_t i);
  void on_open(TimeNs now, const PeerAddress& from, const Header& h, Bytes payload);
  void on_unknown_connection(TimeNs now, const PeerAddress& from, const Header& h, Bytes payload);
  std::uint64_t handshake_key(std::uint64_t token, const PeerAddress& from) const;
  std::uint64_t cookie(TimeNs now, const PeerAddress& from, const Handshake& o) const;
  void answer(const PeerAddress& to, const Header& h, Bytes payload, unsigned worker = 0);
  bool may_reset(TimeNs now);
  Sources::Source source(const PeerAddress& a) const {
    return config_.source_of != nullptr ? config_.source_of(a).bytes : a.bytes;
  }
  void confirm(Entry& entry);
  void collect_events(Entry& entry);
  void finish(std::uint32_t i);
  static TimeNs deadline(const Entry& entry);
  /// Adds a burst to what its path has carried.
  void count(const Burst& burst);
  std::shared_ptr<PeerRates> rates_to(const Connection& c);
  /// Many senders are granted no more at a time than the network brings.
  void limit_flow();

  EndpointConfig config_;
  std::uint64_t random_counter_ = 0;
  std::uint64_t incarnation_;
  SlotPool pool_;
  Bandwidth bandwidth_;
  std::vector<Entry> entries_;
  Deadlines deadlines_;  // of the entries that have one
  std::vector<std::uint16_t> free_entries_;
  std::size_t used_ = 0;
  std::vector<std::uint32_t> ready_, flushing_, sending_;
  bool unflushed_ = false;
  std::map<std::string, std::uint32_t> services_;  // with the features of who listens
  // Accepted connections by the hash of the peer's token and address, which nobody else can compute
  // (handshake_key), so that a repeated kOpen finds its connection.
  boost::unordered_flat_map<std::uint64_t, ConnectionId> accepted_handshakes_;
  // The windows to each peer to which something was sent, as long as a connection has them.
  std::map<std::array<std::byte, 32>, std::weak_ptr<PeerRates>> rates_;
  std::vector<Answer> answers_;
  std::vector<Event> events_;
  std::optional<OtherVersion> other_version_;
  std::shared_ptr<Sources> sources_;
  std::uint32_t opens_ = 0;
  TimeNs reset_second_ = 0;
  std::uint32_t resets_in_second_ = 0;
  std::uint32_t resets_ = 0;  // of unknown connections
  Counters counters_;
  Totals ended_;  // of connections that have ended
  SenderTimes times_;
  std::array<PathTotals, kPathsMax> paths_;
};

template <class Transmit>
void Endpoint::flush(TimeNs now, bool receive_idle, Transmit&& transmit) {
  // An answer takes the path of the packet that it answers. The peer has that path, so the number
  // of the peer's paths does not matter. Which of its workers must get it may not be known: another
  // one hands it over.
  for (const Answer& a : answers_)
    transmit.control(a.to, PeerLayout{.worker = a.worker}, a.path, Bytes{a.bytes.data(), a.size});
  answers_.clear();
  if (bandwidth_.measure(now)) limit_flow();
  pool_.serve([&](ConnectionId id) {
    bandwidth_.on_turn(now, id, pool_.packet_slots());
    mark_ready(id);
  });
  flushing_.swap(ready_);
  unflushed_ = false;
  // Only reports bear the time of sending. Whether packets are lost follows from the times of
  // turns, as their round trips do: reports are received at the times of turns.
  const auto sent_ns = [&] {
    if constexpr (requires { transmit.now(); }) return transmit.now();
    return now;
  };
  // Packets of many connections to one peer leave together. They are sent before a report to
  // another peer is written, because reports state the time at which they are sent.
  const bool many = flushing_.size() > kFewFlushed;
  const auto hold = [&](bool on) {
    if constexpr (requires { transmit.hold(on); }) transmit.hold(on);
  };
  PeerAddress to;
  const auto begin = [&](const Connection& c) {
    if (!many || c.peer() == to) return;
    hold(false);
    hold(true);
    to = c.peer();
  };
  for (const std::uint32_t i : flushing_) {
    Entry& entry = entries_[i];
    entry.listed = false;
    if (!entry.connection) continue;
    Connection& c = *entry.connection;
    begin(c);
    if (c.deadline() <= now) {
      c.on_timer(now);
      unflushed_ = true;  // it may have freed memory that others wait for
    }
    std::array<std::byte, kControlBytesMax> bytes;
    const auto next_control = [&] {
      return c.next_control(now, receive_idle, bytes.data(), sent_ns());
    };
    for (auto control = next_control(); control.size != 0; control = next_control())
      transmit.control(c.peer(), c.peer_layout(), control.path, Bytes{bytes.data(), control.size});
    if (c.sender().needs_rates()) c.sender().set_rates(rates_to(c));
    if (Burst burst; c.next_burst(now, burst)) {
      count(burst);
      transmit.data(c, burst);
      sending_.push_back(i);
    } else {
      finish(i);
    }
  }
  flushing_.clear();
  hold(false);
  hold(many);
  // Connections share the windows to a peer. So they send by turns, a burst each, and who got least
  // is the first next time.
  while (!sending_.empty()) {
    flushing_.swap(sending_);
    for (const std::uint32_t i : flushing_) {
      Connection& c = *entries_[i].connection;
      if (Burst burst; c.next_burst(now, burst)) {
        count(burst);
        transmit.data(c, burst);
        sending_.push_back(i);
      } else {
        finish(i);
      }
    }
    flushing_.clear();
  }
  hold(false);
}

}  // namespace selvedge::protocol
