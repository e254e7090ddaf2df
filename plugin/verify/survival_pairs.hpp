// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A table set as seen by faults: for each pair of switches with hosts, its paths as sets of
// elements. An element is what may fail: a cable (both directions), or a switch between the two
// ends. A path that contains all elements of another path of the pair is left out, because it never
// survives alone. Pairs with the same ends and the same paths are stored once: those of hosts of
// one switch, and often both directions. Pairs with a path that no fault breaks are left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/verify/survival.hpp"
#include "plugin/verify/survival_paths.hpp"

namespace selvedge::survival {

using Element = std::uint32_t;  // dense
inline constexpr Element kNoElement = UINT32_MAX;

/// What may fail.
struct Elements {
  Elements(const Fabric& fabric, FaultKind kind);

  std::uint32_t size() const { return static_cast<std::uint32_t>(id.size()); }
  Fault fault(std::span<const Element> elements) const;
  /// The elements of a path along these channels, sorted. For switches: those between the two ends.
  void on_path(const prover::Wiring& wiring, std::span<const Channel> channels,
               std::vector<Element>& needs) const;

  FaultKind kind;
  std::vector<std::uint32_t> id;    // the lower channel of a cable, or a SwitchId
  std::vector<Element> of_channel;  // per switch channel; for kLinks
  std::vector<Element> of_switch;   // per switch; for kSwitches
};

/// Lists of numbers in one flat array.
struct Lists {
  std::vector<std::uint32_t> first{0};  // per list, and one past the last
  std::vector<std::uint32_t> values;

  std::uint32_t size() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::span<const std::uint32_t> operator[](std::uint32_t i) const {
    return {values.data() + first[i], first[i + 1] - first[i]};
  }
  /// Ends a list: what was added to `values` since the last call. Throws std::bad_alloc beyond 32
  /// bits.
  void end_list();
  /// The inverse: for each value below `values_end` the lists that contain it, ascending.
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
  std::vector<Ends> ends;                    // per pair
  std::vector<std::uint32_t> first_path{0};  // per pair, and one past the last
  std::vector<std::uint32_t> pair_of;        // per path
  Lists needs;                               // per path: its elements, ascending
  /// Per pair: the largest number of its paths that share an element. While more paths than that
  /// remain, no single fault breaks them all.
  std::vector<std::uint8_t> shared;
  Lists through;  // per element: the paths that need it, ascending
  Lists ending;   // per element, of switches: the pairs that end there
};

}  // namespace selvedge::survival
