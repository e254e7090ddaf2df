// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Files that a user names. Opening a pipe blocks until a writer opens it, and reading a device may
// block for ever (OpenSM reads while it holds a lock). So the type of the file is checked first.
#pragma once

#include <cstddef>
#include <string>

namespace selvedge {

/// Whether the path is a pipe, a socket or a device; symbolic links are followed. False for a
/// folder and for a path that does not exist: opening or reading these fails without blocking.
bool may_block(const std::string& path);

/// Throws InputError if may_block().
void refuse_blocking_file(const std::string& path);

/// The bytes of a file. Throws InputError if may_block(), if the file is a folder or cannot be
/// read, and if it has more than `most` bytes, of which no more are read then. `what` names it in
/// these messages, as "the script".
std::string read_small_file(const std::string& path, const std::string& what, std::size_t most);

/// Whether both paths lead to one file that exists: device and inode are the same.
bool same_file(const std::string& a, const std::string& b);

}  // namespace selvedge
