// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A tree towards each destination, and what the trees together load on every arc. The trees are
// made one after another; then, in rounds, each switch's next hop in each tree is ripped up and
// laid anew where it meets less traffic (as nets are routed on chips: McMurchie & Ebeling 1995).
//
// What counts is how often flows of a random permutation meet. Two flows meet on an arc only if
// neither their sources nor their destinations are the same. Among L pairs of hosts that cross an
// arc, L² − Σ_d L_d² − Σ_s L_s² + L ordered pairs of flows can meet, with L_d pairs to the
// destination d and L_s from the source s. The sum over all arcs is the cost. So of two ways with
// the same load the one is better that carries fewer destinations, or fewer sources.
//
// On large fabrics the hosts of a switch share one tree.
//
// Trees towards the further LIDs of hosts are a forest of their own, laid above that of the base
// LIDs, which stays as it is. A pair's packets then are spread over its LIDs. All flows of one pair
// meet, if they can, in every permutation; two flows of different pairs in one of H − 1, for H
// hosts. So an arc that the same pair uses already costs as much as H others, times kSamePair.
//
// A limit of turns bounds how many turns from a down channel into an up channel a path makes, in an
// order of the switches. So many VLs and one serve the path (symmetric_layers.hpp).
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plugin/engines/balanced/ways.hpp"
#include "plugin/engines/switch_graph.hpp"
#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/stable_random.hpp"

namespace selvedge::balanced {

/// A destination of paths: a LID of a host, or a switch's own port.
struct Target {
  SwitchId at;
  HostId host;          // kNoHost: the switch itself, whose traffic does not count
  unsigned offset = 0;  // which LID of the host
  unsigned hosts = 1;   // how many hosts of the switch share this tree
};

/// At most `most` turns from down to up on each path; `rank`: per switch, lower is upper.
struct TurnLimit {
  const std::vector<std::uint32_t>& rank;
  unsigned most;
  const Ways& instead;  // for trees that find no way within the limit: without such a turn
};

class Forest {
 public:
  /// All arguments but the targets must outlive this object. `ignored`: per channel
  /// (BalanceOptions::ignored).
  Forest(const Fabric& fabric, const SwitchGraph& graph, const Ways& ways,
         std::vector<Target> targets, const std::vector<std::uint8_t>& ignored,
         const TurnLimit* limit = nullptr);

  /// Further LIDs, above the forest of the base LIDs. Targets of one host follow each other. Offset
  /// o takes ways[(o − 1) % ways.size()].
  Forest(const Forest& base, const std::vector<Ways>& ways, std::vector<Target> targets,
         const TurnLimit* limit);

  const std::vector<Target>& targets() const { return targets_; }
  /// The arc by which a switch forwards to target t; kNoArc at the target's switch, and where no
  /// path leads there.
  Arc next(std::size_t t, SwitchId s) const {
    const std::uint8_t local = next_[t * switches_ + s];
    return local == kNone ? kNoArc : graph_.first[s] + local;
  }

  /// Lays all trees, one after another. Each switch takes the arc of lowest `preference` (per arc;
  /// empty: all alike), of these the one from which the path meets the least load so far.
  void lay(const std::vector<std::uint8_t>& preference = {});
  /// The most turns from down to up of any path, in an order of the switches (`rank`).
  unsigned most_turns(const std::vector<std::uint32_t>& rank) const;
  /// One round over all trees, in random order. Returns how many next hops have changed.
  std::size_t improve(StableRandom& random);

  /// How many ordered pairs of flows can meet, summed over the arcs.
  double cost() const;
  /// Releases what only lay(), improve(), cost() and a forest above this one need; none of them may
  /// be used afterwards, and the ways need not live on.
  void finish();
  std::uint64_t highest_load() const;
  /// The number of trees that took TurnLimit::instead.
  std::size_t limited_trees() const { return limited_; }

 private:
  static constexpr std::uint8_t kNone = UINT8_MAX;

  std::size_t last_of_host(std::size_t t) const;
  void use(const Forest& forest, std::size_t t, int sign);
  bool lay(std::size_t t, const std::vector<std::uint8_t>& preference);
  double cost_to_lay(SwitchId s, Arc a) const;
  void add_up(std::size_t t, std::span<const std::uint16_t> order);
  void find_flows(std::size_t t, std::span<const std::uint16_t> order);
  bool improve(std::size_t t, SwitchId s);
  void collect_below(std::size_t t, SwitchId s);
  unsigned turn(SwitchId before, SwitchId at, SwitchId after) const {
    return limit_->rank[before] < limit_->rank[at] && limit_->rank[after] < limit_->rank[at];
  }
  /// Turns of the path from s by arc a, in the tree t.
  unsigned turns_from(std::size_t t, SwitchId s, Arc a) const;
  /// Whether all paths of `below_` stay within the limit if s takes arc a.
  bool within_limit(std::size_t t, SwitchId s, Arc a) const;
  double cost_on(std::size_t t, Arc a, std::int64_t own) const;
  double cost_of(std::size_t t, Arc first) const;
  void put(std::size_t t, SwitchId from, std::int64_t sign);
  void count_from(Arc a, SwitchId s, int targets) {
    std::uint16_t& count = from_[std::size_t{a} * switches_ + s];
    count = static_cast<std::uint16_t>(count + targets);
  }

  struct Below {
    SwitchId at;
    SwitchId child;       // the switch by which its path enters the one that is moved
    std::uint32_t turns;  // on its path, before the switch that is moved
  };

  const Fabric& fabric_;
  const SwitchGraph& graph_;
  std::optional<TurnLimit> limit_;
  std::vector<Target> targets_;
  std::vector<const Ways*> ways_;  // per target
  std::size_t switches_;
  std::vector<Arc> back_;             // per arc: the arc in the other direction
  std::vector<std::int64_t> hosts_;   // per switch: how many sources it has
  std::vector<std::uint8_t> next_;    // [target][switch]: an arc of the switch, or kNone
  std::vector<std::uint8_t> counts_;  // per arc: whether its load counts
  std::vector<std::int64_t> load_;    // per arc
  /// [arc][switch]: targets reached over the arc from there. Empty on fabrics where it would be
  /// large; then meeting flows of one source count too.
  std::vector<std::uint16_t> from_;
  const Forest* base_ = nullptr;  // for further LIDs: the forest of the base LIDs
  std::vector<std::uint8_t>
      used_;  // [arc][switch]: the host's other LIDs reached over it; or empty
  std::vector<std::size_t> base_target_;  // per host: its target in base_
  double sources_ = 0;                    // how many hosts send
  std::vector<std::int64_t> flow_;    // per switch: hosts whose path in the current tree passes it
  std::vector<Below> below_;          // the switch that is moved and all that forward through it
  std::int64_t moved_ = 0;            // how many hosts these have
  std::vector<double> path_cost_;     // per switch
  std::vector<unsigned> path_turns_;  // per switch
  std::size_t limited_ = 0;
};

}  // namespace selvedge::balanced
