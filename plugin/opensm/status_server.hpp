// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A Unix stream socket that answers questions: one line of JSON in, `{"verb": "status"}`, one JSON
// document out, then end of file. It runs in a thread of its own, one client at a time, each with a
// time limit, so that a client that stalls holds up other clients for a second and OpenSM never.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace selvedge {

class StatusServer {
 public:
  /// The document that answers a verb, with what it is about; "" = no such verb.
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
  void serve();
  void serve_client(int client) const;

  std::string path_;
  Answer answer_;
  int listener_ = -1;
  int wake_ = -1;  // eventfd: readable = stop
  std::thread thread_;
};

/// Replaces the file in one step; false if that failed (errno says why). Not base's write_file,
/// which asks for the umask by setting it: here other threads may be making files of their own.
bool replace_file(const std::string& path, const std::string& content);

}  // namespace selvedge
