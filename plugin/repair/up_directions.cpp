// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/up_directions.hpp"

#include <algorithm>
#include <queue>

namespace selvedge {
namespace {

/// Appends to `list` the switches that have a path up to one of those listed.
void gather_below(const LiveRoutes& routes, const std::vector<bool>& alive,
                  const std::vector<bool>& up, std::vector<SwitchId>& list,
                  std::vector<std::uint8_t>& seen) {
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const Way& way : routes.ways(list[i]))
      if (alive[way.in] && up[way.in] && !seen[way.to]) {
        seen[way.to] = 1;
        list.push_back(way.to);
      }
}

std::vector<std::uint32_t> depths(const LiveRoutes& routes,
                                  const std::optional<std::vector<Channel>>& hint) {
  const Fabric& fabric = routes.whole();
  std::vector<std::uint32_t> depth(fabric.num_switches(), 0);
  if (!hint) return depth;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (SwitchId at = s; (*hint)[at] != kNoChannel && depth[s] < fabric.num_switches(); ++depth[s])
      at = fabric.target((*hint)[at]);
  return depth;
}

}  // namespace

std::optional<UpDirections> UpDirections::find(const LiveRoutes& routes,
                                               const std::optional<std::vector<Channel>>& hint) {
  const std::uint32_t n = routes.whole().num_switches();
  const std::vector<std::uint32_t> depth = depths(routes, hint);
  std::vector<std::uint32_t> height(n, UINT32_MAX);  // place in the order from below; unplaced
  const auto turned_at = [&](SwitchId x) {           // a turn between unplaced switches
    for (const Way& in : routes.ways(x)) {
      if (height[in.to] != UINT32_MAX) continue;
      for (const Way& out : routes.ways(x))
        if (height[out.to] == UINT32_MAX && routes.turns(in.in, out.out) > 0) return true;
    }
    return false;
  };
  // Deepest first, then by id.
  using Entry = std::pair<std::uint32_t, SwitchId>;
  std::priority_queue<Entry> ready;
  std::vector<std::uint8_t> queued(n, 0);
  const auto offer = [&](SwitchId s) {
    if (queued[s] || turned_at(s)) return;
    queued[s] = 1;
    ready.emplace(depth[s], s);
  };
  for (SwitchId s = 0; s < n; ++s) offer(s);
  std::uint32_t placed = 0;
  while (!ready.empty()) {
    const SwitchId s = ready.top().second;
    ready.pop();
    height[s] = placed++;
    for (const Way& way : routes.ways(s)) offer(way.to);
  }
  if (placed < n) return std::nullopt;
  UpDirections result;
  result.up_.assign(routes.whole().num_switch_channels(), false);
  for (SwitchId s = 0; s < n; ++s)
    for (const Way& way : routes.ways(s)) result.up_[way.out] = height[way.to] > height[s];
  return result;
}

std::vector<SwitchId> UpDirections::from_below(const LiveRoutes& routes,
                                               const std::vector<bool>& alive) const {
  const std::uint32_t n = routes.whole().num_switches();
  std::vector<std::uint32_t> below(n, 0);  // cables that come up to it
  std::vector<SwitchId> order;
  order.reserve(n);
  for (SwitchId s = 0; s < n; ++s) {
    for (const Way& way : routes.ways(s)) below[s] += alive[way.in] && up_[way.in];
    if (below[s] == 0) order.push_back(s);
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Way& way : routes.ways(order[i]))
      if (alive[way.out] && up_[way.out] && --below[way.to] == 0) order.push_back(way.to);
  return order;
}

void UpDirections::set(const LiveRoutes& routes, SwitchId from, SwitchId to) {
  for (const Way& way : routes.ways(from))
    if (way.to == to) {
      up_[way.out] = true;
      up_[way.in] = false;
    }
}

/// Whether a path up exists. `directly`: a path of a single cable counts too.
bool UpDirections::climbs(const LiveRoutes& routes, const std::vector<bool>& alive, SwitchId from,
                          SwitchId to, bool directly) const {
  std::vector<SwitchId> list{from};
  std::vector<std::uint8_t> seen(routes.whole().num_switches(), 0);
  seen[from] = 1;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const Way& way : routes.ways(list[i])) {
      if (!alive[way.out] || !up_[way.out] || seen[way.to]) continue;
      if (way.to == to) {
        if (i > 0 || directly) return true;
        continue;
      }
      seen[way.to] = 1;
      list.push_back(way.to);
    }
  return false;
}

/// The cost of turning a cable: the routes that turn at `from` against the new direction, and the
/// number of other cables up from it.
std::uint64_t UpDirections::cost(const LiveRoutes& routes, const std::vector<bool>& alive,
                                 const Turned& t) const {
  std::uint64_t against = 0, ups = 0;
  for (const Way& to : routes.ways(t.from)) {
    if (to.to != t.way.to) continue;
    for (const Way& other : routes.ways(t.from)) {
      if (other.to == t.way.to || !up_[other.out]) continue;
      against += routes.turns(to.in, other.out) + routes.turns(other.in, to.out);
    }
  }
  for (const Way& way : routes.ways(t.from)) ups += alive[way.out] && up_[way.out];
  return 100 * against + 10 * ups;
}

std::optional<UpDirections::Turned> UpDirections::choose(const LiveRoutes& routes,
                                                         const std::vector<bool>& alive,
                                                         const std::vector<SwitchId>& piece,
                                                         const std::vector<std::uint8_t>& joined,
                                                         StableRandom* random) const {
  struct Option {
    std::uint64_t cost;
    Turned turned;
  };
  std::vector<Option> options;
  for (const SwitchId u : piece) {
    if (joined[u]) continue;
    for (const Way& way : routes.ways(u))
      if (alive[way.out] && joined[way.to] && !up_[way.out])
        options.push_back({cost(routes, alive, {u, way}), {u, way}});
  }
  if (random != nullptr)
    for (std::size_t i = options.size(); i > 1; --i)
      std::swap(options[i - 1], options[random->below(i)]);
  else
    std::ranges::stable_sort(options, {}, &Option::cost);
  for (const Option& o : options)
    if (!climbs(routes, alive, o.turned.way.to, o.turned.from, false)) return o.turned;
  return std::nullopt;
}

unsigned UpDirections::join_roots(const LiveRoutes& routes, const std::vector<bool>& alive,
                                  StableRandom* random) {
  const std::uint32_t n = routes.whole().num_switches();
  unsigned turned = 0;
  std::vector<std::uint8_t> visited(n, 0);
  std::vector<SwitchId> piece, roots, below, best;
  for (SwitchId start = 0; start < n; ++start) {
    if (visited[start]) continue;
    visited[start] = 1;
    piece.assign(1, start);
    roots.clear();
    for (std::size_t i = 0; i < piece.size(); ++i) {
      bool top = true;
      for (const Way& way : routes.ways(piece[i])) {
        if (!alive[way.out]) continue;
        top &= !up_[way.out];
        if (visited[way.to]) continue;
        visited[way.to] = 1;
        piece.push_back(way.to);
      }
      if (top) roots.push_back(piece[i]);
    }
    if (roots.size() < 2) continue;
    best.clear();
    for (const SwitchId root : roots) {
      std::vector<std::uint8_t> seen(n, 0);
      seen[root] = 1;
      below.assign(1, root);
      gather_below(routes, alive, up_, below, seen);
      if (below.size() > best.size()) best = below;
    }
    std::vector<std::uint8_t> joined(n, 0);
    for (const SwitchId s : best) joined[s] = 1;
    for (std::size_t members = best.size(); members < piece.size();) {
      const std::optional<Turned> t = choose(routes, alive, piece, joined, random);
      if (!t) break;  // cannot happen; if it did, the caller finds pairs without a path
      set(routes, t->from, t->way.to);
      ++turned;
      joined[t->from] = 1;
      below.assign(1, t->from);
      gather_below(routes, alive, up_, below, joined);
      members += below.size();
    }
  }
  return turned;
}

void UpDirections::admit(const LiveRoutes& routes, const std::vector<bool>& alive,
                         const std::vector<Channel>& back) {
  std::vector<bool> there = alive;
  for (const Channel c : back) there[c] = there[routes.whole().peer(c)] = false;
  for (const Channel c : back) {
    const Fabric& fabric = routes.whole();
    const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
    if (a == b) continue;
    if (climbs(routes, there, a, b, true))
      up_[c] = true;
    else if (climbs(routes, there, b, a, true))
      up_[c] = false;
    up_[fabric.peer(c)] = !up_[c];
    there[c] = there[fabric.peer(c)] = true;
  }
}

}  // namespace selvedge
