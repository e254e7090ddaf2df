// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/expression.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "base/error.hpp"

namespace selvedge::sim {
namespace {

double of(std::string_view text) {
  const std::map<std::string, double> names{{"a", 2}, {"b_2", 0.5}};
  return evaluate(
      text,
      [&](const std::string& name) {
        const auto it = names.find(name);
        if (it == names.end()) throw InputError("no such figure", name, "-");
        return it->second;
      },
      "x.toml:3");
}

TEST(Expression, EvaluatesArithmetic) {
  EXPECT_EQ(of("1 + 2 * 3"), 7);
  EXPECT_EQ(of("(1+2)*3"), 9);
  EXPECT_EQ(of("8 / 2 / 2"), 2);
  EXPECT_EQ(of("8 - 2 - 2"), 4);
  EXPECT_EQ(of("1 - a / 4"), 0.5);
  EXPECT_EQ(of("min(a, b_2) + max(a, 1)"), 2.5);
  EXPECT_EQ(of(".5 * 1e2"), 50);
}

TEST(Expression, ErrorsNameTheCharacter) {
  for (const char* text : {"", "1 +", "(1", "1)", "a b_2", "min(1)", "1..2", "*", "§"})
    EXPECT_THROW(of(text), InputError) << text;
  EXPECT_THROW(of("c"), InputError);
  EXPECT_THROW(of(std::string(1000, '(') + "1" + std::string(1000, ')')), InputError);
  try {
    of("1 + * 2");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "'1 + * 2' is not an expression: x.toml:3: correct it at character 5");
  }
}

/// A random expression and its value, both made from a random tree.
std::pair<std::string, double> random_expression(int depth) {
  if (depth == 0) {
    const int n = *rc::gen::inRange(0, 100);
    return {fmt::format("{}", n), n};
  }
  const auto [left, l] = random_expression(depth - 1);
  const auto [right, r] = random_expression(*rc::gen::inRange(0, depth));
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return {fmt::format("({} + {})", left, right), l + r};
    case 1:
      return {fmt::format("({}-{})", left, right), l - r};
    case 2:
      return {fmt::format("({} * {})", left, right), l * r};
    case 3:
      return {fmt::format("min({}, {})", left, right), std::min(l, r)};
    default:
      return {fmt::format("max({},{})", left, right), std::max(l, r)};
  }
}

RC_GTEST_PROP(Expression, EqualsItsTree, ()) {
  const auto [text, value] = random_expression(*rc::gen::inRange(0, 5));
  RC_ASSERT(of(text) == value);
}

}  // namespace
}  // namespace selvedge::sim
