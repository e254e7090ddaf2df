// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/udp.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/error.hpp"

namespace selvedge::transport {
namespace {

using protocol::Burst;
using protocol::Bytes;
using protocol::Connection;
using protocol::kHeaderBytes;
using protocol::PeerAddress;

constexpr std::size_t kDatagramBytesMax = 65'507;
constexpr unsigned kSegmentsMax = 64;
// Two vectors a packet; twice a burst, for doubled packets and those released with it.
constexpr unsigned kItemsMax = 2 * protocol::kBurstPacketsMax;

// PeerAddress holds a sockaddr_in6 or sockaddr_in as they are.
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

std::string system_error() { return std::strerror(errno); }

}  // namespace

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

Udp::Udp(const UdpConfig& config)
    : own_(parse_address(config.listen, "udp.listen")),
      impair_(config.impair),
      buffer_(65'536),
      headers_(std::size_t{kItemsMax} * kHeaderBytes) {
  items_.reserve(kItemsMax);
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  for (unsigned i = 0; i < config.paths; ++i) {
    sockaddr_storage s{};
    const socklen_t size = unpack(own_, s, i);
    const int fd = socket(s.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const auto refused = [&](const char* what) {
      const EnvironmentError error(
          fmt::format("{}: {}", what, system_error()), to_string(pack(s, 0)),
          "choose a free address of this machine for udp.listen (the paths "
          "use the ports from there up)");
      for (const int open : sockets_) close(open);
      if (fd >= 0) close(fd);
      if (epoll_ >= 0) close(epoll_);
      return error;
    };
    if (fd < 0) throw refused("cannot make a socket");
    if (bind(fd, reinterpret_cast<sockaddr*>(&s), size) != 0) throw refused("cannot bind");
    sockets_.push_back(fd);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
    const int bytes = static_cast<int>(config.socket_bytes);
    for (const auto& [force, plain] :
         {std::pair{SO_RCVBUFFORCE, SO_RCVBUF}, std::pair{SO_SNDBUFFORCE, SO_SNDBUF}})
      if (setsockopt(fd, SOL_SOCKET, force, &bytes, sizeof bytes) != 0)
        setsockopt(fd, SOL_SOCKET, plain, &bytes, sizeof bytes);
    if (!config.segmentation) continue;
    const int on = 1, off = 0;
    joins_ = setsockopt(fd, SOL_UDP, UDP_GRO, &on, sizeof on) == 0;
    segments_ = setsockopt(fd, SOL_UDP, UDP_SEGMENT, &off, sizeof off) == 0;
  }
}

Udp::~Udp() {
  if (epoll_ >= 0) close(epoll_);
  for (const int fd : sockets_) close(fd);
}

unsigned Udp::ready_sockets() {
  std::array<epoll_event, protocol::kPathsMax> events;
  const int n = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 0);
  for (int i = 0; i < n; ++i)
    ready_[static_cast<std::size_t>(i)] = events[static_cast<std::size_t>(i)].data.fd;
  return n > 0 ? static_cast<unsigned>(n) : 0;
}

Udp::Received Udp::receive(int socket) {
  iovec iov{buffer_.data(), buffer_.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_name = &from_;
  message.msg_namelen = sizeof from_;
  message.msg_iov = &iov;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(socket, &message, 0);
  if (got <= 0) return {};  // nothing there, or an ICMP error, which tells no more than silence
  ++counters_.received_calls;
  std::size_t segment = static_cast<std::size_t>(got);
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c))
    if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO) {
      int size = 0;
      std::memcpy(&size, CMSG_DATA(c), sizeof size);
      if (size > 0) segment = static_cast<std::size_t>(size);
    }
  return {.bytes = {buffer_.data(), static_cast<std::size_t>(got)}, .segment = segment};
}

PeerAddress Udp::origin(Bytes datagram) const {
  // The path tells the port's distance from the peer's first (byte 28, protocol/wire.hpp).
  const unsigned path =
      datagram.size() >= kHeaderBytes ? std::to_integer<unsigned>(datagram[28]) : 0;
  return pack(from_, path);
}

void Udp::control(const PeerAddress& to, unsigned peer_paths, std::uint8_t path, Bytes datagram) {
  const Item item{datagram.data(), datagram.data() + kHeaderBytes, datagram.size() - kHeaderBytes};
  unsigned copies = 1;
  if (impair_.active()) {
    const Impair::Fate fate = impair_.fate();
    if (fate == Impair::Fate::kLost) return;
    if (fate == Impair::Fate::kDoubled) copies = 2;
    if (fate == Impair::Fate::kHeld)
      return impair_.hold({.since_ns = now_,
                           .to = to,
                           .peer_paths = peer_paths,
                           .path = path,
                           .bytes = {datagram.begin(), datagram.end()}});
  }
  for (; copies > 0; --copies) send_items(to, peer_paths, path, &item, 1);
}

void Udp::data(const Connection& connection, const Burst& burst) {
  if (impair_.active()) return impaired(connection, burst);
  items_.clear();
  for (unsigned i = 0; i < burst.count; ++i) {
    const protocol::Outgoing& p = burst.packets[i];
    std::byte* header = headers_.data() + std::size_t{i} * kHeaderBytes;
    encode(connection.data_header(p, burst.path), header);
    items_.push_back({header, p.data, p.length});
  }
  send_items(connection.peer(), connection.peer_paths(), burst.path, items_.data(), burst.count);
}

void Udp::impaired(const Connection& connection, const Burst& burst) {
  items_.clear();
  for (unsigned i = 0; i < burst.count; ++i) {
    const protocol::Outgoing& p = burst.packets[i];
    std::byte* header = headers_.data() + std::size_t{i} * kHeaderBytes;
    encode(connection.data_header(p, burst.path), header);
    const Item item{header, p.data, p.length};
    switch (impair_.fate()) {
      case Impair::Fate::kLost:
        break;
      case Impair::Fate::kDoubled:
        items_.push_back(item);
        items_.push_back(item);
        break;
      case Impair::Fate::kPass:
        items_.push_back(item);
        break;
      case Impair::Fate::kHeld: {
        Impair::Held held = impair_.blank();
        held.since_ns = now_;
        held.to = connection.peer();
        held.peer_paths = connection.peer_paths();
        held.path = burst.path;
        held.bytes.insert(held.bytes.end(), header, header + kHeaderBytes);
        held.bytes.insert(held.bytes.end(), p.data, p.data + p.length);
        impair_.hold(std::move(held));
        break;
      }
    }
  }
  // What was held back and goes to the same peer leaves with this burst: a late packet costs no
  // more than a punctual one, and the bench measures the receiver, not this.
  if (impair_.holds())
    impair_.release(now_, [&](Impair::Held& h) { released_.push_back(std::move(h)); });
  for (const Impair::Held& h : released_) {
    const Item item{h.bytes.data(), h.bytes.data() + kHeaderBytes, h.bytes.size() - kHeaderBytes};
    if (h.to == connection.peer() && items_.size() < kItemsMax)
      items_.push_back(item);
    else
      send_items(h.to, h.peer_paths, h.path, &item, 1);
  }
  if (!items_.empty())
    send_items(connection.peer(), connection.peer_paths(), burst.path, items_.data(),
               static_cast<unsigned>(items_.size()));
  for (Impair::Held& h : released_) impair_.recycle(std::move(h));
  released_.clear();
}

void Udp::tick(protocol::TimeNs now) {
  now_ = now;
  if (!impair_.holds()) return;
  impair_.release(now, [&](Impair::Held& h) {
    const Item item{h.bytes.data(), h.bytes.data() + kHeaderBytes, h.bytes.size() - kHeaderBytes};
    send_items(h.to, h.peer_paths, h.path, &item, 1);
  });
}

void Udp::send_items(const PeerAddress& to, unsigned peer_paths, std::uint8_t path,
                     const Item* items, unsigned count) {
  sockaddr_storage s;
  const socklen_t size = unpack(to, s, path % std::max(1u, peer_paths));
  const int fd = sockets_[path % sockets_.size()];
  for (unsigned i = 0; i < count;) {
    // The longest run that one call may carry: all as long as the first, the last perhaps shorter.
    unsigned n = 1;
    std::size_t bytes = kHeaderBytes + items[i].length;
    if (segments_)
      while (i + n < count && n < kSegmentsMax && items[i + n - 1].length == items[i].length &&
             items[i + n].length <= items[i].length &&
             bytes + kHeaderBytes + items[i + n].length <= kDatagramBytesMax) {
        bytes += kHeaderBytes + items[i + n].length;
        ++n;
      }
    if (!send_run(fd, s, size, items + i, n)) continue;  // without segmentation, from here on
    i += n;
  }
}

bool Udp::send_run(int socket, const sockaddr_storage& to, socklen_t size, const Item* items,
                   unsigned count) {
  std::array<iovec, std::size_t{2} * kSegmentsMax> iov;
  for (std::size_t i = 0; i < count; ++i) {
    iov[2 * i] = {const_cast<std::byte*>(items[i].header), kHeaderBytes};
    iov[2 * i + 1] = {const_cast<std::byte*>(items[i].data), items[i].length};
  }
  msghdr message{};
  message.msg_name = const_cast<sockaddr_storage*>(&to);
  message.msg_namelen = size;
  message.msg_iov = iov.data();
  message.msg_iovlen = std::size_t{2} * count;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(std::uint16_t))] = {};
  if (count > 1) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_UDP;
    c->cmsg_type = UDP_SEGMENT;
    c->cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
    const auto segment = static_cast<std::uint16_t>(kHeaderBytes + items[0].length);
    std::memcpy(CMSG_DATA(c), &segment, sizeof segment);
  }
  ++counters_.sent_calls;
  if (sendmsg(socket, &message, MSG_NOSIGNAL) >= 0) {
    counters_.sent_packets += count;
    return true;
  }
  // A device without what segmentation needs, or packets longer than its MTU.
  if (count > 1 && (errno == EINVAL || errno == EIO || errno == EMSGSIZE || errno == EOPNOTSUPP)) {
    segments_ = false;
    return false;
  }
  counters_.not_sent += count;
  return true;
}

}  // namespace selvedge::transport
