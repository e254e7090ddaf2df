// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whether a sanitizer slows this build down: what takes minutes with one is then drawn or left out.
#pragma once

#include "tests/support/draw.hpp"

namespace selvedge::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // g++
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)  // clang++
inline constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

/// Whether long sets are cut down: a sanitizer slows them down, and ./run campaign sanitized, which
/// sets SELVEDGE_WHOLE, runs them in full.
inline bool sampled() { return kSanitized && !whole_sets(); }

}  // namespace selvedge::test

#define SELVEDGE_SKIP_IF_SAMPLED() \
  if (selvedge::test::sampled()) GTEST_SKIP() << "with sanitizers SELVEDGE_WHOLE=1 runs it"
