// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Writing a change to the switches: the log lines when packets may be lost or deadlock, and the
// reaction to writes and read-backs that fail.
#include "plugin/control/table_writer.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "plugin/control/orders.hpp"
#include "tests/support/drawing.hpp"
#include "tests/unit/control/manager.hpp"

namespace selvedge {
namespace {

using test::Manager;
using test::plain;

const test::Drawing& six() {
  static const test::Drawing drawing(R"(
      A───B───C
      │   │   │
      D───E───F
  )");
  return drawing;
}

/// A manager's subnet, where some answers are made to fail.
class Spoilt : public SmpTransport {
 public:
  explicit Spoilt(SmpTransport& to) : to_(to) {}
  bool running() const override { return runs; }
  std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                             const StopCondition& stop_condition) override {
    for (const SmpRequest& r : requests) {
      sets += r.method == SmpMethod::kSet;
      gets += r.method == SmpMethod::kGet;
    }
    std::vector<SmpAnswer> answers = to_.run(requests, limits, stop_condition);
    for (std::size_t i = 0; i < answers.size(); ++i) spoil(requests[i], answers[i]);
    return answers;
  }
  std::function<void(const SmpRequest&, SmpAnswer&)> spoil = [](const SmpRequest&, SmpAnswer&) {};
  unsigned sets = 0, gets = 0;
  bool runs = true;

 private:
  SmpTransport& to_;
};

Change drain_of(Manager& manager, const char* cable) {
  PreparedChange prepared = prepare_order({Order::Kind::kDrain, {cable}},
                                          prepare_repair(manager.plan), manager.environment());
  manager.said();
  return std::move(*prepared.change);
}
bool is_lft(const SmpRequest& r, SmpMethod method) {
  return r.method == method && r.attribute == SmpAttribute::kLft;
}

// B─C is a cable of the multicast tree: no order is proved for its drain while packets may not
// drain.
TEST(TableWriter, LogsTheRisksOfAnUnprovedOrder) {
  Manager manager(six().fabric(), false);
  manager.smps.drain = {};
  manager.smps.window_hoq_life = 8;
  const Change change = drain_of(manager, "B/C");
  ASSERT_EQ(change.order.method, SendPlan::Method::kWindow);
  const Written written = write_tables(change, manager.subnet, manager.environment());
  EXPECT_TRUE(written.begun && written.all_confirmed);
  EXPECT_EQ(manager.said(), plain(R"(
      log: no lossless order is proved, so it is sent 'window': packets for 2 LIDs may be lost, for example LID 3 during phase 1: a packet may loop back to B
      error: until the last block is written, packets may deadlock for the switches' head-of-queue lifetime: no order is proved: head-of-queue lifetime must break deadlocks until the last write is acknowledged
      repair_block 0x410 0
      repair_block 0x420 0
      repair_block 0x450 0
      repair_block 0x440 0
      repair_block 0x430 0
      log: head-of-queue lifetime lowered to 1.049 ms at 12 ports for that time, put back at 12
  )"));
  manager.smps.window_hoq_life = 0;  // 0: the head-of-queue lifetime is not changed
  write_tables(change, manager.subnet, manager.environment());
  EXPECT_EQ(manager.said().find("lowered"), std::string::npos);
}

TEST(TableWriter, AProvedOrderLogsNothing) {
  Manager manager(six().fabric());
  manager.smps.window_hoq_life = 8;
  const Change change = drain_of(manager, "E/F");
  Spoilt smps(manager.subnet);
  const Instant before = manager.clock.now();
  const Written written = write_tables(change, smps, manager.environment());
  EXPECT_TRUE(written.all_confirmed);
  using Milliseconds = std::chrono::duration<double, std::milli>;
  EXPECT_EQ(written.ms, Milliseconds(manager.clock.now() - before).count());
  EXPECT_EQ(manager.said(), plain(R"(
      repair_block 0x420 0
      repair_block 0x440 0
      repair_block 0x460 0
      repair_block 0x450 0
  )"));
  EXPECT_EQ(smps.sets, 4u);
  EXPECT_EQ(smps.gets, 4u);
  EXPECT_EQ(written.confirmed.blocks.size(), 4u);
  EXPECT_TRUE(written.confirmed.unknown_blocks.empty());
  // Packets to one LID may be lost: the log says so.
  Change lossy = change;
  lossy.lossy_lids = 1;
  lossy.lossy_witness = "this";
  write_tables(lossy, smps, manager.environment());
  EXPECT_TRUE(manager.said().starts_with(
      "log: no lossless order is proved, so it is sent 'lossless': packets "
      "for 1 LIDs may be lost, for example this\n"));
  smps.sets = 0;
  // If the subnet manager's copies of the tables differ, no write is begun.
  manager.copies_match = false;
  const Written none = write_tables(change, smps, manager.environment());
  EXPECT_FALSE(none.begun || none.all_confirmed);
  EXPECT_EQ(smps.sets, 0u);
  EXPECT_EQ(manager.said(), "");
}

/// A phase begins only when every write of the one before is acknowledged.
TEST(TableWriter, AWriteThatFailsEndsIt) {
  Manager manager(six().fabric());
  const Change change = drain_of(manager, "E/F");
  ASSERT_EQ(change.order.phases.size(), 2u);
  Spoilt smps(manager.subnet);
  bool first = true;
  smps.spoil = [&](const SmpRequest& r, SmpAnswer& a) {
    if (is_lft(r, SmpMethod::kSet) && std::exchange(first, false)) a.status = 0x1c;
  };
  const Written written = write_tables(change, smps, manager.environment());
  EXPECT_TRUE(written.begun);
  EXPECT_FALSE(written.all_confirmed);
  EXPECT_EQ(smps.sets, change.order.phases[0].size());
  EXPECT_EQ(smps.gets, 4u);  // every block that was to be written is read back
}

/// Answers that are lost in all tries of a round are waited for once more, in the same phase.
TEST(TableWriter, AWriteThatNobodyAnswersIsRepeatedInItsPhase) {
  for (const unsigned lost : {1u, 2u, 3u}) {
    Manager manager(six().fabric());
    const Change change = drain_of(manager, "E/F");
    ASSERT_EQ(change.order.phases.size(), 2u);
    const std::size_t in_first = change.order.phases[0].size();
    ASSERT_GE(in_first, 2u);
    Spoilt smps(manager.subnet);
    // The writes of the first phase are answered one after another, each after `lost` rounds of
    // silence of the one before it.
    unsigned silent = 0;
    smps.spoil = [&](const SmpRequest& r, SmpAnswer& a) {
      if (is_lft(r, SmpMethod::kSet) && silent < lost && smps.sets >= in_first) {
        ++silent;
        a.status = kSmpNoAnswer;
      }
    };
    const Written written = write_tables(change, smps, manager.environment());
    EXPECT_TRUE(written.begun);
    // One silent write of two is repeated. Two of two are silence: the sweep sends them again.
    const bool repeated = lost < in_first;
    EXPECT_EQ(written.all_confirmed, repeated) << lost;
    EXPECT_EQ(smps.sets, repeated ? 4 + lost : in_first) << lost;
  }
}

TEST(TableWriter, AWriteThatNobodyEverAnswersEndsItAfterAFurtherRound) {
  Manager manager(six().fabric());
  const Change change = drain_of(manager, "E/F");
  const std::size_t in_first = change.order.phases[0].size();
  Spoilt smps(manager.subnet);
  std::optional<SmpRequest> dead;
  smps.spoil = [&](const SmpRequest& r, SmpAnswer& a) {
    if (!is_lft(r, SmpMethod::kSet)) return;
    if (!dead) dead = r;
    if (r.path.ports == dead->path.ports) a.status = kSmpNoAnswer;
  };
  const Written written = write_tables(change, smps, manager.environment());
  EXPECT_FALSE(written.all_confirmed);
  EXPECT_EQ(smps.sets, in_first + 1);
}

TEST(TableWriter, TheReadBackDecides) {
  for (const bool answered : {true, false}) {
    Manager manager(six().fabric());
    const Change change = drain_of(manager, "E/F");
    Spoilt smps(manager.subnet);
    unsigned seen = 0;
    smps.spoil = [&](const SmpRequest& r, SmpAnswer& a) {
      if (!is_lft(r, SmpMethod::kGet) || ++seen != 2) return;
      if (answered)
        a.data[5] ^= 1;
      else
        a.status = kSmpNoAnswer;
    };
    const Written written = write_tables(change, smps, manager.environment());
    EXPECT_FALSE(written.all_confirmed);
    EXPECT_EQ(written.confirmed.blocks.size(), answered ? 4u : 3u);
    EXPECT_EQ(written.confirmed.unknown_blocks.size(), answered ? 0u : 1u);
    const Tables held = manager.subnet.tables_in_switches(change.after->fabric);
    for (std::size_t i = 0; i < written.confirmed.blocks.size(); ++i) {
      const BlockImage& block = written.confirmed.blocks[i];
      for (std::uint8_t lid = 1; lid < kSmpDataBytes && lid <= change.after->fabric.top_lid();
           ++lid)
        EXPECT_EQ(block.entries[lid],
                  held.next(block.at, lid) ^ (answered && i == 1 && lid == 5 ? 1 : 0));
    }
  }
}

/// Writes of SL2VL tables, which a change of the guard needs, are confirmed as LFT blocks are.
TEST(TableWriter, RowsAreConfirmedAsBlocksAre) {
  for (const unsigned kind : {0u, 1u, 2u}) {
    Manager manager(six().fabric(), false);
    Change change = drain_of(manager, "E/F");
    Sl2VlRow row{};
    row[3] = 1;
    change.order.phases.resize(1);
    change.order.phases[0].sl2vl = {{six().at('B'), 1, 2, {}, row}, {six().at('D'), 1, 2, {}, row}};
    Spoilt smps(manager.subnet);
    unsigned seen = 0;
    smps.spoil = [&](const SmpRequest& r, SmpAnswer& a) {
      if (r.attribute != SmpAttribute::kSl2Vl || r.method != SmpMethod::kGet || ++seen != 2) return;
      if (kind == 1) a.data[1] ^= 0x10;
      if (kind == 2) a.status = 0x1c;
    };
    const Written written = write_tables(change, smps, manager.environment());
    EXPECT_EQ(written.all_confirmed, kind == 0) << kind;
    EXPECT_EQ(written.confirmed.rows.size(), kind == 2 ? 1u : 2u);
    EXPECT_EQ(written.confirmed.unknown_rows.size(), kind == 2 ? 1u : 0u);
    EXPECT_EQ(written.confirmed.rows[0].row, on_the_wire(row));
    EXPECT_EQ(written.confirmed.rows[0].at, six().at('B'));
    if (kind == 1) {
      EXPECT_NE(written.confirmed.rows[1].row, on_the_wire(row));
    }
  }
}

}  // namespace
}  // namespace selvedge
