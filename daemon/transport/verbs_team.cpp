// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/verbs_team.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "daemon/transport/address.hpp"

namespace selvedge::transport {

using protocol::Bytes;
using protocol::PeerAddress;

VerbsTeam::VerbsTeam(const std::string& listen, const protocol::SipKey& secret, unsigned workers)
    : secret_(secret), address_(parse_address(listen, "verbs.listen")), queues_(workers) {
  sockaddr_storage s{};
  const socklen_t size = unpack(address_, s, 0);
  socket_ = ::socket(s.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0 || bind(socket_, reinterpret_cast<sockaddr*>(&s), size) != 0) {
    const int error = errno;
    close_all();
    throw EnvironmentError(fmt::format("cannot bind: {}", std::strerror(error)),
                           to_string(address_),
                           "choose a free address of this machine for verbs.listen");
  }
  for (unsigned w = 1; w < workers; ++w) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      const int error = errno;
      close_all();
      throw EnvironmentError(fmt::format("cannot make sockets: {}", std::strerror(error)),
                             "[daemon] workers", "permit more open files (ulimit -n)");
    }
    inboxes_.push_back({ends[0], ends[1]});
  }
}

VerbsTeam::~VerbsTeam() { close_all(); }

void VerbsTeam::close_all() {
  for (const Inbox& i : inboxes_) {
    close(i.read);
    close(i.write);
  }
  if (socket_ >= 0) close(socket_);
}

void VerbsTeam::set_queues(unsigned worker, std::vector<std::uint32_t> numbers) {
  queues_[worker] = std::move(numbers);
  told_.fetch_add(1, std::memory_order_release);
}

void VerbsTeam::publish(VerbsAddress address) {
  const std::scoped_lock lock(mutex_);
  published_ = std::move(address);
  changes_.fetch_add(1, std::memory_order_release);
}

VerbsAddress VerbsTeam::published() const {
  const std::scoped_lock lock(mutex_);
  return published_;
}

void VerbsTeam::pass_on(const PeerAddress& from, Bytes announcement) const {
  std::array<iovec, 2> parts = {
      iovec{const_cast<std::byte*>(from.bytes.data()), from.bytes.size()},
      iovec{const_cast<std::byte*>(announcement.data()), announcement.size()}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  for (const Inbox& i : inboxes_) sendmsg(i.write, &message, MSG_NOSIGNAL);
}

bool VerbsTeam::next_passed_on(unsigned worker, PeerAddress& from, std::byte* bytes,
                               std::size_t* size) const {
  std::array<iovec, 2> parts = {iovec{from.bytes.data(), from.bytes.size()},
                                iovec{bytes, kAnnouncementBytesMax}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  const ssize_t got = recvmsg(inbox(worker), &message, 0);
  if (got < static_cast<ssize_t>(from.bytes.size())) return false;
  *size = static_cast<std::size_t>(got) - from.bytes.size();
  return true;
}

}  // namespace selvedge::transport
