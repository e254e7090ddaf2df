// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A program that runs beside this one, and a folder for its files. Neither outlives its object: the
// program is killed with all that it has started in its process group, the folder is removed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace selvedge::sim {

/// A new folder in TMPDIR. If that is unset or empty: in /dev/shm if there are 512 MiB free, else
/// in /tmp. Its path is absolute.
class TemporaryFolder {
 public:
  /// Makes the folder; its name begins with `prefix`. Throws EnvironmentError if the system
  /// refuses.
  explicit TemporaryFolder(const std::string& prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file in the folder. Throws EnvironmentError if the system refuses.
  void write(const std::string& name, const std::string& text) const;
  /// The text of a file in the folder; "" if there is no such file.
  std::string read(const std::string& name) const;

 private:
  std::filesystem::path path_;
};

using EnvironmentVariables = std::vector<std::pair<std::string, std::string>>;

class ChildProcess {
 public:
  ChildProcess() = default;
  /// Starts `arguments[0]`, a path, in `folder`. What it prints goes to the file `output` there.
  /// `environment` is added to this process's; the variables of another emulator are left out.
  /// Throws EnvironmentError if no process can be made; if the program cannot be executed, the
  /// process ends with status 127.
  ChildProcess(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
               const std::string& output, const EnvironmentVariables& environment);
  ~ChildProcess() { stop(); }
  ChildProcess(ChildProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept {
    std::swap(pid_, other.pid_);
    return *this;
  }

  bool started() const { return pid_ >= 0; }
  bool running() const;
  /// How it has ended: "exit status 3", "signal 11 (Segmentation fault)"; "" while it runs, and if
  /// none was started.
  std::string ending() const;
  /// Whether it has ended with exit status 0.
  bool succeeded() const;
  /// Waits until it has ended, at most for this time. False if it still runs then.
  bool wait(std::chrono::milliseconds longest) const;
  /// Kills it, if it runs, and its process group.
  void stop();

 private:
  pid_t pid_ = -1;
};

}  // namespace selvedge::sim
