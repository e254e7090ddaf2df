// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/paths.hpp"

#include <algorithm>
#include <utility>

#include "plugin/tables/independent.hpp"

namespace selvedge {
namespace {

/// The channel that the LFT entry gives; kNoChannel if the entry is port 0, no route, or a port
/// that the switch does not have.
Channel next_channel(const Fabric& fabric, const Tables& tables, SwitchId s, Lid dlid) {
  const PortNum out = tables.next(s, dlid);
  const Channel c = fabric.channel(s, out);
  return out == 0 || c >= fabric.channel(s + 1, 0) ? kNoChannel : c;
}

}  // namespace

Path walk(const Fabric& fabric, const Tables& tables, SwitchId source, PortNum in, Lid dlid) {
  Path path;
  path.switches.push_back(source);
  if (dlid == kNoLid || dlid > tables.top_lid()) return path;
  const LidOwner owner = fabric.owner(dlid);
  path.sl = tables.sl(source, dlid);
  auto ends = [&](Path::End end) {
    path.end = end;
    return path;
  };
  if (in != 0 && tables.host_sl2vl[path.sl] == kDropVl) return ends(Path::End::kDropped);

  std::vector<bool> visited(fabric.num_switches());
  for (SwitchId s = source;;) {
    visited[s] = true;
    if (tables.next(s, dlid) == 0)
      return ends(owner == LidOwner{LidOwner::Kind::kSwitch, s} ? Path::End::kArrives
                                                                : Path::End::kNoRoute);
    const Channel c = next_channel(fabric, tables, s, dlid);
    if (c == kNoChannel) return ends(Path::End::kNoRoute);
    const Channel far = fabric.peer(c);
    if (far == kNoChannel) return ends(Path::End::kDeadCable);
    const Vl vl = tables.sl2vl.row(s, in, fabric.port_of(c))[path.sl];
    if (vl == kDropVl) return ends(Path::End::kDropped);
    if (!fabric.from_switch(far))
      return ends(owner == LidOwner{LidOwner::Kind::kHost, fabric.host_of(far)}
                      ? Path::End::kArrives
                      : Path::End::kNoRoute);
    s = fabric.switch_of(far);
    in = fabric.port_of(far);
    path.channels.push_back(c);
    path.vls.push_back(vl);
    path.switches.push_back(s);
    if (visited[s]) return ends(Path::End::kLoop);
  }
}

DisjointPaths::DisjointPaths(const Fabric& fabric, const Tables& tables)
    : fabric_(fabric),
      tables_(tables),
      drops_(tables),
      first_(kMaxPaths),
      length_(kMaxPaths),
      visited_(fabric.num_switches()),
      users_(fabric.num_switches()) {}

bool DisjointPaths::dropped_at_source(SwitchId source, PortNum out, Sl sl) const {
  const auto hosts = fabric_.hosts_at(source);
  if (hosts.empty()) return (drops_.at(source, 0, out) >> sl & 1u) != 0;
  unsigned dropped = drops_.at_hosts();
  for (const HostId h : hosts) {
    const PortNum in = fabric_.host(h).port;
    if (in != out) dropped |= drops_.at(source, in, out);
  }
  return (dropped >> sl & 1u) != 0;
}

/// Appends the channels of the path to this LID to arena_. Returns whether the path arrives.
bool DisjointPaths::trace(SwitchId source, HostId destination, Lid dlid) {
  if (++walk_ == 0) {  // the counter has wrapped around
    std::ranges::fill(visited_, 0);
    walk_ = 1;
  }
  const Channel goal = fabric_.injection(destination);
  const bool may_drop = drops_.any();
  const Sl sl = may_drop ? tables_.sl(source, dlid) : Sl{0};
  PortNum in = 0;
  for (SwitchId s = source;;) {
    visited_[s] = walk_;
    const Channel c = next_channel(fabric_, tables_, s, dlid);
    if (c == kNoChannel) return false;
    const Channel far = fabric_.peer(c);
    if (far == kNoChannel) return false;
    if (may_drop) {
      const PortNum out = fabric_.port_of(c);
      if (s == source ? dropped_at_source(s, out, sl) : (drops_.at(s, in, out) >> sl & 1u) != 0)
        return false;
    }
    if (!fabric_.from_switch(far)) return far == goal;
    if (may_drop) in = fabric_.port_of(far);
    s = fabric_.switch_of(far);
    if (visited_[s] == walk_) return false;
    arena_.push_back(c);
  }
}

std::span<const unsigned> DisjointPaths::find(SwitchId source, HostId destination) {
  const Host& host = fabric_.host(destination);
  arena_.clear();
  candidates_.clear();
  chosen_.clear();
  if (host.lid == kNoLid || !fabric_.attached(destination)) return {};
  const unsigned count = host.lid_count();
  for (unsigned offset = 0; offset < count; ++offset) {
    const std::size_t start = arena_.size();
    if (!trace(source, destination, static_cast<Lid>(host.lid + offset))) {
      arena_.resize(start);
      continue;
    }
    first_[offset] = static_cast<std::uint32_t>(start);
    length_[offset] = static_cast<std::uint32_t>(arena_.size() - start);
    const auto path = channels(offset);
    const bool repeats = std::ranges::any_of(
        candidates_, [&](unsigned earlier) { return std::ranges::equal(channels(earlier), path); });
    if (repeats)
      arena_.resize(start);
    else
      candidates_.push_back(offset);
    if (host.at == source) break;  // all offsets lead over the host's one cable
  }
  if (candidates_.size() < 2)
    chosen_ = candidates_;
  else
    select();
  return chosen_;
}

/// Chooses among the candidates. Two candidates conflict if they share a switch between the end
/// switches. Shared cables need no test: such a cable ends at a shared switch, unless it is the
/// whole of both paths. But then the paths are equal, and candidates are distinct.
void DisjointPaths::select() {
  std::array<PathTraits, kMaxPaths> traits;
  const auto count = static_cast<unsigned>(candidates_.size());
  auto for_each_inner_switch = [&](unsigned i, auto&& action) {
    const auto path = channels(candidates_[i]);
    for (std::size_t hop = 0; hop + 1 < path.size(); ++hop)
      action(users_[fabric_.target(path[hop])]);
  };
  for (unsigned i = 0; i < count; ++i)
    for_each_inner_switch(i, [&](auto& users) { users[i / 64] |= std::uint64_t{1} << (i % 64); });
  PathSet conflicting = 0;
  for (unsigned i = 0; i < count; ++i) {
    std::uint64_t low = 0, high = 0;
    for_each_inner_switch(i, [&](const auto& users) {
      low |= users[0];
      high |= users[1];
    });
    const auto path = channels(candidates_[i]);
    PathTraits& t = traits[i];
    t.length = length_[candidates_[i]];
    t.conflicts = (PathSet{high} << 64 | low) & ~(PathSet{1} << i);
    conflicting |= t.conflicts;
    // The number of a first (or last) switch is the lowest index of a path with that first (or
    // last) switch.
    t.first = t.last = static_cast<std::uint8_t>(i);
    if (path.size() < 2) continue;
    for (unsigned j = i; j-- > 0;) {
      const auto other = channels(candidates_[j]);
      if (other.size() < 2) continue;
      if (fabric_.target(other.front()) == fabric_.target(path.front())) t.first = traits[j].first;
      if (fabric_.switch_of(other.back()) == fabric_.switch_of(path.back()))
        t.last = traits[j].last;
    }
  }
  for (unsigned i = 0; i < count; ++i) for_each_inner_switch(i, [](auto& users) { users = {}; });

  const PathSet best =
      conflicting == 0 ? ~PathSet{0} : largest_independent(std::span(traits).first(count));
  for (unsigned i = 0; i < count; ++i)
    if ((best >> i & 1u) != 0) chosen_.push_back(candidates_[i]);
  std::ranges::sort(chosen_, {},
                    [this](unsigned offset) { return std::pair(length_[offset], offset); });
}

std::vector<unsigned> disjoint_lids(const Fabric& fabric, const Tables& tables, SwitchId source,
                                    HostId destination) {
  DisjointPaths paths(fabric, tables);
  const auto found = paths.find(source, destination);
  return {found.begin(), found.end()};
}

}  // namespace selvedge
