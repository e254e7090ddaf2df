// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "sim/traffic/streams.hpp"

namespace selvedge::sim {
namespace {

// The lowest MLID is IPoIB's broadcast group.
constexpr Lid kFirstMlid = kMinMulticastLid + 1;
constexpr std::size_t kMlids = kMaxMulticastLid - kFirstMlid + 1;

MulticastGroup draw_group(unsigned size, const Terminals& terminals, Stream chance) {
  MulticastGroup group;
  while (group.members.size() < size) {
    const HostId host = terminals.host(chance.below(terminals.count()));
    if (std::ranges::find(group.members, host) == group.members.end())
      group.members.push_back(host);
  }
  std::ranges::sort(group.members);
  return group;
}

}  // namespace

std::vector<HostId> MulticastGroup::receivers(HostId source) const {
  std::vector<HostId> all = members;
  std::erase(all, source);
  return all;
}

std::vector<MulticastGroup> groups_of(const TrafficSpec& spec, const Terminals& terminals,
                                      std::uint64_t seed) {
  std::vector<MulticastGroup> groups;
  for (const ClassSpec& one : spec.classes)
    for (std::size_t i = 0; i < one.groups.size(); ++i) {
      if (one.groups[i] > terminals.count())
        throw InputError(
            fmt::format("a group of the class '{}' has {} members", one.name, one.groups[i]),
            fmt::format("a fabric with {} hosts", terminals.count()),
            "give it fewer members, or choose a larger fabric");
      groups.push_back(
          draw_group(one.groups[i], terminals, stream_of(seed, StreamUse::kGroups, i)));
    }
  const std::size_t mlids = groups.size() * terminals.fabric().num_hosts();
  if (mlids > kMlids)
    throw InputError(fmt::format("{} groups with an MLID for each of {} hosts are {} MLIDs",
                                 groups.size(), terminals.fabric().num_hosts(), mlids),
                     "[[traffic.class]] groups",
                     fmt::format("there are {}: give fewer groups", kMlids));
  return groups;
}

std::size_t first_group(const TrafficSpec& spec, std::size_t of_class) {
  std::size_t first = 0;
  for (std::size_t c = 0; c < of_class; ++c) first += spec.classes[c].groups.size();
  return first;
}

Lid mlid_of(std::size_t group, HostId source, const Fabric& fabric) {
  return static_cast<Lid>(kFirstMlid + group * fabric.num_hosts() + source);
}

}  // namespace selvedge::sim
