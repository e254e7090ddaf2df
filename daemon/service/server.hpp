// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The server of selvedged is one thread. It moves packets between the network and the applications'
// rings (shared memory, ring/segment.hpp), and serves the local socket. Each turn of its loop:
//
//   network -> receivers -> rings;  rings -> senders -> network;  now and then: timers, the socket
//
// While there is work, the loop polls. After spin_us without work it sets daemon_waits in the
// segment of every active session, so that applications wake the daemon by an eventfd. It then
// checks for work once more and waits in epoll. A single session that is idle for kIdleNs becomes
// inactive: the loop skips it until its eventfd is written or a packet arrives. If many are active,
// a turn handles those whose connection has received or is sending something, and of the others
// only kPumpSessions, in turn. So a turn costs about the same however many are active.
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
#include "daemon/service/figures.hpp"
#include "daemon/service/metrics_socket.hpp"
#include "daemon/service/session.hpp"
#include "daemon/service/users.hpp"

namespace selvedge::service {

class Server {
 public:
  /// Opens the network, the local socket and the metrics socket. Throws EnvironmentError if the
  /// system refuses.
  explicit Server(const DaemonConfig& config);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Runs the loop until `stop` is true. It calls `periodically` every millisecond under load, and
  /// about every 100 ms otherwise; that function may call reconfigure().
  void run(const std::atomic<bool>& stop,
           const std::function<void(protocol::TimeNs)>& periodically);
  /// Changes to the configuration `config`, which must be Reload::config of a reload() of config().
  void reconfigure(const DaemonConfig& config);
  const DaemonConfig& config() const { return config_; }

  const transport::Network& network() const { return network_; }

  /// Changes the owner of the local socket, which was made before the switch to [daemon] user.
  /// Throws EnvironmentError if the system refuses.
  void chown_socket(unsigned user, unsigned group);

 private:
  struct Client {
    int fd = -1;
    unsigned user = 0;  // user and process at connecting, from SO_PEERCRED
    int process = 0;
    int pidfd = -1;  // readable when the process has ended, even if a child has the socket
    std::set<std::string> names;
    // Connections that are being opened -> id of the application's request.
    std::map<protocol::ConnectionId, std::uint32_t> pending_connects;
    std::uint32_t connections = 0;
  };

  protocol::TimeNs now() const;
  std::uint32_t read_network();
  bool pump();
  bool pump_all();
  bool pump_active(std::size_t sessions);
  bool pump(Session& session, protocol::Connection& connection);
  void activate(Session& session);
  bool deactivate_if_idle(Session& session, protocol::Connection& connection);
  void handle_events();
  void on_opened(protocol::ConnectionId id, Client& client, ring::MessageKind kind,
                 std::uint32_t request_id);
  void on_closed(const protocol::Event& event);
  void warn_of_other_versions();
  void warn_of_unlocked_keys();
  void sleep();
  void poll_events(int timeout_ms);
  void open_sockets();
  void accept_client();
  void receive_request(int fd);
  void on_listen(Client& client, const ring::Message& m, const std::string& name);
  void on_connect(Client& client, const ring::Message& m, const std::string& to);
  void remove_client(int fd);
  void answer(int fd, ring::MessageKind kind, std::uint32_t id, std::uint32_t error,
              Session* session = nullptr, const std::string& text = {});
  std::string peer_text(const protocol::Connection& connection);
  void answer_text(int fd, std::uint32_t id, const std::string& text);
  std::string status_json(const std::string& what);
  std::string why_stalled_json(const std::string& number);
  std::string connections_json();
  std::string metrics_text();
  Figures figures();
  void watch(int fd, std::uint32_t events = 1 /* EPOLLIN */);
  void watch(const Session& session);
  Session* session(protocol::ConnectionId id) {
    const std::size_t i = id & 0xffff;
    return i < sessions_.size() && sessions_[i] && sessions_[i]->id() == id ? sessions_[i].get()
                                                                            : nullptr;
  }

  /// If this bit is set in an epoll event's data, the other bits are a connection's number. If not,
  /// the data is a descriptor.
  static constexpr std::uint64_t kSessionBit = std::uint64_t{1} << 63;

  DaemonConfig config_;
  transport::Network network_;
  protocol::Endpoint endpoint_;
  // Indexed by the low 16 bits of the connection's number.
  std::vector<std::unique_ptr<Session>> sessions_;
  std::vector<Session*> active_;  // the sessions that the loop handles
  std::size_t next_active_ = 0;   // the first of active_ in the next turn, if there are many
  std::map<int, Client> clients_;
  Users users_;
  std::map<int, int> pidfds_;  // Client::pidfd -> the client's descriptor
  // Descriptors of clients that have ended. They are closed only after all events of the turn.
  // Otherwise a new client could get the same number, and a pending event of the old client would
  // end the new one.
  std::vector<int> removed_fds_;
  std::map<std::string, int> listeners_;  // service -> the listening client's descriptor
  int epoll_ = -1, local_ = -1;
  std::unique_ptr<MetricsSocket> metrics_;
  protocol::TimeNs now_ = 0, polled_ns_ = 0, timer_ns_ = 0, served_ns_ = 0, worked_ns_ = 0,
                   started_ns_ = 0;
  protocol::TimeNs warn_of_version_ns_ = 0;
  PathRates rates_;
  bool warned_of_unlocked_keys_ = false;
  std::uint64_t sleeps_ = 0, corrupt_rings_ = 0, refused_applications_ = 0;
};

}  // namespace selvedge::service
