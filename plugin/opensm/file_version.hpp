// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whether a file that opensm.conf names has changed since it was read.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

namespace selvedge {

/// Identifies the version of a file that was read. Times are ctime, not mtime, so that a change of
/// permissions counts too.
struct FileVersion {
  std::uint64_t device = 0, inode = 0, bytes = 0;
  std::int64_t seconds = 0, nanoseconds = 0;
  bool there = false;  // whether the file exists
  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

inline FileVersion version_of(const std::string& path) {
  struct stat found{};
  if (path.empty() || ::stat(path.c_str(), &found) != 0) return {};
  return {found.st_dev,         found.st_ino,          static_cast<std::uint64_t>(found.st_size),
          found.st_ctim.tv_sec, found.st_ctim.tv_nsec, true};
}

}  // namespace selvedge
