// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/ist/search.hpp"

#include <algorithm>
#include <numeric>

#include "plugin/engines/iterated_greedy.hpp"
#include "plugin/fabric/stable_random.hpp"

namespace selvedge::ist {

TurnPaths all_paths(const Torus& torus, const Trees& trees) {
  TurnPaths paths;
  std::vector<std::uint8_t> inner(std::size_t{trees.independent()} * torus.places(), 0);
  for (unsigned t = 0; t < trees.independent(); ++t)
    for (Place p = 1; p < torus.places(); ++p)
      inner[t * torus.places() + torus.neighbour(p, trees.next(t, p))] = 1;
  std::vector<Place> roots(torus.places());
  std::iota(roots.begin(), roots.end(), Place{0});
  std::stable_sort(roots.begin(), roots.end(), [&](Place a, Place b) {
    for (unsigned i = torus.dimensions(); i-- > 0;)
      if (torus.coordinate(a, i) != torus.coordinate(b, i))
        return torus.coordinate(a, i) < torus.coordinate(b, i);
    return false;
  });
  std::vector<Place> at;
  for (const Place root : roots) {
    torus.absolute(root, at);
    for (unsigned t = 0; t < trees.independent(); ++t)
      for (Place p = 1; p < torus.places(); ++p) {
        if (inner[t * torus.places() + p]) continue;
        Direction by = trees.next(t, p);
        for (Place q = torus.neighbour(p, by); q != 0; q = torus.neighbour(q, by)) {
          const Direction out = trees.next(t, q);
          paths.turns.push_back(make_turn(torus, at[q], opposite(by), out));
          by = out;
        }
        paths.close();
      }
  }
  return paths;
}

TurnPaths tree_paths(const Torus& torus, const std::vector<Direction>& parent) {
  const Direction directions = torus.directions();
  std::vector<std::uint8_t> cable(std::size_t{torus.places()} * directions, 0);
  for (Place p = 0; p < torus.places(); ++p)
    if (parent[p] != kNoDirection) {
      cable[p * directions + parent[p]] = 1;
      cable[torus.neighbour(p, parent[p]) * directions + opposite(parent[p])] = 1;
    }
  TurnPaths paths;
  for (Place p = 0; p < torus.places(); ++p)
    for (Direction in = 0; in < directions; ++in)
      for (Direction out = 0; out < directions; ++out) {
        if (in == out || !cable[p * directions + in] || !cable[p * directions + out]) continue;
        paths.turns.push_back(make_turn(torus, p, in, out));
        paths.close();
        const Place there = torus.neighbour(p, out);
        for (Direction on = 0; on < directions; ++on) {
          if (on == opposite(out) || !cable[there * directions + on]) continue;
          paths.turns.push_back(make_turn(torus, p, in, out));
          paths.turns.push_back(make_turn(torus, there, opposite(out), on));
          paths.close();
        }
      }
  return paths;
}

std::vector<Direction> multicast_tree(const Torus& torus) {
  std::vector<Direction> parent(torus.places(), kNoDirection);
  for (Place p = 1; p < torus.places(); ++p) {
    unsigned i = torus.dimensions() - 1;
    while (torus.coordinate(p, i) == 0) --i;
    parent[p] = static_cast<Direction>(2 * i);
  }
  return parent;
}

namespace {

/// The number of VLs that suffices for each path alone.
unsigned vls_for_turns(const Plan& rules, const TurnPaths& paths) {
  unsigned most = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    Vl vl = 0;
    for (const Turn turn : paths[i])
      if (vl < kMaxDataVls) vl = rules.least(turn, vl);
    most = std::max(most, unsigned{vl});
  }
  return most + 1;
}

/// Distributes paths over SLs by first fit, repeatedly. Each round takes the SLs of the round
/// before in another order.
class IteratedGreedy {
 public:
  IteratedGreedy(const Torus& torus, const Plan& rules, const TurnPaths& paths,
                 const TurnPaths& multicast, unsigned vls)
      : torus_(torus),
        rules_(rules),
        paths_(paths),
        multicast_(multicast),
        vls_(vls),
        random_(1),
        order_(paths.size() + 1),
        layer_of_(paths.size() + 1, 0) {
    // The multicast tree counts as one path: it has the last number and is placed first.
    order_[0] = paths.size();
    std::iota(order_.begin() + 1, order_.end(), std::size_t{0});
  }

  /// Distributes all paths over SLs once. Returns the number of SLs used, or more than `limit` if
  /// it gave up.
  unsigned round(unsigned limit) {
    for (Layer& layer : layers_) layer.clear();
    used_ = 0;
    for (const std::size_t item : order_) {
      unsigned l = 0;
      while (l < used_ && !fits(l, item)) ++l;
      if (l == used_) {
        if (++used_ > limit) return used_;
        if (layers_.size() < used_) layers_.emplace_back(torus_, rules_, vls_);
        if (!fits(l, item)) return limit + 1;  // the item does not fit even an empty SL
      }
      layer_of_[item] = static_cast<std::uint8_t>(l);
    }
    return used_;
  }

  void reorder() { reorder_layers(layer_of_, used_, random_, order_); }

  void finish(Plan& plan) const {
    plan.vls = vls_;
    plan.sls = used_;
    plan.vl.clear();
    const unsigned first = layer_of_[paths_.size()];  // the SL of multicast becomes SL 0
    for (unsigned l = 0; l < used_; ++l) {
      const unsigned from = l == 0 ? first : l <= first ? l - 1 : l;
      plan.vl.insert(plan.vl.end(), layers_[from].vl().begin(), layers_[from].vl().end());
    }
  }

 private:
  bool fits(unsigned layer, std::size_t item) {
    return item == paths_.size() ? layers_[layer].add_all(multicast_)
                                 : layers_[layer].add(paths_[item]);
  }

  const Torus& torus_;
  const Plan& rules_;
  const TurnPaths& paths_;
  const TurnPaths& multicast_;
  unsigned vls_;
  StableRandom random_;
  std::vector<std::size_t> order_;
  std::vector<std::uint8_t> layer_of_;
  std::vector<Layer> layers_;
  unsigned used_ = 0;
};

/// A round that needs more SLs than this is abandoned. InfiniBand has 16 SLs, but a later round may
/// need fewer.
constexpr unsigned kRoundsMax = 64;

constexpr std::size_t kTurnsInAll = 30'000'000;

/// The number of rounds of a search with one number of VLs. It depends on the turns that a round
/// places, such that the search takes a second or two.
unsigned rounds_for(std::size_t turns) {
  return static_cast<unsigned>(
      std::clamp<std::size_t>(kTurnsInAll / std::max<std::size_t>(turns, 1), 4, 400));
}

/// A lower bound on the SLs of every plan for a ring of k switches. From the root's neighbour, one
/// of the trees goes all the way round to the root, in the same direction for every root. That path
/// has k − 2 turns in a row, and k − 3 of the k pairs of neighbouring turns. All paths of one SL
/// must lack some common pair; otherwise they join the turns of the whole ring, and the VL would
/// have to grow without end. Exactly three of the k paths lack a given pair. So an SL takes at most
/// three of them.
constexpr unsigned sls_for_ring(unsigned k) { return k > 3 ? (k + 2) / 3 : 1; }

}  // namespace

Search search_plan(const Torus& torus, const Trees& trees, unsigned max_vls, unsigned max_sls,
                   unsigned patience) {
  Search result;
  for (const unsigned size : torus.sizes())
    result.sls_needed = std::max(result.sls_needed, sls_for_ring(size));
  if (result.sls_needed > max_sls) return result;
  Plan plan = plan_by_rows(torus);
  const TurnPaths paths = all_paths(torus, trees);
  const TurnPaths multicast = tree_paths(torus, multicast_tree(torus));
  const unsigned rounds = patience * rounds_for(paths.turns.size());
  const unsigned least_vls = vls_for_turns(plan, paths);
  if (least_vls > max_vls) result.sls_needed = 0;
  for (unsigned vls = least_vls; vls <= max_vls; ++vls) {
    IteratedGreedy greedy(torus, plan, paths, multicast, vls);
    unsigned least = 0;
    // A round far from the goal suggests that more rounds gain little; one more VL gains more.
    const unsigned near = max_sls + (vls == max_vls ? max_sls : max_sls / 4) + 1;
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned used = greedy.round(kRoundsMax);
      if (used > kRoundsMax) break;
      if (least == 0 || used < least) result.sls_needed = least = used;
      if (used <= max_sls) {
        greedy.finish(plan);
        result.plan = std::move(plan);
        return result;
      }
      if (used > near) break;
      greedy.reorder();
    }
  }
  return result;
}

}  // namespace selvedge::ist
