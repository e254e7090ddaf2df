// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// OpenSM's options of routing, SL2VL tables and VL arbitration. Only OpenSM's own engines read most
// of them, or some of ours. An option that is set but has no effect with the engine is reported, so
// that none is ignored silently. docs/operators.md has the same table.
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

/// All options of routing in OpenSM 3.3.23, with two exceptions: options with a check of their own
/// (self_check.cpp), and options that OpenSM itself carries out for every engine (such as lmc and
/// max_op_vls).
std::span<const RoutingOption> routing_options();

/// The names of the options that have no effect with this engine. `one_sl`: whether its tables have
/// one SL.
std::vector<std::string> without_effect(std::span<const SetOption> set, std::string_view engine,
                                        bool one_sl);

}  // namespace selvedge
