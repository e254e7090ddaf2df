// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A worker moves packets between the network and the applications' rings (shared memory,
// ring/segment.hpp) in one thread. It owns whole connections (protocol/sharding.hpp), with their
// sessions, and has sockets, an Endpoint and an epoll of its own. Each turn of its loop:
//
//   network -> receivers -> rings;  rings -> senders -> network;  now and then: timers, epoll
//
// While there is work, the loop polls. After spin_us without work it sets daemon_waits in the
// segment of every active session whose application it needs, so that this wakes the daemon by an
// eventfd. It then checks for work once more and waits in epoll, at most until a deadline. If a
// spin found no work, the loop sleeps at once the next times, until a sleep is so short that a spin
// would have found some: where daemons are many, or packets are far apart, spins are time lost to
// others. A single session that is idle for kIdleNs becomes inactive: the loop skips it until its
// eventfd is written or a packet arrives. If many are active, a turn handles those whose connection
// has received or is sending something, and of the others only kPumpSessions, in turn. So a turn
// costs about the same however many are active.
//
// Worker 0 is the main thread, and runs the Server's hooks besides. What the Server does to another
// worker's connections (open, accept, end, ask), it does itself while it has borrowed that worker:
//
//   worker 0                              worker 2
//   borrow(): wanted, wake, wait ───────▶ between two turns: lends itself, and waits
//   reads and changes what it owns
//   give_back() ────────────────────────▶ the next turn
//
// Packets need no lock: a turn of a worker that nobody wants costs it one relaxed load.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "daemon/service/config.hpp"
#include "daemon/service/figures.hpp"
#include "daemon/service/hand_over.hpp"
#include "daemon/service/session.hpp"

namespace selvedge::service {

class Worker {
 public:
  /// What the workers of a daemon have in common, beside their configuration.
  struct Common {
    std::uint64_t incarnation = 0;
    std::shared_ptr<protocol::Sources> sources;
    std::shared_ptr<transport::VerbsTeam> verbs;  ///< with the backend verbs
    std::shared_ptr<protocol::PeerWorkers> peers;
    std::shared_ptr<protocol::SlotDepot> memory;  ///< null: this worker's endpoint makes it
  };
  /// What the thread of a worker calls besides. Any may be empty.
  struct Hooks {
    std::function<void()> each_turn;
    std::function<void()> on_events;                     ///< the endpoint has events
    std::function<void(int fd)> on_descriptor;           ///< a descriptor of watch() is ready
    std::function<void()> after_descriptors;             ///< all that were ready have been handled
    std::function<void(protocol::TimeNs)> periodically;  ///< about every millisecond under load
  };

  /// Opens the worker's sockets. Throws as the constructors of Udp and Verbs do.
  Worker(const DaemonConfig& config, unsigned number, const Common& common);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// To be called before run(): who the others are, this one included.
  void set_team(const std::vector<std::unique_ptr<Worker>>& team) { team_ = &team; }
  /// Runs the loop until `stop` is true.
  void run(const std::atomic<bool>& stop, const Hooks& hooks);
  /// Begins run() in a thread of its own. What it throws is kept for failure(), and told by
  /// on_events.
  void start(const std::atomic<bool>& stop, Hooks hooks);
  /// Waits for the end of that thread, if there is one.
  void join();
  /// What run() has thrown in that thread; null if nothing.
  std::exception_ptr failure();
  /// Makes the loop go round at once, should it sleep. Any thread may call this.
  void wake() const;
  /// When the loop last went round, for a watchdog.
  protocol::TimeNs turned_ns() const { return turned_ns_.load(std::memory_order_relaxed); }

  /// borrow() waits until the worker has lent itself. Then all functions and members below may be
  /// used until give_back(). Only worker 0's thread borrows; it may do so again before it has given
  /// back. Both do nothing if no other thread runs the worker.
  void borrow();
  void give_back();

  void activate(Session& session);
  void watch(int fd, std::uint32_t events = 1 /* EPOLLIN */) const;
  void unwatch(int fd) const;
  /// Takes over the session of a connection, and reads what its application writes.
  Session* add(std::unique_ptr<Session> session);
  /// Forgets the session of a connection that has ended.
  void remove(Session& session);
  Session* session(protocol::ConnectionId id) {
    const std::size_t i = shard_.index(id);
    return i < sessions_.size() && sessions_[i] && sessions_[i]->id() == id ? sessions_[i].get()
                                                                            : nullptr;
  }
  const std::vector<std::unique_ptr<Session>>& sessions() const { return sessions_; }
  void reconfigure(const DaemonConfig& config);
  /// Adds the worker's figures; those of paths are sums until PathFigures::finish().
  void add_to(Figures& figures);

  transport::Network network;
  protocol::Endpoint endpoint;

 private:
  void lend();
  std::uint32_t read_network();
  bool is_own(const protocol::PeerAddress& from, protocol::Bytes datagram);
  void hand_over(unsigned to, const protocol::PeerAddress& from, protocol::Bytes datagram);
  void wake_receivers();
  std::uint32_t take_handed_over();
  void handle(const protocol::PeerAddress& from, protocol::Bytes datagram,
              const protocol::Seen& seen);
  bool pump();
  bool pump_all();
  bool pump_active(std::size_t sessions);
  bool pump(Session& session, protocol::Connection& connection);
  bool deactivate_if_idle(Session& session, protocol::Connection& connection);
  void on_timer();
  void warn_of_other_versions();
  void warn_of_unlocked_keys();
  void sleep(const Hooks& hooks);
  int sleep_ms() const;
  /// Returns whether there was an event.
  bool poll_events(int timeout_ms, const Hooks& hooks);

  protocol::Shard shard_;
  bool busy_;
  unsigned spin_us_;
  const std::vector<std::unique_ptr<Worker>>* team_ = nullptr;
  // By the number of the worker that pushes; empty if there is one worker.
  std::vector<std::unique_ptr<HandOver>> handed_over_;
  std::uint32_t receivers_ = 0;  // bit w: worker w has been handed something since it was woken
  std::vector<std::unique_ptr<Session>> sessions_;  // by Shard::index
  std::vector<Session*> active_;                    // the sessions that the loop handles
  std::size_t next_active_ = 0;   // the first of active_ in the next turn, if there are many
  std::size_t next_counted_ = 0;  // likewise, of those whose counters are published
  int epoll_ = -1, wake_ = -1;
  protocol::TimeNs now_ = 0, polled_ns_ = 0, timer_ns_ = 0, served_ns_ = 0;
  protocol::TimeNs idle_ns_ = 0;  // since when turns find no work
  bool idles_ = false;            // the last turn found none
  bool spins_ = true;             // spinning was, or would have been, of use the last time
  protocol::TimeNs warn_of_version_ns_ = 0;
  PathRates rates_;
  bool warned_of_unlocked_keys_ = false, woken_ = false;
  std::uint64_t sleeps_ = 0, corrupt_rings_ = 0, given_packets_ = 0, ungiven_packets_ = 0;

  std::atomic<bool> asleep_ = false, wanted_ = false;
  std::atomic<protocol::TimeNs> turned_ns_ = 0;
  unsigned loans_ = 0;  // how often worker 0 has borrowed and not given back
  std::mutex mutex_;
  std::condition_variable changed_;
  bool in_thread_ = false, lent_ = false;  // guarded by mutex_, as the next one
  std::exception_ptr failure_;
  std::thread thread_;
};

/// A worker that is borrowed as long as this lives.
class Borrowed {
 public:
  explicit Borrowed(Worker& worker) : worker_(worker) { worker_.borrow(); }
  ~Borrowed() { worker_.give_back(); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

 private:
  Worker& worker_;
};

/// The time of a clock that does not jump.
protocol::TimeNs steady_now();

}  // namespace selvedge::service
