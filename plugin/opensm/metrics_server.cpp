// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/metrics_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/error.hpp"
#include "plugin/opensm/status_server.hpp"

namespace selvedge {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::size_t kPathMax = 107;  // bytes of sun_path, without the terminating zero
constexpr std::uint32_t kLoopbackNet = 127;

/// Converts the address for the socket calls. Returns its size, or 0 if `host` is no loopback
/// address.
socklen_t pack(const ListenAddress& address, sockaddr_storage& to) {
  to = {};
  auto& four = reinterpret_cast<sockaddr_in&>(to);
  if (inet_pton(AF_INET, address.host.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    four.sin_port = htons(address.port);
    return ntohl(four.sin_addr.s_addr) >> 24U == kLoopbackNet ? sizeof four : 0;
  }
  auto& six = reinterpret_cast<sockaddr_in6&>(to);
  if (inet_pton(AF_INET6, address.host.c_str(), &six.sin6_addr) != 1) return 0;
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(address.port);
  return IN6_IS_ADDR_LOOPBACK(&six.sin6_addr) ? sizeof six : 0;
}

int listen_on_port(const ListenAddress& address, const std::string& name) {
  sockaddr_storage to{};
  const socklen_t size = pack(address, to);
  const int listener = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (listener >= 0 && bind(listener, reinterpret_cast<const sockaddr*>(&to), size) == 0 &&
      listen(listener, SOMAXCONN) == 0)
    return listener;
  const EnvironmentError error(
      fmt::format("cannot listen for metrics ({})", std::strerror(errno)), name,
      "set [metrics] listen in plugin.toml to a free port or a Unix socket");
  if (listener >= 0) close(listener);
  throw error;
}

/// Whether an HTTP request is complete: it ends with an empty line.
bool complete(std::string_view request) {
  return request.find("\r\n\r\n") != std::string_view::npos ||
         request.find("\n\n") != std::string_view::npos;
}

}  // namespace

ListenAddress parse_listen_address(const std::string& text, const std::string& where) {
  const auto refuse = [&](const std::string& what) {
    return InputError(fmt::format("\"{}\" {}", text, what), where,
                      "write unix:/PATH, 127.0.0.1:PORT or [::1]:PORT");
  };
  ListenAddress address;
  if (text.starts_with(kUnix)) {
    address.path = text.substr(kUnix.size());
    if (!address.path.starts_with('/') || address.path.size() > kPathMax ||
        address.path.find('\0') != std::string::npos)
      throw refuse("names no absolute path of at most 107 bytes");
    return address;
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) throw refuse("has no port");
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + colon + 1, end, address.port);
  if (read.ec != std::errc() || read.ptr != end || address.port == 0)
    throw refuse("has no port from 1 to 65535");
  address.host = text.substr(0, colon);
  if (address.host.starts_with('[') && address.host.ends_with(']'))
    address.host = address.host.substr(1, address.host.size() - 2);
  else if (address.host.find(':') != std::string::npos)
    throw refuse("has an IPv6 address without brackets");
  sockaddr_storage to{};
  if (pack(address, to) == 0) throw refuse("is no address of the loopback interface");
  return address;
}

void MetricsServer::start(const std::string& listen, std::function<std::string()> page) {
  const ListenAddress address = parse_listen_address(listen, "[metrics] listen");
  const int listener =
      address.path.empty()
          ? listen_on_port(address, listen)
          : listen_on_path(address.path, "metrics",
                           "set [metrics] listen in plugin.toml to a path that can be made");
  server_.start(listener, {.complete = complete,
                           .takes_long = [](std::string_view) { return false; },
                           .answer =
                               [page = std::move(page)](const std::string&) {
                                 const std::string body = page();
                                 return fmt::format(
                                     "HTTP/1.0 200 OK\r\nContent-Type: text/plain; "
                                     "version=0.0.4\r\nContent-Length: {}\r\n\r\n{}",
                                     body.size(), body);
                               }});
  path_ = address.path;
}

void MetricsServer::stop() {
  if (!server_.running()) return;
  server_.stop();
  if (!path_.empty()) unlink(path_.c_str());
}

}  // namespace selvedge
