// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Switches as users name them. A node description is whatever somebody wrote into the switch, and
// two switches straight from the factory have the same; a GUID is unique and always does.
#pragma once

#include <string_view>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// The switch of this name, or (where none is called so) of this GUID, `0x` and up to 16 hex
/// digits. kNoSwitch if there is none: the caller knows what else the text may be, and says what
/// was expected. Throws InputError if several switches have the name; it lists their GUIDs.
SwitchId name_switch(const Fabric& fabric, std::string_view text);

}  // namespace selvedge
