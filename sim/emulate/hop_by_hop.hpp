// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The transport of MADs under the free-running clock: a MAD travels in no time, hop by hop, by the
// LFTs and port states of the agents and by the state of the cables. SMPs need links that are up;
// other MADs need active ports (IBA 1.3 §7.2.7). The transport counts the MADs at each port.
#pragma once

#include <array>
#include <vector>

#include "plugin/fabric/stable_random.hpp"
#include "sim/emulate/counters.hpp"
#include "sim/emulate/mad_transport.hpp"

namespace selvedge::sim {

class HopByHop : public MadTransport, public CounterSource {
 public:
  HopByHop(const EmulatedSubnet& subnet, std::uint64_t seed);

  void send(PortAt from, MadPacket& packet, Arrivals& to) override;
  PortCounters counters(PortAt at) const override;

 private:
  enum class Step : std::uint8_t { kDelivered, kOut, kLost };
  struct Decision {
    Step step = Step::kLost;
    PortNum out = 0;
    LossCause cause = LossCause::kNoRoute;
  };
  Decision decide(PortAt at, MadPacket& packet, bool begins);
  Decision by_lid(PortAt at, const MadPacket& packet, bool begins);
  bool passable(PortAt out, const MadPacket& packet) const;

  const EmulatedSubnet& subnet_;
  StableRandom random_;
  std::vector<PortCounters> counters_;  // per port index; without LinkDowned
};

}  // namespace selvedge::sim
