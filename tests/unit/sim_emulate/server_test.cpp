// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulator's server over real sockets: a client that behaves as libumad2sim, the console, and
// datagrams that do not belong to the protocol.
#include "sim/emulate/server.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "sim/emulate/console_client.hpp"
#include "tests/unit/sim_emulate/fake_subnet.hpp"

namespace selvedge::sim {
namespace {

constexpr int kPatienceMs = 10'000;

/// Binds NAME:ctl<id> and NAME:in<id>, as libumad2sim does.
struct Client {
  Client(const std::string& server, unsigned pid)
      : name(server),
        id(pid),
        control(bound_socket(SOCK_DGRAM, fmt::format("{}:ctl{}", server, pid))),
        mads(bound_socket(SOCK_DGRAM, fmt::format("{}:in{}", server, pid))) {}

  template <class T>
  bool receive(const Descriptor& from, T& value) {
    pollfd p{from.get(), POLLIN, 0};
    return ::poll(&p, 1, kPatienceMs) == 1 &&
           ::recv(from.get(), &value, sizeof value, 0) == static_cast<ssize_t>(sizeof value);
  }
  void send_control(const void* data, std::size_t size) {
    const AbstractAddress to(name + ":ctl");
    ::sendto(control.get(), data, size, 0, to.get(), to.size);
  }
  ControlMessage ask(ControlMessage m) {
    send_control(&m, sizeof m);
    ControlMessage answer;
    EXPECT_TRUE(receive(control, answer));
    return answer;
  }
  ControlMessage connect(const std::string& host) { return connect(host, id); }
  ControlMessage connect(const std::string& host, unsigned as) {
    ControlMessage m;
    m.type = ControlType::kConnect;
    ClientInfo info;
    info.id = as;
    std::copy(host.begin(), host.end(), info.node.begin());
    write_data(m, info);
    const ControlMessage answer = ask(m);
    const auto got = read_data<ClientInfo>(answer);
    number = got.id;
    const AbstractAddress out(fmt::format("{}:out{}", name, number));
    if (answer.type == ControlType::kConnect) ::connect(mads.get(), out.get(), out.size);
    return answer;
  }

  const std::string name;
  const unsigned id;
  unsigned number = 0;
  Descriptor control, mads;
};

struct Serving : ::testing::Test {
  Serving() {
    console.add_wait("rain", [] {}, [this] { return is_there.load(); });
    console.add_wait("subnet-up", [] {}, [] { return false; });
    thread = std::thread([this] { server.serve(core, console, clock); });
  }
  ~Serving() override {
    command("quit");
    thread.join();
  }
  std::string command(const std::string& line) {
    const Descriptor fd(::socket(AF_UNIX, SOCK_STREAM, 0));
    const AbstractAddress to(name + ":console");
    if (::connect(fd.get(), to.get(), to.size) != 0) return "no console";
    const std::string text = line + "\n";
    ::send(fd.get(), text.data(), text.size(), MSG_NOSIGNAL);
    std::string reply;
    char buffer[4096];
    while (reply.find("ok\n") == std::string::npos && reply.find("error: ") == std::string::npos) {
      const ssize_t n = ::recv(fd.get(), buffer, sizeof buffer, 0);
      if (n <= 0) break;
      reply.append(buffer, static_cast<std::size_t>(n));
    }
    return reply;
  }

  const std::string name = fmt::format("selvedge-unit-{}", ::getpid());
  EmulatedSubnet subnet{torus({3, 3}), false};
  HopByHop transport{subnet, 1};
  Server server{name};
  Core core{subnet, transport, transport, server, {}, 1};
  Console console{core};
  FreeRunningClock clock;
  std::atomic<bool> is_there = true;
  std::thread thread;
};

TEST_F(Serving, AClientIsServed) {
  Client client(name, 1);
  const ControlMessage connected = client.connect("H-1-1");
  EXPECT_EQ(connected.type, ControlType::kConnect);
  const auto info = read_data<ClientInfo>(connected);
  EXPECT_EQ(node_of(info), "H-1-1");
  for (unsigned i = 0; i < 100; ++i) {
    const MadDatagram asked =
        make_datagram(make_directed(mad_method::kGet, smp_attribute::kNodeInfo, 0, i, {1, 2}));
    ASSERT_EQ(::send(client.mads.get(), &asked, sizeof asked, 0),
              static_cast<ssize_t>(sizeof asked));
    MadDatagram answer;
    ASSERT_TRUE(client.receive(client.mads, answer));
    EXPECT_EQ(answer.status, 0U);
    EXPECT_EQ(answer.mad.data()[2], 2);
  }
  EXPECT_NE(command("report").find("at \"H-1-1\" port 1\n"), std::string::npos);
}

TEST_F(Serving, WhatAClientDoesNotReadWaits) {
  Client client(name, 2);
  client.connect("");
  for (unsigned i = 0; i < 200; ++i) {
    const MadDatagram asked =
        make_datagram(make_directed(mad_method::kGet, smp_attribute::kNodeInfo, 0, i, {1}));
    pollfd p{client.mads.get(), POLLOUT, 0};
    ASSERT_EQ(::poll(&p, 1, kPatienceMs), 1);
    ASSERT_GT(::send(client.mads.get(), &asked, sizeof asked, 0), 0);
  }
  for (unsigned i = 0; i < 200; ++i) {
    MadDatagram answer;
    ASSERT_TRUE(client.receive(client.mads, answer));
    EXPECT_EQ(answer.mad.transaction() & 0xffffffff, i);
  }
}

TEST_F(Serving, AnotherVersionIsToldAndRefused) {
  Client odd(name, 3);
  for (const std::size_t size : {std::size_t{0}, std::size_t{79}, std::size_t{300}}) {
    odd.send_control(std::string(size, 'x').data(), size);
    ControlMessage answer;
    ASSERT_TRUE(odd.receive(odd.control, answer));
    EXPECT_EQ(answer.type, ControlType::kError);
  }
  EXPECT_EQ(odd.connect("H-9-9").type, ControlType::kError);
  EXPECT_EQ(odd.connect("H-0-0").type, ControlType::kConnect);
}

TEST_F(Serving, NobodySpeaksForAnother) {
  Client first(name, 5), second(name, 6);
  first.connect("H-0-0");
  second.connect("H-1-1");
  for (const ControlType type : {ControlType::kDisconnect, ControlType::kSetIsSm}) {
    ControlMessage m;
    m.type = type;
    m.client = first.number;
    EXPECT_EQ(second.ask(m).type, ControlType::kError);
  }
  EXPECT_NE(command("report").find("clients 2\n"), std::string::npos);
  ControlMessage m;
  m.type = ControlType::kDisconnect;
  m.client = first.number;
  EXPECT_EQ(first.ask(m).type, ControlType::kDisconnect);
  EXPECT_NE(command("report").find("clients 1\n"), std::string::npos);
}

TEST_F(Serving, NobodyConnectsAsAnother) {
  std::optional<Client> first(std::in_place, name, 10);
  Client second(name, 11);
  ASSERT_EQ(first->connect("H-0-0").type, ControlType::kConnect);
  EXPECT_EQ(second.connect("H-1-1", 10).type, ControlType::kError);
  const std::string report = command("report");
  EXPECT_NE(report.find("pid 10 at \"H-0-0\""), std::string::npos) << report;
  EXPECT_NE(report.find("clients 1\n"), std::string::npos) << report;
  // A process that has this number later replaces it.
  first.reset();
  first.emplace(name, 10);
  EXPECT_EQ(first->connect("H-2-2").type, ControlType::kConnect);
  EXPECT_NE(command("report").find("pid 10 at \"H-2-2\""), std::string::npos);
}

TEST_F(Serving, WhatAClientNeverReadsIsCounted) {
  Client client(name, 12);
  client.connect("");
  EXPECT_NE(command("report").find("lost_unread 0\n"), std::string::npos);
  const MadDatagram asked =
      make_datagram(make_directed(mad_method::kGet, smp_attribute::kNodeInfo, 0, 1, {1}));
  for (unsigned i = 0; i < 20'000; ++i) {  // its queue holds 16,384
    pollfd p{client.mads.get(), POLLOUT, 0};
    ASSERT_EQ(::poll(&p, 1, kPatienceMs), 1);
    ASSERT_GT(::send(client.mads.get(), &asked, sizeof asked, 0), 0);
  }
  const auto lost = [&] {
    const std::string report = command("report");
    return std::stoul(report.substr(report.find("lost_unread ") + 12));
  };
  for (int i = 0; i < 100 && lost() < 3'000; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_GT(lost(), 3'000U);  // the socket holds some hundred
  EXPECT_LT(lost(), 20'000U - 16'384U);
}

TEST_F(Serving, ALongCommandIsRefusedAndTheNextOneServed) {
  const std::string line(100'000, 'x');
  ConsoleClient client(name);
  try {
    client.ask(line);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(),
              "a command is too long: '" + std::string(60, 'x') + "…': write at most 4096 bytes");
  }
  EXPECT_NE(client.ask("report").find("clients 0\n"), std::string::npos);
  EXPECT_EQ(client.ask("#" + std::string(4095, 'x')), "");
}

TEST_F(Serving, ACommandIsOneLine) {
  ConsoleClient client(name);
  EXPECT_THROW(client.ask("cut S-0-0:2\ncut S-1-1:2"), InputError);
  EXPECT_EQ(client.ask("Dump \"S-0-0\"").find(" cut"), std::string::npos);  // neither happened
}

/// There is no manager: the time is up.
TEST_F(Serving, AWaitEnds) {
  ConsoleClient client(name);
  try {
    client.ask("wait subnet-up 0");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "it is not there after 0 s: 'wait subnet-up 0': start a subnet manager, or wait "
                 "longer, as wait subnet-up 600");
  }
}

TEST_F(Serving, AWaitIsAnsweredWhenItIsTrueAndLaterLinesAfterIt) {
  is_there = false;
  const Descriptor fd(::socket(AF_UNIX, SOCK_STREAM, 0));
  const AbstractAddress to(name + ":console");
  ASSERT_EQ(::connect(fd.get(), to.get(), to.size), 0);
  const std::string lines = "wait rain\ncut S-0-0:2\n";
  ::send(fd.get(), lines.data(), lines.size(), MSG_NOSIGNAL);
  char buffer[64];
  pollfd p{fd.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&p, 1, 200), 0);
  EXPECT_EQ(command("Dump \"S-0-0\"").find(" cut"), std::string::npos);  // others are served
  is_there = true;
  std::string reply;
  while (reply.size() < 6) {
    ASSERT_EQ(::poll(&p, 1, kPatienceMs), 1);
    const ssize_t n = ::recv(fd.get(), buffer, sizeof buffer, 0);
    ASSERT_GT(n, 0);
    reply.append(buffer, static_cast<std::size_t>(n));
  }
  EXPECT_EQ(reply, "ok\nok\n");
  EXPECT_NE(command("Dump \"S-0-0\"").find(" cut"), std::string::npos);
}

/// A client that sends wrong messages without end does not fill the disk.
TEST_F(Serving, WrongMessagesAreToldInFullOnlyAtFirst) {
  testing::internal::CaptureStderr();
  Client odd(name, 7);
  for (unsigned i = 0; i < 500; ++i) {
    odd.send_control("x", 1);
    ControlMessage answer;
    ASSERT_TRUE(odd.receive(odd.control, answer));
  }
  const std::string told = testing::internal::GetCapturedStderr();
  const auto lines = std::count(told.begin(), told.end(), '\n');
  EXPECT_GE(lines, 20);
  EXPECT_LE(lines, 40) << told;
}

TEST_F(Serving, AClientThatDiesIsNoticed) {
  {
    Client client(name, 4);
    client.connect("");
    EXPECT_NE(command("report").find("clients 1\n"), std::string::npos);
  }
  for (int i = 0; i < 100 && command("report").find("clients 0\n") == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_NE(command("report").find("clients 0\n"), std::string::npos);
}

/// A clock that stands still and depends on every client.
struct Waiting : EmulationClock {
  Nanoseconds now() override { return {}; }
  bool counts(pid_t) const override { return true; }
  std::chrono::microseconds step(Core&, std::optional<Nanoseconds>,
                                 const std::function<bool()>&) override {
    return std::chrono::milliseconds(10);
  }
};

TEST(Server, AManagerThatStopsReadingIsAnError) {
  const std::string name = fmt::format("selvedge-silent-{}", ::getpid());
  EmulatedSubnet subnet{torus({3, 3}), false};
  HopByHop transport{subnet, 1};
  Server server{name, std::chrono::milliseconds(1)};
  Core core{subnet, transport, transport, server, {}, 1};
  Console console{core};
  Waiting clock;
  std::string said;
  std::thread thread([&] {
    try {
      server.serve(core, console, clock);
    } catch (const EnvironmentError& error) {
      said = error.what();
    }
  });
  Client client(name, 9);
  EXPECT_EQ(client.connect("H-1-1").type, ControlType::kConnect);
  const MadDatagram asked =
      make_datagram(make_directed(mad_method::kGet, smp_attribute::kNodeInfo, 0, 1, {1}));
  EXPECT_GT(::send(client.mads.get(), &asked, sizeof asked, 0), 0);
  MadDatagram answer;
  ASSERT_TRUE(client.receive(client.mads, answer));
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));  // a client is probed once a second
  EXPECT_EQ(client.ask({.client = client.number, .type = ControlType::kGetPort}).type,
            ControlType::kGetPort);  // the client has read all its datagrams
  EXPECT_GT(::send(client.mads.get(), &asked, sizeof asked, 0), 0);
  thread.join();  // this answer is never read
  EXPECT_EQ(
      said,
      "a subnet manager has stopped answering: process 9 has read no MAD for 0 s: end it, and "
      "start both again");
}

TEST_F(Serving, ANameInUseIsAnError) { EXPECT_THROW(Server{name}, InputError); }

}  // namespace
}  // namespace selvedge::sim
