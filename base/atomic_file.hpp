// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Files that are there whole or not at all: the text goes into a new file in the same folder, which
// then takes the old one's place by rename(2). On any failure the new file is removed and the old
// one is untouched.
#pragma once

#include <string>
#include <string_view>

namespace selvedge {

/// Writes the file. A link is followed; a device or a pipe is written to as it is. Throws
/// InputError with the system's reason, EnvironmentError if the disk is full.
void write_file(const std::string& path, std::string_view text);

/// write(2) until all is written. Returns the errno of the first failure, 0 if there was none.
int write_all(int fd, std::string_view text);

}  // namespace selvedge
