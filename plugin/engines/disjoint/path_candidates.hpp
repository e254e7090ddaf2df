// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths from one switch to another that turn_rules.hpp admits, short ones first. The disjoint
// paths of a pair are chosen from them (Montañana 2008 §4.2.1 stages 1–3, and §4.2.2: a bound on
// the length over the distance).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "plugin/engines/switch_graph.hpp"
#include "plugin/engines/turn_rules.hpp"

namespace selvedge {

struct CandidateLimits {
  unsigned slack = 4;           // hops over the distance
  unsigned turns = 4;           // changes of direction, if directions are given
  unsigned per_first_arc = 96;  // paths kept that leave by one arc of the source
  unsigned steps = 20'000;      // of the search, for one first arc and one length
};

/// Paths to one destination, kept until set_destination() sets the next. Paths of a source are
/// numbered from 0.
class PathCandidates {
 public:
  /// Both must outlive this object. `direction`: per arc, for the bound on turns, which may then be
  /// kMostTurns at most; empty = no bound.
  PathCandidates(const SwitchGraph& graph, const TurnRules& rules,
                 std::vector<std::uint8_t> direction);

  /// Forgets all paths; the next ones lead to `destination`.
  void set_destination(SwitchId destination);
  /// Per switch, hops to the destination; kFar if there is no path.
  std::span<const std::uint16_t> distance() const { return distance_; }
  static constexpr std::uint16_t kFar = UINT16_MAX;
  static constexpr unsigned kMostTurns = 6;

  struct Path {
    std::uint32_t first;                  // into arcs
    std::uint16_t length;                 // hops
    SlSet sls;                            // that it may use
    bool added;                           // by add()
    std::array<std::uint64_t, 4> passes;  // the switches between the ends: bit id mod 256
  };
  struct Set {
    std::vector<Path> paths;           // by first arc, then by length
    std::vector<std::uint32_t> group;  // per first arc (from the source's first), into paths;
                                       // and one past the last
    unsigned slack = 0;                // the slack that it was made with
  };
  /// The paths of `source` within these limits; made at the first call.
  const Set& from(SwitchId source, const CandidateLimits& limits);

  std::span<const Arc> arcs(const Path& path) const {
    return {arcs_.data() + path.first, path.length};
  }
  SwitchId target(Arc arc) const { return graph_.target[arc]; }
  /// Inserts an admitted path of any length into the set that from() made for this source, in the
  /// set's order. Indices of paths change.
  void add(SwitchId source, std::span<const Arc> arcs);

  /// Whether the rules admit a walk to the destination. (In rare cases only one that passes a
  /// switch twice, which is no path.)
  bool reaches(SwitchId source) const;
  /// Per arc: is it on some walk from this switch to the destination that the rules admit? Paths
  /// use no other arcs.
  void usable(SwitchId source, std::vector<std::uint8_t>& arcs);

  /// Whether two paths of one pair share a switch between the ends, or a cable.
  bool intersect(const Path& a, const Path& b) const;

 private:
  struct Step {
    SwitchId at;
    Arc next;       // the arc to try next
    SlState state;  // on the arc that led here
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
  std::vector<SwitchId> tail_;      // per arc: the switch that it leaves
  std::vector<Arc> first_in_, in_;  // per switch, the arcs that lead to it
  std::vector<SlSuffix> rest_;      // per arc: the SLs that reach the destination from it
  /// If directions are given, [arc][turns that are left][VL][SL]: bit h is set if a packet on this
  /// arc can reach the destination in h hops from the arc's end. (h above 63 is not stored.)
  std::vector<std::uint64_t> lengths_ahead_;
  std::vector<SlState> before_;       // per arc, in usable(): SLs that get there from the source
  std::vector<std::uint8_t> listed_;  // per arc: is it in arc_queue_?
  std::vector<Arc> arc_queue_;
  std::vector<SwitchId> queue_;
  std::vector<Arc> arcs_;
  std::vector<Set> sets_;         // per source
  std::vector<std::uint8_t> on_;  // per switch: on the current path
  std::vector<Step> stack_;
  std::vector<Arc> trail_;
};

}  // namespace selvedge
