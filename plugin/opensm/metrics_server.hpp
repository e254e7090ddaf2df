// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Serves the page of metrics over HTTP/1.0, on a Unix socket or a port of the loopback interface.
// Every request gets the same page. Clients cannot delay each other (request_server.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "plugin/opensm/request_server.hpp"

namespace selvedge {

/// Where metrics are served: a Unix socket's path, or a numeric loopback address and a port.
struct ListenAddress {
  std::string path;  // "" = a port
  std::string host;
  std::uint16_t port = 0;
  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

/// Reads "unix:/PATH", "127.0.0.1:PORT" or "[::1]:PORT". Throws InputError, which names `where`,
/// for anything else, also for addresses that other machines reach.
ListenAddress parse_listen_address(const std::string& text, const std::string& where);

class MetricsServer {
 public:
  MetricsServer() = default;
  ~MetricsServer() { stop(); }
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  /// `page` may be called by several threads at once. Throws EnvironmentError if the address is
  /// taken or cannot be used.
  void start(const std::string& listen, std::function<std::string()> page);
  void stop();
  bool running() const { return server_.running(); }

 private:
  std::string path_;
  RequestServer server_;
};

}  // namespace selvedge
