// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/worker.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/error.hpp"
#include "base/program.hpp"
#include "daemon/protocol/secret_memory.hpp"

namespace selvedge::service {

using namespace protocol;
using protocol::Error;

namespace {

constexpr TimeNs kTimerEveryNs = 2 * kMillisecond;
constexpr TimeNs kPeriodicNs = kMillisecond;
/// How often epoll is polled under load. This limits the extra latency of a session that was idle.
constexpr TimeNs kPollEveryNs = 100 * kMicrosecond;
/// After a sleep that was shorter than this, spinning would have been of use.
constexpr TimeNs kShortSleepNs = 200 * kMicrosecond;
/// No sleep before a deadline that is so near: reports wait for data to bear them.
constexpr TimeNs kSoonNs = 5 * kReportDelayNs;
constexpr TimeNs kIdleNs = 10 * kMillisecond;
/// The longest sleep, until the next deadline of a connection. Signals and the watchdog wait no
/// longer than that.
constexpr int kSleepMsMax = 100;
/// The same while a connection has something unacknowledged, or to say.
constexpr int kBusySleepMsMax = 20;
constexpr std::uint32_t kReadPackets = 64;
/// If more sessions than this are active, each turn handles only those with work. To look at a
/// session costs half as much as a packet, and most of a thousand have nothing to do.
constexpr std::size_t kPumpSessions = 64;
/// The least time between two warnings of another version: anyone can send what leads to one.
constexpr TimeNs kWarnEveryNs = 10 * kSecond;
/// If this bit is set in an epoll event's data, the other bits are a connection's number. If not,
/// the data is a descriptor.
constexpr std::uint64_t kSessionBit = std::uint64_t{1} << 63;

template <class T>
T random_bytes() {
  T bytes{};
  if (getrandom(&bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    throw EnvironmentError("no random numbers", "getrandom", "see why the system has none");
  return bytes;
}

/// What an endpoint sends through.
struct Timed {
  transport::Network& network;
  void control(const PeerAddress& to, PeerLayout peer, std::uint8_t path, Bytes datagram) {
    network.control(to, peer, path, datagram);
  }
  void data(const Connection& connection, const Burst& burst) { network.data(connection, burst); }
  void hold(bool on) { network.hold(on); }
  static TimeNs now() { return steady_now(); }
};

std::unique_ptr<Seal> seal_of(const SealConfig& config, unsigned workers) {
  if (config.keys.empty()) return nullptr;
  return std::make_unique<Seal>(
      config, random_bytes<std::array<std::uint8_t, 32>>(),
      std::min<std::size_t>(kChannelsMax, kChannelsOfAllWorkers / workers));
}

/// Workers do not lose and delay the same packets.
transport::ImpairConfig impair_of(const DaemonConfig& config, unsigned worker) {
  transport::ImpairConfig impair = config.impair;
  impair.seed += worker;
  return impair;
}

transport::Network network_of(const DaemonConfig& config, const Shard& shard,
                              const Worker::Common& common) {
  if (config.backend == transport::Backend::kUdp) {
    transport::UdpConfig udp = config.udp;
    udp.impair = impair_of(config, shard.worker);
    udp.shard = shard;
    return {udp, seal_of(config.seal, shard.workers)};
  }
  transport::VerbsConfig verbs = config.verbs;
  verbs.impair = impair_of(config, shard.worker);
  verbs.worker = shard.worker;
  return {verbs, common.verbs, [](const std::string& text) { note(text); },
          seal_of(config.seal, shard.workers)};
}

EndpointConfig endpoint_of(const DaemonConfig& config, const transport::Network& network,
                           const Shard& shard, const Worker::Common& common) {
  EndpointConfig e = config.endpoint;
  e.secret = random_bytes<SipKey>();
  e.source_of = transport::source_of;
  e.payload_bytes = network.payload_bytes().value_or(e.payload_bytes);
  e.receive_bytes = network.receive_bytes();
  e.shard = shard;
  e.incarnation = common.incarnation;
  e.shared_sources = common.sources;
  e.peer_workers = common.peers;
  e.shared_memory = common.memory;
  return e;
}

}  // namespace

TimeNs steady_now() {
  return static_cast<TimeNs>(std::chrono::steady_clock::now().time_since_epoch().count());
}

Worker::Worker(const DaemonConfig& config, unsigned number, const Common& common)
    : network(network_of(config, {.worker = number, .workers = config.workers}, common)),
      endpoint(endpoint_of(config, network, {.worker = number, .workers = config.workers}, common)),
      shard_{.worker = number, .workers = config.workers},
      busy_(config.busy),
      spin_us_(config.spin_us) {
  if (config.workers > 1)
    for (unsigned w = 0; w < config.workers; ++w)
      handed_over_.push_back(w == number ? nullptr : std::make_unique<HandOver>());
  network.on_sealed_for_other([this](unsigned to, const PeerAddress& from, Bytes datagram) {
    hand_over(to, from, datagram);
  });
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  watch(wake_);
  for (const int fd : network.descriptors()) watch(fd);
}

Worker::~Worker() {
  for (const int fd : {epoll_, wake_})
    if (fd >= 0) close(fd);
}

void Worker::watch(int fd, std::uint32_t events) const {
  epoll_event event{};
  event.events = events;
  event.data.u64 = static_cast<std::uint64_t>(fd);
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0 && errno == EEXIST)
    epoll_ctl(epoll_, EPOLL_CTL_MOD, fd, &event);
}

void Worker::unwatch(int fd) const { epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr); }

Session* Worker::add(std::unique_ptr<Session> session) {
  const std::size_t i = shard_.index(session->id());
  if (sessions_.size() <= i) sessions_.resize(i + 1);
  sessions_[i] = std::move(session);
  Session* s = sessions_[i].get();
  now_ = steady_now();
  activate(*s);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kSessionBit | s->id();
  epoll_ctl(epoll_, EPOLL_CTL_ADD, s->daemon_eventfd(), &event);
  return s;
}

void Worker::remove(Session& s) {
  if (s.active) std::erase(active_, &s);
  // The application has the same eventfd open, so closing it here would not remove it from epoll.
  unwatch(s.daemon_eventfd());
  sessions_[shard_.index(s.id())].reset();
}

void Worker::wake() const { eventfd_write(wake_, 1); }

void Worker::borrow() {
  if (loans_++ != 0) return;
  std::unique_lock lock(mutex_);
  if (!in_thread_) return;
  wanted_.store(true, std::memory_order_relaxed);
  wake();
  changed_.wait(lock, [this] { return lent_ || !in_thread_; });
}

void Worker::give_back() {
  if (--loans_ != 0) return;
  const std::scoped_lock lock(mutex_);
  wanted_.store(false, std::memory_order_relaxed);
  lent_ = false;
  changed_.notify_all();
}

void Worker::lend() {
  std::unique_lock lock(mutex_);
  if (!wanted_.load(std::memory_order_relaxed)) return;
  lent_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !lent_; });
}

void Worker::start(const std::atomic<bool>& stop, Hooks hooks) {
  {
    const std::scoped_lock lock(mutex_);
    in_thread_ = true;  // before the thread begins, so that borrow() waits for it
  }
  thread_ = std::thread([this, &stop, hooks = std::move(hooks)] {
    std::exception_ptr failure;
    try {
      run(stop, hooks);
    } catch (...) {
      failure = std::current_exception();
    }
    {
      const std::scoped_lock lock(mutex_);
      in_thread_ = false;
      failure_ = failure;
      changed_.notify_all();
    }
    if (failure && hooks.on_events) hooks.on_events();  // worker 0 looks what is new
  });
}

void Worker::join() {
  if (thread_.joinable()) thread_.join();
}

std::exception_ptr Worker::failure() {
  const std::scoped_lock lock(mutex_);
  return failure_;
}

std::uint32_t Worker::read_network() {
  now_ = steady_now();
  const std::uint32_t got =
      network.poll(kReadPackets, [this](const PeerAddress& from, Bytes datagram) {
        if (shard_.workers == 1 || is_own(from, datagram)) handle(from, datagram, network.seen());
      });
  if (receivers_ != 0) wake_receivers();
  return got;
}

void Worker::handle(const PeerAddress& from, Bytes datagram, const Seen& seen) {
  endpoint.on_datagram(
      now_, from, datagram,
      [&](ConnectionId id, Bytes payload, std::uint8_t flags) {
        Session* s = session(id);
        if (s == nullptr) return false;
        if (!s->active) activate(*s);
        return s->deliver(payload, flags);
      },
      seen);
}

bool Worker::is_own(const PeerAddress& from, Bytes datagram) {
  if (concerns_all_workers(datagram)) {
    for (unsigned w = 0; w < shard_.workers; ++w)
      if (w != shard_.worker) hand_over(w, from, datagram);
    return true;
  }
  const unsigned owner = worker_of(datagram, shard_.workers);
  if (owner == shard_.worker) return true;
  hand_over(owner, from, datagram);
  return false;
}

void Worker::hand_over(unsigned to, const PeerAddress& from, Bytes datagram) {
  if (!(*team_)[to]->handed_over_[shard_.worker]->push(from, network.seen(), datagram)) {
    ++ungiven_packets_;
    return;
  }
  ++given_packets_;
  receivers_ |= 1u << to;
}

void Worker::wake_receivers() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (const auto& other : *team_)
    if ((receivers_ >> other->shard_.worker & 1) != 0 &&
        other->asleep_.load(std::memory_order_relaxed))
      other->wake();
  receivers_ = 0;
}

std::uint32_t Worker::take_handed_over() {
  std::uint32_t got = 0;
  for (const auto& ring : handed_over_)
    if (ring != nullptr)
      got += ring->take([this](PeerAddress& from, const Seen& seen, MutableBytes datagram) {
        if (!looks_sealed(datagram)) return handle(from, datagram, seen);
        const Bytes packet = network.open_handed_over(from, datagram);
        if (!packet.empty() && is_own(from, packet)) handle(from, packet, seen);
      });
  if (receivers_ != 0) wake_receivers();
  return got;
}

bool Worker::pump() {
  if (active_.size() <= kPumpSessions) return pump_all();
  bool worked = false;
  endpoint.for_each_ready([&](Connection& c) {
    Session* s = session(c.id());
    if (s != nullptr && s->active && c.state() == Connection::State::kOpen) worked |= pump(*s, c);
  });
  return pump_active(kPumpSessions) || worked;
}

bool Worker::pump_all() {
  next_active_ = 0;
  return pump_active(active_.size());
}

bool Worker::pump_active(std::size_t sessions) {
  bool worked = false;
  for (; sessions > 0; --sessions) {
    if (next_active_ >= active_.size()) next_active_ = 0;
    if (active_.empty()) break;
    Session& s = *active_[next_active_];
    Connection* c = endpoint.find(s.id());
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

bool Worker::pump(Session& s, Connection& c) {
  bool intact = true;
  const bool worked = s.pump(c, now_, &intact);
  if (worked) {
    s.worked_ns = now_;
    endpoint.mark_ready(s.id());
  }
  if (!intact) {
    ++corrupt_rings_;
    c.reset(Error::kProtocol, Error::kPeerReset);
    endpoint.mark_ready(s.id());
  }
  s.publish();
  return worked;
}

void Worker::activate(Session& s) {
  s.worked_ns = now_;
  if (s.active) return;
  s.active = true;
  s.set_daemon_waits(false);
  active_.push_back(&s);
}

bool Worker::deactivate_if_idle(Session& s, Connection& c) {
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

void Worker::reconfigure(const DaemonConfig& config) {
  busy_ = config.busy;
  spin_us_ = config.spin_us;
  network.impair(impair_of(config, shard_.worker));
  endpoint.reconfigure(config.endpoint.sender, config.endpoint.memory_bytes_per_connection,
                       config.endpoint.sources);
}

void Worker::run(const std::atomic<bool>& stop, const Hooks& hooks) {
  now_ = steady_now();
  while (!stop.load(std::memory_order_relaxed)) {
    if (wanted_.load(std::memory_order_relaxed)) lend();
    std::uint32_t got = read_network();
    if (!handed_over_.empty()) got += take_handed_over();
    const bool pumped = pump();
    const TimeNs at = now_ = steady_now();
    network.tick(at);
    endpoint.flush(at, got == 0, Timed{network});
    if (endpoint.has_events() && hooks.on_events) hooks.on_events();
    if (hooks.each_turn) hooks.each_turn();
    if (at >= timer_ns_ + kTimerEveryNs) on_timer();
    const bool worked = got != 0 || pumped;
    const bool sleeps = !worked && !busy_ && !network.delaying() &&
                        (at >= idle_ns_ + spin_us_ * kMicrosecond ||
                         (!spins_ && endpoint.deadline() > at + kSoonNs));
    if (!sleeps && at >= polled_ns_ + kPollEveryNs) {
      polled_ns_ = at;
      poll_events(0, hooks);
    }
    if (hooks.periodically && at >= served_ns_ + kPeriodicNs) {
      served_ns_ = at;
      hooks.periodically(at);
    }
    if (worked || std::exchange(woken_, false)) {
      if (worked && idles_) spins_ = at < idle_ns_ + spin_us_ * kMicrosecond;
      idles_ = false;
      idle_ns_ = at;
    } else if (sleeps) {
      sleep(hooks);
    } else {
      idles_ = true;
      sched_yield();  // lets an application on the same core run
    }
  }
}

void Worker::on_timer() {
  timer_ns_ = now_;
  turned_ns_.store(now_, std::memory_order_relaxed);
  warn_of_other_versions();
  if (shard_.worker == 0) warn_of_unlocked_keys();
  endpoint.on_timer(now_);
  rates_.sample(now_, endpoint.paths());
  for (std::size_t n = std::min(active_.size(), kPumpSessions); n > 0; --n) {
    if (next_counted_ >= active_.size()) next_counted_ = 0;
    Session& s = *active_[next_counted_++];
    if (const Connection* c = endpoint.find(s.id())) s.publish_counters(c->sender().counters());
  }
}

void Worker::warn_of_other_versions() {
  const auto other = endpoint.take_other_version();
  if (!other || now_ < warn_of_version_ns_) return;
  warn_of_version_ns_ = now_ + kWarnEveryNs;
  warn(
      fmt::format("{} speaks version {} of the protocol, this daemon only version {}: upgrade "
                  "selvedged {}",
                  transport::to_string(other->from), other->version, kWireVersion,
                  other->version < kWireVersion ? "there" : "on this machine"));
}

void Worker::warn_of_unlocked_keys() {
  // More channels need more memory, so locking may fail at any time.
  if (warned_of_unlocked_keys_ || network.seal() == nullptr || secret_memory().unlocked == 0)
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

void Worker::sleep(const Hooks& hooks) {
  for (Session* s : active_) {
    const Connection* c = endpoint.find(s->id());
    s->set_daemon_waits(c == nullptr || s->needs_application(*c));
  }
  asleep_.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  // Check once more: no event is raised for what was written or received before set_daemon_waits(),
  // asleep_ and arm().
  const bool received =
      (network.arm() && read_network() != 0) || (!handed_over_.empty() && take_handed_over() != 0);
  if (!pump_all() && !received && !endpoint.has_unflushed()) {
    ++sleeps_;
    const TimeNs slept = steady_now();
    const bool woken = poll_events(sleep_ms(), hooks);
    polled_ns_ = now_ = steady_now();
    spins_ = woken && polled_ns_ < slept + kShortSleepNs;
    idle_ns_ = polled_ns_;
    idles_ = false;
  }
  asleep_.store(false, std::memory_order_relaxed);
  for (Session* s : active_) s->set_daemon_waits(false);
}

int Worker::sleep_ms() const {
  // A connection over verbs waits for what no deadline tells: the network's own periodic work.
  const int most = !endpoint.busy()             ? kSleepMsMax
                   : network.verbs() != nullptr ? 1
                                                : kBusySleepMsMax;
  // A sleep of less than a millisecond would mostly end without work, and takes time from others
  // on a crowded machine.
  const TimeNs now = steady_now(), until = endpoint.deadline();
  if (until <= now + kMillisecond) return 1;
  // Rounded up: a sleep that ends before the deadline would be followed by another one.
  return static_cast<int>(
      std::min<TimeNs>(static_cast<TimeNs>(most), (until - now + kMillisecond - 1) / kMillisecond));
}

bool Worker::poll_events(int timeout_ms, const Hooks& hooks) {
  std::array<epoll_event, 64> events;
  const int n = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout_ms);
  for (int i = 0; i < n; ++i) {
    const std::uint64_t data = events[static_cast<std::size_t>(i)].data.u64;
    if ((data & kSessionBit) != 0) {
      if (Session* s = session(static_cast<ConnectionId>(data))) {
        s->take_wake();
        activate(*s);
      }
      continue;
    }
    const int fd = static_cast<int>(data);
    if (fd == wake_) {
      eventfd_t count = 0;
      eventfd_read(wake_, &count);
      woken_ = true;  // why is seen in the next turn, so this one must not sleep
    } else if (hooks.on_descriptor) {
      // Descriptors of the network are among them; the loop polls those anyway.
      hooks.on_descriptor(fd);
    }
  }
  if (hooks.after_descriptors) hooks.after_descriptors();
  return n > 0;
}

void Worker::add_to(Figures& f) {
  const SlotPool& pool = endpoint.pool();
  f.connections += endpoint.connections();
  f.active_connections += active_.size();
  f.memory_bytes += pool.used() * pool.slot_bytes();
  f.memory_bytes_total = pool.depot()->slots() * pool.slot_bytes();
  // The workers had their maxima at different times.
  f.memory_bytes_max =
      std::min(f.memory_bytes_max + pool.used_max() * pool.slot_bytes(), f.memory_bytes_total);
  f.open += endpoint.open();
  f.since_start += endpoint.since_start();
  add_counters(f.times, endpoint.times());
  f.paths.resize(network.paths());
  for (std::size_t i = 0; i < f.paths.size(); ++i) {
    add_counters(f.paths[i].totals, endpoint.paths()[i]);
    f.paths[i].sent_bytes_per_s += rates_.per_second()[i].sent_bytes;
    f.paths[i].received_bytes_per_s += rates_.per_second()[i].received_bytes;
  }
  endpoint.for_each([&](const Connection& c) {
    f.limited_connections += c.sender().injection().state() == InjectionControl::State::kLi;
    for (unsigned i = 0; i < std::min<std::size_t>(f.paths.size(), c.sender().paths().size()); ++i)
      f.paths[i].add(c.sender().paths()[i], c.sender().paths().least_rtt_ns(i));
  });
  add_counters(f.transport, network.counters());
  if (const transport::Verbs* v = network.verbs())
    f.add({.unknown_senders = v->verbs_counters().unknown_senders,
           .queue_pair_resets = v->verbs_counters().resets,
           .port_changes = v->verbs_counters().port_changes,
           .subnet_changes = v->verbs_counters().subnet_changes,
           .peer_addresses_updated = v->announcements().updated});
  if (const Seal* seal = network.seal()) {
    if (!f.seal) f.seal.emplace();
    add_counters(*f.seal, seal->counters());
  }
  f.sealed_without_key += network.sealed_without_key();
  f.corrupt += network.corrupt();
  add_counters(f.endpoint, endpoint.counters());
  f.corrupt_rings += corrupt_rings_;
  f.sleeps += sleeps_;
  f.given_packets += given_packets_;
  f.ungiven_packets += ungiven_packets_;
}

}  // namespace selvedge::service
