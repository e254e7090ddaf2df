// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/address.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <charconv>
#include <cstring>

#include "base/error.hpp"

namespace selvedge::transport {

using protocol::PeerAddress;

// PeerAddress holds the bytes of a sockaddr_in6 or sockaddr_in.
static_assert(sizeof(sockaddr_in6) <= sizeof(PeerAddress::bytes));

socklen_t unpack(const PeerAddress& a, sockaddr_storage& to, unsigned port_offset) {
  std::memcpy(&to, a.bytes.data(), a.bytes.size());
  auto* port = to.ss_family == AF_INET6 ? &reinterpret_cast<sockaddr_in6&>(to).sin6_port
                                        : &reinterpret_cast<sockaddr_in&>(to).sin_port;
  *port = htons(static_cast<std::uint16_t>(ntohs(*port) + port_offset));
  return to.ss_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}

PeerAddress pack(const sockaddr_storage& from, unsigned port_offset) {
  PeerAddress a;
  if (from.ss_family == AF_INET6) {
    sockaddr_in6 s;
    std::memcpy(&s, &from, sizeof s);
    s.sin6_port = htons(static_cast<std::uint16_t>(ntohs(s.sin6_port) - port_offset));
    s.sin6_flowinfo = 0;
    std::memcpy(a.bytes.data(), &s, sizeof s);
  } else {
    sockaddr_in s;
    std::memcpy(&s, &from, sizeof s);
    s.sin_port = htons(static_cast<std::uint16_t>(ntohs(s.sin_port) - port_offset));
    std::memset(s.sin_zero, 0, sizeof s.sin_zero);
    std::memcpy(a.bytes.data(), &s, sizeof s);
  }
  return a;
}

PeerAddress parse_address(const std::string& text, const std::string& where) {
  const auto wrong = [&](const char* what) {
    return InputError(fmt::format("{}: '{}'", what, text), where,
                      "write ADDRESS:PORT, as 127.0.0.1:47001 or [::1]:47001");
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) throw wrong("an address without a port");
  std::string host = text.substr(0, colon);
  unsigned port = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + colon + 1, end, port);
  if (parsed.ec != std::errc() || parsed.ptr != end || port == 0 || port > 65'535)
    throw wrong("not a port");
  sockaddr_storage s{};
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    auto& in6 = reinterpret_cast<sockaddr_in6&>(s);
    in6.sin6_family = AF_INET6;
    in6.sin6_port = htons(static_cast<std::uint16_t>(port));
    if (inet_pton(AF_INET6, host.c_str(), &in6.sin6_addr) != 1) throw wrong("not an IPv6 address");
  } else {
    auto& in = reinterpret_cast<sockaddr_in&>(s);
    in.sin_family = AF_INET;
    in.sin_port = htons(static_cast<std::uint16_t>(port));
    if (inet_pton(AF_INET, host.c_str(), &in.sin_addr) != 1) throw wrong("not an IPv4 address");
  }
  return pack(s, 0);
}

PeerAddress source_of(const PeerAddress& address) {
  sockaddr_storage s{};
  unpack(address, s, 0);
  PeerAddress a;
  if (s.ss_family == AF_INET6) {
    auto& in6 = reinterpret_cast<sockaddr_in6&>(s);
    in6.sin6_port = 0;
    std::memset(in6.sin6_addr.s6_addr + 8, 0, 8);
    std::memcpy(a.bytes.data(), &in6, sizeof in6);
  } else {
    auto& in = reinterpret_cast<sockaddr_in&>(s);
    in.sin_port = 0;
    std::memcpy(a.bytes.data(), &in, sizeof in);
  }
  return a;
}

std::string to_string(const PeerAddress& address) {
  sockaddr_storage s{};
  unpack(address, s, 0);
  char host[INET6_ADDRSTRLEN] = "?";
  if (s.ss_family == AF_INET6) {
    const auto& in6 = reinterpret_cast<const sockaddr_in6&>(s);
    inet_ntop(AF_INET6, &in6.sin6_addr, host, sizeof host);
    return fmt::format("[{}]:{}", host, ntohs(in6.sin6_port));
  }
  const auto& in = reinterpret_cast<const sockaddr_in&>(s);
  inet_ntop(AF_INET, &in.sin_addr, host, sizeof host);
  return fmt::format("{}:{}", host, ntohs(in.sin_port));
}

}  // namespace selvedge::transport
