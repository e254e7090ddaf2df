// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <unordered_map>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "plugin/fabric/naming.hpp"
#include "sim/traffic/lines.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/terminals.hpp"
#include "sim/traffic/trace.hpp"

namespace selvedge::sim {
namespace {

enum Column : std::size_t { kTime, kFrom, kTo, kBytes, kId, kAfter, kVl15, kColumns };
constexpr std::array<std::string_view, kColumns> kNames = {"time_ns", "from",  "to",  "bytes",
                                                           "id",      "after", "vl15"};

/// Parses the whole text as a number; returns nothing if it is none.
template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

class Reader {
 public:
  Reader(const std::string& where, const Fabric& fabric) : where_(where), terminals_(fabric) {
    for (HostId h = 0; h < fabric.num_hosts(); ++h)
      if (const auto [it, fresh] = by_name_.try_emplace(fabric.host(h).name, h); !fresh)
        it->second = kNoHost;  // an ambiguous name: name_host() throws
  }

  Trace read(std::string_view text) {
    bool headed = false;
    for_each_line(text, line_, [&](std::string_view line) {
      split(line);
      if (headed)
        message();
      else
        header();
      headed = true;
    });
    if (!headed)
      throw line_error("the trace has no header",
                       "begin it with a line like 'time_ns,from,to,bytes'");
    return std::move(trace_);
  }

 private:
  InputError line_error(std::string what, std::string remedy) const {
    return {std::move(what), fmt::format("{}:{}", where_, line_), std::move(remedy)};
  }

  /// Splits a line at commas into fields_. A field in double quotes may hold commas; a quote in it
  /// is written twice.
  void split(std::string_view line) {
    fields_.clear();
    for (;;) {
      line = trimmed(line);
      std::string field;
      if (!line.empty() && line.front() == '"') {
        std::size_t i = 1;
        for (;; ++i) {
          if (i == line.size())
            throw line_error("a quote is not closed", "end the field with '\"'");
          if (line[i] != '"') {
            field += line[i];
          } else if (i + 1 < line.size() && line[i + 1] == '"') {
            field += line[i++];
          } else {
            break;
          }
        }
        line = trimmed(line.substr(i + 1));
        if (!line.empty() && line.front() != ',')
          throw line_error("characters follow a field's closing quote", "put a comma after it");
      } else {
        const std::size_t end = std::min(line.find(','), line.size());
        field = trimmed(line.substr(0, end));
        line.remove_prefix(end);
      }
      fields_.push_back(std::move(field));
      if (line.empty()) return;
      line.remove_prefix(1);
    }
  }

  void header() {
    column_.fill(SIZE_MAX);
    const std::vector<std::string> known(kNames.begin(), kNames.end());
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const auto name = std::find(kNames.begin(), kNames.end(), fields_[i]);
      if (name == kNames.end()) {
        const std::string_view meant = nearest(fields_[i], known);
        throw line_error(fmt::format("unknown column '{}' of the trace", fields_[i]),
                         meant.empty() ? fmt::format("columns are {}", fmt::join(kNames, ", "))
                                       : fmt::format("did you mean '{}'?", meant));
      }
      std::size_t& at = column_[static_cast<std::size_t>(name - kNames.begin())];
      if (at != SIZE_MAX)
        throw line_error(fmt::format("column '{}' is duplicated", fields_[i]), "leave one out");
      at = i;
    }
    for (const Column c : {kTime, kFrom, kTo, kBytes})
      if (column_[c] == SIZE_MAX)
        throw line_error(fmt::format("the trace has no column '{}'", kNames[c]),
                         "begin it with a line like 'time_ns,from,to,bytes'");
    if (column_[kAfter] != SIZE_MAX && column_[kId] == SIZE_MAX)
      throw line_error("the trace has a column 'after' but none 'id'", "give every message an id");
    width_ = fields_.size();
  }

  std::string_view field(Column c) const {
    return column_[c] == SIZE_MAX ? std::string_view() : fields_[column_[c]];
  }

  void message() {
    if (fields_.size() != width_)
      throw line_error(fmt::format("the line has {} fields", fields_.size()),
                       fmt::format("write {}, as the header has", width_));
    const auto time = number<double>(field(kTime));
    if (!time || !(*time >= 0 && *time <= kMaxTraceTimeNs))
      throw line_error(fmt::format("time_ns is '{}'", field(kTime)),
                       fmt::format("write nanoseconds, from 0 to {}", kMaxTraceTimeNs));
    const auto bytes = number<std::uint32_t>(field(kBytes));
    if (!bytes || *bytes > kMaxMessageBytes)
      throw line_error(fmt::format("bytes is '{}'", field(kBytes)),
                       fmt::format("write a whole number from 0 to {}", kMaxMessageBytes));
    const TraceMessage message = {.time_ns = *time,
                                  .from = host(kFrom),
                                  .to = host(kTo),
                                  .bytes = *bytes,
                                  .management = vl15()};
    if (message.from == message.to)
      throw line_error(fmt::format("a message from '{}' to itself", field(kFrom)),
                       "a host sends only to others");
    if (trace_.messages.size() == UINT32_MAX || trace_.after.size() >= UINT32_MAX - fields_.size())
      throw line_error("the trace is too long", "split it");
    waits_.clear();
    read_after();
    if (column_[kId] != SIZE_MAX) read_id();
    trace_.add(message, waits_);
  }

  /// The host that a field names: by digits, its number among the attached hosts; by anything else,
  /// its name, GUID or SWITCH:PORT.
  HostId host(Column c) const {
    const std::string_view text = field(c);
    const auto end = number<Terminal>(text);
    if (end && *end < terminals_.count()) return terminals_.host(*end);
    const auto named = end ? by_name_.end() : by_name_.find(text);
    HostId h = named == by_name_.end() ? kNoHost : named->second;
    if (h == kNoHost && !end) {  // a GUID or SWITCH:PORT
      try {
        h = name_host(terminals_.fabric(), text);
      } catch (const InputError& e) {
        throw line_error(e.problem() + " at " + e.where(), e.remedy());
      }
    }
    if (h == kNoHost)
      throw line_error(
          fmt::format("unknown host '{}'", text),
          fmt::format("name a host of the fabric, or a number below {}", terminals_.count()));
    if (terminals_.of(h) == kNoTerminal)
      throw line_error(fmt::format("host '{}' has no cable", text), "name one that is attached");
    return h;
  }

  bool vl15() const {
    const std::string_view text = field(kVl15);
    if (text != "" && text != "0" && text != "1")
      throw line_error(fmt::format("vl15 is '{}'", text),
                       "write 1 for management, else 0 or nothing");
    return text == "1";
  }

  void read_id() {
    const auto id = number<std::uint64_t>(field(kId));
    if (!id) throw line_error(fmt::format("id is '{}'", field(kId)), "write a whole number");
    if (!by_id_.emplace(*id, static_cast<std::uint32_t>(trace_.messages.size())).second)
      throw line_error(fmt::format("id {} is duplicated", *id), "give every message its own");
  }

  /// Reads the field `after`: ids of earlier messages, separated by spaces.
  void read_after() {
    std::string_view rest = trimmed(field(kAfter));
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      const auto id = number<std::uint64_t>(rest.substr(0, end));
      const auto known = id ? by_id_.find(*id) : by_id_.end();
      if (known == by_id_.end())
        throw line_error(fmt::format("after is '{}'", rest.substr(0, end)),
                         "write ids of earlier lines, with spaces between");
      if (std::find(waits_.begin(), waits_.end(), known->second) == waits_.end())
        waits_.push_back(known->second);
      rest = trimmed(rest.substr(end));
    }
  }

  const std::string& where_;
  Terminals terminals_;
  std::unordered_map<std::string_view, HostId> by_name_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_id_;
  std::array<std::size_t, kColumns> column_{};
  std::size_t width_ = 0, line_ = 0;
  std::vector<std::string> fields_;   // of the current line
  std::vector<std::uint32_t> waits_;  // messages that the current line's message waits for
  Trace trace_;
};

}  // namespace

Trace read_trace(std::string_view text, const std::string& where, const Fabric& fabric) {
  return Reader(where, fabric).read(text);
}

Trace read_trace_file(const std::string& path, const Fabric& fabric) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  // A directory can be opened as a file, but not read.
  if (!in || !(text << in.rdbuf()))
    throw InputError("the trace cannot be read", path, "name a readable CSV file");
  return read_trace(std::move(text).str(), path, fabric);
}

std::string write_trace(const Trace& trace, const Fabric& fabric) {
  const Terminals terminals(fabric);
  std::string text = "id,time_ns,from,to,bytes,after,vl15\n";
  for (std::size_t i = 0; i < trace.messages.size(); ++i) {
    const TraceMessage& m = trace.messages[i];
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}\n", i, m.time_ns,
                   terminals.of(m.from), terminals.of(m.to), m.bytes,
                   fmt::join(trace.waits_for(i), " "), m.management ? 1 : 0);
  }
  return text;
}

}  // namespace selvedge::sim
