// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "base/regular_file.hpp"

#include <filesystem>
#include <system_error>

#include "base/error.hpp"

namespace selvedge {

bool may_block(const std::string& path) {
  std::error_code none;  // ignored: a path without a status cannot be opened either
  const std::filesystem::file_status found = std::filesystem::status(path, none);
  return std::filesystem::exists(found) && !std::filesystem::is_regular_file(found) &&
         !std::filesystem::is_directory(found);
}

void refuse_blocking_file(const std::string& path) {
  if (may_block(path))
    throw InputError("this is a pipe, a socket or a device", path, "name a regular file");
}

}  // namespace selvedge
