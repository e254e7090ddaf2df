// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths from one switch to another that the turn rules admit (turn_rules.hpp: some SL serves
// them), short ones first. The disjoint paths of a pair are chosen from these candidates (Montañana
// 2008 §4.2.1 stages 1–3; §4.2.2: a bound on the length beyond the distance).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "plugin/engines/switch_graph.hpp"
#include "plugin/engines/turn_rules.hpp"

namespace selvedge {

struct CandidateLimits {
  unsigned slack = 4;           // hops by which a path may exceed the distance
  unsigned turns = 4;           // changes of direction, if directions are given
  unsigned per_first_arc = 96;  // paths kept for each first arc of the source
  unsigned steps = 20'000;      // steps of the search for one first arc and one length
};

/// The candidate paths of all sources to one destination. They are kept until set_destination()
/// sets the next destination. The paths of a source are numbered from 0.
class PathCandidates {
 public:
  /// Both references must outlive this object. `direction`: per arc, for CandidateLimits::turns,
  /// which must then be at most kMostTurns; empty: turns are not limited.
  PathCandidates(const SwitchGraph& graph, const TurnRules& rules,
                 std::vector<std::uint8_t> direction);

  /// Forgets all paths; the next ones lead to `destination`.
  void set_destination(SwitchId destination);
  /// Per switch, the hops to the destination; kFar if there is no path.
  std::span<const std::uint16_t> distance() const { return distance_; }
  static constexpr std::uint16_t kFar = UINT16_MAX;
  static constexpr unsigned kMostTurns = 6;

  struct Path {
    std::uint32_t first;                  // its arcs begin at arcs_[first]
    std::uint16_t length;                 // its number of hops
    SlSet sls;                            // SLs that it may use
    bool added;                           // whether add() inserted it
    std::array<std::uint64_t, 4> passes;  // switches between its ends: bit (id mod 256)
  };
  struct Set {
    std::vector<Path> paths;  // sorted by first arc, then by length
    /// The paths that begin with the source's i-th arc: paths[group[i]] … paths[group[i + 1] − 1].
    std::vector<std::uint32_t> group;
    unsigned slack = 0;  // the CandidateLimits::slack that it was made with
  };
  /// The paths from `source` within these limits. The search runs at the first call, and again if a
  /// later call has a larger slack.
  const Set& from(SwitchId source, const CandidateLimits& limits);

  std::span<const Arc> arcs(const Path& path) const {
    return {arcs_.data() + path.first, path.length};
  }
  SwitchId target(Arc arc) const { return graph_.target[arc]; }
  /// Inserts a path of any length that the rules admit into the set that from() made for this
  /// source. The set remains sorted, so indices of paths change.
  void add(SwitchId source, std::span<const Arc> arcs);

  /// Whether the rules admit a walk from `source` to the destination. (In rare cases the only such
  /// walk passes a switch twice, so it is no path.)
  bool reaches(SwitchId source) const;
  /// Sets for each arc whether it is on some walk from this switch to the destination that the
  /// rules admit. Paths use no other arcs.
  void usable(SwitchId source, std::vector<std::uint8_t>& arcs);

  /// Whether two paths of one pair share a switch between the ends or, if both are a single hop,
  /// their cable.
  bool intersect(const Path& a, const Path& b) const;

 private:
  struct Step {
    SwitchId at;
    Arc next;       // the next arc to try
    SlState state;  // SLs and VLs that are possible on the arc that led to `at`
    std::uint8_t turns;
  };
  void keep(std::span<const Arc> arcs, SlSet sls, Set& set);
  void search(SwitchId source, Arc first, unsigned length, const CandidateLimits& limits, Set& set);
  void insert(SwitchId source, const Path& path);
  void compute_distances();
  void compute_lengths_ahead();
  bool can_arrive(SlState state, Arc arc, unsigned turns, unsigned hops) const;
  bool ends(SlState state, Arc arc) const {
    return ((state.vl0 & rest_[arc].from_vl0) | (state.vl1 & rest_[arc].from_vl1)) != 0;
  }

  const SwitchGraph& graph_;
  const TurnRules& rules_;
  std::vector<std::uint8_t> direction_;
  SwitchId destination_ = kNoSwitch;
  std::vector<std::uint16_t> distance_;
  std::vector<SwitchId> tail_;  // per arc: the switch that it leaves
  /// Arcs to switch s: in_[first_in_[s]] … in_[first_in_[s + 1] − 1]
  std::vector<Arc> first_in_, in_;
  std::vector<SlSuffix> rest_;  // per arc: SLs on which a packet on it can reach the destination
  /// If directions are given, indexed [arc][turns that may still follow][VL][SL]: bit h is set if a
  /// packet on this arc can reach the destination in h hops from the arc's end. (h above 63 is not
  /// stored.)
  std::vector<std::uint64_t> lengths_ahead_;
  std::vector<SlState> before_;       // per arc, in usable(): SLs on which packets can reach it
  std::vector<std::uint8_t> listed_;  // per arc: whether it is in arc_queue_
  std::vector<Arc> arc_queue_;
  std::vector<SwitchId> queue_;
  std::vector<Arc> arcs_;
  std::vector<Set> sets_;         // per source: its candidates
  std::vector<std::uint8_t> on_;  // per switch: whether it is on the current path
  std::vector<Step> stack_;
  std::vector<Arc> trail_;
};

}  // namespace selvedge
