// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A configuration in TOML, read key by key. What is absent keeps the value that the variable has,
// so defaults stand where the variables do. What is wrong throws an InputError that names the key,
// FILE:LINE, and what is allowed:
//
//   error: [traffic] load has a value that is not allowed: x.toml:7: write a number from 0 to 1
//   error: unknown key 'laod' in [traffic]: x.toml:7: did you mean 'load'? known: load, pattern
//
//   TomlFile file = TomlFile::load(path);
//   TomlSection s = file.root().section("traffic");
//   s.read("load", load, {.least = 0, .most = 1});
//   file.done();                                    // complains about every key nobody asked for
//
// Asking for a key, whether it is there or not, is what makes it known.
//
// A file may stand for several settings: after sweep() a key that takes one value may hold a list
// of them, and one that takes a list a list of lists (not in sections of an array). Read once to
// learn the axes, then once for each combination.
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

/// A whole number's bounds, both allowed. The unit, as "bytes", is for the message. (g++ warns of
/// designated initialisers that leave out what has no initialiser here.)
struct WholeRange {
  std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
  std::string_view unit = {};  // NOLINT(readability-redundant-member-init): see above
};

/// Any number's bounds, both allowed unless most_excluded; never NaN.
struct NumberRange {
  double least = 0, most = std::numeric_limits<double>::max();
  std::string_view unit = {};  // NOLINT(readability-redundant-member-init): see above
  bool most_excluded = false;
};

inline constexpr std::size_t kTomlBytesMax = 4 << 20;

/// A key for which the file has several values.
struct TomlAxis {
  std::string key;                  // "traffic.load"
  std::vector<std::string> values;  // as written, strings without their quotes
  friend bool operator==(const TomlAxis&, const TomlAxis&) = default;
};
/// For keys of axes the place of the value that is read; 0 for those it does not name.
using TomlChoice = std::map<std::string, std::size_t, std::less<>>;

/// One table of the file; a view, no longer valid than the TomlFile.
class TomlSection {
 public:
  /// Whether the table is in the file.
  bool present() const { return table_ != nullptr; }
  /// Whether the key is; it counts as asked for.
  bool has(std::string_view key);
  /// "" of the root, else as "traffic" or "traffic.burst".
  const std::string& name() const { return name_; }
  /// FILE:LINE of the key, or of the table when the key is absent.
  std::string at(std::string_view key) const;

  void read(std::string_view key, std::string& value);
  void read(std::string_view key, bool& value);
  void read(std::string_view key, double& value, NumberRange range);
  /// A type that cannot hold the range's ends narrows them.
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void read(std::string_view key, T& value, WholeRange range) {
    std::int64_t number = 0;
    if (read_whole(key, narrowed<T>(range), number)) value = static_cast<T>(number);
  }
  /// One word of a list; T is an enum with as many enumerators in the same order, or a number.
  template <class T>
  void choose(std::string_view key, T& value, const std::vector<std::string_view>& words) {
    if (const auto i = word(key, words); i < words.size()) value = static_cast<T>(i);
  }

  // Lists of at most count_max; a lone value is a list of one. The list is replaced whole.
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

  /// A table in this one. An absent one is empty: all its keys keep what they have.
  TomlSection section(std::string_view key);
  /// An array of tables, [[key]]; empty when absent.
  std::vector<TomlSection> sections(std::string_view key);

  /// What is wrong with a key for other reasons than its own value, to be thrown.
  InputError error(std::string_view key, std::string_view problem, std::string remedy) const;
  /// The message of every value out of bounds: "… has a value that is not allowed", "write …".
  InputError not_allowed(std::string_view key, std::string_view allowed) const;

 private:
  friend class TomlFile;
  struct State;

  TomlSection(std::shared_ptr<State> state, const void* table, std::string name, bool sweeps);

  template <class T>
  static WholeRange narrowed(WholeRange range) {
    // A uint64_t's upper half cannot be written in TOML.
    if constexpr (sizeof(T) < sizeof(std::int64_t) || std::is_signed_v<T>)
      range.most = std::min<std::int64_t>(range.most, std::numeric_limits<T>::max());
    range.least = std::max<std::int64_t>(range.least, std::numeric_limits<T>::min());
    return range;
  }
  bool read_whole(std::string_view key, const WholeRange& range, std::int64_t& number);
  bool read_wholes(std::string_view key, std::size_t count_max, const WholeRange& range,
                   std::vector<std::int64_t>& numbers);
  /// The word's place; words.size() when the key is absent.
  std::size_t word(std::string_view key, const std::vector<std::string_view>& words);
  std::string label(std::string_view key) const;
  std::string path(std::string_view key) const;  // "traffic.load"

  std::shared_ptr<State> state_;
  const void* table_;  // toml++'s, kept out of this header; null: not in the file
  std::string name_;
  bool sweeps_;  // not within an array of tables, where a key's name says too little
};

class TomlFile {
 public:
  /// `where` is what messages call it.
  static TomlFile parse(std::string_view text, std::string where);
  /// A file of at most kTomlBytesMax; `what` names it in the message, as "the configuration".
  static TomlFile load(const std::string& path, std::string_view what = "the configuration");

  /// Puts a value in the place of the file's: `key` as "traffic.load", `value` as TOML would have
  /// it; what is no TOML is a string. Throws InputError for a key that leads through no section.
  void set(std::string_view key, std::string_view value);

  /// From now on the file is read as one of several.
  void sweep(TomlChoice choice = {});
  /// Those met by what was read since sweep(), in that order.
  const std::vector<TomlAxis>& axes() const;

  TomlSection root() const;
  /// The first key of the file that nobody has asked for is an error.
  void done() const;

 private:
  explicit TomlFile(std::shared_ptr<TomlSection::State> state) : state_(std::move(state)) {}

  std::shared_ptr<TomlSection::State> state_;
};

}  // namespace selvedge
