// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which SL, and on each channel which VL, the paths of a torus take.
//
// The VL of a packet that leaves a switch depends on its SL, the port by which it came and the port
// by which it leaves: VL = f(SL, turn). A turn is a switch with two of its ports, also if the path
// goes straight on. Along every path with an SL, f must satisfy two conditions:
//
// - the VL never falls;
// - a packet that stays on VL l takes only turns that are allowed on VL l. For each VL, the allowed
//   turns are chosen such that channels joined by allowed turns form no cycle.
//
// Then there is no cycle of (channel, VL), over all SLs together: along each dependency the VL
// grows, or it stays and the channel comes later in the order of that VL. The usual choice of
// allowed turns is the same on every VL and called "by rows". The switches are numbered row by row,
// and a turn is not allowed if both neighbours have lower numbers than the switch. So within a VL
// the numbers along a path fall, then rise.
//
// A path determines its turns, but its SL can be chosen. One SL cannot take all paths: paths that
// go round a ring from different switches together use all turns of the ring, and the VL would have
// to grow all the way round. So the paths are distributed over the SLs. Within an SL the VLs are
// the least solution of "VL(turn) ≥ VL(turn before), one more if the turn is not allowed on that
// VL". A path does not fit an SL if it would raise some turn above the last VL.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "plugin/engines/ist/trees.hpp"
#include "plugin/fabric/ids.hpp"

namespace selvedge::ist {

/// A turn as a number: (place · D + port of entry) · D + port of exit, with D directions. A port is
/// named by the direction in which it leads. So a packet that came by a step in direction d entered
/// by port opposite(d).
using Turn = std::uint32_t;
inline Turn make_turn(const Torus& torus, Place at, Direction in, Direction out) {
  return (at * torus.directions() + in) * torus.directions() + out;
}
inline std::size_t turn_count(const Torus& torus) {
  return std::size_t{torus.places()} * torus.directions() * torus.directions();
}

/// A set of VLs: bit v is VL v.
using VlSet = std::uint16_t;
/// A set of SLs: bit l is SL l.
using SlSet = std::uint16_t;

/// A plan: the function f(SL, turn) → VL, and the turns that its proof allows on each VL.
struct Plan {
  unsigned vls = 1, sls = 0;
  std::vector<VlSet> allowed;  // per turn: VLs on which it is allowed
  std::vector<Vl> vl;          // f, indexed [SL][turn]

  /// The least VL that a packet may have after this turn if it has VL `before` before the turn.
  Vl least(Turn turn, Vl before) const {
    return static_cast<Vl>(before + (allowed[turn] >> before & 1 ? 0 : 1));
  }
};

/// A plan without SLs. On every VL, a turn is allowed unless both neighbours have lower numbers
/// than the switch (row-major order).
Plan plan_by_rows(const Torus& torus);

/// The turns of several paths, one path after another.
struct TurnPaths {
  std::vector<Turn> turns;
  std::vector<std::size_t> first{0};

  std::size_t size() const { return first.size() - 1; }
  std::span<const Turn> operator[](std::size_t i) const {
    return {turns.data() + first[i], first[i + 1] - first[i]};
  }
  void close() { first.push_back(turns.size()); }
};

/// The turns of one SL while paths are added to it: the least VL of every turn, and which turns
/// follow each other on the added paths. `torus` and `rules` must outlive it.
class Layer {
 public:
  Layer(const Torus& torus, const Plan& rules, unsigned vls);

  void clear();
  /// Adds one path, or all paths. If one does not fit, adds none of them and returns false.
  bool add(std::span<const Turn> path);
  bool add_all(const TurnPaths& paths);
  /// Gives a turn this initial VL. If `fixed`, added paths cannot raise the VL. (A failed add()
  /// does not undo preset().)
  void preset(Turn turn, Vl vl, bool fixed);
  /// Records that some path takes `turn` and then leaves by `out`. (No VL is raised, and a failed
  /// add() does not undo link().)
  void link(Turn turn, Direction out);

  const std::vector<Vl>& vl() const { return vl_; }

 private:
  void start();
  bool insert(std::span<const Turn> path);
  bool raise(Turn turn, Vl vl);
  bool settle();
  void undo();

  const Torus& torus_;
  const Plan& rules_;
  std::vector<Vl> limit_;                    // per turn: the highest VL that it may have
  std::vector<Vl> vl_;                       // per turn: its VL
  std::vector<std::uint8_t> follows_;        // [turn][direction]: whether a path leaves by it next
  std::vector<std::pair<Turn, Vl>> raised_;  // since start(): turns with the VL they had
  std::vector<std::size_t> linked_;          // since start(): new entries in follows_
  std::vector<Turn> pending_;
};

/// Distributes paths over the SLs of a plan, and over SLs that it adds. `taken`: for each SL of the
/// plan, the turns in use. Each path takes the first SL that it fits, in the order given. Returns
/// false if VLs and SLs do not suffice; the plan is then unchanged.
bool extend(Plan& plan, const Torus& torus, std::vector<Layer>& taken, const TurnPaths& paths,
            unsigned max_vls, unsigned max_sls);

/// The SLs that a plan admits for sequences of turns, in the form that Routes needs.
class Admission {
 public:
  Admission(const Torus& torus, const Plan& plan);

  SlSet all() const { return all_; }
  /// The SLs on which a packet may take this turn as its first one. (The channel before it is on VL
  /// 0.)
  SlSet begin(Turn turn) const { return begin_[turn]; }
  /// The SLs on which a packet that took `turn` may leave the next switch by `out`.
  SlSet pass(Turn turn, Direction out) const { return pass_[turn * directions_ + out]; }

 private:
  Direction directions_;
  SlSet all_;
  std::vector<SlSet> begin_, pass_;
};

}  // namespace selvedge::ist
