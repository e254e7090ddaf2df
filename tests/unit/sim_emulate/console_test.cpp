// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulator's console commands and scripts, and the control messages of libumad2sim's protocol.
#include "sim/emulate/console.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/unit/sim_emulate/fake_subnet.hpp"

namespace selvedge::sim {
namespace {

struct Commands : ::testing::Test {
  FakeSubnet f;
  Console console{f.core};
  PortAt at(const char* node, PortNum port) { return {f.subnet.find_node(node), port}; }
  std::string run(std::string_view line) { return console.run(line).text; }
};

TEST_F(Commands, CutAndHeal) {
  EXPECT_EQ(run("cut S-0-0:2"), "ok\n");
  EXPECT_FALSE(f.subnet.up(at("S-0-0", 2)));
  EXPECT_FALSE(f.subnet.up(at("S-1-0", 1)));
  EXPECT_EQ(run("  heal  S-0-0/S-1-0 "), "ok\n");
  EXPECT_TRUE(f.subnet.up(at("S-1-0", 1)));
  EXPECT_EQ(run("Unlink \"S-1-1\""), "ok\n");
  for (PortNum p = 1; p <= 5; ++p) EXPECT_FALSE(f.subnet.up(at("S-1-1", p)));
  EXPECT_EQ(run("ReLink \"S-1-1\"[5]"), "ok\n");
  EXPECT_TRUE(f.subnet.up(at("H-1-1", 1)));
  EXPECT_FALSE(f.subnet.up(at("S-1-1", 4)));
}

TEST_F(Commands, MistakesAreOneLine) {
  EXPECT_EQ(run("cut S-9-9:1"),
            "error: no such link: 'S-9-9:1': write SWITCH:PORT, or SWITCH/SWITCH\n");
  EXPECT_EQ(run("cut S-0-0:9"),
            "error: there is no cable at this port: 'S-0-0:9': name a port with a cable\n");
  EXPECT_EQ(run("cuts S-0-0:2"), "error: no such command: 'cuts': did you mean cut?\n");
  EXPECT_EQ(run("kill H-0-0"), "error: no such switch: 'H-0-0': name one of the fabric\n");
  EXPECT_EQ(run("loss S-0-0:2 2"), "error: 2 is no share: '2': write a number from 0 to 1\n");
  EXPECT_EQ(run("drop sets 3"),
            "error: no such kind of MAD 'sets': 'sets': write get, set, trap, answer or any\n");
  EXPECT_EQ(run("Unlink S-0-0"),
            "error: there is no name in quotes: 'S-0-0': write \"S-0-0\" or \"S-0-0\"[2]\n");
  EXPECT_EQ(run("# a comment"), "ok\n");
  EXPECT_FALSE(console.ended());
  run("quit");
  EXPECT_TRUE(console.ended());
}

TEST_F(Commands, NothingMayFollowACommandThatTakesNothing) {
  for (const char* command : {"report", "help", "?", "quit", "Dump \"S-0-0\"",
                              "Unlink \"S-0-0\"[2]", "ReLink \"S-0-0\"", "Clear \"S-0-0\"[2]"})
    EXPECT_NE(run(fmt::format("{} now", command)).find("takes nothing more: 'now': leave it out\n"),
              std::string::npos)
        << command;
  EXPECT_EQ(run("Dump \"S-0-0\"[2]"), "error: Dump takes nothing more: '[2]': leave it out\n");
  EXPECT_FALSE(console.ended());
  EXPECT_TRUE(f.subnet.up(at("S-0-0", 2)));
}

TEST_F(Commands, UpperAndLowerCaseAreTheSame) {
  EXPECT_EQ(run("UNLINK \"S-0-0\"[2]"), "ok\n");
  EXPECT_FALSE(f.subnet.up(at("S-0-0", 2)));
  EXPECT_EQ(run("relink \"S-0-0\"[2]"), "ok\n");
  EXPECT_NE(run("Report").find("clients 0\n"), std::string::npos);
}

/// However long a word is, a reply repeats its beginning.
TEST_F(Commands, RepliesAreShort) {
  const std::string word(4000, 'x');
  for (const char* command : {"cut {}",
                              "cut S-0-0:{}",
                              "cut {}/{}",
                              "kill {}",
                              "{}",
                              "flap S-0-0:2 1 {}",
                              "flap {} 1 1",
                              "loss {} 0.5",
                              "loss S-0-0:2 {}",
                              "drop {} 1",
                              "drop get:{} 1",
                              "drop get@{} 1",
                              "drop get {}",
                              "report {}",
                              "traffic {} 1",
                              "wait {}",
                              "Unlink {}",
                              "Unlink \"{}\"",
                              "Unlink \"S-0-0\"[{}]",
                              "Error \"S-0-0\" {}",
                              "Error \"S-0-0\" 1 {}"}) {
    std::string line = command;
    const std::string used = line.find("}/{") == std::string::npos ? word : word.substr(2000);
    for (std::size_t i = line.find("{}"); i != std::string::npos; i = line.find("{}"))
      line.replace(i, 2, used);
    const std::string reply = run(line);
    EXPECT_TRUE(reply.starts_with("error: ")) << command << reply;
    EXPECT_LE(reply.size(), 250U) << command << reply;
  }
  EXPECT_EQ(run(std::string(4097, 'x')), "error: a command is too long: '" + std::string(60, 'x') +
                                             "…': write at most 4096 bytes\n");
}

TEST_F(Commands, Flap) {
  run("flap S-0-0:2 10 2");
  std::string seen;
  for (int ms = 0; ms < 50; ms += 5) {
    f.core.set_now(std::chrono::milliseconds(ms));
    console.on_time();
    seen += f.subnet.up(at("S-0-0", 2)) ? 'u' : 'd';
  }
  EXPECT_EQ(seen, "dduudduuuu");
  EXPECT_FALSE(console.deadline());
}

TEST_F(Commands, Scripts) {
  console.schedule_script("# at its time\n5 cut S-0-0:2\n\n2.5 kill S-1-1\n", "f");
  EXPECT_EQ(console.deadline(), std::chrono::microseconds(2500));
  f.core.set_now(std::chrono::microseconds(2499));
  console.on_time();
  EXPECT_TRUE(f.subnet.running(f.subnet.find_node("S-1-1")));
  f.core.set_now(std::chrono::milliseconds(4));
  console.on_time();
  EXPECT_FALSE(f.subnet.running(f.subnet.find_node("S-1-1")));
  EXPECT_TRUE(f.subnet.up(at("S-0-0", 2)));
  try {
    console.schedule_script("1 cut S-0-0:2\n2 cut S-7-7:1\n", "f.script");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where(), "f.script, line 2: 'S-7-7:1'");
  }
}

TEST_F(Commands, AScriptIsRefusedInOneShortLine) {
  const std::string word(100'000, 'x');
  for (const std::string& script : {word, "1 " + word, word + " help", "1 cut " + word}) {
    try {
      console.schedule_script("\n" + script + "\n", "f.script");
      FAIL();
    } catch (const InputError& error) {
      EXPECT_LE(std::string(error.what()).size(), 250U);
      EXPECT_TRUE(error.where().starts_with("f.script, line 2: ")) << error.where();
    }
  }
  EXPECT_THROW(console.schedule_script("1 wait paths 60\n", "f.script"), InputError);
}

TEST_F(Commands, WhatAScriptPrintsIsPassedOn) {
  std::vector<std::string> printed;
  console.on_printed([&](std::string_view text) { printed.emplace_back(text); });
  console.schedule_script("1 report\n2 cut S-0-0:2\n3 Dump \"H-0-0\"\n", "f.script");
  f.core.set_now(std::chrono::milliseconds(3));
  console.on_time();
  ASSERT_EQ(printed.size(), 2U);
  EXPECT_TRUE(printed[0].starts_with("clients 0\n"));
  EXPECT_TRUE(printed[1].starts_with("Ca 1 \"H-0-0\""));
}

TEST_F(Commands, SeveralTellTheReportTheirNumbers) {
  console.add_numbers([] { return Console::Numbers{{"first", 1}}; });
  console.add_numbers([] { return Console::Numbers{{"second", 2}}; });
  EXPECT_NE(run("report").find("first 1\nsecond 2\nok\n"), std::string::npos);
}

TEST_F(Commands, DropAndDouble) {
  const ClientId c = f.connect(1);
  const Mad m = make_directed(mad_method::kGet, smp_attribute::kNodeInfo, 0, 1, {1, 4});
  EXPECT_EQ(run("drop get:NodeInfo@S-0-1 1"), "ok\n");
  EXPECT_EQ(run("double answer:NodeInfo 2 1"), "ok\n");
  EXPECT_TRUE(f.ask(c, m).empty());
  f.pass(200);
  // One answer, to the repeated request: the `1` of the command skips the first answer.
  EXPECT_EQ(f.take(c).size(), 1U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(f.ask(c, m).size(), 1U);
  const std::string report = run("report");
  for (const char* line : {"dropped_by_command 1\n", "doubled_by_command 2\n", "late_answers 2\n"})
    EXPECT_NE(report.find(line), std::string::npos) << line << report;
  EXPECT_EQ(run("double get x"),
            "error: x is no count: 'x': write a number from 0 to 1000000000\n");
}

TEST_F(Commands, LossOnACable) {
  run("loss S-0-0:4 1");
  const ClientId c = f.connect(1);
  const Mad m = make_directed(mad_method::kGet, smp_attribute::kNodeInfo, 0, 1, {1, 4});
  EXPECT_TRUE(f.ask(c, m).empty());
  EXPECT_NE(run("report").find("lost_cable 1\n"), std::string::npos);
  run("loss S-0-0:4 0");
  f.pass(200);
  EXPECT_EQ(f.take(c).size(), 1U);
}

TEST_F(Commands, DumpShowsPorts) {
  EXPECT_EQ(
      run("Dump \"H-0-0\""),
      fmt::format("Ca 1 \"H-0-0\" nodeguid {:x}\n[1] \"S-0-0\"[5] lid 0 lmc 0 smlid 0 Init\nok\n",
                  f.subnet.agent(f.subnet.find_node("H-0-0")).model().guid));
}

TEST_F(Commands, ControlMessages) {
  const ClientId c = f.connect(1, "H-1-1");
  ControlMessage m;
  m.client = c;
  m.type = ControlType::kGetNodeInfo;
  ASSERT_TRUE(f.core.control(m, f.why));
  EXPECT_EQ(m.data[2], 1);
  m.type = ControlType::kGetPortInfo;
  m.data = {};
  ASSERT_TRUE(f.core.control(m, f.why));
  EXPECT_EQ(m.data[28], 1);
  m.type = ControlType::kGetPKeys;
  ASSERT_TRUE(f.core.control(m, f.why));
  EXPECT_EQ(get16(m.data.data()), 0xffff);
  m.type = ControlType::kGetVendor;
  ASSERT_TRUE(f.core.control(m, f.why));
  EXPECT_EQ(read_data<VendorInfo>(m).hardware_version, 0xa1U);
  m.type = ControlType::kGetPort;
  ASSERT_TRUE(f.core.control(m, f.why));
  EXPECT_EQ(read_data<PortSummary>(m).state, 2);
  m.type = ControlType::kSetIsSm;
  write_data(m, std::uint32_t{1});
  ASSERT_TRUE(f.core.control(m, f.why));
  EXPECT_EQ(f.subnet.agent(f.subnet.find_node("H-1-1")).port(1).capabilities() & 2U, 2U);
  f.core.disconnect(c);
  EXPECT_EQ(f.subnet.agent(f.subnet.find_node("H-1-1")).port(1).capabilities() & 2U, 0U);
  EXPECT_FALSE(f.core.control(m, f.why));
  m.client = 0xffffffff;
  EXPECT_FALSE(f.core.control(m, f.why));
}

TEST(Wire, OtherVersionsAreToldApart) {
  std::string why;
  ControlMessage m;
  const auto bytes = [&] { return std::span(reinterpret_cast<const std::uint8_t*>(&m), sizeof m); };
  EXPECT_TRUE(parse_control(bytes(), why));
  EXPECT_FALSE(parse_control(bytes().first(79), why));
  EXPECT_EQ(why, "its control message has 79 bytes instead of 80: use libumad2sim of ibsim 0.10");
  m.magic = 1;
  EXPECT_FALSE(parse_control(bytes(), why));
  EXPECT_EQ(
      why,
      "its control message begins with 0x00000001 instead of 0xdeadbeef: use libumad2sim of ibsim "
      "0.10");
}

}  // namespace
}  // namespace selvedge::sim
