// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/cycle.hpp"

#include <algorithm>

namespace selvedge::prover {
namespace {

using Node = std::uint32_t;
constexpr Node kNone = UINT32_MAX;

/// The graph as arrays: the successors of node n are next[first[n]] … next[first[n + 1] − 1].
struct Graph {
  Graph(const Wiring& wiring, const Dependencies& dependencies) {
    const unsigned vls = dependencies.vls();
    nodes = static_cast<std::uint32_t>(wiring.owner.size()) * vls;
    first.assign(nodes + 1, 0);
    auto tail = [&](const Turn& t) {
      return wiring.incoming(wiring.first[t.at] + t.in) * vls + t.from;
    };
    dependencies.for_each([&](const Turn& t) { ++first[tail(t) + 1]; });
    for (Node n = 0; n < nodes; ++n) first[n + 1] += first[n];
    next.resize(first[nodes]);
    std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
    dependencies.for_each(
        [&](const Turn& t) { next[fill[tail(t)]++] = (wiring.first[t.at] + t.out) * vls + t.to; });
    // The order of successors decides which cycle is found. Witnesses must not depend on the order
    // of the hash table.
    for (Node n = 0; n < nodes; ++n)
      std::sort(next.begin() + first[n], next.begin() + first[n + 1]);
  }
  std::uint32_t nodes;
  std::vector<std::uint32_t> first;
  std::vector<Node> next;
};

/// Tarjan's algorithm for strongly connected components, with an explicit stack instead of
/// recursion. Returns at most `most` components, only such that contain a cycle.
std::vector<std::vector<Node>> cyclic_components(const Graph& graph, unsigned most) {
  std::vector<std::vector<Node>> found;
  std::vector<std::uint32_t> index(graph.nodes, 0), low(graph.nodes, 0), cursor(graph.nodes, 0);
  std::vector<bool> open(graph.nodes, false);
  std::vector<Node> path, stack;
  std::uint32_t count = 0;
  auto enter = [&](Node n) {
    index[n] = low[n] = ++count;
    cursor[n] = graph.first[n];
    open[n] = true;
    path.push_back(n);
    stack.push_back(n);
  };
  for (Node start = 0; start < graph.nodes && found.size() < most; ++start) {
    if (index[start] != 0 || graph.first[start] == graph.first[start + 1]) continue;
    enter(start);
    while (!path.empty()) {
      const Node n = path.back();
      if (cursor[n] < graph.first[n + 1]) {
        const Node m = graph.next[cursor[n]++];
        if (index[m] == 0) {
          enter(m);
        } else if (open[m]) {
          low[n] = std::min(low[n], index[m]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[n]);
      if (low[n] != index[n]) continue;
      std::vector<Node> component;
      do {
        component.push_back(stack.back());
        open[stack.back()] = false;
        stack.pop_back();
      } while (component.back() != n);
      const bool cyclic =
          component.size() > 1 ||
          std::find(graph.next.begin() + graph.first[n], graph.next.begin() + graph.first[n + 1],
                    n) != graph.next.begin() + graph.first[n + 1];
      if (cyclic && found.size() < most) {
        std::ranges::sort(component);
        found.push_back(std::move(component));
      }
    }
  }
  return found;
}

/// A short cycle: the shortest one through any of up to 64 nodes of a component, by breadth-first
/// search.
std::vector<Node> short_cycle(const Graph& graph, const std::vector<Node>& component) {
  constexpr std::size_t kStartsMax = 64;
  std::vector<bool> inside(graph.nodes, false);
  for (const Node n : component) inside[n] = true;
  std::vector<Node> best, queue;
  std::vector<Node> from(graph.nodes, kNone);
  for (std::size_t i = 0; i < std::min(component.size(), kStartsMax); ++i) {
    // The nodes at which a search starts are spread over the component.
    const Node start = component[i * component.size() / std::min(component.size(), kStartsMax)];
    queue.assign(1, start);
    Node last = kNone;
    for (std::size_t head = 0; head < queue.size() && last == kNone; ++head) {
      const Node n = queue[head];
      for (std::uint32_t e = graph.first[n]; e < graph.first[n + 1]; ++e) {
        const Node m = graph.next[e];
        if (m == start) {
          last = n;
          break;
        }
        if (!inside[m] || from[m] != kNone) continue;
        from[m] = n;
        queue.push_back(m);
      }
    }
    std::vector<Node> cycle;
    for (Node n = last; n != kNone; n = n == start ? kNone : from[n]) cycle.push_back(n);
    std::ranges::reverse(cycle);
    if (best.empty() || cycle.size() < best.size()) best = cycle;
    for (const Node n : queue) from[n] = kNone;
  }
  return best;
}

}  // namespace

bool TopologicalOrder::build(const Wiring& wiring, const Dependencies& dependencies) {
  const Graph graph(wiring, dependencies);
  std::vector<std::uint32_t> before(graph.nodes, 0);
  for (const Node n : graph.next) ++before[n];
  std::vector<Node> queue;
  queue.reserve(graph.nodes);
  for (Node n = 0; n < graph.nodes; ++n)
    if (before[n] == 0) queue.push_back(n);
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (std::uint32_t e = graph.first[queue[head]]; e < graph.first[queue[head] + 1]; ++e)
      if (--before[graph.next[e]] == 0) queue.push_back(graph.next[e]);
  holds_ = queue.size() == graph.nodes;
  position_.clear();
  if (!holds_) return false;
  position_.resize(graph.nodes);
  for (std::uint32_t i = 0; i < graph.nodes; ++i) position_[queue[i]] = i;
  seen_.assign(graph.nodes, 0);
  return true;
}

bool TopologicalOrder::insert(const Wiring& wiring, const Dependencies& dependencies,
                              const Turn& turn) {
  const unsigned vls = dependencies.vls();
  const Node tail = wiring.incoming(wiring.first[turn.at] + turn.in) * vls + turn.from;
  const Node head = (wiring.first[turn.at] + turn.out) * vls + turn.to;
  if (position_[tail] < position_[head]) return true;
  ahead_.clear();
  behind_.clear();
  const bool acyclic = tail != head && search_forward(wiring, dependencies, head, position_[tail]);
  if (acyclic) search_backward(wiring, dependencies, tail, position_[head]);
  for (const Node n : ahead_) seen_[n] = 0;
  for (const Node n : behind_) seen_[n] = 0;
  if (acyclic) reorder();
  return holds_ = acyclic;
}

/// Finds all nodes that can be reached from `from` at positions before `last`. Returns false if the
/// node at position `last` is reached: then there is a cycle.
bool TopologicalOrder::search_forward(const Wiring& wiring, const Dependencies& dependencies,
                                      Node from, std::uint32_t last) {
  const unsigned vls = dependencies.vls();
  ahead_.push_back(from);
  seen_[from] = 1;
  for (std::size_t i = 0; i < ahead_.size(); ++i) {
    const Channel c = ahead_[i] / vls;
    const SwitchId at = wiring.to[c];
    if (at == wiring.nowhere()) continue;
    const auto entry = dependencies.entry(at, wiring.arrival[c], static_cast<Vl>(ahead_[i] % vls));
    for (Channel out = wiring.first[at] + 1; out < wiring.first[at + 1]; ++out) {
      if (wiring.to[out] == wiring.nowhere()) continue;
      for (unsigned v = 0; v < vls; ++v) {
        if (!dependencies.has(entry + dependencies.exit(wiring.port(out), static_cast<Vl>(v))))
          continue;
        const Node m = out * vls + v;
        if (position_[m] == last) return false;
        if (seen_[m] || position_[m] > last) continue;
        seen_[m] = 1;
        ahead_.push_back(m);
      }
    }
  }
  return true;
}

/// Finds all nodes at positions after `first` from which `from` can be reached.
void TopologicalOrder::search_backward(const Wiring& wiring, const Dependencies& dependencies,
                                       Node from, std::uint32_t first) {
  const unsigned vls = dependencies.vls();
  behind_.push_back(from);
  seen_[from] = 1;
  for (std::size_t i = 0; i < behind_.size(); ++i) {
    const Channel c = behind_[i] / vls;
    const SwitchId at = wiring.owner[c];
    const auto exit = dependencies.exit(wiring.port(c), static_cast<Vl>(behind_[i] % vls));
    for (Channel in = wiring.first[at] + 1; in < wiring.first[at + 1]; ++in) {
      if (wiring.to[in] == wiring.nowhere()) continue;
      for (unsigned v = 0; v < vls; ++v) {
        if (!dependencies.has(dependencies.entry(at, wiring.port(in), static_cast<Vl>(v)) + exit))
          continue;
        const Node m = wiring.incoming(in) * vls + v;
        if (seen_[m] || position_[m] < first) continue;
        seen_[m] = 1;
        behind_.push_back(m);
      }
    }
  }
}

/// Sorts the positions of all nodes found by both searches, and gives the lower ones to the nodes
/// found backwards, the higher ones to those found forwards (Pearce & Kelly 2006).
void TopologicalOrder::reorder() {
  auto by_place = [this](Node a, Node b) { return position_[a] < position_[b]; };
  std::ranges::sort(behind_, by_place);
  std::ranges::sort(ahead_, by_place);
  pool_.assign(behind_.begin(), behind_.end());
  pool_.insert(pool_.end(), ahead_.begin(), ahead_.end());
  places_.clear();
  for (const Node n : pool_) places_.push_back(position_[n]);
  std::ranges::sort(places_);
  for (std::size_t i = 0; i < pool_.size(); ++i) position_[pool_[i]] = places_[i];
}

std::vector<std::vector<VirtualChannel>> short_cycles(const Wiring& wiring,
                                                      const Dependencies& dependencies,
                                                      unsigned most) {
  const Graph graph(wiring, dependencies);
  std::vector<std::vector<VirtualChannel>> cycles;
  for (const auto& component : cyclic_components(graph, most)) {
    cycles.emplace_back();
    for (const Node n : short_cycle(graph, component))
      cycles.back().push_back({n / dependencies.vls(), static_cast<Vl>(n % dependencies.vls())});
  }
  return cycles;
}

}  // namespace selvedge::prover
