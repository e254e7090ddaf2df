// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The plugin's status document (selvedge-status-1) as a page for people.
#pragma once

#include <string>

#include "plugin/program/report.hpp"

namespace selvedge::route {

std::string status_page(const Json& status);

/// Asks the plugin for its status. Throws EnvironmentError if no plugin answers, or if something
/// else answers.
Json ask_status(const std::string& socket);

}  // namespace selvedge::route
