// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The file of keys that packets are sealed with: a key a line, 64 hexadecimal digits each, `#` for
// remarks. The first one seals, every one opens, so that keys can be changed while packets flow.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/protocol/seal.hpp"

namespace selvedge::service {

inline constexpr std::size_t kKeysMax = 16;

/// InputError names the line; a key that is not one is not shown.
std::vector<protocol::SealKey> parse_keys(std::string_view text, const std::string& where);
/// A file that nobody but its owner may read, with at least one key.
std::vector<protocol::SealKey> load_keys(const std::string& path);
/// A new one, as a line of such a file.
std::string new_key();

}  // namespace selvedge::service
