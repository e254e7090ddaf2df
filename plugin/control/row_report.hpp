// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is known of the SL2VL rows in switches and hosts, if the subnet manager writes none
// (found_rows.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "plugin/control/plan.hpp"

namespace selvedge {

struct FoundRows {
  std::shared_ptr<const Plan> plan;  // the rows of its fabric were examined; null: none were
  std::size_t rows = 0;              // rows between ports with cables, and of hosts
  std::size_t replaced = 0;          // since this SM is the master: rows that dropped packets
  std::size_t unread = 0;            // rows that could not be read
  std::size_t harmful = 0;           // rows that drop packets, and could not be replaced
  std::string failure;               // a line for the operator; "" if no row does harm

  /// Whether it is known that no row drops packets on paths of `other`.
  bool let_pass(const Plan& other) const;
};

/// The report if no rows can be read.
FoundRows unknown_rows(const std::string& why);

}  // namespace selvedge
