// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The dependency graph of channels and VLs (Dally & Seitz 1987), kept acyclic while it grows: a
// topological order that is mended with each new dependency (Pearce & Kelly 2006), so that the
// question "would this path close a cycle?" costs what the answer changes and not the whole graph.
//
// A node is a channel between switches on one VL. An edge means that a packet which holds the one
// may ask for the other. Edges are counted, so that what put one there can take it away again: the
// order of a graph serves what is left of it too.
#pragma once

#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

class DependencyOrder {
 public:
  struct Node {
    Channel channel;  // between switches
    Vl vl;
    friend bool operator==(const Node&, const Node&) = default;
  };
  struct Edge {
    Node from, to;  // `to` leaves the switch at which `from` arrives
    friend bool operator==(const Edge&, const Edge&) = default;
  };

  /// An empty graph for VLs 0 … vls − 1. Refers to the fabric, which must stay.
  DependencyOrder(const Fabric& fabric, unsigned vls);

  /// Takes a dependency without asking whether it closes a cycle. Call order() before add().
  void put(const Edge& edge) { ++edges_[at(edge)]; }
  /// Takes back one put() or one of an add().
  void take(const Edge& edge) { --edges_[at(edge)]; }
  /// Finds an order anew; false if there is a cycle. O(all edges that there may be).
  bool order();

  /// After order(): adds all of them, each as often as it is listed, or none and returns false if
  /// they would close a cycle.
  bool add(const std::vector<Edge>& edges);
  /// Back to what it was: `earlier` is a copy of this one.
  void restore(const DependencyOrder& earlier) {
    edges_ = earlier.edges_;
    rank_ = earlier.rank_;
  }
  bool has(const Edge& edge) const { return edges_[at(edge)] != 0; }
  std::uint32_t count(const Edge& edge) const { return edges_[at(edge)]; }
  std::size_t bytes() const {
    return edges_.size() * sizeof edges_[0] + first_.size() * sizeof first_[0] +
           rank_.size() * sizeof rank_[0];
  }

 private:
  using Id = std::uint32_t;  // channel × VLs + VL
  Id id(const Node& n) const { return n.channel * vls_ + n.vl; }
  Node node(Id i) const { return {i / vls_, static_cast<Vl>(i % vls_)}; }
  std::size_t at(const Edge& edge) const {
    return first_[id(edge.from)] + fabric_.port_of(edge.to.channel) * std::size_t{vls_} +
           edge.to.vl;
  }
  template <class F>
  void each_successor(Id from, F f) const;
  template <class F>
  void each_predecessor(Id to, F f) const;
  bool insert(const Edge& edge);

  const Fabric& fabric_;
  const unsigned vls_;
  std::vector<std::size_t> first_;    // per node, into edges_: a count for each (out port, VL)
  std::vector<std::uint32_t> edges_;  // how often each is there
  std::vector<std::uint32_t> rank_;   // per node; every edge goes up
  std::vector<Id> later_, earlier_;   // of the part that insert() looks at
  std::vector<bool> seen_;
};

}  // namespace selvedge
