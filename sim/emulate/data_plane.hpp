// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulated subnet as a simulated network (sim/model) under traffic. SMPs travel over VL 15 of
// the links, hop by hop, and take the time that the model gives. Data packets follow the LFTs and
// SL2VL tables that a manager wrote into the agents. They use only ports that the manager made
// active, on the operational VLs, with the arbitration tables and lifetimes that it set. A change
// by an agent is in force in the network from the next tick on.
//
// Whether a cable loses an SMP (EmulatedSubnet::loss) is drawn when the SMP is sent, for each cable
// of its route. An SMP that is to be lost travels up to the far end of the cable that loses it.
//
// Other MADs (of the SA and of performance management) take no time (hop_by_hop.hpp). Nor do SMPs
// that leave their node by no link, and SMPs whose route combines directed and LID-routed parts.
#pragma once

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "plugin/fabric/stable_random.hpp"
#include "sim/emulate/hop_by_hop.hpp"
#include "sim/model/network.hpp"

namespace selvedge::sim {

class DataPlane : public MadTransport, public CounterSource {
 public:
  /// `fabric`: the one from which `subnet` was made. Fabric and traffic must outlive the data
  /// plane.
  DataPlane(EmulatedSubnet& subnet, const Fabric& fabric, const Model& model, Traffic& traffic,
            std::uint64_t seed);

  void send(PortAt from, MadPacket& packet, Arrivals& to) override;
  void follow(NodeId n, const SmaChange& change) override;
  void follow_links(NodeId n) override;
  void follow_restart(NodeId n) override;
  PortCounters counters(PortAt at) const override;

  /// Simulates until this time, or to the end of a tick in which an SMP reaches its end. `to` gets
  /// the SMPs that have arrived and those that were lost.
  void run(std::chrono::nanoseconds until, Arrivals& to);
  std::chrono::nanoseconds now() const;
  /// Whether every tick before this time's tick has been simulated.
  bool reached(std::chrono::nanoseconds time) const { return tick_of(time) <= network_.now(); }
  /// Number of SMPs under way.
  std::size_t under_way() const { return packets_.size() - free_.size(); }
  const Network& network() const { return network_; }
  const TimeBase& time_base() const { return model_.time_base; }
  /// Sets the DLID and the SL of data from a host to another, as the SA answered. With kNoLid, data
  /// goes to the first of the destination's LIDs that the source's switch routes, on SL 0.
  void write_path(HostId from, HostId to, Lid dlid, Sl sl) {
    network_.write_path(from, to, dlid, sl);
  }
  /// For each host its port; PortAt{} for a host without a cable.
  const std::vector<PortAt>& host_ports() const { return host_port_; }
  /// Sets the function that is called when the path records a host has got may no longer hold. A
  /// manager has given the host other LIDs, has set ClientReregister, or manages from another LID
  /// or SL.
  void on_readdressed(std::function<void(HostId)> listener) { readdressed_ = std::move(listener); }
  /// A counter that grows with every Set whose change the network copies; one Set may add several.
  std::uint64_t table_writes() const { return table_writes_; }
  /// Sets the function that is called for every data packet lost.
  void on_loss(std::function<void(const Delivery&, Loss)> listener) {
    network_.on_loss(std::move(listener));
  }
  /// Clears the window of network(), and with it PortCounters.
  void clear_window() { network_.clear_window(); }
  /// To be called when the traffic has been turned on, off or replaced.
  void poll_sources() { network_.poll_sources(); }

 private:
  Tick tick_of(std::chrono::nanoseconds time) const {
    return model_.time_base.at(static_cast<double>(time.count()));
  }
  Channel channel_of(PortAt at) const;
  Tick ticks_of(unsigned life_code) const;
  void follow_port(PortAt at);
  void follow_lids(PortAt at);
  void follow_vls(PortAt at);
  void follow_arbitration(PortAt at);
  void restore_arbitration(NodeId n);
  Sl2VlRow row_in_force(NodeId n, PortNum in, PortNum out) const;
  bool cut_short(PortAt from, Smp& smp);
  void arrive(const SmpArrival& arrival, Arrivals& to);

  EmulatedSubnet& subnet_;
  const Fabric& fabric_;
  const Model model_;
  HopByHop at_once_;
  std::vector<PortAt> host_port_;            // per host
  std::vector<HostId> host_of_;              // per port index
  std::vector<bool> arbitration_written_;    // per port index: a manager wrote its VL arbitration
  std::vector<std::uint64_t> cable_losses_;  // per port index: SMPs that the cable to it has lost
  StableRandom random_;
  Network network_;
  struct UnderWay {
    MadPacket packet;
    bool to_be_lost = false;  // its route ends where a cable loses it
  };
  std::vector<UnderWay> packets_;    // index: Smp::tag
  std::vector<std::uint32_t> free_;  // tags that no SMP under way uses
  std::uint64_t table_writes_ = 0;
  std::function<void(HostId)> readdressed_ = [](HostId) {};
};

}  // namespace selvedge::sim
