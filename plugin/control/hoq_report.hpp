// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is known of the head-of-queue lifetimes that `[engine] hoq_life` asks for (hoq_keeper.hpp).
#pragma once

#include <cstddef>
#include <string>

namespace selvedge {

struct HoqReport {
  unsigned life = 0;         // HOQLife; 0: the subnet manager's value stays
  std::size_t ports = 0;     // switch ports with a cable to another switch
  std::size_t failed = 0;    // of these, which do not have the value, or did not answer
  std::string first_failed;  // the name of such a port

  friend bool operator==(const HoqReport&, const HoqReport&) = default;
};

/// The lifetime in microseconds: 4.096 µs × 2^life (IBA 1.3 §18.2.5.4).
constexpr double hoq_us(unsigned life) { return 4.096 * static_cast<double>(1U << life); }

}  // namespace selvedge
