// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/udp.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/error.hpp"
#include "daemon/transport/ecn.hpp"
#include "daemon/transport/steering.hpp"

namespace selvedge::transport {
namespace {

using protocol::Burst;
using protocol::Bytes;
using protocol::Connection;
using protocol::kHeaderBytes;
using protocol::PeerAddress;

constexpr std::size_t kDatagramBytesMax = 65'507;
constexpr unsigned kSegmentsMax = 64;
/// A longer packet whose bytes do not stay is sent at once.
constexpr std::size_t kCopiedBytesMax = 512;

std::string system_error() { return std::strerror(errno); }

protocol::TimeNs time_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<protocol::TimeNs>(t.tv_sec) * protocol::kSecond +
         static_cast<protocol::TimeNs>(t.tv_nsec);
}

/// The kernel stamps packets with the time of day; the daemon uses a clock that does not jump.
protocol::TimeNs arrived_ns(const timespec& stamp) {
  const auto at = static_cast<protocol::TimeNs>(stamp.tv_sec) * protocol::kSecond +
                  static_cast<protocol::TimeNs>(stamp.tv_nsec);
  const protocol::TimeNs now = time_of(CLOCK_MONOTONIC), day = time_of(CLOCK_REALTIME);
  const protocol::TimeNs ago = day > at ? day - at : 0;
  return ago < protocol::kSecond ? now - ago : now;
}

}  // namespace

Udp::Udp(const UdpConfig& config, std::unique_ptr<protocol::Seal> seal)
    : BurstWriter(config.impair, std::move(seal), config.shard),
      own_(parse_address(config.listen, "udp.listen")),
      buffer_(65'536) {
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  runs_.resize(config.paths);
  for (Run& run : runs_) {
    run.items.reserve(kSegmentsMax);
    run.copies.reserve(kSegmentsMax * kCopiedBytesMax);  // what points there must stay valid
  }
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
    if (fd < 0) throw refused("cannot create a socket");
    if (!bind_path(fd, s, size, config.shard)) throw refused("cannot bind");
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
    const int on = 1, off = 0;
    // Without stamps and marks delays are measured less exactly, and queues tell less.
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    if (s.ss_family == AF_INET6) {
      setsockopt(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, &on, sizeof on);
      setsockopt(fd, IPPROTO_IPV6, IPV6_TCLASS, &kEcnCapable, sizeof kEcnCapable);
    } else {
      setsockopt(fd, IPPROTO_IP, IP_RECVTOS, &on, sizeof on);
      setsockopt(fd, IPPROTO_IP, IP_TOS, &kEcnCapable, sizeof kEcnCapable);
    }
    if (!config.segmentation) continue;
    gro_ = setsockopt(fd, SOL_UDP, UDP_GRO, &on, sizeof on) == 0;
    gso_ = setsockopt(fd, SOL_UDP, UDP_SEGMENT, &off, sizeof off) == 0;
  }
}

bool Udp::bind_path(int socket, const sockaddr_storage& address, socklen_t size,
                    const protocol::Shard& shard) {
  const auto* name = reinterpret_cast<const sockaddr*>(&address);
  if (shard.workers == 1) return bind(socket, name, size) == 0;
  // Any process of the same user may join a group. A socket that joins none is bound first: this
  // fails while another daemon has the port.
  if (shard.worker == 0) {
    const int alone = ::socket(address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool is_free = alone >= 0 && bind(alone, name, size) == 0;
    const int why = errno;
    if (alone >= 0) close(alone);
    errno = why;
    if (!is_free) return false;
  }
  const int on = 1;
  return setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0 &&
         bind(socket, name, size) == 0 && (shard.worker != 0 || steer(socket, shard.workers));
}

Udp::~Udp() {
  if (epoll_ >= 0) close(epoll_);
  for (const int fd : sockets_) close(fd);
}

std::size_t Udp::receive_bytes() const {
  std::size_t sum = 0;
  for (const int fd : sockets_) {
    int bytes = 0;
    socklen_t size = sizeof bytes;
    if (getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &size) == 0)
      sum += static_cast<std::size_t>(bytes) / 4;
  }
  return sum;
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
  alignas(cmsghdr) char control[2 * CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(timespec))];
  msghdr message{};
  message.msg_name = &from_;
  message.msg_namelen = sizeof from_;
  message.msg_iov = &iov;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(socket, &message, 0);
  if (got <= 0) return {};  // no datagram, or an ICMP error, which needs no reaction
  ++counters_.received_calls;
  std::size_t segment = static_cast<std::size_t>(got);
  protocol::Seen seen;
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    int number = 0;
    if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO) {
      std::memcpy(&number, CMSG_DATA(c), sizeof number);
      if (number > 0) segment = static_cast<std::size_t>(number);
    } else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
      timespec stamp{};
      std::memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
      seen.arrived_ns = arrived_ns(stamp);
    } else if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS) {  // one byte
      seen.marked = ecn_marked(*CMSG_DATA(c));
    } else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_TCLASS) {
      std::memcpy(&number, CMSG_DATA(c), sizeof number);
      seen.marked = ecn_marked(static_cast<unsigned>(number));
    }
  }
  return {
      .bytes = {buffer_.data(), static_cast<std::size_t>(got)}, .segment = segment, .seen = seen};
}

PeerAddress Udp::origin(const sockaddr_storage& from, Bytes datagram) {
  // The source port is the port of the peer's path 0 plus the path, which is byte 28 of the packet
  // (protocol/wire.hpp).
  const unsigned path =
      datagram.size() >= kHeaderBytes ? std::to_integer<unsigned>(datagram[28]) : 0;
  return pack(from, path);
}

Bytes Udp::open_handed_over(PeerAddress& from, protocol::MutableBytes datagram) {
  const Bytes packet = unsealed(datagram);
  sockaddr_storage socket{};
  unpack(from, socket, 0);
  if (!packet.empty()) from = origin(socket, packet);
  return packet;
}

bool Udp::Run::takes(const PeerAddress& other, protocol::PeerLayout layout, std::uint8_t by,
                     std::size_t more) const {
  // Where the system hands a call's packets over in one piece, all of them come to the worker for
  // which the first one is.
  return items.size() < kSegmentsMax && bytes + more <= kDatagramBytesMax &&
         more <= items.front().bytes() && items.back().bytes() == items.front().bytes() &&
         by == path && layout == peer && other == to;
}

void Udp::send_items(const PeerAddress& to, protocol::PeerLayout peer, std::uint8_t path,
                     const Item* items, unsigned count) {
  const std::size_t own = path % sockets_.size();
  Run& run = runs_[own];
  bool holds = holds_ && gso_;
  for (unsigned i = 0; i < count; ++i) {
    if (!run.items.empty() && !(gso_ && run.takes(to, peer, path, items[i].bytes()))) send_run(own);
    if (run.items.empty()) {
      run.to = to;
      run.peer = peer;
      run.path = path;
    }
    run.bytes += items[i].bytes();
    run.items.push_back(items[i]);
    holds = holds && run.keep_last();
  }
  if (!holds) send_run(own);
}

bool Udp::Run::keep_last() {
  Item& item = items.back();
  const auto copy = [&](const std::byte* from, std::size_t n) {
    const std::size_t at = copies.size();
    copies.insert(copies.end(), from, from + n);
    return copies.data() + at;
  };
  if (!item.stays && item.bytes() > kCopiedBytesMax) return false;
  item.header = copy(item.header, item.header_bytes);
  if (!item.stays) item.data = copy(item.data, item.length);
  return true;
}

void Udp::hold(bool on) {
  if (std::exchange(holds_, on) && !on)
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (!runs_[i].items.empty()) send_run(i);
}

void Udp::send_run(std::size_t path) {
  Run& run = runs_[path];
  sockaddr_storage s;
  const socklen_t size = unpack(run.to, s, run.path % std::max(1u, run.peer.paths));
  const std::size_t n = run.items.size();
  if (!send_packets(sockets_[path], s, size, run.items.data(), n))
    for (const Item& item : run.items) send_packets(sockets_[path], s, size, &item, 1);
  run.items.clear();
  run.copies.clear();
  run.bytes = 0;
}

bool Udp::send_packets(int socket, const sockaddr_storage& to, socklen_t size, const Item* items,
                       std::size_t count) {
  std::array<iovec, std::size_t{2} * kSegmentsMax> iov;
  for (std::size_t i = 0; i < count; ++i) {
    iov[2 * i] = {const_cast<std::byte*>(items[i].header), items[i].header_bytes};
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
    const auto segment = static_cast<std::uint16_t>(items[0].bytes());
    std::memcpy(CMSG_DATA(c), &segment, sizeof segment);
  }
  ++counters_.sent_calls;
  if (sendmsg(socket, &message, MSG_NOSIGNAL) >= 0) {
    counters_.sent_packets += count;
    return true;
  }
  // The device lacks offloads that segmentation needs, or the packets exceed its MTU. From now on
  // each packet is sent by a call of its own.
  if (count > 1 && (errno == EINVAL || errno == EIO || errno == EMSGSIZE || errno == EOPNOTSUPP)) {
    gso_ = false;
    return false;
  }
  counters_.unsent += count;
  return true;
}

}  // namespace selvedge::transport
