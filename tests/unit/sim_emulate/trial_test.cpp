// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A trial by itself: its phases, what it counts, and when it ends. Tables and LIDs are there from
// the start; the subnet manager is a client whose SA answers, and which repairs what the test says.
#include "sim/emulate/trial.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "sim/emulate/data_plane.hpp"
#include "sim/emulate/reachability.hpp"
#include "tests/unit/sim_emulate/fake_subnet.hpp"

namespace selvedge::sim {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr HostId kHosts = 9;

/// Every host sends a small packet to each other one in turn.
struct RoundRobin : Traffic {
  Message next(HostId from) override {
    const unsigned n = sent[from]++;
    return {.at = Tick{2000} * n, .to = (from + 1 + n % (kHosts - 1)) % kHosts, .bytes = 64};
  }
  void put_back(HostId from) override { --sent[from]; }
  std::array<unsigned, kHosts> sent{};
};

struct Managed : EmulationClock {
  explicit Managed(const DataPlane& plane_in) : plane(plane_in) {}
  Nanoseconds now() override { return plane.now(); }
  Nanoseconds managers_used() const override { return used; }
  microseconds step(Core&, std::optional<Nanoseconds>, const std::function<bool()>&) override {
    return {};
  }
  const DataPlane& plane;
  Nanoseconds used{};
};

//  0 1 2      a 3×3 torus; the host of the same number at each switch, the manager at host 0
//  3 4 5
//  6 7 8
struct ATrial : ::testing::Test, ClientOutput, Arrivals {
  static Model model_of(const Fabric& fabric) {
    Parameters parameters;
    parameters.management_buffer_bytes = 1024;
    return resolve(parameters, Tables(fabric), 8);
  }
  void SetUp() override {
    f.bring_up(fabric, fabric.host(0).lid);
    plane.emplace(f.subnet, fabric, model, traffic, 1);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) plane->follow_restart(s);
    core.emplace(f.subnet, *plane, *plane, *this, CoreSettings{}, 1);
    queries.emplace(*core, plane->host_ports(), [this](HostId from, HostId to, PathAnswer answer) {
      plane->write_path(from, to, answer.dlid, answer.sl);
    });
    clock.emplace(*plane);
    sm = core->connect({.id = 1, .queue_pair = 0, .is_sm = 1, .node = {}}, why);
    plan.warm_up = microseconds(200);
    plan.settle = microseconds(500);
    plan.quiet_before = plan.quiet_after = milliseconds(0);
    plan.longest = milliseconds(5);
  }
  void deliver(ClientId, const MadDatagram& d) override { inbox.push_back(d); }
  void arrived(PortAt at, MadPacket& packet) override {
    core->set_now(plane->now());
    core->arrived(at, packet);
  }
  void lost(const MadPacket& packet, LossCause cause) override { core->lost(packet, cause); }

  HostId host_of(Guid guid) const {
    for (HostId h = 0; h < kHosts; ++h)
      if (fabric.host(h).guid == guid) return h;
    return kNoHost;
  }
  /// The manager answers for paths, and represses traps.
  void manage() {
    for (MadDatagram d : std::exchange(inbox, {})) {
      if (d.mad.method() == mad_method::kTrap) {
        traps += get16(d.mad.data() + 4) == 128;
        if (!represses) continue;
        d.mad.bytes[3] = mad_method::kTrapRepress;
      } else if (d.mad.management_class() == mad_class::kSubnetAdm) {
        d.mad.turn(0);
        put16(&d.mad.bytes[56 + 40], fabric.host(host_of(get64(&d.mad.bytes[56 + 16]))).lid);
      }
      std::swap(d.dlid, d.slid);
      core->from_client(sm, d);
    }
  }
  /// Until it has ended, or for so many steps of 20 µs.
  void run(Trial& trial, int steps) {
    for (int i = 0; i < steps && !trial.ended(); ++i) {
      plane->run(plane->now() + microseconds(20), *this);
      core->set_now(plane->now());
      manage();
      queries->on_time();
      trial.on_time();
      core->on_time();
    }
  }
  TrialResult result(int steps = 2'000) {
    Trial trial(*core, *plane, traffic, *queries, plane->host_ports(), *clock, plan);
    run(trial, steps);
    EXPECT_TRUE(trial.ended()) << trial.phase();
    return trial.result();
  }
  PortAt link(const char* name) { return f.subnet.find_links(name).front(); }

  const Fabric fabric = assign_lids(torus({3, 3}), 0);
  FakeSubnet f{fabric};
  const Model model = model_of(fabric);
  RoundRobin messages;
  SwitchedTraffic traffic{messages};
  std::optional<DataPlane> plane;
  std::optional<Core> core;
  std::optional<PathQueries> queries;
  std::optional<Managed> clock;
  std::string why;
  ClientId sm = kNoClient;
  std::vector<MadDatagram> inbox;
  TrialPlan plan;
  bool represses = true;
  unsigned traps = 0;
};

TEST_F(ATrial, WithoutAFaultLosesNothing) {
  const TrialResult r = result();
  EXPECT_TRUE(r.came_up);
  EXPECT_TRUE(r.ended);
  EXPECT_TRUE(r.asked_again);
  EXPECT_EQ(r.pairs, 72U);
  EXPECT_EQ(r.without_path, 0U);
  EXPECT_EQ(r.unrouted_pairs, 0U);
  EXPECT_EQ(r.all_lost() + r.cut_off, 0U);
  EXPECT_GT(r.delivered, 500U);
  ASSERT_TRUE(r.routed);
  EXPECT_LE(*r.routed, microseconds(20));  // when it first looked
  EXPECT_FALSE(r.last_loss);
  EXPECT_FALSE(r.deadlock);
  EXPECT_TRUE(r.stopped_while.empty());
}

TEST_F(ATrial, ACutCableThatNobodyRepairsCostsPacketsUntilTheEnd) {
  plan.links = {link("S-1-1/S-1-2")};
  const TrialResult r = result();
  EXPECT_TRUE(r.ended);  // the traps were repressed, and nothing else is to come
  EXPECT_GT(traps, 0U);
  EXPECT_GT(r.unrouted_pairs, 0U);
  EXPECT_FALSE(r.routed);
  EXPECT_GT(r.all_lost(), 0U);
  EXPECT_EQ(r.cut_off, 0U);
  ASSERT_TRUE(r.last_loss);
  EXPECT_LE(*r.last_loss, r.fabric_time);
  EXPECT_EQ(r.curve.back().lost, r.all_lost());
  EXPECT_EQ(r.curve.back().delivered, r.delivered);
}

TEST_F(ATrial, ATrapThatIsNotRepressedIsNotWaitedForOnceTheManagerHasIt) {
  represses = false;
  plan.links = {link("S-1-1/S-1-2")};
  const TrialResult r = result();
  EXPECT_GT(traps, 0U);
  EXPECT_GT(r.unrouted_pairs, 0U);
  EXPECT_TRUE(r.ended);
  EXPECT_LT(r.fabric_time, milliseconds(2));
}

TEST_F(ATrial, ATrapThatWasLostAndCanArriveIsWaitedFor) {
  core->mishaps().add(Mishap::kLost, parse_mad_pattern(f.subnet, "trap"), 1000, 0);
  plan.links = {link("S-1-1/S-1-2")};
  const TrialResult r = result();
  EXPECT_EQ(traps, 0U);
  EXPECT_GT(r.unrouted_pairs, 0U);
  EXPECT_FALSE(r.ended);  // it would come again
  EXPECT_GE(r.fabric_time, milliseconds(5));
}

TEST_F(ATrial, TrapsThatCannotReachTheManagerAreNotWaitedFor) {
  plan.switches = {f.subnet.find_node("S-0-0")};  // the manager's own
  Trial trial(*core, *plane, traffic, *queries, plane->host_ports(), *clock, plan);
  run(trial, 200);
  ASSERT_EQ(trial.phase(), "asking for paths again");
  EXPECT_EQ(traps, 0U);
  EXPECT_TRUE(core->deadline());  // they go on being repeated
  const TrialResult& r = trial.result();
  EXPECT_TRUE(r.ended);
  EXPECT_LT(r.fabric_time, milliseconds(2));
  EXPECT_GT(r.unrouted_pairs, 0U);  // those that went by that switch
}

TEST_F(ATrial, PacketsBetweenHostsThatNoCablesConnectAreCountedApart) {
  plan.links = {f.subnet.peer(plane->host_ports()[4])};
  Trial trial(*core, *plane, traffic, *queries, plane->host_ports(), *clock, plan);
  run(trial, 200);
  const TrialResult& r = trial.result();
  ASSERT_TRUE(r.ended);
  EXPECT_EQ(r.unrouted_pairs, 0U);
  EXPECT_EQ(r.all_lost(), 0U);
  EXPECT_GT(r.cut_off, 0U);
  EXPECT_FALSE(r.last_loss);
  EXPECT_EQ(r.curve.back().lost, 0U);
  const std::vector<std::uint32_t> components = host_components(f.subnet, plane->host_ports());
  for (HostId h = 0; h < kHosts; ++h) EXPECT_EQ(components[h] == kApart, h == 4) << h;
}

TEST_F(ATrial, ADrainIsBegunOnceAndThenTheCableIsCut) {
  plan.links = {link("S-1-1/S-1-2")};
  int drains = 0, asked = 0;
  plan.drain = [&] { ++drains; };
  plan.drained = [&] {
    EXPECT_FALSE(f.subnet.is_cut(plan.links[0]));
    return ++asked == 5;
  };
  const TrialResult r = result();
  EXPECT_EQ(drains, 1);
  EXPECT_EQ(asked, 5);
  EXPECT_TRUE(f.subnet.is_cut(plan.links[0]));
  EXPECT_LT(r.curve.front().at, Nanoseconds::zero());  // the drain's time is before the fault
}

TEST_F(ATrial, ARefusedDrainIsItsEnd) {
  plan.drain = [] {};
  plan.drained = []() -> bool { throw InputError("no", "here", "not so"); };
  EXPECT_THROW(result(), InputError);
}

TEST_F(ATrial, AManagerThatComputesIsWaitedFor) {
  plan.links = {link("S-1-1/S-1-2")};
  Trial trial(*core, *plane, traffic, *queries, plane->host_ports(), *clock, plan);
  for (int i = 0; i < 120; ++i) {
    clock->used += milliseconds(100);
    run(trial, 1);
  }
  EXPECT_NE(trial.phase(), "asking for paths again");
  run(trial, 400);
  EXPECT_TRUE(trial.ended());
}

TEST_F(ATrial, ItsPatienceEndsIt) {
  plan.patience = std::chrono::seconds(-1);
  const TrialResult r = result();
  EXPECT_EQ(r.stopped_while, "bringing the subnet up");
  EXPECT_FALSE(r.came_up);
}

}  // namespace
}  // namespace selvedge::sim
