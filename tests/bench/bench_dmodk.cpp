// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The time of dmodk, compared with its lower bound: the time to copy ready LFTs once into fresh
// memory. Also the time of dmodk on damaged trees.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/fabric/stable_random.hpp"

namespace selvedge {
namespace {

constexpr const char* kTrees[] = {"tree:k=16,n=3", "xgft:m=18x18x36,w=1x18x18"};

void compute(benchmark::State& state, const Fabric& fabric) {
  const Engine& engine = find_engine("dmodk");
  for (auto _ : state) benchmark::DoNotOptimize(engine.compute(fabric, {}).tables.top_lid());
  state.SetLabel(kTrees[state.range(0)]);
}

void dmodk(benchmark::State& state) {
  compute(state, make_fabric(kTrees[state.range(0)], static_cast<unsigned>(state.range(1))));
}

void write_tables_once(benchmark::State& state) {
  const Fabric fabric = make_fabric(kTrees[state.range(0)], static_cast<unsigned>(state.range(1)));
  const Tables from = find_engine("dmodk").compute(fabric, {}).tables;
  for (auto _ : state) {
    Tables to(fabric);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      std::ranges::copy(from.lft(s), to.lft(s).begin());
    benchmark::DoNotOptimize(to.lft(0).data());
  }
  state.SetLabel(kTrees[state.range(0)]);
}

/// dmodk on a tree with some per cent of the cables missing.
void dmodk_damaged(benchmark::State& state) {
  const Fabric whole = make_fabric(kTrees[state.range(0)], 0);
  StableRandom random(1);
  Fault fault;
  for (const Channel c : whole.links())
    if (random.chance(static_cast<unsigned>(state.range(1)))) fault.links.push_back(c);
  compute(state, without(whole, fault));
}

BENCHMARK(write_tables_once)
    ->ArgNames({"tree", "lmc"})
    ->ArgsProduct({{0, 1}, {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(dmodk)
    ->ArgNames({"tree", "lmc"})
    ->ArgsProduct({{0, 1}, {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(dmodk_damaged)
    ->ArgNames({"tree", "percent"})
    ->ArgsProduct({{0, 1}, {1, 10}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace selvedge
