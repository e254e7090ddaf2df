// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The dependency graph of channels and VLs (Dally & Seitz 1987), kept acyclic while it grows. A
// topological order is updated with each new dependency (Pearce & Kelly 2006). So the test whether
// a path would close a cycle costs only the part of the order that changes.
//
// A node is a channel between switches on one VL. An edge means that a packet which holds the first
// may wait for the second. Edges are counted, so that a route that added an edge can remove it
// again. The order stays valid when edges are removed.
//
// Of this room only.
#pragma once

#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// 1 + the highest VL that the tables map to; 1 if they drop everything.
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

  /// An empty graph for VLs 0 … vls − 1. Keeps a reference to the fabric.
  DependencyOrder(const Fabric& fabric, unsigned vls);

  /// Adds a dependency without testing whether it closes a cycle. Call order() before add().
  void put(const Edge& edge) {
    if (edges_[at(edge)]++ == 0) add_edge(edge);
  }
  /// Undoes one put(), or one edge of an add().
  void take(const Edge& edge) {
    if (--edges_[at(edge)] == 0) mark(edge);
  }
  /// The same on VL 0, for callers that know the port `out` by which `to` leaves.
  void put(Channel from, Channel to, PortNum out) {
    if (edges_[first_[from] + out]++ == 0) add_edge({{from, 0}, {to, 0}});
  }
  void take(Channel from, Channel to, PortNum out) {
    if (--edges_[first_[from] + out] == 0) mark({{from, 0}, {to, 0}});
  }
  /// Computes an order from scratch; false if there is a cycle. O(all possible edges).
  bool order();
  /// Takes an order computed by the caller: a distinct number for each channel, on one VL. Checks
  /// whether all dependencies agree with it.
  void set_order(const std::vector<std::uint32_t>& ranks);
  /// Whether there is no cycle. Computes an order only if a dependency against the present one was
  /// put.
  bool acyclic() { return order_valid_ || order(); }

  /// After order(): adds all edges, each as often as it is listed. If they would close a cycle,
  /// adds none and returns false; `refused`, if given, is then the index of the first that would.
  bool add(const std::vector<Edge>& edges, std::size_t* refused = nullptr);
  /// Restores an earlier state; `earlier` is a copy of this object.
  void restore(const DependencyOrder& earlier) {
    edges_ = earlier.edges_;
    to_ = earlier.to_;
    from_ = earlier.from_;
    rank_ = earlier.rank_;
    order_valid_ = earlier.order_valid_;
  }
  bool has(const Edge& edge) const { return edges_[at(edge)] != 0; }
  /// Whether the edge agrees with the present order, and so closes no cycle.
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
  /// Toggles the bits of the edge.
  void mark(const Edge& edge) {
    to_[first_to_[id(edge.from)] + fabric_.port_of(edge.to.channel)] ^= bit(edge.to.vl);
    from_[first_from_[id(edge.to)] + fabric_.port_of(fabric_.peer(edge.from.channel))] ^=
        bit(edge.from.vl);
  }
  void add_edge(const Edge& edge) {
    mark(edge);
    order_valid_ = order_valid_ && agrees(edge);
  }
  using VlSet = std::uint16_t;
  static VlSet bit(Vl vl) { return static_cast<VlSet>(1u << vl); }

  const Fabric& fabric_;
  const unsigned vls_;
  std::vector<std::size_t> first_;    // per node, into edges_: a count for each (out port, VL)
  std::vector<std::uint32_t> edges_;  // how often each was added
  std::vector<std::size_t> first_to_, first_from_;  // per node, into to_ and from_
  std::vector<VlSet> to_;                           // (node, out port): VLs of its edges
  std::vector<VlSet> from_;          // (node, port of arrival before it): VLs before it
  std::vector<std::uint32_t> rank_;  // per node; every edge leads to a higher rank…
  bool order_valid_ = true;          // …if this is true
  std::vector<Id> later_, earlier_;  // of the part that insert() searches
  std::vector<bool> seen_;
};

}  // namespace selvedge
