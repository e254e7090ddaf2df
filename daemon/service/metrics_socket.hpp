// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Metrics by HTTP, for Prometheus: whatever is asked for, the answer is the same. Nothing waits: a
// reader that is slow to ask or to read is served a piece at a time, and forgotten after a while.
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
  static constexpr protocol::TimeNs kPatienceNs = 2 * protocol::kSecond;

  /// watch: told of each descriptor, and what for (EPOLLIN, EPOLLOUT). EnvironmentError when the
  /// system refuses.
  MetricsSocket(const std::string& listen, std::function<void(int, std::uint32_t)> watch);
  ~MetricsSocket();
  MetricsSocket(const MetricsSocket&) = delete;
  MetricsSocket& operator=(const MetricsSocket&) = delete;

  /// Whether a descriptor that is ready is ours; if so it was served. text: the metrics.
  bool on_ready(int fd, protocol::TimeNs now, const std::function<std::string()>& text);
  /// Drops readers whose time is up.
  void tick(protocol::TimeNs now);

 private:
  struct Reader {
    std::size_t asked = 0;  // bytes of the request
    std::string answer;     // what is left of it
    protocol::TimeNs until = 0;
    bool answering = false;
    std::uint32_t last_four = 0;  // bytes of the request: its end is an empty line
  };

  void welcome(protocol::TimeNs now);
  /// False: done with, or broken.
  bool serve(int fd, Reader& reader, const std::function<std::string()>& text);

  std::function<void(int, std::uint32_t)> watch_;
  int socket_ = -1;
  std::map<int, Reader> readers_;
};

}  // namespace selvedge::service
