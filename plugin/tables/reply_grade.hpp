// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// For which LIDs responses are safe from deadlock. A reliable connection sends its responses on the
// SL of the request, not on the SL of the path back.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace selvedge {

/// For which LIDs a response on the request's SL cannot deadlock. Each grade includes those before
/// it.
enum class ReplyGrade : std::uint8_t {
  kOwnSl,  // none: each direction has the SL of its own path, as the papers assume
  kBase,   // a response from a base LID to a base LID
  kSameSl  // a response between any LIDs of two hosts
};

inline constexpr std::array<std::string_view, 3> kReplyGradeNames{"own-sl", "base", "same-sl"};

constexpr std::string_view name(ReplyGrade grade) {
  return kReplyGradeNames[static_cast<std::size_t>(grade)];
}

}  // namespace selvedge
