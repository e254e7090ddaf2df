// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Serves a Unix stream socket for status queries and orders. A client sends one line of JSON, such
// as `{"verb": "status"}`; the server sends one JSON document and closes the connection. Each
// client has its own thread, because an order may take long while other clients query the status.
// There are time limits for the request and for the answer. The number of clients served at a time
// is limited; further clients wait in the listen backlog.
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
  /// Returns the document that answers a verb with its arguments; "" if there is no such verb.
  /// Several threads may call it at once.
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
  int wake_ = -1;  // an eventfd; readable if the server is to stop
  std::thread thread_;
  std::list<Client> clients_;  // used by thread_ only
};

/// Replaces the file atomically; false if that failed (errno says why). write_file() of base is not
/// used, because it reads the umask by setting it, and other threads may create files at that
/// moment.
bool replace_file(const std::string& path, const std::string& content);

}  // namespace selvedge
