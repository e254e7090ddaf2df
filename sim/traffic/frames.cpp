// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "base/in_quotes.hpp"
#include "sim/traffic/lines.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kFactorOrder = 16;
constexpr std::array<std::string_view, 3> kColumns = {"stream", "type", "bytes"};

class FrameReader {
 public:
  explicit FrameReader(const std::string& where) : where_(where) {}

  std::vector<FrameTrace> read(std::string_view text) {
    bool headed = false;
    for_each_line(text, line_, [&](std::string_view line) {
      const std::vector<std::string_view> fields = split(line);
      if (headed)
        add(fields);
      else
        header(fields);
      headed = true;
    });
    if (traces_.empty())
      throw error("there are no frames", "write a header 'stream,type,bytes' and a frame a line");
    return std::move(traces_);
  }

 private:
  InputError error(std::string what, std::string remedy) const {
    return {std::move(what), fmt::format("{}:{}", where_, line_), std::move(remedy)};
  }

  static std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> fields;
    for (;;) {
      const std::size_t end = std::min(line.find(','), line.size());
      fields.push_back(trimmed(line.substr(0, end)));
      if (end == line.size()) return fields;
      line.remove_prefix(end + 1);
    }
  }

  void header(const std::vector<std::string_view>& fields) {
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const auto at = std::ranges::find(fields, kColumns[i]);
      if (fields.size() != kColumns.size() || at == fields.end())
        throw error("the header does not name the columns", "write 'stream,type,bytes'");
      column_[i] = static_cast<std::size_t>(at - fields.begin());
    }
  }

  void add(const std::vector<std::string_view>& fields) {
    if (fields.size() != kColumns.size())
      throw error(fmt::format("the line has {} fields", fields.size()),
                  "write 3, as the header has");
    if (++frames_ > kMaxFrames)
      throw error(fmt::format("there are more than {} frames", kMaxFrames), "take fewer");
    const std::string_view type = fields[column_[1]], bytes = fields[column_[2]];
    Frame frame;
    if (type == "I")
      frame.type = FrameType::kI;
    else if (type == "P")
      frame.type = FrameType::kP;
    else if (type == "B")
      frame.type = FrameType::kB;
    else
      throw error(fmt::format("type is {}", in_quotes(type)), "write I, P or B");
    const auto [at, fault] =
        std::from_chars(bytes.data(), bytes.data() + bytes.size(), frame.bytes);
    if (fault != std::errc() || at != bytes.data() + bytes.size() || frame.bytes == 0 ||
        frame.bytes > kMaxFrameBytes)
      throw error(fmt::format("bytes is {}", in_quotes(bytes)),
                  fmt::format("write a whole number from 1 to {}", kMaxFrameBytes));
    const auto [stream, fresh] =
        streams_.try_emplace(std::string(fields[column_[0]]), traces_.size());
    if (fresh) traces_.emplace_back();
    traces_[stream->second].push_back(frame);
  }

  const std::string& where_;
  std::size_t line_ = 0, frames_ = 0;
  std::array<std::size_t, kColumns.size()> column_{};
  std::map<std::string, std::size_t> streams_;
  std::vector<FrameTrace> traces_;
};

}  // namespace

double draw_frame_factor(Stream& chance) {
  double sum = 0;
  for (unsigned i = 0; i < kFactorOrder; ++i) sum += chance.exponential(1.0 / kFactorOrder);
  return sum;
}

std::vector<FrameTrace> read_frames(std::string_view text, const std::string& where) {
  return FrameReader(where).read(text);
}

std::vector<FrameTrace> read_frames_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  // A directory can be opened as a file, but not read.
  if (!in || !(text << in.rdbuf()))
    throw InputError("the frames cannot be read", path, "name a readable CSV file");
  return read_frames(std::move(text).str(), path);
}

}  // namespace selvedge::sim
