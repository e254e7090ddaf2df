// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SL2VL tables for two VLs that are fixed before the paths are chosen (Montañana 2008 §4.3.5). A
// turn is the pair of arcs by which a path enters and leaves a switch; going straight on is a turn
// too. Some turns are *forbidden* (§4.2.1, stage 2): without them the channel dependencies are
// acyclic.
//
// A packet starts on VL 0. At each turn the table gives its VL from the SL and the turn alone. A
// path may use an SL if its VL never falls and rises at every forbidden turn. Then within each VL
// packets make allowed turns only, and they pass the VLs in ascending order. So the dependencies of
// all such paths together are acyclic, whichever of its SLs each source uses.
//
// That depends on the kinds of turns that a path makes, not on which paths there are. No path
// conflicts with another ("mapping conflicts", §4.2.1, stage 4, cannot occur), and the number of
// SLs does not grow with the fabric.
//
// Arcs are classed by kind, switches by region. A turn's rule depends on (region, kind in, kind
// out).
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/engines/switch_graph.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

using SlSet = std::uint16_t;  // bit s: SL s

struct Turn {
  SlSet on_vl1 = 0;        // SLs whose packets leave the turn on VL 1; the others on VL 0
  bool forbidden = false;  // the VL must rise from 0 to 1 here
};

/// The SLs that a path may still use at its last arc, split by the VL they give there.
struct SlState {
  SlSet vl0 = 0, vl1 = 0;

  SlSet any() const { return vl0 | vl1; }
  SlState after(const Turn& turn) const {
    if (turn.forbidden) return {0, static_cast<SlSet>(vl0 & turn.on_vl1)};
    return {static_cast<SlSet>(vl0 & ~turn.on_vl1), static_cast<SlSet>((vl0 | vl1) & turn.on_vl1)};
  }
};

struct TurnRules {
  unsigned vls = 2;  // 1: no path may make a forbidden turn
  unsigned sls = 1;
  unsigned kinds = 1;
  std::vector<std::uint8_t> kind;    // per arc
  std::vector<std::uint8_t> region;  // per switch
  std::vector<Turn> turns;           // [region][kind in][kind out]

  SlSet all() const { return static_cast<SlSet>((1u << sls) - 1); }
  const Turn& turn(SwitchId at, Arc in, Arc out) const {
    return turns[(region[at] * kinds + kind[in]) * kinds + kind[out]];
  }
};

/// The same backwards: the SLs that the rest of a path may use, split by the VL on its first arc.
/// `turn` leads from a new first arc to the old one.
struct SlSuffix {
  SlSet from_vl0 = 0, from_vl1 = 0;

  SlSuffix before(const Turn& turn) const {
    const SlSet rising = turn.on_vl1 & from_vl1;
    if (turn.forbidden) return {rising, 0};
    return {static_cast<SlSet>((~turn.on_vl1 & from_vl0) | rising), rising};
  }
};

/// Rules for any fabric whose switches are in a strict order (orientation.hpp). An arc is of kind 1
/// if it goes up, else 0. The turn from a down arc into an up arc, which up*/down* forbids, always
/// leaves on VL 1 (with one VL it is never taken). There are 1 to 4 SLs, which differ in which of
/// the other turns leave on VL 1:
///
///   SL   down→down  up→up  up→down   paths that it serves (u, d: any number of hops up, down)
///   0        0        0       0      u d, and one hop up after that
///   1        0        1       1      d, u, one hop down
///   2        1        1       1      one hop, then u d
///   3        0        1       0      one hop up, d, u
///
/// The SLs are ordered by usefulness: the first two serve all pairs of a 4×4 torus, the first three
/// most others. With one VL there is one SL, and only u d is served.
TurnRules order_rules(const SwitchGraph& directed_graph, unsigned vls, unsigned sls);

/// Writes SL2VL. Turns between switches follow the rules. Packets from hosts and from port 0 start
/// on VL 0. Packets from switches to hosts and to port 0 take the last VL (Montañana 2008, Tab.
/// 4.2); those between two hosts of a switch take VL 0. SLs beyond the rules' SLs repeat them
/// cyclically.
void write_sl2vl(const Fabric& fabric, const SwitchGraph& graph, const TurnRules& rules,
                 Tables& tables);

}  // namespace selvedge
