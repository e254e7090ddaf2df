// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Permutations of a Clos network's hosts. Which host of a leaf switch receives a flow does not
// matter here, so a flow has only its leaf switches.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/clos/wiring.hpp"
#include "sim/engine/random.hpp"

namespace selvedge::sim {

struct Flow {
  unsigned from = 0, to = 0;  // leaf switches

  friend bool operator==(const Flow&, const Flow&) = default;
};

enum class PermutationKind {
  kWorst,   // each leaf switch receives from as many others as possible (Zahavi 2012 §5)
  kRandom,  // all permutations with equal probability
};

/// A flow for each host, in the order of the hosts: leaf switch by leaf switch.
std::vector<Flow> draw_permutation(const Wiring& wiring, PermutationKind kind, Stream& chance);

/// Reads permutations of `hosts` hosts: a line for each, with the number of each host's destination
/// (0 is the first), separated by spaces or commas. Empty lines and lines that begin with # are
/// ignored. `where` names the file. Throws InputError.
std::vector<std::vector<unsigned>> read_permutations(std::string_view text, unsigned hosts,
                                                     const std::string& where);

/// The flows of a permutation of hosts.
std::vector<Flow> flows_of(const Wiring& wiring, const std::vector<unsigned>& destinations);

}  // namespace selvedge::sim
