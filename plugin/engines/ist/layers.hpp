// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which SL and which VLs the paths of a torus take.
//
// The VL of a packet at a switch follows from its SL, the port it came by and the port it leaves
// by: VL = f(SL, turn). (A turn is a switch with two of its ports; going straight on is one too.)
// Along every path of an SL, f must satisfy two conditions:
//
// - the VL never falls;
// - a packet that stays on VL l takes only turns that are allowed on VL l. For each VL, the allowed
//   turns are chosen such that the channels in the order of allowed turns form no cycle.
//
// Then no cycle of (channel, VL) exists, over all SLs together: along a dependency the VL grows, or
// the channel grows in the order of that VL. The usual choice of allowed turns, on every VL ("by
// rows"): the switches are numbered row by row, and a turn is forbidden if both neighbours have
// lower numbers than the switch. So within a VL the numbers fall, then rise.
//
// A path fixes the turns, not the SL. One SL cannot take all paths: paths that go round a ring from
// different starts together use all of its turns, and the VL would have to grow all the way round.
// So the paths are distributed over the SLs. Within an SL the least VLs are a least fixpoint of
// "VL(turn) ≥ VL(turn before), one more if the turn is not allowed there". An SL has no room for a
// path that raises a turn beyond the last VL.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "plugin/engines/ist/trees.hpp"
#include "plugin/fabric/ids.hpp"

namespace selvedge::ist {

/// (place · D + port it came by) · D + port it leaves by, the ports named by their directions; so a
/// packet that came by a step of direction d came by port opposite(d).
using Turn = std::uint32_t;
inline Turn make_turn(const Torus& torus, Place at, Direction in, Direction out) {
  return (at * torus.directions() + in) * torus.directions() + out;
}
inline std::size_t turn_count(const Torus& torus) {
  return std::size_t{torus.places()} * torus.directions() * torus.directions();
}

/// VLs 0 … 15 as bits.
using VlSet = std::uint16_t;
/// SLs 0 … 15 as bits.
using SlSet = std::uint16_t;

/// f, and the turns that its proof allows on each VL.
struct Plan {
  unsigned vls = 1, sls = 0;
  std::vector<VlSet> allowed;  // per turn
  std::vector<Vl> vl;          // [SL][turn]

  /// The least VL of a turn after a turn that has VL `before`.
  Vl least(Turn turn, Vl before) const {
    return static_cast<Vl>(before + (allowed[turn] >> before & 1 ? 0 : 1));
  }
};

/// A plan without SLs whose turns are those "by rows" on every VL.
Plan plan_by_rows(const Torus& torus);

/// The turns of several paths, one path after the other.
struct TurnPaths {
  std::vector<Turn> turns;
  std::vector<std::size_t> first{0};

  std::size_t size() const { return first.size() - 1; }
  std::span<const Turn> operator[](std::size_t i) const {
    return {turns.data() + first[i], first[i + 1] - first[i]};
  }
  void close() { first.push_back(turns.size()); }
};

/// One SL while paths are added to it: the least VL of every turn, and which turns follow which on
/// its paths. `torus` and `rules` must outlive it.
class Layer {
 public:
  Layer(const Torus& torus, const Plan& rules, unsigned vls);

  void clear();
  /// Adds the path, or all paths. On failure it adds none and returns false.
  bool add(std::span<const Turn> path);
  bool add_all(const TurnPaths& paths);
  /// Gives the turn this initial VL; if `fixed`, nothing raises it. (A failed add() does not undo
  /// it.)
  void preset(Turn turn, Vl vl, bool fixed);
  /// Records that `turn` may be followed by leaving through `out`. (A failed add() does not undo
  /// it, and no VL is raised.)
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
  std::vector<Vl> vl_;                       // per turn
  std::vector<std::uint8_t> follows_;        // [turn][direction]: does a path leave that way next?
  std::vector<std::pair<Turn, Vl>> raised_;  // since start(), with the value before
  std::vector<std::size_t> linked_;          // since start(), into follows_
  std::vector<Turn> pending_;
};

/// Finds room for paths in a plan: in its SLs, whose present use is in `taken`, or in SLs that it
/// adds; first fit, in the order given. False if the VLs and SLs do not suffice; the plan is then
/// unchanged.
bool extend(Plan& plan, const Torus& torus, std::vector<Layer>& taken, const TurnPaths& paths,
            unsigned max_vls, unsigned max_sls);

/// Which SLs may take which turns one after the other: the plan in the form that Routes needs.
class Admission {
 public:
  Admission(const Torus& torus, const Plan& plan);

  SlSet all() const { return all_; }
  /// SLs in which a packet may begin with this turn: the channel before it is on VL 0.
  SlSet begin(Turn turn) const { return begin_[turn]; }
  /// SLs in which a packet may leave by `out` at the switch that `turn` leads to.
  SlSet pass(Turn turn, Direction out) const { return pass_[turn * directions_ + out]; }

 private:
  Direction directions_;
  SlSet all_;
  std::vector<SlSet> begin_, pass_;
};

}  // namespace selvedge::ist
