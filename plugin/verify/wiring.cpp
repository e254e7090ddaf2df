// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/wiring.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace selvedge::prover {
namespace {

std::vector<std::uint32_t> components(const Wiring& w) {
  std::vector<std::uint32_t> component(w.switches, w.switches);
  std::vector<SwitchId> stack;
  std::uint32_t name = 0;
  for (SwitchId start = 0; start < w.switches; ++start) {
    if (component[start] != w.switches) continue;
    component[start] = name;
    stack.push_back(start);
    while (!stack.empty()) {
      const SwitchId s = stack.back();
      stack.pop_back();
      for (Channel c = w.first[s]; c < w.first[s + 1]; ++c) {
        const SwitchId t = w.to[c];
        if (t == w.nowhere() || component[t] != w.switches) continue;
        component[t] = name;
        stack.push_back(t);
      }
    }
    ++name;
  }
  return component;
}

}  // namespace

Wiring::Wiring(const Fabric& fabric) : switches(fabric.num_switches()) {
  const std::uint32_t channels = fabric.num_switch_channels();
  first.resize(switches + 1);
  for (SwitchId s = 0; s < switches; ++s) first[s] = fabric.channel(s, 0);
  first[switches] = channels;
  owner.resize(channels);
  to.assign(channels, nowhere());
  arrival.assign(channels, 0);
  host_at.assign(fabric.num_hosts(), nowhere());
  host_port.assign(fabric.num_hosts(), 0);
  attached_first.assign(1, 0);
  for (SwitchId s = 0; s < switches; ++s) {
    for (Channel c = first[s]; c < first[s + 1]; ++c) {
      owner[c] = s;
      const Channel peer = fabric.peer(c);
      if (peer == kNoChannel) continue;
      if (fabric.from_switch(peer)) {
        to[c] = fabric.switch_of(peer);
        arrival[c] = fabric.port_of(peer);
      } else {
        const HostId h = fabric.host_of(peer);
        const auto port = static_cast<PortNum>(c - first[s]);
        attached_list.push_back({h, port});
        host_at[h] = s;
        host_port[h] = port;
      }
    }
    attached_first.push_back(static_cast<std::uint32_t>(attached_list.size()));
  }
  component = components(*this);

  const std::size_t lids = fabric.top_lid() + std::size_t{1};
  lid_owner.resize(lids);
  end.assign(lids, {nowhere(), 0});
  for (std::size_t lid = 0; lid < lids; ++lid) {
    const LidOwner owner_of = fabric.owner(static_cast<Lid>(lid));
    lid_owner[lid] = owner_of;
    if (owner_of.kind == LidOwner::Kind::kSwitch) end[lid] = {owner_of.id, 0};
    if (owner_of.kind == LidOwner::Kind::kHost)
      end[lid] = {host_at[owner_of.id], host_port[owner_of.id]};
  }
}

std::uint64_t Wiring::pairs() const {
  std::vector<std::uint64_t> hosts(attached_list.size() + switches + 1, 0);
  std::uint64_t total = 0;
  // The k-th host of a component makes 2(k − 1) ordered pairs with the hosts before it.
  for (SwitchId s = 0; s < switches; ++s) {
    std::uint64_t& seen = hosts[component[s]];
    for (std::size_t i = 0; i < attached(s).size(); ++i) total += 2 * seen++;
  }
  return total;
}

void Wiring::match_component_names(const Wiring& old) {
  // (new, old) → switches in both
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> shared;
  for (SwitchId s = 0; s < switches; ++s) ++shared[{component[s], old.component[s]}];
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> by_size;
  for (const auto& [names, size] : shared) by_size.emplace_back(size, names.first, names.second);
  std::ranges::sort(by_size, std::greater<>());

  // There are never more components than switches, so a name below the number of switches is always
  // free.
  std::vector<std::uint32_t> name(switches, switches);
  std::vector<bool> taken(switches, false);
  for (const auto& [size, mine, theirs] : by_size) {
    if (name[mine] != switches || taken[theirs]) continue;
    name[mine] = theirs;
    taken[theirs] = true;
  }
  std::uint32_t next_free = 0;
  for (SwitchId s = 0; s < switches; ++s) {
    std::uint32_t& mine = name[component[s]];
    if (mine == switches) {
      while (taken[next_free]) ++next_free;
      taken[next_free] = true;
      mine = next_free;
    }
    component[s] = mine;
  }
}

}  // namespace selvedge::prover
