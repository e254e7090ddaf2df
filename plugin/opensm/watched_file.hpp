// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A file that opensm.conf names, read again if it has changed. A file that cannot be read does not
// stop routing: its last valid content is used. If there is none, the fabric is routed without it.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "plugin/opensm/file_version.hpp"

namespace selvedge {

/// A message about such a file for OpenSM's log.
struct FileMessage {
  bool error = false;
  std::string text;
};

class WatchedFile {
 public:
  struct Words {
    std::string_view setting;    // the option of opensm.conf
    std::string_view unit;       // what is counted: "GUIDs"
    std::string_view otherwise;  // what holds without a valid content
  };

  /// Reads the file with `read` if `path`, the file, or its readability has changed. Returns true
  /// if `content`, its last valid content, differs from before; another path has none until it is
  /// read. `read` throws InputError for a file that is not valid.
  template <class Content, class Read>
  bool refresh(const Words& words, const std::string& path, Read read,
               std::optional<Content>& content, std::vector<FileMessage>& log) {
    bool changed = false;
    const FileVersion now = version_of(path);
    if (path != path_) {
      *this = WatchedFile();
      path_ = path;
      changed = std::exchange(content, std::nullopt).has_value();
    } else if (now == version_ && (fault_.empty() || now.there)) {
      return false;
    }
    version_ = now;
    if (path.empty()) return changed;
    std::string fault;
    try {
      Content fresh = read(path);
      if (fresh != content) {
        log.push_back({false, fmt::format("{} {}: {} {}", words.setting, path, fresh.lines.size(),
                                          words.unit)});
        content = std::move(fresh);
        changed = true;
      }
    } catch (const InputError& e) {
      fault = fmt::format("{}: {}", words.setting, e.what());
      if (fault != fault_)
        log.push_back(
            {true, fmt::format("{}; {}", fault,
                               content ? "its previous content stays in force" : words.otherwise)});
    }
    fault_ = std::move(fault);
    return changed;
  }

  /// Appends a warning about the content to `log`, unless it is "" or the file's last one.
  void warn(const std::string& line, std::vector<FileMessage>& log) {
    if (std::exchange(last_warning_, line) != line && !line.empty()) log.push_back({false, line});
  }

  const std::string& path() const { return path_; }
  /// Why the file could not be read the last time; "" if it could.
  const std::string& fault() const { return fault_; }

 private:
  std::string path_;
  FileVersion version_;
  std::string fault_, last_warning_;
};

}  // namespace selvedge
