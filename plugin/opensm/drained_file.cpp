// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/drained_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/atomic_file.hpp"
#include "base/regular_file.hpp"

namespace selvedge {

ExcludedLinks read_drained(const std::string& file) {
  if (file.empty()) return {};
  const auto store = [file](const std::string& text) {
    std::error_code ignored;  // if the folder cannot be made, write_file() fails and reports it
    std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
    write_file(file, text);
  };
  if (may_block(file))
    return ExcludedLinks::unreadable(
        file,
        fmt::format("cannot read the list of drained links: {}: it is a pipe, a socket or a device",
                    file));
  errno = 0;
  std::ifstream in(file);
  if (!in && errno == ENOENT) return {"", file, store};
  if (!in)
    return ExcludedLinks::unreadable(
        file,
        fmt::format("cannot read the list of drained links: {}: {}", file, std::strerror(errno)));
  std::string text;
  try {
    text.assign(std::istreambuf_iterator<char>(in), {});
  } catch (const std::ios_base::failure&) {
    in.setstate(std::ios::badbit);
  }
  if (in.bad())
    return ExcludedLinks::unreadable(
        file, fmt::format("cannot read the list of drained links: {}: is it a file?", file));
  return {text, file, store};
}

}  // namespace selvedge
