// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What recognise() and the recognisers of the regular forms have in common: the fabric as a simple
// graph, and the measure of how well a form fits.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge::regularity {

/// Switches and their neighbours. Parallel cables count as one, and cables from a switch to itself
/// are ignored.
class PlainGraph {
 public:
  explicit PlainGraph(const Fabric& fabric);

  std::uint32_t size() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::size_t edges() const { return neighbour_.size() / 2; }
  /// The neighbours of s, ascending.
  std::span<const SwitchId> neighbours(SwitchId s) const {
    return {neighbour_.data() + first_[s], first_[s + 1] - first_[s]};
  }
  /// The index of the first neighbour of s in the concatenated neighbour lists of all switches.
  std::size_t first(SwitchId s) const { return first_[s]; }
  unsigned degree(SwitchId s) const { return static_cast<unsigned>(first_[s + 1] - first_[s]); }
  bool adjacent(SwitchId a, SwitchId b) const;
  /// The number of neighbours that two switches have in common.
  unsigned common(SwitchId a, SwitchId b) const;
  /// The number of switches without any cable to another switch.
  std::uint32_t isolated() const { return isolated_; }

 private:
  std::vector<std::size_t> first_{0};
  std::vector<SwitchId> neighbour_;
  std::uint32_t isolated_ = 0;
};

using Pair = std::pair<SwitchId, SwitchId>;  // the lower one first

/// How many differences from a form are tolerated. kExact: so few that the fabric counts as that
/// form. kNear: so few that the name of the form helps an operator to repair the fabric
/// (nearest_torus.hpp).
enum class Likeness { kExact, kNear };

/// How many cables may be missing, and how many may be surplus, if the form has `form_links`
/// cables.
std::size_t tolerated_links(std::size_t form_links, Likeness likeness = Likeness::kExact);
/// How many switches may be missing or without cables, if the form has `form_switches` switches.
std::size_t tolerated_switches(std::size_t form_switches);

/// Fills in `missing`, `surplus` and `missing_switches`, for a form with the cables `expected` and
/// `form_switches` switches. Returns false if these differences are more than is tolerated.
bool compare(const Fabric& fabric, const PlainGraph& graph, std::vector<Pair> expected,
             std::size_t form_switches, Regularity& form, Likeness likeness = Likeness::kExact);
/// The number of differences between a fabric and its form.
std::size_t damage(const Regularity& form);

std::optional<Regularity> recognise_lattice(const Fabric& fabric, const PlainGraph& graph,
                                            Likeness likeness = Likeness::kExact);
std::optional<Regularity> recognise_tree(const Fabric& fabric, const PlainGraph& graph);

/// For each cable in `loose` (surplus ones): the index of the missing cable for which it was
/// probably meant; SIZE_MAX if none. Each missing cable is used at most once.
std::vector<std::size_t> fill_gaps(const Fabric& fabric, const std::vector<Channel>& loose,
                                   const std::vector<Pair>& missing);
/// The cable in words: "cable S-1-1:4 – S-2-2:3".
std::string cable_name(const Fabric& fabric, Channel c);
/// The advice in words: "cable S-1-1:4 – S-2-2:3: S-1-1:4 should go to S-1-2".
std::string should_go(const Fabric& fabric, Channel c, const Pair& gap);

/// Computes the lines for Regularity::suspicions.
std::vector<std::string> suspect(const Fabric& fabric, const Regularity& form);

}  // namespace selvedge::regularity
