// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "base/toml_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "base/nearest.hpp"

namespace selvedge {

struct TomlSection::State {
  std::string where;
  toml::table root;
  /// For each table that was read, the keys that were queried.
  std::map<const toml::table*, std::vector<std::string>> known;
  /// Nodes that set() inserted, each with its KEY=VALUE.
  std::map<const toml::node*, std::string> given;
  bool sweeping = false;
  TomlChoice choice;
  std::vector<TomlAxis> axes;

  const toml::node* find(const void* table, std::string_view key) {
    if (table == nullptr) return nullptr;
    const auto* t = static_cast<const toml::table*>(table);
    std::vector<std::string>& keys = known[t];
    if (std::ranges::find(keys, key) == keys.end()) keys.emplace_back(key);
    return t->get(key);
  }
  std::string place(const toml::source_region& at) const {
    return fmt::format("{}:{}", where, at.begin.line);
  }
  std::string place(const toml::node& node, const toml::source_region& at) const {
    const auto set = given.find(&node);
    return set != given.end() ? set->second : place(at);
  }
  /// The value of a key that takes one value (find_one) or a list (find_list). In a sweep, that is
  /// the chosen alternative if there are several.
  const toml::node* find_one(const TomlSection& section, std::string_view key);
  const toml::node* find_list(const TomlSection& section, std::string_view key);
  /// Records an axis, and returns its chosen value.
  const toml::node* chosen(const toml::array& values, const std::string& key);
  void check(const toml::table& table, const std::string& name) const;
};

namespace {

std::string bounds(std::string_view noun, auto least, auto most, std::string_view unit,
                   bool most_excluded = false) {
  using T = decltype(most);
  std::string text{noun};
  if (most >= std::numeric_limits<T>::max())
    text += fmt::format(" of at least {}", least);
  else
    text += fmt::format(" from {} to {}{}", least, most_excluded ? "below " : "", most);
  return unit.empty() ? text : fmt::format("{} ({})", text, unit);
}

std::string allowed(const WholeRange& r, bool several) {
  return bounds(several ? "whole numbers" : "a whole number", r.least, r.most, r.unit);
}
std::string allowed(const NumberRange& r, bool several) {
  return bounds(several ? "numbers" : "a number", r.least, r.most, r.unit, r.most_excluded);
}

std::optional<std::int64_t> number_of(const toml::node& node, const WholeRange& range) {
  const auto* n = node.as_integer();
  if (n == nullptr || n->get() < range.least || n->get() > range.most) return std::nullopt;
  return n->get();
}
std::optional<double> number_of(const toml::node& node, const NumberRange& range) {
  if (!node.is_number()) return std::nullopt;
  const auto n = node.value<double>();
  if (!n || !(*n >= range.least && *n <= range.most) || (range.most_excluded && *n == range.most))
    return std::nullopt;
  return n;
}

/// A value as a person would write it (toml++ prints every digit of a number); strings have no
/// quotes.
// The recursion is limited: toml++ limits how deep tables and lists can be nested.
// NOLINTNEXTLINE(misc-no-recursion)
std::string text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  std::string text;
  if (const toml::array* list = node.as_array()) {
    for (const toml::node& n : *list) text += (text.empty() ? "" : ", ") + text_of(n);
    return "[" + text + "]";
  }
  std::ostringstream out;
  node.visit([&](const auto& n) { out << n; });
  return out.str();
}

}  // namespace

const toml::node* TomlSection::State::find_one(const TomlSection& section, std::string_view key) {
  const toml::node* node = find(section.table_, key);
  const toml::array* values = node == nullptr ? nullptr : node->as_array();
  const bool several = values != nullptr && !values->empty();
  return several && sweeping && section.sweeps_ ? chosen(*values, section.path(key)) : node;
}

const toml::node* TomlSection::State::find_list(const TomlSection& section, std::string_view key) {
  const toml::node* node = find(section.table_, key);
  const toml::array* values = node == nullptr ? nullptr : node->as_array();
  const bool several =
      values != nullptr && !values->empty() &&
      std::ranges::all_of(*values, [](const toml::node& n) { return n.is_array(); });
  return several && sweeping && section.sweeps_ ? chosen(*values, section.path(key)) : node;
}

const toml::node* TomlSection::State::chosen(const toml::array& values, const std::string& key) {
  if (std::ranges::find(axes, key, &TomlAxis::key) == axes.end()) {
    TomlAxis axis{key, {}};
    for (const toml::node& value : values) axis.values.push_back(text_of(value));
    axes.push_back(std::move(axis));
  }
  const auto place = choice.find(key);
  return values.get(place == choice.end() ? 0 : place->second);
}

TomlSection::TomlSection(std::shared_ptr<State> state, const void* table, std::string name,
                         bool sweeps)
    : state_(std::move(state)), table_(table), name_(std::move(name)), sweeps_(sweeps) {
  if (table_ != nullptr) state_->known[static_cast<const toml::table*>(table_)];
}

std::string TomlSection::path(std::string_view key) const {
  return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
}

std::string TomlSection::label(std::string_view key) const {
  return name_.empty() ? std::string(key) : fmt::format("[{}] {}", name_, key);
}

std::string TomlSection::at(std::string_view key) const {
  if (table_ == nullptr) return state_->where;
  const auto* table = static_cast<const toml::table*>(table_);
  if (const toml::node* node = table->get(key)) return state_->place(*node, node->source());
  return table == &state_->root ? state_->where : state_->place(table->source());
}

InputError TomlSection::error(std::string_view key, std::string_view problem,
                              std::string remedy) const {
  return {fmt::format("{} {}", label(key), problem), at(key), std::move(remedy)};
}

InputError TomlSection::not_allowed(std::string_view key, std::string_view what) const {
  return error(key, "has a value that is not allowed", fmt::format("write {}", what));
}

bool TomlSection::has(std::string_view key) { return state_->find(table_, key) != nullptr; }

void TomlSection::read(std::string_view key, std::string& value) {
  const toml::node* node = state_->find_one(*this, key);
  if (node == nullptr) return;
  const auto* text = node->as_string();
  if (text == nullptr) throw not_allowed(key, "a string in quotes");
  value = text->get();
}

void TomlSection::read(std::string_view key, bool& value) {
  const toml::node* node = state_->find_one(*this, key);
  if (node == nullptr) return;
  const auto* flag = node->as_boolean();
  if (flag == nullptr) throw not_allowed(key, "true or false");
  value = flag->get();
}

void TomlSection::read(std::string_view key, double& value, NumberRange range) {
  const toml::node* node = state_->find_one(*this, key);
  if (node == nullptr) return;
  const auto n = number_of(*node, range);
  if (!n) throw not_allowed(key, allowed(range, false));
  value = *n;
}

bool TomlSection::read_whole(std::string_view key, const WholeRange& range, std::int64_t& number) {
  const toml::node* node = state_->find_one(*this, key);
  if (node == nullptr) return false;
  const auto n = number_of(*node, range);
  if (!n) throw not_allowed(key, allowed(range, false));
  number = *n;
  return true;
}

std::size_t TomlSection::word(std::string_view key, const std::vector<std::string_view>& words) {
  const toml::node* node = state_->find_one(*this, key);
  if (node == nullptr) return words.size();
  const auto* text = node->as_string();
  const auto it = text == nullptr ? words.end() : std::ranges::find(words, text->get());
  if (it == words.end()) throw not_allowed(key, fmt::format("one of {}", fmt::join(words, ", ")));
  return static_cast<std::size_t>(it - words.begin());
}

namespace {

/// Calls `take` for each element of a list; a single value counts as a list of one. Returns false
/// if the list is too long or if `take` rejects an element.
template <class Take>
bool each(const toml::node* node, std::size_t count_max, Take&& take) {
  const toml::array* list = node->as_array();
  if (list == nullptr) return take(*node);
  if (list->size() > count_max) return false;
  return std::ranges::all_of(*list, [&](const toml::node& n) { return take(n); });
}

std::string a_list(std::size_t count_max, const std::string& elements) {
  return fmt::format("a list of at most {} {}", count_max, elements);
}

}  // namespace

void TomlSection::read(std::string_view key, std::vector<std::string>& values,
                       std::size_t count_max) {
  const toml::node* node = state_->find_list(*this, key);
  if (node == nullptr) return;
  std::vector<std::string> read;
  const auto take = [&](const toml::node& n) {
    if (const auto* text = n.as_string()) read.push_back(text->get());
    return n.is_string();
  };
  if (!each(node, count_max, take)) throw not_allowed(key, a_list(count_max, "strings in quotes"));
  values = std::move(read);
}

void TomlSection::read(std::string_view key, std::vector<double>& values, std::size_t count_max,
                       NumberRange range) {
  const toml::node* node = state_->find_list(*this, key);
  if (node == nullptr) return;
  std::vector<double> read;
  const auto take = [&](const toml::node& n) {
    const auto number = number_of(n, range);
    if (number) read.push_back(*number);
    return number.has_value();
  };
  if (!each(node, count_max, take)) throw not_allowed(key, a_list(count_max, allowed(range, true)));
  values = std::move(read);
}

bool TomlSection::read_wholes(std::string_view key, std::size_t count_max, const WholeRange& range,
                              std::vector<std::int64_t>& numbers) {
  const toml::node* node = state_->find_list(*this, key);
  if (node == nullptr) return false;
  const auto take = [&](const toml::node& n) {
    const auto number = number_of(n, range);
    if (number) numbers.push_back(*number);
    return number.has_value();
  };
  if (!each(node, count_max, take)) throw not_allowed(key, a_list(count_max, allowed(range, true)));
  return true;
}

TomlSection TomlSection::section(std::string_view key) {
  const toml::node* node = state_->find(table_, key);
  std::string name = path(key);
  if (node != nullptr && !node->is_table())
    throw InputError(fmt::format("'{}' is not a section", name), at(key),
                     fmt::format("write [{}] and its keys below", name));
  return {state_, node == nullptr ? nullptr : node->as_table(), std::move(name), sweeps_};
}

std::vector<TomlSection> TomlSection::sections(std::string_view key) {
  const toml::node* node = state_->find(table_, key);
  if (node == nullptr) return {};
  const std::string name = path(key);
  const toml::array* list = node->as_array();
  std::vector<TomlSection> all;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
    if (const toml::table* table = (*list)[i].as_table())
      all.push_back({state_, table, name, false});
  if (list == nullptr || all.size() != list->size())
    throw InputError(fmt::format("'{}' is not a list of sections", name), at(key),
                     fmt::format("write [[{}]] and its keys below, once for each", name));
  return all;
}

// NOLINTNEXTLINE(misc-no-recursion)
void TomlSection::State::check(const toml::table& table, const std::string& name) const {
  const auto asked = known.find(&table);
  if (asked == known.end()) return;  // the key was read as a value, not as a table
  const std::vector<std::string>& keys = asked->second;
  for (const auto& [key, node] : table) {
    if (std::ranges::find(keys, key.str()) == keys.end()) {
      std::string remedy = keys.empty() ? std::string("take it out")
                                        : fmt::format("known: {}", fmt::join(keys, ", "));
      if (const std::string_view meant = nearest(key.str(), keys); !meant.empty())
        remedy = fmt::format("did you mean '{}'? {}", meant, remedy);
      throw InputError(fmt::format("unknown key '{}' in {}", key.str(),
                                   name.empty() ? "the file" : fmt::format("[{}]", name)),
                       place(node, key.source()), remedy);
    }
    const std::string below =
        name.empty() ? std::string(key.str()) : fmt::format("{}.{}", name, key.str());
    if (const toml::table* t = node.as_table()) check(*t, below);
    if (const toml::array* list = node.as_array())
      for (const toml::node& n : *list)
        if (const toml::table* t = n.as_table()) check(*t, below);
  }
}

namespace {

/// toml++ limits how deep values can be nested, but not how many parts a dotted key has. Each part
/// becomes a nested table, and these are destroyed recursively. So a key with too many parts is
/// refused.
void refuse_long_keys(std::string_view text, const std::string& where) {
  constexpr unsigned kMostParts = 1000;
  unsigned parts = 1;
  for (const char c : text) {
    if (c == '\n' || c == '=' || c == ',' || c == '{') parts = 0;
    parts += c == '.' ? 1 : 0;
    if (parts > kMostParts)
      throw InputError(fmt::format("a key has more than {} parts", kMostParts), where,
                       "give the intended file");
  }
}

}  // namespace

TomlFile TomlFile::parse(std::string_view text, std::string where) {
  refuse_long_keys(text, where);
  auto state = std::make_shared<TomlSection::State>();
  state->where = std::move(where);
  try {
    state->root = toml::parse(text);
  } catch (const toml::parse_error& e) {
    throw InputError(std::string(e.description()), state->place(e.source()),
                     "correct the TOML at this line");
  }
  return TomlFile(std::move(state));
}

TomlFile TomlFile::load(const std::string& path, std::string_view what) {
  std::ifstream in(path, std::ios::binary);
  std::string text(kTomlBytesMax + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || (!in.eof() && in.gcount() <= static_cast<std::streamsize>(kTomlBytesMax)))
    throw InputError(fmt::format("cannot read {}", what), path, "give a file that can be read");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kTomlBytesMax)
    throw InputError(fmt::format("{} is longer than {} bytes", what, kTomlBytesMax), path,
                     "give the intended file");
  return parse(text, path);
}

void TomlFile::set(std::string_view key, std::string_view value) {
  const std::string words = fmt::format("{}={}", key, value);
  refuse_long_keys(words, "a key to be set");
  const auto refuse = [&](const char* problem) {
    throw InputError(problem, fmt::format("'{}'", words), "write SECTION.KEY=VALUE");
  };
  toml::table parsed;
  try {
    parsed = toml::parse(fmt::format("value = {}", value));
  } catch (const toml::parse_error&) {
    parsed.insert("value", std::string(value));
  }
  toml::table* table = &state_->root;
  std::string_view left = key;
  for (std::size_t dot; (dot = left.find('.')) != std::string_view::npos;
       left.remove_prefix(dot + 1)) {
    const auto [below, is_new] = table->insert(left.substr(0, dot), toml::table{});
    if (is_new) state_->given.insert_or_assign(&below->second, words);
    table = below->second.as_table();
    if (table == nullptr) refuse("a key is set in something that is not a section");
  }
  if (left.empty()) refuse("a key has no name");
  if (const toml::node* old = table->get(left)) state_->given.erase(old);
  toml::node& node = table->insert_or_assign(left, std::move(*parsed.get("value"))).first->second;
  state_->given.insert_or_assign(&node, words);
}

void TomlFile::sweep(TomlChoice choice) {
  state_->sweeping = true;
  state_->choice = std::move(choice);
  state_->axes.clear();
}

const std::vector<TomlAxis>& TomlFile::axes() const { return state_->axes; }

TomlSection TomlFile::root() const { return {state_, &state_->root, "", true}; }

void TomlFile::done() const { state_->check(state_->root, ""); }

}  // namespace selvedge
