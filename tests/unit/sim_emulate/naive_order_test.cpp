// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulator shows a deadlock during a change of tables: the old and the new tables are free of
// deadlock, but the order of writing leads through a mixture of them that is not.
#include <gtest/gtest.h>

#include "sim/emulate/data_plane.hpp"
#include "tests/unit/sim_emulate/fake_subnet.hpp"

namespace selvedge::sim {
namespace {

using std::chrono::milliseconds;

/// Each host of a ring of four sends packets of 256 bytes to the opposite host, without a pause.
struct Opposite : Traffic {
  explicit Opposite(Tick every_in) : every(every_in) {}
  Message next(HostId from) override {
    return {.at = every * sent[from]++, .to = (from + 2) % 4, .bytes = 256};
  }
  void put_back(HostId from) override { --sent[from]; }
  Tick every;
  std::array<Tick, 4> sent{};
};

struct NobodyListens : Arrivals {
  void arrived(PortAt, MadPacket&) override {}
  void lost(const MadPacket&, LossCause) override {}
};

//   0 ── 1      The old tables avoid the cable 3–0, the new ones the cable 1–2. Each set's paths
//   are │    │      those of a line, whose dependencies have no cycle. While switches 0 and 1 have
//   the 3 ── 2      old tables, 2 and 3 the new ones, all four paths go clockwise.
struct NaiveOrder : ::testing::Test {
  static Model model_of(const Fabric& fabric) {
    Parameters parameters;
    parameters.management_buffer_bytes = 1024;
    return resolve(parameters, Tables(fabric), 8);
  }
  /// The LFT of a switch on the ring without the cable from `gap` to the switch after it.
  void write(SwitchId s, SwitchId gap) {
    std::array<std::uint8_t, 64> block;
    block.fill(kNoPort);
    for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid) {
      const LidOwner owner = fabric.owner(static_cast<Lid>(lid));
      const bool is_host = owner.kind == LidOwner::Kind::kHost;
      const SwitchId to = is_host ? fabric.host(owner.id).at : owner.id;
      bool up_crosses = false;
      for (SwitchId at = s; at != to; at = (at + 1) % 4) up_crosses = up_crosses || at == gap;
      const PortNum there = is_host ? fabric.host(owner.id).port : PortNum{0};
      block[lid] = to == s ? there : up_crosses ? PortNum{1} : PortNum{2};
    }
    SmaChange change;
    f.subnet.agent(s).execute({mad_method::kSet, smp_attribute::kLinearForwarding, 0, 0, 1, 0},
                              block.data(), change);
    if (plane) plane->follow(s, change);
  }
  void SetUp() override {
    f.bring_up(fabric, 1);
    for (SwitchId s = 0; s < 4; ++s) write(s, 3);
    plane = std::make_unique<DataPlane>(f.subnet, fabric, model, traffic, 1);
  }
  void run(milliseconds time) { plane->run(plane->now() + time, nobody); }
  bool deadlocked() const { return !plane->network().deadlock(true).empty(); }

  const Fabric fabric = assign_lids(torus({4}), 0);
  FakeSubnet f{fabric};
  const Model model = model_of(fabric);
  Opposite traffic{model.time_base.at(100)};
  std::unique_ptr<DataPlane> plane;
  NobodyListens nobody;
};

TEST_F(NaiveOrder, NeitherSetOfTablesDeadlocks) {
  run(milliseconds(5));
  EXPECT_FALSE(deadlocked());
  EXPECT_GT(plane->network().totals().delivered, 1000U);
  plane.reset();
  for (SwitchId s = 0; s < 4; ++s) write(s, 1);
  traffic.sent = {};
  plane = std::make_unique<DataPlane>(f.subnet, fabric, model, traffic, 1);
  run(milliseconds(5));
  EXPECT_FALSE(deadlocked());
  EXPECT_GT(plane->network().totals().delivered, 1000U);
}

TEST_F(NaiveOrder, ADeadlockOfTheirMixtureIsSeenAndLasts) {
  run(milliseconds(1));
  ASSERT_FALSE(deadlocked());
  write(2, 1);
  write(3, 1);
  run(milliseconds(5));
  EXPECT_TRUE(deadlocked());
  // The rest of the change comes too late: the deadlocked packets have been routed already.
  write(0, 1);
  write(1, 1);
  const std::uint64_t delivered = plane->network().totals().delivered;
  run(milliseconds(5));
  EXPECT_TRUE(deadlocked());
  EXPECT_EQ(plane->network().totals().delivered, delivered);
  EXPECT_EQ(plane->network().totals().all_lost(), 0U);
}

}  // namespace
}  // namespace selvedge::sim
