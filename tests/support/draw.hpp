// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Sets of test cases that take too long for ./run test. There a random few of the cases run;
// ./run campaign (SELVEDGE_WHOLE=1) runs all of them, and ./run check (SELVEDGE_WHOLE=drawn) those
// of a third of the test programs. SELVEDGE_SEED sets the seed of both choices; the log names it.
#pragma once

#include <errno.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/fabric/stable_random.hpp"

namespace selvedge::test {

inline std::uint64_t draw_seed() {
  const char* const asked = std::getenv("SELVEDGE_SEED");
  return asked != nullptr ? std::stoull(asked) : 1;
}

inline bool whole_sets() {
  const char* const asked = std::getenv("SELVEDGE_WHOLE");
  if (asked == nullptr) return false;
  if (asked != std::string_view("drawn")) return true;
  std::uint64_t seed = draw_seed();
  for (const char c : std::string_view(program_invocation_short_name)) seed = seed * 131 + c;
  return StableRandom(seed).below(3) == 0;
}

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
