// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Part of PathColumns (path_columns.hpp): arcs for the switches that no path of a column passes.
#include "plugin/engines/disjoint/path_columns.hpp"

#include <algorithm>
#include <bit>
#include <climits>

namespace selvedge {

/// Fills column 0 with the paths of the spanning tree: up to a switch above the destination, then
/// down.
void PathColumns::place_safe_tree() {
  for (SwitchId s = 0; s < graph_.num_switches(); ++s)
    if (safe_[s] != kNoArc && s != destination_) place_path(s, {&safe_[s], 1}, 0);
  for (SwitchId below = destination_; safe_[below] != kNoArc;) {
    const SwitchId above = graph_.target[safe_[below]];
    for (Arc a = graph_.first[above]; a < graph_.first[above + 1]; ++a) {
      if (graph_.target[a] != below) continue;
      if (safe_[above] != kNoArc) taken_[safe_[above]] &= ~column_bit(0);
      place_path(above, {&a, 1}, 0);
      break;
    }
    below = above;
  }
  // In another component, the tree does not lead to the destination: those switches get no arc.
  std::vector<std::uint8_t> leads(graph_.num_switches(), 0);
  leads[destination_] = 1;
  for (SwitchId s = 0; s < graph_.num_switches(); ++s) {
    trail_.clear();
    SwitchId at = s;
    while (!leads[at] && now_.next[at * request_.columns] != kNoArc) {
      trail_.push_back(at);
      at = graph_.target[now_.next[at * request_.columns]];
    }
    for (const SwitchId passed : trail_) {
      if ((leads[passed] = leads[at])) continue;
      Arc& arc = now_.next[passed * request_.columns];
      taken_[arc] &= ~column_bit(0);
      unset_[passed] |= column_bit(0);
      arc = kNoArc;
    }
  }
}

/// Gives every switch without a path in this column (tree) an arc, if it has one in column 0.
/// Returns false if no arc is found for some switch, `stuck`.
bool PathColumns::complete(unsigned column, SwitchId& stuck) {
  const auto distance = candidates_.distance();
  begin_column(column);
  std::vector<SwitchId> open;
  for (SwitchId s = 0; s < graph_.num_switches(); ++s) {
    if (s == destination_ || distance[s] == PathCandidates::kFar) continue;
    if ((unset_[s] >> column & 1u) && column > 0 && first_depth_[s] == 0) continue;
    if (unset_[s] >> column & 1u)
      open.push_back(s);
    else
      settle(column, s);
  }
  std::ranges::stable_sort(open, {}, [&](SwitchId s) { return distance[s]; });
  while (!open.empty()) {
    const std::size_t before = open.size();
    std::erase_if(open, [&](SwitchId s) {
      return !(unset_[s] >> column & 1u) || attach(column, s, UINT16_MAX);
    });
    if (open.size() < before) continue;
    bool found = false;
    for (const SwitchId s : open)
      if ((found = attach_by_path(column, s) != nullptr)) break;
    if (!found) {
      stuck = open.front();
      return false;
    }
  }
  return true;
}

void PathColumns::begin_column(unsigned column) {
  now_.suffix[column].assign(graph_.num_switches(), {});
  std::ranges::fill(depth_, std::uint16_t{0});
  trail_.clear();
}

/// Computes depth_ (hops) and State::suffix (SLs) of the path from s in the column, and of all
/// switches on that path.
void PathColumns::settle(unsigned column, SwitchId s) {
  std::vector<SlSuffix>& suffix = now_.suffix[column];
  for (SwitchId at = s; at != destination_ && depth_[at] == 0;
       at = graph_.target[now_.next[at * request_.columns + column]])
    trail_.push_back(at);
  while (!trail_.empty()) {
    const SwitchId at = trail_.back();
    trail_.pop_back();
    const Arc arc = now_.next[at * request_.columns + column];
    const SwitchId to = graph_.target[arc];
    if (to == destination_) {
      suffix[at] = {rules_.all(), rules_.all()};
      depth_[at] = 1;
    } else {
      const Arc then = now_.next[to * request_.columns + column];
      suffix[at] = suffix[to].before(rules_.turn(to, arc, then));
      depth_[at] = static_cast<std::uint16_t>(depth_[to] + 1);
    }
  }
}

/// Connects s to a neighbour whose path is shorter than `depth`. Of such neighbours it takes the
/// one that leaves most SLs to s; of equal ones, the one with the shortest path.
bool PathColumns::attach(unsigned column, SwitchId s, unsigned depth) {
  Arc best = kNoArc;
  unsigned best_depth = UINT_MAX;
  int best_room = 0;
  for (Arc a = graph_.first[s]; a < graph_.first[s + 1]; ++a) {
    const SwitchId to = graph_.target[a];
    SlSuffix suffix{rules_.all(), rules_.all()};
    if (to != destination_) {
      if (depth_[to] == 0) continue;
      const Arc then = now_.next[to * request_.columns + column];
      suffix = now_.suffix[column][to].before(rules_.turn(to, a, then));
    }
    const unsigned through = to == destination_ ? 0 : depth_[to];
    if (suffix.from_vl0 == 0 || through >= depth) continue;
    int room = std::popcount(suffix.from_vl0) + std::popcount(suffix.from_vl1);
    // Column 0 must hold a shortest path. So a path that would be shorter than that of column 0
    // ranks last.
    if (column == 0 || through + 1u >= first_depth_[s]) room += 2 * static_cast<int>(kSls);
    if (room < best_room || (room == best_room && through >= best_depth)) continue;
    best = a;
    best_depth = through;
    best_room = room;
  }
  if (best == kNoArc) return false;
  place_path(s, {&best, 1}, column);
  settle(column, s);
  return true;
}

/// Connects s to the column (tree) by a whole candidate path, through switches without a path
/// there. Returns that path, or nullptr if none fits.
const PathCandidates::Path* PathColumns::attach_by_path(unsigned column, SwitchId s) {
  const PathCandidates::Set& set = candidates_.from(s, kStages[kStages.size() - 2]);
  const PathCandidates::Path* best = nullptr;
  for (const PathCandidates::Path& path : set.paths)
    if ((!best || path.length < best->length) && (fits(s, candidates_.arcs(path)) >> column & 1u))
      best = &path;
  if (!best) return nullptr;
  place_path(s, candidates_.arcs(*best), column);
  settle(column, s);
  return best;
}

}  // namespace selvedge
