// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads the files that opensm.conf names in guid_routing_order_file, hop_weights_file and
// port_prof_ignore_file, in each sweep if they have changed. A file that cannot be read does not
// stop routing: its last valid content is used. If there is none, the fabric is routed without it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/engines/balance_options.hpp"
#include "plugin/opensm/file_version.hpp"

namespace selvedge {

class BalanceReader {
 public:
  struct Line {
    bool error = false;
    std::string text;
  };
  struct Paths {
    std::string order, weights, ignored;  // "" = not set
  };

  /// Re-reads files that have changed. Returns true if the last valid content of a file differs
  /// from before. Appends messages to `log`.
  bool refresh(const Paths& paths, std::vector<Line>& log);
  /// The last valid contents as ids of the fabric.
  BalanceOptions options(const Fabric& fabric) const;
  /// Appends to `log` a line for each file with GUIDs or ports that the fabric lacks. A line that
  /// was the file's last one is not repeated.
  void match(const Fabric& fabric, std::vector<Line>& log);

 private:
  struct Watched {
    std::string path;
    FileVersion version;
    std::string fault, last_warning;
  };
  template <class Content, class Read>
  bool refresh(Watched& file, std::string_view setting, const std::string& path,
               std::optional<Content>& content, Read read, std::vector<Line>& log);

  Watched order_, weights_, ignored_;
  BalanceFiles in_force_;
};

}  // namespace selvedge
