// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What engines that need a torus tell the user of a fabric that is none: what it is, and what it
// lacks to be the nearest torus.
#pragma once

#include <optional>
#include <string>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {

/// The torus that a fabric is least far from, with what lacks and what is out of place; nothing if
/// that would be more than a quarter of its cables, or more switches than recognise() lets pass. A
/// mesh is a torus without the cables that go round, so here any number of those may lack. Searched
/// for as recognise() does: heavy damage may hide a torus.
std::optional<Regularity> nearest_torus(const Fabric& fabric);

/// "an irregular graph; nearest: torus 6x6, 9 links missing", "a mesh 4x4; nearest: torus 4x4, 8
/// links missing", "a 4-ary 3-tree", and where it is a torus "a torus 6x6".
std::string told_beside_torus(const Fabric& fabric);

}  // namespace selvedge
