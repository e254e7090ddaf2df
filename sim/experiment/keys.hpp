// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads a section of an experiment with base/toml_section.hpp, and records every key with the value
// in force, given or default. So the stored keys of a point are exactly those that were read, and
// the point's digest covers all of them.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/toml_section.hpp"

namespace selvedge::sim {

/// Pairs of key and value, such as "traffic.load" and "0.1".
using KeyValues = std::vector<std::pair<std::string, std::string>>;

class Keys {
 public:
  /// Keys are recorded in `recorded`, which must outlive this object.
  Keys(const TomlSection& section, KeyValues& recorded) : Keys(section, recorded, section.name()) {}
  /// `name`: the section's name in the recorded keys, if it differs from the section's own.
  Keys(TomlSection section, KeyValues& recorded, std::string name)
      : section_(std::move(section)), recorded_(recorded), name_(std::move(name)) {}

  bool has(std::string_view key) { return section_.has(key); }

  void read(std::string_view key, std::string& value) {
    section_.read(key, value);
    record(key, value);
  }
  void read(std::string_view key, bool& value) {
    section_.read(key, value);
    record(key, value);
  }
  void read(std::string_view key, double& value, NumberRange range) {
    section_.read(key, value, range);
    record(key, value);
  }
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void read(std::string_view key, T& value, WholeRange range) {
    section_.read(key, value, range);
    record(key, value);
  }
  /// A key without a default; `absent` is recorded if it is not given.
  template <std::integral T>
  void read(std::string_view key, std::optional<T>& value, WholeRange range,
            std::string_view absent) {
    if (!section_.has(key)) return record(key, absent);
    T number = 0;
    section_.read(key, number, range);
    value = number;
    record(key, number);
  }
  template <class T>
  void choose(std::string_view key, T& value, const std::vector<std::string_view>& words) {
    section_.choose(key, value, words);
    record(key, words[static_cast<std::size_t>(value)]);
  }
  void read(std::string_view key, std::vector<std::string>& values, std::size_t count_max) {
    section_.read(key, values, count_max);
    record(key, fmt::format("{}", fmt::join(values, ", ")));
  }

  TomlSection& section() { return section_; }
  InputError not_allowed(std::string_view key, std::string_view allowed) const {
    return section_.not_allowed(key, allowed);
  }

  template <class T>
  void record(std::string_view key, const T& value) {
    recorded_.emplace_back(fmt::format("{}.{}", name_, key), fmt::format("{}", value));
  }

 private:
  TomlSection section_;
  KeyValues& recorded_;
  std::string name_;
};

}  // namespace selvedge::sim
