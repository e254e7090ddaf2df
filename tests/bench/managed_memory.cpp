// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The memory that a simulated network (sim/model/network.hpp) needs when tables are written during
// the simulation. `managed_memory writes N` writes N blocks of 64 LFT entries at random switches of
// a 32×32 torus, each with one route taken out. `managed_memory order` lets the network check the
// order of packets (as it does from the first write on) on a tree of 10,648 hosts under load 0.5.
// The program prints one line of JSON: resident bytes before and after.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/spec.hpp"
#include "sim/model/network.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kBlock = 64;  // LFT entries
constexpr std::uint64_t kSettlingHops = 3'000'000, kWritesPerStep = 1000;

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4096;
}

/// A fabric under uniform traffic.
struct Setting {
  Fabric fabric;
  Tables tables;
  Model model;
  std::unique_ptr<Traffic> traffic;
  Network network;

  Setting(const char* spec, const char* engine, double load)
      : fabric(make_fabric(spec, 0)),
        tables(find_engine(engine).compute(fabric, {}).tables),
        model(resolve({}, tables)),
        traffic(traffic_of(fabric, model, load)),
        network(fabric, tables, model, *traffic, 1) {}

  static std::unique_ptr<Traffic> traffic_of(const Fabric& fabric, const Model& model,
                                             double load) {
    TrafficSpec spec;
    spec.load = load;
    return make_traffic(spec, fabric, model, 1);
  }
  std::vector<PortNum> block(SwitchId at, unsigned number) const {
    const std::span<const PortNum> lft = tables.lft(at).subspan(std::size_t{number} * kBlock);
    return {lft.begin(), lft.begin() + std::min<std::ptrdiff_t>(kBlock, std::ssize(lft))};
  }
  void run_hops(std::uint64_t hops) {
    const std::uint64_t end = network.totals().packet_hops + hops;
    const Tick slice = model.mtu_bytes * model.to_hosts.byte_time;
    while (network.totals().packet_hops < end) network.run(network.now() + slice);
  }
};

void print(std::uint64_t before, std::uint64_t after) {
  fmt::print("{{\"before_bytes\": {}, \"after_bytes\": {}}}\n", before, after);
}

void write_blocks(std::uint64_t writes) {
  Setting s("torus:32x32", "updn", 0.05);
  std::mt19937_64 random(1);
  const unsigned blocks = s.tables.top_lid() / kBlock + 1;
  const auto write = [&] {
    const auto at = static_cast<SwitchId>(random() % s.fabric.num_switches());
    const auto block = static_cast<unsigned>(random() % blocks);
    std::vector<PortNum> entries = s.block(at, block);
    // Packets are lost; other changes could make them loop.
    entries[random() % entries.size()] = kNoPort;
    s.network.write_lft_block(at, block, entries);
  };
  s.run_hops(kSettlingHops);
  write();  // from here on the network checks the order of packets
  s.run_hops(kSettlingHops);
  const std::uint64_t before = resident_bytes();
  for (std::uint64_t i = 0; i < writes; ++i) {
    write();
    if (i % kWritesPerStep == 0) s.run_hops(kWritesPerStep);
  }
  print(before, resident_bytes());
}

void watch_order() {
  Setting s("tree:k=22,n=3", "dmodk", 0.5);
  s.run_hops(10 * kSettlingHops);
  const std::uint64_t before = resident_bytes();
  s.network.write_lft_block(0, 0, s.block(0, 0));  // the block's present content
  s.run_hops(10 * kSettlingHops);
  print(before, resident_bytes());
}

}  // namespace
}  // namespace selvedge::sim

int main(int count, char** words) {
  const std::string_view what = count > 1 ? words[1] : "";
  try {
    if (what == "writes" && count == 3)
      selvedge::sim::write_blocks(std::strtoull(words[2], nullptr, 10));
    else if (what == "order" && count == 2)
      selvedge::sim::watch_order();
    else
      return fmt::print(stderr, "usage: managed_memory writes N | managed_memory order\n"), 2;
  } catch (const selvedge::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
  return 0;
}
