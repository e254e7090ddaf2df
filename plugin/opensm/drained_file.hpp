// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The file that holds what is drained through restarts.
#pragma once

#include "plugin/control/excluded_links.hpp"

namespace selvedge {

/// Reads the file, which need not be there; what is drained later is written to it. "" = nothing
/// outlives a restart.
ExcludedLinks read_drained(const std::string& file);

}  // namespace selvedge
