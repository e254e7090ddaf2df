// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/endpoint.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace selvedge::protocol {

Endpoint::Endpoint(const EndpointConfig& config)
    : config_(config), incarnation_(random()), pool_(config.memory_bytes, config.payload_bytes) {
  ready_.reserve(64);
  looked_at_.reserve(64);
}

std::uint64_t Endpoint::random() {
  std::array<std::byte, 9> input{};  // its length differs from a cookie's input
  put64(input.data(), ++random_counter_);
  return siphash(config_.secret, input);
}

std::optional<ConnectionId> Endpoint::claim() {
  if (free_places_.empty()) {
    if (places_.size() >= config_.connections_max) return std::nullopt;
    free_places_.push_back(static_cast<std::uint16_t>(places_.size()));
    places_.emplace_back();
    due_.push_back(kNever);
  }
  const std::uint16_t i = free_places_.back();
  free_places_.pop_back();
  ++used_;
  return ConnectionId{++places_[i].generation} << 16 | i;
}

Connection::Setup Endpoint::setup(ConnectionId id, const PeerAddress& peer, std::string name) {
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
  s.window_packets = config_.window_packets;
  s.memory_packets =
      static_cast<std::uint32_t>(config_.memory_bytes_per_connection / config_.payload_bytes);
  s.policy = config_.policy;
  s.sender = config_.sender;
  s.sender.paths.seed = random();
  return s;
}

std::optional<ConnectionId> Endpoint::connect(TimeNs now, const PeerAddress& peer,
                                              std::string name) {
  const auto id = claim();
  if (!id) return std::nullopt;
  Place& place = places_[*id & 0xffff];
  place.connection = std::make_unique<Connection>(pool_, setup(*id, peer, std::move(name)), now);
  touch(place, *id);
  return id;
}

Connection* Endpoint::find(ConnectionId id) {
  Place* place = at(id);
  return place ? place->connection.get() : nullptr;
}

void Endpoint::touch(ConnectionId id) {
  if (Place* place = at(id)) touch(*place, id);
}

void Endpoint::on_other(TimeNs now, const PeerAddress& from, Decoded decoded, const Header& h,
                        Bytes payload) {
  if (decoded != Decoded::kGood) {
    ++(decoded == Decoded::kVersion ? counters_.version : counters_.malformed);
    return;
  }
  if (h.kind == Kind::kOpen) return on_open(now, from, h, payload);
  // Also while opening: the peer has this end's token from kOpen.
  Place* place = at(h.connection);
  if (place == nullptr || place->connection->token() != h.token)
    return on_stranger(now, from, h, payload);
  Connection& c = *place->connection;
  Report report;
  switch (h.kind) {
    case Kind::kChallenge:
      c.on_challenge(now, get64(payload.data()), h.path);
      break;
    case Kind::kAccept:
      if (const auto opening = decode_opening(payload))
        c.on_accept(now, *opening);
      else
        ++counters_.malformed;
      break;
    case Kind::kReport:
      if (decode(payload, report))
        c.on_report(now, h, report);
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
      c.on_reset(static_cast<Error>(payload[0]), false);
      break;
    case Kind::kOpen:
    case Kind::kData:
      break;
  }
  touch(*place, h.connection);
}

std::uint64_t Endpoint::cookie(TimeNs now, const PeerAddress& from, const Opening& o) const {
  std::array<std::byte, 32 + 8 + 8 + 8> input{};
  std::memcpy(input.data(), from.bytes.data(), from.bytes.size());
  put64(input.data() + 32, o.token);
  put64(input.data() + 40, std::uint64_t{o.connection} << 32 | o.first);
  put64(input.data() + 48, now / kCookieNsMax);
  return siphash(config_.secret, input) | 1;  // never 0, which means no cookie
}

void Endpoint::on_open(TimeNs now, const PeerAddress& from, const Header& h, Bytes payload) {
  const auto opening = decode_opening(payload);
  if (!opening) {
    ++counters_.malformed;
    return;
  }
  Header back;
  back.connection = opening->connection;
  back.path = h.path;
  back.token = opening->token;
  if (const auto known = openings_.find({opening->token, from.bytes}); known != openings_.end()) {
    if (Connection* c = find(known->second)) {
      c->accept_again(h.path);
      touch(known->second);
    }
    return;
  }
  if (opening->cookie == 0) {
    back.kind = Kind::kChallenge;
    std::array<std::byte, 8> bytes;
    put64(bytes.data(), cookie(now, from, *opening));
    return answer(from, back, bytes);
  }
  const TimeNs before = now - std::min(now, kCookieNsMax);
  if (opening->cookie != cookie(now, from, *opening) &&
      opening->cookie != cookie(before, from, *opening)) {
    ++counters_.bad_cookies;
    return;
  }
  Error why = Error::kNoSuchService;
  const std::string name{opening->name};
  if (services_.contains(name)) {
    why = Error::kNoMemory;
    if (const auto id = claim()) {
      Place& place = places_[*id & 0xffff];
      place.connection = std::make_unique<Connection>(pool_, setup(*id, from, name), *opening, now);
      if (!place.connection->refused()) {
        openings_.emplace(OpeningKey{opening->token, from.bytes}, *id);
        ++counters_.accepted;
        events_.push_back({.what = Event::What::kAccepted, .id = *id});
        place.connection->accept_again(h.path);
        touch(place, *id);
        return;
      }
      place.connection.reset();
      free_places_.push_back(static_cast<std::uint16_t>(*id));
      --used_;
    }
  }
  ++counters_.refused;
  back.kind = Kind::kReset;
  const std::byte reason = static_cast<std::byte>(why);
  answer(from, back, {&reason, 1});
}

void Endpoint::on_stranger(TimeNs now, const PeerAddress& from, const Header& h, Bytes payload) {
  if (h.kind == Kind::kReset && (h.flags & kReflected) != 0) {
    // From a peer that no longer knows the connection: the token is that of packets sent to it.
    for (Place& place : places_)
      if (place.connection && place.connection->state() == Connection::State::kOpen &&
          place.connection->peer_token() == h.token) {
        place.connection->on_reset(static_cast<Error>(payload[0]), true);
        touch(place, place.connection->id());
        return;
      }
  }
  ++counters_.strangers;
  if (h.kind == Kind::kReset || h.token == 0 || !may_reset(now)) return;
  Header back;
  back.kind = Kind::kReset;
  back.flags = kReflected;
  back.path = h.path;
  back.connection = h.connection;  // this end's number: the peer identifies it by the token
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

void Endpoint::answer(const PeerAddress& to, const Header& h, Bytes payload) {
  if (answers_.size() >= 4'096) return;  // the limit until the next flush; the peer retries
  Answer& a = answers_.emplace_back();
  a.to = to;
  a.path = h.path;
  Header full = h;
  full.length = static_cast<std::uint16_t>(payload.size());
  encode(full, a.bytes.data());
  std::memcpy(a.bytes.data() + kHeaderBytes, payload.data(), payload.size());
  a.size = static_cast<std::uint8_t>(kHeaderBytes + payload.size());
}

void Endpoint::collect(Place& place) {
  Connection& c = *place.connection;
  const std::uint8_t news = c.take_news();
  const auto has = [news](Connection::News n) {
    return (news & static_cast<std::uint8_t>(n)) != 0;
  };
  if (has(Connection::News::kConnected))
    events_.push_back({.what = Event::What::kConnected, .id = c.id()});
  if (has(Connection::News::kPeerClosed))
    events_.push_back({.what = Event::What::kPeerClosed, .id = c.id()});
  if (c.state() != Connection::State::kClosed || c.busy()) return;
  events_.push_back({.what = Event::What::kClosed, .error = c.error(), .id = c.id()});
  if (c.accepted()) openings_.erase({c.peer_token(), c.peer().bytes});
  free_places_.push_back(static_cast<std::uint16_t>(c.id()));
  --used_;
  place.connection.reset();
}

void Endpoint::on_timer(TimeNs now) {
  for (std::size_t i = 0; i < due_.size(); ++i) {
    if (due_[i] > now || !places_[i].connection) continue;
    Connection& c = *places_[i].connection;
    if (c.deadline() <= now) c.on_timer(now);
    touch(places_[i], c.id());
  }
}

std::vector<Event> Endpoint::take_events() { return std::exchange(events_, {}); }

}  // namespace selvedge::protocol
