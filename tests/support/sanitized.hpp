// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whether a sanitizer slows this build down: what takes minutes with one is then drawn or left out.
#pragma once

namespace selvedge::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // g++
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)  // clang++
inline constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace selvedge::test
