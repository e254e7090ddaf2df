// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/figures.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace selvedge::service {

using namespace protocol;
using nlohmann::ordered_json;

namespace {

ordered_json sums_json(const Totals& t) {
  const Sender::Counters& s = t.sender;
  const Receiver::Counters& r = t.receiver;
  return {{"sent_packets", s.sent},
          {"retransmitted_overtaken_packets",
           s.retransmitted_lost - s.retransmitted_timeout - s.retransmitted_path_died},
          {"retransmitted_timeout_packets", s.retransmitted_timeout},
          {"retransmitted_path_died_packets", s.retransmitted_path_died},
          {"retransmitted_rejected_packets", s.retransmitted_rejected},
          {"spurious_packets", s.spurious},
          {"timeouts", s.timeouts},
          {"paths_died", s.paths_died},
          {"grant_stalls", s.grant_stalls},
          {"grant_stalled_ns", s.grant_stalled_ns},
          {"forged_acks", s.forged_acks},
          {"delivered_packets", r.delivered},
          {"stored_packets", r.stored},
          {"rejected_packets", r.rejected + r.evicted},
          {"duplicate_packets", r.duplicates}};
}

ordered_json histogram_json(const Histogram& h) {
  const auto quantile = [&](double share) {
    const TimeNs bound = h.quantile(share);
    return bound == kNever ? ordered_json() : ordered_json(bound);
  };
  const std::uint64_t count = h.count();
  return {{"count", count},
          {"mean_ns", count == 0 ? ordered_json() : ordered_json(h.sum_ns() / count)},
          {"p50_at_most_ns", quantile(0.5)},
          {"p99_at_most_ns", quantile(0.99)},
          {"p999_at_most_ns", quantile(0.999)}};
}

}  // namespace

ordered_json totals_json(const Figures& f) {
  ordered_json paths = ordered_json::array();
  for (const PathFigures& p : f.paths) {
    const auto measured = [&](TimeNs value) {
      return p.measured == 0 ? ordered_json() : ordered_json(value);
    };
    paths.push_back({{"path", paths.size()},
                     {"sent_packets", p.totals.sent_packets},
                     {"sent_bytes", p.totals.sent_bytes},
                     {"received_packets", p.totals.received_packets},
                     {"received_bytes", p.totals.received_bytes},
                     {"sent_bytes_per_s", p.sent_bytes_per_s},
                     {"received_bytes_per_s", p.received_bytes_per_s},
                     {"dead_connections", p.dead},
                     {"rtt_ns", measured(p.rtt_ns)},
                     {"queueing_ns", measured(p.queueing_ns)}});
  }
  return {{"since_start", sums_json(f.since_start)},
          {"open", sums_json(f.open)},
          {"message_latency", histogram_json(f.times.message)},
          {"queueing_delay", histogram_json(f.times.queueing)},
          {"path_totals", std::move(paths)}};
}

void Figures::add(const VerbsFigures& w) {
  if (!verbs) verbs.emplace();
  verbs->unknown_senders += w.unknown_senders;
  verbs->queue_pair_resets += w.queue_pair_resets;
  verbs->port_changes = std::max(verbs->port_changes, w.port_changes);
  verbs->subnet_changes = std::max(verbs->subnet_changes, w.subnet_changes);
  verbs->peer_addresses_updated = std::max(verbs->peer_addresses_updated, w.peer_addresses_updated);
}

void PathFigures::add(const PathSet::Path& path, TimeNs least_rtt_ns) {
  dead += !path.alive;
  if (!path.measured) return;
  ++measured;
  rtt_ns += path.rtt_ns;
  queueing_ns += path.rtt_ns - std::min<TimeNs>(path.rtt_ns, least_rtt_ns);
}

void PathFigures::finish() {
  rtt_ns /= std::max(1u, measured);
  queueing_ns /= std::max(1u, measured);
}

void PathRates::sample(TimeNs now, const Paths& totals) {
  if (now < since_ns_ + kSecond) return;
  const double seconds = static_cast<double>(now - since_ns_) / 1e9;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const auto rate = [&](std::uint64_t PathTotals::* what) {
      rates_[i].*what = static_cast<std::uint64_t>(
          static_cast<double>(totals[i].*what - before_[i].*what) / seconds);
    };
    rate(&PathTotals::sent_packets);
    rate(&PathTotals::sent_bytes);
    rate(&PathTotals::received_packets);
    rate(&PathTotals::received_bytes);
  }
  before_ = totals;
  since_ns_ = now;
}

}  // namespace selvedge::service
