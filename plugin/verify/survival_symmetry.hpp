// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Symmetries: maps of the fabric onto itself that also map the tables onto themselves. If such a
// map takes one combination to another, both have the same result. Each map is checked, cable by
// cable and path by path, before it is used. So which maps are tried affects only how much work is
// saved.
//
// How symmetries are used. Let S be the set of singular combinations of K elements. In each
// combination X of S mark one element x; there are K · |S| pairs (X, x). How many pairs have a
// given x is the same for all elements of x's orbit (the elements that symmetries map it to). So it
// suffices to count, for one x of each orbit, the combinations that contain x: K · |S| = Σ over
// orbits of |orbit| · |{X in S that contain x}|. The same holds for tolerated and disconnected
// combinations.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plugin/verify/survival_pairs.hpp"

namespace selvedge::survival {

/// For each switch its image.
using SwitchMap = std::vector<SwitchId>;

/// Calls f(map) for the translations (of tori), reflections and exchanges of dimensions of a
/// recognised lattice; translations by one step come first. Other fabrics have no maps. f returns
/// false to stop.
void each_lattice_map(const Fabric& fabric, const std::function<bool(const SwitchMap&)>& f);

class Orbits {
 public:
  /// Keeps references to all three. At first each element is an orbit of its own.
  Orbits(const Fabric& fabric, const PathWalker& walker, const Elements& elements);

  /// Checks whether the map is a symmetry of fabric and tables. If so, merges the orbits of each
  /// element and its image.
  void use(const SwitchMap& map);

  std::uint32_t count() const { return count_; }
  struct Orbit {
    Element lowest;
    std::uint32_t size;
  };
  std::vector<Orbit> all() const;

 private:
  bool lay_cables(const SwitchMap& map);
  bool joins_any(const SwitchMap& map);
  bool keeps_paths(const SwitchMap& map);
  Element image(const SwitchMap& map, Element e) const;
  Element root(Element e) const;

  const Fabric& fabric_;
  const PathWalker& walker_;
  const Elements& elements_;
  std::uint32_t count_;
  std::vector<Element> parent_;   // per element: union-find; a root is its orbit's least
  std::vector<Channel> channel_;  // per switch channel: its image under the current map
};

}  // namespace selvedge::survival
