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
    paths.push_back(
        {{"path", p},
         {"alive", path.alive},
         {"outstanding", path.outstanding},
         {"rtt_ns", path.measured ? ordered_json(TimeNs{path.rtt_ns}) : ordered_json()}});
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
ordered_json dropped_json(const Figures& f) {
  if (!f.seal) return {{"sealed", f.sealed_without_key}, {"corrupt", f.corrupt}};
  return {{"unsealed", f.seal->unsealed},
          {"other_key", f.seal->other_key},
          {"forged", f.seal->forged},
          {"replayed", f.seal->replayed}};
}

}  // namespace

std::string Server::status_json(const std::string& what) {
  if (what.starts_with(kWhyStalled)) return why_stalled_json(what.substr(kWhyStalled.size()));
  if (what == "metrics") return ordered_json{{"metrics", metrics_text()}}.dump();
  if (what == "connections") return connections_json();
  const Figures f = figures();
  const transport::Network& network = this->network();
  const transport::Verbs* verbs = network.verbs();
  ordered_json status = {
      {"version", SELVEDGE_VERSION},
      {"backend", verbs != nullptr ? "verbs" : "udp"},
      {"listen", transport::to_string(network.address())},
      {"paths", network.paths()},
      {"device", verbs != nullptr ? ordered_json(verbs->device()) : ordered_json()},
      {"port_up", verbs != nullptr ? ordered_json(verbs->state().up) : ordered_json()},
      {"segmentation", network.udp() != nullptr && network.udp()->gso()},
      {"sealed", network.seal() != nullptr},
      {"keys_locked",
       network.seal() != nullptr ? ordered_json(secret_memory().unlocked == 0) : ordered_json()},
      {"dropped_packets", dropped_json(f)},
      {"up_ns", steady_now() - started_ns_},
      {"workers", f.workers},
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
  std::size_t total = 0;
  for (const auto& worker : workers_) {
    const Borrowed borrowed(*worker);
    const TimeNs at = steady_now();
    total += worker->endpoint.connections();
    worker->endpoint.for_each([&](const Connection& c) {
      if (connections.size() >= kConnectionsListedMax) return;
      connections.push_back(connection_json(c, at));
      if (const Session* s = worker->session(c.id());
          s != nullptr && clients_.contains(s->client())) {
        connections.back()["user"] = clients_[s->client()].user;
        connections.back()["process"] = clients_[s->client()].process;
      }
    });
  }
  return ordered_json{{"connections_total", total}, {"connections", std::move(connections)}}.dump();
}

std::string Server::why_stalled_json(const std::string& number) {
  ConnectionId id = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
  const bool is_number = error == std::errc{} && end == number.data() + number.size();
  Worker& worker = owner(id);
  const Borrowed borrowed(worker);
  const Connection* c = is_number ? worker.endpoint.find(id) : nullptr;
  if (c == nullptr) return ordered_json{{"unknown", number}}.dump();
  const Session* s = worker.session(id);
  ordered_json reasons = ordered_json::array();
  if (worker.network.verbs() != nullptr)
    if (const auto p = worker.network.verbs()->problem(c->peer()); *p.name != '\0')
      reasons.push_back({{"reason", p.name}, {"text", p.text}});
  for (const Reason& r :
       why_stalled(*c, s != nullptr ? s->occupancy() : Session::Occupancy{}, steady_now()))
    reasons.push_back({{"reason", r.name}, {"text", r.text}});
  return ordered_json{{"connection", id},
                      {"peer", transport::to_string(c->peer())},
                      {"service", c->service()},
                      {"reasons", std::move(reasons)}}
      .dump();
}

Figures Server::figures() {
  Figures f;
  f.workers = workers_.size();
  for (const auto& worker : workers_) {
    const Borrowed borrowed(*worker);
    worker->add_to(f);
  }
  for (PathFigures& p : f.paths) p.finish();
  f.applications = clients_.size();
  f.ring_bytes = users_.all_ring_bytes();
  f.refused_applications = refused_applications_;
  return f;
}

std::string Server::metrics_text() { return metrics_page(figures()); }

}  // namespace selvedge::service
