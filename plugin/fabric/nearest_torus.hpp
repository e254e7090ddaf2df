// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Says, for the messages of engines that need a torus, which form a fabric has, and what it lacks
// to be the nearest torus.
#pragma once

#include <optional>
#include <string>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {

/// The torus with the fewest differences from the fabric, which are its missing and surplus cables.
/// Returns nullopt if the missing or the surplus ones are more than a quarter of its cables, or if
/// more switches are missing than recognise() tolerates. A mesh counts as a torus without
/// wraparound cables; any number of those may be missing. Its sizes must be at least 3. The search
/// is that of recognise(), so a heavily damaged torus may not be found.
std::optional<Regularity> nearest_torus(const Fabric& fabric);

/// The form of the fabric and the nearest torus as text: "an irregular graph; nearest: torus 6x6, 9
/// links missing", "a mesh 4x4; nearest: torus 4x4, 8 links missing", "a 4-ary 3-tree", or, for a
/// torus, "a torus 6x6".
std::string nearest_torus_text(const Fabric& fabric);

}  // namespace selvedge
