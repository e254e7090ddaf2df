// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests whether reading a file may block. Opening a pipe blocks until a writer opens it, and
// reading a device may block for ever. So the type of a file is tested before it is read while a
// lock is held, as in OpenSM.
#pragma once

#include <string>

namespace selvedge {

/// Whether the path is a pipe, a socket or a device; symbolic links are followed. False for a
/// folder and for a path that does not exist: opening or reading these fails without blocking.
bool may_block(const std::string& path);

/// Throws InputError if may_block().
void refuse_blocking_file(const std::string& path);

}  // namespace selvedge
