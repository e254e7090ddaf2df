// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/path_columns.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <utility>

namespace selvedge {
namespace {

/// What paths are looked at, by how hard it is to find enough that are disjoint. The thesis' bound
/// is a slack of 4 (Montañana 2008 §4.2.2).
constexpr std::array<CandidateLimits, 4> kStages = {{
    {.slack = 4, .turns = 4, .per_first_arc = 96},
    {.slack = 8, .turns = 4, .per_first_arc = 96},
    {.slack = 12, .turns = 4, .per_first_arc = 128},
    {.slack = 13, .turns = 6, .per_first_arc = 400},
}};
constexpr unsigned kInVain = 8;
constexpr unsigned kStagesIfScarce = 2;
constexpr unsigned kDetours = 60;  // sets that one more path is looked for beside
constexpr unsigned kSearchSteps = 20'000, kBoundSteps = 400'000;
constexpr std::uint64_t kStuck = 1'000'000;  // hops that a switch without a way counts for
constexpr unsigned kGrowTries = 8, kRepairs = 12, kRepairsWithRoom = 48;
constexpr std::size_t kOfTheStuck = 4;
constexpr std::uint8_t kUnknown = 255;
constexpr std::uint8_t kNoColumn = 255;

ColumnSet column_bit(unsigned column) { return ColumnSet{1} << column; }
ColumnSet first_columns(unsigned n) { return n >= kMaxColumns ? ~ColumnSet{0} : column_bit(n) - 1; }

}  // namespace

PathColumns::PathColumns(const SwitchGraph& graph, const TurnRules& rules,
                         PathCandidates& candidates, std::span<const Arc> safe,
                         const PackRequest& request)
    : graph_(graph),
      rules_(rules),
      candidates_(candidates),
      search_(candidates),
      safe_(safe),
      request_(request),
      unset_(graph.num_switches()),
      taken_(graph.num_arcs()),
      depth_(graph.num_switches()),
      bound_(graph.num_switches()),
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
  now_.laid.clear();
}

void PathColumns::pack(SwitchId destination, std::span<const SwitchId> sources, unsigned wanted) {
  destination_ = destination;
  wanted_ = std::min({wanted, request_.columns, kMaxDisjoint});
  candidates_.aim(destination);
  std::ranges::fill(bound_, kUnknown);
  first_.clear();
  const auto distance = candidates_.distance();
  order_.clear();
  for (const SwitchId s : sources)
    if (s != destination && distance[s] != PathCandidates::kFar) order_.push_back(s);
  std::ranges::stable_sort(order_, {}, [&](SwitchId s) { return distance[s]; });

  unsigned in_vain = 0;  // attempts since the best one
  for (unsigned i = 0; i < request_.attempts && in_vain < kInVain; ++i) {
    short_of_.clear();
    clear();
    attempt();
    ++in_vain;
    if (i == 0 || now_.shortfall < best_.shortfall ||
        (now_.shortfall == best_.shortfall && now_.used < best_.used)) {
      std::swap(best_, now_);
      in_vain = 0;
    }
    if (short_of_.empty()) break;
    const auto fell_short = [&](SwitchId s) {
      return std::ranges::find(short_of_, s) != short_of_.end();
    };
    std::ranges::stable_partition(order_, fell_short);
  }
}

Columns PathColumns::columns() const {
  const SwitchId switches = graph_.num_switches();
  Columns columns{best_.used, request_.columns, best_.next, {}, {}};
  columns.sls.resize(columns.next.size());
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

/// One pass over the sources, in their order.
void PathColumns::attempt() {
  if (first_.empty() && grow_first())
    for (SwitchId s = 0; s < graph_.num_switches(); ++s)
      first_.push_back(now_.next[s * request_.columns]);
  else if (!first_.empty()) {
    begin_column(0);
    for (SwitchId s = 0; s < graph_.num_switches(); ++s)
      if (first_[s] != kNoArc) lay(s, {&first_[s], 1}, 0);
    for (SwitchId s = 0; s < graph_.num_switches(); ++s)
      if (first_[s] != kNoArc) settle(0, s);
  } else {
    rebuild(0);
    lay_safe_tree();
    SwitchId none = kNoSwitch;
    complete(0, none);
  }
  first_depth_ = depth_;
  for (const SwitchId s : order_) serve(s);
  unsigned repairs = request_.make_room ? kRepairsWithRoom : kRepairs;
  for (unsigned column = 1; column < now_.used; ++column) {
    SwitchId stuck = kNoSwitch;
    if (complete(column, stuck)) continue;
    short_of_.push_back(stuck);
    if (repairs > 0 && (request_.make_room ? make_room(column, stuck) : make_way(column, stuck))) {
      --repairs;
      column = 0;  // once more from the first
      continue;
    }
    std::erase_if(now_.laid, [&](const Laid& laid) { return laid.column == column; });
    for (SwitchId s = 0; s < graph_.num_switches(); ++s)
      now_.next[s * request_.columns + column] = now_.next[s * request_.columns];
    now_.suffix[column] = now_.suffix[0];
  }
  for (const SwitchId s : order_) now_.shortfall += possible_[s];
  for (const Laid& laid : now_.laid) now_.shortfall -= laid.counts;
}

/// Gives a source its paths: none shorter than its path in column 0, but for more_before_first.
/// (The wider searches are over by then, so that the set stays as it is.)
void PathColumns::serve(SwitchId s) {
  const PathCandidates::Set* set = nullptr;
  Choice choice;
  // Where columns are scarce it is they that are lacking, and more paths to choose from gain
  // little.
  const unsigned bound = bound_of(s);
  const bool scarce = request_.columns <= 2u * possible_[s];
  const unsigned stages = scarce ? kStagesIfScarce : kStages.size();
  for (unsigned further = 0; further < stages && choice.count < bound; ++further) {
    set = &widen(s, further);
    choice = choose(s, *set);
    if (!request_.more_before_first || choice.count == bound) continue;
    const std::uint16_t depth = std::exchange(first_depth_[s], std::uint16_t{1});
    const Choice other = choose(s, *set);
    if (other.count > choice.count) choice = other;
    first_depth_[s] = depth;
  }
  if (choice.count < possible_[s]) short_of_.push_back(s);
  now_.used += choice.fresh;
  for (unsigned i = 0; i < choice.count; ++i) {
    const PathCandidates::Path& path = set->paths[choice.path[i]];
    lay(s, candidates_.arcs(path), choice.column[i]);
    now_.laid.push_back({s, choice.column[i], true, path});
  }
}

/// How many disjoint paths a source can have by the rules.
unsigned PathColumns::bound_of(SwitchId source) {
  if (bound_[source] == kUnknown) widen(source, 0);
  return bound_[source];
}

/// Column 0: level by level, every switch by a shortest way that the tree has for it; of equals, by
/// the one that leaves most SLs to those behind it. Switches that find none, or one that is longer
/// than need be, get a shortest path of their own before all others in another try; the best try
/// counts. False if in each of them some switch found none.
bool PathColumns::grow_first() {
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
    if (best[s] != kNoArc) lay(s, {&best[s], 1}, 0);
  for (SwitchId s = 0; s < graph_.num_switches(); ++s)
    if (best[s] != kNoArc) settle(0, s);
  return true;
}

/// A switch finds no arc in a column. If that is for other switches' arcs that nobody counts on, it
/// goes before them. Else the paths that block it, those through one of its neighbours (the one
/// with the fewest), go into a new column, or, if there is no room for one, their sources are
/// served anew after the switch.
bool PathColumns::make_way(unsigned column, SwitchId stuck) {
  rebuild(column);
  begin_column(column);
  if (const PathCandidates::Path* way = attach_by_path(column, stuck)) {
    now_.laid.push_back({stuck, static_cast<std::uint8_t>(column), false, *way});
    for (unsigned c = 1; c < now_.used; ++c) rebuild(c);
    return true;
  }
  std::vector<std::size_t> fewest, here;
  for (Arc a = graph_.first[stuck]; a < graph_.first[stuck + 1]; ++a) {
    const SwitchId neighbour = graph_.target[a];
    here.clear();
    for (std::size_t i = 0; i < now_.laid.size(); ++i) {
      if (now_.laid[i].column != column) continue;
      bool through = now_.laid[i].source == neighbour;
      for (const Arc arc : candidates_.arcs(now_.laid[i].path))
        through |= graph_.target[arc] == neighbour;
      if (through) here.push_back(i);
    }
    if (!here.empty() && (fewest.empty() || here.size() < fewest.size())) fewest = here;
  }
  if (fewest.empty()) return false;
  if (now_.used < request_.columns) {
    for (const std::size_t i : fewest) now_.laid[i].column = static_cast<std::uint8_t>(now_.used);
    ++now_.used;
    for (unsigned c = 1; c < now_.used; ++c) rebuild(c);
    return true;
  }
  std::vector<SwitchId> again;
  for (const std::size_t i : fewest) again.push_back(now_.laid[i].source);
  std::erase_if(now_.laid, [&](const Laid& laid) {
    return std::ranges::find(again, laid.source) != again.end() ||
           (laid.column == column && !laid.counts);
  });
  for (unsigned c = 1; c < now_.used; ++c) rebuild(c);
  begin_column(column);
  const PathCandidates::Path* way = attach_by_path(column, stuck);
  if (way) now_.laid.push_back({stuck, static_cast<std::uint8_t>(column), false, *way});
  std::ranges::sort(again);
  for (auto s = again.begin(); s != again.end(); ++s)
    if (s == again.begin() || *s != *(s - 1)) serve(*s);
  return true;
}

/// A switch finds no arc in a column. It gets the one of its paths there that the fewest paths are
/// in the way of that others count on. Those move to other columns, else to a new one; if there is
/// no room for one, their sources are served anew after the switch.
bool PathColumns::make_room(unsigned column, SwitchId stuck) {
  const PathCandidates::Set& set = candidates_.from(stuck, kStages[kStages.size() - 2]);
  std::vector<std::size_t> fewest, here;
  std::uint32_t chosen = UINT32_MAX;
  std::size_t least = SIZE_MAX;
  for (std::uint32_t p = 0; p < set.paths.size(); ++p) {
    const std::size_t cost = in_the_way(stuck, set.paths[p], column, here);
    if (cost > least || (cost == least && set.paths[p].length >= set.paths[chosen].length))
      continue;
    least = cost;
    chosen = p;
    fewest = here;
  }
  if (chosen == UINT32_MAX) return false;
  const PathCandidates::Path way = set.paths[chosen];

  for (unsigned c = 1; c < now_.used; ++c) rebuild(c);
  std::vector<SwitchId> again;
  bool fresh = false;
  for (const std::size_t i : fewest) {
    Laid& laid = now_.laid[i];
    if (!laid.counts) continue;
    ColumnSet free = first_columns(now_.used) & fits(laid.source, candidates_.arcs(laid.path));
    for (const Laid& other : now_.laid)
      if (other.counts && other.source == laid.source) free &= ~column_bit(other.column);
    if (free != 0) {
      laid.column = static_cast<std::uint8_t>(std::countr_zero(free));
      lay(laid.source, candidates_.arcs(laid.path), laid.column);
    } else if (now_.used < request_.columns) {
      laid.column = static_cast<std::uint8_t>(now_.used);
      fresh = true;
    } else {
      again.push_back(laid.source);
    }
  }
  std::size_t at = 0;
  std::erase_if(now_.laid, [&](const Laid& laid) {
    const std::size_t i = at++;
    return std::ranges::find(again, laid.source) != again.end() ||
           (!laid.counts && std::ranges::binary_search(fewest, i));
  });
  now_.used += fresh;
  now_.laid.push_back({stuck, static_cast<std::uint8_t>(column), false, way});
  for (unsigned c = 1; c < now_.used; ++c) rebuild(c);
  std::ranges::sort(again);
  for (auto s = again.begin(); s != again.end(); ++s)
    if (s == again.begin() || *s != *(s - 1)) serve(*s);
  return true;
}

/// The paths laid in a column that a path can't be there with, in `blocking`; returns what it would
/// cost to be rid of them. Those that complete the column cost more, as their switches were stuck.
std::size_t PathColumns::in_the_way(SwitchId source, const PathCandidates::Path& path,
                                    unsigned column, std::vector<std::size_t>& blocking) {
  wanted_arc_.resize(graph_.num_switches(), kNoArc);
  const std::span<const Arc> arcs = candidates_.arcs(path);
  for (const Arc arc : arcs) wanted_arc_[tail_[arc]] = arc;
  blocking.clear();
  std::size_t cost = 0;
  for (std::size_t i = 0; i < now_.laid.size(); ++i) {
    const Laid& laid = now_.laid[i];
    if (laid.column != column || laid.source == source) continue;
    for (const Arc arc : candidates_.arcs(laid.path)) {
      const Arc wanted = wanted_arc_[tail_[arc]];
      if (wanted == kNoArc || wanted == arc) continue;
      blocking.push_back(i);
      cost += laid.counts ? 1 : kOfTheStuck;
      break;
    }
  }
  for (const Arc arc : arcs) wanted_arc_[tail_[arc]] = kNoArc;
  return cost;
}

/// Empties a column but for the paths that count on it.
void PathColumns::rebuild(unsigned column) {
  for (SwitchId s = 0; s < graph_.num_switches(); ++s)
    now_.next[s * request_.columns + column] = kNoArc;
  for (ColumnSet& columns : unset_) columns |= column_bit(column);
  for (ColumnSet& columns : taken_) columns &= ~column_bit(column);
  for (const Laid& laid : now_.laid)
    if (laid.column == column) lay(laid.source, candidates_.arcs(laid.path), column);
}

/// The source's candidates, of as many as its number of disjoint paths asks for, and `further`
/// stages.
const PathCandidates::Set& PathColumns::widen(SwitchId source, unsigned further) {
  std::uint8_t& stage = stage_[source];
  if (bound_[source] != kUnknown)
    return candidates_.from(source,
                            kStages[std::min<std::size_t>(stage + further, kStages.size() - 1)]);
  const unsigned ports = graph_.first[source + 1] - graph_.first[source];
  const unsigned wanted = std::min(wanted_, ports);
  unsigned most = 0;  // that can be found, however widely they are looked for
  for (stage = 0;; ++stage) {
    const PathCandidates::Set& set = candidates_.from(source, kStages[stage]);
    bound_[source] = static_cast<std::uint8_t>(bound(source, set));
    if (stage == 0) possible_[source] = bound_[source];
    if (stage == 0) most = bound_[source];
    if (bound_[source] < wanted && stage == 0) {
      most = disjoint_ways(source, wanted, false);
      possible_[source] = static_cast<std::uint8_t>(most);
      if (bound_[source] < most) most = disjoint_ways(source, most, true);
    }
    if (bound_[source] >= most) return set;
    if (stage + 1u == kStages.size()) {
      while (bound_[source] < most && add_detour(source, set)) ++bound_[source];
      return set;
    }
  }
}

/// One disjoint path more, of any length, beside one of the sets of as many as there are. Each
/// first arc in turn is left to it.
bool PathColumns::add_detour(SwitchId source, const PathCandidates::Set& set) {
  const unsigned count = bound_[source];
  if (count == 0) return false;
  const unsigned steps = request_.patient ? 10 * kSearchSteps : kSearchSteps;
  const unsigned detours = request_.patient ? 50 * kDetours : kDetours;
  std::vector<std::uint32_t> sets;  // one after the other
  for (std::size_t g = 0; g + 1 < set.group.size(); ++g) {
    sets.clear();
    search_.run(
        set, count, steps, steps,
        [&](std::uint32_t p) { return p < set.group[g] || p >= set.group[g + 1]; },
        [&](std::span<const std::uint32_t> paths, unsigned) {
          sets.insert(sets.end(), paths.begin(), paths.end());
          return sets.size() < detours * count ? UINT_MAX : 0u;
        });
    for (std::size_t i = 0; i < sets.size(); i += count)
      if (candidates_.detour(source, {sets.data() + i, count})) return true;
  }
  return false;
}

/// The most switch-disjoint ways that the fabric has from here to the destination, but no more than
/// `most` (Menger 1927); or, by the rules, a bound on these: over arcs that are on some admitted
/// way, although a way over such arcs need not be admitted. Unit flows: each pass finds one more
/// way, breadth first over (switch, arriving on the side of its own flow or not).
unsigned PathColumns::disjoint_ways(SwitchId source, unsigned most, bool by_rules) {
  if (by_rules)
    candidates_.usable(source, usable_);
  else
    usable_.assign(graph_.num_arcs(), 1);
  // In the residual graph a switch has two sides: 2s is entered from outside, 2s + 1 is left.
  const std::uint32_t n = graph_.num_switches();
  flow_.assign(graph_.num_arcs(), 0);
  std::vector<std::uint8_t> passed(n, 0);  // by a way found
  std::vector<Arc> entering(n, kNoArc);    // the arc of that way
  unsigned found = 0;
  for (; found < most; ++found) {
    std::vector<std::pair<std::uint32_t, Arc>> from(2 * std::size_t{n}, {UINT32_MAX, kNoArc});
    std::vector<std::uint32_t> queue{2 * source + 1};
    from[2 * source + 1] = {2 * source + 1, kNoArc};
    const auto reach = [&](std::uint32_t node, std::uint32_t via, Arc arc) {
      if (from[node].first != UINT32_MAX) return;
      from[node] = {via, arc};
      queue.push_back(node);
    };
    for (std::size_t i = 0; i < queue.size() && from[2 * destination_].first == UINT32_MAX; ++i) {
      const std::uint32_t node = queue[i];
      const SwitchId s = node / 2;
      if (node % 2 == 1) {
        for (Arc a = graph_.first[s]; a < graph_.first[s + 1]; ++a)
          if (usable_[a] && !flow_[a] && graph_.target[a] != source)
            reach(2 * graph_.target[a], node, a);
        if (s != source && passed[s]) reach(2 * s, node, kNoArc);
      } else {
        if (!passed[s]) reach(2 * s + 1, node, kNoArc);
        if (passed[s] && entering[s] != kNoArc)
          reach(2 * tail_[entering[s]] + 1, node, entering[s]);
      }
    }
    if (from[2 * destination_].first == UINT32_MAX) break;
    for (std::uint32_t node = 2 * destination_; node != 2 * source + 1; node = from[node].first)
      if (from[node].second != kNoArc) flow_[from[node].second] ^= 1;
    std::ranges::fill(passed, std::uint8_t{0});
    std::ranges::fill(entering, kNoArc);
    for (Arc a = 0; a < graph_.num_arcs(); ++a) {
      if (!flow_[a] || graph_.target[a] == destination_) continue;
      passed[graph_.target[a]] = 1;
      entering[graph_.target[a]] = a;
    }
  }
  return found;
}

/// How many disjoint paths there would be if no column stood in the way.
unsigned PathColumns::bound(SwitchId source, const PathCandidates::Set& set) {
  const unsigned ports = graph_.first[source + 1] - graph_.first[source];
  const unsigned most = std::min(wanted_, ports);
  for (unsigned count = most; count > 1; --count)
    if (search_.run(
            set, count, kBoundSteps, 0, [](std::uint32_t) { return true; },
            [](std::span<const std::uint32_t>, unsigned) { return 0u; }, count != most))
      return count;
  return set.paths.empty() ? 0 : 1;
}

/// The most and shortest disjoint paths that fit the columns as they are, where a new column counts
/// as column_cost hops.
PathColumns::Choice PathColumns::choose(SwitchId source, const PathCandidates::Set& set) {
  fits_.clear();
  for (const PathCandidates::Path& path : set.paths)
    fits_.push_back(path.length < first_depth_[source] ? 0 : fits(source, candidates_.arcs(path)));
  const unsigned most = std::min<unsigned>(bound_[source], room(set));
  for (unsigned count = most; count > 0; --count) {
    Choice best, choice;
    unsigned cost = UINT_MAX;
    const auto usable = [&](std::uint32_t p) { return fits_[p] != 0; };
    const auto found = [&](std::span<const std::uint32_t> paths, unsigned length) {
      choice.count = count;
      std::ranges::copy(paths, choice.path.begin());
      if (place(choice) && length + choice.fresh * request_.column_cost < cost) {
        cost = length + choice.fresh * request_.column_cost;
        best = choice;
      }
      return cost;
    };
    search_.run(set, count, kBoundSteps, kSearchSteps, usable, found, count != most);
    if (best.count > 0) return best;
  }
  return {};
}

/// No more paths than this can be chosen: a largest matching of first arcs and columns, where a
/// path by the first arc fits the column.
unsigned PathColumns::room(const PathCandidates::Set& set) const {
  std::array<std::uint32_t, kMaxColumns> holder;  // per column, a group
  std::array<std::uint32_t, kMaxColumns> from;
  holder.fill(UINT32_MAX);
  const auto groups = static_cast<std::uint32_t>(set.group.size() - 1);
  std::vector<ColumnSet> fit(groups, 0);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t g = 0; g < groups; ++g)
    for (std::uint32_t p = set.group[g]; p < set.group[g + 1]; ++p) fit[g] |= fits_[p];
  unsigned matched = 0;
  for (std::uint32_t start = 0; start < groups; ++start) {
    queue.assign(1, start);
    ColumnSet seen = 0;
    unsigned end = kMaxColumns;
    for (std::size_t i = 0; i < queue.size() && end == kMaxColumns; ++i)
      for (ColumnSet m = fit[queue[i]] & ~seen; m != 0; m &= m - 1) {
        const auto c = static_cast<unsigned>(std::countr_zero(m));
        seen |= column_bit(c);
        from[c] = queue[i];
        if (holder[c] == UINT32_MAX) {
          end = c;
          break;
        }
        queue.push_back(holder[c]);
      }
    if (end == kMaxColumns) continue;
    ++matched;
    // Each group on the way takes the column found for it and leaves its own to the one before.
    for (unsigned c = end; c != kMaxColumns;) {
      const std::uint32_t g = from[c];
      unsigned before = kMaxColumns;
      for (unsigned other = 0; other < kMaxColumns; ++other)
        if (other != c && holder[other] == g) before = other;
      holder[c] = g;
      c = g == start ? kMaxColumns : before;
    }
  }
  return matched;
}

/// Columns for the chosen paths, as few new ones as can be.
bool PathColumns::place(Choice& choice) const {
  choice.fresh = match(choice);
  if (choice.fresh > request_.columns - now_.used) return false;
  unsigned next = now_.used;
  for (unsigned i = 0; i < choice.count; ++i)
    if (choice.column[i] == kNoColumn) choice.column[i] = static_cast<std::uint8_t>(next++);
  return true;
}

/// A largest matching of paths and columns in use that they fit (augmenting paths, breadth first);
/// returns how many paths are left over, with kNoColumn.
unsigned PathColumns::match(Choice& choice) const {
  const ColumnSet used = first_columns(now_.used);
  std::array<std::uint8_t, kMaxDisjoint>& column = choice.column;
  std::array<std::uint8_t, kMaxColumns> holder, from;
  holder.fill(kNoColumn);
  column.fill(kNoColumn);
  unsigned left = choice.count;
  for (unsigned start = 0; start < choice.count; ++start) {
    std::array<std::uint8_t, kMaxDisjoint> queue;
    unsigned head = 0, tail = 0;
    queue[tail++] = static_cast<std::uint8_t>(start);
    ColumnSet seen = 0;
    int end = -1;
    while (head < tail && end < 0) {
      const unsigned p = queue[head++];
      for (ColumnSet m = fits_[choice.path[p]] & used & ~seen; m != 0; m &= m - 1) {
        const auto c = static_cast<unsigned>(std::countr_zero(m));
        seen |= column_bit(c);
        from[c] = static_cast<std::uint8_t>(p);
        if (holder[c] == kNoColumn) {
          end = static_cast<int>(c);
          break;
        }
        queue[tail++] = holder[c];
      }
    }
    if (end < 0) continue;
    for (auto c = static_cast<std::uint8_t>(end);;) {
      const std::uint8_t p = from[c];
      const std::uint8_t before = column[p];
      holder[c] = p;
      column[p] = c;
      if (p == start) break;
      c = before;
    }
    --left;
  }
  return left;
}

ColumnSet PathColumns::fits(SwitchId source, std::span<const Arc> arcs) const {
  ColumnSet columns = first_columns(request_.columns);
  SwitchId at = source;
  for (const Arc arc : arcs) {
    columns &= unset_[at] | taken_[arc];
    at = graph_.target[arc];
  }
  return columns;
}

void PathColumns::lay(SwitchId source, std::span<const Arc> arcs, unsigned column) {
  SwitchId at = source;
  for (const Arc arc : arcs) {
    now_.next[at * request_.columns + column] = arc;
    unset_[at] &= ~column_bit(column);
    taken_[arc] |= column_bit(column);
    at = graph_.target[arc];
  }
}

/// Column 0 along the spanning tree: towards the destination's side of it, then down.
void PathColumns::lay_safe_tree() {
  for (SwitchId s = 0; s < graph_.num_switches(); ++s)
    if (safe_[s] != kNoArc && s != destination_) lay(s, {&safe_[s], 1}, 0);
  for (SwitchId below = destination_; safe_[below] != kNoArc;) {
    const SwitchId above = graph_.target[safe_[below]];
    for (Arc a = graph_.first[above]; a < graph_.first[above + 1]; ++a) {
      if (graph_.target[a] != below) continue;
      if (safe_[above] != kNoArc) taken_[safe_[above]] &= ~column_bit(0);
      lay(above, {&a, 1}, 0);
      break;
    }
    below = above;
  }
  // The tree need not lead from everywhere to everywhere (orientation.hpp, "levels").
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

/// An arc for every switch that has none yet (but has one in column 0). False if for one of them,
/// `stuck`, there is none.
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

/// What SLs the rest of the way allows, for this switch and all after it.
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

/// Makes s the child of a neighbour that has its way already and whose way is shorter than `depth`:
/// the one that leaves most SLs to choose from, among equals the one with the shortest way.
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
    // Column 0 is to hold a shortest path: a shorter one here comes last.
    if (column == 0 || through + 1u >= first_depth_[s]) room += 2 * static_cast<int>(kSls);
    if (room < best_room || (room == best_room && through >= best_depth)) continue;
    best = a;
    best_depth = through;
    best_room = room;
  }
  if (best == kNoArc) return false;
  lay(s, {&best, 1}, column);
  settle(column, s);
  return true;
}

/// The same by a path through switches that have no arc yet either.
const PathCandidates::Path* PathColumns::attach_by_path(unsigned column, SwitchId s) {
  const PathCandidates::Set& set = candidates_.from(s, kStages[kStages.size() - 2]);
  const PathCandidates::Path* best = nullptr;
  for (const PathCandidates::Path& path : set.paths)
    if ((!best || path.length < best->length) && (fits(s, candidates_.arcs(path)) >> column & 1u))
      best = &path;
  if (!best) return nullptr;
  lay(s, candidates_.arcs(*best), column);
  settle(column, s);
  return best;
}

}  // namespace selvedge
