// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The readers behind read_tables(), one for each form of a file, and what they share.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <string>
#include <string_view>

#include "plugin/tables/files.hpp"

namespace selvedge {

TablesFile read_tables_json(std::string_view text, const std::string& where, const Fabric* fabric);
TablesFile read_lft_dump(std::string_view text, const std::string& where, const Fabric* fabric);

/// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, since a node description
/// may contain any byte.
std::string json_string(std::string_view text);

/// The given fabric with the LIDs of the fabric `read` from a file, without the cables and switches
/// that either lacks. Throws InputError if they contradict each other.
Fabric match_fabric(const Fabric& read, const Fabric& given, const std::string& where);

}  // namespace selvedge
