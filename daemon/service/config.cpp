// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "base/toml_section.hpp"
#include "daemon/service/keys.hpp"
#include "daemon/service/placement.hpp"

namespace selvedge::service {
namespace {

using namespace protocol;

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address.starts_with("[::1]:");
}

void check_listen(const TomlSection& s, const std::string& address, bool secure) {
  transport::parse_address(address, s.at("listen"));
  if (!secure && !is_loopback(address))
    throw s.error("listen",
                  fmt::format("'{}' is reachable from other machines, unencrypted", address),
                  "write [seal] keys = \"FILE\" (`selvedged --new-key` makes a key), or "
                  "insecure = true if the network is trusted");
}

void read_seal(TomlSection s, DaemonConfig& c) {
  s.read("keys", c.keys_file);
  int cipher = 0;
  s.choose("cipher", cipher, {"chacha20-poly1305", "aes-256-gcm"});
  c.seal.cipher = cipher == 0 ? Cipher::kChaCha20Poly1305 : Cipher::kAes256Gcm;
}

constexpr std::size_t kUsersMax = 1'024;
constexpr NumberRange kShare{.least = 0, .most = 1, .unit = {}, .most_excluded = true};

void read_daemon(TomlSection s, DaemonConfig& c) {
  int poll = 0;
  s.choose("backend", c.backend, {"udp", "verbs"});
  s.read("socket", c.socket);
  if (c.socket.empty() || c.socket.size() > 107)
    throw s.error("socket", "is not a Unix socket's path", "write a path of 1 to 107 bytes");
  s.choose("poll", poll, {"sleep", "busy"});
  c.busy = poll == 1;
  s.read("spin_us", c.spin_us, {.least = 0, .most = 1'000'000});
  s.read("user", c.user);
  s.read("group", c.group);
  if (c.user.empty() && !c.group.empty())
    throw s.error("group", "without a user", "write [daemon] user too");
  s.read("users", c.users, kUsersMax);
  constexpr unsigned modes[] = {0660, 0600, 0666};
  unsigned mode = 0;
  s.choose("mode", mode, {"0660", "0600", "0666"});
  c.mode = modes[mode];
  s.read("workers", c.workers, {.least = 1, .most = kWorkersMax});
  s.read("oversubscribe", c.oversubscribe);
  s.read("cpus", c.cpus);
  if (!c.cpus.empty() && !parse_cpus(c.cpus))
    throw s.not_allowed("cpus", fmt::format("CPUs below {} as \"0\" or \"0-3,8\"", kCpusMax));
  s.read("numa_node", c.numa_node, {.least = -1, .most = kCpusMax - 1});
  s.read("clients_max", c.clients_max, {.least = 1, .most = 65'536});
  s.read("client_connections_max", c.client_connections_max, {.least = 1, .most = kConnectionsMax});
  s.read("ring_bytes", c.ring_bytes, {.least = 2 << 20, .most = 1 << 30});
  if (!std::has_single_bit(c.ring_bytes))
    throw s.not_allowed("ring_bytes", "a power of two from 2097152 to 1073741824");
}

/// To be called after read_seal(): keys shorten the payload, and permit addresses other than
/// loopback.
void read_udp(TomlSection s, DaemonConfig& c) {
  s.read("listen", c.udp.listen);
  unsigned mtu = is_loopback(c.udp.listen) ? 65'536 : 1'500;
  s.read("paths", c.udp.paths, {.least = 1, .most = kPathsMax});
  s.read("mtu", mtu, {.least = kMtuBytesMin, .most = 65'536, .unit = "bytes"});
  s.read("socket_bytes", c.udp.socket_bytes, {.least = 64 << 10, .most = 1 << 30});
  s.read("segmentation", c.udp.segmentation);
  s.read("insecure", c.insecure);
  // This value is for UDP. With verbs, endpoint_of() in server.cpp replaces it by that of the
  // port's MTU.
  c.endpoint.payload_bytes = static_cast<std::uint16_t>(std::min(
      kPayloadBytesDefault,
      mtu - kLowerHeadersBytesMax - kHeaderBytes - (c.keys_file.empty() ? kCrcBytes : kSealBytes)));
  check_listen(s, c.udp.listen, c.insecure || !c.keys_file.empty());
}

void read_verbs(TomlSection s, DaemonConfig& c) {
  bool insecure = false;
  s.read("listen", c.verbs.listen);
  s.read("device", c.verbs.port.device);
  s.read("port", c.verbs.port.port, {.least = 0, .most = 254});
  s.read("gids", c.verbs.port.gids, kPathsMax, {.least = 0, .most = 255});
  s.read("paths", c.verbs.paths, {.least = 1, .most = kPathsMax});
  s.read("insecure", insecure);
  check_listen(s, c.verbs.listen, insecure || !c.keys_file.empty());
  if (c.backend == transport::Backend::kVerbs) c.insecure = insecure;
}

/// To be called after read_udp(), which sets the length of packets. A budget of less than a packet
/// would store none, as 0 does, but unnoticed.
void read_memory(TomlSection s, DaemonConfig& c) {
  EndpointConfig& e = c.endpoint;
  constexpr WholeRange bytes{.least = 0, .most = std::int64_t{1} << 40};
  s.choose("policy", e.policy, {"dynamic", "static"});
  s.read("total_bytes", e.memory_bytes, bytes);
  s.read("per_connection_bytes", e.memory_bytes_per_connection, bytes);
  const std::size_t packet_bytes = stored_packet_bytes(c);
  const auto check = [&](std::string_view key, std::size_t value, unsigned packets,
                         std::string_view whose) {
    if (value == 0 || value >= packets * packet_bytes) return;
    throw s.error(
        key, fmt::format("is {}, less than a packet of {} bytes{}", value, packet_bytes, whose),
        fmt::format("write {} or more, or 0 to store no early packets", packets * packet_bytes));
  };
  // Workers divide the memory, so each must have a packet's.
  check("total_bytes", e.memory_bytes, c.workers, c.workers > 1 ? " for each worker" : "");
  check("per_connection_bytes", e.memory_bytes_per_connection, 1, "");
}

/// To be called after read_memory(): mode lw requires static memory.
void read_injection(TomlSection s, EndpointConfig& e) {
  s.choose("mode", e.sender.injection, {"li", "lw", "none", "credits"});
  if (e.sender.injection == InjectionMode::kLw && e.policy != MemoryPolicy::kStatic)
    throw s.error("mode", "\"lw\" needs to know the peer's free memory",
                  "write policy = \"static\" in [memory] at both ends, or mode = \"credits\"");
}

void read_paths(TomlSection s, SenderConfig& c) {
  s.choose("choice", c.paths.choice, {"round-robin", "least-outstanding", "two-choices"});
  s.choose("overtaking", c.paths.overtaking, {"loss", "measured"});
  s.choose("congestion", c.congestion, {"delay", "off"});
  s.read("empty_rtt_us", c.empty_rtt_us, {.least = 10, .most = 1'000'000});
  s.read("burst_packets", c.burst_packets, {.least = 1, .most = kBurstPacketsMax});
  s.read("in_flight_packets", c.in_flight_packets, {.least = 1, .most = kWindowPacketsDefault});
}

void read_limits(TomlSection s, DaemonConfig& c) {
  constexpr WholeRange bytes{.least = 4 << 20, .most = std::int64_t{1} << 44};
  s.read("user_clients", c.limits.clients, {.least = 1, .most = 65'536});
  s.read("user_connections", c.limits.connections, {.least = 1, .most = kConnectionsMax});
  s.read("user_ring_bytes", c.limits.ring_bytes, bytes);
  s.read("ring_bytes", c.limits.all_ring_bytes, bytes);
  SourceLimits& sources = c.endpoint.sources;
  s.read("source_connections", sources.connections, {.least = 1, .most = kConnectionsMax});
  s.read("source_half_open", sources.half_open, {.least = 1, .most = kConnectionsMax});
  s.read("source_new_per_second", sources.new_per_second, {.least = 1, .most = 1'000'000});
  if (c.limits.all_ring_bytes < 2ull * c.ring_bytes || c.limits.ring_bytes < 2ull * c.ring_bytes)
    throw s.error("ring_bytes", "less than the two rings of one connection",
                  "write 2 times [daemon] ring_bytes, or more, here and as user_ring_bytes");
}

void read_metrics(TomlSection s, DaemonConfig& c) {
  s.read("listen", c.metrics_listen);
  if (!c.metrics_listen.empty()) transport::parse_address(c.metrics_listen, s.at("listen"));
}

/// paths: how many there are.
void read_impair(TomlSection s, transport::ImpairConfig& i, unsigned paths) {
  s.read("loss", i.loss, kShare);
  s.read("duplicate", i.duplicate, kShare);
  s.read("reorder", i.reorder, kShare);
  s.read("reorder_depth", i.reorder_depth, {.least = 1, .most = 100'000});
  s.read("jitter_us", i.jitter_us, {.least = 0, .most = 1'000'000});
  s.read("paths", i.paths, kPathsMax, {.least = 0, .most = paths - 1});
  s.read("seed", i.seed, {});
}

DaemonConfig config_of(const TomlFile& file) {
  TomlSection root = file.root();
  DaemonConfig c;
  read_daemon(root.section("daemon"), c);
  read_seal(root.section("seal"), c);
  read_udp(root.section("udp"), c);
  read_verbs(root.section("verbs"), c);
  read_memory(root.section("memory"), c);
  read_injection(root.section("injection"), c.endpoint);
  read_paths(root.section("paths"), c.endpoint.sender);
  read_limits(root.section("limits"), c);
  read_metrics(root.section("metrics"), c);
  c.endpoint.sender.paths.paths =
      c.backend == transport::Backend::kUdp ? c.udp.paths : c.verbs.paths;
  read_impair(root.section("impair"), c.impair, c.endpoint.sender.paths.paths);
  file.done();
  return c;
}

}  // namespace

std::size_t stored_packet_bytes(const DaemonConfig& c) {
  const unsigned payload_bytes =
      c.backend == transport::Backend::kUdp ? c.endpoint.payload_bytes : kPayloadBytesDefault;
  return std::size_t{slots_of(payload_bytes)} * kSlotBytes;
}

DaemonConfig parse_daemon_config(std::string_view text, const std::string& where) {
  return config_of(TomlFile::parse(text, where));
}

DaemonConfig load_daemon_config(const std::string& path) {
  DaemonConfig c = config_of(TomlFile::load(path));
  if (!c.keys_file.empty()) c.seal.keys = load_keys(c.keys_file);
  for (const std::string& user : c.users)
    c.user_ids.push_back(resolve_user(user, "[daemon] users"));
  return c;
}

}  // namespace selvedge::service
