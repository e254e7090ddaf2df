// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SL2VL rows of another time, which the subnet manager neither reads nor writes: those that drop
// packets are replaced, the others stay; what fails is said and tried again.
#include "plugin/control/found_rows.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "plugin/control/repair_step.hpp"
#include "plugin/control/status.hpp"
#include "plugin/control/table_images.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/support/drawing.hpp"
#include "tests/unit/control/manager.hpp"

namespace selvedge {
namespace {

using test::Manager;
using Row = std::array<std::uint8_t, kSls / 2>;

constexpr unsigned kVls = 8;  // data VLs of the subnet's ports
constexpr Row kAllVl0{};

const test::Drawing& four() {
  static const test::Drawing drawing(R"(
      A───B
      │   │
      C───D
  )");
  return drawing;
}

bool drops(const Row& row) {
  return std::ranges::any_of(row,
                             [](std::uint8_t b) { return (b >> 4U) >= kVls || (b & 15U) >= kVls; });
}

/// The rows between ports with cables, of switches and hosts.
std::vector<RowImage> places(const Fabric& fabric) {
  std::vector<RowImage> all;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    std::vector<PortNum> ports{0};
    for (unsigned p = 1; p <= fabric.node(s).ports; ++p)
      if (fabric.peer(fabric.channel(s, static_cast<PortNum>(p))) != kNoChannel)
        ports.push_back(static_cast<PortNum>(p));
    for (const PortNum in : ports)
      for (const PortNum out : ports)
        if (in != out) all.push_back({s, kNoHost, in, out, {}});
  }
  for (HostId h = 0; h < fabric.num_hosts(); ++h) all.push_back({kNoSwitch, h, 0, 0, {}});
  return all;
}

/// A manager whose switches and hosts have these rows. Some SMPs can be made to fail.
struct Subnet : SmpTransport {
  Manager manager{four().fabric()};
  std::function<std::uint32_t(const SmpRequest&)> status = [](const SmpRequest&) { return 0U; };
  unsigned gets = 0, sets = 0;

  Subnet() { manager.writes_rows = false; }
  bool running() const override { return true; }
  std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                             const StopCondition& stop) override {
    std::vector<SmpRequest> good;
    for (const SmpRequest& r : requests)
      if (status(r) == 0) good.push_back(r);
    const std::vector<SmpAnswer> done = manager.subnet.run(good, limits, stop);
    std::vector<SmpAnswer> answers(requests.size());
    for (std::size_t i = 0, next = 0; i < requests.size(); ++i) {
      gets += requests[i].method == SmpMethod::kGet;
      sets += requests[i].method == SmpMethod::kSet;
      answers[i].status = status(requests[i]);
      if (answers[i].status == 0) answers[i] = done[next++];
    }
    return answers;
  }

  const Fabric& fabric() const { return manager.plan->fabric; }
  std::vector<SmpAnswer> exchange(SmpMethod method, const std::vector<RowImage>& rows) {
    const TableImages images(fabric(), manager.smps);
    std::vector<SmpRequest> requests;
    for (const RowImage& row : rows) requests.push_back(images.request(method, row));
    return manager.subnet.run(requests, manager.smps.limits);
  }
  void hold(const std::vector<RowImage>& rows) { exchange(SmpMethod::kSet, rows); }
  std::vector<RowImage> held() {
    std::vector<RowImage> rows = places(fabric());
    const std::vector<SmpAnswer> answers = exchange(SmpMethod::kGet, rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(answers[i].data.begin(), rows[i].row.size(), rows[i].row.begin());
    return rows;
  }
  std::vector<RowImage> filled(std::uint8_t two) const {
    std::vector<RowImage> rows = places(fabric());
    for (RowImage& row : rows) row.row.fill(two);
    return rows;
  }
  RowChecker checker{manager.environment(), *this};
  /// All steps that are due now.
  void check() {
    while (checker.step()) {
    }
  }
};

RC_GTEST_PROP(FoundRows, ExactlyTheRowsThatDropPacketsAreReplaced, ()) {
  Subnet subnet;
  std::vector<RowImage> rows = places(subnet.fabric());
  for (RowImage& row : rows) {
    const bool low = *rc::gen::inRange(0, 2) == 0;
    for (std::uint8_t& two : row.row)
      two =
          static_cast<std::uint8_t>(low ? *rc::gen::inRange(0, 8) * 17 : *rc::gen::inRange(0, 256));
  }
  subnet.hold(rows);
  rows = subnet.held();  // a switch may refuse a row
  subnet.check();
  const std::vector<RowImage> after = subnet.held();
  std::size_t replaced = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool internal = rows[i].host == kNoHost && rows[i].out == 0;
    const bool harmful =
        internal ? std::ranges::any_of(
                       rows[i].row, [](std::uint8_t b) { return b >> 4U == 15 || (b & 15U) == 15; })
                 : drops(rows[i].row);
    replaced += harmful;
    RC_ASSERT(after[i].row == (harmful ? kAllVl0 : rows[i].row));
  }
  RC_ASSERT(subnet.manager.found.replaced == replaced);
  RC_ASSERT(subnet.manager.found.rows == rows.size());
  RC_ASSERT(subnet.manager.found.failure.empty());
  RC_ASSERT(subnet.manager.found.let_pass(*subnet.manager.plan));
}

TEST(FoundRows, AreReadOnceAndAgainWhereTheFabricIsNew) {
  Subnet subnet;
  subnet.hold(subnet.filled(0xff));
  const std::size_t rows = places(subnet.fabric()).size();
  EXPECT_FALSE(subnet.manager.found.let_pass(*subnet.manager.plan));  // nothing was read yet
  subnet.check();
  EXPECT_EQ(subnet.sets, rows);
  EXPECT_EQ(subnet.manager.found.replaced, rows);
  const std::string said = subnet.manager.said();
  std::string steps;  // a few at a time
  for (std::size_t left = rows; left > 0; left -= std::min(left, RowChecker::kRowsAtATime))
    steps += fmt::format("{} rows replaced\n", std::min(left, RowChecker::kRowsAtATime));
  EXPECT_NE(said.find(steps), std::string::npos) << said;
  EXPECT_NE(
      said.find(fmt::format("log: with qos FALSE OpenSM writes no SL2VL rows: of {} in switches "
                            "and hosts {} dropped packets",
                            rows, rows)),
      std::string::npos)
      << said;
  subnet.gets = 0;
  subnet.check();
  EXPECT_EQ(subnet.gets, 0u);

  // A cable is away, and back: meanwhile the rows of its ports may have changed.
  const std::shared_ptr<const Plan> whole = subnet.manager.plan;
  const Channel cable = whole->fabric.links().front();
  subnet.manager.plan = std::make_shared<const Plan>(
      *make_plan(without(whole->fabric, {{cable}, {}}), subnet.manager.request()).plan);
  EXPECT_TRUE(subnet.manager.found.let_pass(*subnet.manager.plan));
  subnet.check();
  EXPECT_EQ(subnet.gets, 0u);
  EXPECT_FALSE(subnet.manager.found.let_pass(*whole));
  EXPECT_EQ(subnet.manager.said(), "");
  subnet.manager.plan = whole;
  subnet.hold(subnet.filled(0xff));
  subnet.check();
  EXPECT_TRUE(subnet.manager.found.let_pass(*whole));
  for (const RowImage& row : subnet.held())
    for (const Channel end : {cable, whole->fabric.peer(cable)})
      if (row.host == kNoHost && row.at == whole->fabric.switch_of(end) &&
          (row.in == whole->fabric.port_of(end) || row.out == whole->fabric.port_of(end))) {
        EXPECT_EQ(row.row, kAllVl0);
      }

  // Others may have written since: everything is read again.
  subnet.checker.forget();
  subnet.check();
  EXPECT_TRUE(
      std::ranges::all_of(subnet.held(), [](const RowImage& r) { return r.row == kAllVl0; }));
}

TEST(FoundRows, WhatFailsIsSaidAndTriedAgain) {
  for (const SmpMethod failing : {SmpMethod::kGet, SmpMethod::kSet}) {
    Subnet subnet;
    subnet.hold(subnet.filled(0xff));
    bool fails = true;
    const auto row = TableImages(subnet.fabric(), subnet.manager.smps)
                         .request(failing, RowImage{four().at('B'), kNoHost, 1, 0, {}});
    subnet.status = [&](const SmpRequest& r) -> std::uint32_t {
      return fails && r.method == failing && r.attribute == SmpAttribute::kSl2Vl &&
                     r.modifier == row.modifier && r.path.ports == row.path.ports
                 ? kSmpNoAnswer
                 : 0U;
    };
    subnet.check();
    const FoundRows& found = subnet.manager.found;
    EXPECT_EQ(found.unread, failing == SmpMethod::kGet ? 1u : 0u);
    EXPECT_EQ(found.harmful, failing == SmpMethod::kSet ? 1u : 0u);
    EXPECT_FALSE(found.let_pass(*subnet.manager.plan));
    EXPECT_NE(found.failure.find("the first: B, from port 1 to 0: write `qos TRUE` in opensm.conf"),
              std::string::npos)
        << found.failure;
    const std::string line = "error: " + found.failure + "\n";
    EXPECT_NE(subnet.manager.said().find(line), std::string::npos);

    subnet.gets = 0;
    subnet.check();
    EXPECT_EQ(subnet.gets, 0u);  // not yet
    subnet.manager.clock.wait(RowChecker::kTryAgain);
    subnet.check();
    EXPECT_EQ(subnet.manager.said().find(line), std::string::npos);  // said once
    fails = false;
    subnet.manager.clock.wait(RowChecker::kTryAgain);
    subnet.check();
    EXPECT_EQ(subnet.manager.found.failure, "");
    EXPECT_TRUE(subnet.manager.found.let_pass(*subnet.manager.plan));
    EXPECT_EQ(subnet.held().front().row, kAllVl0);
  }
}

/// `qos` has become TRUE since: the rows may be those of the manager's guard.
TEST(FoundRows, RowsOfAManagerThatWritesSomeAreLeft) {
  Subnet subnet;
  subnet.hold(subnet.filled(0xff));
  subnet.manager.writes_rows = true;
  subnet.check();
  EXPECT_GT(subnet.gets, 0u);
  EXPECT_EQ(subnet.sets, 0u);
}

TEST(FoundRows, ANodeWithoutSuchTablesDropsNothing) {
  Subnet subnet;
  subnet.status = [](const SmpRequest& r) {
    return r.attribute == SmpAttribute::kSl2Vl ? 0xcU : 0U;
  };
  subnet.check();
  EXPECT_TRUE(subnet.manager.found.let_pass(*subnet.manager.plan));
  EXPECT_EQ(subnet.sets, 0u);
}

TEST(FoundRows, WithoutAnAgentNothingIsKnown) {
  Subnet subnet;
  subnet.checker.fail("this");
  subnet.checker.fail("this");
  EXPECT_EQ(subnet.manager.said(), "error: " + subnet.manager.found.failure + "\n");
  EXPECT_NE(subnet.manager.found.failure.find("and this: write `qos TRUE`"), std::string::npos);
  EXPECT_FALSE(subnet.manager.found.let_pass(*subnet.manager.plan));
  subnet.check();  // there is one now
  EXPECT_TRUE(subnet.manager.found.let_pass(*subnet.manager.plan));
}

/// XY routing on a mesh of 4×4: one VL, and no up*/down* order of the switches.
Tables xy_routing(const Fabric& fabric) {
  Tables tables(fabric);
  const auto toward = [&](SwitchId s, SwitchId next) {
    for (const Channel c : fabric.out(s))
      if (fabric.target(c) == next) return fabric.port_of(c);
    return kNoPort;
  };
  for (SwitchId s = 0; s < 16; ++s)
    for (unsigned i = 1; i <= fabric.top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      const SwitchId to = fabric.destination_switch(lid);
      if (to == kNoSwitch) continue;
      PortNum port = 0;
      if (s % 4 != to % 4)
        port = toward(s, s % 4 < to % 4 ? s + 1 : s - 1);
      else if (s != to)
        port = toward(s, s < to ? s + 4 : s - 4);
      for (const HostId h : fabric.hosts_at(to))
        if (s == to && fabric.host(h).lid == lid) port = fabric.host(h).port;
      tables.set_next(s, lid, port);
    }
  return tables;
}

/// Other rows than those of the plan may be in the switches: a repair must not rely on them.
TEST(FoundRows, RepairsStayOnOneVl) {
  const Fabric fabric = assign_lids(mesh({4, 4}), 0);
  const Manager manager(fabric);
  Plan plan = *manager.plan;
  plan.tables = xy_routing(fabric);
  plan.unguarded_sl2vl = plan.tables.sl2vl;
  plan.guarded = false;
  plan.multicast.reset();
  plan.verdict = verify(fabric, plan.tables).verdict();
  ASSERT_TRUE(plan.verdict.connected && plan.verdict.deadlock_free);
  const auto before = std::make_shared<const Plan>(plan);
  const auto rows_changed = [&](bool writes_rows, const Fault& fault) {
    return repair_step(prepare_repair(before, repair_vls(writes_rows)), fault, false,
                       {.clock = &manager.clock, .report = [](Event::Kind) {}})
        .change.delta.sl2vl.size();
  };
  std::size_t with_rows = 0;
  for (const Channel a : fabric.links())
    for (const Channel b : fabric.links()) {
      if (a >= b) continue;
      const Fault fault{{a, b}, {}};
      with_rows += rows_changed(true, fault) > 0;
      EXPECT_EQ(rows_changed(false, fault), 0u);
    }
  EXPECT_GT(with_rows, 0u);
}

TEST(FoundRows, ConnectedIsClaimedOnlyIfRowsLetPass) {
  const auto connected = [](const Status& status) {
    return nlohmann::json::parse(status_document(status))["last_sweep"]["proof"]["connected"];
  };
  Subnet subnet;
  Status status;
  status.plan = subnet.manager.plan;
  EXPECT_EQ(connected(status), true);
  status.manager_writes_rows = false;
  EXPECT_EQ(connected(status), nullptr);
  status.rows.plan = subnet.manager.plan;
  EXPECT_EQ(connected(status), true);
  status.rows.failure = "x";
  EXPECT_EQ(connected(status), nullptr);
  Plan cut = *subnet.manager.plan;
  cut.verdict.connected = false;
  status.plan = std::make_shared<const Plan>(cut);
  EXPECT_EQ(connected(status), false);
}

}  // namespace
}  // namespace selvedge
