// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Symmetries: ways to lay the fabric onto itself that lay the tables onto themselves. Combinations
// that such a map takes into one another have the same answer. Each map is checked, cable by cable
// and path by path, before it is used; what maps are tried decides only how much work is saved.
//
// How they are used. Let X run over the singular combinations of K elements, say. Marking one of
// the K elements of each gives K times as many (X, x); those with the same x are as many as those
// with any other element of x's orbit. So it is enough to count, for one x of each orbit, the
// combinations that hold x: K · |{X}| = Σ over orbits of |orbit| · |{X that hold x}|.
//
// Of this room only.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plugin/verify/survival_pairs.hpp"

namespace selvedge::survival {

/// Per switch the one that it is laid on.
using SwitchMap = std::vector<SwitchId>;

/// Translations (of tori), reflections and exchanges of dimensions of a recognised lattice, the
/// steps by one first; nothing for other fabrics. f returns false to stop.
void each_lattice_map(const Fabric& fabric, const std::function<bool(const SwitchMap&)>& f);

class Orbits {
 public:
  /// Refers to all of them. At first each element is alone.
  Orbits(const Fabric& fabric, const PathWalker& walker, const Elements& elements);

  /// If the map lays fabric and tables onto themselves and joins orbits, joins them.
  void use(const SwitchMap& map);

  std::uint32_t count() const { return count_; }
  struct Orbit {
    Element least;
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
  std::vector<Channel> channel_;  // per switch channel, of the map in hand
};

}  // namespace selvedge::survival
