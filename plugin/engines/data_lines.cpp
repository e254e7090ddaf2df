// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/data_lines.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace selvedge {

DataLine DataLines::take() {
  const std::size_t end = rest_.find('\n');
  const DataLine line{rest_.substr(0, end), next_++};
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  return line;
}

bool DataLines::next(DataLine& line) {
  while (!rest_.empty()) {
    line = take();
    if (!line.text.empty() && line.text.front() != '#') return true;
  }
  return false;
}

std::string_view DataLines::skip_to(std::string_view word) {
  const std::string_view before = rest_;
  while (!rest_.empty() && !rest_.starts_with(word)) take();
  return before.substr(0, before.size() - rest_.size());
}

void DataLines::fail(unsigned line, std::string_view what) const {
  throw std::logic_error(fmt::format("plugin/engines/{}:{}: {}", file_, line, what));
}

unsigned DataLines::number(const DataLine& line, std::string_view word, unsigned most) const {
  unsigned value = 0;
  const char* const end = word.data() + word.size();
  const auto [read, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || read != end || value > most)
    fail(line.number, fmt::format("'{}' is no number from 0 to {}", word, most));
  return value;
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> result;
  for (;;) {
    const std::size_t end = line.find(' ');
    result.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return result;
    line.remove_prefix(end + 1);
  }
}

}  // namespace selvedge
