// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Answers to an application that does not read: they wait, in order, with their descriptors.
#include "daemon/service/outbox.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <optional>

namespace selvedge::service {
namespace {

struct Ends {
  Ends() {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fd) != 0)
      std::abort();
    const int little = 4096;  // the kernel keeps a few messages
    setsockopt(fd[0], SOL_SOCKET, SO_SNDBUF, &little, sizeof little);
  }
  ~Ends() {
    for (const int one : fd)
      if (one >= 0) close(one);
  }
  int fd[2] = {-1, -1};
};

struct Got {
  std::uint32_t id;
  std::optional<eventfd_t> value;  // of the eventfd that was passed
};

std::optional<Got> take(int socket) {
  ring::Message m;
  iovec iov{&m, sizeof m};
  msghdr message{};
  message.msg_iov = &iov;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(3 * sizeof(int))] = {};
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(socket, &message, MSG_DONTWAIT) != sizeof m) return std::nullopt;
  Got got{m.id, std::nullopt};
  if (const cmsghdr* c = CMSG_FIRSTHDR(&message)) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(c), sizeof fd);
    eventfd_t value = 0;
    eventfd_read(fd, &value);
    got.value = value;
    close(fd);
  }
  return got;
}

int descriptors() {
  int open = 0;
  for (int fd = 0; fd < 4096; ++fd) open += fcntl(fd, F_GETFD) >= 0;
  return open;
}

RC_GTEST_PROP(Outbox, KeepsOrderAndDescriptorsWhateverIsReadWhen, ()) {
  const int before = descriptors();
  {
    Ends ends;
    Outbox outbox;
    std::uint32_t sent = 0, taken = 0;
    const auto check = [&](const Got& got) {
      RC_ASSERT(got.id == taken);
      ++taken;
      RC_ASSERT(got.value.has_value() == (got.id % 3 == 0));
      if (got.value) RC_ASSERT(*got.value == got.id + 1u);
    };
    const int steps = *rc::gen::inRange(1, 60);
    for (int i = 0; i < steps; ++i) switch (*rc::gen::inRange(0, 3)) {
        case 0:
          for (int n = *rc::gen::inRange(1, 20); n > 0; --n) {
            ring::Message m;
            m.id = sent;
            if (sent % 3 == 0) {  // the sender closes its own descriptor at once
              const int fd = eventfd(sent + 1, EFD_NONBLOCK);
              RC_ASSERT(outbox.send(ends.fd[0], m, {&fd, 1}, 2000));
              close(fd);
            } else {
              RC_ASSERT(outbox.send(ends.fd[0], m, {}, 2000));
            }
            ++sent;
          }
          break;
        case 1:
          if (const auto got = take(ends.fd[1])) check(*got);
          break;
        default:
          outbox.flush(ends.fd[0]);
      }
    if (*rc::gen::arbitrary<bool>()) {
      while (taken < sent) {
        outbox.flush(ends.fd[0]);
        const auto got = take(ends.fd[1]);
        RC_ASSERT(got.has_value());
        check(*got);
      }
      RC_ASSERT(outbox.empty());
    }
  }
  RC_ASSERT(descriptors() == before);  // what waited is closed with its outbox
}

TEST(Outbox, NoMoreThanTheLimitWait) {
  Ends ends;
  Outbox outbox;
  unsigned sent = 0;
  while (outbox.send(ends.fd[0], {}, {}, 5)) ASSERT_LT(++sent, 1000u);
  EXPECT_EQ(outbox.size(), 5u);
}

TEST(Outbox, ABrokenSocketTakesNothing) {
  Ends ends;
  Outbox outbox;
  while (outbox.empty()) ASSERT_TRUE(outbox.send(ends.fd[0], {}, {}, 5));
  close(ends.fd[1]);
  ends.fd[1] = -1;
  outbox.flush(ends.fd[0]);
  EXPECT_TRUE(outbox.empty());
  EXPECT_FALSE(outbox.send(ends.fd[0], {}, {}, 5));
}

}  // namespace
}  // namespace selvedge::service
