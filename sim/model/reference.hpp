// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The reference simulator: a slow, literal implementation of docs/simulator.md's "The model",
// against which the fast network (network.hpp) is tested. Every byte moves by itself: onto a wire,
// off the wire at the far end, across a crossbar. Credits travel as messages. Each tick takes the
// three steps in the document's order and examines all links and switches. Invariants (credits,
// room in buffers, conservation of packets in each flow) are checked throughout; a violation throws
// std::logic_error.
//
// The reference and the fast network have the types of their parameters, tables and traffic in
// common, but no code of the simulation.
//
// Reading order: reference_state.hpp (the data structures), reference.cpp (time and the three
// steps), reference_links.cpp, reference_switches.cpp, reference_hosts.cpp, reference_faults.cpp,
// reference_multicast.cpp, reference_managed.cpp (SMPs, and what a subnet manager changes),
// reference_epochs.cpp (EBR, the double scheme), reference_ear.cpp (self-routing trees),
// reference_classes.cpp (HCAs with classes of traffic), reference_checks.cpp; the arbiter in
// reference_arbiter.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "plugin/tables/tables.hpp"
#include "plugin/transition/epochs.hpp"
#include "sim/model/ear_move.hpp"
#include "sim/model/epoch_cases.hpp"
#include "sim/model/model.hpp"
#include "sim/model/smp.hpp"
#include "sim/model/statistics.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim {

class Reference {
 public:
  /// Which ticks are simulated: all, or only those at which a byte, a credit, the end of a routing,
  /// a message or a deadline is due. Both give the same result (tested in
  /// tests/unit/sim_model/every_tick_test.cpp).
  enum class Stepping : std::uint8_t { kEveryTick, kDueTicks };

  /// As Network's constructor: fabric, model and traffic must outlive the reference.
  Reference(const Fabric& fabric, const Tables& tables, const Model& model, Traffic& traffic,
            std::uint64_t seed, Managed managed = Managed::kNo,
            Stepping stepping = Stepping::kDueTicks);
  Reference(const Fabric&, const Tables&, const Model&&, Traffic&, std::uint64_t,
            Managed = Managed::kNo, Stepping = Stepping::kDueTicks) = delete;
  ~Reference();
  Reference(Reference&&) noexcept;

  void run(Tick until);
  Tick now() const;
  bool idle() const;

  void cut(Channel link);
  void restore(Channel link);
  void set_lft(SwitchId at, std::span<const PortNum> lft);
  void set_tables(const Tables& tables);

  // --- As in Network, as are the functions above
  void send(const SmpEnd& from, const Smp& smp);
  std::vector<SmpArrival> take_arrivals();
  std::vector<LostSmp> take_lost_smps();
  void write_lft_block(SwitchId at, unsigned block, std::span<const PortNum> entries);
  void write_sl2vl(SwitchId at, PortNum in, PortNum out, const Sl2VlRow& row);
  void write_host_sl2vl(HostId host, const Sl2VlRow& row);
  void write_path(HostId from, HostId to, Lid dlid, Sl sl);
  void write_arbitration(Channel c, std::span<const ArbitrationEntry> high,
                         std::span<const ArbitrationEntry> low, unsigned high_limit);
  void write_head_life(Channel c, Tick life);
  void write_switch_life(SwitchId at, Tick life);
  void write_lids(HostId host, Lid base, unsigned count);
  void open(Channel c, bool for_data);
  void poll_sources();
  void hold(HostId host, bool held);
  bool discard_head(Channel c, Vl vl);
  void set_epoch(SwitchId at, Epoch epoch);
  void set_layering(SwitchId at, Layering how);
  void write_layer_block(SwitchId at, unsigned block, std::span<const PortNum> entries);
  void begin_tokens(SwitchId at, std::span<const Turn> turns, unsigned bytes);
  void send_tokens(HostId host, unsigned bytes);
  bool tokens_done(SwitchId at) const;
  void end_tokens(SwitchId at);
  bool is_clear(Channel c, Vl vl) const;
  const EpochCases& epoch_cases() const;
  unsigned occupied(Channel c, Vl vl) const;

  /// As Network::totals(), but Totals::events counts the ticks simulated.
  const Totals& totals() const;
  const Window& window() const;
  std::vector<ChannelUse> use() const;  // per channel
  void clear_window();
  unsigned occupied(Channel c) const;
  std::uint64_t waiting_at_sources() const;
  void on_delivery(std::function<void(const Delivery&)> listener);
  void on_move(std::function<void(const FlowMove&)> listener);

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace selvedge::sim
