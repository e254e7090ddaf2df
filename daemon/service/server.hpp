// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The server of selvedged: the applications at the local socket, what they may open, the metrics,
// and the workers (worker.hpp), which move packets. All functions run in the main thread, which is
// also worker 0. So there is one decision about limits, and no lock for it. Before it touches
// another worker's connections, the server borrows that worker.
#pragma once

#include <array>
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
#include "daemon/service/outbox.hpp"
#include "daemon/service/users.hpp"
#include "daemon/service/worker.hpp"

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

  const transport::Network& network() const { return home().network; }
  /// Whether every worker's loop has gone round lately.
  bool all_turn(protocol::TimeNs now) const;

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
    Outbox outbox;
  };

  Worker& home() { return *workers_.front(); }
  const Worker& home() const { return *workers_.front(); }
  /// The worker that a connection belongs to.
  Worker& owner(protocol::ConnectionId id) {
    return *workers_[protocol::worker_of(id, config_.workers)];
  }
  void start_workers(const std::atomic<bool>& stop);
  void look_after_workers();
  void handle_events(Worker& worker);
  void on_opened(Worker& worker, protocol::ConnectionId id, Client& client, ring::MessageKind kind,
                 std::uint32_t request_id);
  void on_closed(Worker& worker, const protocol::Event& event);
  void on_descriptor(int fd);
  void close_removed();
  /// Resets a connection because its application has ended. Its worker is borrowed.
  static void reset(Worker& worker, protocol::ConnectionId id);
  void open_sockets();
  void accept_client();
  void receive_request(int fd);
  void flush_answers(Client& client);
  void on_listen(Client& client, const ring::Message& m, const std::string& name);
  void on_connect(Client& client, const ring::Message& m, const std::string& to);
  void remove_client(int fd);
  void answer(int fd, ring::MessageKind kind, std::uint32_t id, std::uint32_t error,
              Session* session = nullptr, const std::string& text = {});
  std::string peer_text(Worker& worker, const protocol::Connection& connection);
  void answer_text(int fd, std::uint32_t id, const std::string& text);
  std::string status_json(const std::string& what);
  std::string why_stalled_json(const std::string& number);
  std::string connections_json();
  std::string metrics_text();
  Figures figures();

  DaemonConfig config_;
  std::vector<std::unique_ptr<Worker>> workers_;
  // Worker w has events, or has failed. A worker sets its own, the main thread clears it.
  std::array<std::atomic<bool>, protocol::kWorkersMax> calls_{};
  unsigned next_worker_ = 0;  // who opens the next connection
  std::map<int, Client> clients_;
  Users users_;
  std::map<int, int> pidfds_;  // Client::pidfd -> the client's descriptor
  // Descriptors of clients that have ended. They are closed only after all events of the turn.
  // Otherwise a new client could get the same number, and a pending event of the old client would
  // end the new one.
  std::vector<int> removed_fds_;
  std::map<std::string, int> listeners_;  // service -> the listening client's descriptor
  int local_ = -1;
  std::unique_ptr<MetricsSocket> metrics_;
  protocol::TimeNs started_ns_ = 0;
  std::uint64_t refused_applications_ = 0;
};

}  // namespace selvedge::service
