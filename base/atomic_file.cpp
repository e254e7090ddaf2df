// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"

namespace selvedge {
namespace {

[[noreturn]] void fail(const std::string& path, int reason) {
  const std::string what = std::string("cannot write the file (") + std::strerror(reason) + ")";
  if (reason == ENOSPC || reason == EDQUOT)
    throw EnvironmentError(what, path, "make room, or choose a file on another disk");
  const char* remedy = "choose another file";
  if (reason == EACCES || reason == EPERM || reason == EROFS)
    remedy = "choose a file in a folder that you may write to";
  else if (reason == ENOENT)
    remedy = "make its folder first";
  throw InputError(what, path, remedy);
}

void write_in_place(const std::string& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) fail(path, errno);
  const int reason = write_all(fd, text);
  if (::close(fd) != 0 && reason == 0) fail(path, errno);
  if (reason != 0) fail(path, reason);
}

mode_t default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

void write_file(const std::string& path, std::string_view text) {
  if (path.empty()) throw InputError("the name of the file to write is empty", "''", "name a file");
  struct stat old{};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail(path, errno);
  if (exists && S_ISDIR(old.st_mode))
    throw InputError("cannot write the file (it is a folder)", path, "name a file in it");
  if (exists && !S_ISREG(old.st_mode)) return write_in_place(path, text);
  if (exists && ::access(path.c_str(), W_OK) != 0) fail(path, errno);

  std::error_code error;
  std::filesystem::path target = path;
  if (exists) target = std::filesystem::canonical(path, error);  // the file that a link leads to
  if (error) fail(path, error.value());
  // A trailing slash names a folder that does not exist.
  if (!target.has_filename()) fail(path, ENOENT);
  std::string fresh = (target.parent_path() / ".selvedge-XXXXXX").string();
  const int fd = ::mkostemp(fresh.data(), O_CLOEXEC);
  if (fd < 0) fail(path, errno);
  int reason = write_all(fd, text);
  if (reason == 0 && ::fchmod(fd, exists ? old.st_mode & 07777 : default_mode()) != 0)
    reason = errno;
  if (reason == 0 && ::fsync(fd) != 0) reason = errno;
  if (::close(fd) != 0 && reason == 0) reason = errno;
  if (reason == 0 && ::rename(fresh.c_str(), target.c_str()) != 0) reason = errno;
  if (reason != 0) {
    ::unlink(fresh.c_str());
    fail(path, reason);
  }
}

}  // namespace selvedge
