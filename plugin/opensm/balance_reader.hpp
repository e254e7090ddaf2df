// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads the files that opensm.conf names in guid_routing_order_file, hop_weights_file and
// port_prof_ignore_file, in each sweep if they have changed.
#pragma once

#include <string>
#include <vector>

#include "plugin/engines/balance_options.hpp"
#include "plugin/opensm/watched_file.hpp"

namespace selvedge {

class BalanceReader {
 public:
  using Line = FileMessage;
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
  WatchedFile order_, weights_, ignored_;
  BalanceFiles in_force_;
};

}  // namespace selvedge
