// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A model in ticks and blocks: the parameters, resolved for one fabric and one table set. The fast
// network and the reference both take their parameters from this value alone.
#pragma once

#include <vector>

#include "plugin/tables/tables.hpp"
#include "sim/engine/ticks.hpp"
#include "sim/model/parameters.hpp"

namespace selvedge::sim {

/// A link's speed and length.
struct LinkClass {
  Tick byte_time = 1;
  Tick propagation = 0;
  friend bool operator==(const LinkClass&, const LinkClass&) = default;
};

struct Model {
  TimeBase time_base;
  LinkClass between_switches, to_hosts;
  Tick routing = 0;
  Tick credit_delay = 0;
  Switching switching = Switching::kCutThrough;
  unsigned routing_header_bytes = 0;
  unsigned crossbar_speedup = 1;
  unsigned input_blocks = 16, output_blocks = 16;  // per VL of a port
  unsigned management_blocks = 5;                  // of VL 15, per port
  Tick head_of_queue_life = kNever, switch_life = kNever;
  unsigned vls = 1;  // data VLs in use
  Selection selection = Selection::kDeterministic;
  bool escape_queues = false;
  std::vector<ArbitrationEntry> arbitration_high, arbitration_low;
  unsigned arbitration_high_limit = 0;
  unsigned mtu_bytes = 2048, header_bytes = 26;
  unsigned hca_queue_packets = 1024;
  PathChoice paths = PathChoice::kFirst;
  /// With kFirst, if not empty: the offset of the LID that the sources at a switch use for a host,
  /// as if from path records. [switch · number of hosts + host], below 2^LMC.
  std::vector<std::uint8_t> path_offsets;

  const LinkClass& link(const Fabric& fabric, Channel c) const {
    return fabric.between_switches(c) ? between_switches : to_hosts;
  }
};

constexpr unsigned blocks_of(unsigned bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes; }

/// Chooses the tick: the greatest common divisor of all durations. Throws InputError for values out
/// of range (named by their key in an experiment's [model]), for a packet that no buffer can hold,
/// and for a model in which nothing takes time. `vls`: at least this many data VLs, where tables
/// are changed during a simulation.
Model resolve(const Parameters& parameters, const Tables& tables, unsigned vls = 1);

/// The highest VL that any SL of these tables may travel on, + 1.
unsigned vls_of(const Tables& tables);

}  // namespace selvedge::sim
