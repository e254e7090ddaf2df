// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The abstract system of Zahavi 2012 (§2, Fig. 9). A link carries at most p flows well; with more
// it is bad. At first each input switch spreads its flows over its links to the middle switches, at
// most p on each. So only links from middle to output switches can be bad. In each iteration every
// output switch that has a bad link picks a random flow of a worst link. In random order these
// flows are moved: the input switch draws one of all middle switches (that can be the present one);
// if that port holds p flows already, one of them takes the old port. The system has settled when
// no link is bad.
//
// In an incomplete network, a flow is moved only to a middle switch that has a cable to its output
// switch; so is the flow that takes its place. Where none can, the flow stays.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/clos/permutation.hpp"
#include "sim/clos/wiring.hpp"
#include "sim/engine/random.hpp"

namespace selvedge::sim {

enum class FirstAssignment {
  kMod,         // the i-th host of a leaf switch to middle switch i mod m (Fig. 9)
  kSemiRandom,  // at random, at most p on each (§2)
};

enum class NewMiddle {
  kAny,      // of all middle switches, as in the paper
  kAnother,  // never the present one. CLOS(2, 2, 2) with p = 1 then never settles
};

struct SettleRules {
  unsigned flows_per_link = 1;  // p
  FirstAssignment first = FirstAssignment::kMod;
  NewMiddle choice = NewMiddle::kAny;
  std::uint64_t most_iterations = 1000;
};

struct Settled {
  std::uint64_t iterations = 0, moves = 0;
  bool settled = false;
  std::vector<unsigned> middle;  // of each flow, at the end
};

/// The system of one permutation: `flows` as from draw_permutation().
class SelfRouting {
 public:
  SelfRouting(const Wiring& wiring, unsigned flows_per_link);

  /// Runs one permutation. No value if the input switches cannot even place their flows: a leaf
  /// switch has fewer uplinks than flows need, so no routing is good.
  std::optional<Settled> run(std::span<const Flow> flows, const SettleRules& rules, Stream& chance);

 private:
  struct Port {                   // of an input switch, to a middle switch
    std::vector<unsigned> flows;  // ascending
  };

  void reset(std::span<const Flow> flows);
  bool assign(FirstAssignment first, Stream& chance);
  bool make_room(unsigned flow, std::vector<bool>& tried);
  void pick_bad_flows(Stream& chance);
  bool move(unsigned flow, NewMiddle choice, Stream& chance);
  void put(unsigned flow, unsigned middle);
  void take(unsigned flow);

  const std::vector<unsigned>& ways(unsigned flow) const {
    const Flow& f = flows_[flow];
    return complete_ ? every_middle_ : ways_[std::size_t{f.from} * leaves_ + f.to];
  }
  Port& port(unsigned flow, unsigned middle) {
    return ports_[std::size_t{flows_[flow].from} * middles_ + middle];
  }
  unsigned& load(unsigned flow, unsigned middle) {
    return load_[std::size_t{flows_[flow].to} * middles_ + middle];
  }

  unsigned leaves_, middles_, limit_;
  bool complete_, folded_;
  std::vector<unsigned> every_middle_;
  std::vector<std::vector<unsigned>> ways_;  // per pair of leaf switches, unless complete

  std::span<const Flow> flows_;
  std::vector<unsigned> slot_;    // per flow: its number among those of its leaf switch
  std::vector<unsigned> middle_;  // per flow
  std::vector<Port> ports_;       // per leaf switch and middle switch, upwards
  std::vector<unsigned> load_;    // per leaf switch and middle switch, downwards
  std::vector<std::vector<unsigned>> received_;  // per leaf switch: the flows to it
  std::vector<unsigned> picked_, candidates_;
};

}  // namespace selvedge::sim
