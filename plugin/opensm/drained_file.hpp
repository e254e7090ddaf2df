// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The file that keeps the drained names through restarts.
#pragma once

#include "plugin/control/excluded_links.hpp"

namespace selvedge {

/// Reads the file, which need not exist; later changes of the list are written to it. "" = the list
/// does not survive a restart.
ExcludedLinks read_drained(const std::string& file);

}  // namespace selvedge
