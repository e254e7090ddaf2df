// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// FABRIC, as users name one everywhere: `torus:8x8`, `tree:k=4,n=3`, `file:PATH`…
// (docs/formats.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// Makes or reads the fabric. LIDs: a file's own if every node has one and `lmc` is empty or equals
/// the file's; assigned otherwise (LMC 0 by default). Throws InputError.
Fabric make_fabric(std::string_view spec, std::optional<unsigned> lmc = {});

/// The same, where whoever wants to route the fabric chooses the LMC: a file's own LIDs stay,
/// others are assigned with the LMC that `choose` names for the fabric.
Fabric make_fabric_choosing_lmc(std::string_view spec,
                                const std::function<unsigned(const Fabric&)>& choose);

/// The forms of FABRIC with an example each, for --help.
extern const char* const kFabricHelp;

}  // namespace selvedge
