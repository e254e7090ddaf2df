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

struct Sums {
  std::uint64_t sent = 0, retransmitted_lost = 0, retransmitted_rejected = 0, timeouts = 0,
                paths_died = 0;
  std::uint64_t delivered = 0, stored = 0, rejected = 0, evicted = 0, duplicates = 0, limited = 0;
  std::uint64_t forged_acks = 0;

  void add(const Connection& c) {
    const Sender::Counters& s = c.sender().counters();
    sent += s.sent;
    retransmitted_lost += s.retransmitted_lost;
    retransmitted_rejected += s.retransmitted_rejected;
    timeouts += s.timeouts;
    paths_died += s.paths_died;
    forged_acks += s.forged_acks;
    limited += c.sender().injection().state() == InjectionControl::State::kLi;
    if (const Receiver* r = c.receiver()) {
      delivered += r->counters().delivered;
      stored += r->counters().stored;
      rejected += r->counters().rejected;
      evicted += r->counters().evicted;
      duplicates += r->counters().duplicates;
    }
  }
};

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
  Sums sums;
  ordered_json connections = ordered_json::array();
  const TimeNs at = now();
  endpoint_.for_each([&](const Connection& c) {
    sums.add(c);
    if (what != "connections" || connections.size() >= kConnectionsListedMax) return;
    connections.push_back(connection_json(c, at));
    if (const Session* s = session(c.id()); s != nullptr && clients_.contains(s->client())) {
      connections.back()["user"] = clients_[s->client()].user;
      connections.back()["process"] = clients_[s->client()].process;
    }
  });
  if (what == "connections")
    return ordered_json{{"connections_total", endpoint_.connections()},
                        {"connections", std::move(connections)}}
        .dump();
  const SlotPool& pool = endpoint_.pool();
  const transport::Verbs* verbs = network_.verbs();
  return ordered_json{
      {"version", SELVEDGE_VERSION},
      {"backend", verbs != nullptr ? "verbs" : "udp"},
      {"listen", transport::to_string(network_.address())},
      {"paths", network_.paths()},
      {"device", verbs != nullptr ? ordered_json(verbs->device()) : ordered_json()},
      {"port_up", verbs != nullptr ? ordered_json(verbs->state().up) : ordered_json()},
      {"segmentation", network_.udp() != nullptr && network_.udp()->gso()},
      {"sealed", network_.seal() != nullptr},
      {"dropped_packets", dropped_json(network_)},
      {"up_ns", at - started_ns_},
      {"applications", clients_.size()},
      {"connections", endpoint_.connections()},
      {"users", users_json(users_)},
      {"ring_bytes", users_.all_ring_bytes()},
      {"memory_bytes_total", pool.slots() * pool.slot_bytes()},
      {"memory_bytes_used", pool.used() * pool.slot_bytes()},
      {"memory_bytes_used_max", pool.used_max() * pool.slot_bytes()},
      {"retransmitted_lost_packets", sums.retransmitted_lost},
      {"rejected_packets", sums.rejected + sums.evicted}}
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

std::string Server::metrics_text() {
  Sums s;
  endpoint_.for_each([&](const Connection& c) { s.add(c); });
  const SlotPool& pool = endpoint_.pool();
  const transport::TransportCounters& u = network_.counters();
  const Endpoint::Counters& e = endpoint_.counters();
  std::string text;
  const auto metric = [&](const char* name, const char* type, const char* help, std::uint64_t v) {
    text += fmt::format("# HELP selvedge_{0} {2}\n# TYPE selvedge_{0} {1}\nselvedge_{0} {3}\n",
                        name, type, help, v);
  };
  const char *counter = "counter", *gauge = "gauge";
  metric("connections", gauge, "Connections, open or opening.", endpoint_.connections());
  metric("active_connections", gauge, "Connections that each turn of the loop handles.",
         active_.size());
  metric("applications", gauge, "Applications at the local socket.", clients_.size());
  metric("memory_bytes", gauge, "Rearrange memory in use.", pool.used() * pool.slot_bytes());
  metric("memory_bytes_max", gauge, "Maximum of the rearrange memory in use.",
         pool.used_max() * pool.slot_bytes());
  metric("memory_bytes_total", gauge, "Rearrange memory in all.", pool.slots() * pool.slot_bytes());
  metric("limited_connections", gauge, "Connections in limited injection (LI).", s.limited);
  // The following are sums over the connections that are open now. A connection's counters are lost
  // when the connection ends.
  metric("open_sent_packets", gauge, "Data packets sent on open connections.", s.sent);
  metric("open_retransmitted_lost_packets", gauge, "Of those, retransmitted after a loss.",
         s.retransmitted_lost);
  metric("open_retransmitted_rejected_packets", gauge, "Of those, retransmitted after a NACK.",
         s.retransmitted_rejected);
  metric("open_delivered_packets", gauge, "Packets delivered on open connections.", s.delivered);
  metric("open_stored_packets", gauge, "Early packets that were stored.", s.stored);
  metric("open_rejected_packets", gauge, "Packets rejected, evicted ones included.",
         s.rejected + s.evicted);
  metric("open_duplicate_packets", gauge, "Duplicate packets received.", s.duplicates);
  metric("open_forged_acks", gauge, "Packets dropped because they acknowledged packets never sent.",
         s.forged_acks);
  metric("open_timeouts", gauge, "Time-outs of paths.", s.timeouts);
  metric("open_paths_died", gauge, "Paths declared dead.", s.paths_died);
  metric("sent_packets_total", counter, "Datagrams sent.", u.sent_packets);
  metric("received_packets_total", counter, "Datagrams received.", u.received_packets);
  metric("unsent_packets_total", counter, "Datagrams not sent: no room in the queue, or no path.",
         u.unsent);
  if (const transport::Verbs* v = network_.verbs()) {
    metric("unknown_sender_packets_total", counter,
           "Packets of queue pairs that no peer has announced.",
           v->verbs_counters().unknown_senders);
    metric("queue_pair_resets_total", counter, "Resets of failed queue pairs.",
           v->verbs_counters().resets);
    metric("port_changes_total", counter, "Times that the port or its addresses changed.",
           v->verbs_counters().port_changes);
    metric("subnet_changes_total", counter, "Times that the subnet manager changed.",
           v->verbs_counters().subnet_changes);
    metric("peer_addresses_updated_total", counter, "New or changed verbs addresses of peers.",
           v->announcements().updated);
  }
  if (const Seal* seal = network_.seal()) {
    metric("unsealed_packets_total", counter, "Unsealed datagrams dropped.",
           seal->counters().unsealed);
    metric("other_key_packets_total", counter, "Datagrams sealed with an unknown key.",
           seal->counters().other_key);
    metric("forged_packets_total", counter, "Sealed datagrams corrupted or forged.",
           seal->counters().forged);
    metric("replayed_packets_total", counter, "Sealed datagrams received before, or too late.",
           seal->counters().replayed);
  } else {
    metric("sealed_packets_total", counter,
           "Sealed datagrams dropped because no key is configured.", network_.sealed_without_key());
    metric("corrupt_packets_total", counter, "Datagrams dropped because their CRC was wrong.",
           network_.corrupt());
  }
  metric("malformed_packets_total", counter, "Malformed datagrams.", e.malformed);
  metric("other_version_packets_total", counter, "Datagrams of another version of the protocol.",
         e.version);
  metric("unknown_connection_packets_total", counter, "Packets of unknown connections.",
         e.unknown_connection);
  metric("bad_cookies_total", counter, "Handshakes with a wrong cookie.", e.bad_cookies);
  metric("accepted_total", counter, "Connections accepted.", e.accepted);
  metric("refused_total", counter, "Connections refused.", e.refused);
  metric("limited_opens_total", counter, "Opens refused because of limits of their source.",
         e.limited);
  metric("ring_bytes", gauge, "Memory of the rings of all connections, as reserved.",
         users_.all_ring_bytes());
  metric("corrupt_rings_total", counter, "Rings that an application has corrupted.",
         corrupt_rings_);
  metric("refused_applications_total", counter, "Applications refused at the local socket.",
         refused_applications_);
  metric("sleeps_total", counter, "Times that the daemon slept.", sleeps_);
  return text;
}

}  // namespace selvedge::service
