// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The client of a running plugin. It writes a line `{"verb": …}` to the plugin's Unix socket, and
// reads one JSON document up to end of file.
#pragma once

#include <string>

#include "plugin/program/report.hpp"

namespace selvedge::route {

inline const char* const kPluginSocket = "/run/selvedge-opensm.sock";

/// Sends a request, with its arguments in `words`, and returns the answer as unchecked text. Throws
/// EnvironmentError if no plugin answers at the socket.
std::string ask_plugin(const std::string& socket, const std::string& verb,
                       const std::vector<std::string>& words = {});

/// Sends an order with its arguments and returns the answer, which must be a JSON object. If the
/// answer contains an `error`, throws the InputError or EnvironmentError that it describes.
Json order_plugin(const std::string& socket, const std::string& verb,
                  const std::vector<std::string>& words);

/// Sends a request and returns the answer, which must be a JSON object. If the answer contains an
/// `error`, throws it as an EnvironmentError.
Json ask_plugin_json(const std::string& socket, const std::string& verb);

}  // namespace selvedge::route
