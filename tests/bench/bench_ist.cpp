// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The time in which the engine ist computes tables, compared with its lower bound: the time to
// write the same tables once (LFTs, path SLs, SL2VL). Argument: side of the torus.
#include <benchmark/benchmark.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

Fabric square(const benchmark::State& state) {
  const auto side = static_cast<unsigned>(state.range(0));
  return assign_lids(torus({side, side}), 2);
}

void ist_compute(benchmark::State& state) {
  const Fabric fabric = square(state);
  const Engine& ist = find_engine("ist");
  for (auto _ : state) benchmark::DoNotOptimize(ist.compute(fabric, {}).tables.top_lid());
}

void ist_write_once(benchmark::State& state) {
  const Fabric fabric = square(state);
  const Tables source = find_engine("ist").compute(fabric, {}).tables;
  for (auto _ : state) {
    Tables tables(fabric);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      for (unsigned lid = 1; lid <= source.top_lid(); ++lid) {
        const Lid dlid = static_cast<Lid>(lid);
        tables.set_next(s, dlid, source.next(s, dlid));
        tables.set_sl(s, dlid, source.sl(s, dlid));
      }
      for (PortNum in = 1; in <= 4; ++in)
        for (PortNum out = 1; out <= 4; ++out)
          tables.sl2vl.set(s, in, out, source.sl2vl.row(s, in, out));
    }
    benchmark::DoNotOptimize(tables.top_lid());
  }
}

/// ist on a torus that has lost a cable: it computes detours and another multicast tree.
void ist_damaged(benchmark::State& state) {
  const Fabric whole = square(state);
  FabricBuilder builder(whole);
  builder.unplug(0, 2);
  const Fabric fabric = std::move(builder).build("a cable lost");
  const Engine& ist = find_engine("ist");
  for (auto _ : state) benchmark::DoNotOptimize(ist.compute(fabric, {}).tables.top_lid());
}

#define SELVEDGE_SIDES ArgName("side")->Arg(6)->Arg(10)->Arg(16)->Unit(benchmark::kMillisecond)

BENCHMARK(ist_compute)->SELVEDGE_SIDES;
BENCHMARK(ist_write_once)->SELVEDGE_SIDES;
BENCHMARK(ist_damaged)->SELVEDGE_SIDES;

}  // namespace
}  // namespace selvedge
