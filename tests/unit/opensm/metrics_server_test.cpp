// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/metrics_server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <rapidcheck/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <list>

#include "base/error.hpp"

namespace selvedge {
namespace {

const std::string kPage = "# HELP a b\na 1\n";

/// A client of a Unix socket or of a port of 127.0.0.1.
class Reader {
 public:
  explicit Reader(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    begin(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  explicit Reader(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    begin(reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { close(fd_); }

  bool connected() const { return connected_; }
  void say(const std::string& text) const { send(fd_, text.data(), text.size(), MSG_NOSIGNAL); }
  std::string hear() const {
    std::string all;
    char buffer[4096];
    for (ssize_t n = 0; (n = recv(fd_, buffer, sizeof buffer, 0)) > 0;)
      all.append(buffer, static_cast<std::size_t>(n));
    return all;
  }
  std::string get() const {
    say("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
    return hear();
  }

 private:
  void begin(const sockaddr* address, socklen_t size) {
    fd_ = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    connected_ = connect(fd_, address, size) == 0;
  }
  int fd_ = -1;
  bool connected_ = false;
};

/// A port that nobody listens on.
std::uint16_t free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  bind(fd, reinterpret_cast<const sockaddr*>(&address), size);
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  close(fd);
  return ntohs(address.sin_port);
}

class MetricsServerTest : public testing::Test {
 protected:
  MetricsServerTest() {
    folder_ = (std::filesystem::temp_directory_path() / "selvedge-metrics-XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = folder_ + "/m.sock";
  }
  ~MetricsServerTest() override { std::filesystem::remove_all(folder_); }
  std::string folder_, path_;
};

const std::string kAnswer =
    "HTTP/1.0 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: 15\r\n\r\n" +
    kPage;

TEST_F(MetricsServerTest, AnswersOnAUnixSocketAndOnAPort) {
  const std::uint16_t port = free_port();
  MetricsServer by_path, by_port;
  by_path.start("unix:" + path_, [] { return kPage; });
  by_port.start("127.0.0.1:" + std::to_string(port), [] { return kPage; });
  EXPECT_EQ(Reader(path_).get(), kAnswer);
  EXPECT_EQ(Reader(port).get(), kAnswer);
  by_path.stop();
  EXPECT_FALSE(std::filesystem::exists(path_));
  by_port.stop();
  EXPECT_FALSE(Reader(port).connected());
}

TEST_F(MetricsServerTest, ATakenAddressIsAnError) {
  MetricsServer first, second;
  const std::string listen = "127.0.0.1:" + std::to_string(free_port());
  first.start(listen, [] { return kPage; });
  EXPECT_THROW(second.start(listen, [] { return kPage; }), EnvironmentError);
  EXPECT_FALSE(second.running());
  EXPECT_THROW(second.start("unix:" + folder_ + "/none/m", [] { return kPage; }), EnvironmentError);
}

/// Clients that say nothing, too much or the end of a request later delay nobody.
TEST_F(MetricsServerTest, HostileClientsDelayNoOther) {
  MetricsServer server;
  const std::uint16_t port = free_port();
  server.start("127.0.0.1:" + std::to_string(port), [] { return kPage; });
  std::list<Reader> hostile;
  for (std::size_t i = 0; i < 2 * RequestServer::kMaxClients; ++i) {
    hostile.emplace_back(port).say(i % 3 == 0 ? "" : i % 3 == 1 ? "GET" : std::string(5000, '\n'));
    if (i % 50 == 0) {
      EXPECT_EQ(Reader(port).get(), kAnswer);
    }
  }
  const Reader slow(port);
  slow.say("GET / HTTP/1.0\n");
  EXPECT_EQ(Reader(port).get(), kAnswer);
  slow.say("\n");
  EXPECT_EQ(slow.hear(), kAnswer);
}

TEST(ListenAddress, IsAPathOrALoopbackAddress) {
  EXPECT_EQ(parse_listen_address("unix:/run/a.sock", "w"), (ListenAddress{"/run/a.sock", "", 0}));
  EXPECT_EQ(parse_listen_address("127.0.0.1:9183", "w"), (ListenAddress{"", "127.0.0.1", 9183}));
  EXPECT_EQ(parse_listen_address("127.9.0.1:1", "w"), (ListenAddress{"", "127.9.0.1", 1}));
  EXPECT_EQ(parse_listen_address("[::1]:65535", "w"), (ListenAddress{"", "::1", 65535}));
  for (const char* bad :
       {"", "9183", ":9183", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536",
        "127.0.0.1:9183x", "0.0.0.0:9183", "10.0.0.1:9183", "[::]:9183", "[fe80::1]:9183",
        "::1:9183", "[::1:9183", "localhost:9183", "unix:", "unix:run/a", "unix:relative"})
    EXPECT_THROW(parse_listen_address(bad, "w"), InputError) << bad;
  EXPECT_THROW(parse_listen_address("unix:/" + std::string(107, 'a'), "w"), InputError);
}

/// Any text is an address or an InputError, and an address reads back as itself.
RC_GTEST_PROP(ListenAddress, OfAnyText, ()) {
  const auto text = *rc::gen::oneOf(
      rc::gen::arbitrary<std::string>(),
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("unix:/[]127.0:9"))));
  try {
    const ListenAddress a = parse_listen_address(text, "w");
    RC_ASSERT(a.path.empty() != a.host.empty());
    const std::string again = !a.path.empty() ? "unix:" + a.path
                              : a.host.find(':') != std::string::npos
                                  ? "[" + a.host + "]:" + std::to_string(a.port)
                                  : a.host + ":" + std::to_string(a.port);
    RC_ASSERT(parse_listen_address(again, "w") == a);
  } catch (const InputError& e) {
    RC_ASSERT(e.where() == "w");
  }
}

}  // namespace
}  // namespace selvedge
