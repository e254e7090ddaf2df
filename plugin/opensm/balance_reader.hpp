// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads the files that opensm.conf names in guid_routing_order_file, hop_weights_file and
// port_prof_ignore_file, in each sweep if they have changed. A file that cannot be read does not
// stop routing: its last valid content stays in force; if there is none, the fabric is routed
// without it.
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

  /// Reads the files that have changed. True if the content in force has changed. Appends messages
  /// to `log`.
  bool refresh(const Paths& paths, std::vector<Line>& log);
  /// The content in force as ids of the fabric.
  BalanceOptions options(const Fabric& fabric) const;
  /// Appends to `log` a line for each file that names what the fabric does not have, unless it was
  /// the file's last one.
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
