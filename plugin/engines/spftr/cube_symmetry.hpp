// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A torus of equal sizes looks the same with its dimensions exchanged, and so does Table 4.2
// (Montañana 2008 §4.3). So the trees towards one switch, with dimensions exchanged, are trees
// towards another: on a K×K×K torus one destination in up to six has to be searched for.
#pragma once

#include <array>
#include <vector>

#include "plugin/engines/columns.hpp"
#include "plugin/engines/spftr/lattice.hpp"

namespace selvedge {

class CubeSymmetry {
 public:
  /// All must outlive this.
  CubeSymmetry(const SwitchGraph& graph, const Lattice& lattice, const TurnRules& rules);

  /// Are dimensions of equal size, all switches and cables there, and the rules of every turn those
  /// of its images?
  bool holds() const { return holds_; }
  /// Is it the one of its images that is searched for: the one with ascending coordinates?
  bool leads(SwitchId destination) const;

  struct Image {
    SwitchId destination;
    std::size_t exchange;  // number of the exchange of dimensions that leads there
  };
  /// All images of a destination, itself first; each once.
  std::vector<Image> images(SwitchId destination) const;
  /// Trees towards a destination, turned into those towards its image.
  Columns image(const Columns& columns, std::size_t exchange) const;

 private:
  using Exchange = std::array<std::uint8_t, 3>;  // per dimension, the one that it becomes
  SwitchId image(SwitchId s, const Exchange& exchange) const;
  bool keeps_rules(const Exchange& exchange) const;
  static std::uint8_t image_of_kind(std::uint8_t kind, const Exchange& exchange) {
    return static_cast<std::uint8_t>(2 * exchange[kind / 2u] + kind % 2);
  }

  const SwitchGraph& graph_;
  const Lattice& lattice_;
  const TurnRules& rules_;
  bool holds_ = false;
  std::vector<Exchange> exchanges_;  // the first changes nothing
  std::vector<SwitchId> at_;         // the switch at a position, slowest dimension first
};

}  // namespace selvedge
