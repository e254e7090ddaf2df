// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/opensm_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "sim/emulate/child_process.hpp"

namespace selvedge::sim {
namespace {

constexpr std::string_view kBlanks = " \t";
/// OpenSM reads 1,022 bytes at a time; what follows would be a line of its own.
constexpr std::size_t kLongestLine = 1000;
constexpr std::chrono::seconds kPatience{10};                // reading a file takes it milliseconds
constexpr std::string_view kEngines = "Supported engines:";  // in a comment that goes on below

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

void add_engines(std::string_view list, std::vector<std::string>& engines) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (const std::string_view name = trimmed(list.substr(0, comma)); !name.empty())
      engines.emplace_back(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

/// The line in which OpenSM complains about the option; "" if it does not.
std::string complaint_about(const std::string& option, const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    for (const std::string& sign : {fmt::format("Parsing error in field {},", option),
                                    fmt::format("Invalid Cached Option Value:{} =", option)})
      if (line.find(sign) != std::string::npos) return std::string(trimmed(line));
  return "";
}

}  // namespace

OpenSmReading parse_created_config(std::string_view text) {
  OpenSmReading reading;
  bool in_engines = false;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) {
      const std::string_view comment = trimmed(std::string_view(line).substr(1));
      const bool begins = comment.starts_with(kEngines);
      if (begins || in_engines)
        add_engines(comment.substr(begins ? kEngines.size() : 0), reading.engines);
      in_engines = (begins || in_engines) && comment.ends_with(',');
      continue;
    }
    in_engines = false;
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    if (end > 0) reading.options[line.substr(0, end)] = trimmed(line).substr(end);
  }
  for (auto& [name, value] : reading.options) value = trimmed(value);
  return reading;
}

OpenSmReading read_by_opensm(const std::filesystem::path& opensm, const std::string& conf) {
  const TemporaryFolder folder("selvedge-opensm-");
  folder.write("given.conf", conf);
  const ChildProcess child({opensm.string(), "-F", "given.conf", "--create-config", "made.conf"},
                           folder.path(), "output", {});
  const bool ended = child.wait(kPatience);
  OpenSmReading reading = parse_created_config(folder.read("made.conf"));
  reading.output = folder.read("output");
  if (!child.succeeded() || reading.options.empty())
    throw EnvironmentError(fmt::format("opensm does not say which options it has ({})",
                                       ended ? child.ending() : "it does not end"),
                           fmt::format("{} --create-config", opensm.string()),
                           "install OpenSM 3.3");
  return reading;
}

OpenSmLine split_opensm_line(std::string_view line, const std::string& where) {
  using namespace std::string_view_literals;
  if (line.find_first_of("\n\0"sv) != std::string_view::npos)
    throw InputError("this is more than one line", where, "give each line by itself");
  if (line.size() > kLongestLine)
    throw InputError(fmt::format("the line has more than {} bytes", kLongestLine), where,
                     "shorten it: OpenSM would read the rest as another line");
  const std::string_view text = trimmed(line);
  if (text.empty() || text.starts_with('#'))
    throw InputError("this line sets no option", where, "write OPTION VALUE");
  const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
  return {std::string(text.substr(0, end)), std::string(trimmed(text.substr(end)))};
}

void check_opensm_line(const std::filesystem::path& opensm, const std::string& line,
                       const std::string& where) {
  const OpenSmLine given = split_opensm_line(line, where);
  const OpenSmReading reading = read_by_opensm(opensm, line + "\n");
  const auto found = reading.options.find(given.option);
  if (found == reading.options.end()) {
    std::vector<std::string> names;
    for (const auto& [name, value] : reading.options) names.push_back(name);
    const std::string_view near = nearest(given.option, names);
    throw InputError(fmt::format("OpenSM has no option '{}'", given.option), where,
                     near.empty() ? "see the file that 'opensm --create-config FILE' writes"
                                  : fmt::format("did you mean '{}'?", near));
  }
  const std::string complaint = complaint_about(given.option, reading.output);
  if (!complaint.empty())
    throw InputError("OpenSM does not take this value", where,
                     fmt::format("correct it; OpenSM says: {}", complaint));
  // Anything but TRUE is FALSE to it, without a word.
  if (found->second == "FALSE" && given.value != "FALSE" && given.value != "\"FALSE\"")
    throw InputError("OpenSM reads this value as FALSE", where, "write TRUE or FALSE");
}

}  // namespace selvedge::sim
