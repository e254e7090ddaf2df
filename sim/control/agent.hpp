// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Subnet management agents: the attributes of a switch or a channel adapter, and its response to an
// SMP that has reached it. Attributes are bytes as on the wire (IBA 1.3 §14.2.5).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "plugin/control/smp.hpp"
#include "plugin/fabric/ids.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge::sim {

using SmpData = std::array<std::uint8_t, kSmpDataBytes>;

/// The status field of a MAD (IBA 1.3 §13.4.7).
enum class SmpStatus : std::uint32_t {
  kGood = 0,
  kUnsupportedAttribute = 0x000c,
  kInvalidValue = 0x001c,
};

enum class PortState : std::uint8_t { kDown = 1, kInitialize = 2, kArmed = 3, kActive = 4 };

/// A switch. After a restart its LFT has no port for any LID, and its SL2VL tables map every SL to
/// VL 0.
class SwitchAgent {
 public:
  /// The LFT has an entry for each LID up to `top_lid`, and fills its last block.
  SwitchAgent(PortNum ports, Lid top_lid);

  /// `state`: the state of the port that a PortInfo request names.
  SmpStatus answer(const SmpRequest& request, PortState state, SmpData& data);
  void restart();

  /// kNoPort where no entry was written.
  PortNum next(Lid dlid) const { return dlid < lft_.size() ? lft_[dlid] : kNoPort; }
  Sl2VlRow sl2vl(PortNum in, PortNum out) const;

 private:
  using Row = std::array<std::uint8_t, kSls / 2>;
  std::size_t row_of(PortNum in, PortNum out) const { return in * (ports_ + std::size_t{1}) + out; }

  const PortNum ports_;
  std::vector<PortNum> lft_;
  std::vector<Row> rows_;                // [input port][output port]
  std::vector<std::uint8_t> lifetimes_;  // per port: head-of-queue lifetime
};

/// A port of a channel adapter.
class HostAgent {
 public:
  SmpStatus answer(const SmpRequest& request, PortState state, SmpData& data);
  Sl2VlRow sl2vl() const;

 private:
  std::array<std::uint8_t, kSls / 2> row_{};
};

}  // namespace selvedge::sim
