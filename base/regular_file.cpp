// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "base/regular_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
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

std::string read_small_file(const std::string& path, const std::string& what, std::size_t most) {
  refuse_blocking_file(path);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 12> part{};
  while (in.read(part.data(), part.size()), in.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > most)
      throw InputError(fmt::format("{} has more than {} bytes", what, most), path,
                       "name a smaller one");
  }
  if (!in.eof())  // also a folder, which can be opened
    throw InputError(fmt::format("{} cannot be read ({})", what,
                                 errno != 0 ? std::strerror(errno) : "unknown error"),
                     path, "name a readable file");
  return text;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code none;  // of a file that is not there
  return std::filesystem::equivalent(a, b, none) && !none;
}

}  // namespace selvedge
