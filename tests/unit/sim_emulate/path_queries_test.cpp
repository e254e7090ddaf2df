// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Hosts that query the SA for their paths (path_queries.hpp), a fake subnet manager that answers,
// scripts that wait for the subnet or for the paths, and the count of pairs whose path does not
// work.
#include "sim/emulate/path_queries.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "sim/emulate/console.hpp"
#include "sim/emulate/reachability.hpp"
#include "tests/unit/sim_emulate/fake_subnet.hpp"

namespace selvedge::sim {
namespace {

using std::chrono::milliseconds;

struct Paths : ::testing::Test {
  const Fabric fabric = assign_lids(torus({3, 3}), 0);
  FakeSubnet f{fabric};
  const ClientId sm = f.connect(1, "H-0-0", true);
  std::vector<PathAnswer> heard;
  PathQueries queries{f.core, host_ports(f.subnet, fabric),
                      [this](HostId from, HostId to, PathAnswer answer) {
                        heard.push_back(answer);
                        EXPECT_EQ(answer.dlid, lid_of(to));
                        EXPECT_EQ(answer.sl, from % 3);
                      }};
  Console console{f.core};
  Lid moved = kNoLid;  // the new LID of host 4, if its LID has changed

  Lid lid_of(HostId h) const { return h == 4 && moved != kNoLid ? moved : fabric.host(h).lid; }
  HostId host_of(Guid guid) const {
    for (HostId h = 0; h < fabric.num_hosts(); ++h)
      if (fabric.host(h).guid == guid) return h;
    return kNoHost;
  }
  void SetUp() override {
    f.bring_up(fabric, fabric.host(host_of(port_guid(sm))).lid);
    add_path_commands(console, queries);
  }
  Guid port_guid(ClientId c) const {
    const PortAt at = f.core.client(c)->at;
    return f.subnet.agent(at.node).model().port_guids[at.port];
  }
  /// Lets the manager answer all queries: DLIDs as assigned, the SL depends on the source. Returns
  /// the number of answers.
  unsigned answer(std::uint16_t status = 0) {
    unsigned answered = 0;
    for (const MadDatagram& asked : f.take(sm)) {
      if (asked.mad.management_class() != mad_class::kSubnetAdm) continue;
      MadDatagram d = asked;
      std::swap(d.dlid, d.slid);
      d.mad.turn(status);
      const HostId to = host_of(get64(&d.mad.bytes[56 + 16]));
      const HostId from = host_of(get64(&d.mad.bytes[56 + 32]));
      EXPECT_NE(to, kNoHost);
      EXPECT_NE(from, kNoHost);
      put16(&d.mad.bytes[56 + 40], lid_of(to));
      d.mad.bytes[56 + 53] = static_cast<std::uint8_t>(from % 3);
      f.core.from_client(sm, d);
      ++answered;
    }
    return answered;
  }
  void go_on(int ms = 1) {
    f.pass(ms);
    console.on_time();
    queries.on_time();
  }
};

TEST_F(Paths, AreAskedForAllPairsSeveralAtATime) {
  EXPECT_FALSE(queries.done());
  queries.ask_all();
  unsigned asked = 0, most = 0;
  while (!queries.done()) {
    const unsigned now = answer();
    ASSERT_GT(now, 0U);
    asked += now;
    most = std::max(most, now);
    queries.on_time();
  }
  EXPECT_EQ(asked, 9U * 8U);
  EXPECT_EQ(most, 64U);
  EXPECT_EQ(heard.size(), 9U * 8U);
  EXPECT_EQ(queries.changed_paths(), 9U * 8U);
  EXPECT_EQ(queries.without_path(), 0U);
  EXPECT_EQ(count_unrouted(f.subnet, host_ports(f.subnet, fabric), queries.paths()), 0U);

  queries.ask_all();  // the same answers
  while (!queries.done()) {
    answer();
    queries.on_time();
  }
  EXPECT_EQ(queries.changed_paths(), 0U);
}

TEST_F(Paths, WithoutAnAnswerThereIsNone) {
  queries.ask_all();
  f.take(sm);
  for (int i = 0; i < 20 && !queries.done(); ++i) {
    go_on(1000);
    f.take(sm);  // the queries, 64 at a time; none is answered
  }
  EXPECT_TRUE(queries.done());
  EXPECT_EQ(queries.without_path(), 9U * 8U);
  EXPECT_EQ(count_unrouted(f.subnet, host_ports(f.subnet, fabric), queries.paths()), 9U * 8U);
}

TEST_F(Paths, AHostThatIsNotAnsweredAsksNoMore) {
  for (PortNum p = 1; p <= 4; ++p) f.subnet.cut({8, p});  // a switch and its host
  f.core.subnet_changed();
  queries.ask_all();
  int seconds = 0;
  for (; seconds < 20 && !queries.done(); ++seconds) {
    for (int ms = 0; ms < 1000; ms += 100) {
      answer();
      go_on(100);
    }
  }
  EXPECT_TRUE(queries.done());
  EXPECT_EQ(queries.without_path(), 8U);  // the pairs with this host as the source
  EXPECT_LE(seconds, 9);                  // two queries with four tries of a second each
  for (PortNum p = 1; p <= 4; ++p) f.subnet.heal({8, p});
  f.core.subnet_changed();
  f.bring_up(fabric, fabric.host(host_of(port_guid(sm))).lid);
  queries.readdressed(8);
  for (int i = 0; i < 20; ++i) {
    answer();
    go_on(1);
  }
  EXPECT_EQ(queries.without_path(), 0U);
}

TEST_F(Paths, AreAskedForAgainWhereAHostWasReaddressed) {
  queries.readdressed(4);  // no effect before the first ask_all()
  EXPECT_FALSE(queries.deadline());
  queries.ask_all();
  while (!queries.done()) {
    answer();
    queries.on_time();
  }
  moved = 77;
  queries.readdressed(4);
  ASSERT_TRUE(queries.deadline());
  go_on(0);
  EXPECT_TRUE(f.take(sm).empty());  // hosts learn of the new LID only after a delay
  heard.clear();
  f.core.set_now(*queries.deadline());
  queries.on_time();
  EXPECT_EQ(answer(), 16U);
  EXPECT_TRUE(queries.done());
  EXPECT_EQ(heard.size(), 8U);  // the answers for the paths to this host have changed
}

TEST_F(Paths, AScriptWaitsForTheSubnetAndForThem) {
  console.schedule_script(
      "0 wait subnet-up\n"
      "2 cut S-0-0:2\n"
      "3 wait paths\n"
      "# times of the part below count from here\n"
      "1 heal S-0-0:2\n",
      "a test");
  const PortAt port{f.subnet.find_node("S-0-0"), 2};
  go_on();
  EXPECT_EQ(answer(0x0001 << 2), 1U);  // status busy, as during OpenSM's first sweep
  for (int i = 0; i < 30; ++i) go_on();
  EXPECT_TRUE(f.subnet.up(port));
  EXPECT_GE(answer(), 1U);
  go_on();  // the subnet is up: the script's next line is due in 2 ms
  EXPECT_TRUE(f.subnet.up(port));
  go_on();
  go_on();
  EXPECT_FALSE(f.subnet.up(port));
  for (int i = 0; i < 10; ++i) go_on();  // the paths are not there yet
  EXPECT_FALSE(f.subnet.up(port));
  for (int i = 0; i < 100 && !queries.done(); ++i) {  // some are asked over the cable that is cut
    answer();
    go_on(200);
  }
  EXPECT_TRUE(queries.done());
  go_on(0);
  EXPECT_FALSE(f.subnet.up(port));
  go_on(2);
  EXPECT_TRUE(f.subnet.up(port));
}

TEST_F(Paths, AUserWaitsForTheSubnetAndForThem) {
  Console::Reply reply = console.run("wait subnet-up");
  EXPECT_EQ(reply.text, "");
  ASSERT_TRUE(reply.waiting);
  EXPECT_EQ(reply.waiting->longest, std::chrono::seconds(60));
  go_on();
  EXPECT_FALSE(reply.waiting->there());
  EXPECT_EQ(answer(), 1U);
  EXPECT_TRUE(reply.waiting->there());
  reply = console.run(" wait  paths  5 ");
  ASSERT_TRUE(reply.waiting);
  EXPECT_EQ(reply.waiting->longest, std::chrono::seconds(5));
  EXPECT_EQ(reply.waiting->gave_up,
            "error: it is not there after 5 s: 'wait  paths  5': start a subnet manager, or wait "
            "longer, as wait paths 600\n");
  for (int i = 0; i < 100 && !queries.done(); ++i) {
    EXPECT_FALSE(reply.waiting->there());
    answer();
    go_on();
  }
  EXPECT_TRUE(reply.waiting->there());
  EXPECT_EQ(console.run("paths now").text,
            "error: paths takes nothing more: 'now': leave it out\n");
}

TEST_F(Paths, OnlyKnownThingsAreWaitedFor) {
  EXPECT_THROW(console.schedule_script("0 wait rain\n", "a test"), InputError);
  for (const auto& [line, said] :
       {std::pair{"wait rain",
                  "error: there is no such thing to wait for: 'wait rain': choose one "
                  "of paths, subnet-up\n"},
        {"wait paths soon",
         "error: soon is no number of seconds: 'soon': write a number from 0 to 86400\n"}}) {
    const Console::Reply reply = console.run(line);
    EXPECT_EQ(reply.text, said);
    EXPECT_FALSE(reply.waiting);
  }
}

//   0 ── 1 ── 2     (a torus' row; the cable of 0 and 1 is cut, tables are as before)
TEST_F(Paths, PairsOverACutCableAreNotRouted) {
  queries.ask_all();
  while (!queries.done()) {
    answer();
    queries.on_time();
  }
  const std::vector<PortAt> ports = host_ports(f.subnet, fabric);
  f.subnet.cut({0, 4});
  std::uint64_t over_it = 0;
  for (const Host& to : fabric.hosts())
    for (const Host& from : fabric.hosts()) {
      SwitchId at = from.at;
      bool crosses = false;
      while (at != to.at) {
        const PortNum out = f.subnet.agent(at).forward(to.lid);
        const Channel c = fabric.channel(at, out);
        crosses = crosses || (at == 0 && out == 4) || fabric.peer(c) == fabric.channel(0, 4);
        at = fabric.target(c);
      }
      over_it += crosses;
    }
  EXPECT_GT(over_it, 0U);
  EXPECT_EQ(count_unrouted(f.subnet, ports, queries.paths()), over_it);
  // Pairs of hosts that no working cables connect do not count; connected pairs without LFT entries
  // do.
  f.subnet.heal({0, 4});
  for (PortNum p = 1; p <= 4; ++p) f.subnet.cut({8, p});
  std::uint64_t through = count_unrouted(f.subnet, ports, queries.paths());
  f.subnet.kill(8);
  EXPECT_EQ(count_unrouted(f.subnet, ports, queries.paths()), through);
  EXPECT_LT(through, 8U * 7U);
}

}  // namespace
}  // namespace selvedge::sim
