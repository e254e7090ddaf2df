// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A configuration in TOML, read key by key. If a key is absent, the variable keeps its value; so
// defaults are written where the variables are declared. A wrong value throws an InputError that
// names the key, FILE:LINE, and what is allowed:
//
//   error: [traffic] load has a value that is not allowed: x.toml:7: write a number from 0 to 1
//   error: unknown key 'laod' in [traffic]: x.toml:7: did you mean 'load'? known: load, pattern
//
//   TomlFile file = TomlFile::load(path);
//   TomlSection s = file.root().section("traffic");
//   s.read("load", load, {.least = 0, .most = 1});
//   file.done();                                    // throws for a key that was not queried
//
// A query makes a key known, whether the file has it or not. done() refuses keys that are not
// known.
//
// A file may describe several settings at once. After sweep() a key that takes one value may have a
// list of values, and a key that takes a list may have a list of lists. Such a key is an axis. Keys
// in arrays of tables may not be axes. To run all settings, read the file once to learn the axes,
// then once for each combination of their values.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"

namespace selvedge {

/// Inclusive bounds of a whole number. The unit, such as "bytes", is for the message. (g++ warns
/// about designated initialisers that omit a member without a default initialiser; so `unit` has
/// one.)
struct WholeRange {
  std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
  std::string_view unit = {};  // NOLINT(readability-redundant-member-init): see above
};

/// Bounds of a number. They are inclusive, except `most` if most_excluded is set. NaN is never
/// allowed.
struct NumberRange {
  double least = 0, most = std::numeric_limits<double>::max();
  std::string_view unit = {};  // NOLINT(readability-redundant-member-init): see above
  bool most_excluded = false;
};

inline constexpr std::size_t kTomlBytesMax = 4 << 20;

/// A key for which the file has several values (an axis of a sweep).
struct TomlAxis {
  std::string key;                  // with its sections: "traffic.load"
  std::vector<std::string> values;  // as in the file, but strings without quotes
  friend bool operator==(const TomlAxis&, const TomlAxis&) = default;
};
/// For each axis key the index of the value to read; 0 for axes that are not named.
using TomlChoice = std::map<std::string, std::size_t, std::less<>>;

/// A view of one table of the file. All copies share the parsed file.
class TomlSection {
 public:
  /// Whether the file has this table.
  bool present() const { return table_ != nullptr; }
  /// Whether the table has the key. The key counts as queried.
  bool has(std::string_view key);
  /// The table's name: "" for the root, else "traffic" or "traffic.burst".
  const std::string& name() const { return name_; }
  /// FILE:LINE of the key, or of the table if the key is absent.
  std::string at(std::string_view key) const;

  void read(std::string_view key, std::string& value);
  void read(std::string_view key, bool& value);
  void read(std::string_view key, double& value, NumberRange range);
  /// Reads a whole number. The range is narrowed to what T can hold.
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void read(std::string_view key, T& value, WholeRange range) {
    std::int64_t number = 0;
    if (read_whole(key, narrowed<T>(range), number)) value = static_cast<T>(number);
  }
  /// Reads one of the given words, as its index. T is a number, or an enum whose enumerators are in
  /// the order of the words.
  template <class T>
  void choose(std::string_view key, T& value, const std::vector<std::string_view>& words) {
    if (const auto i = word(key, words); i < words.size()) value = static_cast<T>(i);
  }

  // The following read lists of at most count_max values; a single value is a list of one. They
  // replace the whole list.
  void read(std::string_view key, std::vector<std::string>& values, std::size_t count_max);
  void read(std::string_view key, std::vector<double>& values, std::size_t count_max,
            NumberRange range);
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void read(std::string_view key, std::vector<T>& values, std::size_t count_max, WholeRange range) {
    std::vector<std::int64_t> numbers;
    if (!read_wholes(key, count_max, narrowed<T>(range), numbers)) return;
    values.clear();
    for (const std::int64_t n : numbers) values.push_back(static_cast<T>(n));
  }

  /// A table within this one. If it is absent, all variables read from it keep their values.
  TomlSection section(std::string_view key);
  /// An array of tables, [[key]]; empty if it is absent.
  std::vector<TomlSection> sections(std::string_view key);

  /// Makes an error about a key, to be thrown by the caller, for mistakes that the checks of read()
  /// do not cover.
  InputError error(std::string_view key, std::string_view problem, std::string remedy) const;
  /// Makes the error that read() throws for a wrong value: "… has a value that is not allowed",
  /// "write …".
  InputError not_allowed(std::string_view key, std::string_view allowed) const;

 private:
  friend class TomlFile;
  struct State;

  TomlSection(std::shared_ptr<State> state, const void* table, std::string name, bool sweeps);

  template <class T>
  static WholeRange narrowed(WholeRange range) {
    // TOML's integers are signed, so the upper half of a uint64_t cannot be written.
    if constexpr (sizeof(T) < sizeof(std::int64_t) || std::is_signed_v<T>)
      range.most = std::min<std::int64_t>(range.most, std::numeric_limits<T>::max());
    range.least = std::max<std::int64_t>(range.least, std::numeric_limits<T>::min());
    return range;
  }
  bool read_whole(std::string_view key, const WholeRange& range, std::int64_t& number);
  bool read_wholes(std::string_view key, std::size_t count_max, const WholeRange& range,
                   std::vector<std::int64_t>& numbers);
  /// The index of the word that the key has; words.size() if the key is absent.
  std::size_t word(std::string_view key, const std::vector<std::string_view>& words);
  std::string label(std::string_view key) const;
  std::string path(std::string_view key) const;  // the key with its sections: "traffic.load"

  std::shared_ptr<State> state_;
  const void* table_;  // a toml::table, whose header is not included here; null: absent
  std::string name_;
  bool sweeps_;  // false in arrays of tables, where a key's path is ambiguous
};

class TomlFile {
 public:
  /// Parses a text. `where` names its source in messages.
  static TomlFile parse(std::string_view text, std::string where);
  /// Reads a file of at most kTomlBytesMax bytes. `what` names the file in messages, as "the
  /// configuration".
  static TomlFile load(const std::string& path, std::string_view what = "the configuration");

  /// Replaces a value of the file: `key` is like "traffic.load", `value` is in TOML's syntax. A
  /// value that is not valid TOML becomes a string. Throws InputError if a part of the key before
  /// its last dot is not a section.
  void set(std::string_view key, std::string_view value);

  /// After this call lists are alternatives (axes), and reads return the chosen ones.
  void sweep(TomlChoice choice = {});
  /// The axes that were read since sweep(), in the order of the reads.
  const std::vector<TomlAxis>& axes() const;

  TomlSection root() const;
  /// Throws InputError for the first key in the file that was not queried.
  void done() const;

 private:
  explicit TomlFile(std::shared_ptr<TomlSection::State> state) : state_(std::move(state)) {}

  std::shared_ptr<TomlSection::State> state_;
};

}  // namespace selvedge
