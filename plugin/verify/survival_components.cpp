// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/survival_components.hpp"

#include <algorithm>

namespace selvedge::survival {
namespace {

/// Maximum integer flow by augmenting paths of capacity one (Ford & Fulkerson 1956). Node 2s is the
/// input of switch s, node 2s + 1 its output; the arc between them is the switch's capacity.
class Network {
 public:
  explicit Network(std::uint32_t nodes) : arcs_(nodes), came_(nodes) { queue_.reserve(nodes); }

  void join(std::uint32_t a, std::uint32_t b, unsigned room) {
    arcs_[a].push_back({b, static_cast<std::uint32_t>(arcs_[b].size()), room, room});
    arcs_[b].push_back({a, static_cast<std::uint32_t>(arcs_[a].size() - 1), 0, 0});
  }

  /// The maximum flow from source to sink, at most `most`.
  unsigned flow(std::uint32_t source, std::uint32_t sink, unsigned most) {
    for (std::vector<Arc>& arcs : arcs_)
      for (Arc& a : arcs) a.room = a.full;
    unsigned sent = 0;
    while (sent < most && search(source, sink)) {
      for (std::uint32_t x = sink; x != source; x = came_[x].from) {
        Arc& a = arcs_[came_[x].from][came_[x].arc];
        --a.room;
        ++arcs_[x][a.back].room;
      }
      ++sent;
    }
    return sent;
  }

 private:
  struct Arc {
    std::uint32_t to, back;  // `back`: index of the opposite arc in arcs_[to]
    unsigned room, full;
  };
  struct Came {
    std::uint32_t from, arc;
  };
  static constexpr std::uint32_t kNever = UINT32_MAX;

  bool search(std::uint32_t source, std::uint32_t sink) {
    std::ranges::fill(came_, Came{kNever, 0});
    queue_.assign(1, source);
    for (std::size_t i = 0; i < queue_.size() && came_[sink].from == kNever; ++i) {
      const std::vector<Arc>& arcs = arcs_[queue_[i]];
      for (std::uint32_t k = 0; k < arcs.size(); ++k) {
        const Arc& a = arcs[k];
        if (a.room == 0 || a.to == source || came_[a.to].from != kNever) continue;
        came_[a.to] = {queue_[i], k};
        queue_.push_back(a.to);
      }
    }
    return came_[sink].from != kNever;
  }

  std::vector<std::vector<Arc>> arcs_;  // per node: arcs that leave it
  std::vector<Came> came_;              // per node: the arc by which the search reached it
  std::vector<std::uint32_t> queue_;
};

}  // namespace

ConnectedComponents::ConnectedComponents(const prover::Wiring& w, const Elements& elements)
    : elements_(elements.size()),
      of_switch_(elements.of_switch),
      has_hosts_(w.switches, 0),
      component_(w.switches, kNoComponent),
      visits_(w.switches) {
  std::vector<std::uint32_t> number(w.owner.size());
  first_.push_back(0);
  for (SwitchId s = 0; s < w.switches; ++s) {
    for (Channel c = w.first[s]; c < w.first[s + 1]; ++c) {
      const SwitchId t = w.to[c];
      if (t == w.nowhere() || t == s) continue;  // a cable from a switch to itself connects nothing
      const Channel back = w.incoming(c);
      number[c] = c < back ? num_cables_++ : number[back];
      cables_.push_back(
          {t, number[c], elements.of_channel.empty() ? kNoElement : elements.of_channel[c]});
    }
    first_.push_back(static_cast<std::uint32_t>(cables_.size()));
    if (w.attached(s).empty()) continue;
    has_hosts_[s] = 1;
    hosted_.push_back(s);
  }
  stack_.reserve(w.switches);
}

bool ConnectedComponents::find(std::span<const std::uint8_t> failed) {
  std::ranges::fill(component_, kNoComponent);
  std::uint32_t components = 0;
  for (const SwitchId start : hosted_) {
    if (component_[start] != kNoComponent || !works(start, failed)) continue;
    component_[start] = components;
    stack_.assign(1, start);
    while (!stack_.empty()) {
      const SwitchId s = stack_.back();
      stack_.pop_back();
      for (const Cable& c : cables(s)) {
        if (component_[c.to] != kNoComponent || !works(c, failed)) continue;
        component_[c.to] = components;
        stack_.push_back(c.to);
      }
    }
    ++components;
  }
  return components <= 1;
}

/// Finds bridges or articulation points by low-link numbers (Tarjan 1972). The search starts at a
/// switch with hosts. So of the two sides of a cut, that of the root always has hosts.
bool ConnectedComponents::find_cuts(std::span<const std::uint8_t> failed, Bits& cuts) {
  std::ranges::fill(cuts, 0);
  std::ranges::fill(visits_, Visit{});
  std::uint32_t working = 0;
  SwitchId root = kNoSwitch;
  for (const SwitchId s : hosted_) {
    if (!works(s, failed)) continue;
    if (root == kNoSwitch) root = s;
    ++working;
  }
  if (root == kNoSwitch) return true;

  const bool links = of_switch_.empty();
  std::uint32_t numbered = 1;
  visits_[root] = {1, 1, 1, 0, UINT32_MAX, first_[root]};
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const SwitchId s = stack_.back();
    Visit& v = visits_[s];
    if (v.next < first_[s + 1]) {
      const Cable& c = cables_[v.next++];
      if (c.number == v.came_by || !works(c, failed)) continue;
      Visit& t = visits_[c.to];
      if (t.number != 0) {
        v.low = std::min(v.low, t.number);
        continue;
      }
      ++numbered;
      t = {numbered, numbered, has_hosts_[c.to], 0, c.number, first_[c.to]};
      stack_.push_back(c.to);
      continue;
    }
    stack_.pop_back();
    if (!links && v.parts + (s != root) >= 2) cuts[of_switch_[s] / 64] |= bit_of(of_switch_[s]);
    if (stack_.empty()) break;
    Visit& up = visits_[stack_.back()];
    up.low = std::min(up.low, v.low);
    up.hosted += v.hosted;
    if (v.hosted == 0 || v.low < up.number) continue;
    ++up.parts;
    if (links && v.low > up.number) {
      const Element e = cables_[up.next - 1].element;
      cuts[e / 64] |= bit_of(e);
    }
  }
  return visits_[root].hosted == working;
}

unsigned ConnectedComponents::least_cut(unsigned most) {
  const std::vector<std::uint8_t> none(elements_, 0);
  if (!find(none)) return 0;
  const bool links = of_switch_.empty();
  Network network(static_cast<std::uint32_t>(2 * visits_.size()));
  for (SwitchId s = 0; s < visits_.size(); ++s) {
    network.join(2 * s, 2 * s + 1, links ? most + 1 : 1);
    for (const Cable& c : cables(s)) network.join(2 * s + 1, 2 * c.to, links ? 1 : most + 1);
  }
  const auto adjacent = [&](SwitchId a, SwitchId b) {
    return std::ranges::any_of(cables(a), [b](const Cable& c) { return c.to == b; });
  };
  // The number of switches from which flows to all others are computed, to find every cut. A cut of
  // cables separates any switch from some other one, so one start is enough. If switches fail, the
  // start may be one of the at most `most` switches of the cut. One of `most` + 1 starts is not.
  const std::size_t starts = links ? 1 : std::size_t{most} + 1;
  unsigned lowest = most + 1;
  for (std::size_t i = 0; i < std::min(starts, hosted_.size()); ++i)
    for (const SwitchId to : hosted_) {
      const SwitchId from = hosted_[i];
      if (from == to || lowest <= 1 || (!links && adjacent(from, to))) continue;
      lowest = network.flow(2 * from + 1, 2 * to, lowest);
    }
  return lowest;
}

}  // namespace selvedge::survival
