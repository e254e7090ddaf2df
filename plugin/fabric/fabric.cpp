// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "base/error.hpp"

namespace selvedge {

SwitchId Fabric::destination_switch(Lid lid) const {
  const LidOwner lid_owner = owner(lid);
  switch (lid_owner.kind) {
    case LidOwner::Kind::kSwitch:
      return lid_owner.id;
    case LidOwner::Kind::kHost:
      return hosts_[lid_owner.id].at;
    case LidOwner::Kind::kUnassigned:
      break;
  }
  return kNoSwitch;
}

SwitchId Fabric::find_switch(std::string_view name) const {
  const auto it = std::ranges::find(switches_, name, &Switch::name);
  return it == switches_.end() ? kNoSwitch : static_cast<SwitchId>(it - switches_.begin());
}

HostId Fabric::find_host(std::string_view name) const {
  const auto it = std::ranges::find(hosts_, name, &Host::name);
  return it == hosts_.end() ? kNoHost : static_cast<HostId>(it - hosts_.begin());
}

SwitchId Fabric::find_switch(Guid guid) const {
  const auto it = std::ranges::find(switches_, guid, &Switch::guid);
  return it == switches_.end() ? kNoSwitch : static_cast<SwitchId>(it - switches_.begin());
}

std::string Fabric::port_name(Channel c) const {
  if (!from_switch(c)) return fmt::format("{}:{}", hosts_[host_of(c)].name, port_of(c));
  const Switch& at = switches_[owner_[c]];
  // If several switches have one name, the GUID replaces it, as in Labels (naming.hpp): "Quantum:64
  // – Quantum:64" would be ambiguous.
  if (std::ranges::count(switches_, at.name, &Switch::name) > 1)
    return fmt::format("0x{:016x}:{}", at.guid, port_of(c));
  return fmt::format("{}:{}", at.name, port_of(c));
}

/// Removes a cable from the lists of the switch at this end.
void Fabric::unlist(Channel end) {
  if (!from_switch(end)) return;
  const SwitchId s = owner_[end];
  const auto take = [s](std::vector<std::uint32_t>& list, std::vector<std::uint32_t>& first,
                        std::uint32_t what) {
    list.erase(std::find(list.begin() + first[s], list.begin() + first[s + 1], what));
    for (std::size_t i = s + 1; i < first.size(); ++i) --first[i];
  };
  if (from_switch(peer_[end]))
    take(out_, out_first_, end);
  else
    take(hosts_at_, hosts_at_first_, host_of(peer_[end]));
}

void Fabric::unplug(Channel c) {
  const Channel other = peer_[c];
  if (other == kNoChannel) return;
  std::erase(links_, std::min(c, other));
  unlist(c);
  if (other != c) unlist(other);
  peer_[c] = peer_[other] = kNoChannel;
  rate_[c] = rate_[other] = LinkRate{};
}

void Fabric::list_cables() {
  out_first_.assign(1, 0);
  hosts_at_first_.assign(1, 0);
  out_.clear();
  hosts_at_.clear();
  links_.clear();
  for (SwitchId s = 0; s < num_switches(); ++s) {
    for (Channel c = first_channel_[s] + 1; c < first_channel_[s + 1]; ++c) {
      if (peer_[c] == kNoChannel) continue;
      if (from_switch(peer_[c])) {
        out_.push_back(c);
        if (c < peer_[c]) links_.push_back(c);
      } else {
        hosts_at_.push_back(host_of(peer_[c]));
      }
    }
    out_first_.push_back(static_cast<std::uint32_t>(out_.size()));
    hosts_at_first_.push_back(static_cast<std::uint32_t>(hosts_at_.size()));
  }
}

FabricBuilder::FabricBuilder(const Fabric& from) : fabric_(from) {
  for (const Channel c : from.links()) {
    const Channel d = from.peer(c);
    cables_.push_back({from.switch_of(c), from.port_of(c), from.switch_of(d), from.port_of(d),
                       kNoHost, from.rate(c)});
  }
  for (HostId h = 0; h < from.num_hosts(); ++h)
    if (from.attached(h))
      cables_.push_back(
          {from.host(h).at, from.host(h).port, kNoSwitch, 0, h, from.rate(from.injection(h))});
}

SwitchId FabricBuilder::add_switch(Switch s) {
  fabric_.switches_.push_back(std::move(s));
  return fabric_.num_switches() - 1;
}

HostId FabricBuilder::add_host(Host h, LinkRate rate) {
  fabric_.hosts_.push_back(std::move(h));
  const HostId id = fabric_.num_hosts() - 1;
  const Host& host = fabric_.hosts_.back();
  if (host.at != kNoSwitch) cables_.push_back({host.at, host.port, kNoSwitch, 0, id, rate});
  return id;
}

void FabricBuilder::connect(SwitchId a, PortNum a_port, SwitchId b, PortNum b_port, LinkRate rate) {
  cables_.push_back({a, a_port, b, b_port, kNoHost, rate});
}

void FabricBuilder::unplug(SwitchId s, PortNum port) {
  std::erase_if(cables_, [&](const Cable& c) {
    return (c.a == s && c.a_port == port) || (c.b == s && c.b_port == port);
  });
}

namespace {

void check_guids(std::span<const Switch> switches, std::span<const Host> hosts,
                 const std::string& where) {
  boost::unordered_flat_map<Guid, const std::string*> seen;
  auto check = [&](Guid guid, const std::string& name) {
    if (guid == 0) return;
    const auto [it, fresh] = seen.try_emplace(guid, &name);
    if (!fresh)
      throw InputError(fmt::format("GUID 0x{:016x} is used twice, by \"{}\" and by \"{}\"", guid,
                                   *it->second, name),
                       where, "give every switch and every host port a GUID of its own");
  };
  for (const Switch& s : switches) check(s.guid, s.name);
  for (const Host& h : hosts) check(h.guid, h.name);
}

}  // namespace

Fabric FabricBuilder::build(const std::string& where) && {
  Fabric& f = fabric_;
  check_guids(f.switches_, f.hosts_, where);

  const std::uint32_t switches = f.num_switches();
  f.first_channel_.assign(1, 0);
  f.owner_.clear();
  for (SwitchId s = 0; s < switches; ++s) {
    if (f.switches_[s].ports > kMaxSwitchPorts)
      throw InputError(
          fmt::format("switch \"{}\" has {} ports", f.switches_[s].name, f.switches_[s].ports),
          where, fmt::format("InfiniBand allows at most {}", kMaxSwitchPorts));
    f.owner_.insert(f.owner_.end(), f.switches_[s].ports + 1u, s);
    f.first_channel_.push_back(static_cast<Channel>(f.owner_.size()));
  }
  const std::uint32_t channels = f.num_switch_channels() + f.num_hosts();
  f.peer_.assign(channels, kNoChannel);
  f.rate_.assign(channels, LinkRate{});

  auto socket = [&](SwitchId s, PortNum port) {
    if (s >= switches)
      throw InputError("a cable ends at a switch that does not exist", where,
                       "name both ends of every cable");
    const Switch& sw = f.switches_[s];
    if (port == 0 || port > sw.ports)
      throw InputError(fmt::format("port {} of switch \"{}\" is cabled, but the switch has ports "
                                   "1 to {}",
                                   port, sw.name, sw.ports),
                       where, "correct the port number or the switch's number of ports");
    const Channel c = f.channel(s, port);
    if (f.peer_[c] != kNoChannel)
      throw InputError(fmt::format("port {} of switch \"{}\" has two cables", port, sw.name), where,
                       "a port takes one cable");
    return c;
  };
  for (const Cable& cable : cables_) {
    const Channel a = socket(cable.a, cable.a_port);
    const Channel b =
        cable.b == kNoSwitch ? f.injection(cable.host) : socket(cable.b, cable.b_port);
    if (a == b)
      throw InputError(fmt::format("port {} of switch \"{}\" is cabled to itself", cable.a_port,
                                   f.switches_[cable.a].name),
                       where, "a cable has two ends");
    f.peer_[a] = b;
    f.peer_[b] = a;
    f.rate_[a] = f.rate_[b] = cable.rate;
  }

  f.list_cables();

  f.lid_owner_.clear();
  auto claim = [&](unsigned first, unsigned count, LidOwner owner, const std::string& name) {
    if (first == kNoLid) return;
    const unsigned last = first + count - 1;
    if (last > kMaxUnicastLid)
      throw InputError(fmt::format("LID {} of \"{}\" is beyond the unicast range", last, name),
                       where,
                       fmt::format("LIDs go up to {}; lower the LMC or split the subnet",
                                   unsigned{kMaxUnicastLid}));
    if (f.lid_owner_.size() <= last) f.lid_owner_.resize(last + 1);
    for (unsigned lid = first; lid <= last; ++lid) {
      if (f.lid_owner_[lid].kind != LidOwner::Kind::kUnassigned)
        throw InputError(fmt::format("LID {} of \"{}\" belongs to another node too", lid, name),
                         where, "give every port a LID range of its own");
      f.lid_owner_[lid] = owner;
    }
  };
  for (SwitchId s = 0; s < switches; ++s)
    claim(f.switches_[s].lid, 1, {LidOwner::Kind::kSwitch, s}, f.switches_[s].name);
  for (HostId h = 0; h < f.num_hosts(); ++h) {
    if (f.hosts_[h].lmc > kMaxLmc)
      throw InputError(fmt::format("host \"{}\" has LMC {}", f.hosts_[h].name, f.hosts_[h].lmc),
                       where, fmt::format("LMC goes from 0 to {}", kMaxLmc));
    claim(f.hosts_[h].lid, f.hosts_[h].lid_count(), {LidOwner::Kind::kHost, h}, f.hosts_[h].name);
  }
  return std::move(fabric_);
}

HostLids host_lids(const Fabric& fabric, unsigned lmc) {
  const std::uint64_t span = std::uint64_t{1} << lmc;
  const std::uint64_t first = (fabric.num_switches() + span) / span * span;
  return {first, first + fabric.num_hosts() * span - 1};
}

Fabric assign_lids(const Fabric& fabric, unsigned lmc) {
  if (lmc > kMaxLmc)
    throw InputError(fmt::format("LMC {} is too large", lmc), "--lmc",
                     fmt::format("choose 0 to {}", kMaxLmc));
  const std::uint64_t span = std::uint64_t{1} << lmc;
  const auto [first_host, last] = host_lids(fabric, lmc);
  if (last > kMaxUnicastLid) {
    throw InputError(fmt::format("{} switches and {} hosts with {} LIDs each need {} LIDs",
                                 fabric.num_switches(), fabric.num_hosts(), span, last),
                     "LMC " + std::to_string(lmc),
                     fmt::format("a subnet has {}; lower the LMC or split the fabric",
                                 unsigned{kMaxUnicastLid}));
  }
  FabricBuilder builder(fabric);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    builder.node(s).lid = static_cast<Lid>(s + 1);
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    builder.host(h).lid = static_cast<Lid>(first_host + h * span);
    builder.host(h).lmc = static_cast<std::uint8_t>(lmc);
  }
  return std::move(builder).build("LIDs");
}

}  // namespace selvedge
