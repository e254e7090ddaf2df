// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/thread_states.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <memory>
#include <string_view>

#include "sim/emulate/socket.hpp"

namespace selvedge::sim {
namespace {

/// The first 512 bytes of a file.
std::string_view read_small(int folder, const char* path, std::array<char, 512>& buffer) {
  const Descriptor fd(::openat(folder, path, O_RDONLY | O_CLOEXEC));
  const ssize_t n = fd.open() ? ::read(fd.get(), buffer.data(), buffer.size()) : 0;
  return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0))};
}

}  // namespace

std::vector<ThreadState> threads_of(pid_t pid) {
  std::vector<ThreadState> threads;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(
      ::opendir(fmt::format("/proc/{}/task", pid).c_str()), ::closedir);
  if (!folder) return threads;
  std::array<char, 512> buffer;
  while (const dirent* entry = ::readdir(folder.get())) {
    ThreadState t;
    const char* const end = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, end, t.thread).ec != std::errc{}) continue;
    std::array<char, 32> path{};
    *fmt::format_to_n(path.data(), path.size() - 1, "{}/stat", t.thread).out = '\0';
    const std::string_view stat = read_small(::dirfd(folder.get()), path.data(), buffer);
    // The state stands after the name, which is in parentheses and may hold any character.
    if (const std::size_t name_end = stat.rfind(')');
        name_end != std::string_view::npos && name_end + 2 < stat.size())
      t.state = stat[name_end + 2];
    threads.push_back(t);
  }
  return threads;
}

std::string name_of(pid_t pid) {
  std::array<char, 512> buffer;
  std::string_view name = read_small(AT_FDCWD, fmt::format("/proc/{}/comm", pid).c_str(), buffer);
  return std::string(name.substr(0, name.find('\n')));
}

}  // namespace selvedge::sim
