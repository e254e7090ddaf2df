// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace selvedge::service {
namespace {

using namespace protocol;

std::string place(const std::string& where, const toml::source_region& at) {
  return fmt::format("{}:{}", where, at.begin.line);
}

[[noreturn]] void unknown(std::string_view key, const std::vector<std::string>& known,
                          const std::string& scope, const std::string& at) {
  std::string remedy = fmt::format("known: {}", fmt::join(known, ", "));
  if (const std::string_view meant = nearest(key, known); !meant.empty())
    remedy = fmt::format("did you mean '{}'? {}", meant, remedy);
  throw InputError(fmt::format("unknown key '{}' in {}", key, scope), at, remedy);
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
      if (!node->is_string()) wrong(key, *node, "a string in quotes");
      value = node->as_string()->get();
    }
  }
  void read(const char* key, bool& value) {
    if (const toml::node* node = find(key)) {
      if (!node->is_boolean()) wrong(key, *node, "true or false");
      value = node->as_boolean()->get();
    }
  }
  template <class T>
  void read(const char* key, T& value, std::int64_t least, std::int64_t most) {
    if (const toml::node* node = find(key)) {
      const auto* number = node->as_integer();
      if (number == nullptr || number->get() < least || number->get() > most)
        wrong(key, *node, fmt::format("a whole number from {} to {}", least, most));
      value = static_cast<T>(number->get());
    }
  }
  /// A list of at most so many numbers.
  void read(const char* key, std::vector<std::uint32_t>& values, std::size_t count_max,
            std::int64_t least, std::int64_t most) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto allowed =
        fmt::format("a list of at most {} whole numbers from {} to {}", count_max, least, most);
    const toml::array* list = node->as_array();
    if (list == nullptr || list->size() > count_max) wrong(key, *node, allowed);
    values.clear();
    for (const toml::node& element : *list) {
      const auto* number = element.as_integer();
      if (number == nullptr || number->get() < least || number->get() > most)
        wrong(key, element, allowed);
      values.push_back(static_cast<std::uint32_t>(number->get()));
    }
  }
  void share(const char* key, double& value) {
    if (const toml::node* node = find(key)) {
      const auto number = node->value<double>();
      if (!number || !(*number >= 0 && *number < 1)) wrong(key, *node, "a share from 0 to below 1");
      value = *number;
    }
  }
  template <class T>
  void choose(const char* key, T& value, const std::vector<std::string_view>& words) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto* text = node->as_string();
    const auto it = text == nullptr ? words.end() : std::ranges::find(words, text->get());
    if (it == words.end()) wrong(key, *node, fmt::format("one of {}", fmt::join(words, ", ")));
    value = static_cast<T>(it - words.begin());
  }
  std::string at(const char* key) const {
    const toml::node* node = table_ == nullptr ? nullptr : table_->get(key);
    return node == nullptr ? where_ : place(where_, node->source());
  }

  ~Section() noexcept(false) {
    if (table_ == nullptr || std::uncaught_exceptions() != 0) return;
    for (const auto& [key, node] : *table_)
      if (std::ranges::find(known_, key.str()) == known_.end())
        unknown(key.str(), known_, fmt::format("[{}]", name_), place(where_, key.source()));
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

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address.starts_with("[::1]:");
}

void check_listen(const char* section, const std::string& address, bool insecure,
                  const std::string& at) {
  transport::parse_address(address, at);
  if (!insecure && !is_loopback(address))
    throw InputError(
        fmt::format("[{}] listen '{}' is reached from other machines, unencrypted", section,
                    address),
        at, "listen to a loopback address, or write insecure = true if the network is trusted");
}

}  // namespace

DaemonConfig parse_daemon_config(std::string_view text, const std::string& where) {
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& e) {
    throw InputError(std::string(e.description()), place(where, e.source()),
                     "correct the TOML at this line");
  }
  const std::vector<std::string> sections = {"daemon",    "udp",   "verbs",   "memory",
                                             "injection", "paths", "metrics", "impair"};
  for (const auto& [key, node] : root)
    if (std::ranges::find(sections, key.str()) == sections.end())
      unknown(key.str(), sections, "the file", place(where, key.source()));

  DaemonConfig c;
  {
    Section s(root, "daemon", where);
    int poll = 0;
    s.choose("backend", c.backend, {"udp", "verbs"});
    s.read("socket", c.socket);
    if (c.socket.empty() || c.socket.size() > 107)
      throw InputError("[daemon] socket is not a Unix socket's path", s.at("socket"),
                       "write a path of 1 to 107 bytes");
    s.choose("poll", poll, {"sleep", "busy"});
    c.busy = poll == 1;
    s.read("spin_us", c.spin_us, 0, 1'000'000);
    s.read("clients_max", c.clients_max, 1, 65'536);
    s.read("client_connections_max", c.client_connections_max, 1, kConnectionsMax);
    s.read("ring_bytes", c.ring_bytes, 2 << 20, 1 << 30);
    if (!std::has_single_bit(c.ring_bytes))
      throw InputError("[daemon] ring_bytes has a value that is not allowed", s.at("ring_bytes"),
                       "write a power of two from 2097152 to 1073741824");
  }
  {
    Section s(root, "udp", where);
    s.read("listen", c.udp.listen);
    const bool loopback = is_loopback(c.udp.listen);
    unsigned mtu = loopback ? 65'536 : 1'500;
    s.read("paths", c.udp.paths, 1, kPathsMax);
    s.read("mtu", mtu, kMtuBytesMin, 65'536);
    s.read("socket_bytes", c.udp.socket_bytes, 64 << 10, 1 << 30);
    s.read("segmentation", c.udp.segmentation);
    s.read("insecure", c.insecure);
    // When packets go over verbs their port says how long they are.
    c.endpoint.payload_bytes = static_cast<std::uint16_t>(
        std::min(kPayloadBytesDefault, mtu - kLowerHeadersBytesMax - kHeaderBytes));
    check_listen("udp", c.udp.listen, c.insecure, s.at("listen"));
  }
  {
    Section s(root, "verbs", where);
    bool insecure = false;
    s.read("listen", c.verbs.listen);
    s.read("device", c.verbs.port.device);
    s.read("port", c.verbs.port.port, 0, 254);
    s.read("gids", c.verbs.port.gids, kPathsMax, 0, 255);
    s.read("paths", c.verbs.paths, 1, kPathsMax);
    s.read("insecure", insecure);
    check_listen("verbs", c.verbs.listen, insecure, s.at("listen"));
    if (c.backend == transport::Backend::kVerbs) c.insecure = insecure;
  }
  {
    Section s(root, "memory", where);
    s.choose("policy", c.endpoint.policy, {"dynamic", "static"});
    s.read("total_bytes", c.endpoint.memory_bytes, 0, std::int64_t{1} << 40);
    s.read("per_connection_bytes", c.endpoint.memory_bytes_per_connection, 0,
           std::int64_t{1} << 40);
  }
  {
    Section s(root, "injection", where);
    s.choose("mode", c.endpoint.sender.injection, {"li", "lw", "none"});
    if (c.endpoint.sender.injection == InjectionMode::kLw &&
        c.endpoint.policy != MemoryPolicy::kStatic)
      throw InputError("[injection] mode \"lw\" needs to know the peer's free memory", s.at("mode"),
                       "write policy = \"static\" in [memory] at both ends, or mode = \"li\"");
  }
  {
    Section s(root, "paths", where);
    s.choose("choice", c.endpoint.sender.paths.choice,
             {"round-robin", "least-outstanding", "two-choices"});
    s.read("burst_packets", c.endpoint.sender.burst_packets, 1, kBurstPacketsMax);
    s.read("in_flight_packets", c.endpoint.sender.in_flight_packets, 1, kWindowPacketsDefault);
    c.endpoint.sender.paths.paths =
        c.backend == transport::Backend::kUdp ? c.udp.paths : c.verbs.paths;
  }
  {
    Section s(root, "metrics", where);
    s.read("listen", c.metrics_listen);
    if (!c.metrics_listen.empty()) transport::parse_address(c.metrics_listen, s.at("listen"));
  }
  {
    Section s(root, "impair", where);
    transport::ImpairConfig& i = c.impair;
    s.share("loss", i.loss);
    s.share("duplicate", i.duplicate);
    s.share("reorder", i.reorder);
    s.read("reorder_depth", i.reorder_depth, 1, 100'000);
    s.read("seed", i.seed, 0, INT64_MAX);
  }
  return c;
}

DaemonConfig load_daemon_config(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in) throw InputError("cannot read the configuration", path, "give a file that can be read");
  return parse_daemon_config(text.str(), path);
}

}  // namespace selvedge::service
