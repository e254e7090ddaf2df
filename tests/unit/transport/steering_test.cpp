// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests which worker's socket the kernel gives a datagram to, on the loopback device.
#include "daemon/transport/steering.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include "base/error.hpp"
#include "daemon/transport/udp.hpp"

namespace selvedge::transport {
namespace {

using namespace protocol;

std::vector<std::unique_ptr<Udp>> team(unsigned workers, std::string* listen) {
  for (int tries = 0; tries < 50; ++tries) {
    *listen = "127.0.0.1:" + std::to_string(20'000 + (getpid() * 41 + tries * 103) % 20'000);
    std::vector<std::unique_ptr<Udp>> all;
    try {
      for (unsigned w = 0; w < workers; ++w)
        all.push_back(std::make_unique<Udp>(
            UdpConfig{.listen = *listen, .paths = 1, .shard = {.worker = w, .workers = workers}}));
      return all;
    } catch (const EnvironmentError&) {
    }
  }
  return {};
}

/// The rule, slowly.
unsigned expected(const std::vector<std::byte>& d, unsigned workers) {
  if (d.size() < 2 || d[0] != std::byte{'S'}) return 0;
  const std::size_t at = d[1] == std::byte{'V'} ? 7 : d[1] == std::byte{'X'} ? 4 : d.size();
  if (at >= d.size()) return 0;
  unsigned power = 1;
  while (power < workers) power *= 2;
  const unsigned worker = std::to_integer<unsigned>(d[at]) % power;
  return worker < workers ? worker : 0;
}

RC_GTEST_PROP(Steering, TheKernelKeepsToTheRule, ()) {
  const unsigned workers = *rc::gen::element(2u, 3u, 4u, 16u);
  std::string listen;
  const auto all = team(workers, &listen);
  RC_ASSERT(all.size() == workers);
  const int sender = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_storage to{};
  const socklen_t size = unpack(parse_address(listen, "test"), to, 0);
  for (int n = 0; n < 20; ++n) {
    auto datagram = *rc::gen::container<std::vector<std::byte>>(
        *rc::gen::inRange<std::size_t>(0, 60),
        rc::gen::map(rc::gen::inRange(0, 256), [](int b) { return static_cast<std::byte>(b); }));
    if (datagram.size() >= 2 && n % 4 != 3) {
      datagram[0] = std::byte{'S'};
      datagram[1] = n % 2 == 0 ? std::byte{'V'} : std::byte{'X'};
    }
    RC_ASSERT(sendto(sender, datagram.data(), datagram.size(), 0,
                     reinterpret_cast<const sockaddr*>(&to), size) >= 0);
    for (unsigned w = 0; w < workers; ++w) {
      const int fd = all[w]->descriptors().front();
      std::byte bytes[100];
      const ssize_t got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
      if (w == expected(datagram, workers))
        RC_ASSERT(got == static_cast<ssize_t>(datagram.size()));
      else
        RC_ASSERT(got < 0);
    }
  }
  close(sender);
}

TEST(Steering, AnotherDaemonDoesNotJoinTheGroup) {
  std::string listen;
  const auto all = team(2, &listen);
  ASSERT_EQ(all.size(), 2u);
  UdpConfig again{.listen = listen, .paths = 1, .shard = {.worker = 0, .workers = 2}};
  EXPECT_THROW(Udp{again}, EnvironmentError);
  again.shard = {};
  EXPECT_THROW(Udp{again}, EnvironmentError);
}

}  // namespace
}  // namespace selvedge::transport
