// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Recorded figures, so that no change of the model goes unnoticed. An intended change must raise
// kModelVersion, so that results of older programs are not reused, and record the new figures.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

std::string figures(std::string_view experiment) {
  const PointResult r = test::run_only(experiment);
  return fmt::format("{}: {} injected, {} delivered, {} lost, {} hops, {} ticks",
                     state_name(r.state), r.totals.injected, r.totals.delivered,
                     r.totals.all_lost(), r.totals.packet_hops, r.window.latency.sum());
}

// Periodic arrivals: the figures do not depend on the rounding of log1p().
constexpr std::string_view kRest =
    "arrival = 'periodic'\n[measure]\nwarmup_us = 20\nduration_us = 100\n";

TEST(Golden, FiguresOfThisModelVersion) {
  ASSERT_EQ(kModelVersion, 3) << "write down the figures of the new version";
  const auto run = [](std::string_view head, std::string_view tail = "") {
    return figures(fmt::format("{}{}{}", head, kRest, tail));
  };
  EXPECT_EQ(run("[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'tftr'\nlmc = 1\n[model]\n"
                "paths = 'random'\n[traffic]\nload = 0.4\n"),
            "steady: 3312 injected, 3281 delivered, 0 lost, 11411 hops, 803776 ticks");
  EXPECT_EQ(run("[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'updn'\ntree = "
                "'bfs'\n[traffic]\nload = 0.2\n",
                "[[faults.cut]]\nwhat = 'S-1-1'\nat_us = 40\nrestore_at_us = 70\n"),
            "steady: 1657 injected, 1608 delivered, 37 lost, 5114 hops, 457636 ticks");
  EXPECT_EQ(run("[fabric]\nspec = 'tree:k=4,n=3'\n[routing]\nengine = 'dmodk'\nlmc = 2\n[model]\n"
                "selection = 'most-credits'\n[traffic]\nload = 0.5\n"),
            "steady: 16555 injected, 16312 delivered, 0 lost, 72978 hops, 6067476 ticks");
  EXPECT_EQ(run("[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'updn'\ntree = "
                "'bfs'\n[model]\npreset = 'ndr'\n"
                "switching = 'store-and-forward'\n[traffic]\nwindow = 2\nresponse_bytes = 64\n"),
            "steady: 5656 injected, 5624 delivered, 0 lost, 17740 hops, 160076621 ticks");
}

}  // namespace
}  // namespace selvedge::sim
