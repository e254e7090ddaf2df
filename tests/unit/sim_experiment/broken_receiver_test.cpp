// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Claim M3 notices a broken receiver of the daemon's protocol: a point of its figures ends with an
// error. The mutants are those of unit/sim_hca/oracle_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/experiment/claims.hpp"
#include "sim/experiment/class_model.hpp"
#include "sim/experiment/routed_fabric.hpp"
#include "sim/traffic/spec.hpp"
#include "tests/unit/sim_hca/break_receiver.hpp"

namespace selvedge::sim {
namespace {

using namespace test;
using protocol::Inspect;

/// Breaks a receiver in the first point of a figure of M3, with the shorter runs of --quick.
template <class Mutate>
Found break_in_m3(std::string_view name, Mutate&& mutate) {
  const Claim claim = read_claim(SELVEDGE_SOURCE_DIR "/conf/claims/M3.toml");
  const FigureSpec& figure = *std::ranges::find(claim.figures, name, &FigureSpec::name);
  std::vector<std::string> set = figure.set;
  set.insert(set.end(), figure.quick.begin(), figure.quick.end());
  const Experiment experiment = load_experiment(figure.experiment, set);
  const Point& point = experiment.points.at(0);
  const RoutedFabric routed = make_routed_fabric(point.fabric, point.routing);
  const Model model = resolve_with_classes(point, routed.tables);
  const auto above = make_traffic(point.traffic, routed.fabric, model_above(point.hca, model),
                                  point.seed, &routed.tables);
  return break_receiver(routed.fabric, routed.tables, model, point.hca, *above, point.seed, mutate);
}

TEST(BrokenReceiver, ThatSkipsAPacketFailsM3) {
  const auto skip = [](protocol::Receiver& receiver) { return Inspect::skip(receiver); };
  EXPECT_EQ(break_in_m3("li_32k_irregular", skip), Found::kThrown);
  EXPECT_EQ(break_in_m3("li_256k_torus", skip), Found::kThrown);
}

TEST(BrokenReceiver, ThatMixesPacketsUpFailsM3) {
  const auto swap = [](protocol::Receiver& receiver) { return Inspect::swap(receiver); };
  EXPECT_EQ(break_in_m3("li_32k_irregular", swap), Found::kThrown);
  EXPECT_EQ(break_in_m3("li_256k_torus", swap), Found::kThrown);
}

}  // namespace
}  // namespace selvedge::sim
