// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/around_cuts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/tables/paths.hpp"
#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

// TFTR has four disjoint paths for every pair of a 2D torus, so three cuts leave at least one. The
// chosen path is unbroken, and none of the pair's other unbroken disjoint paths is shorter.
RC_GTEST_PROP(AroundCuts, ChoosesUnbrokenPaths, ()) {
  static const Engine& engine = find_engine("tftr");
  static const Fabric fabric = make_fabric_choosing_lmc("torus:4x4", engine.lmc);
  static const Tables tables = engine.compute(fabric, {}).tables;
  std::vector<Channel> cut;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
    cut.push_back(fabric.links()[*rc::gen::inRange<std::size_t>(0, fabric.links().size())]);
  const auto crosses = [&](const Path& path) {
    return std::ranges::any_of(path.channels, [&](Channel c) {
      return std::ranges::find(cut, c) != cut.end() ||
             std::ranges::find(cut, fabric.peer(c)) != cut.end();
    });
  };
  const std::vector<std::uint8_t> offsets = offsets_around(fabric, tables, cut);
  RC_ASSERT(offsets.size() == std::size_t{fabric.num_switches()} * fabric.num_hosts());
  DisjointPaths disjoint(fabric, tables);
  for (HostId from = 0; from < fabric.num_hosts(); ++from)
    for (HostId to = 0; to < fabric.num_hosts(); ++to) {
      if (from == to) continue;
      const SwitchId s = fabric.host(from).at;
      const auto walked = [&](unsigned offset) {
        return walk(fabric, tables, s, fabric.host(from).port,
                    static_cast<Lid>(fabric.host(to).lid + offset));
      };
      const Path path = walked(offsets[s * fabric.num_hosts() + to]);
      RC_ASSERT(path.arrives());
      RC_ASSERT(!crosses(path));
      for (const unsigned other : disjoint.find(s, to)) {
        const Path p = walked(other);
        RC_ASSERT(crosses(p) || p.hops() >= path.hops());
      }
    }
}

// In a simulation with cuts, packets are lost if sources always use the first path, and none is
// lost with around_cuts.
TEST(AroundCuts, NoPacketIsLost) {
  const auto lost = [](bool around) {
    const PointResult r = test::run_only(fmt::format(
        "[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'tftr'\naround_cuts = {}\n[faults]\n"
        "random = 3\n[measure]\nwarmup_us = 0\nduration_us = 200\n",
        around));
    return r.totals.all_lost();
  };
  EXPECT_GT(lost(false), 0u);
  EXPECT_EQ(lost(true), 0u);
}

TEST(AroundCuts, ExcludesAPathChoice) {
  EXPECT_NE(test::complaint("[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'tftr'\n"
                            "around_cuts = true\n[model]\npaths = 'random'\n"),
            "");
}

}  // namespace
}  // namespace selvedge::sim
