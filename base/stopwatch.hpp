// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Measures the milliseconds since construction, or since the last lap.
#pragma once

#include <chrono>

namespace selvedge {

class Stopwatch {
 public:
  double lap_ms() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> ms = now - start_;
    start_ = now;
    return ms.count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace selvedge
