// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Up*/down* (Schroeder et al. 1991; Montañana 2008 §2.1.7): orientation.hpp gives every cable an
// upper end; a path may go up, then down, and never up again. The original decides by the port that
// a packet came in by; a linear forwarding table does not know that port, so each switch must keep
// to one phase for each destination. Per destination switch d:
//
//   down(x)  the length of the shortest path from x to d that only goes down (∞: there is none).
//   From the uppermost switch to the lowest: x is *bound* if a switch above it, which goes down to
//   d, may do so through x. A bound switch goes down itself. Any other takes the shorter of down(x)
//   and 1 + the shortest length of a switch above it; down on a tie. When x goes down, every switch
//   z below it with down(z) = down(x) − 1 becomes bound. (z comes later in the order than x: what
//   it is bound to is known by its turn.)
//
// Why that is free of deadlock on one VL, with any SLs from any source, replies included: a switch
// in phase down leads to bound switches only, and those are in phase down. So the next hops of one
// LID, wherever a packet enters, form up channels followed by down channels; the table holds no
// turn from a down channel into an up channel, for any LID. A cycle of channel dependencies would
// have to stay among the up channels or among the down channels, and each of these sets is ordered
// by the ranks of the switches (Dally & Seitz 1987). The turn of a packet from a host, or from a
// switch itself, starts no dependency between switches; the last hop into a host ends them all.
//
// Being bound costs length: Schroeder's paths, chosen by incoming port, are never longer and
// sometimes shorter. It is the price of a table that is indexed by the destination alone.
//
// All of it but the choice among equal next hops is done for kTile destinations at a time, in
// vectors of 16-bit lengths: what is compared is the same neighbour pair for all of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/engines/balance.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/orientation.hpp"
#include "plugin/engines/switch_graph.hpp"

namespace selvedge {
namespace {

using Length = std::uint16_t;
constexpr Length kFar = UINT16_MAX;

constexpr std::size_t kTile = 16;
using Row = std::array<Length, kTile>;  // one value for each destination of the tile

/// Lengths and phases towards the destinations of one tile, for every switch.
class Phases {
 public:
  Phases(const SwitchGraph& graph, const Orientation& orientation)
      : graph_(graph),
        orientation_(orientation),
        down_(graph.num_switches()),
        length_(graph.num_switches()),
        goes_down_(graph.num_switches()),
        key_(kTile * graph.num_switches()) {}

  void compute(std::span<const SwitchId> destinations) {
    descend(destinations);
    ascend();
    transpose(destinations.size());
  }

  /// Of the k-th destination, per switch: kNone, or twice the length, plus 1 if it goes down.
  std::span<const std::uint32_t> keys(std::size_t k) const {
    return {key_.data() + k * graph_.num_switches(), graph_.num_switches()};
  }
  static constexpr std::uint32_t kNone = UINT32_MAX;

 private:
  static Length next(Length length) {
    return static_cast<Length>(length == kFar ? kFar : length + 1);
  }

  /// down(x), from the lowest switch to the uppermost.
  void descend(std::span<const SwitchId> destinations) {
    for (auto it = orientation_.order.rbegin(); it != orientation_.order.rend(); ++it) {
      const SwitchId x = *it;
      Row least;
      least.fill(kFar);
      for (Arc a = graph_.first_down[x]; a < graph_.first[x + 1]; ++a) {
        const Row& below = down_[graph_.target[a]];
        for (std::size_t k = 0; k < kTile; ++k) least[k] = std::min(least[k], below[k]);
      }
      for (std::size_t k = 0; k < kTile; ++k) least[k] = next(least[k]);
      for (std::size_t k = 0; k < destinations.size(); ++k)
        if (destinations[k] == x) least[k] = 0;
      down_[x] = least;
    }
  }

  /// Phases and lengths, from the uppermost switch to the lowest.
  void ascend() {
    for (const SwitchId x : orientation_.order) {
      const Row down = down_[x];
      Row up, bound;
      up.fill(kFar);
      bound.fill(0);
      for (Arc a = graph_.first[x]; a < graph_.first_down[x]; ++a) {
        const SwitchId w = graph_.target[a];
        const Row& length = length_[w];
        const Row& goes_down = goes_down_[w];
        for (std::size_t k = 0; k < kTile; ++k) {
          up[k] = std::min(up[k], length[k]);
          // A switch that goes down has down(w) as its length.
          const Length through = static_cast<Length>(length[k] == next(down[k]) ? kFar : 0);
          bound[k] = static_cast<Length>(bound[k] | (goes_down[k] & through));
        }
      }
      Row& length = length_[x];
      Row& goes_down = goes_down_[x];
      for (std::size_t k = 0; k < kTile; ++k) {
        const Length climb = next(up[k]);
        const Length free_choice = static_cast<Length>(down[k] <= climb ? kFar : 0);
        // With ∞ on both sides nobody goes anywhere; above all, nobody is bound to.
        const Length finite = static_cast<Length>(down[k] != kFar ? kFar : 0);
        goes_down[k] = static_cast<Length>((bound[k] | free_choice) & finite);
        length[k] = goes_down[k] ? down[k] : climb;
      }
    }
  }

  void transpose(std::size_t used) {
    const std::size_t n = graph_.num_switches();
    for (SwitchId x = 0; x < n; ++x)
      for (std::size_t k = 0; k < used; ++k)
        key_[k * n + x] =
            length_[x][k] == kFar ? kNone : 2u * length_[x][k] + (goes_down_[x][k] & 1u);
  }

  const SwitchGraph& graph_;
  const Orientation& orientation_;
  std::vector<Row> down_, length_;  // per switch
  std::vector<Row> goes_down_;      // per switch: kFar (all bits) or 0
  std::vector<std::uint32_t> key_;  // [destination][switch]
};

/// Next hops towards one destination, from the keys; switches by length, then id.
class HopCollector {
 public:
  explicit HopCollector(const SwitchGraph& graph)
      : graph_(graph), by_length_(graph.num_switches()) {}

  const NextHops& collect(std::span<const std::uint32_t> keys) {
    sort_by_length(keys);
    hops_.clear();
    for (std::size_t i = 0; i < reached_; ++i) {
      const SwitchId x = by_length_[i];
      const std::uint32_t key = keys[x];
      if (key & 1u) {
        for (Arc a = graph_.first_down[x]; a < graph_.first[x + 1]; ++a)
          if (keys[graph_.target[a]] == key - 2) hops_.arcs.push_back(a);
      } else {
        for (Arc a = graph_.first[x]; a < graph_.first_down[x]; ++a)
          if ((keys[graph_.target[a]] | 1u) == key - 1) hops_.arcs.push_back(a);
      }
      hops_.close(x);
    }
    return hops_;
  }

  std::size_t reached() const { return reached_; }

 private:
  void sort_by_length(std::span<const std::uint32_t> keys) {
    places_.clear();
    reached_ = 0;
    for (const std::uint32_t key : keys) {
      if (key == Phases::kNone) continue;
      if (key / 2 + 1 >= places_.size()) places_.resize(key / 2 + 2, 0);
      ++places_[key / 2 + 1];
      ++reached_;
    }
    for (std::size_t l = 1; l < places_.size(); ++l) places_[l] += places_[l - 1];
    for (SwitchId x = 0; x < keys.size(); ++x)
      if (keys[x] != Phases::kNone) by_length_[places_[keys[x] / 2]++] = x;
  }

  const SwitchGraph& graph_;
  NextHops hops_;
  std::vector<SwitchId> by_length_;
  std::vector<std::uint32_t> places_;
  std::size_t reached_ = 0;
};

void check(const Fabric& fabric, const EngineRequest& request) {
  if (fabric.num_switches() >= kFar)
    throw InputError(fmt::format("the fabric has {} switches", fabric.num_switches()), "updn",
                     fmt::format("a subnet has LIDs for {}; split it", unsigned{kMaxUnicastLid}));
  if (!request.root) return;
  if (*request.root >= fabric.num_switches())
    throw InputError(fmt::format("there is no switch {}", *request.root), "root of updn",
                     fmt::format("the fabric has {} switches", fabric.num_switches()));
  if (fabric.node(*request.root).failed)
    throw InputError(fmt::format("switch \"{}\" has failed", fabric.node(*request.root).name),
                     "root of updn", "choose a switch that works, or let the engine choose");
}

std::vector<std::string> remarks(const Fabric& fabric, const Components& pieces,
                                 const Orientation& orientation, std::uint64_t apart) {
  std::vector<std::string> lines;
  std::vector<std::string_view> roots;
  for (const SwitchId root : orientation.roots) {
    const std::uint32_t p = pieces.of[root];
    if (pieces.first[p + 1] - pieces.first[p] > 1) roots.push_back(fabric.node(root).name);
  }
  constexpr std::size_t kShown = 4;
  if (!roots.empty())
    lines.push_back(fmt::format(
        "root of the spanning tree: {}{}",
        fmt::join(roots.begin(), roots.begin() + std::min(roots.size(), kShown), ", "),
        roots.size() > kShown ? fmt::format(" and {} more", roots.size() - kShown) : ""));
  if (orientation.layered)
    lines.push_back(
        "the fabric is layered: directions follow its levels, every top switch is used");
  if (roots.size() > 1)
    lines.push_back(
        fmt::format("the fabric is in {} pieces; each is routed by itself", roots.size()));
  if (apart > 0)
    lines.push_back(
        fmt::format("{} ordered pairs of switches, none of them two switches with hosts, "
                    "have no up*/down* path; name a root to have one tree for all",
                    apart));
  return lines;
}

Routing compute(const Fabric& fabric, const EngineRequest& request) {
  check(fabric, request);
  const SwitchGraph bare = make_switch_graph(fabric);
  const Components pieces = components(bare);
  Orientation orientation = orient(fabric, bare, pieces, request.tree, request.root);
  const SwitchGraph graph = directed(bare, orientation.rank);

  Balancer balancer(fabric, graph);
  Phases phases(graph, orientation);
  HopCollector collector(graph);
  std::vector<SwitchId> destinations;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    if (!fabric.node(s).failed) destinations.push_back(s);

  std::uint64_t apart = 0;
  for (std::size_t base = 0; base < destinations.size(); base += kTile) {
    const std::span<const SwitchId> tile(destinations.data() + base,
                                         std::min(kTile, destinations.size() - base));
    phases.compute(tile);
    for (std::size_t k = 0; k < tile.size(); ++k) {
      balancer.route(tile[k], collector.collect(phases.keys(k)));
      const std::uint32_t p = pieces.of[tile[k]];
      apart += pieces.first[p + 1] - pieces.first[p] - collector.reached();
    }
    if (request.progress) request.progress(base + tile.size(), destinations.size());
  }

  Routing routing;
  routing.tables = std::move(balancer).finish();
  routing.remarks = remarks(fabric, pieces, orientation, apart);
  routing.multicast = std::move(orientation.tree);
  return routing;
}

}  // namespace

extern const Engine kUpdn = {
    .name = "updn",
    .facts =
        {
            .topologies = "any",
            .theorem =
                "no path turns from a down channel into an up channel, so that the channel "
                "dependency graph is acyclic whatever the SLs, replies included; in each piece "
                "of the fabric every two switches with hosts have a path",
            .tolerated_faults =
                "0 with the tables as they are; any that leave the fabric connected, "
                "once they are computed again",
            .vls = "1",
            .sls = "1 (always SL 0)",
            .lmc = "any; the LIDs of a host have paths of one length, spread over the links",
            .memory = "O(N·D) bytes of LFTs, else O(N + E)",
            .time = "O(N·E·min(diameter, 256)/256 + D·(N + E))",
            .after_a_fault =
                "LIDs and SLs stay; the root may move if it or the distances change, and "
                "with it any route",
            .deadlock_free = true,
        },
    .compute = &compute,
};

}  // namespace selvedge
