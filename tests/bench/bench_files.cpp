// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reading a fabric file, from its text in memory to the Fabric. SELVEDGE_BENCH_FABRIC names a file
// (real output of ibnetdiscover); without it a written 32×32 torus is read.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "plugin/fabric/files.hpp"
#include "plugin/fabric/generators.hpp"

namespace {

std::string fabric_text() {
  if (const char* path = std::getenv("SELVEDGE_BENCH_FABRIC")) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  return selvedge::write_net(selvedge::torus({32, 32}));
}

void read_fabric(benchmark::State& state) {
  const std::string text = fabric_text();
  std::uint32_t switches = 0;
  for (auto _ : state) {
    const selvedge::FabricFile file = selvedge::read_fabric(text, "benchmark");
    switches = file.fabric.num_switches();
    benchmark::DoNotOptimize(switches);
  }
  state.counters["switches"] = switches;
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

BENCHMARK(read_fabric)->Unit(benchmark::kMillisecond);

}  // namespace
