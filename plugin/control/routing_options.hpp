// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// OpenSM's options of routing and of SL2VL and VL arbitration tables, which only engines of its own
// read, or some of ours: what is set though the engine has no use for it is said, so that no option
// is ignored silently. docs/operators.md has the same table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace selvedge {

/// An option that opensm.conf sets to another value than OpenSM's default.
struct SetOption {
  std::string name, value;
  friend bool operator==(const SetOption&, const SetOption&) = default;
};

/// Which of our engines honour an option. An option without engines is honoured by none.
struct RoutingOption {
  std::string_view name;
  std::vector<std::string_view> honoured_by;
  bool with_one_sl = false;  // honoured by every engine whose tables have one SL
  bool by_all = false;       // honoured by every engine
};

/// All options of routing in OpenSM 3.3.23, but for those with a check of their own
/// (self_check.cpp) and for those that OpenSM itself carries out whatever the engine (such as lmc
/// and max_op_vls).
std::span<const RoutingOption> routing_options();

/// The names of the options that have no effect with this engine. `one_sl`: whether its tables have
/// one SL.
std::vector<std::string> without_effect(std::span<const SetOption> set, std::string_view engine,
                                        bool one_sl);

}  // namespace selvedge
