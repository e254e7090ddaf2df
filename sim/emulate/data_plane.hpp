// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulated subnet as a simulated network under traffic. SMPs travel over VL 15 of its links,
// hop by hop, and take their time; data packets take the LFTs and SL2VL tables that a manager wrote
// into the agents, over the ports that it made active and on their operational VLs, by their
// arbitration tables and lifetimes. What an agent changes holds in the network from the next tick
// on.
//
// Whether a cable loses an SMP (EmulatedSubnet::loss) is drawn when it is sent, along its route.
// One that is to be lost travels up to the far end of that cable.
//
// Other MADs (the SA's, performance management) still travel at once (hop_by_hop.hpp), and so do
// SMPs that leave their node by no link and combined routes.
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
  /// `fabric`: that of the subnet. Fabric, model and traffic must outlive it.
  DataPlane(EmulatedSubnet& subnet, const Fabric& fabric, const Model& model, Traffic& traffic,
            std::uint64_t seed);

  void send(PortAt from, MadPacket& packet, Arrivals& to) override;
  void follow(NodeId n, const SmaChange& change) override;
  void follow_links(NodeId n) override;
  void follow_restart(NodeId n) override;
  PortCounters counters(PortAt at) const override;

  /// Simulates until then, or until SMPs have ended; these go to `to`.
  void run(std::chrono::nanoseconds until, Arrivals& to);
  std::chrono::nanoseconds now() const;
  /// Whether the last tick up to then has been simulated.
  bool reached(std::chrono::nanoseconds time) const { return tick_of(time) <= network_.now(); }
  /// SMPs under way.
  std::size_t under_way() const { return packets_.size() - free_.size(); }
  const Network& network() const { return network_; }
  const TimeBase& time_base() const { return model_.time_base; }
  /// The DLID and the SL of data from a host to another, as the SA answered; kNoLid: the first LID
  /// that the destination has, and SL 0.
  void write_path(HostId from, HostId to, Lid dlid, Sl sl) {
    network_.write_path(from, to, dlid, sl);
  }
  /// The port of a host; PortAt{} for one without a cable.
  const std::vector<PortAt>& host_ports() const { return host_port_; }
  /// Called when a manager has given a host other LIDs.
  void on_readdressed(std::function<void(HostId)> listener) { readdressed_ = std::move(listener); }
  /// Writes of LFTs, SL2VL tables and ports so far.
  std::uint64_t table_writes() const { return table_writes_; }
  /// Clears the window of network(), and with it PortCounters.
  void clear_window() { network_.clear_window(); }
  /// The traffic has changed.
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
  std::vector<bool> arbitration_written_;    // per port index: by a manager
  std::vector<std::uint64_t> cable_losses_;  // per port index: on arrival there
  StableRandom random_;
  Network network_;
  struct UnderWay {
    MadPacket packet;
    bool to_be_lost = false;  // where it ends
  };
  std::vector<UnderWay> packets_;    // by tag
  std::vector<std::uint32_t> free_;  // tags
  std::uint64_t table_writes_ = 0;
  std::function<void(HostId)> readdressed_ = [](HostId) {};
};

}  // namespace selvedge::sim
