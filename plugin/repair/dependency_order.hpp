// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The dependency graph of channels and VLs (Dally & Seitz 1987), kept acyclic while it grows. A
// topological order is updated with each new dependency (Pearce & Kelly 2006). So the cost of
// testing whether a path closes a cycle depends only on the part of the order that changes.
//
// A node is a channel between switches on one VL. An edge from node a to node b means that a packet
// which holds a may wait for b. An edge has a count of how often it was added. The edge exists
// until it has been removed as often, so that routes can share it. Removing edges leaves the order
// valid.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// 1 + the highest VL in the SL2VL tables, VL 15 (drop) aside; 1 if all their entries drop.
unsigned vls_of(const Tables& tables);

class DependencyOrder {
 public:
  struct Node {
    Channel channel;  // a channel between switches
    Vl vl;
    friend bool operator==(const Node&, const Node&) = default;
  };
  struct Edge {
    Node from, to;  // `to` leaves the switch at which `from` arrives
    friend bool operator==(const Edge&, const Edge&) = default;
  };

  /// An empty graph for VLs 0 … vls − 1. Keeps a reference to the fabric.
  DependencyOrder(const Fabric& fabric, unsigned vls);

  /// Adds a dependency once, without testing whether it closes a cycle. After put(), call order()
  /// before add(), which needs a valid order.
  void put(const Edge& edge) {
    if (edges_[at(edge)]++ == 0) add_edge(edge);
  }
  /// Undoes one put(), or one edge of an add().
  void take(const Edge& edge) {
    if (--edges_[at(edge)] == 0) mark(edge);
  }
  /// put() and take() in a graph of one VL, for callers that know the output port `out` that
  /// channel `to` leaves by.
  void put(Channel from, Channel to, PortNum out) {
    if (edges_[first_[from] + out]++ == 0) add_edge({{from, 0}, {to, 0}});
  }
  void take(Channel from, Channel to, PortNum out) {
    if (--edges_[first_[from] + out] == 0) mark({{from, 0}, {to, 0}});
  }
  /// Computes a topological order from scratch; false if there is a cycle. O(all possible edges).
  bool order();
  /// Replaces the topological order by one that the caller has computed. `ranks`: a distinct number
  /// for each channel (the graph must have one VL). If some edge leads to a lower rank, the next
  /// acyclic() computes an order from scratch.
  void set_order(const std::vector<std::uint32_t>& ranks);
  /// Whether the graph has no cycle. Computes an order only if some edge leads to a lower rank in
  /// the present one.
  bool acyclic() { return order_valid_ || order(); }

  /// Adds all edges, each as often as it is listed; acyclic() must have returned true. If the edges
  /// close a cycle, adds none and returns false. `refused`, if given, is then the index of the
  /// first edge that closes one.
  bool add(const std::vector<Edge>& edges, std::size_t* refused = nullptr);
  /// Restores an earlier state; `earlier` is a copy of this object.
  void restore(const DependencyOrder& earlier) {
    edges_ = earlier.edges_;
    to_ = earlier.to_;
    from_ = earlier.from_;
    rank_ = earlier.rank_;
    order_valid_ = earlier.order_valid_;  // refused_ stays: each of its paths is looked at anew
  }
  bool has(const Edge& edge) const { return edges_[at(edge)] != 0; }
  /// Whether the edge leads to a higher rank in the present topological order, and so closes no
  /// cycle.
  bool agrees(const Edge& edge) const { return rank_[id(edge.from)] < rank_[id(edge.to)]; }
  std::uint32_t count(const Edge& edge) const { return edges_[at(edge)]; }
  std::size_t bytes() const {
    return edges_.size() * sizeof edges_[0] + first_.size() * sizeof first_[0] +
           (to_.size() + from_.size()) * sizeof to_[0] +
           (first_to_.size() + first_from_.size()) * sizeof first_to_[0] +
           rank_.size() * sizeof rank_[0];
  }

 private:
  using Id = std::uint32_t;  // number of a node: channel × vls_ + VL
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
  bool known_to_close(const Edge& edge) const;
  void remember(const Edge& edge);
  /// Toggles the edge's bits in to_ and from_: when its count rises from 0, and when it falls to 0.
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
  /// Per node, the index into edges_ of its counts: one for each (output port, VL) of the next
  /// node.
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> edges_;                // per possible edge: how often it was added
  std::vector<std::size_t> first_to_, first_from_;  // per node: its first index in to_ and from_
  /// Successors of a node: for each output port of the switch at which its channel arrives, the
  /// VLs.
  std::vector<VlSet> to_;
  /// Predecessors of a node: for each input port of the switch that its channel leaves, the VLs.
  std::vector<VlSet> from_;
  std::vector<std::uint32_t> rank_;  // per node: its position in the topological order
  bool order_valid_ = true;          // whether every edge leads to a higher rank
  /// In insert(from, to): nodes found after `to` and before `from`, in the order so far.
  std::vector<Id> later_, earlier_;
  std::vector<bool> seen_;
  std::vector<Id> reached_from_;  // per node of later_: the node that it was found from
  /// Edges that insert() refused, by their index in edges_: a path from the edge's head to its
  /// tail. As long as the path exists, the edge closes a cycle. Repairs try the same edge for many
  /// LIDs, so this saves most of the searches.
  boost::unordered_flat_map<std::size_t, std::vector<Id>> refused_;
};

}  // namespace selvedge
