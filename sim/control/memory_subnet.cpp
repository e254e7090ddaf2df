// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/control/memory_subnet.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "plugin/control/smp_exchange.hpp"

namespace selvedge::sim {
namespace {

using namespace std::chrono_literals;

constexpr auto kHop = 1us;            // round trip over one hop
constexpr auto kExecution = 5us;      // an agent's time for one SMP
constexpr unsigned kLateMsMax = 400;  // longer than all tries of an SMP by the default SmpLimits
constexpr unsigned kTrapMsMax = 5;
constexpr auto kGrace = 50ms;  // extra wait of run(); not needed, as time-outs come when due

}  // namespace

MemorySubnet::MemorySubnet(VirtualClock& clock, Fabric fabric, HostId manager, std::uint64_t seed,
                           const SmpFaults& faults)
    : clock_(clock),
      whole_(std::move(fabric)),
      manager_(manager),
      random_(seed),
      faults_(faults),
      cable_up_(whole_.num_channels(), true),
      alive_(whole_.num_switches(), true),
      restarts_(whole_.num_switches(), 0),
      hosts_(whole_.num_hosts()),
      busy_until_(whole_.num_switches() + whole_.num_hosts()) {
  for (const Switch& s : whole_.switches()) switches_.emplace_back(s.ports, whole_.top_lid());
}

// --- Faults

bool MemorySubnet::up(Channel c) const {
  const Channel d = whole_.peer(c);
  if (d == kNoChannel || !cable_up_[c]) return false;
  for (const Channel end : {c, d})
    if (whole_.from_switch(end) && !alive_[whole_.switch_of(end)]) return false;
  return true;
}

void MemorySubnet::set_cable(Channel c, bool up) {
  const Channel d = whole_.peer(c);
  if (cable_up_[c] == up) return;
  cable_up_[c] = cable_up_[d] = up;
  for (const Channel end : {c, d})
    if (whole_.from_switch(end)) send_trap(whole_.switch_of(end));
}

void MemorySubnet::power_off(SwitchId s) {
  if (!alive_[s]) return;
  for (const Channel c : whole_.out(s))
    if (up(c)) send_trap(whole_.target(c));
  alive_[s] = false;
}

void MemorySubnet::power_on(SwitchId s) {
  if (alive_[s]) return;
  alive_[s] = true;
  switches_[s].restart();
  ++restarts_[s];
  for (const Channel c : whole_.out(s))
    if (up(c)) send_trap(whole_.target(c));
}

void MemorySubnet::send_trap(SwitchId s) {
  if (random_.chance(faults_.lost)) return;
  const auto late = std::chrono::microseconds(random_.below(kTrapMsMax * 1000));
  clock_.schedule(clock_.now() + late, [this, s] {
    if (reachable()[s]) on_trap(whole_.node(s).lid);
  });
}

// --- Discovery

std::vector<bool> MemorySubnet::reachable() const {
  std::vector<bool> reachable(whole_.num_switches(), false);
  const Host& manager = whole_.host(manager_);
  if (!up(whole_.channel(manager.at, manager.port))) return reachable;
  std::vector<SwitchId> frontier{manager.at};
  reachable[manager.at] = true;
  for (std::size_t i = 0; i < frontier.size(); ++i)
    for (const Channel c : whole_.out(frontier[i]))
      if (const SwitchId to = whole_.target(c); up(c) && !reachable[to]) {
        reachable[to] = true;
        frontier.push_back(to);
      }
  return reachable;
}

Fabric MemorySubnet::discovered() const {
  const std::vector<bool> seen = reachable();
  FabricBuilder builder;
  std::vector<SwitchId> now(whole_.num_switches(), kNoSwitch);
  for (SwitchId s = 0; s < whole_.num_switches(); ++s)
    if (seen[s]) now[s] = builder.add_switch(whole_.node(s));
  for (const Channel c : whole_.links())
    if (seen[whole_.switch_of(c)] && up(c))
      builder.connect(now[whole_.switch_of(c)], whole_.port_of(c), now[whole_.target(c)],
                      whole_.port_of(whole_.peer(c)));
  for (HostId h = 0; h < whole_.num_hosts(); ++h) {
    const Host& host = whole_.host(h);
    if (!seen[host.at] || !up(whole_.channel(host.at, host.port))) continue;
    Host moved = host;
    moved.at = now[host.at];
    builder.add_host(moved);
  }
  return std::move(builder).build("the subnet in memory");
}

Tables MemorySubnet::tables_in_switches(const Fabric& fabric) const {
  Tables tables(fabric);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const SwitchId own = whole_.find_switch(fabric.node(s).guid);
    if (own == kNoSwitch || !alive_[own]) continue;
    for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid)
      tables.set_next(s, static_cast<Lid>(lid), switches_[own].next(static_cast<Lid>(lid)));
    for (unsigned in = 0; in <= fabric.node(s).ports; ++in)
      for (unsigned out = 0; out <= fabric.node(s).ports; ++out)
        tables.sl2vl.set(s, static_cast<PortNum>(in), static_cast<PortNum>(out),
                         switches_[own].sl2vl(static_cast<PortNum>(in), static_cast<PortNum>(out)));
  }
  return tables;
}

MulticastTables MemorySubnet::group_in_switches(const Fabric& fabric) const {
  MulticastTree tree(fabric.num_switches());
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const SwitchId own = whole_.find_switch(fabric.node(s).guid);
    if (own == kNoSwitch || !alive_[own]) continue;
    for (unsigned p = 0; p <= fabric.node(s).ports; ++p)
      tree[s][p] = switches_[own].multicast(kMinMulticastLid, static_cast<PortNum>(p));
  }
  if (std::ranges::all_of(tree, [](const PortSet& ports) { return ports.none(); })) return {};
  return {{kMinMulticastLid, std::move(tree)}};
}

// --- SMPs

/// The node at which the SMP's path ends. Nothing if the SMP is lost: a cable on its path is down,
/// or a port does not exist.
std::optional<MemorySubnet::Destination> MemorySubnet::follow(const SmpPath& path) const {
  Destination end{kNoSwitch, manager_};
  for (unsigned hop = 1; hop <= path.hops; ++hop) {
    Channel out = kNoChannel;
    if (end.host != kNoHost) {
      out = whole_.injection(end.host);
    } else {
      const PortNum port = path.ports[hop];
      if (port == 0 || port > whole_.node(end.at).ports) return std::nullopt;
      out = whole_.channel(end.at, port);
    }
    if (!up(out)) return std::nullopt;
    const Channel in = whole_.peer(out);
    end = whole_.from_switch(in) ? Destination{whole_.switch_of(in), kNoHost}
                                 : Destination{kNoSwitch, whole_.host_of(in)};
  }
  return end;
}

/// Executes the SMP at the end of its path. The status is kSmpNoAnswer if the SMP is lost on the
/// way.
SmpAnswer MemorySubnet::execute(const SmpRequest& request) {
  SmpAnswer answer;
  answer.tag = request.tag;
  answer.status = kSmpNoAnswer;
  const std::optional<Destination> end = follow(request.path);
  if (!end) return answer;
  const auto state = [&](Channel c) {
    return c != kNoChannel && up(c) ? PortState::kActive : PortState::kDown;
  };
  if (end->host != kNoHost) {
    answer.status = static_cast<std::uint32_t>(
        hosts_[end->host].answer(request, state(whole_.injection(end->host)), answer.data));
    return answer;
  }
  const unsigned port = request.modifier;
  const bool cabled = port > 0 && port <= whole_.node(end->at).ports;
  answer.status = static_cast<std::uint32_t>(switches_[end->at].answer(
      request, state(cabled ? whole_.channel(end->at, static_cast<PortNum>(port)) : kNoChannel),
      answer.data));
  return answer;
}

std::vector<SmpAnswer> MemorySubnet::run(std::span<const SmpRequest> requests,
                                         const SmpLimits& limits,
                                         const StopCondition& stop_condition) {
  SmpExchange exchange(requests, limits, next_tag_, kGrace);
  // Responses that have arrived. Each scheduled event shares this list, so a response that comes
  // after run() has returned is added to a list that nobody reads: it is ignored.
  const auto arrived = std::make_shared<std::vector<SmpAnswer>>();
  const auto send = [&](const SmpRequest& request) {
    clock_.schedule(clock_.now() + std::chrono::milliseconds(request.timeout_ms),
                    [arrived, tag = request.tag] {
                      arrived->push_back({.tag = tag, .status = kSmpNoAnswer, .data = {}});
                    });
    if (random_.chance(faults_.lost)) return;
    const bool answer_lost = random_.chance(faults_.lost);
    const unsigned times = random_.chance(faults_.doubled) ? 2 : 1;
    const Instant there = clock_.now() + request.path.hops * kHop / 2;
    auto late = Instant{};
    if (random_.chance(faults_.late))
      late = std::chrono::microseconds(random_.below(kLateMsMax * 1000));
    const std::optional<Destination> end = follow(request.path);
    if (!end) return;
    Instant& busy = busy_until_[end->host != kNoHost ? whole_.num_switches() + end->host : end->at];
    for (unsigned i = 0; i < times; ++i) {
      busy = std::max(busy, there) + kExecution + std::exchange(late, Instant{});
      clock_.schedule(busy, [this, request, arrived, answer_lost] {
        const SmpAnswer answer = execute(request);
        if (request.method == SmpMethod::kSet) on_set();
        if (answer.status == kSmpNoAnswer || answer_lost) return;
        clock_.schedule(clock_.now() + request.path.hops * kHop / 2,
                        [arrived, answer] { arrived->push_back(answer); });
      });
    }
  };

  bool ended = false;
  while (!exchange.done() && !ended) {
    while (exchange.may_send()) {
      send(exchange.next());
      exchange.sent(clock_.now());
    }
    const Instant until = std::min(exchange.deadline(), clock_.next(exchange.deadline()));
    clock_.run_until(until);
    for (const SmpAnswer& answer : std::exchange(*arrived, {})) {
      const std::size_t index = exchange.take(answer);
      ended = ended || (index != SIZE_MAX && stop_condition && stop_condition(index, answer));
      if (ended) break;
    }
    if (clock_.now() >= exchange.deadline() && exchange.outstanding() > 0 && !ended)
      exchange.expire();
  }
  next_tag_ = exchange.next_tag();
  return std::move(exchange.answers());
}

}  // namespace selvedge::sim
