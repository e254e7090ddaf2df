// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A Unix stream socket for status queries and orders: one line of JSON in, `{"verb": "status"}`,
// one JSON document out, then end of file. Each client has its own thread, since an order may take
// long while other clients query the status, and a time limit for its request. The number of
// clients served at a time is limited; further clients wait in the listen backlog.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <string>
#include <thread>
#include <vector>

namespace selvedge {

class StatusServer {
 public:
  /// The document that answers a verb with its arguments; "" = no such verb. Called from several
  /// threads.
  using Answer =
      std::function<std::string(const std::string& verb, const std::vector<std::string>& words)>;

  StatusServer() = default;
  ~StatusServer() { stop(); }
  StatusServer(const StatusServer&) = delete;
  StatusServer& operator=(const StatusServer&) = delete;

  /// Throws EnvironmentError if another process listens on this path, or if the socket cannot be
  /// made.
  void start(const std::string& path, Answer answer);
  void stop();
  bool running() const { return thread_.joinable(); }

 private:
  struct Client {
    std::atomic<bool> gone = false;
    std::thread thread;
  };
  void serve();
  void serve_client(int client) const;
  void join_clients(bool to_all);

  std::string path_;
  Answer answer_;
  int listener_ = -1;
  int wake_ = -1;  // eventfd: readable = stop
  std::thread thread_;
  std::list<Client> clients_;  // of the serving thread
};

/// Replaces the file in one step; false if that failed (errno says why). Not base's write_file,
/// which reads the umask by setting it: other threads may create files at that moment.
bool replace_file(const std::string& path, const std::string& content);

}  // namespace selvedge
