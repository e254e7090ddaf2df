// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/server.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "base/error.hpp"
#include "base/program.hpp"

namespace selvedge::service {

using namespace protocol;
using protocol::Error;

namespace {

constexpr TimeNs kTimerEveryNs = 2 * kMillisecond;
constexpr TimeNs kPeriodicNs = kMillisecond;
/// How often epoll is polled under load. This limits the extra latency of a session that was idle.
constexpr TimeNs kPollEveryNs = 100 * kMicrosecond;
constexpr TimeNs kIdleNs = 10 * kMillisecond;
constexpr std::uint32_t kReadPackets = 64;
/// If more sessions than this are active, each turn handles only those with work. To look at a
/// session costs half as much as a packet, and most of a thousand have nothing to do.
constexpr std::size_t kPumpSessions = 64;
/// The least time between two warnings of another version: anyone can send what leads to one.
constexpr TimeNs kWarnEveryNs = 10 * kSecond;

SipKey random_key() {
  SipKey key{};
  if (getrandom(&key, sizeof key, 0) != sizeof key)
    throw EnvironmentError("no random numbers", "getrandom", "see why the system has none");
  return key;
}

std::unique_ptr<Seal> seal_of(const SealConfig& config) {
  if (config.keys.empty()) return nullptr;
  std::array<std::uint8_t, 32> random{};
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
    throw EnvironmentError("no random numbers", "getrandom", "see why the system has none");
  return std::make_unique<Seal>(config, random);
}

transport::Network network_of(const DaemonConfig& config) {
  if (config.backend == transport::Backend::kUdp) {
    transport::UdpConfig udp = config.udp;
    udp.impair = config.impair;
    return {udp, seal_of(config.seal)};
  }
  transport::VerbsConfig verbs = config.verbs;
  verbs.impair = config.impair;
  return {verbs, random_key(), [](const std::string& text) { note(text); }, seal_of(config.seal)};
}

EndpointConfig endpoint_of(EndpointConfig config, const transport::Network& network) {
  config.secret = random_key();
  config.source_of = transport::source_of;
  config.payload_bytes = network.payload_bytes().value_or(config.payload_bytes);
  config.receive_bytes = network.receive_bytes();
  return config;
}

}  // namespace

TimeNs Server::now() const {
  return static_cast<TimeNs>(std::chrono::steady_clock::now().time_since_epoch().count());
}

std::uint32_t Server::read_network() {
  const TimeNs at = now_ = now();
  return network_.poll(kReadPackets, [&](const PeerAddress& from, Bytes datagram) {
    endpoint_.on_datagram(
        at, from, datagram,
        [&](ConnectionId id, Bytes payload, std::uint8_t flags) {
          Session* s = session(id);
          if (s == nullptr) return false;
          if (!s->active) activate(*s);
          return s->deliver(payload, flags);
        },
        network_.seen());
  });
}

bool Server::pump() {
  if (active_.size() <= kPumpSessions) return pump_all();
  bool worked = false;
  endpoint_.for_each_ready([&](Connection& c) {
    Session* s = session(c.id());
    if (s != nullptr && s->active && c.state() == Connection::State::kOpen) worked |= pump(*s, c);
  });
  return pump_active(kPumpSessions) || worked;
}

bool Server::pump_all() {
  next_active_ = 0;
  return pump_active(active_.size());
}

bool Server::pump_active(std::size_t sessions) {
  bool worked = false;
  for (; sessions > 0; --sessions) {
    if (next_active_ >= active_.size()) next_active_ = 0;
    if (active_.empty()) break;
    Session& s = *active_[next_active_];
    Connection* c = endpoint_.find(s.id());
    if (c != nullptr && c->state() == Connection::State::kOpen) {
      worked |= pump(s, *c);
      if (deactivate_if_idle(s, *c)) {
        s.active = false;
        active_[next_active_] = active_.back();
        active_.pop_back();
        continue;
      }
    }
    ++next_active_;
  }
  return worked;
}

bool Server::pump(Session& s, Connection& c) {
  bool intact = true;
  const bool worked = s.pump(c, now_, &intact);
  if (worked) {
    s.worked_ns = now_;
    endpoint_.mark_ready(s.id());
  }
  if (!intact) {
    ++corrupt_rings_;
    c.reset(Error::kProtocol, Error::kPeerReset);
    endpoint_.mark_ready(s.id());
  }
  s.publish();
  return worked;
}

void Server::activate(Session& s) {
  s.worked_ns = now_;
  if (s.active) return;
  s.active = true;
  s.set_daemon_waits(false);
  active_.push_back(&s);
}

bool Server::deactivate_if_idle(Session& s, Connection& c) {
  if (now_ < s.worked_ns + kIdleNs || s.blocked() || !c.sender().idle() ||
      c.state() != Connection::State::kOpen)
    return false;
  s.publish_counters(c.sender().counters());
  s.set_daemon_waits(true);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  // Check once more: an application that wrote before set_daemon_waits() did not write the eventfd.
  if (!pump(s, c)) return true;
  s.set_daemon_waits(false);
  return false;
}

void Server::reconfigure(const DaemonConfig& config) {
  // The keys come first, because this call may throw; nothing has changed then.
  if (!(config.seal == config_.seal)) network_.change_keys(config.seal);
  config_ = config;
  network_.impair(config.impair);
  endpoint_.reconfigure(config.endpoint.sender, config.endpoint.memory_bytes_per_connection,
                        config.endpoint.sources);
}

void Server::run(const std::atomic<bool>& stop, const std::function<void(TimeNs)>& periodically) {
  started_ns_ = worked_ns_ = now_ = now();
  while (!stop.load(std::memory_order_relaxed)) {
    const std::uint32_t got = read_network();
    const bool pumped = pump();
    const TimeNs at = now_ = now();
    network_.tick(at);
    endpoint_.flush(at, got == 0, network_);
    handle_events();
    if (at >= timer_ns_ + kTimerEveryNs) {
      timer_ns_ = at;
      warn_of_other_versions();
      warn_of_unlocked_keys();
      endpoint_.on_timer(at);
      rates_.sample(at, endpoint_.paths());
      for (Session* s : active_)
        if (const Connection* c = endpoint_.find(s->id()))
          s->publish_counters(c->sender().counters());
    }
    if (at >= polled_ns_ + kPollEveryNs) {
      polled_ns_ = at;
      poll_events(0);
    }
    if (at >= served_ns_ + kPeriodicNs) {
      served_ns_ = at;
      if (metrics_) metrics_->tick(at);
      periodically(at);
    }
    if (got != 0 || pumped)
      worked_ns_ = at;
    else if (!config_.busy && !network_.delaying() &&
             at >= worked_ns_ + config_.spin_us * kMicrosecond)
      sleep();
    else
      sched_yield();  // lets an application on the same core run
  }
}

void Server::warn_of_other_versions() {
  const auto other = endpoint_.take_other_version();
  if (!other || now_ < warn_of_version_ns_) return;
  warn_of_version_ns_ = now_ + kWarnEveryNs;
  warn(
      fmt::format("{} speaks version {} of the protocol, this daemon only version {}: upgrade "
                  "selvedged {}",
                  transport::to_string(other->from), other->version, kWireVersion,
                  other->version < kWireVersion ? "there" : "on this machine"));
}

void Server::warn_of_unlocked_keys() {
  // More channels need more memory, so locking may fail at any time.
  if (warned_of_unlocked_keys_ || network_.seal() == nullptr || secret_memory().unlocked == 0)
    return;
  warned_of_unlocked_keys_ = true;
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  warn(
      fmt::format("some keys are not locked in memory, and may be written to swap space: "
                  "RLIMIT_MEMLOCK is {} bytes, {} are needed now: raise it (LimitMEMLOCK of the "
                  "unit), or use no swap space",
                  limit.rlim_cur, secret_memory().bytes));
}

void Server::sleep() {
  for (Session* s : active_) s->set_daemon_waits(true);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  // Check once more: no event is raised for what was written or received before set_daemon_waits()
  // and arm().
  const bool received = network_.arm() && read_network() != 0;
  if (!pump_all() && !received) {
    ++sleeps_;
    poll_events(endpoint_.busy() ? 1 : 100);
  }
  for (Session* s : active_) s->set_daemon_waits(false);
}

void Server::handle_events() {
  for (const Event& e : endpoint_.take_events()) {
    switch (e.what) {
      case Event::What::kAccepted: {
        Connection* c = endpoint_.find(e.id);
        if (c == nullptr) break;
        const auto owner = listeners_.find(c->service());
        const std::uint64_t bytes = 2ull * config_.ring_bytes;
        if (owner == listeners_.end() ||
            clients_[owner->second].connections >= config_.client_connections_max ||
            users_.refuses_connection(clients_[owner->second].user, bytes, config_.limits) != 0) {
          c->reset(Error::kReset,
                   owner == listeners_.end() ? Error::kNoSuchService : Error::kPeerLimit);
          endpoint_.mark_ready(e.id);
          break;
        }
        users_.reserve(e.id, clients_[owner->second].user, bytes);
        on_opened(e.id, clients_[owner->second], ring::MessageKind::kAccepted, 0);
        break;
      }
      case Event::What::kConnected:
        for (auto& [fd, client] : clients_)
          if (const auto it = client.pending_connects.find(e.id);
              it != client.pending_connects.end()) {
            const std::uint32_t request_id = it->second;
            client.pending_connects.erase(it);
            on_opened(e.id, client, ring::MessageKind::kOpened, request_id);
            break;
          }
        break;
      case Event::What::kPeerClosed:
        if (Session* s = session(e.id)) {
          s->publish();
          s->set_state(ring::State::kPeerClosed, Error::kNone);
          // If the application has ended, the daemon closes the direction to the peer.
          if (Connection* c = endpoint_.find(e.id); c && !clients_.contains(s->client())) {
            c->close();
            endpoint_.mark_ready(e.id);
          }
        }
        break;
      case Event::What::kClosed:
        on_closed(e);
        break;
    }
  }
}

void Server::on_opened(ConnectionId id, Client& client, ring::MessageKind kind,
                       std::uint32_t request_id) {
  auto made = Session::make(id, client.fd, users_.ring_bytes(id) / 2,
                            config_.endpoint.sender.window_packets);
  if (!made) {
    Connection* c = endpoint_.find(id);
    if (c != nullptr) c->reset(Error::kNoMemory, Error::kNoMemory);
    endpoint_.mark_ready(id);
    if (kind == ring::MessageKind::kOpened)
      answer(client.fd, ring::MessageKind::kRefused, request_id,
             static_cast<std::uint32_t>(Error::kNoMemory));
    return;
  }
  const std::size_t i = id & 0xffff;
  if (sessions_.size() <= i) sessions_.resize(i + 1);
  sessions_[i] = std::move(made);
  Session* s = sessions_[i].get();
  activate(*s);
  ++client.connections;
  s->set_state(ring::State::kOpen, Error::kNone);
  watch(*s);
  const Connection* opened = endpoint_.find(id);
  answer(client.fd, kind, request_id, opened != nullptr ? opened->features() : 0, s,
         opened != nullptr ? peer_text(*opened) : "");
  s->close_segment_fd();
  // Packets that were received before the ring existed are in the rearrange memory.
  bool intact = true;
  if (Connection* c = endpoint_.find(id)) {
    c->receiver()->drain(
        [s](Bytes payload, std::uint8_t flags) { return s->deliver(payload, flags); });
    s->pump(*c, now_, &intact);
    s->publish();
    endpoint_.mark_ready(id);
  }
}

/// Who is at the other end, for Message::text: the address of its daemon, and the user if that is
/// this daemon.
std::string Server::peer_text(const Connection& c) {
  std::string text = transport::to_string(c.peer());
  // Only the connection itself and this daemon know the token, unless it leads to a peer that
  // repeats it; such a peer has another address.
  const Connection* other =
      c.peer() == network_.address() ? endpoint_.find(c.peer_connection()) : nullptr;
  if (other == nullptr || other->token() != c.peer_token()) return text;
  if (const auto user = users_.user(other->id())) text += fmt::format(" {}", *user);
  return text;
}

void Server::on_closed(const Event& event) {
  users_.release(event.id);
  if (Session* s = session(event.id)) {
    s->publish();
    s->set_state(ring::State::kClosed, event.error);
    if (const auto client = clients_.find(s->client()); client != clients_.end())
      --client->second.connections;
    if (s->active) std::erase(active_, s);
    // The application has the same eventfd open, so closing it here would not remove it from epoll.
    epoll_ctl(epoll_, EPOLL_CTL_DEL, s->daemon_eventfd(), nullptr);
    sessions_[event.id & 0xffff].reset();
    return;
  }
  for (auto& [fd, client] : clients_)
    if (const auto it = client.pending_connects.find(event.id);
        it != client.pending_connects.end()) {
      answer(fd, ring::MessageKind::kRefused, it->second, static_cast<std::uint32_t>(event.error));
      client.pending_connects.erase(it);
      return;
    }
}

Server::Server(const DaemonConfig& config)
    : config_(config),
      network_(network_of(config)),
      endpoint_(endpoint_of(config.endpoint, network_)) {
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  open_sockets();
  for (const int fd : network_.descriptors()) watch(fd);
}

void Server::watch(int fd, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = static_cast<std::uint64_t>(fd);
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0 && errno == EEXIST)
    epoll_ctl(epoll_, EPOLL_CTL_MOD, fd, &event);
}

void Server::watch(const Session& s) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kSessionBit | s.id();
  epoll_ctl(epoll_, EPOLL_CTL_ADD, s.daemon_eventfd(), &event);
}

Server::~Server() {
  for (const auto& [fd, client] : clients_) close(fd);
  for (const auto& [end, client] : pidfds_) close(end);
  if (local_ >= 0) {
    close(local_);
    unlink(config_.socket.c_str());
  }
  metrics_.reset();
  if (epoll_ >= 0) close(epoll_);
}

}  // namespace selvedge::service
