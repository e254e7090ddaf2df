// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/lexer.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace selvedge::lex {

void Cursor::spaces() {
  std::size_t i = 0;
  while (i < rest_.size() && is_space(rest_[i])) ++i;
  rest_.remove_prefix(i);
}

bool Cursor::take(char c) {
  if (rest_.empty() || rest_.front() != c) return false;
  rest_.remove_prefix(1);
  return true;
}

bool Cursor::take(std::string_view word) {
  if (!rest_.starts_with(word)) return false;
  rest_.remove_prefix(word.size());
  return true;
}

std::string_view Cursor::word() {
  std::size_t i = 0;
  while (i < rest_.size() && is_letter(rest_[i])) ++i;
  const std::string_view taken = rest_.substr(0, i);
  rest_.remove_prefix(i);
  return taken;
}

std::optional<std::uint64_t> Cursor::decimal(std::uint64_t max) {
  if (rest_.empty() || !is_digit(rest_.front())) return {};
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, 10);
  if (error != std::errc{} || value > max) return {};
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  return value;
}

std::optional<std::uint64_t> Cursor::hex() {
  std::string_view digits = rest_;
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  if (digits.empty() || digits.front() == '-') return {};
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{}) return {};
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  return value;
}

std::optional<std::uint64_t> Cursor::number() {
  return rest_.starts_with("0x") || rest_.starts_with("0X") ? hex() : decimal(UINT64_MAX);
}

std::optional<std::string_view> Cursor::quoted() {
  if (rest_.empty() || rest_.front() != '"') return {};
  const std::size_t end = rest_.find('"', 1);
  if (end == std::string_view::npos) return {};
  const std::string_view inside = rest_.substr(1, end - 1);
  rest_.remove_prefix(end + 1);
  return inside;
}

bool Lines::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++number_;
  return true;
}

std::optional<LinkRate> rate(Cursor& at) {
  Cursor c = at;
  LinkRate rate;
  if (!c.take("??")) {
    const auto lanes = c.decimal(255);
    if (!lanes || !c.take('x')) return {};
    rate.lanes = static_cast<std::uint8_t>(*lanes);
  }
  const std::string_view rest = c.rest();
  const auto end = std::ranges::find_if(rest, is_space);
  const std::string_view name = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  const auto known = std::ranges::find(kLinkSpeeds, name);
  rate.speed = static_cast<std::uint8_t>(
      known == std::end(kLinkSpeeds) ? 0 : known - std::begin(kLinkSpeeds));
  c.take(name);
  at = c;
  return rate;
}

namespace {

constexpr std::uint8_t speed_index(std::string_view name) {
  for (std::uint8_t i = 0; i < std::size(kLinkSpeeds); ++i)
    if (kLinkSpeeds[i] == name) return i;
  return 0;
}

}  // namespace

LinkRate rate_of_masks(unsigned width, unsigned speed, unsigned extended) {
  // The masks are LinkWidthEnabled, LinkSpeedEnabled and LinkSpeedExtEnabled of PortInfo (IBA 1.3
  // §14.2.5.6).
  LinkRate rate;
  rate.lanes = width & 8 ? 12 : width & 4 ? 8 : width & 2 ? 4 : width & 16 ? 2 : 1;
  if (extended != 0)
    rate.speed = extended & 8   ? speed_index("NDR")
                 : extended & 4 ? speed_index("HDR")
                 : extended & 2 ? speed_index("EDR")
                                : speed_index("FDR");
  else
    rate.speed = speed & 4   ? speed_index("QDR")
                 : speed & 2 ? speed_index("DDR")
                             : speed_index("SDR");
  return rate;
}

bool same_word(std::string_view word, std::string_view lower) {
  return std::ranges::equal(word, lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace selvedge::lex
