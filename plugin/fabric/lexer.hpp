// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads tokens from lines of ibnetdiscover and .net files: numbers, GUIDs, quoted ids, link rates.
// Texts returned are views into the file's text; nothing is copied.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::lex {

inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A position in a line. Each function reads what its name says and moves the position past it, or
/// reads nothing.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : rest_(line) {}

  std::string_view rest() const { return rest_; }
  bool done() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  void spaces();
  bool take(char c);
  bool take(std::string_view word);
  /// Reads letters; their case is kept.
  std::string_view word();
  /// Reads decimal digits. Returns nullopt if there are none, or if the number exceeds `max`.
  std::optional<std::uint64_t> decimal(std::uint64_t max);
  /// Reads hexadecimal digits, with or without 0x. Returns nullopt if there are none, or if the
  /// number exceeds 64 bits.
  std::optional<std::uint64_t> hex();
  /// Reads a number: hexadecimal if it begins with 0x, else decimal.
  std::optional<std::uint64_t> number();
  /// Reads "…" up to the next quote, and returns the text without the quotes.
  std::optional<std::string_view> quoted();

 private:
  std::string_view rest_;
};

/// Returns the lines of a text one by one. A line ends at LF, at CRLF or at the end of the text.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line);
  std::uint32_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::uint32_t number_ = 0;
};

/// Reads a rate as ibnetdiscover spells it, "4xQDR"; also "??" and "???" (4 lanes, speed 0).
std::optional<LinkRate> rate(Cursor& at);

/// The rate that ibsim computes from masks of enabled widths, speeds and extended speeds.
LinkRate rate_of_masks(unsigned width, unsigned speed, unsigned extended);

/// Whether `word` equals `lower` (which is in lower case), ignoring case.
bool same_word(std::string_view word, std::string_view lower);

}  // namespace selvedge::lex
