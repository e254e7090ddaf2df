// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The functions of Server that report its status: JSON for selvedgectl, text for Prometheus.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <nlohmann/json.hpp>

#include "daemon/service/server.hpp"
#include "daemon/service/why_stalled.hpp"

namespace selvedge::service {

using namespace protocol;
using nlohmann::ordered_json;

namespace {

/// Limit on the connections listed in one answer, so that it fits a packet of the local socket.
constexpr std::size_t kConnectionsListedMax = 100;
constexpr std::size_t kUsersListedMax = 100;
constexpr std::string_view kWhyStalled = "why-stalled ";

ordered_json connection_json(const Connection& c, TimeNs now) {
  constexpr const char* states[] = {"opening", "open", "closed"};
  const Sender& s = c.sender();
  ordered_json paths = ordered_json::array();
  for (unsigned p = 0; p < s.paths().size(); ++p) {
    const PathSet::Path& path = s.paths()[p];
    paths.push_back({{"path", p},
                     {"alive", path.alive},
                     {"outstanding", path.outstanding},
                     {"rtt_ns", path.measured ? ordered_json(path.rtt_ns) : ordered_json()}});
  }
  ordered_json j = {
      {"connection", c.id()},
      {"peer", transport::to_string(c.peer())},
      {"service", c.service()},
      {"state", states[static_cast<int>(c.state())]},
      {"injection", s.injection().state() == InjectionControl::State::kUi ? "UI" : "LI"},
      {"outstanding_packets", static_cast<std::uint32_t>(s.next() - s.acknowledged())},
      {"in_flight_packets", s.in_flight()},
      {"sent_packets", s.counters().sent},
      {"retransmitted_lost_packets", s.counters().retransmitted_lost},
      {"retransmitted_rejected_packets", s.counters().retransmitted_rejected},
      {"timeouts", s.counters().timeouts},
      {"since_last_received_ns", now - std::min(now, c.last_received_ns())},
      {"paths", std::move(paths)}};
  // Short, because the answer has a limit: a value for each path.
  if (const PeerRates* rates = s.rates(); rates != nullptr) {
    ordered_json windows = ordered_json::array(), delays = ordered_json::array();
    unsigned competing = 0;
    for (unsigned p = 0; p < rates->size(); ++p) {
      const PathRate& rate = (*rates)[p];
      windows.push_back(static_cast<std::uint64_t>(rate.window()));
      delays.push_back(rate.queue_ns());
      competing += rate.state() == PathRate::State::kCompete;
    }
    j["window_bytes"] = std::move(windows);
    j["queueing_delay_ns"] = std::move(delays);
    j["competing_paths"] = competing;
  }
  if (const Receiver* r = c.receiver()) {
    j["stored_packets"] = r->stored();
    j["delivered_packets"] = r->counters().delivered;
    j["rejected_packets"] = r->counters().rejected + r->counters().evicted;
  }
  return j;
}

/// The users with the most connections, at most kUsersListedMax of them.
ordered_json users_json(const Users& users) {
  std::vector<std::pair<unsigned, Users::Use>> most(users.uses().begin(), users.uses().end());
  std::ranges::stable_sort(most, std::greater{},
                           [](const auto& u) { return u.second.connections; });
  if (most.size() > kUsersListedMax) most.resize(kUsersListedMax);
  ordered_json j = ordered_json::array();
  for (const auto& [user, use] : most)
    j.push_back({{"user", user},
                 {"applications", use.clients},
                 {"connections", use.connections},
                 {"ring_bytes", use.ring_bytes}});
  return j;
}

/// Counts of dropped datagrams by reason: without keys, sealed datagrams and wrong CRCs; with keys,
/// those of Seal::Counters.
ordered_json dropped_json(const transport::Network& network) {
  const Seal* seal = network.seal();
  if (seal == nullptr)
    return {{"sealed", network.sealed_without_key()}, {"corrupt", network.corrupt()}};
  const Seal::Counters& c = seal->counters();
  return {{"unsealed", c.unsealed},
          {"other_key", c.other_key},
          {"forged", c.forged},
          {"replayed", c.replayed}};
}

}  // namespace

std::string Server::status_json(const std::string& what) {
  if (what.starts_with(kWhyStalled)) return why_stalled_json(what.substr(kWhyStalled.size()));
  if (what == "metrics") return ordered_json{{"metrics", metrics_text()}}.dump();
  if (what == "connections") return connections_json();
  const Figures f = figures();
  const transport::Verbs* verbs = network_.verbs();
  ordered_json status = {
      {"version", SELVEDGE_VERSION},
      {"backend", verbs != nullptr ? "verbs" : "udp"},
      {"listen", transport::to_string(network_.address())},
      {"paths", network_.paths()},
      {"device", verbs != nullptr ? ordered_json(verbs->device()) : ordered_json()},
      {"port_up", verbs != nullptr ? ordered_json(verbs->state().up) : ordered_json()},
      {"segmentation", network_.udp() != nullptr && network_.udp()->gso()},
      {"sealed", network_.seal() != nullptr},
      {"keys_locked",
       network_.seal() != nullptr ? ordered_json(secret_memory().unlocked == 0) : ordered_json()},
      {"dropped_packets", dropped_json(network_)},
      {"up_ns", now() - started_ns_},
      {"applications", f.applications},
      {"connections", f.connections},
      {"users", users_json(users_)},
      {"ring_bytes", f.ring_bytes},
      {"memory_bytes_total", f.memory_bytes_total},
      {"memory_bytes_used", f.memory_bytes},
      {"memory_bytes_used_max", f.memory_bytes_max}};
  status.update(totals_json(f));
  return status.dump();
}

std::string Server::connections_json() {
  ordered_json connections = ordered_json::array();
  const TimeNs at = now();
  endpoint_.for_each([&](const Connection& c) {
    if (connections.size() >= kConnectionsListedMax) return;
    connections.push_back(connection_json(c, at));
    if (const Session* s = session(c.id()); s != nullptr && clients_.contains(s->client())) {
      connections.back()["user"] = clients_[s->client()].user;
      connections.back()["process"] = clients_[s->client()].process;
    }
  });
  return ordered_json{{"connections_total", endpoint_.connections()},
                      {"connections", std::move(connections)}}
      .dump();
}

std::string Server::why_stalled_json(const std::string& number) {
  ConnectionId id = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
  const Connection* c =
      error == std::errc{} && end == number.data() + number.size() ? endpoint_.find(id) : nullptr;
  if (c == nullptr) return ordered_json{{"unknown", number}}.dump();
  const Session* s = session(id);
  ordered_json reasons = ordered_json::array();
  if (network_.verbs() != nullptr)
    if (const auto p = network_.verbs()->problem(c->peer()); *p.name != '\0')
      reasons.push_back({{"reason", p.name}, {"text", p.text}});
  for (const Reason& r :
       why_stalled(*c, s != nullptr ? s->occupancy() : Session::Occupancy{}, now()))
    reasons.push_back({{"reason", r.name}, {"text", r.text}});
  return ordered_json{{"connection", id},
                      {"peer", transport::to_string(c->peer())},
                      {"service", c->service()},
                      {"reasons", std::move(reasons)}}
      .dump();
}

Figures Server::figures() {
  const SlotPool& pool = endpoint_.pool();
  Figures f;
  f.connections = endpoint_.connections();
  f.active_connections = active_.size();
  f.applications = clients_.size();
  f.memory_bytes = pool.used() * pool.slot_bytes();
  f.memory_bytes_max = pool.used_max() * pool.slot_bytes();
  f.memory_bytes_total = pool.slots() * pool.slot_bytes();
  f.open = endpoint_.open();
  f.since_start = endpoint_.since_start();
  f.times = endpoint_.times();
  f.paths.resize(network_.paths());
  for (std::size_t i = 0; i < f.paths.size(); ++i) {
    f.paths[i].totals = endpoint_.paths()[i];
    f.paths[i].sent_bytes_per_s = rates_.per_second()[i].sent_bytes;
    f.paths[i].received_bytes_per_s = rates_.per_second()[i].received_bytes;
  }
  endpoint_.for_each([&](const Connection& c) {
    f.limited_connections += c.sender().injection().state() == InjectionControl::State::kLi;
    for (unsigned i = 0; i < std::min<std::size_t>(f.paths.size(), c.sender().paths().size()); ++i)
      f.paths[i].add(c.sender().paths()[i]);
  });
  for (PathFigures& p : f.paths) p.finish();
  f.transport = network_.counters();
  if (const transport::Verbs* v = network_.verbs())
    f.verbs = {.unknown_senders = v->verbs_counters().unknown_senders,
               .queue_pair_resets = v->verbs_counters().resets,
               .port_changes = v->verbs_counters().port_changes,
               .subnet_changes = v->verbs_counters().subnet_changes,
               .peer_addresses_updated = v->announcements().updated};
  if (const Seal* seal = network_.seal()) f.seal = seal->counters();
  f.sealed_without_key = network_.sealed_without_key();
  f.corrupt = network_.corrupt();
  f.endpoint = endpoint_.counters();
  f.ring_bytes = users_.all_ring_bytes();
  f.corrupt_rings = corrupt_rings_;
  f.refused_applications = refused_applications_;
  f.sleeps = sleeps_;
  return f;
}

std::string Server::metrics_text() { return metrics_page(figures()); }

}  // namespace selvedge::service
