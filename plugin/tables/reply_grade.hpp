// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How far answers on the SL of the question are safe. A reliable connection answers on the SL of
// the question, not on that of its own path back.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace selvedge {

/// Each grade includes the ones before it.
enum class ReplyGrade : std::uint8_t {
  kOwnSl,  // each direction on the SL of its own path: what the papers assume
  kBase,   // between base LIDs, the answer is on the SL of the question
  kSameSl  // between any LIDs of two hosts, the answer is on the SL of the question
};

inline constexpr std::array<std::string_view, 3> kReplyGradeNames{"own-sl", "base", "same-sl"};

constexpr std::string_view name(ReplyGrade grade) {
  return kReplyGradeNames[static_cast<std::size_t>(grade)];
}

}  // namespace selvedge
