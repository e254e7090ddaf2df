// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>

#include "base/metrics_page.hpp"
#include "daemon/service/figures.hpp"

namespace selvedge::service {

using namespace protocol;

namespace {

double seconds(std::uint64_t ns) { return static_cast<double>(ns) / 1e9; }

void add_histogram(MetricsPage& page, std::string_view name, std::string_view help,
                   const Histogram& h) {
  page.metric(name, "histogram", help);
  for (std::size_t i = 0; i < Histogram::kBounds; ++i)
    page.sample(h.at_most(i), fmt::format("le=\"{}\"", seconds(Histogram::bound(i))), "_bucket");
  page.sample(h.count(), "le=\"+Inf\"", "_bucket")
      .sample(seconds(h.sum_ns()), "", "_sum")
      .sample(h.count(), "", "_count");
}

/// Sums over connections. Each is a gauge over the open ones and a counter since the start.
void add_sums(MetricsPage& page, const Figures& f) {
  const Sender::Counters &open = f.open.sender, &all = f.since_start.sender;
  const Receiver::Counters &open_in = f.open.receiver, &all_in = f.since_start.receiver;
  const auto both = [&](std::string_view name, std::string_view help, std::uint64_t of_open,
                        std::uint64_t since_start) {
    page.gauge(fmt::format("open_{}", name), fmt::format("{}, on open connections.", help),
               of_open);
    page.counter(fmt::format("{}_total", name), fmt::format("{}.", help), since_start);
  };
  both("data_packets", "Data packets sent, retransmissions included", open.sent, all.sent);
  const auto retransmitted = [&](const Sender::Counters& c) {
    page.sample(c.retransmitted_lost - c.retransmitted_timeout - c.retransmitted_path_died,
                "cause=\"overtaken\"")
        .sample(c.retransmitted_timeout, "cause=\"timeout\"")
        .sample(c.retransmitted_path_died, "cause=\"path_died\"")
        .sample(c.retransmitted_rejected, "cause=\"rejected\"");
  };
  page.metric("open_retransmitted_packets", "gauge",
              "Of the data packets of open connections, those sent again, by cause.");
  retransmitted(open);
  page.metric("retransmitted_packets_total", "counter",
              "Of all data packets, those sent again, by cause.");
  retransmitted(all);
  both("spurious_packets", "Packets that peers received twice", open.spurious, all.spurious);
  both("timeouts", "Time-outs of paths", open.timeouts, all.timeouts);
  both("paths_died", "Paths of connections declared dead", open.paths_died, all.paths_died);
  both("grant_stalls", "Times that new packets waited for a grant", open.grant_stalls,
       all.grant_stalls);
  page.metric("grant_stalled_seconds_total", "counter", "How long new packets waited for grants.")
      .sample(seconds(all.grant_stalled_ns));
  both("forged_acks", "Packets dropped because they acknowledged packets never sent",
       open.forged_acks, all.forged_acks);
  both("delivered_packets", "Packets delivered", open_in.delivered, all_in.delivered);
  both("stored_packets", "Early packets that were stored", open_in.stored, all_in.stored);
  both("rejected_packets", "Packets rejected, evicted ones included",
       open_in.rejected + open_in.evicted, all_in.rejected + all_in.evicted);
  both("duplicate_packets", "Duplicate packets received", open_in.duplicates, all_in.duplicates);
}

void add_paths(MetricsPage& page, const std::vector<PathFigures>& paths) {
  const auto each = [&](std::string_view name, std::string_view type, std::string_view help,
                        auto value) {
    page.metric(name, type, help);
    for (std::size_t i = 0; i < paths.size(); ++i)
      page.sample(value(paths[i]), fmt::format("path=\"{}\"", i));
  };
  const std::string_view counter = "counter", gauge = "gauge";
  each("path_sent_packets_total", counter, "Data packets sent over the path.",
       [](const PathFigures& p) { return p.totals.sent_packets; });
  each("path_sent_bytes_total", counter, "Bytes of payload sent over the path.",
       [](const PathFigures& p) { return p.totals.sent_bytes; });
  each("path_received_packets_total", counter, "Data packets received over the path.",
       [](const PathFigures& p) { return p.totals.received_packets; });
  each("path_received_bytes_total", counter, "Bytes of payload received over the path.",
       [](const PathFigures& p) { return p.totals.received_bytes; });
  each("path_dead_connections", gauge, "Open connections to which the path is dead.",
       [](const PathFigures& p) { return p.dead; });
  each("path_rtt_seconds", gauge, "Round trip, the mean over open connections.",
       [](const PathFigures& p) { return seconds(p.rtt_ns); });
  each("path_queueing_seconds", gauge,
       "By how much the round trip exceeds the least one, the mean over open connections.",
       [](const PathFigures& p) { return seconds(p.queueing_ns); });
}

void add_network(MetricsPage& page, const Figures& f) {
  page.counter("sent_packets_total", "Datagrams sent.", f.transport.sent_packets);
  page.counter("received_packets_total", "Datagrams received.", f.transport.received_packets);
  page.counter("unsent_packets_total", "Datagrams not sent: no room in the queue, or no path.",
               f.transport.unsent);
  if (f.verbs) {
    page.counter("unknown_sender_packets_total",
                 "Packets of queue pairs that no peer has announced.", f.verbs->unknown_senders);
    page.counter("queue_pair_resets_total", "Resets of failed queue pairs.",
                 f.verbs->queue_pair_resets);
    page.counter("port_changes_total", "Times that the port or its addresses changed.",
                 f.verbs->port_changes);
    page.counter("subnet_changes_total", "Times that the subnet manager changed.",
                 f.verbs->subnet_changes);
    page.counter("peer_addresses_updated_total", "New or changed verbs addresses of peers.",
                 f.verbs->peer_addresses_updated);
  }
  if (f.seal) {
    page.counter("unsealed_packets_total", "Unsealed datagrams dropped.", f.seal->unsealed);
    page.counter("other_key_packets_total", "Datagrams sealed with an unknown key.",
                 f.seal->other_key);
    page.counter("forged_packets_total", "Sealed datagrams corrupted or forged.", f.seal->forged);
    page.counter("replayed_packets_total", "Sealed datagrams received before, or too late.",
                 f.seal->replayed);
  } else {
    page.counter("sealed_packets_total", "Sealed datagrams dropped because no key is configured.",
                 f.sealed_without_key);
    page.counter("corrupt_packets_total", "Datagrams dropped because their CRC was wrong.",
                 f.corrupt);
  }
  page.counter("malformed_packets_total", "Malformed datagrams.", f.endpoint.malformed);
  page.counter("other_version_packets_total", "Datagrams of another version of the protocol.",
               f.endpoint.version);
  page.counter("unknown_connection_packets_total", "Packets of unknown connections.",
               f.endpoint.unknown_connection);
  page.counter("bad_cookies_total", "Handshakes with a wrong cookie.", f.endpoint.bad_cookies);
  page.counter("accepted_total", "Connections accepted.", f.endpoint.accepted);
  page.counter("refused_total", "Connections refused.", f.endpoint.refused);
  page.counter("limited_opens_total", "Opens refused because of limits of their source.",
               f.endpoint.limited);
}

}  // namespace

std::string metrics_page(const Figures& f) {
  MetricsPage page("selvedge_");
  page.gauge("connections", "Connections, open or opening.", f.connections);
  page.gauge("active_connections", "Connections that each turn of the loop handles.",
             f.active_connections);
  page.gauge("applications", "Applications at the local socket.", f.applications);
  page.gauge("memory_bytes", "Rearrange memory in use.", f.memory_bytes);
  page.gauge("memory_bytes_max",
             "Maximum of the rearrange memory in use; of several workers, at most this.",
             f.memory_bytes_max);
  page.gauge("memory_bytes_total", "Rearrange memory in all.", f.memory_bytes_total);
  page.gauge("limited_connections", "Connections in limited injection (LI).",
             f.limited_connections);
  add_sums(page, f);
  add_histogram(page, "message_latency_seconds",
                "From taking a message until the peer's daemon has acknowledged all of it.",
                f.times.message);
  add_histogram(page, "queueing_seconds",
                "By how much more than the least round trip of its path a packet took.",
                f.times.queueing);
  add_paths(page, f.paths);
  add_network(page, f);
  page.gauge("ring_bytes", "Memory of the rings of all connections, as reserved.", f.ring_bytes);
  page.counter("corrupt_rings_total", "Rings that an application has corrupted.", f.corrupt_rings);
  page.counter("refused_applications_total", "Applications refused at the local socket.",
               f.refused_applications);
  page.gauge("workers", "Threads that handle packets.", f.workers);
  page.counter("handed_over_packets_total", "Packets that another worker had received.",
               f.given_packets);
  page.counter("handed_over_dropped_total", "Of those, packets dropped for want of room.",
               f.ungiven_packets);
  page.counter("sleeps_total", "Times that the daemon slept.", f.sleeps);
  return std::move(page).text();
}

}  // namespace selvedge::service
