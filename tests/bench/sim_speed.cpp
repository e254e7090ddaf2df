// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The speed of the simulator. `sim_speed FABRIC ENGINE LOAD HOPS [BUFFERS [BLOCKS]]` moves packets
// of BLOCKS (16) blocks of 64 bytes under uniform traffic until HOPS packet-hops (a packet routed
// at a switch) are done, with all statistics on, and prints one line of JSON. A buffer holds
// BUFFERS (2) packets. The time measured is the CPU time of the simulation alone, after a tenth of
// HOPS.
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/spec.hpp"
#include "sim/model/network.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kHeader = 26;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

int run(char** words, unsigned packets_held, unsigned blocks) {
  const unsigned packet = blocks * kBlockBytes;
  const Engine& engine = find_engine(words[2]);
  const Fabric fabric = make_fabric_choosing_lmc(
      words[1], [&](const Fabric& f) { return engine.lmc == nullptr ? 0u : engine.lmc(f); });
  const Tables tables = engine.compute(fabric, {}).tables;
  Parameters p;
  p.mtu_bytes = packet - kHeader;
  p.header_bytes = kHeader;
  p.input_buffer_bytes = p.output_buffer_bytes = packets_held * packet;
  const Model model = resolve(p, tables);

  TrafficSpec spec;
  spec.load = std::atof(words[3]);
  spec.payload_bytes = packet - kHeader;
  const auto traffic = make_traffic(spec, fabric, model, 1);
  Network network(fabric, tables, model, *traffic, 1);

  const auto wanted = static_cast<std::uint64_t>(std::atoll(words[4]));
  const Tick slice = 100 * packet * model.to_hosts.byte_time;
  while (network.totals().packet_hops < wanted / 10) network.run(network.now() + slice);
  const Totals before = network.totals();
  const double begin = cpu_seconds();
  while (network.totals().packet_hops < wanted) network.run(network.now() + slice);
  const double seconds = cpu_seconds() - begin;
  const auto hops = network.totals().packet_hops - before.packet_hops;
  const auto events = network.totals().events - before.events;
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  fmt::print(
      "{{\"hosts\": {}, \"all_hops\": {}, \"hops\": {}, \"cpu_s\": {:.4f}, \"hops_per_s\": {:.0f}, "
      "\"events_per_hop\": {:.3f}, \"peak_bytes\": {}}}\n",
      fabric.num_hosts(), network.totals().packet_hops, hops, seconds,
      static_cast<double>(hops) / seconds, static_cast<double>(events) / static_cast<double>(hops),
      use.ru_maxrss * 1024);
  return 0;
}

}  // namespace
}  // namespace selvedge::sim

int main(int count, char** words) {
  if (count < 5 || count > 7) {
    fmt::print(stderr, "usage: sim_speed FABRIC ENGINE LOAD HOPS [BUFFERS [BLOCKS]]\n");
    return 2;
  }
  const auto number = [&](int at, int otherwise) {
    return static_cast<unsigned>(count > at ? std::atoi(words[at]) : otherwise);
  };
  try {
    return selvedge::sim::run(words, number(5, 2), number(6, 16));
  } catch (const selvedge::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
