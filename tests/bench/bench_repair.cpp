// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The time of in-place repair, compared with computing the tables anew. Arguments: side of the
// torus (2 hosts a switch), and the number of cables that fail at once (other cables in each
// iteration).
#include <benchmark/benchmark.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {
namespace {

constexpr std::uint64_t kSeed = 8;

Fabric square_torus(const benchmark::State& state) {
  const auto side = static_cast<unsigned>(state.range(0));
  return assign_lids(torus({side, side}, 2), 0);
}

/// What a sweep does after a fault: makes the damaged fabric and computes updn's tables for it,
/// with or without their proof.
void anew(benchmark::State& state, bool prove) {
  const Fabric fabric = square_torus(state);
  const Engine& engine = find_engine("updn");
  StableRandom random(kSeed);
  for (auto _ : state) {
    const Fabric left =
        without(fabric, {{fabric.links()[random.below(fabric.links().size())]}, {}});
    const Routing routing = engine.compute(left, {});
    benchmark::DoNotOptimize(routing.tables.top_lid());
    if (prove) benchmark::DoNotOptimize(verify(left, routing.tables).verdict().connected);
  }
}
void updn_anew(benchmark::State& state) { anew(state, false); }
void updn_anew_proved(benchmark::State& state) { anew(state, true); }

/// Each iteration repairs freshly computed tables once, with or without revising the proof.
void repair(benchmark::State& state, bool prove) {
  const Fabric fabric = square_torus(state);
  const Routing routing = find_engine("updn").compute(fabric, {});
  const Proof whole = verify(fabric, routing.tables);
  RepairRequest request;
  // The fast path does not count them: only reports show the figure.
  request.count_affected = false;
  StableRandom random(kSeed);
  for (auto _ : state) {
    state.PauseTiming();
    auto repair =
        std::make_unique<InPlaceRepair>(fabric, routing.tables, routing.multicast, request);
    Proof proof = whole;
    Fault fault;
    for (std::int64_t i = 0; i < state.range(1); ++i)
      fault.links.push_back(fabric.links()[random.below(fabric.links().size())]);
    state.ResumeTiming();
    const Repair done = repair->fail(fault);
    benchmark::DoNotOptimize(done.delta.lft.size());
    if (prove) {
      proof = verify(std::move(proof), repair->fabric(), repair->tables(), done.delta,
                     rewired(fabric, repair->fabric()));
      benchmark::DoNotOptimize(proof.verdict().connected);
    }
    state.PauseTiming();
    repair.reset();
    state.ResumeTiming();
  }
}

void repair_updn(benchmark::State& state) { repair(state, false); }
void repair_updn_proved(benchmark::State& state) { repair(state, true); }

BENCHMARK(updn_anew)->ArgName("side")->Arg(14)->Unit(benchmark::kMicrosecond);
BENCHMARK(updn_anew_proved)->ArgName("side")->Arg(14)->Unit(benchmark::kMicrosecond);
BENCHMARK(repair_updn)
    ->ArgNames({"side", "faults"})
    ->ArgsProduct({{14}, {1, 2, 3, 4, 6, 8}})
    ->Iterations(200)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(repair_updn_proved)
    ->ArgNames({"side", "faults"})
    ->Args({14, 1})
    ->Iterations(200)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace selvedge
