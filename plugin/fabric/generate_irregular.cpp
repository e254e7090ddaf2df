// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A random connected graph of given degree. It begins as a ring with chords, which has the right
// degrees. Then it is mixed: two cables at a time exchange an end, which keeps every degree (Milo
// et al. 2003). Mixing may disconnect the graph. In that case a cable on a cycle of one component
// is exchanged with one of another, which connects the two. All randomness comes from StableRandom,
// so the seed determines the fabric.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "plugin/fabric/generator_parts.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"

namespace selvedge {
namespace {

struct Edge {
  SwitchId a, b;
};

class Mixer {
 public:
  Mixer(unsigned switches, unsigned degree)
      : degree_(degree), used_(switches, 0), neighbour_(std::size_t{switches} * degree) {}

  void add(SwitchId a, SwitchId b) {
    edges_.push_back({a, b});
    neighbour_[std::size_t{a} * degree_ + used_[a]++] = b;
    neighbour_[std::size_t{b} * degree_ + used_[b]++] = a;
  }

  /// Replaces cables a–b and c–d by a–c and b–d, unless that makes a loop or a parallel cable.
  /// Returns whether it did.
  bool exchange(std::size_t first, std::size_t second, bool turned) {
    const auto [a, b] = edges_[first];
    auto [c, d] = edges_[second];
    if (turned) std::swap(c, d);
    if (a == c || b == d || a == d || b == c || adjacent(a, c) || adjacent(b, d)) return false;
    replace(a, b, c);
    replace(b, a, d);
    replace(c, d, a);
    replace(d, c, b);
    edges_[first] = {a, c};
    edges_[second] = {b, d};
    return true;
  }

  void mix(StableRandom& random) {
    if (edges_.size() < 2) return;
    for (std::size_t i = 0; i < 10 * edges_.size(); ++i) {
      const std::size_t first = random.below(edges_.size());
      const std::size_t second = random.below(edges_.size());
      const bool turned = random.below(2) == 1;
      if (first != second) exchange(first, second, turned);
    }
  }

  /// Finds the connected components (union-find), and the cables that close a cycle in them.
  /// Without one such cable its component remains connected.
  void find_pieces() {
    piece_.resize(used_.size());
    std::iota(piece_.begin(), piece_.end(), 0);
    closing_.clear();
    pieces_ = piece_.size();
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const SwitchId a = root(edges_[e].a), b = root(edges_[e].b);
      if (a == b) {
        closing_.push_back(e);
      } else {
        piece_[a] = b;
        --pieces_;
      }
    }
  }

  /// Connects the components. Each has a cycle, since check() requires a degree of at least 2 for
  /// more than two switches.
  void join() {
    for (find_pieces(); pieces_ > 1; find_pieces()) {
      std::size_t joined = 0;
      std::vector<bool> taken(piece_.size(), false);
      std::size_t previous = SIZE_MAX;
      // Pairs of components that are not yet connected in this round
      for (const std::size_t e : closing_) {
        const SwitchId piece = root(edges_[e].a);
        if (taken[piece]) continue;
        taken[piece] = true;
        if (previous == SIZE_MAX) {
          previous = e;
        } else {
          joined += exchange(previous, e, false) ? 1 : 0;
          previous = SIZE_MAX;
        }
      }
      if (joined == 0) break;  // impossible: cables of two components can always be exchanged
    }
  }

  std::size_t links() const { return edges_.size(); }

  /// Removes cables until `links` are left, at least a spanning tree. All are in random order; of
  /// those that close a cycle with earlier ones, the last go.
  void thin(std::size_t links, StableRandom& random) {
    random.shuffle(edges_);
    find_pieces();
    while (edges_.size() > links) {
      const auto [a, b] = edges_[closing_.back()];
      edges_.erase(edges_.begin() + static_cast<std::ptrdiff_t>(closing_.back()));
      closing_.pop_back();
      remove(a, b);
      remove(b, a);
    }
  }

  std::span<const SwitchId> neighbours(SwitchId s) {
    SwitchId* first = neighbour_.data() + std::size_t{s} * degree_;
    std::sort(first, first + used_[s]);
    return {first, used_[s]};
  }

 private:
  bool adjacent(SwitchId a, SwitchId b) const {
    const SwitchId* first = neighbour_.data() + std::size_t{a} * degree_;
    return std::find(first, first + used_[a], b) != first + used_[a];
  }
  void replace(SwitchId at, SwitchId was, SwitchId is) {
    SwitchId* first = neighbour_.data() + std::size_t{at} * degree_;
    *std::find(first, first + used_[at], was) = is;
  }
  void remove(SwitchId at, SwitchId neighbour) {
    SwitchId* first = neighbour_.data() + std::size_t{at} * degree_;
    *std::find(first, first + used_[at], neighbour) = first[used_[at] - 1];
    --used_[at];
  }
  SwitchId root(SwitchId s) {
    while (piece_[s] != s) s = piece_[s] = piece_[piece_[s]];
    return s;
  }

  unsigned degree_;
  std::vector<unsigned> used_;       // per switch: number of neighbours so far
  std::vector<SwitchId> neighbour_;  // `degree` entries for each switch
  std::vector<Edge> edges_;
  std::vector<SwitchId> piece_;
  std::vector<std::size_t> closing_;
  std::size_t pieces_ = 0;
};

void check(unsigned switches, unsigned degree, unsigned hosts, const std::string& where) {
  if (switches < 1)
    throw InputError("an irregular fabric needs a switch", where, "choose switches of 1 or more");
  if (degree >= switches)
    throw InputError(fmt::format("{} switches cannot have {} neighbours each", switches, degree),
                     where, fmt::format("choose a degree of at most {}", switches - 1));
  if ((degree == 0 && switches > 1) || (degree == 1 && switches > 2))
    throw InputError(fmt::format("{} switches with {} cable{} each are in pieces", switches, degree,
                                 degree == 1 ? "" : "s"),
                     where, fmt::format("choose a degree of {} or more", switches > 2 ? 2 : 1));
  generator::check_ports(std::uint64_t{degree} + hosts, where);
  generator::check_lids(switches, generator::saturating_product(switches, hosts), where);
}

}  // namespace

Fabric irregular(unsigned switches, unsigned degree, unsigned hosts, std::uint64_t seed,
                 unsigned links) {
  std::string where = fmt::format("irregular:switches={},degree={},hosts={},seed={}", switches,
                                  degree, hosts, seed);
  if (links != kAllLinks) where += fmt::format(",links={}", links);
  check(switches, degree, hosts, where);

  StableRandom random(seed);
  // The order of the switches on the ring is random. So it is random which switch has one cable
  // less (if one must).
  std::vector<SwitchId> place(switches);
  std::iota(place.begin(), place.end(), 0);
  random.shuffle(place);

  Mixer mixer(switches, degree);
  for (unsigned step = 1; step <= degree / 2; ++step)
    for (unsigned i = 0; i < switches; ++i) mixer.add(place[i], place[(i + step) % switches]);
  if (degree % 2 == 1)  // across the ring; of an odd number of switches, the last has none
    for (unsigned i = 0; i < switches / 2; ++i) mixer.add(place[i], place[i + switches / 2]);
  mixer.mix(random);
  mixer.join();
  if (links != kAllLinks) {
    if (links > mixer.links() || links + 1 < switches)
      throw InputError(
          fmt::format("{} switches of degree {} cannot have {} cables", switches, degree, links),
          where, fmt::format("choose {} to {} links", switches - 1, mixer.links()));
    mixer.thin(links, random);
  }

  FabricBuilder builder;
  HostId next_host = 0;
  for (SwitchId s = 0; s < switches; ++s) {
    generator::add_switch(builder, s, fmt::format("S-{}", s), degree + hosts);
    for (unsigned h = 0; h < hosts; ++h)
      generator::add_host(builder, next_host++, fmt::format("H-{}-{}", s, h), s, degree + 1 + h);
  }
  std::vector<unsigned> port(switches, 0);  // per switch: the last port with a cable
  for (SwitchId s = 0; s < switches; ++s)  // so ports ascend with the neighbours' ids, at both ends
    for (const SwitchId t : mixer.neighbours(s))
      if (s < t)
        builder.connect(s, static_cast<PortNum>(++port[s]), t, static_cast<PortNum>(++port[t]));
  return std::move(builder).build(where);
}

}  // namespace selvedge
