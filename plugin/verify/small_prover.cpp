// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/small_prover.hpp"

#include <algorithm>
#include <bit>

namespace selvedge {

SmallProver::SmallProver(const Fabric& fabric)
    : fabric_(fabric),
      to_(fabric.num_switch_channels(), kNoSwitch),
      arrival_(fabric.num_switch_channels(), 0),
      end_(fabric.top_lid() + std::size_t{1}),
      down_(fabric.num_channels(), 0),
      failed_(fabric.num_switches(), 0),
      component_(fabric.num_switches(), 0) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    first_channel_.push_back(fabric.channel(s, 0));
    num_ports_.push_back(fabric.node(s).ports);
    if (fabric.node(s).lid != kNoLid) end_[fabric.node(s).lid] = {s, 0};
  }
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    if (host.lid == kNoLid || !fabric.attached(h)) continue;
    for (unsigned i = 0; i < host.lid_count(); ++i) end_[host.lid + i] = {host.at, host.port};
  }
  for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid)
    if (fabric.owner(static_cast<Lid>(lid)).kind != LidOwner::Kind::kHost)
      others_.push_back(static_cast<Lid>(lid));
  const std::size_t nodes = std::size_t{fabric.num_switch_channels()} * kVls;
  first_.assign(nodes, 0);
  waiting_.assign(nodes, 0);
  seen_.assign(nodes, 0);
  known_.assign(std::size_t{fabric.num_switch_channels()} * kSls, 0);
  std::size_t places = 0;
  for (Channel c = 0; c < fabric.num_switch_channels(); ++c) {
    if (!fabric.between_switches(c)) continue;
    to_[c] = fabric.target(c);
    arrival_[c] = fabric.port_of(fabric.peer(c));
    for (unsigned vl = 0; vl < kVls; ++vl) {
      first_[c * std::size_t{kVls} + vl] = places;
      places += fabric.node(to_[c]).ports + std::size_t{1};
    }
  }
  out_.assign(places, 0);
}

void SmallProver::apply_fault(const Fault& fault) {
  std::ranges::fill(down_, std::uint8_t{0});
  const auto cut = [&](Channel c) {
    down_[c] = 1;
    if (const Channel back = fabric_.peer(c); back != kNoChannel) down_[back] = 1;
  };
  for (const Channel c : fault.links) cut(c);
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s) failed_[s] = fabric_.node(s).failed ? 1 : 0;
  for (const SwitchId s : fault.switches) {
    failed_[s] = 1;
    for (unsigned p = 1; p <= fabric_.node(s).ports; ++p)
      cut(fabric_.channel(s, static_cast<PortNum>(p)));
  }
  sources_.clear();
  ports_.clear();
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
    if (failed_[s]) continue;
    Source source{s, static_cast<std::uint32_t>(ports_.size()), 0};
    ports_.push_back(0);
    for (const HostId h : fabric_.hosts_at(s))
      if (!down_[fabric_.injection(h)]) ports_.push_back(fabric_.host(h).port);
    source.end_port = static_cast<std::uint32_t>(ports_.size());
    sources_.push_back(source);
  }
}

void SmallProver::find_components() {
  constexpr std::uint32_t none = UINT32_MAX;
  std::ranges::fill(component_, none);
  for (const Source& source : sources_) {
    if (component_[source.at] != none) continue;
    component_[source.at] = source.at;
    queue_.assign(1, source.at);
    for (std::size_t i = 0; i < queue_.size(); ++i)
      for (const Channel c : fabric_.out(queue_[i]))
        if (!down_[c] && component_[to_[c]] == none) {
          component_[to_[c]] = source.at;
          queue_.push_back(to_[c]);
        }
  }
}

void SmallProver::edge(Channel from, unsigned from_vl, Channel to, unsigned to_vl,
                       PortNum to_port) {
  const auto a = static_cast<std::uint32_t>(from * kVls + from_vl);
  std::uint16_t& next_vls = out_[first_[a] + to_port];
  const auto bit = static_cast<std::uint16_t>(1u << to_vl);
  if (next_vls & bit) return;
  next_vls |= bit;
  const auto b = static_cast<std::uint32_t>(to * kVls + to_vl);
  ++waiting_[b];
  for (const std::uint32_t n : {a, b}) {
    if (seen_[n]) continue;
    seen_[n] = 1;
    touched_.push_back(n);
  }
}

/// Follows the packets that start at a switch, from its hosts or from the switch itself. The walk
/// ends at the first (channel, SL, VL) already walked for this LID. Returns which of the packets
/// arrive. (On a loop the VLs repeat from the second round on, so the walk ends, after all its
/// dependencies were added.)
SmallProver::Arrival SmallProver::walk(const Source& source, Lid lid, const Tables& tables,
                                       Result& result) {
  const End end = end_[lid];
  SwitchId at = source.at;
  PortNum port = tables.next(at, lid);
  if (port > num_ports_[at]) return Arrival::kNone;  // no route (kNoPort), or no such port
  const Sl sl = tables.sl(at, lid);
  const auto next_vl = [&](PortNum in, PortNum out) { return tables.sl2vl.row(at, in, out)[sl]; };
  Arrival arrival = Arrival::kAll;
  unsigned held = 0;  // the set of VLs that these packets hold on channel `on`
  for (std::uint32_t i = source.first_port; i < source.end_port; ++i) {
    if (ports_[i] == port) continue;
    const bool sent = ports_[i] == 0 || tables.host_sl2vl[sl] != kDropVl;
    if (const Vl vl = next_vl(ports_[i], port); sent && vl != kDropVl)
      held |= 1u << vl;
    else if (ports_[i] != 0)
      arrival = Arrival::kSome;
  }
  Channel on = first_channel_[at] + port;
  passed_.clear();
  bool arrives = false;
  for (;;) {
    if (at == end.at && port == end.port) {
      arrives = !down_[on];
      if (arrives) result.sls |= static_cast<std::uint16_t>(1u << sl);
      break;
    }
    if (held == 0 || port == 0 || down_[on] || to_[on] == kNoSwitch) break;
    result.vls |= static_cast<std::uint16_t>(held);
    at = to_[on];
    port = tables.next(at, lid);
    if (port > num_ports_[at]) break;
    const Channel out = first_channel_[at] + port;
    unsigned vl = 0;  // port 0 accepts packets on any SL
    if (port != 0) {
      vl = next_vl(arrival_[on], port);
      if (vl == kDropVl) break;
      if (!down_[out] && to_[out] != kNoSwitch)
        for (unsigned h = held; h != 0; h &= h - 1)
          edge(on, static_cast<unsigned>(std::countr_zero(h)), out, vl, port);
    }
    on = out;
    held = 1u << vl;
    std::uint64_t& here = known_[on * std::size_t{kSls} + sl];
    const std::uint64_t now = (lids_ * kVls + vl) * 2;
    if ((here & ~std::uint64_t{1}) == now) {
      arrives = (here & 1) != 0;
      break;
    }
    here = now;
    passed_.push_back(on);
  }
  if (!arrives) return Arrival::kNone;
  for (const Channel c : passed_) known_[c * std::size_t{kSls} + sl] |= 1;
  return arrival;
}

/// Whether each host at the source switch has a LID of `to` that works. Needed where SL2VL tables
/// drop packets of some hosts to some LIDs.
bool SmallProver::every_host_has_a_lid(const Source& source, const Host& to, const Tables& tables) {
  Result unused;
  for (std::uint32_t p = source.first_port + 1; p < source.end_port; ++p) {
    if (source.at == to.at && ports_[p] == to.port) continue;
    bool works = false;
    for (unsigned i = to.lid; i < to.lid + to.lid_count() && !works; ++i) {
      const auto lid = static_cast<Lid>(i);
      ++lids_;
      const PortNum out = tables.next(source.at, lid);
      const Sl sl = tables.sl(source.at, lid);
      works = out <= num_ports_[source.at] && tables.host_sl2vl[sl] != kDropVl &&
              tables.sl2vl.row(source.at, ports_[p], out)[sl] != kDropVl &&
              walk(source, lid, tables, unused) != Arrival::kNone;
    }
    if (!works) return false;
  }
  return true;
}

/// Removes nodes without incoming edges until there are none. Returns whether no node remains, and
/// clears the graph.
bool SmallProver::acyclic() {
  ready_.clear();
  for (const std::uint32_t n : touched_)
    if (waiting_[n] == 0) ready_.push_back(n);
  for (std::size_t i = 0; i < ready_.size(); ++i) {
    const std::uint32_t n = ready_[i];
    const SwitchId at = to_[n / kVls];
    for (const Channel c : fabric_.out(at))
      for (unsigned vls = out_[first_[n] + fabric_.port_of(c)]; vls != 0; vls &= vls - 1) {
        const std::uint32_t next = c * kVls + static_cast<unsigned>(std::countr_zero(vls));
        if (--waiting_[next] == 0) ready_.push_back(next);
      }
  }
  const bool all = ready_.size() == touched_.size();
  for (const std::uint32_t n : touched_) {
    waiting_[n] = 0;
    seen_[n] = 0;
    const std::size_t ports = fabric_.node(to_[n / kVls]).ports + std::size_t{1};
    std::fill_n(out_.begin() + static_cast<std::ptrdiff_t>(first_[n]), ports, std::uint16_t{0});
  }
  touched_.clear();
  return all;
}

SmallProver::Result SmallProver::prove(const Fault& fault, const Tables& tables) {
  apply_fault(fault);
  find_components();
  Result result;
  result.connected = true;
  result.hosts_connected = true;
  std::uint32_t component = UINT32_MAX;
  for (HostId d = 0; d < fabric_.num_hosts(); ++d) {
    const Host& host = fabric_.host(d);
    if (!fabric_.attached(d) || down_[fabric_.injection(d)]) continue;
    if (component == UINT32_MAX) component = component_[host.at];
    result.hosts_connected &= component_[host.at] == component;
  }
  for (HostId d = 0; d < fabric_.num_hosts(); ++d) {
    const Host& host = fabric_.host(d);
    arrivals_.assign(sources_.size(), Arrival::kNone);
    const unsigned lids = host.lid == kNoLid ? 0 : host.lid_count();
    for (unsigned lid = host.lid; lid < host.lid + lids; ++lid) {
      ++lids_;
      const LftColumn next = tables.column(static_cast<Lid>(lid));
      for (std::size_t i = 0; i < sources_.size(); ++i) {
        if (next[sources_[i].at] == kNoPort) continue;
        arrivals_[i] =
            std::max(arrivals_[i], walk(sources_[i], static_cast<Lid>(lid), tables, result));
      }
    }
    if (!fabric_.attached(d) || down_[fabric_.injection(d)]) continue;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Source& source = sources_[i];
      const std::uint32_t hosts = source.end_port - source.first_port - 1;
      if (arrivals_[i] == Arrival::kAll || hosts <= (source.at == host.at ? 1u : 0u) ||
          component_[source.at] != component_[host.at])
        continue;
      result.connected &=
          arrivals_[i] == Arrival::kSome && every_host_has_a_lid(source, host, tables);
    }
  }
  for (const Lid lid : others_) {
    ++lids_;
    for (const Source& source : sources_) walk(source, lid, tables, result);
  }
  result.deadlock_free = acyclic();
  return result;
}

}  // namespace selvedge
