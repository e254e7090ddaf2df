// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads data files that are part of the program: the plans of ist, the trees of spftr and aspftr.
// Each file lies beside its engine, is written by a tool and is embedded at build time
// (embed_text.cmake). A record is a line of words; empty lines and lines that begin with # are
// ignored.
//
// An error in such a file is a defect of the program, not of the user's input. So it throws
// std::logic_error with the line number.
#pragma once

#include <string_view>
#include <vector>

namespace selvedge {

struct DataLine {
  std::string_view text;
  unsigned number;  // line number in the file, from 1
};

class DataLines {
 public:
  /// `first`: the number of the first line of `text`.
  DataLines(std::string_view file, std::string_view text, unsigned first = 1)
      : file_(file), rest_(text), next_(first) {}

  /// Reads the next record into `line`. Returns false if none remains.
  bool next(DataLine& line);
  /// Skips to the next line that begins with `word`, or to the end, and returns the skipped text.
  std::string_view skip_to(std::string_view word);

  [[noreturn]] void fail(unsigned line, std::string_view what) const;
  /// Parses a decimal number of at most `most`; calls fail() if `word` is something else.
  unsigned number(const DataLine& line, std::string_view word, unsigned most) const;

 private:
  DataLine take();

  std::string_view file_, rest_;
  unsigned next_;
};

/// Splits a line into words; a single blank separates two words.
std::vector<std::string_view> words(std::string_view line);

}  // namespace selvedge
