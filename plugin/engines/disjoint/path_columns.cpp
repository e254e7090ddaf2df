// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/disjoint/path_columns.hpp"

#include <algorithm>
#include <climits>
#include <utility>

namespace selvedge {
namespace {

constexpr unsigned kFruitlessAttempts = 8;
constexpr unsigned kStagesIfFewColumns = 2;
/// In grow_column_0(): the cost, in hops, of a switch without a path.
constexpr std::uint64_t kStuck = 1'000'000;
constexpr unsigned kGrowTries = 8, kRepairs = 12, kRepairsWithRoom = 48;

}  // namespace

PathColumns::PathColumns(const SwitchGraph& graph, const TurnRules& rules,
                         PathCandidates& candidates, std::span<const Arc> safe,
                         const PackRequest& request)
    : graph_(graph),
      rules_(rules),
      candidates_(candidates),
      search_(candidates),
      negotiation_(graph, rules),
      safe_(safe),
      request_(request),
      unset_(graph.num_switches()),
      taken_(graph.num_arcs()),
      depth_(graph.num_switches()),
      bound_(graph.num_switches()),
      searched_(graph.num_switches()),
      possible_(graph.num_switches()),
      stage_(graph.num_switches()) {
  for (SwitchId s = 0; s < graph.num_switches(); ++s)
    tail_.insert(tail_.end(), graph.first[s + 1] - graph.first[s], s);
}

void PathColumns::clear() {
  now_.used = 1;
  now_.shortfall = 0;
  now_.next.assign(std::size_t{graph_.num_switches()} * request_.columns, kNoArc);
  now_.suffix.assign(request_.columns, {});
  std::ranges::fill(unset_, first_columns(request_.columns));
  std::ranges::fill(taken_, ColumnSet{0});
  now_.placed.clear();
}

void PathColumns::pack(SwitchId destination, std::span<const SwitchId> sources, unsigned wanted) {
  destination_ = destination;
  wanted_ = std::min({wanted, request_.columns, kMaxDisjoint});
  candidates_.set_destination(destination);
  std::ranges::fill(bound_, kUnknown);
  first_.clear();
  const auto distance = candidates_.distance();
  order_.clear();
  for (const SwitchId s : sources)
    if (s != destination && distance[s] != PathCandidates::kFar) order_.push_back(s);
  std::ranges::stable_sort(order_, {}, [&](SwitchId s) { return distance[s]; });

  unsigned fruitless = 0;  // attempts since the best one
  for (unsigned i = 0; i < request_.attempts && fruitless < kFruitlessAttempts; ++i) {
    short_of_.clear();
    clear();
    attempt();
    ++fruitless;
    if (i == 0 || now_.shortfall < best_.shortfall ||
        (now_.shortfall == best_.shortfall && now_.used < best_.used)) {
      std::swap(best_, now_);
      fruitless = 0;
    }
    if (short_of_.empty()) break;
    const auto lacks_paths = [&](SwitchId s) {
      return std::ranges::find(short_of_, s) != short_of_.end();
    };
    std::ranges::stable_partition(order_, lacks_paths);
  }
}

Columns PathColumns::columns() const {
  const SwitchId switches = graph_.num_switches();
  Columns columns{best_.used, request_.columns, best_.next, {}, {}, {}};
  columns.sls.resize(columns.next.size());
  columns.chosen.resize(columns.next.size());
  for (const PlacedPath& placed : best_.placed)
    if (placed.counts) columns.chosen[placed.source * request_.columns + placed.column] = 1;
  columns.order.assign(std::size_t{best_.used} * switches, kNoSwitch);
  std::vector<SwitchId> trail;
  for (unsigned c = 0; c < best_.used; ++c) {
    std::vector<bool> listed(switches);
    SwitchId* place = columns.order.data() + std::size_t{c} * switches;
    for (SwitchId s = 0; s < switches; ++s) {
      columns.sls[s * columns.stride + c] = sls(c, s);
      trail.clear();
      for (SwitchId at = s; next(c, at) != kNoArc && !listed[at]; at = graph_.target[next(c, at)]) {
        listed[at] = true;
        trail.push_back(at);
      }
      place = std::reverse_copy(trail.begin(), trail.end(), place);
    }
  }
  return columns;
}

/// Serves all sources once, in the order order_.
void PathColumns::attempt() {
  if (first_.empty() && grow_column_0())
    for (SwitchId s = 0; s < graph_.num_switches(); ++s)
      first_.push_back(now_.next[s * request_.columns]);
  else if (!first_.empty()) {
    begin_column(0);
    for (SwitchId s = 0; s < graph_.num_switches(); ++s)
      if (first_[s] != kNoArc) place_path(s, {&first_[s], 1}, 0);
    for (SwitchId s = 0; s < graph_.num_switches(); ++s)
      if (first_[s] != kNoArc) settle(0, s);
  } else {
    rebuild(0);
    place_safe_tree();
    SwitchId none = kNoSwitch;
    complete(0, none);
  }
  first_depth_ = depth_;
  for (const SwitchId s : order_) place_source(s);
  unsigned repairs = request_.displace_paths ? kRepairsWithRoom : kRepairs;
  for (unsigned column = 1; column < now_.used; ++column) {
    SwitchId stuck = kNoSwitch;
    if (complete(column, stuck)) continue;
    short_of_.push_back(stuck);
    if (repairs > 0 &&
        (request_.displace_paths ? displace_paths(column, stuck) : free_neighbour(column, stuck))) {
      --repairs;
      column = 0;  // the loop continues with column 1
      continue;
    }
    std::erase_if(now_.placed, [&](const PlacedPath& placed) { return placed.column == column; });
    for (SwitchId s = 0; s < graph_.num_switches(); ++s)
      now_.next[s * request_.columns + column] = now_.next[s * request_.columns];
    now_.suffix[column] = now_.suffix[0];
  }
  for (const SwitchId s : order_) now_.shortfall += possible(s);
  for (const PlacedPath& placed : now_.placed) now_.shortfall -= placed.counts;
}

/// Chooses the paths of a source and puts them into columns. None is shorter than the source's path
/// in column 0, except with more_before_first.
void PathColumns::place_source(SwitchId s) {
  const PathCandidates::Set* set = nullptr;
  Choice choice;
  // If there are few columns, they are what limits the number of paths, and more candidates gain
  // little.
  const unsigned bound = bound_of(s);
  const bool few_columns = request_.columns <= 2u * possible_[s];
  const unsigned stages = few_columns ? kStagesIfFewColumns : kStages.size();
  for (unsigned further = 0; further < stages && choice.count < bound; ++further) {
    set = &extend_candidates(s, further);
    choice = choose(s, *set);
    if (!request_.more_before_first || choice.count == bound) continue;
    const std::uint16_t depth = std::exchange(first_depth_[s], std::uint16_t{1});
    const Choice other = choose(s, *set);
    if (other.count > choice.count) choice = other;
    first_depth_[s] = depth;
  }
  now_.used += choice.fresh;
  for (unsigned i = 0; i < choice.count; ++i) {
    const PathCandidates::Path& path = set->paths[choice.path[i]];
    place_path(s, candidates_.arcs(path), choice.column[i]);
    now_.placed.push_back({s, choice.column[i], true, path});
  }
  const unsigned parallel = set == nullptr ? 0 : place_parallel(s, *set, choice);
  if (choice.count + parallel < possible(s)) short_of_.push_back(s);
}

/// The number of disjoint paths that a source has among its candidates, which the rules admit.
unsigned PathColumns::bound_of(SwitchId source) {
  if (bound_[source] == kUnknown) extend_candidates(source, 0);
  return bound_[source];
}

/// Fills column 0, level by level: every switch takes a shortest path that the rules admit and that
/// continues along arcs already in the column. Of equally short paths it takes the one that leaves
/// most SLs to the switches behind it. In the next try, switches that found no path, or not a
/// shortest one, get a shortest path before all others. The best try is kept. Returns false if in
/// each try some switch found no path.
bool PathColumns::grow_column_0() {
  std::vector<SwitchId> open, early;
  std::vector<Arc> best;
  std::uint64_t least = UINT64_MAX;
  for (unsigned tries = 0; tries < kGrowTries && least > 0; ++tries) {
    rebuild(0);
    begin_column(0);
    for (const SwitchId s : early) attach_by_path(0, s);
    open.clear();
    for (SwitchId s = 0; s < graph_.num_switches(); ++s)
      if (s != destination_ && candidates_.reaches(s)) open.push_back(s);
    const std::vector<SwitchId> all = open;
    for (unsigned depth = 1; !open.empty() && depth <= all.size(); ++depth)
      std::erase_if(open, [&](SwitchId s) { return depth_[s] != 0 || attach(0, s, depth); });
    std::uint64_t excess = 0;
    for (const SwitchId s : all) {
      unsigned shortest = UINT_MAX;
      for (const PathCandidates::Path& path : candidates_.from(s, kStages[0]).paths)
        shortest = std::min<unsigned>(shortest, path.length);
      if (depth_[s] != 0 && depth_[s] <= shortest) continue;
      excess += depth_[s] == 0 ? kStuck : depth_[s] - shortest;
      if (std::ranges::find(early, s) == early.end()) early.insert(early.begin(), s);
    }
    if (excess >= least) continue;
    least = excess;
    best.clear();
    for (SwitchId s = 0; s < graph_.num_switches(); ++s)
      best.push_back(now_.next[s * request_.columns]);
  }
  if (least >= kStuck) return false;
  rebuild(0);
  begin_column(0);
  for (SwitchId s = 0; s < graph_.num_switches(); ++s)
    if (best[s] != kNoArc) place_path(s, {&best[s], 1}, 0);
  for (SwitchId s = 0; s < graph_.num_switches(); ++s)
    if (best[s] != kNoArc) settle(0, s);
  return true;
}

void PathColumns::place_path(SwitchId source, std::span<const Arc> arcs, unsigned column) {
  SwitchId at = source;
  for (const Arc arc : arcs) {
    now_.next[at * request_.columns + column] = arc;
    unset_[at] &= ~column_bit(column);
    taken_[arc] |= column_bit(column);
    at = graph_.target[arc];
  }
}

}  // namespace selvedge
