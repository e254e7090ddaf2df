// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Turn rules: SL2VL tables for two VLs that are fixed before the paths are chosen (Montañana 2008
// §4.3.5). A turn is the pair of arcs by which a path enters and leaves a switch, also if it goes
// straight on. Some turns are *forbidden*: without these turns the channel dependencies would be
// acyclic (§4.2.1, stage 2). In spite of the name, a path may make one, if its VL changes there.
//
// A packet starts on VL 0. At each turn the SL2VL table gives its VL from the SL and the turn
// alone. A path may use an SL if, with that SL, its VL never falls, and rises at every forbidden
// turn. Then within each VL packets make only turns that are not forbidden, and they pass the VLs
// in ascending order. So the dependencies of all such paths together are acyclic, whichever of its
// SLs each source uses.
//
// Whether a path may use an SL depends on the path's own turns, not on which other paths exist. So
// no path conflicts with another ("mapping conflicts" of §4.2.1, stage 4, cannot occur), and the
// number of SLs does not grow with the fabric.
//
// Arcs have a kind, and switches a region. The rule of a turn depends on the region of its switch
// and the kinds of its two arcs.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/engines/switch_graph.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

using SlSet = std::uint16_t;  // bit s: SL s

struct Turn {
  SlSet on_vl1 = 0;        // SLs whose packets leave the turn on VL 1; others on VL 0
  bool forbidden = false;  // the VL must rise from 0 to 1 here
};

/// The SLs that a path may use up to its last arc, split by the VL that they give on that arc.
struct SlState {
  SlSet vl0 = 0, vl1 = 0;

  SlSet any() const { return vl0 | vl1; }
  SlState after(const Turn& turn) const {
    if (turn.forbidden) return {0, static_cast<SlSet>(vl0 & turn.on_vl1)};
    return {static_cast<SlSet>(vl0 & ~turn.on_vl1), static_cast<SlSet>((vl0 | vl1) & turn.on_vl1)};
  }
};

struct TurnRules {
  unsigned vls = 2;  // 1 or 2; with 1 no path may make a forbidden turn
  unsigned sls = 1;
  unsigned kinds = 1;
  std::vector<std::uint8_t> kind;    // per arc: its kind
  std::vector<std::uint8_t> region;  // per switch: its region
  std::vector<Turn> turns;           // index: [region][kind in][kind out]

  SlSet all() const { return static_cast<SlSet>((1u << sls) - 1); }
  const Turn& turn(SwitchId at, Arc in, Arc out) const {
    return turns[(region[at] * kinds + kind[in]) * kinds + kind[out]];
  }
};

/// Like SlState, but from the other end: the SLs that a path may use from some arc to its end,
/// split by the VL on that arc. before() prepends an arc; `turn` leads from that arc to the present
/// first one.
struct SlSuffix {
  SlSet from_vl0 = 0, from_vl1 = 0;

  SlSuffix before(const Turn& turn) const {
    const SlSet rising = turn.on_vl1 & from_vl1;
    if (turn.forbidden) return {rising, 0};
    return {static_cast<SlSet>((~turn.on_vl1 & from_vl0) | rising), rising};
  }
};

/// Rules for any fabric whose switches have a strict order (updn/orientation.hpp). An arc is of
/// kind 1 if it goes up, else of kind 0. A turn from a down arc into an up arc is forbidden, as by
/// up*/down*: packets always leave it on VL 1, and with one VL no path makes it. There are 1 to 4
/// SLs; they differ in which of the other turns leave on VL 1:
///
///   SL   down→down  up→up  up→down   paths that it serves (u, d: any number of hops up, down)
///   0        0        0       0      u d, and one hop up after that
///   1        0        1       1      d, u, one hop down
///   2        1        1       1      one hop, then u d
///   3        0        1       0      one hop up, d, u
///
/// The SLs are ordered by usefulness. The first two serve all pairs of a 4×4 torus, the first three
/// most pairs elsewhere. With one VL there is one SL, which serves only u d.
TurnRules order_rules(const SwitchGraph& directed_graph, unsigned vls, unsigned sls);

/// Writes SL2VL tables. Turns between switches follow the rules. Packets from hosts and from port 0
/// leave on VL 0. Packets from switches to hosts and to port 0 leave on the last VL (Montañana
/// 2008, Tab. 4.2). Packets between two hosts of a switch leave on VL 0. SLs from `rules.sls` on
/// repeat the rules of the SLs below cyclically.
void write_sl2vl(const Fabric& fabric, const SwitchGraph& graph, const TurnRules& rules,
                 Tables& tables);

}  // namespace selvedge
