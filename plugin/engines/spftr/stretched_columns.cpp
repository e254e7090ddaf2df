// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/spftr/stretched_columns.hpp"

#include <algorithm>
#include <utility>

namespace selvedge {
namespace {

// States of a switch in the current column. depth_ holds them in place of the number of hops, which
// is 0 at the destination.
constexpr std::uint16_t kOpen = UINT16_MAX;          // not visited
constexpr std::uint16_t kOnTrail = UINT16_MAX - 1;   // being visited
constexpr std::uint16_t kDetached = UINT16_MAX - 2;  // the turn rules admit no path so far
constexpr std::uint16_t kMostHops = UINT16_MAX - 3;

constexpr unsigned kShortenings = 6;  // most passes of shorten() over all switches

}  // namespace

StretchedColumns::StretchedColumns(const SwitchGraph& graph, const Lattice& lattice,
                                   const TurnRules& rules, spftr::TreeCatalog& catalog,
                                   unsigned most)
    : graph_(graph),
      lattice_(lattice),
      rules_(rules),
      catalog_(catalog),
      most_(most),
      pieces_(components(graph)),
      depth_(graph.num_switches()),
      suffix_(graph.num_switches()) {
  columns_.stride = most;
  columns_.next.resize(std::size_t{graph.num_switches()} * most);
  columns_.sls.resize(columns_.next.size());
  columns_.order.resize(columns_.next.size());
  trail_.resize(graph.num_switches());
}

bool StretchedColumns::serves(const Lattice& lattice, spftr::TreeCatalog& catalog) {
  for (unsigned y = 0; y < lattice.sizes[0]; ++y)
    for (unsigned x = 0; x < lattice.sizes[1]; ++x)
      if (catalog.find(catalog.shape({lattice.sizes[0], y}, {lattice.sizes[1], x})) == nullptr)
        return false;
  return true;
}

const Columns* StretchedColumns::towards(SwitchId destination) {
  destination_ = destination;
  const spftr::Line rows{lattice_.sizes[0], lattice_.coordinate(destination, 0)};
  const spftr::Line columns{lattice_.sizes[1], lattice_.coordinate(destination, 1)};
  const spftr::PlaneShape shape = catalog_.shape(rows, columns);
  const spftr::ShapeTrees& trees = *catalog_.find(shape);
  const unsigned placed = std::min(most_, 1 + trees.trees);
  columns_.used = placed;
  reattached_ = copies_ = 0;
  wanted_ = 1 + trees.trees;

  for (SwitchId s = 0; s < graph_.num_switches(); ++s) {
    const unsigned cell = shape.cell(spftr::zone_of(rows, lattice_.coordinate(s, 0)),
                                     spftr::zone_of(columns, lattice_.coordinate(s, 1)));
    const std::uint8_t* direction = trees.direction.data() + std::size_t{cell} * trees.trees;
    const Arc* arc = lattice_.arc.data() + std::size_t{s} * 4;
    for (unsigned c = 1; c < placed; ++c)
      next(c, s) = s == destination ? kNoArc : arc[direction[c - 1]];
  }
  if (!grow_short_tree()) return nullptr;
  settle(0);
  const std::uint32_t reached = ordered_;
  for (unsigned c = 1; c < placed; ++c) {
    settle(c);
    if (ordered_ == reached) continue;
    ++reattached_;
    if (reattach_column(c)) continue;
    ++copies_;
    std::copy_n(columns_.order.begin(), graph_.num_switches(),
                columns_.order.begin() + std::size_t{c} * graph_.num_switches());
    for (SwitchId s = 0; s < graph_.num_switches(); ++s) {
      next(c, s) = next(0, s);
      columns_.sls[std::size_t{s} * most_ + c] = columns_.sls[std::size_t{s} * most_];
    }
  }
  return &columns_;
}

/// The SLs that a path may use which begins with `arc` and continues with the path of the switch
/// that `arc` leads to.
SlSuffix StretchedColumns::suffix_by(unsigned column, Arc arc) const {
  const SwitchId to = graph_.target[arc];
  if (to == destination_) return {rules_.all(), rules_.all()};
  return suffix_[to].before(rules_.turn(to, arc, columns_.next[to * columns_.stride + column]));
}

/// Grows column 0: short paths for all switches in one tree. Not every path can be a shortest one:
/// a path makes at most one forbidden turn, and crosses wraparound cables only at its beginning or
/// its end (spftr/tables.hpp). First the tree is grown without these cables; then the paths do not
/// restrict each other. After that, each switch that has a shorter path changes to it, if the turn
/// rules still admit the paths of all switches whose paths pass it. Returns false if some switch is
/// not reached.
bool StretchedColumns::grow_short_tree() {
  std::ranges::fill(depth_, kOpen);
  depth_[destination_] = 0;
  for (SwitchId s = 0; s < graph_.num_switches(); ++s) next(0, s) = kNoArc;
  ordered_ = 0;
  const std::uint32_t piece = pieces_.of[destination_];
  const std::uint32_t connected = pieces_.first[piece + 1] - pieces_.first[piece];
  if (grow(false) < connected && grow(true) < connected) return false;
  for (unsigned pass = 0; pass < kShortenings && shorten(); ++pass) {
  }
  return true;
}

/// Extends column 0, breadth first from the switches that are in it, with or without wraparound
/// cables. Returns how many switches are in it afterwards.
std::uint32_t StretchedColumns::grow(bool wraparound) {
  std::uint32_t reached = 0;
  level_.clear();
  for (SwitchId s = 0; s < graph_.num_switches(); ++s)
    if (depth_[s] != kOpen) level_.push_back(s);
  while (!level_.empty()) {
    reached += static_cast<std::uint32_t>(level_.size());
    next_level_.clear();
    for (const SwitchId at : level_)
      for (Arc a = graph_.first[at]; a < graph_.first[at + 1]; ++a) {
        const SwitchId s = graph_.target[a];
        if (depth_[s] == kOpen && attach(0, s, wraparound)) next_level_.push_back(s);
      }
    std::swap(level_, next_level_);
  }
  return reached;
}

/// Lets switches of column 0 change to a neighbour nearer to the destination. Returns whether any
/// did.
bool StretchedColumns::shorten() {
  bool any = false;
  for (SwitchId s = 0; s < graph_.num_switches(); ++s)
    for (Arc a = graph_.first[s]; a < graph_.first[s + 1]; ++a) {
      const std::uint16_t rest = depth_[graph_.target[a]];
      if (rest >= kMostHops || rest + 1 >= depth_[s] || next(0, s) == kNoArc) continue;
      const SlSuffix suffix = suffix_by(0, a);
      const Arc old = std::exchange(next(0, s), a);
      if (!admits_senders(s, suffix)) {
        next(0, s) = old;
        continue;
      }
      take_over(s, suffix, static_cast<std::uint16_t>(rest + 1));
      any = true;
    }
  return any;
}

/// For a new next hop of s that gives its path this suffix: whether the turn rules admit the paths
/// of s and of all switches whose paths pass s.
bool StretchedColumns::admits_senders(SwitchId s, const SlSuffix& suffix) const {
  if (suffix.from_vl0 == 0) return false;
  for (Arc a = graph_.first[s]; a < graph_.first[s + 1]; ++a) {
    const SwitchId below = graph_.target[a];
    if (path_passes(below, s) && !admits_senders(below, suffix.before(turn(below, s))))
      return false;
  }
  return true;
}

void StretchedColumns::take_over(SwitchId s, const SlSuffix& suffix, std::uint16_t hops) {
  suffix_[s] = suffix;
  depth_[s] = hops;
  for (Arc a = graph_.first[s]; a < graph_.first[s + 1]; ++a) {
    const SwitchId below = graph_.target[a];
    if (path_passes(below, s))
      take_over(below, suffix.before(turn(below, s)), static_cast<std::uint16_t>(hops + 1));
  }
}

/// Follows a column from every switch, to find the hops of each path and the SLs that it may use.
void StretchedColumns::settle(unsigned column) {
  std::ranges::fill(depth_, kOpen);
  depth_[destination_] = 0;
  SwitchId* const order = columns_.order.data() + std::size_t{column} * graph_.num_switches();
  ordered_ = 0;
  for (SwitchId start = 0; start < graph_.num_switches(); ++start) {
    std::size_t ahead = 0;
    SwitchId at = start;
    while (depth_[at] == kOpen) {
      depth_[at] = kOnTrail;
      trail_[ahead++] = at;
      const Arc arc = next(column, at);
      if (arc == kNoArc) break;
      at = graph_.target[arc];
    }
    while (ahead > 0) {
      const SwitchId s = trail_[--ahead];
      const Arc arc = next(column, s);
      const std::uint16_t rest = arc == kNoArc ? kDetached : depth_[graph_.target[arc]];
      depth_[s] = kDetached;
      if (rest >= kMostHops) continue;  // the path loops, or there is no next hop
      const SlSuffix suffix = suffix_by(column, arc);
      if (suffix.from_vl0 == 0) continue;
      suffix_[s] = suffix;
      depth_[s] = static_cast<std::uint16_t>(rest + 1);
      columns_.sls[std::size_t{s} * most_ + column] = suffix.from_vl0;
      order[ordered_++] = s;
    }
  }
  std::fill(order + ordered_, order + graph_.num_switches(), kNoSwitch);
}

/// Connects each switch without a path to its neighbour with the shortest path, in rounds until no
/// more can be connected. Returns whether every switch with a path in column 0 now has one here.
bool StretchedColumns::reattach_column(unsigned column) {
  level_.clear();
  for (SwitchId s = 0; s < graph_.num_switches(); ++s)
    if (depth_[s] == kDetached && next(0, s) != kNoArc)
      level_.push_back(s);
    else if (depth_[s] == kDetached)
      next(column, s) = kNoArc;
  while (std::erase_if(level_, [&](SwitchId s) { return attach(column, s, true); }) > 0) {
  }
  return level_.empty();
}

bool StretchedColumns::attach(unsigned column, SwitchId s, bool wraparound) {
  unsigned nearest = kMostHops;
  for (Arc a = graph_.first[s]; a < graph_.first[s + 1]; ++a) {
    const SwitchId to = graph_.target[a];
    if (depth_[to] >= nearest || (!wraparound && lattice_.wraps(s, rules_.kind[a]))) continue;
    const SlSuffix suffix = suffix_by(column, a);
    if (suffix.from_vl0 == 0) continue;
    nearest = depth_[to];
    next(column, s) = a;
    suffix_[s] = suffix;
  }
  if (nearest == kMostHops) return false;
  depth_[s] = static_cast<std::uint16_t>(nearest + 1);
  columns_.sls[std::size_t{s} * most_ + column] = suffix_[s].from_vl0;
  columns_.order[std::size_t{column} * graph_.num_switches() + ordered_++] = s;
  return true;
}

}  // namespace selvedge
