// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Small fabrics, built by hand or at random, and random tables for them. The tables are sound (a
// tree for each LID) with random errors, so that every Path::End occurs.
#pragma once

#include <rapidcheck.h>
#include <random>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// 0 … bound − 1.
  unsigned below(unsigned bound) { return static_cast<unsigned>(engine_() % bound); }
  bool one_in(unsigned n) { return below(n) == 0; }
  template <typename T>
  T& pick(std::vector<T>& from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }

 private:
  std::mt19937_64 engine_;
};

struct Sample {
  Fabric fabric;
  Tables tables;
};

struct SampleOptions {
  unsigned switches = 6;
  unsigned cables = 10;
  unsigned hosts = 6;
  unsigned lmc_max = 2;
  bool faults = true;  // failed switches and cables
  bool wrong_entries = true;
  bool drops = true;  // VL 15 in some entries
  bool multicast = true;
};

/// A random graph with parallel cables and cables from a switch to itself, and hosts with different
/// LMCs.
Fabric random_fabric(Dice& dice, const SampleOptions& options);
/// A random tree to each LID; SLs, SL2VL rows and groups at random.
Tables random_tables(Dice& dice, const Fabric& fabric, const SampleOptions& options);

inline Sample random_sample(std::uint64_t seed, const SampleOptions& options) {
  Dice dice(seed);
  Sample sample;
  sample.fabric = random_fabric(dice, options);
  sample.tables = random_tables(dice, sample.fabric, options);
  return sample;
}

/// Options and a seed, which rapidcheck chooses, shrinks and prints.
inline SampleOptions any_options() {
  SampleOptions o;
  o.switches = *rc::gen::inRange(1u, 8u).as("switches");
  o.cables = *rc::gen::inRange(0u, 16u).as("cables");
  o.hosts = *rc::gen::inRange(0u, 9u).as("hosts");
  o.lmc_max = *rc::gen::inRange(0u, 4u).as("largest LMC");
  o.faults = *rc::gen::arbitrary<bool>().as("faults");
  o.wrong_entries = *rc::gen::arbitrary<bool>().as("wrong entries");
  o.drops = *rc::gen::arbitrary<bool>().as("drops");
  return o;
}
/// Small graphs with many cables, of which some have faults, wrong entries and drops, by the seed.
inline SampleOptions dense_options(unsigned seed, unsigned hosts) {
  SampleOptions o;
  o.switches = 6;
  o.cables = 16;
  o.hosts = hosts;
  o.lmc_max = seed % 3;
  o.faults = seed % 2 == 0;
  o.wrong_entries = seed % 4 == 0;
  o.drops = seed % 5 == 0;
  return o;
}
inline std::uint64_t any_seed() { return *rc::gen::arbitrary<std::uint64_t>().as("seed"); }

/// Switches S-0… with `ports` ports, GUIDs 0x100 + id; LIDs 1, 2, …
inline SwitchId add_switch(FabricBuilder& b, unsigned id, unsigned ports) {
  return b.add_switch({.guid = 0x100 + id,
                       .name = "S-" + std::to_string(id),
                       .ports = static_cast<PortNum>(ports),
                       .lid = static_cast<Lid>(id + 1)});
}
/// Hosts H-0… with GUIDs 0x200 + id.
inline HostId add_host(FabricBuilder& b, unsigned id, SwitchId at, unsigned port, unsigned lid,
                       unsigned lmc = 0) {
  return b.add_host({.guid = 0x200 + id,
                     .node_guid = 0x200 + id,
                     .name = "H-" + std::to_string(id),
                     .at = at,
                     .port = static_cast<PortNum>(port),
                     .lid = static_cast<Lid>(lid),
                     .lmc = static_cast<std::uint8_t>(lmc)});
}

}  // namespace selvedge::test
