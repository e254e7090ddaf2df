// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// FABRIC, the argument by which users name a fabric: `torus:8x8`, `tree:k=4,n=3`, `file:PATH` and
// others (docs/formats.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// Makes or reads the fabric. It keeps the LIDs of a file if the file has all LIDs
/// (FabricFile::has_lids) and every host's LMC is `lmc`, or `lmc` is empty. Otherwise LIDs are
/// assigned, with LMC 0 by default. Throws InputError.
Fabric make_fabric(std::string_view spec, std::optional<unsigned> lmc = {});

/// make_fabric() for engines that choose the LMC. The LIDs of a file are kept if it has all;
/// otherwise LIDs are assigned, with the LMC that `choose` returns for the fabric.
Fabric make_fabric_choosing_lmc(std::string_view spec,
                                const std::function<unsigned(const Fabric&)>& choose);

/// The forms of FABRIC, with an example for each, for --help.
extern const char* const kFabricHelp;

}  // namespace selvedge
