// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the installed opensm makes of lines of opensm.conf, by its own words, before it manages
// anything. OpenSM goes on with its defaults where it does not understand a line, and says so among
// the lines of its start only; of some values it says nothing. `opensm -F FILE --create-config NEW`
// reads FILE and writes all options as they then are, with the names of its routing engines.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace selvedge::sim {

struct OpenSmReading {
  std::map<std::string, std::string, std::less<>> options;  // with their values
  std::vector<std::string> engines;                         // empty: this opensm does not name them
  std::string output;                                       // what it said about the file
};

/// Parses the file that `opensm --create-config` writes; `output` of the result is empty.
OpenSmReading parse_created_config(std::string_view text);

/// Runs opensm to read `conf` and to write all its options (--create-config), and parses what it
/// wrote. Throws EnvironmentError if opensm does not write them.
OpenSmReading read_by_opensm(const std::filesystem::path& opensm, const std::string& conf);

/// A line of opensm.conf as OpenSM reads it: its first word, and the rest.
struct OpenSmLine {
  std::string option, value;
};

/// Splits a line of opensm.conf. Throws InputError, with `where`, if OpenSM would not read the text
/// as one line with an option.
OpenSmLine split_opensm_line(std::string_view line, const std::string& where);

/// Throws InputError if opensm has no such option, or does not take the value.
void check_opensm_line(const std::filesystem::path& opensm, const std::string& line,
                       const std::string& where);

}  // namespace selvedge::sim
