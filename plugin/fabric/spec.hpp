// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// FABRIC, the argument by which users name a fabric: `torus:8x8`, `tree:k=4,n=3`, `file:PATH`…
// (docs/formats.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// Makes or reads the fabric. LIDs are the file's own if it has them all (FabricFile::has_lids) and
/// `lmc` is empty or the LMC of every host. Otherwise they are assigned (LMC 0 by default). Throws
/// InputError.
Fabric make_fabric(std::string_view spec, std::optional<unsigned> lmc = {});

/// The same, for engines that choose the LMC: a file's own LIDs are kept; otherwise LIDs are
/// assigned with the LMC that `choose` returns for the fabric.
Fabric make_fabric_choosing_lmc(std::string_view spec,
                                const std::function<unsigned(const Fabric&)>& choose);

/// The forms of FABRIC with an example each, for --help.
extern const char* const kFabricHelp;

}  // namespace selvedge
