// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Serves a Unix stream socket for status queries and orders. A client sends one line of JSON, such
// as `{"verb": "status"}`; the server sends one JSON document and closes the connection. How it
// keeps clients from delaying each other: request_server.hpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/opensm/request_server.hpp"

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
  bool running() const { return server_.running(); }

 private:
  std::string path_;
  RequestServer server_;
};

/// Makes a listening, non-blocking Unix socket at the path, with mode 0660. A socket that a dead
/// process has left there is replaced. Throws EnvironmentError, with this remedy, if another
/// process listens there, or if the socket cannot be made. `kind`: of socket, for the message.
int listen_on_path(const std::string& path, std::string_view kind, const std::string& remedy);

/// Replaces the file atomically; false if that failed (see errno). write_file() of base is not
/// used, because it sets the umask in order to read it, and other threads may create files at that
/// moment.
bool replace_file(const std::string& path, const std::string& content);

}  // namespace selvedge
