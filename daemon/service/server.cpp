// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/server.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "base/error.hpp"

namespace selvedge::service {

using namespace protocol;
using protocol::Error;

namespace {

/// A loop that has not gone round for so long hangs, or has no CPU.
constexpr TimeNs kHangsNs = 500 * kMillisecond;

std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number))
    throw EnvironmentError("no random numbers", "getrandom", "see why the system has none");
  return number | 1;
}

/// Ends the threads of workers, however their scope is left.
class Threads {
 public:
  explicit Threads(std::vector<std::unique_ptr<Worker>>& workers) : workers_(workers) {}
  ~Threads() {
    stop.store(true);
    for (const auto& w : workers_) w->wake();
    for (const auto& w : workers_) w->join();
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  std::atomic<bool> stop = false;

 private:
  std::vector<std::unique_ptr<Worker>>& workers_;
};

}  // namespace

Server::Server(const DaemonConfig& config) : config_(config) {
  Worker::Common common;
  common.incarnation = random_number();
  common.sources = std::make_shared<Sources>();
  if (config.backend == transport::Backend::kVerbs)
    common.verbs = std::make_shared<transport::VerbsTeam>(
        config.verbs.listen, SipKey{random_number(), random_number()}, config.workers);
  if (config.workers > 1) common.peers = std::make_shared<PeerWorkers>();
  for (unsigned w = 0; w < config.workers; ++w) {
    workers_.push_back(std::make_unique<Worker>(config, w, common));
    common.memory = home().endpoint.pool().depot();
  }
  common.memory->on_return([this](unsigned w) { workers_[w]->wake(); });
  for (const auto& worker : workers_) worker->set_team(workers_);
  open_sockets();
}

Server::~Server() {
  for (const auto& [fd, client] : clients_) close(fd);
  for (const auto& [end, client] : pidfds_) close(end);
  if (local_ >= 0) {
    close(local_);
    unlink(config_.socket.c_str());
  }
  metrics_.reset();
}

void Server::reconfigure(const DaemonConfig& config) {
  // The keys come first, because this call may throw; nothing has changed then.
  if (!(config.seal == config_.seal))
    for (const auto& worker : workers_) {
      const Borrowed borrowed(*worker);
      worker->network.change_keys(config.seal);
    }
  config_ = config;
  for (const auto& worker : workers_) {
    const Borrowed borrowed(*worker);
    worker->reconfigure(config);
  }
}

void Server::run(const std::atomic<bool>& stop, const std::function<void(TimeNs)>& periodically) {
  started_ns_ = steady_now();
  Threads threads(workers_);
  start_workers(threads.stop);
  Worker::Hooks hooks{.each_turn = {},
                      .on_events = [this] { handle_events(home()); },
                      .on_descriptor = [this](int fd) { on_descriptor(fd); },
                      .after_descriptors = [this] { close_removed(); },
                      .periodically =
                          [&](TimeNs now) {
                            if (metrics_) metrics_->tick(now);
                            periodically(now);
                          }};
  if (workers_.size() > 1) hooks.each_turn = [this] { look_after_workers(); };
  home().run(stop, hooks);
}

void Server::start_workers(const std::atomic<bool>& stop) {
  // Signals are for the main thread: new threads begin with the mask of the thread that makes them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (std::size_t w = 1; w < workers_.size(); ++w) {
    Worker::Hooks hooks;
    hooks.on_events = [this, w] {
      if (!calls_[w].exchange(true)) home().wake();
    };
    workers_[w]->start(stop, std::move(hooks));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Server::look_after_workers() {
  for (std::size_t w = 1; w < workers_.size(); ++w) {
    if (!calls_[w].load(std::memory_order_relaxed)) continue;
    calls_[w].store(false);
    if (const auto failure = workers_[w]->failure()) std::rethrow_exception(failure);
    const Borrowed borrowed(*workers_[w]);
    handle_events(*workers_[w]);
  }
}

bool Server::all_turn(TimeNs now) const {
  return std::ranges::all_of(
      workers_, [now](const auto& worker) { return now < worker->turned_ns() + kHangsNs; });
}

void Server::handle_events(Worker& w) {
  for (const Event& e : w.endpoint.take_events()) {
    switch (e.what) {
      case Event::What::kAccepted: {
        Connection* c = w.endpoint.find(e.id);
        if (c == nullptr) break;
        const auto owner = listeners_.find(c->service());
        const std::uint64_t bytes = 2ull * config_.ring_bytes;
        if (owner == listeners_.end() ||
            clients_[owner->second].connections >= config_.client_connections_max ||
            users_.refuses_connection(clients_[owner->second].user, bytes, config_.limits) != 0) {
          c->reset(Error::kReset,
                   owner == listeners_.end() ? Error::kNoSuchService : Error::kPeerLimit);
          w.endpoint.mark_ready(e.id);
          break;
        }
        users_.reserve(e.id, clients_[owner->second].user, bytes);
        on_opened(w, e.id, clients_[owner->second], ring::MessageKind::kAccepted, 0);
        break;
      }
      case Event::What::kConnected:
        for (auto& [fd, client] : clients_)
          if (const auto it = client.pending_connects.find(e.id);
              it != client.pending_connects.end()) {
            const std::uint32_t request_id = it->second;
            client.pending_connects.erase(it);
            on_opened(w, e.id, client, ring::MessageKind::kOpened, request_id);
            break;
          }
        break;
      case Event::What::kPeerClosed:
        if (Session* s = w.session(e.id)) {
          s->publish();
          s->set_state(ring::State::kPeerClosed, Error::kNone);
          // If the application has ended, the daemon closes the direction to the peer.
          if (Connection* c = w.endpoint.find(e.id); c && !clients_.contains(s->client())) {
            c->close();
            w.endpoint.mark_ready(e.id);
          }
        }
        break;
      case Event::What::kClosed:
        on_closed(w, e);
        break;
    }
  }
}

void Server::on_opened(Worker& w, ConnectionId id, Client& client, ring::MessageKind kind,
                       std::uint32_t request_id) {
  auto made = Session::make(id, client.fd, users_.ring_bytes(id) / 2);
  if (!made) {
    Connection* c = w.endpoint.find(id);
    if (c != nullptr) c->reset(Error::kNoMemory, Error::kNoMemory);
    w.endpoint.mark_ready(id);
    if (kind == ring::MessageKind::kOpened)
      answer(client.fd, ring::MessageKind::kRefused, request_id,
             static_cast<std::uint32_t>(Error::kNoMemory));
    return;
  }
  Session* s = w.add(std::move(made));
  ++client.connections;
  s->set_state(ring::State::kOpen, Error::kNone);
  const Connection* opened = w.endpoint.find(id);
  answer(client.fd, kind, request_id, opened != nullptr ? opened->features() & kHeads : 0, s,
         opened != nullptr ? peer_text(w, *opened) : "");
  s->close_segment_fd();
  // Packets that were received before the ring existed are in the rearrange memory.
  bool intact = true;
  if (Connection* c = w.endpoint.find(id)) {
    c->receiver()->drain(
        [s](Bytes payload, std::uint8_t flags) { return s->deliver(payload, flags); });
    s->pump(*c, steady_now(), &intact);
    s->publish();
    w.endpoint.mark_ready(id);
  }
}

/// Who is at the other end, for Message::text: the address of its daemon, and the user if that is
/// this daemon.
std::string Server::peer_text(Worker& w, const Connection& c) {
  std::string text = transport::to_string(c.peer());
  // Only the connection itself and this daemon know the token, unless it leads to a peer that
  // repeats it; such a peer has another address.
  if (c.peer() != w.network.address()) return text;
  Worker& owner = this->owner(c.peer_connection());
  const Borrowed borrowed(owner);
  const Connection* other = owner.endpoint.find(c.peer_connection());
  if (other == nullptr || other->token() != c.peer_token()) return text;
  if (const auto user = users_.user(other->id())) text += fmt::format(" {}", *user);
  return text;
}

void Server::on_closed(Worker& w, const Event& event) {
  users_.release(event.id);
  if (Session* s = w.session(event.id)) {
    s->publish();
    s->set_state(ring::State::kClosed, event.error);
    if (const auto client = clients_.find(s->client()); client != clients_.end())
      --client->second.connections;
    w.remove(*s);
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

}  // namespace selvedge::service
