// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/error.hpp"
#include "base/in_quotes.hpp"

namespace selvedge::sim {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr unsigned kHighestPort = 254;

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string_view first_word(std::string_view text, std::string_view& rest) {
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of(kSpace), text.size());
  rest = trim(text.substr(end));
  return text.substr(0, end);
}

std::string_view last_word(std::string_view text, std::string_view& rest) {
  text = trim(text);
  const std::size_t space = text.find_last_of(kSpace);
  const std::size_t begin = space == std::string_view::npos ? 0 : space + 1;
  rest = trim(text.substr(0, begin));
  return text.substr(begin);
}

bool is_digits(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

double number(std::string_view word, const char* what, double low, double high) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !(value >= low && value <= high))
    throw InputError(fmt::format("{} is no {}", word.empty() ? "nothing" : shortened(word), what),
                     in_quotes(word), fmt::format("write a number from {} to {}", low, high));
  return value;
}

std::uint64_t whole(std::string_view word, const char* what, double most) {
  const double value = number(word, what, 0, most);
  if (value != std::floor(value))
    throw InputError(fmt::format("{} is no whole number", shortened(word)), in_quotes(word),
                     fmt::format("write a {} without a fraction", what));
  return static_cast<std::uint64_t>(value);
}

Nanoseconds milliseconds(std::string_view word, double most) {
  return Nanoseconds(std::llround(number(word, "time in ms", 0, most) * 1e6));
}

void no_more(std::string_view rest, std::string_view what) {
  if (!rest.empty())
    throw InputError(fmt::format("{} takes nothing more", what), in_quotes(rest), "leave it out");
}

NodeId node_named(const EmulatedSubnet& subnet, std::string_view name) {
  const NodeId n = subnet.find_node(name);
  if (n == kNoNode) throw InputError("no such node", in_quotes(name), "name one of the fabric");
  return n;
}

NodeId switch_named(const EmulatedSubnet& subnet, std::string_view name) {
  const NodeId n = subnet.find_node(name);
  if (n == kNoNode || n >= subnet.num_switches())
    throw InputError("no such switch", in_quotes(name), "name one of the fabric");
  return n;
}

NamedPlace parse_place(std::string_view text) {
  const std::size_t open = text.find('"');
  const std::size_t close = open == std::string_view::npos ? open : text.find('"', open + 1);
  if (close == std::string_view::npos || !trim(text.substr(0, open)).empty())
    throw InputError("there is no name in quotes", in_quotes(text),
                     "write \"S-0-0\" or \"S-0-0\"[2]");
  NamedPlace place{text.substr(open + 1, close - open - 1), trim(text.substr(close + 1)),
                   std::nullopt};
  if (place.rest.starts_with('[')) {
    const std::size_t end = std::min(place.rest.find(']'), place.rest.size());
    place.port = static_cast<unsigned>(whole(place.rest.substr(1, end - 1), "port", kHighestPort));
    place.rest = trim(place.rest.substr(std::min(end + 1, place.rest.size())));
  }
  return place;
}

}  // namespace selvedge::sim
