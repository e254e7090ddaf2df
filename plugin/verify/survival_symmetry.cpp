// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/survival_symmetry.hpp"

#include <algorithm>
#include <numeric>

namespace selvedge::survival {

Orbits::Orbits(const Fabric& fabric, const PathWalker& walker, const Elements& elements)
    : fabric_(fabric),
      walker_(walker),
      elements_(elements),
      count_(elements.size()),
      parent_(elements.size()),
      channel_(fabric.num_switch_channels()) {
  std::iota(parent_.begin(), parent_.end(), Element{0});
}

void Orbits::use(const SwitchMap& map) {
  if (!lay_cables(map) || !joins_any(map) || !keeps_paths(map)) return;
  for (Element e = 0; e < elements_.size(); ++e) {
    const Element a = root(e), b = root(image(map, e));
    if (a == b) continue;
    parent_[std::max(a, b)] = std::min(a, b);
    --count_;
  }
}

std::vector<Orbits::Orbit> Orbits::all() const {
  std::vector<std::uint32_t> size(elements_.size(), 0);
  for (Element e = 0; e < elements_.size(); ++e) ++size[root(e)];
  std::vector<Orbit> orbits;
  for (Element e = 0; e < elements_.size(); ++e)
    if (size[e] != 0) orbits.push_back({e, size[e]});
  return orbits;
}

Element Orbits::root(Element e) const {
  while (parent_[e] != e) e = parent_[e];
  return e;
}

Element Orbits::image(const SwitchMap& map, Element e) const {
  return elements_.kind == FaultKind::kLinks ? elements_.of_channel[channel_[elements_.id[e]]]
                                             : elements_.of_switch[map[elements_.id[e]]];
}

/// Sets channel_: maps each cable to a cable, parallel cables in the order of their ports. Returns
/// false if the map is no symmetry of the graph.
bool Orbits::lay_cables(const SwitchMap& map) {
  std::ranges::fill(channel_, kNoChannel);
  std::vector<bool> taken(map.size(), false);
  for (SwitchId s = 0; s < map.size(); ++s) {
    if (taken[map[s]]) return false;
    taken[map[s]] = true;
    if (fabric_.node(s).failed != fabric_.node(map[s]).failed ||
        walker_.num_sources(s) != walker_.num_sources(map[s]) ||
        walker_.wiring().attached(s).size() != walker_.wiring().attached(map[s]).size() ||
        fabric_.out(s).size() != fabric_.out(map[s]).size())
      return false;
  }
  std::vector<bool> used(fabric_.num_switch_channels(), false);
  for (const Channel c : fabric_.links()) {
    const SwitchId from = map[fabric_.switch_of(c)], to = map[fabric_.target(c)];
    if (from == to) return false;  // a cable from a switch to itself: not supported
    const auto out = fabric_.out(from);
    const auto free =
        std::ranges::find_if(out, [&](Channel g) { return fabric_.target(g) == to && !used[g]; });
    if (free == out.end()) return false;
    const Channel back = fabric_.peer(*free);
    used[*free] = used[back] = true;
    channel_[c] = *free;
    channel_[fabric_.peer(c)] = back;
  }
  return true;
}

bool Orbits::joins_any(const SwitchMap& map) {
  for (Element e = 0; e < elements_.size(); ++e)
    if (root(e) != root(image(map, e))) return true;
  return false;
}

/// Whether the map takes the paths of every source to every host to those of the source's image to
/// the host's image. Paths are compared as sets: which LID has which path does not matter.
bool Orbits::keeps_paths(const SwitchMap& map) {
  using Paths = std::vector<std::vector<Channel>>;
  const auto collect = [&](const PathWalker::Source& source, HostId to, Paths& paths) {
    const Host& host = fabric_.host(to);
    paths.resize(host.lid == kNoLid ? 0 : host.lid_count());
    std::size_t count = 0;
    for (unsigned i = 0; i < paths.size(); ++i)
      count += walker_.walk(source, static_cast<Lid>(host.lid + i), paths[count]);
    paths.resize(count);
  };
  const auto make_set = [](Paths& paths) {
    std::ranges::sort(paths);
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  };
  Paths here, there;
  const prover::Wiring& w = walker_.wiring();
  for (SwitchId destination_switch = 0; destination_switch < map.size(); ++destination_switch) {
    for (std::size_t k = 0; k < w.attached(destination_switch).size(); ++k) {
      const HostId d = w.attached(destination_switch)[k].host,
                   gd = w.attached(map[destination_switch])[k].host;
      for (SwitchId s = 0; s < map.size(); ++s) {
        for (std::uint32_t i = 0; i < walker_.num_sources(s); ++i) {
          const PathWalker::Source& from = walker_.sources()[walker_.first_source(s) + i];
          const PathWalker::Source& gfrom = walker_.sources()[walker_.first_source(map[s]) + i];
          if (walker_.counts_pair(from, d) != walker_.counts_pair(gfrom, gd)) return false;
          if (!walker_.counts_pair(from, d)) continue;
          collect(from, d, here);
          collect(gfrom, gd, there);
          for (std::vector<Channel>& path : here)
            for (Channel& c : path) c = channel_[c];
          make_set(here);
          make_set(there);
          if (here != there) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace selvedge::survival
