// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/smp_agent.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "plugin/opensm/agent_socket.hpp"
#include "tests/unit/opensm/smp_subnet.hpp"

namespace selvedge {
namespace {

using test::SmpSubnet;
using Clock = std::chrono::steady_clock;

std::vector<SmpRequest> numbered(std::uint32_t count) {
  std::vector<SmpRequest> requests(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    requests[i].attribute = SmpAttribute::kLft;
    requests[i].modifier = 1000 + i;
    requests[i].path.hops = 1;
  }
  return requests;
}
std::uint32_t number_of(const SmpAnswer& answer) {
  std::uint32_t number = 0;
  std::memcpy(&number, answer.data.data(), sizeof number);
  return number;
}

TEST(SmpAgent, AnswersAreInTheOrderOfTheRequests) {
  const SmpSubnet subnet(nlohmann::json::object());
  SmpAgent agent;
  ASSERT_EQ(agent.start(SmpSubnet::program(), 0x17), std::nullopt);
  const auto answers =
      agent.run(numbered(200), {.outstanding_max = 7, .timeout_ms = 2000, .tries = 1});
  ASSERT_EQ(answers.size(), 200u);
  for (std::uint32_t i = 0; i < 200; ++i) {
    EXPECT_EQ(answers[i].status, 0u);
    EXPECT_EQ(number_of(answers[i]), 1000 + i);
  }
}

TEST(SmpAgent, UnansweredRequestsAreRetried) {
  const SmpSubnet subnet(nlohmann::json{{"loses", 3}});
  SmpAgent agent;
  ASSERT_EQ(agent.start(SmpSubnet::program(), 0x17), std::nullopt);
  const auto answers =
      agent.run(numbered(20), {.outstanding_max = 16, .timeout_ms = 100, .tries = 8});
  for (std::uint32_t i = 0; i < 20; ++i) {
    EXPECT_EQ(answers[i].status, 0u) << i;
    EXPECT_EQ(number_of(answers[i]), 1000 + i);
  }
}

TEST(SmpAgent, TheStopConditionEndsTheWait) {
  const SmpSubnet subnet(nlohmann::json::object());
  SmpAgent agent;
  ASSERT_EQ(agent.start(SmpSubnet::program(), 0x17), std::nullopt);
  unsigned heard = 0;
  const auto answers =
      agent.run(numbered(50), {.outstanding_max = 4, .timeout_ms = 2000, .tries = 1},
                [&](std::size_t, const SmpAnswer&) { return ++heard == 5; });
  EXPECT_EQ(std::ranges::count(answers, 0u, &SmpAnswer::status), 5);
  // Late answers of that run are not taken for answers of the next.
  const auto next = agent.run(numbered(9), {.outstanding_max = 4, .timeout_ms = 2000, .tries = 1});
  for (std::uint32_t i = 0; i < 9; ++i) EXPECT_EQ(number_of(next[i]), 1000 + i);
}

TEST(SmpAgent, ADeadAgentIsDetected) {
  const SmpSubnet subnet(nlohmann::json{{"dies_after", 10}});
  SmpAgent agent;
  ASSERT_EQ(agent.start(SmpSubnet::program(), 0x17), std::nullopt);
  const auto answers =
      agent.run(numbered(30), {.outstanding_max = 4, .timeout_ms = 5000, .tries = 3});
  EXPECT_FALSE(agent.running());
  // The agent's last answers may be lost when it dies.
  const auto good = std::ranges::count(answers, 0u, &SmpAnswer::status);
  EXPECT_GE(good, 6);
  EXPECT_LE(good, 10);
  EXPECT_EQ(std::ranges::count(answers, kSmpNoAnswer, &SmpAnswer::status), 30 - good);
}

TEST(SmpAgent, AnAgentThatEndsBetweenBatchesIsNoticed) {
  const SmpSubnet subnet(nlohmann::json{{"dies_after", 10}});
  SmpAgent agent;
  ASSERT_EQ(agent.start(SmpSubnet::program(), 0x17), std::nullopt);
  agent.run(numbered(3), {.outstanding_max = 4, .timeout_ms = 5000, .tries = 1});
  agent.look();
  ASSERT_TRUE(agent.running());
  ASSERT_EQ(kill(agent.pid(), SIGKILL), 0);
  for (int i = 0; i < 1000 && agent.running(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    agent.look();
  }
  EXPECT_FALSE(agent.running());
  EXPECT_EQ(agent.pid(), -1) << "it is waited for";
}

TEST(SmpAgent, AnAgentOfAnotherProtocolIsRefused) {
  for (const unsigned other : {kSmpAgentProtocol - 1, kSmpAgentProtocol + 1}) {
    const SmpSubnet subnet(nlohmann::json{{"protocol", other}});
    SmpAgent agent;
    EXPECT_EQ(agent.start(SmpSubnet::program(), 0x17),
              SmpSubnet::program() +
                  " is of another version than the plugin that opensm has loaded: restart opensm");
    EXPECT_FALSE(agent.running());
  }
}

TEST(SmpAgent, AnUnresponsiveAgentIsStopped) {
  const SmpSubnet subnet(nlohmann::json{{"mute", true}});
  SmpAgent agent;
  ASSERT_EQ(agent.start(SmpSubnet::program(), 0x17), std::nullopt);
  agent.run(numbered(3), {.outstanding_max = 4, .timeout_ms = 20, .tries = 2});
  EXPECT_FALSE(agent.running());
}

TEST(SmpAgent, AbortEndsTheCurrentAndLaterBatches) {
  const auto notes = std::filesystem::temp_directory_path() /
                     fmt::format("selvedge-smp-agent-test-{}.notes", getpid());
  const SmpSubnet subnet(nlohmann::json{{"mute", true}, {"notes", notes.string()}});
  SmpAgent agent;
  ASSERT_EQ(agent.start(SmpSubnet::program(), 0x17), std::nullopt);
  const auto begin = Clock::now();
  std::thread other([&] {  // aborts once a request has reached the agent, so during a run
    while (!std::filesystem::exists(notes) && Clock::now() < begin + std::chrono::seconds(10))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(std::filesystem::remove(notes));
    agent.set_abort(true);
  });
  agent.run(numbered(3), {.outstanding_max = 4, .timeout_ms = 60'000, .tries = 2});
  other.join();
  agent.run(numbered(3), {.outstanding_max = 4, .timeout_ms = 60'000, .tries = 2});
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
  EXPECT_TRUE(agent.running()) << "nothing is wrong with it";
}

TEST(SmpAgent, AMissingProgramIsReportedByName) {
  SmpAgent agent;
  const auto why = agent.start("/nonexistent/agent", 0x17);
  ASSERT_TRUE(why.has_value());
  EXPECT_NE(why->find("/nonexistent/agent"), std::string::npos);
  EXPECT_FALSE(agent.running());
}

}  // namespace
}  // namespace selvedge
