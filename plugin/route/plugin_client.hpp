// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Asks a running plugin: a line `{"verb": …}` to its Unix socket, one JSON document back until the
// plugin closes.
#pragma once

#include <string>

#include "plugin/program/report.hpp"

namespace selvedge::route {

inline const char* const kPluginSocket = "/run/selvedge-opensm.sock";

/// The answer, as text and unchecked. Throws EnvironmentError if no plugin answers there.
std::string ask_plugin(const std::string& socket, const std::string& verb,
                       const std::vector<std::string>& words = {});

/// The answer, which must be an object (an `error` in it is thrown as an EnvironmentError).
/// Has the plugin do something, about these words; throws what it says if it won't.
Json order_plugin(const std::string& socket, const std::string& verb,
                  const std::vector<std::string>& words);

Json ask_plugin_json(const std::string& socket, const std::string& verb);

}  // namespace selvedge::route
