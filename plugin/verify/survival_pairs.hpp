// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths of a table set as sets of elements, for each pair of switches with hosts. An element is
// what may fail: a cable (both directions), or a switch between the two ends. A path that needs all
// elements of another path of its pair is left out, because it never survives alone. Pairs with the
// same ends and the same paths are stored once: pairs of hosts of the same switches, and often both
// directions. Pairs with a path that needs no element are left out, because no fault breaks it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/verify/survival.hpp"
#include "plugin/verify/survival_paths.hpp"

namespace selvedge::survival {

using Element = std::uint32_t;  // numbered from 0 without gaps
inline constexpr Element kNoElement = UINT32_MAX;

/// The cables or switches that may fail, numbered.
struct Elements {
  Elements(const Fabric& fabric, FaultKind kind);

  std::uint32_t size() const { return static_cast<std::uint32_t>(id.size()); }
  Fault fault(std::span<const Element> elements) const;
  /// Sets `needs` to the elements of a path along these channels, sorted. For kSwitches these are
  /// the switches between the two ends.
  void on_path(const prover::Wiring& wiring, std::span<const Channel> channels,
               std::vector<Element>& needs) const;

  FaultKind kind;
  std::vector<std::uint32_t> id;    // per element: the cable's lower channel, or the SwitchId
  std::vector<Element> of_channel;  // per switch channel: its cable; only for kLinks
  std::vector<Element> of_switch;   // per switch: its element; only for kSwitches
};

/// Lists of numbers in one flat array.
struct Lists {
  std::vector<std::uint32_t> first{0};  // list i: values[first[i]] … values[first[i + 1] − 1]
  std::vector<std::uint32_t> values;

  std::uint32_t size() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::span<const std::uint32_t> operator[](std::uint32_t i) const {
    return {values.data() + first[i], first[i + 1] - first[i]};
  }
  /// Ends a list: it holds what was added to `values` since the last call. Throws std::bad_alloc if
  /// `values` has more than 2^32 − 1 numbers.
  void end_list();
  /// The inverse relation: for each value below `values_end` the numbers of the lists that contain
  /// it, ascending.
  Lists transposed(std::uint32_t values_end) const;
};

struct Pairs {
  Pairs(const PathWalker& walker, const Fabric& fabric, const Elements& elements);

  std::uint32_t size() const { return static_cast<std::uint32_t>(ends.size()); }
  std::uint32_t num_paths() const { return needs.size(); }
  std::uint32_t paths(std::uint32_t pair) const { return first_path[pair + 1] - first_path[pair]; }

  struct Ends {
    SwitchId a, b;  // a ≤ b
    friend bool operator==(const Ends&, const Ends&) = default;
  };
  std::vector<Ends> ends;  // per pair: its two end switches
  /// The paths of pair p have the numbers first_path[p] … first_path[p + 1] − 1.
  std::vector<std::uint32_t> first_path{0};
  std::vector<std::uint32_t> pair_of;  // per path: its pair
  Lists needs;                         // per path: its elements, ascending
  /// Per pair: the largest number of its paths that share an element. While more paths than that
  /// remain, no single fault breaks them all.
  std::vector<std::uint8_t> shared;
  Lists through;  // per element: the paths that need it, ascending
  Lists ending;   // per element, if a switch: the pairs that end there
};

}  // namespace selvedge::survival
