// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The dependency graph of channels and VLs (Dally & Seitz 1987), kept acyclic while it grows: a
// topological order that is mended with each new dependency (Pearce & Kelly 2006), so that the
// question "would this path close a cycle?" costs what the answer changes and not the whole graph.
//
// A node is a channel between switches on one VL. An edge means that a packet which holds the one
// may ask for the other. Edges are counted, so that what put one there can take it away again: the
// order of a graph serves what is left of it too.
//
// Of this room only.
#pragma once

#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// VLs 0 … this − 1 are those that the tables map to; 1 if they drop everything.
unsigned vls_of(const Tables& tables);

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
  void put(const Edge& edge) {
    if (edges_[at(edge)]++ == 0) appear(edge);
  }
  /// Takes back one put() or one of an add().
  void take(const Edge& edge) {
    if (--edges_[at(edge)] == 0) mark(edge);
  }
  /// The same on one VL, for who has the port at hand by which `to` leaves.
  void put(Channel from, Channel to, PortNum out) {
    if (edges_[first_[from] + out]++ == 0) appear({{from, 0}, {to, 0}});
  }
  void take(Channel from, Channel to, PortNum out) {
    if (--edges_[first_[from] + out] == 0) mark({{from, 0}, {to, 0}});
  }
  /// Finds an order anew; false if there is a cycle. O(all edges that there may be).
  bool order();
  /// Takes an order that somebody else has found, a number of its own for each channel, on one VL.
  /// Whether all dependencies go by it is looked at here.
  void take_order(const std::vector<std::uint32_t>& ranks);
  /// Is there no cycle? The order is found anew only if a dependency was put that goes against it.
  bool acyclic() { return settled_ || order(); }

  /// After order(): adds all of them, each as often as it is listed, or none and returns false if
  /// they would close a cycle; `refused`, if given, is then the first that would.
  bool add(const std::vector<Edge>& edges, std::size_t* refused = nullptr);
  /// Back to what it was: `earlier` is a copy of this one.
  void restore(const DependencyOrder& earlier) {
    edges_ = earlier.edges_;
    to_ = earlier.to_;
    from_ = earlier.from_;
    rank_ = earlier.rank_;
    settled_ = earlier.settled_;
  }
  bool has(const Edge& edge) const { return edges_[at(edge)] != 0; }
  /// Does it go with the order as it is, so that it surely closes no cycle?
  bool agrees(const Edge& edge) const { return rank_[id(edge.from)] < rank_[id(edge.to)]; }
  std::uint32_t count(const Edge& edge) const { return edges_[at(edge)]; }
  std::size_t bytes() const {
    return edges_.size() * sizeof edges_[0] + first_.size() * sizeof first_[0] +
           (to_.size() + from_.size()) * sizeof to_[0] +
           (first_to_.size() + first_from_.size()) * sizeof first_to_[0] +
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
  /// Turns the bits of the edge over.
  void mark(const Edge& edge) {
    to_[first_to_[id(edge.from)] + fabric_.port_of(edge.to.channel)] ^= bit(edge.to.vl);
    from_[first_from_[id(edge.to)] + fabric_.port_of(fabric_.peer(edge.from.channel))] ^=
        bit(edge.from.vl);
  }
  void appear(const Edge& edge) {
    mark(edge);
    settled_ = settled_ && agrees(edge);
  }
  using VlSet = std::uint16_t;
  static VlSet bit(Vl vl) { return static_cast<VlSet>(1u << vl); }

  const Fabric& fabric_;
  const unsigned vls_;
  std::vector<std::size_t> first_;    // per node, into edges_: a count for each (out port, VL)
  std::vector<std::uint32_t> edges_;  // how often each is there
  std::vector<std::size_t> first_to_, first_from_;  // per node, into to_ and from_
  std::vector<VlSet> to_;                           // (node, out port): VLs of its edges
  std::vector<VlSet> from_;                         // (node, port of arrival before it): likewise
  std::vector<std::uint32_t> rank_;                 // per node; every edge goes up…
  bool settled_ = true;                             // …if this says so
  std::vector<Id> later_, earlier_;                 // of the part that insert() looks at
  std::vector<bool> seen_;
};

}  // namespace selvedge
