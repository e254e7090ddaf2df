// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Helpers of the tests of dmodk: random choices whose range does not depend on rapidcheck's size,
// and checks of loads.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/unit/engines/tree_loads.hpp"

namespace selvedge::test {

inline const VerifyOptions kEverything{.replies = true, .any_sl = true};

/// A number from lo … hi − 1, all equally likely already in the first case.
template <class T>
rc::Gen<T> between(T lo, T hi) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(lo, hi));
}

inline rc::Gen<std::uint64_t> any_seed() {
  return rc::gen::noShrink(between<std::uint64_t>(0, UINT64_MAX));
}

/// One of these trees, with an LMC of 0 … 2.
inline rc::Gen<Fabric> one_of(const std::vector<Fabric>& trees) {
  return rc::gen::map(
      rc::gen::pair(between<std::size_t>(0, trees.size()), between(0u, 3u)),
      [trees](const auto& drawn) { return assign_lids(trees[drawn.first], drawn.second); });
}

inline Routing dmodk(const Fabric& f) { return find_engine("dmodk").compute(f, {}); }

/// Up port u of a switch with `down` down ports.
inline PortNum up(unsigned down, unsigned u) { return static_cast<PortNum>(down + 1 + u); }

/// Expects the same number of paths on every link of a stage, separately for up and down.
inline void expect_equal_loads(const Fabric& f, const Tables& t, const std::string& what) {
  for (unsigned offset = 0; offset < f.host(0).lid_count(); ++offset)
    for (const auto& [stage, range] : stage_ranges(f, loads(f, t, offset).paths))
      EXPECT_EQ(range.first, range.second)
          << what << ", stage " << stage.first << (stage.second ? " up" : " down") << ", offset "
          << offset;
}

}  // namespace selvedge::test
