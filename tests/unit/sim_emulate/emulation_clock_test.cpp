// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The rules of the emulator's clocks (emulation_clock.hpp), with simulated managers: the test sets
// how much CPU time they have used and whether they wait.
#include "sim/emulate/emulation_clock.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "sim/emulate/thread_states.hpp"
#include "tests/unit/sim_emulate/fake_subnet.hpp"

namespace selvedge::sim {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr pid_t kOpenSm = 100, kAgent = 101, kTool = 102;
constexpr pid_t kNoProcess = 1 << 22;  // above the highest process id of Linux

struct FakeProcesses : ManagingProcesses {
  struct Process {
    Nanoseconds used{};
    bool waits = true, alive = true;
  };
  bool manages(pid_t pid) const override { return pid != kTool; }
  std::optional<Nanoseconds> cpu_time(pid_t pid) const override {
    const Process& p = processes.at(pid);
    return p.alive ? std::optional(p.used) : std::nullopt;
  }
  bool waits(pid_t pid) const override { return processes.at(pid).waits; }

  std::map<pid_t, Process> processes{{kOpenSm, {}}, {kAgent, {}}, {kTool, {}}};
};

struct Silent : Traffic {
  Message next(HostId) override { return {}; }
};

/// A managed torus without traffic, its core, and a clock.
struct ByManager : ::testing::Test, ClientOutput {
  void deliver(ClientId, const MadDatagram&) override { answered_at.push_back(clock.now()); }
  static Model model_of(const Fabric& fabric) {
    Parameters parameters;
    parameters.management_buffer_bytes = 1024;
    return resolve(parameters, Tables(fabric), 8);
  }
  FakeProcesses::Process& process(pid_t pid) { return processes.processes.at(pid); }
  /// Steps as long as the clock has something to do.
  void run(std::optional<Nanoseconds> due = std::nullopt) {
    for (int i = 0; i < 100'000; ++i)
      if (clock.step(core, due, [this] { return all_read; }) > microseconds::zero())
        return;
      else if (due && clock.now() >= *due)
        return;
    FAIL() << "the clock never waits";
  }
  /// Expects the clock to be at the first tick at or after this time.
  void expect_now(Nanoseconds time) {
    EXPECT_GE(clock.now(), time);
    EXPECT_LE(clock.now() - time, tick) << (clock.now() - time).count();
  }
  void ask_for_node_info() {
    core.from_client(client, make_datagram(make_directed(mad_method::kGet, smp_attribute::kNodeInfo,
                                                         0, ++transaction, {1, 4, 4})));
  }

  const Fabric fabric = assign_lids(torus({3, 3}), 0);
  EmulatedSubnet subnet{fabric, false};
  const Model model = model_of(fabric);
  const Nanoseconds tick{static_cast<std::int64_t>(model.time_base.ns(1)) + 1};
  Silent silent;
  DataPlane plane{subnet, fabric, model, silent, 1};
  Core core{subnet, plane, plane, *this, {}, 1};
  std::string why;
  const ClientId client =
      core.connect({.id = kOpenSm, .queue_pair = 0, .is_sm = 1, .node = {}}, why);
  std::uint64_t transaction = 0;
  FakeProcesses processes;
  Nanoseconds machine{};  // the machine's time, which only the test advances
  ManagerClock clock{plane, processes, 1, [this] { return machine; }};
  bool all_read = true;
  std::vector<Nanoseconds> answered_at;
};

TEST_F(ByManager, TimeIsTheCpuTimeOfAllManagers) {
  process(kOpenSm).used = milliseconds(700);  // CPU time used before it connected
  clock.client_came(kOpenSm);
  clock.client_came(kAgent);
  clock.client_came(kTool);
  EXPECT_TRUE(clock.counts(kAgent));
  EXPECT_FALSE(clock.counts(kTool));
  run();
  EXPECT_EQ(clock.now(), Nanoseconds::zero());
  process(kOpenSm).used += milliseconds(2);
  process(kAgent).used += microseconds(500);
  process(kTool).used += milliseconds(50);
  EXPECT_FALSE(clock.caught_up());  // the fabric has to be simulated first
  run();
  EXPECT_TRUE(clock.caught_up());
  EXPECT_LE(clock.now(), microseconds(2500));
  EXPECT_GE(clock.now(), microseconds(2500) - tick);
  EXPECT_EQ(clock.flight(), Nanoseconds::zero());
}

TEST_F(ByManager, ASpeedMultipliesIt) {
  ManagerClock twice(plane, processes, 2);
  twice.client_came(kOpenSm);
  process(kOpenSm).used += milliseconds(1);
  for (int i = 0; i < 100; ++i) twice.step(core, std::nullopt, [] { return true; });
  EXPECT_GE(twice.now(), milliseconds(2) - tick);
  EXPECT_LE(twice.now(), milliseconds(2));
}

TEST_F(ByManager, TimeNeverGoesBack) {
  process(kOpenSm).used = milliseconds(5);
  clock.client_came(kOpenSm);
  process(kOpenSm).used += milliseconds(1);
  run();
  const Nanoseconds before = clock.now();
  process(kOpenSm).used = milliseconds(1);  // another process, with the same id
  run();
  EXPECT_EQ(clock.now(), before);
  process(kOpenSm).used = milliseconds(6) + microseconds(100);  // only what is new counts
  run();
  EXPECT_LE(clock.now() - before, microseconds(100) + tick);
}

TEST_F(ByManager, WhileAllWaitTimeIsTheFlightOfMads) {
  clock.client_came(kOpenSm);
  ask_for_node_info();
  process(kOpenSm).waits = false;
  run();
  EXPECT_EQ(clock.now(), Nanoseconds::zero());  // the manager still runs and may send more
  process(kOpenSm).waits = true;
  all_read = false;
  run();
  EXPECT_EQ(clock.now(), Nanoseconds::zero());  // the manager has unread MADs, so it will run
  all_read = true;
  run();
  ASSERT_EQ(answered_at.size(), 1U);
  // Three links there and back, at 0.5 to 5 us for each.
  EXPECT_GT(answered_at[0], microseconds(3));
  EXPECT_LT(answered_at[0], microseconds(30));
  EXPECT_GE(clock.flight(), answered_at[0] - tick);
  EXPECT_LE(clock.flight(), answered_at[0] + tick);
  const Nanoseconds end = clock.now();
  run();
  EXPECT_EQ(clock.now(), end);  // no MAD is under way
}

TEST_F(ByManager, OneThatRunsKeepsTheOthersFromWaiting) {
  clock.client_came(kOpenSm);
  clock.client_came(kAgent);
  ask_for_node_info();
  process(kAgent).waits = false;
  run();
  EXPECT_TRUE(answered_at.empty());
  process(kAgent).used += milliseconds(1);
  run();
  EXPECT_EQ(answered_at.size(), 1U);  // the MAD flew while the other computed
}

TEST_F(ByManager, WhileAllSleepTrafficGoesOnWithTheMachinesTime) {
  struct Endless : Traffic {
    Message next(HostId from) override {
      return {.at = 1000 * ++sent[from], .to = from == 0 ? 1U : 0U, .bytes = 64};
    }
    std::array<Tick, 9> sent{};
  } endless;
  DataPlane busy(subnet, fabric, model, endless, 1);
  machine = std::chrono::hours(1);
  ManagerClock slept(busy, processes, 1, [&] { return machine; });
  const auto step = [&](std::optional<Nanoseconds> due = std::nullopt) {
    return slept.step(core, due, [] { return true; });
  };
  machine += milliseconds(5);
  step();
  EXPECT_EQ(slept.now(), Nanoseconds::zero());  // no manager is connected
  slept.client_came(kOpenSm);
  step();
  EXPECT_EQ(slept.now(), Nanoseconds::zero());  // the manager's sleep has just begun
  machine += milliseconds(3);
  for (int i = 0; i < 10'000 && step() == microseconds::zero(); ++i) {
  }
  EXPECT_GE(slept.now(), milliseconds(3) - tick);
  EXPECT_LE(slept.now(), milliseconds(3));
  // The manager wakes, computes, and sleeps again: the machine's time that passed meanwhile does
  // not count.
  const Nanoseconds before = slept.now();
  process(kOpenSm).used += milliseconds(1);
  machine += milliseconds(40);
  for (int i = 0; i < 10'000 && step() == microseconds::zero(); ++i) {
  }
  step();
  EXPECT_LE(slept.now() - before, milliseconds(1) + tick);
  machine += microseconds(100);
  for (int i = 0; i < 100; ++i) step();
  EXPECT_LE(slept.now() - before, microseconds(1100) + tick);
  EXPECT_GE(slept.now() - before, microseconds(1100) - 2 * tick);
}

TEST_F(ByManager, IdleManagersLetItRunToTheNextEvent) {
  const Nanoseconds due{1'250'333};
  run(due);
  EXPECT_EQ(clock.now(), Nanoseconds::zero());  // before a manager connects, time stands still
  clock.client_came(kOpenSm);
  run(due);
  expect_now(due);
}

TEST_F(ByManager, WhatIsLeftOfTrafficDoesNotHoldUpTheNextEvent) {
  // The lifetime of a head that had to wait, and has long left, is still an event of the network,
  // and a host whose cable is cut has packets that never leave it.
  Parameters parameters;
  parameters.management_buffer_bytes = 1024;
  parameters.head_of_queue_life_us = 1'000'000;
  parameters.crossbar_speedup = 2;  // so that heads wait for their link
  const Model with_lifetimes = resolve(parameters, Tables(fabric), 8);
  struct Some : Traffic {
    Message next(HostId from) override {
      return {.at = sent[from] < 50 ? 1000 * ++sent[from] : kNever,
              .to = from == 0 ? 1U : 0U,
              .bytes = 64};
    }
    std::array<Tick, 9> sent{};
  } some;
  FakeSubnet f(fabric);
  f.bring_up(fabric, fabric.host(0).lid);
  f.subnet.cut(f.subnet.peer(host_ports(f.subnet, fabric)[4]));
  DataPlane busy(f.subnet, fabric, with_lifetimes, some, 1);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) busy.follow_restart(s);
  EXPECT_TRUE(busy.network().has_traffic());
  ManagerClock slept(busy, processes, 1, [this] { return machine; });
  slept.client_came(kOpenSm);
  process(kOpenSm).used += milliseconds(1);  // in which all that can be sent is
  const auto step = [&](std::optional<Nanoseconds> due) {
    return slept.step(core, due, [] { return true; });
  };
  while (slept.now() < milliseconds(1) - tick) step(std::nullopt);
  ASSERT_FALSE(busy.network().has_traffic());
  ASSERT_FALSE(busy.network().idle());
  EXPECT_GT(busy.network().waiting_at_sources(), 0U);
  const Nanoseconds due = milliseconds(900);
  int steps = 0;
  for (; slept.now() < due && steps < 1'000; ++steps) step(due);
  EXPECT_GE(slept.now(), due);
  EXPECT_LT(steps, 100);
}

TEST_F(ByManager, AnEventIsNotPassedBy) {
  clock.client_came(kOpenSm);
  process(kOpenSm).used += milliseconds(10);
  const Nanoseconds due{1'234'567};
  run(due);
  expect_now(due);
  run();  // the event has happened
  EXPECT_GE(clock.now(), milliseconds(10) - tick);
}

TEST_F(ByManager, AManagerThatDiesStopsItsTime) {
  clock.client_came(kOpenSm);
  clock.client_came(kAgent);
  process(kOpenSm).used += milliseconds(1);
  run();
  process(kOpenSm).alive = false;
  process(kAgent).used += milliseconds(1);
  run();
  EXPECT_LE(clock.now(), milliseconds(2));
  EXPECT_GE(clock.now(), milliseconds(2) - tick);
  clock.client_left(kOpenSm);
  EXPECT_FALSE(clock.counts(kOpenSm));
  clock.client_left(kAgent);
  const Nanoseconds end = clock.now();
  run(end + milliseconds(1));
  EXPECT_EQ(clock.now(), end);  // no manager is left
}

TEST(FreeRunning, ItWaitsForWhatIsDue) {
  FakeSubnet f;
  FreeRunningClock clock;
  f.core.set_now(clock.now());
  const auto all_read = [] { return true; };
  EXPECT_GE(clock.step(f.core, std::nullopt, all_read), milliseconds(1));
  EXPECT_EQ(clock.step(f.core, f.core.now() + Nanoseconds(1), all_read), microseconds(1));
  EXPECT_EQ(clock.step(f.core, f.core.now() - milliseconds(1), all_read), microseconds::zero());
  EXPECT_GE(clock.now(), f.core.now());
}

TEST(SystemProcesses, TellsManagersByTheirNames) {
  const pid_t self = ::getpid();
  const std::string own = name_of(self);
  EXPECT_TRUE(SystemProcesses({"opensm", own}).manages(self));
  EXPECT_FALSE(SystemProcesses({"opensm"}).manages(self));
  // The kernel keeps 15 characters of a name.
  EXPECT_EQ(SystemProcesses({own + "-and-more"}).manages(self), own.size() == 15);
  const SystemProcesses processes({own});
  const auto before = processes.cpu_time(self);
  ASSERT_TRUE(before);
  while (*processes.cpu_time(self) < *before + milliseconds(1)) {
  }
  EXPECT_FALSE(processes.waits(self));  // this thread runs
  EXPECT_FALSE(processes.cpu_time(kNoProcess));
  EXPECT_TRUE(processes.waits(kNoProcess));
}

}  // namespace
}  // namespace selvedge::sim
