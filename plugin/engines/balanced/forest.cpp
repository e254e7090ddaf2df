// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/balanced/forest.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace selvedge::balanced {
namespace {

constexpr std::size_t kMostSourceCounts = 16'000'000;

/// How much more an arc costs that the same pair uses already, beside H − 1 others (forest.hpp).
/// Tried: 0.5, 1, 2, 4, 8; with 2 the bandwidth of all LIDs together is highest on random graphs,
/// dragonfly, Slim Fly and HyperX.
constexpr double kSamePair = 2;

double square(double x) { return x * x; }

}  // namespace

Forest::Forest(const Fabric& fabric, const SwitchGraph& graph, const Ways& ways,
               std::vector<Target> targets, const std::vector<std::uint8_t>& ignored,
               const TurnLimit* limit)
    : fabric_(fabric),
      graph_(graph),
      limit_(limit == nullptr ? std::nullopt : std::optional(*limit)),
      targets_(std::move(targets)),
      ways_(targets_.size(), &ways),
      switches_(graph.num_switches()),
      back_(graph.num_arcs(), kNoArc),
      hosts_(switches_, 0),
      next_(targets_.size() * switches_, kNone),
      counts_(graph.num_arcs(), 1),
      load_(graph.num_arcs(), 0),
      flow_(switches_, 0),
      path_cost_(switches_, 0),
      path_turns_(switches_, 0) {
  std::vector<Arc> arc_of(fabric.num_switch_channels(), kNoArc);
  for (Arc a = 0; a < graph.num_arcs(); ++a) arc_of[graph.channel[a]] = a;
  for (Arc a = 0; a < graph.num_arcs(); ++a) back_[a] = arc_of[fabric.peer(graph.channel[a])];
  for (const Target& target : targets_)
    if (target.host != kNoHost) hosts_[target.at] += target.hosts;
  if (!ignored.empty())
    for (Arc a = 0; a < graph.num_arcs(); ++a) counts_[a] = ignored[graph.channel[a]] == 0;
  if (const std::size_t counts = std::size_t{graph.num_arcs()} * switches_;
      counts <= kMostSourceCounts)
    from_.assign(counts, 0);
}

Forest::Forest(const Forest& base, const std::vector<Ways>& ways, std::vector<Target> targets,
               const TurnLimit* limit)
    : fabric_(base.fabric_),
      graph_(base.graph_),
      limit_(limit == nullptr ? std::nullopt : std::optional(*limit)),
      targets_(std::move(targets)),
      switches_(base.switches_),
      back_(base.back_),
      hosts_(base.hosts_),
      next_(targets_.size() * switches_, kNone),
      counts_(base.counts_),
      load_(base.load_),
      from_(base.from_),
      base_(&base),
      used_(from_.size(), 0),
      flow_(switches_, 0),
      path_cost_(switches_, 0),
      path_turns_(switches_, 0) {
  for (const Target& target : targets_) ways_.push_back(&ways[(target.offset - 1) % ways.size()]);
  for (const std::int64_t hosts : hosts_) sources_ += static_cast<double>(hosts);
  base_target_.assign(fabric_.num_hosts(), 0);
  for (std::size_t t = 0; t < base.targets_.size(); ++t)
    if (base.targets_[t].host != kNoHost) base_target_[base.targets_[t].host] = t;
}

/// One past the last target of the same host.
std::size_t Forest::last_of_host(std::size_t t) const {
  std::size_t last = t + 1;
  while (last < targets_.size() && targets_[last].host == targets_[t].host) ++last;
  return last;
}

/// Notes which arcs the paths of a tree take, from each switch.
void Forest::use(const Forest& forest, std::size_t t, int sign) {
  const SwitchId to = forest.targets_[t].at;
  for (SwitchId s = 0; s < switches_; ++s) {
    if (s == to || forest.next(t, s) == kNoArc) continue;
    for (SwitchId x = s; x != to; x = graph_.target[forest.next(t, x)]) {
      std::uint8_t& used = used_[std::size_t{forest.next(t, x)} * switches_ + s];
      used = static_cast<std::uint8_t>(used + sign);
    }
  }
}

void Forest::finish() {
  std::vector<std::uint16_t>().swap(from_);
  std::vector<std::uint8_t>().swap(used_);
  std::vector<const Ways*>().swap(ways_);
}

void Forest::lay(const std::vector<std::uint8_t>& preference) {
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    const bool first_of_host = t == 0 || targets_[t - 1].host != targets_[t].host;
    if (!used_.empty() && first_of_host) use(*base_, base_target_[targets_[t].host], 1);
    if (!lay(t, preference)) {
      ways_[t] = &limit_->instead;
      ++limited_;
      lay(t, preference);
    }
    if (targets_[t].host != kNoHost) add_up(t, ways_[t]->order(targets_[t].at));
    if (used_.empty()) continue;
    use(*this, t, 1);
    if (last_of_host(t) != t + 1) continue;
    for (std::size_t laid = t + 1; laid-- > 0 && targets_[laid].host == targets_[t].host;)
      use(*this, laid, -1);
    use(*base_, base_target_[targets_[t].host], -1);
  }
}

/// What it costs s to send by arc a, while trees are laid.
double Forest::cost_to_lay(SwitchId s, Arc a) const {
  if (!counts_[a]) return 0;
  const double load = static_cast<double>(load_[a]);
  return used_.empty() ? load : load + sources_ * used_[std::size_t{a} * switches_ + s];
}

/// Returns false if some switch has no way within the limit.
bool Forest::lay(std::size_t t, const std::vector<std::uint8_t>& preference) {
  const SwitchId to = targets_[t].at;
  const Ways& ways = *ways_[t];
  path_cost_[to] = 0;
  path_turns_[to] = 0;
  for (const SwitchId s : ways.order(to)) {
    if (s == to) continue;
    Arc best = kNoArc;
    std::tuple<unsigned, unsigned, double> least;
    for (Arc a = graph_.first[s]; a < graph_.first[s + 1]; ++a) {
      if (!ways.may(to, a)) continue;
      const SwitchId x = graph_.target[a];
      const unsigned turns =
          !limit_ ? 0 : path_turns_[x] + (x == to ? 0 : turn(s, x, graph_.target[next(t, x)]));
      const std::tuple cost{turns, preference.empty() ? 0u : unsigned{preference[a]},
                            path_cost_[x] + cost_to_lay(s, a)};
      if (best != kNoArc && cost >= least) continue;
      best = a;
      least = cost;
    }
    path_turns_[s] = std::get<0>(least);
    path_cost_[s] = std::get<2>(least);
    next_[t * switches_ + s] = static_cast<std::uint8_t>(best - graph_.first[s]);
    if (limit_ && path_turns_[s] > limit_->most) return false;
  }
  return true;
}

/// Counts the tree's loads.
void Forest::add_up(std::size_t t, std::span<const std::uint16_t> order) {
  const SwitchId to = targets_[t].at;
  find_flows(t, order);
  for (const SwitchId s : order) {
    if (s == to) continue;
    load_[next(t, s)] += flow_[s];
    if (from_.empty()) continue;
    for (SwitchId x = s; x != to; x = graph_.target[next(t, x)])
      count_from(next(t, x), s, static_cast<int>(targets_[t].hosts));
  }
}

void Forest::find_flows(std::size_t t, std::span<const std::uint16_t> order) {
  for (const SwitchId s : order) flow_[s] = hosts_[s] * targets_[t].hosts;
  for (auto it = order.rbegin(); it != order.rend(); ++it)
    if (*it != targets_[t].at) flow_[graph_.target[next(t, *it)]] += flow_[*it];
}

void Forest::collect_below(std::size_t t, SwitchId s) {
  below_.assign(1, {s, kNoSwitch, 0});
  moved_ = hosts_[s] * targets_[t].hosts;
  for (std::size_t i = 0; i < below_.size(); ++i) {
    const Below b = below_[i];
    for (Arc a = graph_.first[b.at]; a < graph_.first[b.at + 1]; ++a) {
      const SwitchId u = graph_.target[a];
      if (next(t, u) != back_[a]) continue;
      Below further{u, i == 0 ? u : b.child, b.turns};
      if (limit_ && i > 0) further.turns += turn(u, b.at, graph_.target[next(t, b.at)]);
      below_.push_back(further);
      moved_ += hosts_[u] * targets_[t].hosts;
    }
  }
}

unsigned Forest::turns_from(std::size_t t, SwitchId s, Arc a) const {
  unsigned turns = 0;
  for (SwitchId before = s, x = graph_.target[a]; x != targets_[t].at;) {
    const SwitchId after = graph_.target[next(t, x)];
    turns += turn(before, x, after);
    before = x;
    x = after;
  }
  return turns;
}

bool Forest::within_limit(std::size_t t, SwitchId s, Arc a) const {
  if (!limit_) return true;
  const unsigned onward = turns_from(t, s, a);
  return std::ranges::all_of(below_, [&](const Below& b) {
    const unsigned here = b.at == s ? 0 : turn(b.child, s, graph_.target[a]);
    return b.turns + here + onward <= limit_->most;
  });
}

/// What the moved flows of the tree t cost on arc a, beside the others there. `own`: flows of the
/// same tree that are on a already.
double Forest::cost_on(std::size_t t, Arc a, std::int64_t own) const {
  if (!counts_[a]) return 0;
  const double moved = static_cast<double>(moved_), here = static_cast<double>(load_[a]);
  const double share = targets_[t].hosts;  // hosts of the tree; each is a destination of its own
  double cost =
      moved * moved * (1 - 1 / share) + 2 * moved * (here - static_cast<double>(own) / share);
  if (from_.empty()) return cost;
  const std::uint16_t* from = from_.data() + std::size_t{a} * switches_;
  std::int64_t same = 0;
  for (const Below& b : below_)
    same += hosts_[b.at] * (2 * std::int64_t{from[b.at]} + targets_[t].hosts);
  cost -= share * static_cast<double>(same);
  if (used_.empty()) return cost;
  const std::uint8_t* used = used_.data() + std::size_t{a} * switches_;
  std::int64_t pairs = 0;
  for (const Below& b : below_) pairs += hosts_[b.at] * std::int64_t{used[b.at]};
  return cost + kSamePair * 2 * sources_ * share * static_cast<double>(pairs);
}

double Forest::cost_of(std::size_t t, Arc first) const {
  double sum = cost_on(t, first, 0);
  for (SwitchId x = graph_.target[first]; x != targets_[t].at; x = graph_.target[next(t, x)])
    sum += cost_on(t, next(t, x), flow_[x]);
  return sum;
}

/// Adds the moved flows to their path, or takes them off.
void Forest::put(std::size_t t, SwitchId from, std::int64_t sign) {
  for (SwitchId x = from; x != targets_[t].at; x = graph_.target[next(t, x)]) {
    const Arc a = next(t, x);
    load_[a] += sign * moved_;
    flow_[x] += sign * moved_;
    if (from_.empty()) continue;
    for (const Below& b : below_)
      count_from(a, b.at, static_cast<int>(sign) * static_cast<int>(targets_[t].hosts));
  }
}

/// Moves the next hop of s in the tree t to where the cost is least. Returns whether it moved.
bool Forest::improve(std::size_t t, SwitchId s) {
  const Ways& ways = *ways_[t];
  const SwitchId to = targets_[t].at;
  unsigned number = 0;
  for (Arc a = graph_.first[s]; a < graph_.first[s + 1]; ++a) number += ways.may(to, a);
  if (number < 2) return false;
  collect_below(t, s);
  if (moved_ == 0) return false;
  put(t, s, -1);
  const Arc old = next(t, s);
  Arc best = old;
  double least = cost_of(t, old);
  for (Arc a = graph_.first[s]; a < graph_.first[s + 1]; ++a) {
    if (a == old || !ways.may(to, a)) continue;
    const double cost = cost_of(t, a);
    if (cost >= least || !within_limit(t, s, a)) continue;
    least = cost;
    best = a;
  }
  next_[t * switches_ + s] = static_cast<std::uint8_t>(best - graph_.first[s]);
  put(t, s, 1);
  return best != old;
}

std::size_t Forest::improve(StableRandom& random) {
  // One turn for each host, with all its LIDs here.
  std::vector<std::size_t> firsts;
  for (std::size_t t = 0; t < targets_.size(); ++t)
    if (targets_[t].host != kNoHost && (t == 0 || targets_[t - 1].host != targets_[t].host))
      firsts.push_back(t);
  random.shuffle(firsts);
  std::size_t changes = 0;
  for (const std::size_t first : firsts) {
    const std::size_t last = last_of_host(first);
    const auto use_all = [&](int sign) {
      if (used_.empty()) return;
      use(*base_, base_target_[targets_[first].host], sign);
      for (std::size_t t = first; t < last; ++t) use(*this, t, sign);
    };
    use_all(1);
    for (std::size_t t = first; t < last; ++t) {
      if (!used_.empty()) use(*this, t, -1);
      const std::span<const std::uint16_t> order = ways_[t]->order(targets_[t].at);
      find_flows(t, order);
      for (const SwitchId s : order)
        if (s != targets_[t].at) changes += improve(t, s);
      if (!used_.empty()) use(*this, t, 1);
    }
    use_all(-1);
  }
  return changes;
}

double Forest::cost() const {
  double sum = 0;
  for (Arc a = 0; a < graph_.num_arcs(); ++a) {
    if (!counts_[a]) continue;
    sum += square(static_cast<double>(load_[a])) + static_cast<double>(load_[a]);
    if (from_.empty()) continue;
    for (SwitchId s = 0; s < switches_; ++s)
      sum -= static_cast<double>(hosts_[s]) * square(from_[std::size_t{a} * switches_ + s]);
  }
  std::vector<std::int64_t> flow(switches_);
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    if (targets_[t].host == kNoHost) continue;
    const std::span<const std::uint16_t> order = ways_[t]->order(targets_[t].at);
    for (const SwitchId s : order) flow[s] = hosts_[s] * targets_[t].hosts;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == targets_[t].at) continue;
      const Arc a = next(t, *it);
      flow[graph_.target[a]] += flow[*it];
      if (counts_[a]) sum -= square(static_cast<double>(flow[*it])) / targets_[t].hosts;
    }
  }
  return sum;
}

unsigned Forest::most_turns(const std::vector<std::uint32_t>& rank) const {
  unsigned most = 0;
  std::vector<unsigned> turns(switches_, 0);
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    const SwitchId to = targets_[t].at;
    turns[to] = 0;
    for (const SwitchId s : ways_[t]->order(to)) {
      if (s == to) continue;
      const SwitchId x = graph_.target[next(t, s)];
      turns[s] = turns[x];
      if (x != to && rank[s] < rank[x] && rank[graph_.target[next(t, x)]] < rank[x]) ++turns[s];
      most = std::max(most, turns[s]);
    }
  }
  return most;
}

std::uint64_t Forest::highest_load() const {
  return load_.empty() ? 0 : static_cast<std::uint64_t>(std::ranges::max(load_));
}

}  // namespace selvedge::balanced
