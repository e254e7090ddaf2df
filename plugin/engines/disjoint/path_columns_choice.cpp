// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Part of PathColumns (path_columns.hpp): chooses the paths of one source, and bounds how many it
// can have.
#include "plugin/engines/disjoint/path_columns.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <utility>

namespace selvedge {
namespace {

// The most steps of a search before it finds a first set of paths, and the most steps after that.
constexpr unsigned kSteps = 20'000;
constexpr std::uint8_t kNoColumn = 255;
/// From this stage of extend_candidates() on, paths are negotiated (negotiation.hpp). At an earlier
/// stage, a source would have few other candidates left if no column admits the negotiated paths.
constexpr unsigned kNegotiate = 2;

}  // namespace

/// Returns the source's candidate paths within the limits kStages[i + further]. Stage i is the
/// first that yields as many disjoint paths as the source can have, or else the last.
const PathCandidates::Set& PathColumns::extend_candidates(SwitchId source, unsigned further) {
  std::uint8_t& stage = stage_[source];
  if (bound_[source] != kUnknown)
    return candidates_.from(source,
                            kStages[std::min<std::size_t>(stage + further, kStages.size() - 1)]);
  const unsigned ports = graph_.first[source + 1] - graph_.first[source];
  const unsigned wanted = std::min(wanted_, ports);
  unsigned most = 0;  // an upper bound on the disjoint paths, whatever the limits
  bound_[source] = 0;
  for (stage = 0;; ++stage) {
    const PathCandidates::Set& set = candidates_.from(source, kStages[stage]);
    searched_[source] = static_cast<std::uint8_t>(bound(source, set));
    bound_[source] = std::max(bound_[source], searched_[source]);
    if (stage == 0) possible_[source] = bound_[source];
    if (stage == 0) most = bound_[source];
    if (bound_[source] < wanted && stage == 0) {
      most = disjoint_ways(source, wanted, false);
      possible_[source] = static_cast<std::uint8_t>(most);
      if (bound_[source] < most) most = disjoint_ways(source, most, true);
    }
    if (stage == kNegotiate)
      for (unsigned count = most; count > bound_[source]; --count) {
        const auto paths = negotiation_.find(source, destination_, count);
        for (const std::vector<Arc>& path : paths) candidates_.add(source, path);
        if (!paths.empty()) bound_[source] = static_cast<std::uint8_t>(count);
      }
    if (bound_[source] >= most || stage + 1u == kStages.size()) return set;
  }
}

/// The maximum number of switch-disjoint paths from the source to the destination (Menger 1927),
/// but at most `most`. With `by_rules` it is an upper bound on the paths that the rules admit: only
/// arcs on some admitted walk count, although a path over such arcs need not be admitted. The
/// method is a flow of one unit per switch: each round finds one more path, breadth first over the
/// two sides of each switch.
unsigned PathColumns::disjoint_ways(SwitchId source, unsigned most, bool by_rules) {
  if (by_rules)
    candidates_.usable(source, usable_);
  else
    usable_.assign(graph_.num_arcs(), 1);
  // In the residual graph of the flow each switch has two nodes: 2s is entered from outside, 2s + 1
  // is left.
  const std::uint32_t n = graph_.num_switches();
  flow_.assign(graph_.num_arcs(), 0);
  std::vector<std::uint8_t> passed(n, 0);  // per switch: whether a path found passes it
  std::vector<Arc> entering(n, kNoArc);    // per switch: the arc by which that path enters
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

/// The number of disjoint paths that a bounded search finds among the candidates, regardless of
/// columns.
unsigned PathColumns::bound(SwitchId source, const PathCandidates::Set& set) {
  const unsigned ports = graph_.first[source + 1] - graph_.first[source];
  const unsigned most = std::min(wanted_, ports);
  for (unsigned count = most; count > 1; --count)
    if (search_.run(
            set, count, kSteps, 0, [](std::uint32_t) { return true; },
            [](std::span<const std::uint32_t>, unsigned) { return 0u; }, count != most))
      return count;
  return set.paths.empty() ? 0 : 1;
}

/// Chooses as many disjoint paths as fit the columns; of such sets it takes the cheapest. The cost
/// is the total length in hops, plus column_cost for each new column.
PathColumns::Choice PathColumns::choose(SwitchId source, const PathCandidates::Set& set) {
  fits_.clear();
  for (const PathCandidates::Path& path : set.paths)
    fits_.push_back(path.length < first_depth_[source] ? 0 : fits(source, candidates_.arcs(path)));
  const unsigned most = std::min<unsigned>(bound_[source], room(set));
  bool same_set = false;
  for (unsigned count = most; count > 0; --count) {
    Choice best, choice;
    unsigned cost = UINT_MAX;
    // If only negotiation found this many disjoint paths, a search among the other candidates would
    // find none.
    const bool negotiated = count == bound_[source] && count > searched_[source];
    const auto usable = [&](std::uint32_t p) {
      return fits_[p] != 0 && (!negotiated || set.paths[p].added);
    };
    const auto found = [&](std::span<const std::uint32_t> paths, unsigned length) {
      choice.count = count;
      std::ranges::copy(paths, choice.path.begin());
      if (place(choice) && length + choice.fresh * request_.column_cost < cost) {
        cost = length + choice.fresh * request_.column_cost;
        best = choice;
      }
      return cost;
    };
    search_.run(set, count, kSteps, kSteps, usable, found, same_set);
    if (best.count > 0) return best;
    same_set = !negotiated;
  }
  return {};
}

/// The number of further disjoint paths that parallel cables give a neighbour of the destination:
/// one for each cable to the destination but the first. 0 for other sources.
unsigned PathColumns::parallel_paths(SwitchId source) const {
  if (request_.cables.empty()) return 0;
  for (Arc a = graph_.first[source]; a < graph_.first[source + 1]; ++a)
    if (graph_.target[a] == destination_) return request_.cables[a] - 1;
  return 0;
}

/// The number of disjoint paths, up to `wanted`, that the fabric has for a source.
unsigned PathColumns::possible(SwitchId source) const {
  return std::min(wanted_, possible_[source] + parallel_paths(source));
}

/// Puts the path of one hop into further columns (trees), as often as there are parallel cables for
/// it. Returns how often.
unsigned PathColumns::place_parallel(SwitchId source, const PathCandidates::Set& set,
                                     const Choice& choice) {
  const unsigned most = std::min(parallel_paths(source), wanted_ - choice.count);
  if (most == 0) return 0;
  const auto direct =
      std::ranges::find_if(set.paths, [](const PathCandidates::Path& p) { return p.length == 1; });
  if (direct == set.paths.end()) return 0;
  const PathCandidates::Path path = *direct;
  ColumnSet free = fits(source, candidates_.arcs(path));
  for (unsigned i = 0; i < choice.count; ++i) free &= ~column_bit(choice.column[i]);
  unsigned placed = 0;
  for (; placed < most && free != 0; ++placed, free &= free - 1) {
    const auto column = static_cast<unsigned>(std::countr_zero(free));
    now_.used = std::max(now_.used, column + 1);
    place_path(source, candidates_.arcs(path), column);
    now_.placed.push_back({source, static_cast<std::uint8_t>(column), true, path});
  }
  return placed;
}

/// An upper bound on the number of paths that fit the columns (trees): a maximum matching of first
/// arcs and columns. An arc and a column match if some path with that first arc fits the column.
unsigned PathColumns::room(const PathCandidates::Set& set) const {
  std::array<std::uint32_t, kMaxColumns> holder;  // per column: the group (first arc) matched to it
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
    // Each group on the augmenting path takes its new column, and leaves its old column to the
    // group before it on that path.
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

/// Assigns columns to the chosen paths, with as few new columns as possible. Returns false if there
/// are too few columns.
bool PathColumns::place(Choice& choice) const {
  choice.fresh = match(choice);
  if (choice.fresh > request_.columns - now_.used) return false;
  unsigned next = now_.used;
  for (unsigned i = 0; i < choice.count; ++i)
    if (choice.column[i] == kNoColumn) choice.column[i] = static_cast<std::uint8_t>(next++);
  return true;
}

/// Assigns existing columns to as many paths as possible (a maximum matching, by augmenting paths,
/// breadth first). Returns the number of paths without one; their column is kNoColumn.
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

}  // namespace selvedge
