// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A course of actions on a subnet while it is served, such as a script or a trial (trial.hpp). The
// server calls on_time() for each step.
#pragma once

#include <optional>

#include "sim/emulate/transactions.hpp"

namespace selvedge::sim {

class Course {
 public:
  virtual ~Course() = default;
  /// When on_time() must be called next, on the emulator's clock; on_time() may also be called
  /// earlier.
  virtual std::optional<Nanoseconds> deadline() const = 0;
  virtual void on_time() = 0;
  /// Whether the course has ended. The server ends when one of its courses has.
  virtual bool ended() const { return false; }
};

}  // namespace selvedge::sim
