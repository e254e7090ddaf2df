// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/endpoint.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace selvedge::protocol {
namespace {

/// Limit on answers until the next flush; the peer retries.
constexpr std::size_t kAnswersMax = 4'096;

std::shared_ptr<SlotDepot> depot_of(const EndpointConfig& config) {
  if (config.shared_memory) return config.shared_memory;
  return std::make_shared<SlotDepot>(config.memory_bytes, config.payload_bytes,
                                     config.shard.workers);
}

}  // namespace

Endpoint::Endpoint(const EndpointConfig& config)
    : config_(config),
      incarnation_(random()),
      pool_(depot_of(config), config.shard.worker),
      sources_(config.shared_sources ? config.shared_sources : std::make_shared<Sources>()),
      opens_(static_cast<std::uint32_t>(incarnation_)) {
  config_.connections_max = std::min(config_.connections_max, config_.shard.connections_max());
  config_.payload_bytes =
      static_cast<std::uint16_t>(std::min<std::size_t>(config.payload_bytes, pool_.packet_bytes()));
  if (config.incarnation != 0) incarnation_ = config.incarnation;
  if (config.receive_bytes != 0) pool_.limit_promises(config.receive_bytes);
  ready_.reserve(64);
  flushing_.reserve(64);
  sending_.reserve(64);
}

std::uint64_t Endpoint::random() {
  std::array<std::byte, 9> input{};  // no input of a cookie has this length
  put64(input.data(), ++random_counter_);
  return siphash(config_.secret, input);
}

std::optional<ConnectionId> Endpoint::allocate_entry() {
  if (free_entries_.empty()) {
    if (entries_.size() >= config_.connections_max) return std::nullopt;
    free_entries_.push_back(static_cast<std::uint16_t>(entries_.size()));
    entries_.emplace_back();
  }
  const std::uint16_t i = free_entries_.back();
  free_entries_.pop_back();
  ++used_;
  return ConnectionId{++entries_[i].generation} << 16 | config_.shard.low_bits(i);
}

Connection::Setup Endpoint::setup(ConnectionId id, const PeerAddress& peer, std::string name,
                                  std::uint32_t features) {
  Connection::Setup s;
  s.id = id;
  s.peer = peer;
  s.name = std::move(name);
  s.own.incarnation = incarnation_;
  s.own.token = random();
  s.own.connection = id;
  s.own.first = static_cast<Sequence>(random());
  s.own.payload_bytes = config_.payload_bytes;
  s.own.paths = static_cast<std::uint8_t>(config_.sender.paths.paths);
  s.own.features = features | config_.shard.bits() << kWorkerBitsAt;
  if (config_.sender.injection == InjectionMode::kCredits) s.own.features |= kAsksForMore;
  s.window_packets = config_.window_packets;
  s.memory_slots = static_cast<std::uint32_t>(
      std::min<std::size_t>(config_.memory_bytes_per_connection / kSlotBytes, kGrantSlotsMax));
  s.policy = config_.policy;
  s.sender = config_.sender;
  s.sender.paths.seed = random();
  s.sender.burst_slots = s.sender.burst_packets * slots_of(s.own.payload_bytes);
  s.times = &times_;
  return s;
}

std::optional<ConnectionId> Endpoint::connect(TimeNs now, const PeerAddress& peer, std::string name,
                                              std::uint32_t features) {
  const auto id = allocate_entry();
  if (!id) return std::nullopt;
  Entry& entry = entries_[config_.shard.index(*id)];
  Connection::Setup s = setup(*id, peer, std::move(name), features);
  // The low bits of `first` choose the worker at the other end (sharding.hpp): each in turn.
  s.own.first = (s.own.first & ~(kWorkersMax - 1)) | (++opens_ & (kWorkersMax - 1));
  entry.connection = std::make_unique<Connection>(pool_, std::move(s), now);
  entry.ask_old_ns = now + kAskOldVersionNs;
  entry.refused = false;
  mark_ready(entry, *id);
  return id;
}

Connection* Endpoint::find(ConnectionId id) {
  Entry* entry = at(id);
  return entry ? entry->connection.get() : nullptr;
}

void Endpoint::mark_ready(ConnectionId id) {
  if (Entry* entry = at(id)) mark_ready(*entry, id);
}

void Endpoint::on_non_data(TimeNs now, const PeerAddress& from, Decoded decoded, const Header& h,
                           Bytes payload, const Seen& seen) {
  if (decoded != Decoded::kGood) {
    ++counters_.malformed;
    return;
  }
  if (h.kind == Kind::kOpen) return on_open(now, from, h, payload);
  // This holds for a connection that is being opened too: the peer knows the token from kOpen.
  Entry* entry = at(h.connection);
  if (entry == nullptr || entry->connection->token() != h.token)
    return on_unknown_connection(now, from, h, payload);
  Connection& c = *entry->connection;
  if (entry->half_open) confirm(*entry);
  Report report;
  switch (h.kind) {
    case Kind::kChallenge:
      c.on_challenge(now, get64(payload.data()), h.path, static_cast<std::uint8_t>(h.sequence));
      break;
    case Kind::kAccept:
      if (auto handshake = decode_handshake(payload)) {
        handshake->features = h.sequence;
        c.on_accept(now, *handshake);
      } else {
        ++counters_.malformed;
      }
      break;
    case Kind::kReport:
      if (decode(payload, report))
        c.on_report(now, h, report, seen);
      else
        ++counters_.malformed;
      break;
    case Kind::kKeepalive:
      c.on_keepalive(now, h);
      break;
    case Kind::kClose:
      c.on_close(now, h);
      break;
    case Kind::kCloseReply:
      c.on_close_reply(now, h);
      break;
    case Kind::kReset:
      // The limit may permit the connection soon, so it is asked for until kOpenTimeoutNs.
      entry->refused = c.state() == Connection::State::kOpening &&
                       static_cast<Error>(payload[0]) == Error::kSourceLimit;
      if (!entry->refused) c.on_reset(static_cast<Error>(payload[0]), false);
      break;
    case Kind::kOpen:
    case Kind::kData:
      break;
  }
  mark_ready(*entry, h.connection);
}

void Endpoint::on_other_version(TimeNs now, const PeerAddress& from, Bytes datagram) {
  ++counters_.version;
  other_version_ = {from, version_of(datagram).value_or(0)};
  const auto old = decode_old(datagram);
  if (!old || old->kind == Kind::kReset || old->token == 0) return;
  if (Entry* entry = at(old->connection);
      old->kind != Kind::kOpen && entry != nullptr && entry->connection->token() == old->token) {
    // Only a daemon of version 1 answers ask_old_version() with a challenge.
    if (old->kind != Kind::kChallenge || entry->connection->state() != Connection::State::kOpening)
      return;
    entry->connection->reset(Error::kPeerOld, Error::kNone);
    mark_ready(*entry, old->connection);
    return;
  }
  if (answers_.size() >= kAnswersMax || !may_reset(now)) return;
  Answer& a = answers_.emplace_back();
  a.to = from;
  a.path = old->path;
  a.size = static_cast<std::uint8_t>(encode_old_reset(*old, a.bytes.data()));
}

void Endpoint::confirm(Entry& entry) {
  entry.half_open = false;
  sources_->confirm(source(entry.connection->peer()));
}

void Endpoint::ask_old_version(TimeNs now, std::size_t i) {
  Entry& entry = entries_[i];
  const Connection& c = *entry.connection;
  entry.ask_old_ns = c.state() == Connection::State::kOpening ? now + kAskOldVersionNs : kNever;
  if (entry.ask_old_ns == kNever || answers_.size() >= kAnswersMax) return;
  Handshake own;
  own.incarnation = incarnation_;
  own.token = c.token();
  own.connection = c.id();
  own.payload_bytes = config_.payload_bytes;
  own.paths = static_cast<std::uint8_t>(config_.sender.paths.paths);
  Answer& a = answers_.emplace_back();
  a.to = c.peer();
  a.size = static_cast<std::uint8_t>(encode_old_open(own, c.service(), 0, a.bytes.data()));
}

std::uint64_t Endpoint::handshake_key(std::uint64_t token, const PeerAddress& from) const {
  std::array<std::byte, 32 + 8> input{};  // no input of a cookie has this length
  std::memcpy(input.data(), from.bytes.data(), from.bytes.size());
  put64(input.data() + 32, token);
  return siphash(config_.secret, input);
}

std::uint64_t Endpoint::cookie(TimeNs now, const PeerAddress& from, const Handshake& o) const {
  std::array<std::byte, 32 + 8 + 8 + 8> input{};
  std::memcpy(input.data(), from.bytes.data(), from.bytes.size());
  put64(input.data() + 32, o.token);
  put64(input.data() + 40, std::uint64_t{o.connection} << 32 | o.first);
  put64(input.data() + 48, now / kCookieNsMax);
  return siphash(config_.secret, input) | 1;  // never 0, which stands for no cookie
}

void Endpoint::on_open(TimeNs now, const PeerAddress& from, const Header& h, Bytes payload) {
  auto handshake = decode_handshake(payload);
  if (!handshake) {
    ++counters_.malformed;
    return;
  }
  handshake->features = h.ack;
  Header back;
  back.connection = handshake->connection;
  // The connecting end shifts the path of the answer if the path of its kOpen may not work in the
  // opposite direction.
  back.path =
      h.sequence == 0
          ? h.path
          : static_cast<std::uint8_t>((h.path + h.sequence % handshake->paths) % handshake->paths);
  back.token = handshake->token;
  if (const auto known = accepted_handshakes_.find(handshake_key(handshake->token, from));
      known != accepted_handshakes_.end()) {
    if (Connection* c = find(known->second)) {
      c->repeat_accept(back.path);
      mark_ready(known->second);
    }
    return;
  }
  const TimeNs before = now - std::min(now, kCookieNsMax);
  const bool good = handshake->cookie == cookie(now, from, *handshake) ||
                    handshake->cookie == cookie(before, from, *handshake);
  // A cookie that is no longer good gets a new one. That answer is shorter than what it answers, as
  // the first challenge is, so nobody can make this end send more than it receives.
  counters_.bad_cookies += !good && handshake->cookie != 0;
  if (!good) {
    back.kind = Kind::kChallenge;
    back.sequence = h.path;
    std::array<std::byte, 8> bytes;
    put64(bytes.data(), cookie(now, from, *handshake));
    return answer(from, back, bytes, peer_worker(back.connection, handshake->features));
  }
  Error why = Error::kNoSuchService;
  const std::string name{handshake->name};
  if (const auto service = services_.find(name); service != services_.end()) {
    why = Error::kNoMemory;
    if (const auto id = allocate_entry()) {
      Entry& entry = entries_[config_.shard.index(*id)];
      entry.connection = std::make_unique<Connection>(
          pool_, setup(*id, from, name, service->second), *handshake, now);
      if (!entry.connection->refused() && !sources_->admit(now, source(from), config_.sources)) {
        why = Error::kSourceLimit;
        ++counters_.limited;
      } else if (!entry.connection->refused()) {
        entry.half_open = true;
        accepted_handshakes_.emplace(handshake_key(handshake->token, from), *id);
        ++counters_.accepted;
        events_.push_back({.what = Event::What::kAccepted, .id = *id});
        entry.connection->repeat_accept(back.path);
        mark_ready(entry, *id);
        return;
      }
      entry.connection.reset();
      free_entries_.push_back(static_cast<std::uint16_t>(config_.shard.index(*id)));
      --used_;
    }
  }
  ++counters_.refused;
  back.kind = Kind::kReset;
  const std::byte reason = static_cast<std::byte>(why);
  answer(from, back, {&reason, 1}, peer_worker(back.connection, handshake->features));
}

void Endpoint::on_unknown_connection(TimeNs now, const PeerAddress& from, const Header& h,
                                     Bytes payload) {
  if (h.kind == Kind::kReset && (h.flags & kReflected) != 0) {
    // The peer no longer knows the connection. h.token is the token of packets sent to the peer.
    for (Entry& entry : entries_)
      if (entry.connection && entry.connection->state() == Connection::State::kOpen &&
          entry.connection->peer_token() == h.token) {
        entry.connection->on_reset(static_cast<Error>(payload[0]), true);
        mark_ready(entry, entry.connection->id());
        return;
      }
  }
  ++counters_.unknown_connection;
  if (h.kind == Kind::kReset || h.token == 0 || !may_reset(now)) return;
  Header back;
  back.kind = Kind::kReset;
  back.flags = kReflected;
  // Perhaps the path does not work in this direction. The peer asks again, so every fourth answer
  // takes the next path.
  const std::uint32_t n = resets_++;
  back.path = static_cast<std::uint8_t>(
      n % 4 != 3 ? h.path : n / 4 % std::max(1u, config_.sender.paths.paths));
  back.connection = h.connection;  // this end's number: the peer uses the token
  back.token = h.token;
  const std::byte reason = static_cast<std::byte>(Error::kPeerForgot);
  answer(from, back, {&reason, 1});
}

bool Endpoint::may_reset(TimeNs now) {
  if (now / kSecond != reset_second_) {
    reset_second_ = now / kSecond;
    resets_in_second_ = 0;
  }
  if (resets_in_second_ >= kResetsPerSecondMax) return false;
  ++resets_in_second_;
  ++counters_.resets_sent;
  return true;
}

void Endpoint::answer(const PeerAddress& to, const Header& h, Bytes payload, unsigned worker) {
  if (answers_.size() >= kAnswersMax) return;  // limit until the next flush; the peer retries
  unflushed_ = true;
  Answer& a = answers_.emplace_back();
  a.to = to;
  a.path = h.path;
  a.worker = static_cast<std::uint8_t>(worker);
  Header full = h;
  full.length = static_cast<std::uint16_t>(payload.size());
  encode(full, a.bytes.data());
  std::memcpy(a.bytes.data() + kHeaderBytes, payload.data(), payload.size());
  a.size = static_cast<std::uint8_t>(kHeaderBytes + payload.size());
}

void Endpoint::collect_events(Entry& entry) {
  Connection& c = *entry.connection;
  const std::uint8_t notifications = c.take_notifications();
  const auto has = [notifications](Connection::Notification n) {
    return (notifications & static_cast<std::uint8_t>(n)) != 0;
  };
  if (has(Connection::Notification::kConnected))
    events_.push_back({.what = Event::What::kConnected, .id = c.id()});
  if (has(Connection::Notification::kPeerClosed))
    events_.push_back({.what = Event::What::kPeerClosed, .id = c.id()});
  if (c.state() != Connection::State::kClosed || c.busy()) return;
  const bool limited = entry.refused && c.error() == Error::kNoAnswer;
  events_.push_back({.what = Event::What::kClosed,
                     .error = limited ? Error::kSourceLimit : c.error(),
                     .id = c.id()});
  if (c.accepted()) {
    accepted_handshakes_.erase(handshake_key(c.peer_token(), c.peer()));
    sources_->close(source(c.peer()), entry.half_open);
    entry.half_open = false;
  }
  ended_.add(c.sender(), c.receiver());
  free_entries_.push_back(static_cast<std::uint16_t>(config_.shard.index(c.id())));
  --used_;
  const auto rates = rates_.find(c.peer().bytes);
  entry.connection.reset();
  if (rates != rates_.end() && rates->second.expired()) rates_.erase(rates);
}

void Endpoint::count(const Burst& burst) {
  PathTotals& path = paths_[burst.path];
  path.sent_packets += burst.count;
  for (std::uint32_t k = 0; k < burst.count; ++k) path.sent_bytes += burst.packets[k].length;
}

void Endpoint::finish(std::uint32_t i) {
  Entry& entry = entries_[i];
  Connection& c = *entry.connection;
  collect_events(entry);
  // The deadline becomes earlier only by a packet or a call for the connection, which mark it
  // ready, or because others return what they share: so who is busy is handled by each flush.
  if (entry.connection) deadlines_.set(i, deadline(entry));
  if (entry.connection && c.busy()) list(entry, c.id());
  unflushed_ |= !entry.connection;  // what it held is free for others
}

std::shared_ptr<PeerRates> Endpoint::rates_to(const Connection& c) {
  std::weak_ptr<PeerRates>& known = rates_[c.peer().bytes];
  std::shared_ptr<PeerRates> rates = known.lock();
  if (!rates) {
    const unsigned paths = c.sender().paths().size(),
                   theirs = std::clamp(c.peer_paths(), 1u, paths);
    rates = std::make_shared<PeerRates>(
        paths, c.payload_bytes() + kOverheadBytes, config_.sender.empty_rtt_us * kMicrosecond,
        config_.peer_workers ? config_.peer_workers->enter(c.peer().bytes) : PeerWorkers::Entry{},
        config_.receive_bytes * theirs / paths);
    known = rates;
  }
  return rates;
}

void Endpoint::limit_flow() {
  // Peers that open connections, or to which they are opened. Those that have sent nothing for a
  // while are peers, too, but are promised nothing.
  if (config_.receive_bytes == 0 || pool_.active() <= kFewSenders ||
      std::max(sources_->size(), rates_.size()) <= kFewSenders)
    return pool_.unlimit_flow();
  pool_.limit_flow(bandwidth_.limit(std::max(kTurnPackets, pool_.active()) * pool_.packet_slots()));
}

Totals Endpoint::open() const {
  Totals sum;
  for (const Entry& entry : entries_)
    if (const Connection* c = entry.connection.get()) sum.add(c->sender(), c->receiver());
  return sum;
}

Totals Endpoint::since_start() const {
  Totals sum = ended_;
  sum += open();
  return sum;
}

TimeNs Endpoint::deadline(const Entry& entry) {
  return std::min(entry.connection->deadline(), entry.ask_old_ns);
}

void Endpoint::on_timer(TimeNs now) {
  deadlines_.take(now, [&](std::uint32_t i) {
    Entry& entry = entries_[i];
    if (!entry.connection) return kNever;
    if (const TimeNs later = deadline(entry); later > now) return later;
    if (entry.ask_old_ns <= now) ask_old_version(now, i);
    Connection& c = *entry.connection;
    if (c.deadline() <= now) c.on_timer(now);
    mark_ready(entry, c.id());  // the next flush() sets its next deadline
    return kNever;
  });
}

std::vector<Event> Endpoint::take_events() { return std::exchange(events_, {}); }

}  // namespace selvedge::protocol
