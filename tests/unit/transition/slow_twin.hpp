// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A second, slow and simple implementation of the proofs of plugin/transition, for comparison.
// Packets are tokens in a std::set, which move by every LFT entry and SL2VL row that may be in
// force. Cycles are found by checking for each node whether it reaches itself.
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
/// The dependencies that SL2VL tables permit, whatever the LFTs. Of several tables, any mixture of
/// rows may be in force.
Edges any_lfts(const selvedge::Fabric& fabric, std::span<const selvedge::Sl2Vl* const> sl2vl,
               const selvedge::Sl2VlRow& hosts);
/// For each phase: the dependencies so far in its drain interval, of unicast paths only.
std::vector<Edges> dependencies(const selvedge::Fabric& fabric, const selvedge::Tables& from,
                                const selvedge::SendPlan& plan, bool any_sl, bool stale_sls);
/// For each phase: whether there is no cycle so far in its drain interval, of unicast paths only.
std::vector<bool> deadlock_free_phases(const selvedge::Fabric& fabric, const selvedge::Tables& from,
                                       const selvedge::SendPlan& plan, bool any_sl, bool stale_sls);
bool deadlock_free(const selvedge::Fabric& fabric, const selvedge::Tables& from,
                   const selvedge::SendPlan& plan, bool any_sl, bool stale_sls);
/// The first phase during which packets for a DLID may be lost. `dropped`: where packets have no
/// way on, as (switch, input port, SL); if there are none, the switches of a possible loop.
struct Loss {
  std::size_t phase;
  std::set<std::tuple<selvedge::SwitchId, selvedge::PortNum, selvedge::Sl>> dropped;
  std::set<selvedge::SwitchId> circling;
};
std::optional<Loss> loss(const selvedge::Fabric& fabric, const selvedge::Tables& from,
                         const selvedge::SendPlan& plan, selvedge::Lid dlid);
/// The same; only packets count that arrive with the tables `first` and with the tables `last`.
std::optional<Loss> loss(const selvedge::Fabric& fabric, const selvedge::Tables& first,
                         const selvedge::Tables& last, const selvedge::Tables& from,
                         const selvedge::SendPlan& plan, selvedge::Lid dlid);
/// Changes the tables to those after the phase.
void apply(selvedge::Tables& tables, const selvedge::SendPhase& phase);

}  // namespace slow_twin
