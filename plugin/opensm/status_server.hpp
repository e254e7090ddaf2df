// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A Unix stream socket that answers questions: one line of JSON in, `{"verb": "status"}`, one JSON
// document out, then end of file. Each client has a thread, since an order may take long and others
// want to look meanwhile, and a time limit for its question. A few at a time; who comes beyond that
// waits in the socket's queue.
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
  /// The document that answers a verb, with what it is about; "" = no such verb. Called from
  /// several threads.
  using Answer =
      std::function<std::string(const std::string& verb, const std::vector<std::string>& words)>;

  StatusServer() = default;
  ~StatusServer() { stop(); }
  StatusServer(const StatusServer&) = delete;
  StatusServer& operator=(const StatusServer&) = delete;

  /// Throws EnvironmentError: another process serves this path, or it cannot be made.
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
  void say_goodbye(bool to_all);

  std::string path_;
  Answer answer_;
  int listener_ = -1;
  int wake_ = -1;  // eventfd: readable = stop
  std::thread thread_;
  std::list<Client> clients_;  // the serving thread's own
};

/// Replaces the file in one step; false if that failed (errno says why). Not base's write_file,
/// which asks for the umask by setting it: here other threads may be making files of their own.
bool replace_file(const std::string& path, const std::string& content);

}  // namespace selvedge
