// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The file of sealing keys (protocol/seal.hpp) has a key on each line, as 64 hexadecimal digits;
// comments begin with `#`. The first key seals, any key opens, so that keys can be changed while
// packets flow.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/protocol/seal.hpp"

namespace selvedge::service {

inline constexpr std::size_t kKeysMax = 16;

/// Reads keys from the text of such a file. The InputError names the line but does not show its
/// text, which may be a key with a typing error.
protocol::SealKeys parse_keys(std::string_view text, const std::string& where);
/// Reads a file with at least one key. InputError if users other than its owner may access it.
protocol::SealKeys load_keys(const std::string& path);
/// A new random key, as a line of such a file.
std::string new_key();

}  // namespace selvedge::service
