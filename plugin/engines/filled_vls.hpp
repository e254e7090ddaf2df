// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The same paths on more VLs. The VLs that tables use are repeated side by side, and the pairs of
// switches are dealt to these copies, a pair's two directions to the same one. Copies share no VL,
// so they are as free of deadlock as the tables were; and a packet waits behind fewer others.
// (OpenSM's dfsssp fills the VLs in the same way: Domke, Hoefler & Nagel 2011.)
#pragma once

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Repeats the VLs 0 … v − 1 and SLs 0 … s − 1 that the tables use as often as fits `max_vls` and
/// `max_sls`. Copy c of SL i is SL i + c·s, on the VLs of i plus c·v; copy 0 is what was there, so
/// multicast on SL 0 stays as it is. Returns the number of copies; 1: nothing has changed.
unsigned fill_vls(const Fabric& fabric, unsigned max_vls, unsigned max_sls, Tables& tables);

/// 1 + the highest VL and SL of the paths from every switch.
struct UsedLanes {
  unsigned vls = 1, sls = 1;
};
UsedLanes used_lanes(const Fabric& fabric, const Tables& tables);
/// How often they fit; 0: not even once.
unsigned copies_of(const UsedLanes& used, unsigned max_vls, unsigned max_sls);

}  // namespace selvedge
