// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests whether the dependency graph is acyclic, and finds a short cycle if it is not. A
// topological order of the nodes proves that there is no cycle, and is kept from one proof to the
// next. If edges are removed, the order remains valid. A new edge that points backwards costs a
// search only over the nodes between its ends (Pearce & Kelly 2006).
#pragma once

#include <vector>

#include "plugin/verify/dependencies.hpp"

namespace selvedge::prover {

/// A node of the dependency graph.
struct VirtualChannel {
  Channel channel;
  Vl vl;
  friend bool operator==(const VirtualChannel&, const VirtualChannel&) = default;
};

class TopologicalOrder {
 public:
  /// Orders all nodes. Returns false if there is a cycle; holds() is false then.
  bool build(const Wiring& wiring, const Dependencies& dependencies);
  bool holds() const { return holds_; }
  /// Repairs the order after one turn was added; all other turns must agree with the order. Returns
  /// false if the turn closes a cycle; holds() is false from then on.
  bool insert(const Wiring& wiring, const Dependencies& dependencies, const Turn& turn);

 private:
  using Node = std::uint32_t;  // channel * vls + vl
  bool search_forward(const Wiring& wiring, const Dependencies& dependencies, Node from,
                      std::uint32_t last);
  void search_backward(const Wiring& wiring, const Dependencies& dependencies, Node from,
                       std::uint32_t first);
  void reorder();

  bool holds_ = false;
  std::vector<std::uint32_t> position_;  // per node: its position in the order
  std::vector<std::uint8_t> seen_;       // per node: whether a search met it; cleared afterwards
  std::vector<Node> ahead_, behind_, pool_;
  std::vector<std::uint32_t> places_;
};

/// Returns short cycles, one from each of at most `most` strongly connected components.
std::vector<std::vector<VirtualChannel>> short_cycles(const Wiring& wiring,
                                                      const Dependencies& dependencies,
                                                      unsigned most);

}  // namespace selvedge::prover
