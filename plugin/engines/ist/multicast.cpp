// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/ist/multicast.hpp"

#include <algorithm>
#include <utility>

#include "plugin/engines/ist/search.hpp"

namespace selvedge::ist {
namespace {

/// The number of roots from which a tree is grown. A tree that does not reach every switch is
/// discarded.
constexpr unsigned kRootsTried = 8;

class Grower {
 public:
  Grower(const PlacedTorus& placed, Layer layer)
      : placed_(placed),
        torus_(placed.torus()),
        layer_(std::move(layer)),
        parent_(torus_.places(), kNoDirection),
        cable_(std::size_t{torus_.places()} * torus_.directions(), 0) {}

  /// Grows the tree from `root`, first along the cables of multicast_tree(), then along any cable.
  void grow(Place root) {
    const std::vector<Direction> usual = multicast_tree(torus_);
    std::vector<Place> grown{root};
    std::vector<std::uint8_t> in_tree(torus_.places(), 0);
    in_tree[root] = 1;
    for (const bool any : {false, true})
      for (std::size_t i = 0; i < grown.size(); ++i)
        for (Direction d = 0; d < torus_.directions(); ++d) {
          const Place p = torus_.neighbour(grown[i], d);
          if (in_tree[p] || !placed_.cabled(grown[i], d)) continue;
          if ((!any && usual[p] != opposite(d)) || !join(p, opposite(d))) continue;
          parent_[p] = opposite(d);
          in_tree[p] = 1;
          grown.push_back(p);
        }
  }

  Direction parent(Place p) const { return parent_[p]; }
  const std::vector<Vl>& vl() const { return layer_.vl(); }

 private:
  /// Adds p to the tree as a leaf, by its cable in direction d. Returns false if SL 0 cannot take
  /// the turns that this brings into the tree.
  bool join(Place p, Direction d) {
    const Place q = torus_.neighbour(p, d);
    const Direction back = opposite(d);
    TurnPaths paths;
    for (Direction e = 0; e < torus_.directions(); ++e) {
      if (!cabled(q, e)) continue;
      const Turn in = make_turn(torus_, q, e, back), out = make_turn(torus_, q, back, e);
      paths.turns.push_back(in);
      paths.close();
      paths.turns.push_back(out);
      paths.close();
      const Place r = torus_.neighbour(q, e);
      for (Direction f = 0; f < torus_.directions(); ++f) {
        if (f == opposite(e) || !cabled(r, f)) continue;
        paths.turns.insert(paths.turns.end(), {make_turn(torus_, r, f, opposite(e)), in});
        paths.close();
        paths.turns.insert(paths.turns.end(), {out, make_turn(torus_, r, opposite(e), f)});
        paths.close();
      }
    }
    if (!layer_.add_all(paths)) return false;
    cable_[p * torus_.directions() + d] = 1;
    cable_[q * torus_.directions() + back] = 1;
    return true;
  }

  bool cabled(Place p, Direction d) const { return cable_[p * torus_.directions() + d]; }

  const PlacedTorus& placed_;
  const Torus& torus_;
  Layer layer_;
  std::vector<Direction> parent_;
  std::vector<std::uint8_t> cable_;  // [place][direction]: whether the tree has this cable
};

}  // namespace

std::optional<SpanningTree> spanning_tree(const Fabric& fabric, const PlacedTorus& placed,
                                          Routes& routes, std::span<const unsigned> used,
                                          unsigned max_vls, Plan& plan) {
  const Torus& torus = placed.torus();
  const auto as_tree = [&](Place root, const auto& parent) -> std::optional<SpanningTree> {
    SpanningTree tree(fabric.num_switches(), kNoChannel);
    for (Place p = 0; p < torus.places(); ++p) {
      const SwitchId s = placed.at(p);
      if (s == kNoSwitch || p == root) continue;
      if (parent(p) == kNoDirection) return std::nullopt;
      tree[s] = fabric.channel(s, placed.ports(p, parent(p))[0]);
    }
    return tree;
  };
  if (placed.whole()) {
    const std::vector<Direction> usual = multicast_tree(torus);
    return as_tree(0, [&](Place p) { return usual[p]; });
  }
  for (const bool fixed : {true, false}) {
    // Turns of SL 0 that no path uses can be given any VL, in both rounds.
    const Layer layer = std::move(routes.layers(used, max_vls, fixed)[0]);
    unsigned tried = 0;
    for (Place root = 0; root < torus.places() && tried < kRootsTried; ++root) {
      if (placed.at(root) == kNoSwitch) continue;
      ++tried;
      Grower grower(placed, layer);
      grower.grow(root);
      const auto tree = as_tree(root, [&](Place p) { return grower.parent(p); });
      if (!tree) continue;
      std::ranges::copy(grower.vl(), plan.vl.begin());
      plan.vls = std::max(plan.vls, 1u + *std::ranges::max_element(grower.vl()));
      return tree;
    }
  }
  return std::nullopt;
}

}  // namespace selvedge::ist
