// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The file that keeps the names of drained components across restarts.
#pragma once

#include "plugin/control/excluded_links.hpp"

namespace selvedge {

/// Reads the file, which need not exist. The result writes later changes of the list to the file.
/// If `file` is "", the list does not survive a restart.
ExcludedLinks read_drained(const std::string& file);

}  // namespace selvedge
