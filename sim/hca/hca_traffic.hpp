// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the protocols of HCAs have in common: each is a Traffic that drives hosts
// (sim/model/traffic.hpp) around any other Traffic, the applications, whose messages it delivers in
// order and once. protocol_traffic.hpp has the daemon's protocol, thesis_traffic.hpp that of
// Montañana 2008.
#pragma once

#include <memory>
#include <vector>

#include "sim/hca/connections_by_slots.hpp"
#include "sim/hca/figures.hpp"
#include "sim/hca/piece.hpp"
#include "sim/hca/spec.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim {

class HcaTraffic : public Traffic {
 public:
  Message next(HostId) final { return {}; }
  bool drives_hosts() const final { return true; }
  bool wants_deliveries() const final { return true; }

  virtual HcaFigures figures(Tick now) const = 0;
  const HcaWindow& window() const { return window_; }
  virtual void clear_window() = 0;
  /// Bytes of rearrange memory for a packet.
  virtual std::size_t slot_bytes() const = 0;
  /// Slots of rearrange memory that a host has in use now.
  virtual std::uint32_t used_slots(HostId host) const = 0;
  const ConnectionsBySlots& connections_by_slots() const { return by_slots_; }
  /// Packets that no network has seen yet.
  virtual std::uint64_t waiting() const = 0;
  /// Whether all that the applications sent has been delivered, and they have no more.
  virtual bool idle() const = 0;

 protected:
  /// Counts a packet of `wire` bytes that has arrived in order, and gives it to the application at
  /// `to`. Returns the hosts whose applications it wakes, which are added to `woken`; valid until
  /// the next call.
  const std::vector<HostId>& hand_over(Traffic& above, HostId from, HostId to, const Piece& piece,
                                       std::uint32_t number, unsigned wire, Tick now,
                                       std::vector<HostId>& woken);
  HcaWindow window_;
  ConnectionsBySlots by_slots_;

 private:
  std::vector<HostId> woken_above_;
};

/// The protocol of `spec`, which is on. `above`: the applications. Its packets_of() must be that of
/// model_above(). All but `spec` must outlive the result. Throws InputError as check(), and if
/// `above` sends management. `hosts`: of the fabric; `attached`: those that take part.
std::unique_ptr<HcaTraffic> make_hca_traffic(const HcaSpec& spec, const Model& model,
                                             Traffic& above, std::uint32_t hosts,
                                             std::uint32_t attached);

}  // namespace selvedge::sim
