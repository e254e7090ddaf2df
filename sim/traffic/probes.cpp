// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/probes.hpp"

#include <algorithm>
#include <ranges>

#include "plugin/tables/paths.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kKindShift = 26;  // of a tag: above it the kind, below it the connection
/// After a lost message the source tries the same path again. It knows of the loss by this
/// time-out.
constexpr double kTimeoutNs = 1e6;

Probes::ConnectionId connection_of(const Delivery& d) {
  return d.tag & (Probes::kMaxConnections - 1);
}

bool belongs_to(const Host& host, Lid lid) {
  return lid >= host.lid && lid < host.lid + host.lid_count();
}

}  // namespace

std::vector<ProbedPath> probed_paths(const Fabric& fabric, const Tables& tables, HostId from,
                                     HostId to) {
  const Host &source = fabric.host(from), &destination = fabric.host(to);
  const auto walked = [&](const Host& a, const Host& b) {
    std::vector<Path> all;
    for (unsigned i = 0; i < b.lid_count(); ++i)
      all.push_back(walk(fabric, tables, a.at, a.port, static_cast<Lid>(b.lid + i)));
    return all;
  };
  const std::vector<Path> there = walked(source, destination), home = walked(destination, source);
  std::vector<ProbedPath> paths;
  for (unsigned offset = 0; offset < there.size(); ++offset) {
    const std::vector<Channel>& channels = there[offset].channels;
    if (!there[offset].arrives()) continue;
    if (std::ranges::any_of(paths, [&](const ProbedPath& p) {
          return std::ranges::equal(
              p.channels | std::views::drop(1) | std::views::take(p.channels.size() - 2), channels);
        }))
      continue;
    ProbedPath path{.offset = offset, .channels = {fabric.injection(from)}};
    path.channels.insert(path.channels.end(), channels.begin(), channels.end());
    path.channels.push_back(fabric.peer(fabric.injection(to)));
    for (unsigned back = 0; back < home.size(); ++back) {
      const bool reversed = std::ranges::equal(home[back].channels, channels | std::views::reverse,
                                               {}, {}, [&](Channel c) { return fabric.peer(c); });
      if (!home[back].arrives() || !reversed) continue;
      path.back = back;
      break;
    }
    paths.push_back(std::move(path));
  }
  std::ranges::stable_sort(paths, {}, [](const ProbedPath& p) { return p.channels.size(); });
  return paths;
}

Probes::Probes(const Fabric& fabric, const Tables& tables, const Model& model, std::size_t classes,
               std::uint8_t rule, std::uint32_t tag_base)
    : fabric_(fabric),
      tables_(tables),
      model_(model),
      rule_(rule),
      tag_base_(tag_base),
      timeout_(model.time_base.at(kTimeoutNs)),
      reserved_(fabric.num_channels()),
      to_send_(fabric.num_hosts()),
      admission_(classes) {}

Probes::ConnectionId Probes::add(const Connection& connection, Tick start) {
  const auto id = static_cast<ConnectionId>(connections_.size());
  connections_.push_back({.as = connection,
                          .rate = static_cast<std::uint64_t>(connection.bytes_per_tick * kUnits),
                          .paths = probed_paths(fabric_, tables_, connection.from, connection.to),
                          .held = {}});
  std::vector<HostId> woken;
  send_probe(id, start, woken);
  return id;
}

const Message* Probes::next(HostId from) const {
  return to_send_[from].empty() ? nullptr : &to_send_[from].begin()->second;
}

void Probes::take(HostId from) { to_send_[from].erase(to_send_[from].begin()); }

void Probes::send(HostId from, HostId to, unsigned path, Kind kind, ConnectionId id, Tick at) {
  Message message;
  message.at = at;
  message.to = to;
  message.bytes = kProbeBytes;
  message.tag = tag_base_ | static_cast<std::uint32_t>(kind) << kKindShift | id;
  message.management = true;
  message.path = static_cast<std::uint8_t>(path);
  message.of_class = rule_;
  to_send_[from].emplace(std::pair(at, message.tag), message);
}

/// Sends a probe on the first path, from `tried` on, for which the source's own link has room.
void Probes::send_probe(ConnectionId id, Tick at, std::vector<HostId>& woken) {
  State& of = connections_[id];
  const HostId from = of.as.from;
  if (of.tried == of.paths.size() || !reserve(of, fabric_.injection(from))) {
    ++admission_[of.as.of_class].refused;
    return;
  }
  ++admission_[of.as.of_class].probes;
  send(from, of.as.to, of.paths[of.tried].offset, Kind::kProbe, id, at);
  woken.push_back(from);
}

void Probes::try_next(ConnectionId id, Tick at, std::vector<HostId>& woken) {
  release_all(connections_[id]);
  ++connections_[id].tried;
  send_probe(id, at, woken);
}

bool Probes::reserve(State& of, Channel c) {
  const auto byte_time = static_cast<double>(model_.link(fabric_, c).byte_time);
  const auto most = static_cast<std::uint64_t>(of.as.share / byte_time * kUnits);
  if (reserved_[c] + of.rate > most) return false;
  reserved_[c] += of.rate;
  of.held.push_back(c);
  return true;
}

void Probes::release(State& of, Channel c) {
  const auto held = std::ranges::find(of.held, c);
  if (held == of.held.end()) return;
  reserved_[c] -= of.rate;
  of.held.erase(held);
}

void Probes::release_all(State& of) {
  while (!of.held.empty()) release(of, of.held.back());
}

bool Probes::is_ack(const Delivery& d) const {
  return static_cast<Kind>((d.tag & ~tag_base_) >> kKindShift) == Kind::kAck;
}

Lid Probes::inspect(SwitchId at, PortNum out, const Delivery& d) {
  State& of = connections_[connection_of(d)];
  if (is_ack(d) || out == 0) return kNoLid;
  const Host& source = fabric_.host(d.from);
  if (belongs_to(source, d.dlid)) {  // a NACK
    const std::vector<Channel> held = of.held;
    for (const Channel c : held)
      if (c != fabric_.injection(d.from) && fabric_.switch_of(c) == at) release(of, c);
    return kNoLid;
  }
  if (reserve(of, fabric_.channel(at, out))) return kNoLid;
  ++admission_[of.as.of_class].sent_back;
  return static_cast<Lid>(source.lid + of.paths[of.tried].back);
}

std::optional<Probes::Admitted> Probes::delivered(const Delivery& d, std::vector<HostId>& woken) {
  const ConnectionId id = connection_of(d);
  State& of = connections_[id];
  const Tick at = d.delivered + 1;
  if (is_ack(d)) {
    ++admission_[of.as.of_class].admitted;
    return Admitted{id, of.paths[of.tried].offset, at};
  }
  if (belongs_to(fabric_.host(d.from), d.dlid)) {
    try_next(id, at, woken);
    return std::nullopt;
  }
  send(d.to, d.from, of.paths[of.tried].back, Kind::kAck, id, at);
  woken.push_back(d.to);
  return std::nullopt;
}

void Probes::lost(const Delivery& d, std::vector<HostId>& woken) {
  const ConnectionId id = connection_of(d);
  State& of = connections_[id];
  ++admission_[of.as.of_class].lost;
  release_all(of);
  send_probe(id, d.delivered + timeout_, woken);
}

}  // namespace selvedge::sim
