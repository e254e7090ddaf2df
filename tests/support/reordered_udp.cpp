// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reorders the UDP datagrams of a program that is not ours, where no netem is: it is loaded before
// the program, and holds back a tenth of the datagrams at random, each until 1 to 32 later ones
// were sent, or for a millisecond if none follow. That is what `[impair] reorder = 0.1,
// reorder_depth = 32` does in selvedged (daemon/transport/impair.hpp). Other sockets are left
// alone.
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
constexpr unsigned kOneIn = 10, kDepth = 32;
constexpr std::chrono::microseconds kLongest{1'000}, kCheck{200};

using SendTo = ssize_t (*)(int, const void*, size_t, int, const sockaddr*, socklen_t);
using SendMsg = ssize_t (*)(int, const msghdr*, int);

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

SendTo real_sendto() {
  static const auto f = next<SendTo>("sendto");
  return f;
}

SendMsg real_sendmsg() {
  static const auto f = next<SendMsg>("sendmsg");
  return f;
}

struct Held {
  int socket = -1;
  std::vector<char> bytes = {};
  sockaddr_storage to = {};
  socklen_t to_length = 0;
  unsigned long due_count = 0;
  Clock::time_point since;
};

/// It is never destroyed, because its thread runs until the program ends.
class Holder {
 public:
  static Holder& get() {
    static auto* const one = new Holder;
    return *one;
  }

  /// Whether the datagram is held back. Then it counts as sent.
  bool hold(int socket, const msghdr& message) {
    const std::scoped_lock lock(mutex_);
    ++count_;
    if (random_() % kOneIn != 0) return false;
    Held held{
        .socket = socket, .due_count = count_ + 1 + random_() % kDepth, .since = Clock::now()};
    for (size_t i = 0; i < message.msg_iovlen; ++i) {
      const auto* bytes = static_cast<const char*>(message.msg_iov[i].iov_base);
      held.bytes.insert(held.bytes.end(), bytes, bytes + message.msg_iov[i].iov_len);
    }
    if (message.msg_name != nullptr) {
      held.to_length = message.msg_namelen;
      std::memcpy(&held.to, message.msg_name, held.to_length);
    }
    held_.push_back(std::move(held));
    if (!started_) std::thread([this] { watch(); }).detach();
    started_ = true;
    return true;
  }

  /// Sends those whose time has come.
  void release() {
    const std::scoped_lock lock(mutex_);
    if (held_.empty()) return;
    const auto now = Clock::now();
    std::erase_if(held_, [&](const Held& h) {
      if (h.due_count > count_ && now - h.since < kLongest) return false;
      // A full queue drops it, as a network does.
      real_sendto()(h.socket, h.bytes.data(), h.bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                    h.to_length == 0 ? nullptr : reinterpret_cast<const sockaddr*>(&h.to),
                    h.to_length);
      return true;
    });
  }

 private:
  [[noreturn]] void watch() {
    for (;;) {
      std::this_thread::sleep_for(kCheck);
      release();
    }
  }

  std::mutex mutex_;
  std::minstd_rand random_{static_cast<unsigned>(getpid())};
  unsigned long count_ = 0;
  std::vector<Held> held_;
  bool started_ = false;
};

bool is_udp(int socket) {
  const int before = errno;
  int type = 0, domain = 0;
  socklen_t length = sizeof type;
  const bool udp =
      getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_DGRAM &&
      getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &(length = sizeof domain)) == 0 &&
      (domain == AF_INET || domain == AF_INET6);
  errno = before;
  return udp;
}

ssize_t send_reordered(int socket, const msghdr* message, int flags) {
  if (Holder::get().hold(socket, *message)) {
    ssize_t bytes = 0;
    for (size_t i = 0; i < message->msg_iovlen; ++i)
      bytes += static_cast<ssize_t>(message->msg_iov[i].iov_len);
    return bytes;
  }
  const ssize_t sent = real_sendmsg()(socket, message, flags);
  const int error = errno;
  Holder::get().release();
  errno = error;
  return sent;
}

}  // namespace

extern "C" {
[[gnu::visibility("default")]] ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  return is_udp(socket) ? send_reordered(socket, message, flags)
                        : real_sendmsg()(socket, message, flags);
}

[[gnu::visibility("default")]] ssize_t sendto(int socket, const void* bytes, size_t length,
                                              int flags, const sockaddr* to, socklen_t to_length) {
  if (!is_udp(socket)) return real_sendto()(socket, bytes, length, flags, to, to_length);
  iovec part{const_cast<void*>(bytes), length};
  msghdr message{};
  message.msg_name = const_cast<sockaddr*>(to);
  message.msg_namelen = to_length;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  return send_reordered(socket, &message, flags);
}

[[gnu::visibility("default")]] ssize_t send(int socket, const void* bytes, size_t length,
                                            int flags) {
  return sendto(socket, bytes, length, flags, nullptr, 0);
}

[[gnu::visibility("default")]] int sendmmsg(int socket, mmsghdr* messages, unsigned count,
                                            int flags) {
  unsigned sent = 0;
  for (; sent < count; ++sent) {
    const ssize_t n = sendmsg(socket, &messages[sent].msg_hdr, flags);
    if (n < 0) return sent == 0 ? -1 : static_cast<int>(sent);
    messages[sent].msg_len = static_cast<unsigned>(n);
  }
  return static_cast<int>(sent);
}
}
