// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Forests as tables: the LFT entries of the LIDs that a forest leads to.
// Private to this folder: only its own files include this header.
#pragma once

#include "plugin/engines/balanced/forest.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge::balanced {

/// The base LIDs of all hosts with a cable and a LID, those of `first` before the others, and the
/// switches without such a host. `shared`: one target for all hosts of a switch.
std::vector<Target> base_targets(const Fabric& fabric, const std::vector<HostId>& first,
                                 bool shared);
/// The further LIDs of these hosts.
std::vector<Target> further_targets(const Fabric& fabric, const std::vector<Target>& base);

/// Writes the entries of the base LIDs. The LID of a switch is routed as its first host; so are
/// hosts that share a tree.
void write_base(const Fabric& fabric, const SwitchGraph& graph, const Forest& forest,
                Tables& tables);
/// Writes the entries of further LIDs.
void write_further(const Fabric& fabric, const SwitchGraph& graph, const Forest& forest,
                   Tables& tables);
/// Gives the further LIDs of every host the paths of its base LID, which must be written.
void repeat_base(const Fabric& fabric, Tables& tables);

}  // namespace selvedge::balanced
