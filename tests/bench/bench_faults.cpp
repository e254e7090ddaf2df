// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The time to find which faults tables survive (plugin/verify/survival.hpp), with one thread.
#include <benchmark/benchmark.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/verify/survival.hpp"
#include "tests/support/torus_tables.hpp"

namespace {

using namespace selvedge;

void report(benchmark::State& state, std::uint64_t combinations) {
  state.counters["combinations"] = static_cast<double>(combinations);
  state.counters["per second"] = benchmark::Counter(static_cast<double>(combinations),
                                                    benchmark::Counter::kIsIterationInvariantRate);
}

/// Tables with four switch-disjoint paths for each pair; all combinations of `from` to `to` faults.
void trees(benchmark::State& state, unsigned side, FaultKind of, unsigned from, unsigned to,
           bool symmetry) {
  const Fabric fabric = test::torus_2d(side, side, 2);
  const Tables tables = test::four_trees(fabric, side, side);
  std::uint64_t evaluated = 0;
  for (auto _ : state) {
    evaluated = 0;
    for (unsigned faults = from; faults <= to; ++faults)
      evaluated += survive(fabric, tables, true,
                           {.of = of, .faults = faults, .sample = {}, .symmetry = symmetry})
                       .evaluated;
  }
  report(state, evaluated);
}

void engine(benchmark::State& state, const char* name, const char* spec, unsigned lmc,
            unsigned faults) {
  const Fabric fabric = make_fabric(spec, lmc);
  const Tables tables = find_engine(name).compute(fabric, {}).tables;
  std::uint64_t evaluated = 0;
  for (auto _ : state)
    evaluated = survive(fabric, tables, true, {.faults = faults, .sample = {}}).evaluated;
  report(state, evaluated);
}

void sample(benchmark::State& state, unsigned side, unsigned faults, std::uint64_t draws) {
  const Fabric fabric = test::torus_2d(side, side, 2);
  const Tables tables = test::four_trees(fabric, side, side);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        survive(fabric, tables, true, {.faults = faults, .sample = draws}).singular);
  report(state, draws);
}

constexpr auto kLinks = FaultKind::kLinks, kSwitches = FaultKind::kSwitches;

BENCHMARK_CAPTURE(trees, 4x4_links_1_to_5, 4, kLinks, 1, 5, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(trees, 4x4_switches_1_to_5, 4, kSwitches, 1, 5, false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(trees, 6x6_links_4, 6, kLinks, 4, 4, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(trees, 6x6_links_4_symmetry, 6, kLinks, 4, 4, true)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(trees, 6x6_switches_4, 6, kSwitches, 4, 4, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(trees, 10x10_links_3, 10, kLinks, 3, 3, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(engine, updn_4x4_lmc2_links_4, "updn", "torus:4x4", 2, 4)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(engine, updn_6x6_lmc2_links_4, "updn", "torus:6x6", 2, 4)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sample, 6x6_links_6_of_10000, 6, 6, 10000)->Unit(benchmark::kMillisecond);

}  // namespace
