// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The multicast tree beside the paths of RFTR (readdress_state.hpp).
//
// Private to this folder: only its own files include this header.
#pragma once

#include <set>

#include "plugin/repair/readdress_state.hpp"

namespace selvedge {

/// Counts the multicast tree as a user of the SL2VL entries of SL 0 at its turns, so that no new
/// path changes them. `pinned`: the turns that are counted already; those of the tree are added.
void pin_tree(ReaddressState& state, const Fabric& fabric, const ParentChannels& tree,
              std::set<std::size_t>& pinned);

}  // namespace selvedge
