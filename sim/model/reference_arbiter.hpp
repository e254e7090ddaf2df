// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// VL arbitration of one port, for the reference simulator (IBA 1.3 §7.6.9; docs/simulator.md, "VL
// arbitration").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plugin/fabric/ids.hpp"
#include "sim/model/model.hpp"

namespace selvedge::sim {

class ReferenceArbiter {
 public:
  ReferenceArbiter(std::span<const ArbitrationEntry> high, std::span<const ArbitrationEntry> low,
                   unsigned high_limit)
      : high_(high), low_(low), limit_(high_limit) {}

  /// Chooses the VL that sends next and charges its packet to the chosen entry. blocks[vl]: the
  /// size of the packet at the head of that VL; 0 if the VL may not send. Returns no VL if the
  /// tables list none that may send.
  std::optional<Vl> choose(const std::vector<unsigned>& blocks);

 private:
  struct Table {
    explicit Table(std::span<const ArbitrationEntry> list) : entries(list.begin(), list.end()) {
      if (!entries.empty()) left = entries.front().weight;
    }
    bool lists_sendable(const std::vector<unsigned>& blocks) const;
    Vl serve(const std::vector<unsigned>& blocks);

    std::vector<ArbitrationEntry> entries;
    std::size_t current = 0;
    int left = 0;  // of the current entry's weight, in blocks
  };
  static bool may_send(const ArbitrationEntry& entry, const std::vector<unsigned>& blocks) {
    return entry.weight > 0 && entry.vl < blocks.size() && blocks[entry.vl] > 0;
  }

  Table high_, low_;
  unsigned limit_;
  std::uint64_t high_bytes_ = 0;  // sent by the high table since the low one last sent
};

}  // namespace selvedge::sim
