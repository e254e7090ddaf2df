// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Sets of test cases that take too long for ./run test. There a random few of the cases run;
// ./run check and ./run campaign (SELVEDGE_WHOLE) run all of them. SELVEDGE_SEED sets the seed of
// the choice; the log names the seed.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "plugin/fabric/stable_random.hpp"

namespace selvedge::test {

inline std::uint64_t draw_seed() {
  const char* const asked = std::getenv("SELVEDGE_SEED");
  return asked != nullptr ? std::stoull(asked) : 1;
}

inline bool whole_sets() { return std::getenv("SELVEDGE_WHOLE") != nullptr; }

/// A random `few` of the cases, or all of them if SELVEDGE_WHOLE is set.
template <class Case>
std::vector<Case> drawn(std::vector<Case> cases, std::size_t few) {
  if (whole_sets() || cases.size() <= few) return cases;
  std::cout << few << " of " << cases.size() << " cases, SELVEDGE_SEED=" << draw_seed() << '\n';
  StableRandom random(draw_seed());
  random.shuffle(cases);
  cases.resize(few);
  return cases;
}

}  // namespace selvedge::test
