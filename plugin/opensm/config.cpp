// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace selvedge {
namespace {

std::string place(const std::string& where, const toml::source_region& at) {
  return fmt::format("{}:{}", where, at.begin.line);
}

/// Reads the keys of one section, ticks them off, and complains about what is left.
class Section {
 public:
  Section(const toml::table& root, std::string name, const std::string& where)
      : name_(std::move(name)), where_(where) {
    const toml::node* node = root.get(name_);
    if (node == nullptr) return;
    table_ = node->as_table();
    if (table_ == nullptr)
      throw InputError(fmt::format("'{}' is not a section", name_), place(where_, node->source()),
                       fmt::format("write [{}] and its keys below", name_));
  }

  void read(const char* key, std::string& value) {
    if (const toml::node* node = find(key)) {
      const auto* text = node->as_string();
      if (text == nullptr) wrong(key, *node, "a string in quotes");
      value = text->get();
    }
  }
  void read(const char* key, bool& value) {
    if (const toml::node* node = find(key)) {
      const auto* flag = node->as_boolean();
      if (flag == nullptr) wrong(key, *node, "true or false");
      value = flag->get();
    }
  }
  void read(const char* key, unsigned& value, unsigned least, unsigned most) {
    if (const toml::node* node = find(key)) {
      const auto* number = node->as_integer();
      if (number == nullptr || number->get() < least || number->get() > most)
        wrong(key, *node, fmt::format("a whole number from {} to {}", least, most));
      value = static_cast<unsigned>(number->get());
    }
  }
  /// A string out of a list; returns its index, or `current` if the key is absent.
  std::size_t choose(const char* key, std::size_t current,
                     const std::vector<std::string_view>& words) {
    const toml::node* node = find(key);
    if (node == nullptr) return current;
    const auto* text = node->as_string();
    const auto it = text == nullptr ? words.end() : std::ranges::find(words, text->get());
    if (it == words.end()) wrong(key, *node, fmt::format("one of {}", fmt::join(words, ", ")));
    return static_cast<std::size_t>(it - words.begin());
  }

  void no_other_keys() const {
    if (table_ == nullptr) return;
    for (const auto& [key, node] : *table_)
      if (std::ranges::find(known_, key.str()) == known_.end())
        unknown(key.str(), known_, fmt::format("[{}]", name_), place(where_, key.source()));
  }

  [[noreturn]] static void unknown(std::string_view key, const std::vector<std::string>& known,
                                   const std::string& scope, const std::string& at) {
    std::string remedy = fmt::format("known: {}", fmt::join(known, ", "));
    if (const std::string_view meant = nearest(key, known); !meant.empty())
      remedy = fmt::format("did you mean '{}'? {}", meant, remedy);
    throw InputError(fmt::format("unknown key '{}' in {}", key, scope), at, remedy);
  }

 private:
  const toml::node* find(const char* key) {
    known_.emplace_back(key);
    return table_ == nullptr ? nullptr : table_->get(key);
  }
  [[noreturn]] void wrong(const char* key, const toml::node& node, const std::string& allowed) {
    throw InputError(fmt::format("[{}] {} has a value that is not allowed", name_, key),
                     place(where_, node.source()), "write " + allowed);
  }

  std::string name_;
  const std::string& where_;
  const toml::table* table_ = nullptr;
  std::vector<std::string> known_;
};

}  // namespace

PluginConfig parse_plugin_config(std::string_view text, const std::string& where) {
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& e) {
    throw InputError(std::string(e.description()), place(where, e.source()),
                     "correct the TOML at this line");
  }
  const std::vector<std::string> sections = {"engine", "adopt", "repair", "status"};
  for (const auto& [key, node] : root)
    if (std::ranges::find(sections, key.str()) == sections.end())
      Section::unknown(key.str(), sections, "the file", place(where, key.source()));

  PluginConfig config;
  Section engine(root, "engine", where);
  engine.read("root", config.root);
  config.tree = engine.choose("tree", 0, {"bfs", "dfs"}) == 0 ? EngineRequest::Tree::kBfs
                                                              : EngineRequest::Tree::kDfs;
  engine.read("max_vls", config.max_vls, 1, kMaxDataVls);
  engine.read("max_sls", config.max_sls, 1, kSls);
  std::vector<std::string_view> fallbacks = {"opensm"};
  for (const Engine* e : engines()) fallbacks.push_back(e->name);
  config.fallback = fallbacks[engine.choose(
      "fallback", std::ranges::find(fallbacks, config.fallback) - fallbacks.begin(), fallbacks)];
  engine.no_other_keys();

  Section adopt(root, "adopt", where);
  adopt.read("enabled", config.adopt);
  adopt.no_other_keys();

  Section repair(root, "repair", where);
  repair.read("fast_path", config.fast_path);
  repair.read("agent", config.agent);
  repair.read("smp_timeout_ms", config.smp_timeout_ms, 1, 60'000);
  repair.read("smp_tries", config.smp_tries, 1, 100);
  repair.read("drain_ms", config.drain_ms, 0, 10'000);
  repair.read("drained", config.drained);
  repair.read("drift_percent", config.drift.percent, 0, 1000);
  repair.read("drift_quiet_s", config.drift.quiet_s, 0, 86'400);
  repair.read("flap_limit", config.flaps.limit, 1, 1000);
  repair.read("flap_window_s", config.flaps.window_s, 1, 3600);
  repair.read("flap_hold_s", config.flaps.hold_s, 1, 86'400);
  repair.no_other_keys();

  Section status(root, "status", where);
  status.read("socket", config.socket);
  status.read("file", config.file);
  status.read("events", config.events, 16, 1u << 20);
  status.no_other_keys();
  if (config.socket.size() > 107)
    throw InputError("[status] socket is too long", where,
                     "a Unix socket's path has at most 107 bytes");
  return config;
}

PluginConfig read_plugin_config(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  char buffer[4096];
  while (in.read(buffer, sizeof(buffer)) || in.gcount() > 0)
    text.append(buffer, static_cast<std::size_t>(in.gcount()));
  if (!in.eof() || in.bad())  // not there, not ours, a folder; an empty file is fine
    throw InputError("cannot read the plugin's configuration", path,
                     "check the path in event_plugin_options and the file's mode");
  return parse_plugin_config(text, path);
}

std::optional<std::string> config_path(const char* event_plugin_options) {
  constexpr std::string_view kMark = "selvedge:";
  if (event_plugin_options == nullptr) return std::nullopt;
  std::istringstream words(event_plugin_options);
  for (std::string word; words >> word;)
    if (word.starts_with(kMark)) return word.substr(kMark.size());
  return std::nullopt;
}

}  // namespace selvedge
