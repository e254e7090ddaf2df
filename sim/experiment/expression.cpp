// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kMaxNested = 100;

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// A recursive-descent parser: a sum of products of atoms.
class Reader {
 public:
  Reader(std::string_view text, const std::function<double(const std::string&)>& value,
         const std::string& where)
      : text_(text), value_(value), where_(where) {}

  double all() {
    const double result = sum();
    if (next() != '\0') refuse();
    return result;
  }

 private:
  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void refuse() const {
    throw InputError(fmt::format("'{}' is not an expression", text_), where_,
                     fmt::format("correct it at character {}", at_ + 1));
  }
  void demand(char c) {
    if (!take(c)) refuse();
  }

  /// Reads a sum. Sums nest through parentheses, at most kMaxNested deep.
  // NOLINTBEGIN(misc-no-recursion)
  double sum() {
    if (++depth_ > kMaxNested) refuse();
    double result = product();
    while (true) {
      if (take('+'))
        result += product();
      else if (take('-'))
        result -= product();
      else
        break;
    }
    --depth_;
    return result;
  }
  double product() {
    double result = atom();
    while (true) {
      if (take('*'))
        result *= atom();
      else if (take('/'))
        result /= atom();
      else
        return result;
    }
  }
  double atom() {
    if (take('(')) {
      const double result = sum();
      demand(')');
      return result;
    }
    const char c = next();
    if ((c >= '0' && c <= '9') || c == '.') return number();
    if (!is_name(c)) refuse();
    std::string name;
    while (at_ < text_.size() && is_name(text_[at_])) name += text_[at_++];
    if ((name == "min" || name == "max") && take('(')) {
      const double a = sum();
      demand(',');
      const double b = sum();
      demand(')');
      return name == "min" ? std::min(a, b) : std::max(a, b);
    }
    return value_(name);
  }
  // NOLINTEND(misc-no-recursion)
  double number() {
    double result = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), result);
    if (error != std::errc{}) refuse();
    at_ += static_cast<std::size_t>(end - begin);
    return result;
  }

  std::string_view text_;
  const std::function<double(const std::string&)>& value_;
  const std::string& where_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

double evaluate(std::string_view expression, const std::function<double(const std::string&)>& value,
                const std::string& where) {
  return Reader(expression, value, where).all();
}

}  // namespace selvedge::sim
