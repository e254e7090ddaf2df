// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A torus of equal sizes is unchanged if its dimensions are exchanged, and so is Table 4.2
// (Montañana 2008 §4.3). So the trees towards one switch, with dimensions exchanged, are trees
// towards another. On a K×K×K torus, one in up to six destinations needs a search.
#pragma once

#include <array>
#include <vector>

#include "plugin/engines/columns.hpp"
#include "plugin/engines/spftr/lattice.hpp"

namespace selvedge {

class CubeSymmetry {
 public:
  /// All arguments must outlive this object.
  CubeSymmetry(const SwitchGraph& graph, const Lattice& lattice, const TurnRules& rules);

  /// Whether the sizes are equal, no switch or cable is missing, and every turn has the rules of
  /// its images.
  bool holds() const { return holds_; }
  /// Whether it is the one of its images that is searched: the one with ascending coordinates.
  bool leads(SwitchId destination) const;

  struct Image {
    SwitchId destination;
    std::size_t exchange;  // index of the exchange that maps to this image
  };
  /// All distinct images of a destination; the first is the destination itself.
  std::vector<Image> images(SwitchId destination) const;
  /// Maps the trees towards a destination to those towards its image.
  Columns image(const Columns& columns, std::size_t exchange) const;

 private:
  using Exchange = std::array<std::uint8_t, 3>;  // per dimension, the one that it is mapped to
  SwitchId image(SwitchId s, const Exchange& exchange) const;
  bool keeps_rules(const Exchange& exchange) const;
  static std::uint8_t image_of_kind(std::uint8_t kind, const Exchange& exchange) {
    return static_cast<std::uint8_t>(2 * exchange[kind / 2u] + kind % 2);
  }

  const SwitchGraph& graph_;
  const Lattice& lattice_;
  const TurnRules& rules_;
  bool holds_ = false;
  std::vector<Exchange> exchanges_;  // the first is the identity
  std::vector<SwitchId> at_;         // the switch at a position, slowest dimension first
};

}  // namespace selvedge
