// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/ist/routes.hpp"

#include <algorithm>
#include <bit>

namespace selvedge::ist {
namespace {
constexpr unsigned kFar = UINT32_MAX;
}

Routes::Routes(const PlacedTorus& placed, const Trees& trees, Plan plan)
    : placed_(placed),
      torus_(placed.torus()),
      trees_(trees),
      plan_(std::move(plan)),
      undamaged_(torus_, plan_),
      chain_(torus_.places()),
      depth_(torus_.places()) {
  result_.next.resize(torus_.places());
  result_.sls.resize(torus_.places());
  result_.sl.resize(torus_.places());
  if (placed_.whole()) return;
  for (Place p = 0; p < torus_.places(); ++p)
    for (Direction d = 0; d < torus_.directions(); ++d)
      if (!placed_.cabled(p, d)) missing_steps_.emplace_back(p, d);
}

void Routes::set_root(Place root) {
  root_ = root;
  torus_.absolute(root, absolute_);
  if (!missing_steps_.empty()) torus_.relative(root, relative_);
}

bool Routes::crosses_damage(unsigned tree) const {
  return std::ranges::any_of(missing_steps_, [&](const auto& step) {
    return trees_.next(tree, relative_[step.first]) == step.second;
  });
}

/// Considers a path that leaves `from` in direction `by` and then follows `next`. Returns the SLs
/// that admit all its turns but the first. Sets `whole` to the SLs that admit the first turn too,
/// which begins on VL 0.
SlSet Routes::onward(const Admission& admission, Place from, Direction by,
                     const std::vector<Direction>& next, SlSet& whole) const {
  const Place there = torus_.neighbour(from, by);
  if (there == root_) return whole = admission.all();
  const Turn turn = make_turn(torus_, there, opposite(by), next[there]);
  const Place beyond = torus_.neighbour(there, next[there]);
  const SlSet rest = beyond == root_
                         ? admission.all()
                         : static_cast<SlSet>(admission.pass(turn, next[beyond]) & chain_[there]);
  whole = static_cast<SlSet>(rest & admission.begin(turn));
  return rest;
}

void Routes::compute_sls(unsigned tree) {
  result_.next[root_] = kNoDirection;
  result_.sls[root_] = 0;
  for (const Place p : trees_.order(tree).subspan(1)) {
    const Place here = absolute_[p];
    const Direction by = trees_.next(tree, p);
    result_.next[here] = by;
    chain_[here] = onward(undamaged_, here, by, result_.next, result_.sls[here]);
  }
}

void Routes::compute_detour_sls(const Admission& admission, const std::vector<Direction>& next,
                                std::vector<SlSet>& sls) {
  std::ranges::fill(depth_, kFar);
  std::ranges::fill(sls, SlSet{0});
  depth_[root_] = 0;
  for (Place p = 0; p < torus_.places(); ++p) {
    Place q = p;
    for (path_.clear(); depth_[q] == kFar && next[q] != kNoDirection;
         q = torus_.neighbour(q, next[q]))
      path_.push_back(q);
    for (; !path_.empty(); path_.pop_back()) {
      const Place here = path_.back();
      depth_[here] = 0;
      chain_[here] = onward(admission, here, next[here], next, sls[here]);
    }
  }
}

const TreeRoutes& Routes::tree(unsigned tree) {
  const std::uint32_t m =
      detour_of_.empty() ? kUnchanged : detour_of_[root_ * (trees_.independent() + 1) + tree];
  if (m == kUnchanged) {
    compute_sls(tree);
  } else {
    result_.next = detours_[m];
    compute_detour_sls(undamaged_, result_.next, result_.sls);
    if (extended_) {
      added_.resize(torus_.places());
      compute_detour_sls(*extended_, result_.next, added_);
      for (Place p = 0; p < torus_.places(); ++p)
        if (result_.sls[p] == 0) result_.sls[p] = added_[p];
    }
  }
  for (Place p = 0; p < torus_.places(); ++p)
    result_.sl[p] = choose(result_.sls[p], p + root_ + tree);
  return result_;
}

/// Chooses one of the SLs; SL 0 only if there is no other. Multicast uses SL 0, and its tree needs
/// unused turns there if it must avoid a missing cable. Neighbours have different numbers, so the
/// search for an SL begins differently.
Sl Routes::choose(SlSet set, unsigned number) {
  const auto others = static_cast<SlSet>(set & ~1u);
  if (others == 0) return 0;
  const int from = static_cast<int>(number % kSls);
  return static_cast<Sl>((from + std::countr_zero(std::rotr(others, from))) % int{kSls});
}

std::vector<Direction> Routes::detour(unsigned tree) {
  std::vector<Direction> next(torus_.places(), kNoDirection);
  std::ranges::fill(depth_, kFar);
  for (std::vector<Place>& bucket : buckets_) bucket.clear();
  const auto settle = [&](Place p, unsigned depth) {
    depth_[p] = depth;
    if (depth >= buckets_.size()) buckets_.resize(depth + 1);
    buckets_[depth].push_back(p);
  };
  if (placed_.at(root_) == kNoSwitch) return next;
  settle(root_, 0);
  for (const Place p : trees_.order(tree).subspan(1)) {
    const Place here = absolute_[p];
    const Direction by = trees_.next(tree, p);
    const Place parent = torus_.neighbour(here, by);
    if (depth_[parent] == kFar || !placed_.cabled(here, by)) continue;
    next[here] = by;
    SlSet whole = 0;
    chain_[here] = onward(undamaged_, here, by, next, whole);
    settle(here, depth_[parent] + 1);
  }
  // Extends paths from all switches that still have one, outwards: first only where some SL admits
  // the new path, then anywhere.
  for (const bool any_sl : {false, true})
    for (std::size_t depth = 0; depth < buckets_.size(); ++depth)
      for (std::size_t i = 0; i < buckets_[depth].size(); ++i) {
        const Place there = buckets_[depth][i];
        for (Direction d = 0; d < torus_.directions(); ++d) {
          const Place here = torus_.neighbour(there, d);
          const Direction by = opposite(d);
          if (depth_[here] != kFar || !placed_.cabled(here, by)) continue;
          SlSet whole = 0;
          const SlSet rest = onward(undamaged_, here, by, next, whole);
          if (whole == 0 && !any_sl) continue;
          next[here] = by;
          chain_[here] = rest;
          settle(here, static_cast<unsigned>(depth) + 1);
        }
      }
  return next;
}

/// Collects the paths of one repaired tree that no SL admits. Suffixes of such paths are left out.
void Routes::collect(const std::vector<Direction>& next, TurnPaths& paths) {
  compute_detour_sls(undamaged_, next, result_.sls);
  std::vector<std::uint8_t> inner(torus_.places(), 0);
  const auto without_sl = [&](Place p) { return next[p] != kNoDirection && result_.sls[p] == 0; };
  for (Place p = 0; p < torus_.places(); ++p)
    if (without_sl(p)) inner[torus_.neighbour(p, next[p])] = 1;
  for (Place p = 0; p < torus_.places(); ++p) {
    if (!without_sl(p)) continue;
    ++paths_without_sl_;
    if (inner[p]) continue;
    Direction by = next[p];
    for (Place q = torus_.neighbour(p, by); q != root_; q = torus_.neighbour(q, by)) {
      paths.turns.push_back(make_turn(torus_, q, opposite(by), next[q]));
      by = next[q];
    }
    paths.close();
  }
}

bool Routes::make_detours(std::span<const unsigned> trees, unsigned max_vls, unsigned max_sls) {
  if (missing_steps_.empty()) return true;
  detour_of_.assign(std::size_t{torus_.places()} * (trees_.independent() + 1), kUnchanged);
  TurnPaths without_sl;
  for (Place root = 0; root < torus_.places(); ++root) {
    if (placed_.at(root) == kNoSwitch) continue;
    set_root(root);
    for (const unsigned tree : trees) {
      if (!crosses_damage(tree)) continue;
      detour_of_[root * (trees_.independent() + 1) + tree] =
          static_cast<std::uint32_t>(detours_.size());
      detours_.push_back(detour(tree));
      collect(detours_.back(), without_sl);
    }
  }
  if (without_sl.size() == 0) return true;
  for (const bool fixed : {true, false}) {
    std::vector<Layer> taken = layers(trees, max_vls, fixed);
    if (!extend(plan_, torus_, taken, without_sl, max_vls, max_sls)) continue;
    extended_.emplace(torus_, plan_);
    return true;
  }
  return false;
}

std::vector<Layer> Routes::layers(std::span<const unsigned> trees, unsigned vls, bool fixed) {
  std::vector<Layer> layers(plan_.sls, Layer(torus_, plan_, vls));
  for (Place root = 0; root < torus_.places(); ++root) {
    if (placed_.at(root) == kNoSwitch) continue;
    set_root(root);
    for (const unsigned t : trees) {
      const TreeRoutes& way = tree(t);
      for (Place p = 0; p < torus_.places(); ++p) {
        if (way.sls[p] == 0) continue;
        const Vl* vl = plan_.vl.data() + way.sl[p] * turn_count(torus_);
        Layer& layer = layers[way.sl[p]];
        Direction by = way.next[p];
        for (Place q = torus_.neighbour(p, by); q != root; q = torus_.neighbour(q, by)) {
          const Turn turn = make_turn(torus_, q, opposite(by), way.next[q]);
          layer.preset(turn, vl[turn], fixed);
          by = way.next[q];
          const Place beyond = torus_.neighbour(q, by);
          if (beyond != root) layer.link(turn, way.next[beyond]);
        }
      }
    }
  }
  return layers;
}

}  // namespace selvedge::ist
