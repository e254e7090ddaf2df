// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Writes files completely or not at all. The text goes into a new file in the same folder, and
// rename(2) then replaces the old file. After any failure the new file is removed, and the old one
// is unchanged.
#pragma once

#include <string>
#include <string_view>

namespace selvedge {

/// Writes the text to the file. A symbolic link is followed; a device or a pipe is written in
/// place. Throws EnvironmentError if the disk or the quota is full, else InputError with the
/// system's reason.
void write_file(const std::string& path, std::string_view text);

/// Calls write(2) until all is written. Returns the errno of the first failure, or 0 if there was
/// none.
int write_all(int fd, std::string_view text);

}  // namespace selvedge
