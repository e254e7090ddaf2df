// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The time in which the engines make tables, without the proof. Arguments: side of the torus, LMC.
#include <benchmark/benchmark.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

void compute(benchmark::State& state, const Fabric& fabric, const char* engine,
             const EngineRequest& request) {
  const Engine& e = find_engine(engine);
  for (auto _ : state) benchmark::DoNotOptimize(e.compute(fabric, request).tables.top_lid());
  state.counters["lids"] = fabric.num_switches() + fabric.num_hosts() * fabric.host(0).lid_count();
}

Fabric square_torus(const benchmark::State& state) {
  const auto side = static_cast<unsigned>(state.range(0));
  return assign_lids(torus({side, side}), static_cast<unsigned>(state.range(1)));
}

void updn_bfs(benchmark::State& state) { compute(state, square_torus(state), "updn", {}); }

void updn_dfs(benchmark::State& state) {
  EngineRequest request;
  request.tree = EngineRequest::Tree::kDfs;
  compute(state, square_torus(state), "updn", request);
}

void spf_hops(benchmark::State& state) { compute(state, square_torus(state), "spf", {}); }

void spf_cost(benchmark::State& state) {
  const Fabric fabric = square_torus(state);
  EngineRequest request;
  request.link_cost.assign(fabric.num_channels(), 1.0);
  compute(state, fabric, "spf", request);
}

/// A k-ary 3-tree, whose switches have many arcs each.
void updn_fat_tree(benchmark::State& state) {
  compute(state, assign_lids(k_ary_n_tree(static_cast<unsigned>(state.range(0)), 3), 0), "updn",
          {});
}

#define SELVEDGE_TORI \
  ArgNames({"side", "lmc"})->ArgsProduct({{16, 32}, {0, 2}})->Unit(benchmark::kMillisecond)

BENCHMARK(updn_bfs)->SELVEDGE_TORI;
BENCHMARK(updn_dfs)->SELVEDGE_TORI;
BENCHMARK(spf_hops)->SELVEDGE_TORI;
BENCHMARK(spf_cost)->SELVEDGE_TORI;
BENCHMARK(updn_fat_tree)->ArgName("k")->Arg(8)->Arg(18)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace selvedge
