// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/disjoint/path_candidates.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace selvedge {
namespace {

constexpr unsigned kBits = 256;
constexpr unsigned kLayers = PathCandidates::kMostTurns + 1;
constexpr unsigned kLongest = 63;  // hops that a bit set of lengths can hold

}  // namespace

PathCandidates::PathCandidates(const SwitchGraph& graph, const TurnRules& rules,
                               std::vector<std::uint8_t> direction)
    : graph_(graph),
      rules_(rules),
      direction_(std::move(direction)),
      distance_(graph.num_switches()),
      first_in_(graph.num_switches() + 1, 0),
      in_(graph.num_arcs()),
      listed_(graph.num_arcs(), 0),
      sets_(graph.num_switches()),
      on_(graph.num_switches(), 0) {
  for (SwitchId s = 0; s < graph.num_switches(); ++s)
    tail_.insert(tail_.end(), graph.first[s + 1] - graph.first[s], s);
  for (const SwitchId s : graph.target) ++first_in_[s + 1];
  std::partial_sum(first_in_.begin(), first_in_.end(), first_in_.begin());
  std::vector<Arc> place(first_in_.begin(), first_in_.end() - 1);
  for (Arc a = 0; a < graph.num_arcs(); ++a) in_[place[graph.target[a]]++] = a;
}

void PathCandidates::set_destination(SwitchId destination) {
  destination_ = destination;
  arcs_.clear();
  for (Set& set : sets_) {
    set.paths.clear();
    set.group.clear();
    set.slack = 0;
  }
  std::ranges::fill(distance_, kFar);
  distance_[destination] = 0;
  queue_.assign(1, destination);
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const SwitchId x = queue_[i];
    for (Arc a = graph_.first[x]; a < graph_.first[x + 1]; ++a) {
      const SwitchId y = graph_.target[a];
      if (distance_[y] != kFar) continue;
      distance_[y] = static_cast<std::uint16_t>(distance_[x] + 1);
      queue_.push_back(y);
    }
  }
  compute_distances();
  if (!direction_.empty()) compute_lengths_ahead();
}

/// Computes rest_, backwards from the destination, until nothing changes. Walks that pass a switch
/// twice count too. So rest_ may permit too much but never excludes a path.
void PathCandidates::compute_distances() {
  rest_.assign(graph_.num_arcs(), {});
  arc_queue_.clear();
  const auto add = [&](Arc arc, SlSuffix suffix) {
    const SlSuffix more{static_cast<SlSet>(rest_[arc].from_vl0 | suffix.from_vl0),
                        static_cast<SlSet>(rest_[arc].from_vl1 | suffix.from_vl1)};
    if (more.from_vl0 == rest_[arc].from_vl0 && more.from_vl1 == rest_[arc].from_vl1) return;
    rest_[arc] = more;
    if (listed_[arc]) return;
    listed_[arc] = 1;
    arc_queue_.push_back(arc);
  };
  for (Arc i = first_in_[destination_]; i < first_in_[destination_ + 1]; ++i)
    add(in_[i], {rules_.all(), rules_.all()});
  for (std::size_t i = 0; i < arc_queue_.size(); ++i) {
    const Arc out = arc_queue_[i];
    const SwitchId at = tail_[out];
    listed_[out] = 0;
    if (at == destination_) continue;
    for (Arc j = first_in_[at]; j < first_in_[at + 1]; ++j)
      if (tail_[in_[j]] != graph_.target[out])
        add(in_[j], rest_[out].before(rules_.turn(at, in_[j], out)));
  }
}

/// Computes lengths_ahead_ for 0 turns, then for 1, and so on. For each number of turns it passes
/// over all arcs in both orders until nothing changes, since a straight run may go round a ring. As
/// in compute_distances(), walks that pass a switch twice count.
void PathCandidates::compute_lengths_ahead() {
  const unsigned sls = rules_.sls, states = 2 * sls;
  const std::size_t arcs = graph_.num_arcs(), stride = std::size_t{kLayers} * states;
  lengths_ahead_.assign(arcs * stride, 0);
  for (unsigned turns = 0; turns < kLayers; ++turns) {
    // Adds the lengths that one more hop gives: `in` followed by arcs straight on, or by arcs that
    // turn.
    const auto follow = [&](Arc in, bool straight) {
      const SwitchId at = graph_.target[in];
      std::uint64_t* here = &lengths_ahead_[in * stride + turns * states];
      std::uint64_t added_lengths = 0;
      for (Arc out = graph_.first[at]; out < graph_.first[at + 1]; ++out) {
        if ((direction_[in] == direction_[out]) != straight || graph_.target[out] == tail_[in])
          continue;
        const Turn& turn = rules_.turn(at, in, out);
        const std::uint64_t* next =
            &lengths_ahead_[out * stride + (straight ? turns : turns - 1) * states];
        for (unsigned sl = 0; sl < sls; ++sl) {
          const unsigned vl = turn.on_vl1 >> sl & 1u;
          const std::uint64_t one_longer = next[vl * sls + sl] << 1;
          for (unsigned from = turn.forbidden ? 1 : 0; from <= vl; ++from) {
            // A forbidden turn is made from VL 0 only, other turns from any VL that is not above
            // the new VL.
            std::uint64_t& lengths = here[(turn.forbidden ? 0 : from) * sls + sl];
            added_lengths |= one_longer & ~lengths;
            lengths |= one_longer;
          }
        }
      }
      return added_lengths != 0;
    };
    for (Arc a = 0; a < arcs; ++a) {
      if (graph_.target[a] == destination_)
        std::fill_n(&lengths_ahead_[a * stride + turns * states], states, std::uint64_t{1});
      else if (turns > 0)
        follow(a, false);
    }
    for (bool more = true, forth = true; more; forth = !forth) {
      more = false;
      for (Arc i = 0; i < arcs; ++i) {
        const Arc a = forth ? i : static_cast<Arc>(arcs - 1 - i);
        if (graph_.target[a] != destination_ && follow(a, true)) more = true;
      }
    }
  }
}

/// Whether a packet on this arc, with one of the SLs of `state`, can reach the destination in
/// exactly `hops` more hops with at most `turns` turns. (The walk may pass a switch twice.)
bool PathCandidates::can_arrive(SlState state, Arc arc, unsigned turns, unsigned hops) const {
  if (!ends(state, arc)) return false;
  if (lengths_ahead_.empty() || hops > kLongest) return true;
  const std::uint64_t* lengths =
      &lengths_ahead_[(arc * std::size_t{kLayers} + turns) * 2 * rules_.sls];
  std::uint64_t any = 0;
  for (unsigned sls = state.vl0; sls != 0; sls &= sls - 1) any |= lengths[std::countr_zero(sls)];
  for (unsigned sls = state.vl1; sls != 0; sls &= sls - 1)
    any |= lengths[rules_.sls + std::countr_zero(sls)];
  return any >> hops & 1u;
}

bool PathCandidates::reaches(SwitchId source) const {
  for (Arc a = graph_.first[source]; a < graph_.first[source + 1]; ++a)
    if (ends({rules_.all(), 0}, a)) return true;
  return false;
}

void PathCandidates::usable(SwitchId source, std::vector<std::uint8_t>& arcs) {
  before_.assign(graph_.num_arcs(), {});
  arc_queue_.clear();
  const auto add = [&](Arc arc, SlState state) {
    const SlState more{static_cast<SlSet>(before_[arc].vl0 | state.vl0),
                       static_cast<SlSet>(before_[arc].vl1 | state.vl1)};
    if (more.vl0 == before_[arc].vl0 && more.vl1 == before_[arc].vl1) return;
    before_[arc] = more;
    if (listed_[arc]) return;
    listed_[arc] = 1;
    arc_queue_.push_back(arc);
  };
  for (Arc a = graph_.first[source]; a < graph_.first[source + 1]; ++a) add(a, {rules_.all(), 0});
  for (std::size_t i = 0; i < arc_queue_.size(); ++i) {
    const Arc in = arc_queue_[i];
    const SwitchId at = graph_.target[in];
    listed_[in] = 0;
    if (at == destination_) continue;
    for (Arc out = graph_.first[at]; out < graph_.first[at + 1]; ++out)
      if (graph_.target[out] != tail_[in] && graph_.target[out] != source)
        add(out, before_[in].after(rules_.turn(at, in, out)));
  }
  arcs.resize(graph_.num_arcs());
  for (Arc a = 0; a < graph_.num_arcs(); ++a) arcs[a] = ends(before_[a], a);
}

const PathCandidates::Set& PathCandidates::from(SwitchId source, const CandidateLimits& limits) {
  Set& set = sets_[source];
  if (!set.group.empty() && set.slack >= limits.slack) return set;
  std::erase_if(set.paths, [](const Path& path) { return !path.added; });
  const std::vector<Path> added = std::exchange(set.paths, {});
  set.group.assign(1, 0);
  set.slack = limits.slack;
  const unsigned shortest = distance_[source];
  for (Arc first = graph_.first[source]; first < graph_.first[source + 1]; ++first) {
    const std::size_t begin = set.paths.size();
    for (unsigned length = shortest; length <= shortest + limits.slack; ++length) {
      if (set.paths.size() - begin >= limits.per_first_arc) break;
      search(source, first, length, limits, set);
    }
    set.group.push_back(static_cast<std::uint32_t>(set.paths.size()));
  }
  for (const Path& path : added) insert(source, path);
  return set;
}

void PathCandidates::keep(std::span<const Arc> arcs, SlSet sls, Set& set) {
  Path path{static_cast<std::uint32_t>(arcs_.size()),
            static_cast<std::uint16_t>(arcs.size()),
            sls,
            false,
            {}};
  for (const Arc arc : arcs.first(arcs.size() - 1)) {
    const SwitchId s = graph_.target[arc];
    path.passes[s % kBits / 64] |= std::uint64_t{1} << (s % 64);
  }
  arcs_.insert(arcs_.end(), arcs.begin(), arcs.end());
  set.paths.push_back(path);
}

/// Finds the paths of exactly this length that begin with arc `first`, depth first, within the
/// limits.
void PathCandidates::search(SwitchId source, Arc first, unsigned length,
                            const CandidateLimits& limits, Set& set) {
  const std::size_t most = set.group.back() + limits.per_first_arc;
  const SwitchId second = graph_.target[first];
  if (distance_[second] + 1u > length || (second == destination_ && length != 1)) return;
  trail_.assign(1, first);
  const SlState start{rules_.all(), 0};
  if (!can_arrive(start, first, limits.turns, length - 1)) return;
  if (second == destination_) {
    keep(trail_, start.any(), set);
    return;
  }
  on_[source] = on_[second] = 1;
  stack_.assign(1, {second, graph_.first[second], start, 0});
  for (unsigned steps = 0; !stack_.empty(); ++steps) {
    Step& step = stack_.back();
    if (step.next == graph_.first[step.at + 1] || set.paths.size() >= most ||
        steps >= limits.steps) {
      on_[step.at] = 0;
      stack_.pop_back();
      trail_.pop_back();
      continue;
    }
    const Arc arc = step.next++;
    const SwitchId to = graph_.target[arc];
    const auto hops = static_cast<unsigned>(trail_.size()) + 1;
    if (on_[to] || hops + distance_[to] > length || (to == destination_ && hops != length))
      continue;
    const Arc in = trail_.back();
    auto turns = step.turns;
    if (!direction_.empty() && direction_[in] != direction_[arc] && ++turns > limits.turns)
      continue;
    const SlState state = step.state.after(rules_.turn(step.at, in, arc));
    if (!can_arrive(state, arc, limits.turns - turns, length - hops)) continue;
    trail_.push_back(arc);
    if (to == destination_) {
      keep(trail_, state.any(), set);
      trail_.pop_back();
      continue;
    }
    on_[to] = 1;
    stack_.push_back({to, graph_.first[to], state, turns});
  }
  on_[source] = 0;
}

void PathCandidates::add(SwitchId source, std::span<const Arc> arcs) {
  SlState state{rules_.all(), 0};
  for (std::size_t i = 1; i < arcs.size(); ++i)
    state = state.after(rules_.turn(graph_.target[arcs[i - 1]], arcs[i - 1], arcs[i]));
  Set& set = sets_[source];
  keep(arcs, state.any(), set);
  Path path = set.paths.back();
  set.paths.pop_back();
  path.added = true;
  insert(source, path);
}

void PathCandidates::insert(SwitchId source, const Path& path) {
  Set& set = sets_[source];
  const std::size_t group = arcs(path).front() - graph_.first[source];
  const auto begin = set.paths.begin() + set.group[group];
  const auto end = set.paths.begin() + set.group[group + 1];
  const auto it = std::find_if(
      begin, end, [&](const Path& p) { return std::ranges::equal(arcs(p), arcs(path)); });
  if (it != end) {
    it->added = true;
    return;
  }
  set.paths.insert(
      std::upper_bound(begin, end, path,
                       [](const Path& a, const Path& b) { return a.length < b.length; }),
      path);
  for (std::size_t g = group + 1; g < set.group.size(); ++g) ++set.group[g];
}

bool PathCandidates::intersect(const Path& a, const Path& b) const {
  if (a.length == 1 && b.length == 1) return arcs_[a.first] == arcs_[b.first];
  std::uint64_t common = 0;
  for (std::size_t i = 0; i < a.passes.size(); ++i) common |= a.passes[i] & b.passes[i];
  if (common == 0) return false;
  if (graph_.num_switches() <= kBits) return true;  // each bit of `passes` stands for one switch
  const std::span<const Arc> first = arcs(a), second = arcs(b);
  for (std::size_t i = 0; i + 1 < first.size(); ++i)
    for (std::size_t j = 0; j + 1 < second.size(); ++j)
      if (graph_.target[first[i]] == graph_.target[second[j]]) return true;
  return false;
}

}  // namespace selvedge
