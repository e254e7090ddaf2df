// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/up_directions.hpp"

#include <algorithm>
#include <queue>

namespace selvedge {
namespace {

/// Appends to `list` all switches that reach a switch in `list` by up channels. `seen`: per switch,
/// whether it is in the list; `up`, `alive`: per channel.
void gather_below(const LiveRoutes& routes, const std::vector<bool>& alive,
                  const std::vector<bool>& up, std::vector<SwitchId>& list,
                  std::vector<std::uint8_t>& seen) {
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const AdjacentLink& link : routes.links(list[i]))
      if (alive[link.in] && up[link.in] && !seen[link.to]) {
        seen[link.to] = 1;
        list.push_back(link.to);
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
  /// Per switch: its position in the order from the lowest switch up; UINT32_MAX while it has none.
  std::vector<std::uint32_t> height(n, UINT32_MAX);
  /// Whether a route passes through x between two switches that have no position yet.
  const auto turned_at = [&](SwitchId x) {
    for (const AdjacentLink& in : routes.links(x)) {
      if (height[in.to] != UINT32_MAX) continue;
      for (const AdjacentLink& out : routes.links(x))
        if (height[out.to] == UINT32_MAX && routes.turns(in.in, out.out) > 0) return true;
    }
    return false;
  };
  // Switches that may come next: the deepest in the tree `hint` first, then the highest id.
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
    for (const AdjacentLink& link : routes.links(s)) offer(link.to);
  }
  if (placed < n) return std::nullopt;
  UpDirections result;
  result.up_.assign(routes.whole().num_switch_channels(), false);
  for (SwitchId s = 0; s < n; ++s)
    for (const AdjacentLink& link : routes.links(s))
      result.up_[link.out] = height[link.to] > height[s];
  return result;
}

std::vector<SwitchId> UpDirections::from_below(const LiveRoutes& routes,
                                               const std::vector<bool>& alive) const {
  const std::uint32_t n = routes.whole().num_switches();
  std::vector<std::uint32_t> below(n, 0);  // per switch: working cables up to it, not yet passed
  std::vector<SwitchId> order;
  order.reserve(n);
  for (SwitchId s = 0; s < n; ++s) {
    for (const AdjacentLink& link : routes.links(s)) below[s] += alive[link.in] && up_[link.in];
    if (below[s] == 0) order.push_back(s);
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const AdjacentLink& link : routes.links(order[i]))
      if (alive[link.out] && up_[link.out] && --below[link.to] == 0) order.push_back(link.to);
  return order;
}

void UpDirections::set(const LiveRoutes& routes, SwitchId from, SwitchId to) {
  for (const AdjacentLink& link : routes.links(from))
    if (link.to == to) {
      up_[link.out] = true;
      up_[link.in] = false;
    }
}

/// Whether a path of working up channels leads from `from` to `to`. If `directly` is false, a path
/// of a single cable does not count.
bool UpDirections::reaches_upwards(const LiveRoutes& routes, const std::vector<bool>& alive,
                                   SwitchId from, SwitchId to, bool directly) const {
  std::vector<SwitchId> list{from};
  std::vector<std::uint8_t> seen(routes.whole().num_switches(), 0);
  seen[from] = 1;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const AdjacentLink& link : routes.links(list[i])) {
      if (!alive[link.out] || !up_[link.out] || seen[link.to]) continue;
      if (link.to == to) {
        if (i > 0 || directly) return true;
        continue;
      }
      seen[link.to] = 1;
      list.push_back(link.to);
    }
  return false;
}

/// The cost of reversing the direction of a cable: 100 for each route that would violate the new
/// directions at t.from, and 10 for each working cable that already leads up from t.from.
std::uint64_t UpDirections::cost(const LiveRoutes& routes, const std::vector<bool>& alive,
                                 const FlippedCable& t) const {
  std::uint64_t against = 0, ups = 0;
  for (const AdjacentLink& to : routes.links(t.from)) {
    if (to.to != t.link.to) continue;
    for (const AdjacentLink& other : routes.links(t.from)) {
      if (other.to == t.link.to || !up_[other.out]) continue;
      against += routes.turns(to.in, other.out) + routes.turns(other.in, to.out);
    }
  }
  for (const AdjacentLink& link : routes.links(t.from)) ups += alive[link.out] && up_[link.out];
  return 100 * against + 10 * ups;
}

std::optional<UpDirections::FlippedCable> UpDirections::choose(
    const LiveRoutes& routes, const std::vector<bool>& alive,
    const std::vector<SwitchId>& component, const std::vector<std::uint8_t>& joined,
    StableRandom* random) const {
  struct Option {
    std::uint64_t cost;
    FlippedCable flipped;
  };
  std::vector<Option> options;
  for (const SwitchId u : component) {
    if (joined[u]) continue;
    for (const AdjacentLink& link : routes.links(u))
      if (alive[link.out] && joined[link.to] && !up_[link.out])
        options.push_back({cost(routes, alive, {u, link}), {u, link}});
  }
  if (random != nullptr)
    for (std::size_t i = options.size(); i > 1; --i)
      std::swap(options[i - 1], options[random->below(i)]);
  else
    std::ranges::stable_sort(options, {}, &Option::cost);
  for (const Option& o : options)
    if (!reaches_upwards(routes, alive, o.flipped.link.to, o.flipped.from, false)) return o.flipped;
  return std::nullopt;
}

unsigned UpDirections::join_roots(const LiveRoutes& routes, const std::vector<bool>& alive,
                                  StableRandom* random) {
  const std::uint32_t n = routes.whole().num_switches();
  unsigned flipped = 0;
  std::vector<std::uint8_t> visited(n, 0);
  std::vector<SwitchId> component, roots, below, best;
  for (SwitchId start = 0; start < n; ++start) {
    if (visited[start]) continue;
    visited[start] = 1;
    component.assign(1, start);
    roots.clear();
    for (std::size_t i = 0; i < component.size(); ++i) {
      bool top = true;
      for (const AdjacentLink& link : routes.links(component[i])) {
        if (!alive[link.out]) continue;
        top &= !up_[link.out];
        if (visited[link.to]) continue;
        visited[link.to] = 1;
        component.push_back(link.to);
      }
      if (top) roots.push_back(component[i]);
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
    for (std::size_t members = best.size(); members < component.size();) {
      const std::optional<FlippedCable> t = choose(routes, alive, component, joined, random);
      if (!t) break;  // should never happen; if it did, the caller would find pairs without a path
      set(routes, t->from, t->link.to);
      ++flipped;
      joined[t->from] = 1;
      below.assign(1, t->from);
      gather_below(routes, alive, up_, below, joined);
      members += below.size();
    }
  }
  return flipped;
}

void UpDirections::direct_restored(const LiveRoutes& routes, const std::vector<bool>& alive,
                                   const std::vector<Channel>& back) {
  std::vector<bool> there = alive;
  for (const Channel c : back) there[c] = there[routes.whole().peer(c)] = false;
  for (const Channel c : back) {
    const Fabric& fabric = routes.whole();
    const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
    if (a == b) continue;
    if (reaches_upwards(routes, there, a, b, true))
      up_[c] = true;
    else if (reaches_upwards(routes, there, b, a, true))
      up_[c] = false;
    up_[fabric.peer(c)] = !up_[c];
    there[c] = there[fabric.peer(c)] = true;
  }
}

}  // namespace selvedge
