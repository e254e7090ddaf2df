// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// selvedged: one thread that carries packets between the network and the applications' rings, and
// answers the local socket. Each turn of its loop:
//
//   network -> receivers -> rings;  rings -> senders -> network;  now and then: timers, the socket
//
// While there is work it polls; without any for spin_us it tells every application that it sleeps
// (so that they wake it by their eventfds), looks once more, and waits in epoll. A connection that
// is idle for kIdleNs is treated likewise by itself: told that nobody looks, it is not looked at
// until its eventfd, or a packet, says so. So a turn costs what is active, not what is open.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "daemon/ring/control.hpp"
#include "daemon/service/config.hpp"
#include "daemon/service/metrics_socket.hpp"
#include "daemon/service/session.hpp"

namespace selvedge::service {

class Server {
 public:
  /// Binds everything. EnvironmentError when the system refuses.
  explicit Server(const DaemonConfig& config);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Until `stop`. now_and_then is called every millisecond of work, and at least every 100 ms; it
  /// may change().
  void run(const std::atomic<bool>& stop,
           const std::function<void(protocol::TimeNs)>& now_and_then);
  /// Reload::config of a reload() of config().
  void change(const DaemonConfig& config);
  const DaemonConfig& config() const { return config_; }

  const transport::Network& network() const { return network_; }

  /// The local socket, which was made by whom we were. EnvironmentError when the system refuses.
  void give_socket_to(unsigned user, unsigned group);

 private:
  struct Client {
    int fd = -1;
    unsigned user = 0;  // who it was when it connected, as the kernel says
    int process = 0;
    int end = -1;  // readable when that process has ended, even if a child still has our socket
    std::set<std::string> names;
    std::map<protocol::ConnectionId, std::uint32_t> asked;  // connections under way, and questions
    std::uint32_t connections = 0;
  };

  protocol::TimeNs now() const;
  std::uint32_t read_network();
  bool pump();
  bool pump(Session& session, protocol::Connection& connection);
  void activate(Session& session);
  bool falls_asleep(Session& session, protocol::Connection& connection);
  void handle_events();
  void opened(protocol::ConnectionId id, Client& client, ring::Request kind,
              std::uint32_t question);
  void closed(const protocol::Event& event);
  void wait();
  void serve(int timeout_ms);
  void welcome();
  void admit();
  void hear(int fd);
  void on_listen(Client& client, const ring::Message& m, const std::string& name);
  void on_connect(Client& client, const ring::Message& m, const std::string& to);
  void forget(int fd);
  void answer(int fd, ring::Request kind, std::uint32_t id, std::uint32_t error,
              Session* session = nullptr);
  void answer_text(int fd, std::uint32_t id, const std::string& text);
  std::string status_json(const std::string& what);
  std::string why_stalled_json(const std::string& number);
  std::string metrics_text();
  void watch(int fd, std::uint32_t events = 1 /* EPOLLIN */);
  void watch(const Session& session);
  Session* session(protocol::ConnectionId id) {
    const std::size_t i = id & 0xffff;
    return i < sessions_.size() && sessions_[i] && sessions_[i]->id() == id ? sessions_[i].get()
                                                                            : nullptr;
  }

  /// In an epoll event: a connection's number follows, not a descriptor.
  static constexpr std::uint64_t kOfSession = std::uint64_t{1} << 63;

  DaemonConfig config_;
  transport::Network network_;
  protocol::Endpoint endpoint_;
  std::vector<std::unique_ptr<Session>> sessions_;  // by the number's place
  std::vector<Session*> active_;                    // those that are looked at every turn
  std::map<int, Client> clients_;
  std::map<int, int> ends_;  // Client::end -> the client's descriptor
  // Of clients that have gone. Closed when all events of the turn are handled: another client would
  // get the same numbers, and what is still told of the one that has gone would end it.
  std::vector<int> gone_;
  std::map<std::string, int> names_;  // who listens
  int epoll_ = -1, local_ = -1;
  std::unique_ptr<MetricsSocket> metrics_;
  protocol::TimeNs now_ = 0, polled_ns_ = 0, timer_ns_ = 0, served_ns_ = 0, worked_ns_ = 0,
                   began_ns_ = 0;
  std::uint64_t sleeps_ = 0, broken_rings_ = 0, refused_applications_ = 0;
};

}  // namespace selvedge::service
