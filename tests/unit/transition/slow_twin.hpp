// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The proofs of plugin/transition once more, as slowly and plainly as can be: packets are tokens in
// a std::set, which move by every entry and row that may be in force; cycles are found by asking of
// each node whether it reaches itself.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "plugin/transition/order.hpp"

namespace slow_twin {

using Node = std::pair<selvedge::Channel, selvedge::Vl>;
using Edges = std::set<std::pair<Node, Node>>;

bool cyclic(const Edges& edges);
/// The dependencies that SL2VL tables leave possible whatever the LFTs; of several tables any
/// mixture may be in force, row by row.
Edges any_lfts(const selvedge::Fabric& fabric, std::span<const selvedge::Sl2Vl* const> sl2vl,
               const selvedge::Sl2VlRow& hosts);
/// Per phase: the dependencies so far in its interval. Unicast only.
std::vector<Edges> dependencies(const selvedge::Fabric& fabric, const selvedge::Tables& from,
                                const selvedge::SendPlan& plan, bool any_sl, bool stale_sls);
/// Per phase: is there no cycle so far in its interval? Unicast only.
std::vector<bool> deadlock_free_phases(const selvedge::Fabric& fabric, const selvedge::Tables& from,
                                       const selvedge::SendPlan& plan, bool any_sl, bool stale_sls);
bool deadlock_free(const selvedge::Fabric& fabric, const selvedge::Tables& from,
                   const selvedge::SendPlan& plan, bool any_sl, bool stale_sls);
/// The phase during which packets for a DLID may be lost: first those that find no way on, as
/// (switch, port in, SL), else the switches to which one may come back.
struct Loss {
  std::size_t phase;
  std::set<std::tuple<selvedge::SwitchId, selvedge::PortNum, selvedge::Sl>> dropped;
  std::set<selvedge::SwitchId> circling;
};
std::optional<Loss> loss(const selvedge::Fabric& fabric, const selvedge::Tables& from,
                         const selvedge::SendPlan& plan, selvedge::Lid dlid);
/// The same for packets that count if they arrive with `first` and with `last`.
std::optional<Loss> loss(const selvedge::Fabric& fabric, const selvedge::Tables& first,
                         const selvedge::Tables& last, const selvedge::Tables& from,
                         const selvedge::SendPlan& plan, selvedge::Lid dlid);
/// Tables after the phase.
void apply(selvedge::Tables& tables, const selvedge::SendPhase& phase);

}  // namespace slow_twin
