// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The client of a running plugin: writes a line `{"verb": …}` to its Unix socket, and reads one
// JSON document up to end of file.
#pragma once

#include <string>

#include "plugin/program/report.hpp"

namespace selvedge::route {

inline const char* const kPluginSocket = "/run/selvedge-opensm.sock";

/// The answer, as text and unchecked. Throws EnvironmentError if no plugin answers there.
std::string ask_plugin(const std::string& socket, const std::string& verb,
                       const std::vector<std::string>& words = {});

/// Sends an order with its arguments and returns the answer, a JSON object. An `error` in it is
/// thrown as the InputError or EnvironmentError that it describes.
Json order_plugin(const std::string& socket, const std::string& verb,
                  const std::vector<std::string>& words);

/// The answer, which must be a JSON object; an `error` in it is thrown as an EnvironmentError.
Json ask_plugin_json(const std::string& socket, const std::string& verb);

}  // namespace selvedge::route
