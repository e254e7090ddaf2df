// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/spftr/cube_symmetry.hpp"

#include <algorithm>

namespace selvedge {

CubeSymmetry::CubeSymmetry(const SwitchGraph& graph, const Lattice& lattice, const TurnRules& rules)
    : graph_(graph), lattice_(lattice), rules_(rules) {
  const unsigned n = lattice.dimensions();
  if (n != Exchange{}.size()) return;
  for (const unsigned size : lattice.sizes)
    if (size != lattice.sizes[0]) return;
  const unsigned k = lattice.sizes[0];
  if (graph.num_switches() != k * k * k || graph.num_arcs() != graph.num_switches() * 2 * n) return;
  if (std::ranges::find(lattice.arc, kNoArc) != lattice.arc.end()) return;

  at_.resize(graph.num_switches());
  for (SwitchId s = 0; s < graph.num_switches(); ++s)
    at_[(lattice.coordinate(s, 0) * k + lattice.coordinate(s, 1)) * k + lattice.coordinate(s, 2)] =
        s;
  Exchange exchange = {0, 1, 2};
  do exchanges_.push_back(exchange);
  while (std::ranges::next_permutation(exchange).found);
  holds_ = std::ranges::all_of(exchanges_, [&](const Exchange& e) { return keeps_rules(e); });
}

SwitchId CubeSymmetry::image(SwitchId s, const Exchange& exchange) const {
  std::array<unsigned, 3> position{};
  for (unsigned i = 0; i < position.size(); ++i) position[exchange[i]] = lattice_.coordinate(s, i);
  const unsigned k = lattice_.sizes[0];
  return at_[(position[0] * k + position[1]) * k + position[2]];
}

bool CubeSymmetry::keeps_rules(const Exchange& exchange) const {
  const auto turn = [&](SwitchId s, std::uint8_t in, std::uint8_t out) {
    return rules_.turns[(rules_.region[s] * rules_.kinds + in) * rules_.kinds + out];
  };
  for (SwitchId s = 0; s < graph_.num_switches(); ++s) {
    const SwitchId to = image(s, exchange);
    for (std::uint8_t in = 0; in < rules_.kinds; ++in)
      for (std::uint8_t out = 0; out < rules_.kinds; ++out) {
        const Turn a = turn(s, in, out);
        const Turn b = turn(to, image_of_kind(in, exchange), image_of_kind(out, exchange));
        if (a.on_vl1 != b.on_vl1 || a.forbidden != b.forbidden) return false;
      }
  }
  return true;
}

bool CubeSymmetry::leads(SwitchId destination) const {
  return lattice_.coordinate(destination, 0) <= lattice_.coordinate(destination, 1) &&
         lattice_.coordinate(destination, 1) <= lattice_.coordinate(destination, 2);
}

std::vector<CubeSymmetry::Image> CubeSymmetry::images(SwitchId destination) const {
  std::vector<Image> images;
  for (std::size_t e = 0; e < exchanges_.size(); ++e) {
    const SwitchId to = image(destination, exchanges_[e]);
    if (std::ranges::find(images, to, &Image::destination) == images.end())
      images.push_back({to, e});
  }
  return images;
}

Columns CubeSymmetry::image(const Columns& columns, std::size_t exchange) const {
  const Exchange& e = exchanges_[exchange];
  const unsigned kinds = rules_.kinds;
  Columns turned = columns;
  for (SwitchId s = 0; s < graph_.num_switches(); ++s) {
    const SwitchId to = image(s, e);
    for (unsigned c = 0; c < columns.used; ++c) {
      const std::size_t from = std::size_t{s} * columns.stride + c;
      const std::size_t place = std::size_t{to} * columns.stride + c;
      const Arc arc = columns.next[from];
      turned.next[place] =
          arc == kNoArc
              ? kNoArc
              : lattice_.arc[to * std::size_t{kinds} + image_of_kind(rules_.kind[arc], e)];
      turned.sls[place] = columns.sls[from];
    }
  }
  for (SwitchId& s : turned.order)
    if (s != kNoSwitch) s = image(s, e);
  return turned;
}

}  // namespace selvedge
