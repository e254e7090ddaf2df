// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Files that are read while others wait, as OpenSM does with its lock held. To open a pipe waits
// for a writer, to read a device may wait for ever, so the kind of the file is looked at first.
#pragma once

#include <string>

namespace selvedge {

/// Is there a pipe, socket or device at this path, or at what a link there leads to? Not if there
/// is nothing: to open that fails by itself, and so does to read a folder.
bool may_block(const std::string& path);

/// Throws InputError if it may.
void refuse_blocking_file(const std::string& path);

}  // namespace selvedge
