// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The time of a proof of tables: a full proof, and its revision after a change.
#include <benchmark/benchmark.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/verify/verify.hpp"

namespace {

using namespace selvedge;

struct Subnet {
  Fabric fabric;
  Tables tables;
};

Subnet subnet(const char* spec, unsigned lmc) {
  Subnet made;
  made.fabric = make_fabric(spec, lmc);
  made.tables = find_engine("updn").compute(made.fabric, {}).tables;
  return made;
}

/// Puts the paths on four SLs, each with a VL of its own, so that packets of several SLs cross each
/// switch.
void spread_sls(Subnet& made) {
  Sl2VlRow row{};
  for (unsigned sl = 0; sl < kSls; ++sl) row[sl] = static_cast<Vl>(sl % 4);
  for (SwitchId s = 0; s < made.fabric.num_switches(); ++s) {
    made.tables.sl2vl.set_all(s, row);
    for (unsigned lid = 1; lid <= made.tables.top_lid(); ++lid)
      made.tables.set_sl(s, static_cast<Lid>(lid), static_cast<Sl>((s + lid) % 4));
  }
}

void report(benchmark::State& state, const Subnet& made) {
  state.counters["LFT entries"] =
      static_cast<double>(made.tables.num_switches()) * (made.tables.top_lid() + 1.0);
}

void full(benchmark::State& state, const char* spec, unsigned lmc, unsigned sls,
          VerifyOptions options) {
  Subnet made = subnet(spec, lmc);
  if (sls > 1) spread_sls(made);
  for (auto _ : state) {
    const Proof proof = verify(made.fabric, made.tables, options);
    if (!proof.verdict().holds(options)) state.SkipWithError("the proof failed");
  }
  report(state, made);
}

/// A cable fails and nothing is repaired: the proof is of the same tables on the damaged fabric.
void cable_lost(benchmark::State& state, const char* spec, unsigned lmc, unsigned sls) {
  Subnet made = subnet(spec, lmc);
  if (sls > 1) spread_sls(made);
  const Channel c = made.fabric.links()[made.fabric.links().size() / 2];
  const Fabric left = without(made.fabric, {{c}, {}});
  const Proof proof = verify(made.fabric, made.tables);
  for (auto _ : state) {
    state.PauseTiming();
    Proof before = proof;
    state.ResumeTiming();
    before = verify(std::move(before), left, made.tables, {}, {c, made.fabric.peer(c)});
    benchmark::DoNotOptimize(before.verdict().failed_pairs);
  }
  report(state, made);
}

/// One LFT entry is changed: it now leads to a neighbour whose own path does not come back here.
void entry_changed(benchmark::State& state, const char* spec, unsigned lmc, unsigned sls) {
  Subnet made = subnet(spec, lmc);
  if (sls > 1) spread_sls(made);
  const Proof proof = verify(made.fabric, made.tables);
  Delta delta;
  const SwitchId at = made.fabric.num_switches() / 2;
  const auto dlid = static_cast<Lid>(made.tables.top_lid());
  for (const Channel c : made.fabric.out(at)) {
    const PortNum port = made.fabric.port_of(c), old = made.tables.next(at, dlid);
    if (port == old) continue;
    delta.lft.push_back({at, dlid, old, port});
    break;
  }
  apply(made.tables, delta);
  for (auto _ : state) {
    state.PauseTiming();
    Proof before = proof;
    state.ResumeTiming();
    before = verify(std::move(before), made.fabric, made.tables, delta);
    benchmark::DoNotOptimize(before.verdict().dependencies);
  }
  report(state, made);
}

constexpr const char* kTorus = "torus:32x32";
constexpr const char* kXgft = "xgft:m=18x18x36,w=1x18x18";

BENCHMARK_CAPTURE(full, torus_lmc0, kTorus, 0, 1, {})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(full, torus_lmc2, kTorus, 2, 1, {})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(full, torus_lmc2_replies_any_sl, kTorus, 2, 1, {.replies = true, .any_sl = true})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(full, torus_lmc2_disjoint, kTorus, 2, 1, {.disjoint = 1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(full, torus_lmc2_4sls, kTorus, 2, 4, {})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(full, torus_lmc2_4sls_replies_any_sl, kTorus, 2, 4,
                  {.replies = true, .any_sl = true})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(full, xgft, kXgft, 0, 1, {})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(full, xgft_4sls, kXgft, 0, 4, {})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cable_lost, torus_lmc2, kTorus, 2, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cable_lost, torus_lmc2_4sls, kTorus, 2, 4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cable_lost, xgft, kXgft, 0, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(entry_changed, torus_lmc2, kTorus, 2, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(entry_changed, torus_lmc2_4sls, kTorus, 2, 4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(entry_changed, xgft, kXgft, 0, 1)->Unit(benchmark::kMillisecond);

}  // namespace
