// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/survival_pairs.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <new>

namespace selvedge::survival {
namespace {

/// Takes the paths of a pair in a canonical form, and adds the pair unless an equal pair exists.
class Collector {
 public:
  Collector(Pairs& pairs, std::uint32_t elements) : pairs_(pairs), uses_(elements, 0) {}

  void add(Pairs::Ends ends, std::vector<std::vector<Element>>& paths, std::size_t count) {
    reduce(paths, count);
    const std::uint64_t key = hash(ends);
    const auto [it, is_new] = first_.try_emplace(key, pairs_.size());
    if (!is_new)
      for (std::uint32_t p = it->second; p != kNone; p = next_[p])
        if (same(p, ends)) return;
    // The new pair becomes the head of the linked list of pairs with its hash.
    next_.push_back(is_new ? kNone : it->second);
    it->second = pairs_.size();
    keep(ends);
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// Sorts the paths and drops those that contain another. The shortest come first, so a path can
  /// contain only an earlier one.
  void reduce(std::vector<std::vector<Element>>& paths, std::size_t count) {
    const std::span<std::vector<Element>> all(paths.data(), count);
    std::ranges::sort(all, [](const auto& x, const auto& y) {
      return x.size() != y.size() ? x.size() < y.size() : x < y;
    });
    least_.clear();
    for (const std::vector<Element>& path : all)
      if (std::ranges::none_of(least_, [&](const std::vector<Element>* kept) {
            return std::ranges::includes(path, *kept);
          }))
        least_.push_back(&path);
  }

  std::uint64_t hash(Pairs::Ends ends) const {
    std::uint64_t h = ends.a * std::uint64_t{0x9e3779b97f4a7c15} + ends.b;
    for (const auto* path : least_) {
      for (const Element e : *path) h = (h ^ (h >> 29) ^ e) * 0xbf58476d1ce4e5b9;
      h = (h ^ (h >> 32)) * 0x94d049bb133111eb;
    }
    return h;
  }

  bool same(std::uint32_t p, Pairs::Ends ends) const {
    if (pairs_.ends[p] != ends || pairs_.paths(p) != least_.size()) return false;
    for (std::uint32_t i = 0; i < least_.size(); ++i)
      if (!std::ranges::equal(pairs_.needs[pairs_.first_path[p] + i], *least_[i])) return false;
    return true;
  }

  void keep(Pairs::Ends ends) {
    std::uint8_t shared = 0;
    for (const auto* path : least_) {
      for (const Element e : *path) {
        pairs_.needs.values.push_back(e);
        shared = std::max(shared, ++uses_[e]);
      }
      pairs_.needs.end_list();
      pairs_.pair_of.push_back(pairs_.size());
    }
    for (const auto* path : least_)
      for (const Element e : *path) uses_[e] = 0;
    pairs_.ends.push_back(ends);
    pairs_.first_path.push_back(pairs_.num_paths());
    pairs_.shared.push_back(shared);
  }

  Pairs& pairs_;
  std::vector<std::uint8_t> uses_;  // per element: paths of the pair that need it, at most 128
  std::vector<const std::vector<Element>*> least_;
  /// Hash → the newest pair with that hash
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> first_;
  std::vector<std::uint32_t> next_;  // per pair: the next older pair with the same hash
};

}  // namespace

Elements::Elements(const Fabric& fabric, FaultKind of) : kind(of) {
  if (of == FaultKind::kLinks) {
    id.assign(fabric.links().begin(), fabric.links().end());
    of_channel.assign(fabric.num_switch_channels(), kNoElement);
    for (Element e = 0; e < size(); ++e) of_channel[id[e]] = of_channel[fabric.peer(id[e])] = e;
    return;
  }
  of_switch.assign(fabric.num_switches(), kNoElement);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (fabric.node(s).failed) continue;
    of_switch[s] = size();
    id.push_back(s);
  }
}

Fault Elements::fault(std::span<const Element> elements) const {
  Fault fault;
  for (const Element e : elements)
    (kind == FaultKind::kLinks ? fault.links : fault.switches).push_back(id[e]);
  return fault;
}

void Elements::on_path(const prover::Wiring& wiring, std::span<const Channel> channels,
                       std::vector<Element>& needs) const {
  needs.clear();
  if (kind == FaultKind::kLinks) {
    for (const Channel c : channels) needs.push_back(of_channel[c]);
  } else {
    for (std::size_t i = 1; i < channels.size(); ++i)
      needs.push_back(of_switch[wiring.owner[channels[i]]]);
  }
  std::ranges::sort(needs);
}

void Lists::end_list() {
  if (values.size() > UINT32_MAX) throw std::bad_alloc();
  first.push_back(static_cast<std::uint32_t>(values.size()));
}

Lists Lists::transposed(std::uint32_t values_end) const {
  Lists result;
  result.first.assign(values_end + std::size_t{1}, 0);
  for (const std::uint32_t v : values) ++result.first[v + 1];
  for (std::uint32_t v = 0; v < values_end; ++v) result.first[v + 1] += result.first[v];
  result.values.resize(values.size());
  std::vector<std::uint32_t> at(result.first.begin(), result.first.end() - 1);
  for (std::uint32_t i = 0; i < size(); ++i)
    for (const std::uint32_t v : (*this)[i]) result.values[at[v]++] = i;
  return result;
}

Pairs::Pairs(const PathWalker& walker, const Fabric& fabric, const Elements& elements) {
  Collector collector(*this, elements.size());
  std::vector<Channel> channels;
  std::vector<std::vector<Element>> paths(std::size_t{1} << kMaxLmc);
  for (HostId d = 0; d < fabric.num_hosts(); ++d) {
    const Host& host = fabric.host(d);
    for (const PathWalker::Source& source : walker.sources()) {
      if (!walker.counts_pair(source, d)) continue;
      std::size_t count = 0;
      bool safe = false;  // whether a path exists that no fault can break
      for (unsigned i = 0; i < (host.lid == kNoLid ? 0 : host.lid_count()) && !safe; ++i) {
        if (!walker.walk(source, static_cast<Lid>(host.lid + i), channels)) continue;
        elements.on_path(walker.wiring(), channels, paths[count]);
        safe = paths[count++].empty();
      }
      const SwitchId destination_switch = walker.wiring().host_at[d];
      if (!safe)
        collector.add(
            {std::min(source.at, destination_switch), std::max(source.at, destination_switch)},
            paths, count);
    }
  }
  through = needs.transposed(elements.size());
  if (elements.kind == FaultKind::kLinks) return;
  Lists at_pair;  // per pair: the elements (switches) that it ends at
  for (const Ends& e : ends) {
    at_pair.values.push_back(elements.of_switch[e.a]);
    if (e.a != e.b) at_pair.values.push_back(elements.of_switch[e.b]);
    at_pair.end_list();
  }
  ending = at_pair.transposed(elements.size());
}

}  // namespace selvedge::survival
