// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Frames of MPEG-2 video (Kim 2007 §4). The traces of the paper are not public, so frames are
// synthetic unless a file gives them. The law of synthetic frames is in docs/simulator.md,
// "Video".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/random.hpp"

namespace selvedge::sim {

inline constexpr double kFramesPerSecond = 30;
/// The mean rates of synthetic streams, headers included, in Mb/s.
inline constexpr std::array<double, 7> kVideoRates = {2, 3, 4, 5, 6, 8, 10};

enum class FrameType : std::uint8_t { kI, kP, kB };

struct Frame {
  FrameType type = FrameType::kI;
  std::uint32_t bytes = 0;
  friend bool operator==(const Frame&, const Frame&) = default;
};

/// The frames of one stream; after the last one the first follows again.
using FrameTrace = std::vector<Frame>;

inline constexpr unsigned kGopFrames = 15;
/// The type of a synthetic stream's frame: IBBPBBPBBPBBPBB.
constexpr FrameType gop_type(std::uint64_t number) {
  const auto at = number % kGopFrames;
  if (at == 0) return FrameType::kI;
  return at % 3 == 0 ? FrameType::kP : FrameType::kB;
}
/// The mean size of a frame of this type in a stream whose frames have the mean size 1: as 6 : 3
/// : 1.
constexpr double gop_size(FrameType type) {
  constexpr double kUnit = kGopFrames / 28.0;  // 6 + 4 · 3 + 10 · 1
  return (type == FrameType::kI ? 6 : type == FrameType::kP ? 3 : 1) * kUnit;
}
/// A factor of mean 1 on the size of a synthetic frame: Erlang's distribution of order 16, whose
/// standard deviation is a quarter.
double draw_frame_factor(Stream& chance);

inline constexpr std::size_t kMaxFrames = 10'000'000;
inline constexpr std::uint32_t kMaxFrameBytes = 16u << 20;

/// Reads frames from CSV text: a header with the columns stream, type and bytes in any order, then
/// a frame a line. `type` is I, P or B; `bytes` is its payload. A stream is named by any text; the
/// streams are in the order of their first frames. `where` names the text in errors. Throws
/// InputError, with the line's number.
std::vector<FrameTrace> read_frames(std::string_view text, const std::string& where);
std::vector<FrameTrace> read_frames_file(const std::string& path);

}  // namespace selvedge::sim
