// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Symmetries: maps of the fabric onto itself that also map the tables onto themselves. Combinations
// that such a map takes to each other have the same result. Each map is checked, cable by cable and
// path by path, before it is used. So the choice of candidate maps affects only the work saved.
//
// How they are used. Let X be the singular combinations of K elements. Marking one of the K
// elements of each gives K times as many pairs (X, x). The number of pairs with a given x is the
// same for all elements of x's orbit. So it suffices to count, for one x of each orbit, the
// combinations that contain x: K · |{X}| = Σ over orbits of |orbit| · |{X that contain x}|.
//
// Of this room only.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plugin/verify/survival_pairs.hpp"

namespace selvedge::survival {

/// Per switch, its image.
using SwitchMap = std::vector<SwitchId>;

/// Translations (of tori), reflections and exchanges of dimensions of a recognised lattice, the
/// steps by one first; no maps for other fabrics. f returns false to stop.
void each_lattice_map(const Fabric& fabric, const std::function<bool(const SwitchMap&)>& f);

class Orbits {
 public:
  /// Refers to all of them. At first each element is an orbit of its own.
  Orbits(const Fabric& fabric, const PathWalker& walker, const Elements& elements);

  /// If the map is a symmetry of fabric and tables, joins the orbits that it connects.
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
  std::vector<Element> parent_;   // per element; a root is the least of its orbit
  std::vector<Channel> channel_;  // per switch channel, its image under the current map
};

}  // namespace selvedge::survival
