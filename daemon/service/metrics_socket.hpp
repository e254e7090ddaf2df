// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// MetricsSocket serves metrics over HTTP, for Prometheus; every request gets the same answer. No
// function blocks: a slow reader gets its answer in parts, and is disconnected after
// kReaderTimeoutNs.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "daemon/protocol/limits.hpp"

namespace selvedge::service {

class MetricsSocket {
 public:
  static constexpr std::size_t kReadersMax = 16;
  static constexpr std::size_t kRequestBytesMax = 4'096;
  static constexpr protocol::TimeNs kReaderTimeoutNs = 2 * protocol::kSecond;

  /// watch: called with each descriptor that the caller is to poll, and its events (EPOLLIN,
  /// EPOLLOUT). Throws EnvironmentError if the system refuses.
  MetricsSocket(const std::string& listen, std::function<void(int, std::uint32_t)> watch);
  ~MetricsSocket();
  MetricsSocket(const MetricsSocket&) = delete;
  MetricsSocket& operator=(const MetricsSocket&) = delete;

  /// Serves a ready descriptor; returns false if it does not belong to this socket. text: returns
  /// the metrics.
  bool on_ready(int fd, protocol::TimeNs now, const std::function<std::string()>& text);
  /// Disconnects readers whose time is up.
  void tick(protocol::TimeNs now);

 private:
  struct Reader {
    std::size_t request_bytes = 0;  // received so far
    std::string answer;             // the part not yet sent
    protocol::TimeNs deadline_ns = 0;
    bool answering = false;
    std::uint32_t last_four = 0;  // of the request's bytes, to find its final empty line
  };

  void accept_reader(protocol::TimeNs now);
  /// Reads the request or sends the answer. Returns false if the answer is complete or the reader
  /// failed: the caller then closes fd.
  bool serve(int fd, Reader& reader, const std::function<std::string()>& text);

  std::function<void(int, std::uint32_t)> watch_;
  int socket_ = -1;
  std::map<int, Reader> readers_;
};

}  // namespace selvedge::service
