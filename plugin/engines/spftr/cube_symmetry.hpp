// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// On a torus of equal sizes, exchanging dimensions gives the same torus, and Table 4.2 (Montañana
// 2008 §4.3) is unchanged too. So the trees towards one switch, with dimensions exchanged, are
// trees towards another. On a K×K×K torus, of up to six such destinations only one needs a search.
#pragma once

#include <array>
#include <vector>

#include "plugin/engines/columns.hpp"
#include "plugin/engines/spftr/lattice.hpp"

namespace selvedge {

class CubeSymmetry {
 public:
  /// All references must outlive this object.
  CubeSymmetry(const SwitchGraph& graph, const Lattice& lattice, const TurnRules& rules);

  /// Whether the sizes are equal, no switch or cable is missing, and every turn has the same rule
  /// as its images.
  bool holds() const { return holds_; }
  /// Whether trees are searched for this destination. Of all its images, this holds for the one
  /// with ascending coordinates only.
  bool leads(SwitchId destination) const;

  struct Image {
    SwitchId destination;
    std::size_t exchange;  // index of the exchange that maps to this image
  };
  /// All distinct images of a destination; the first is the destination itself.
  std::vector<Image> images(SwitchId destination) const;
  /// Maps the trees towards a destination to the trees towards its image under an exchange.
  Columns image(const Columns& columns, std::size_t exchange) const;

 private:
  using Exchange = std::array<std::uint8_t, 3>;  // per dimension: the one that it is mapped to
  SwitchId image(SwitchId s, const Exchange& exchange) const;
  bool keeps_rules(const Exchange& exchange) const;
  static std::uint8_t image_of_kind(std::uint8_t kind, const Exchange& exchange) {
    return static_cast<std::uint8_t>(2 * exchange[kind / 2u] + kind % 2);
  }

  const SwitchGraph& graph_;
  const Lattice& lattice_;
  const TurnRules& rules_;
  bool holds_ = false;
  std::vector<Exchange> exchanges_;  // all permutations; the first is the identity
  std::vector<SwitchId> at_;         // switch per position, dimension 0 slowest
};

}  // namespace selvedge
