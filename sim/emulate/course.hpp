// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is done to a subnet while it is served: a step whenever something is due or has happened.
#pragma once

#include <optional>

#include "sim/emulate/transactions.hpp"

namespace selvedge::sim {

class Course {
 public:
  virtual ~Course() = default;
  /// When on_time() must be called next, on the emulator's clock; it may be called at any time.
  virtual std::optional<Nanoseconds> deadline() const = 0;
  virtual void on_time() = 0;
  /// The serving ends when one of its courses has.
  virtual bool ended() const { return false; }
};

}  // namespace selvedge::sim
