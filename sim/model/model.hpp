// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A model in ticks and blocks of 64 bytes: the user's parameters (parameters.hpp), converted for
// one fabric and its tables. The fast network and the reference simulator both take their
// parameters from this value alone.
#pragma once

#include <cmath>
#include <set>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "sim/engine/ticks.hpp"
#include "sim/model/class_rules.hpp"
#include "sim/model/parameters.hpp"

namespace selvedge::sim {

/// A link's speed (ticks for each byte) and length (ticks of propagation).
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
  Tick processing = 0;  // in the HCA that a packet has reached, SMPs excepted
  Switching switching = Switching::kCutThrough;
  unsigned routing_header_bytes = 0;
  unsigned crossbar_speedup = 1;
  unsigned input_blocks = 16, output_blocks = 16;  // per VL of a port
  unsigned management_blocks = 5;                  // input buffer of VL 15 at each port
  Tick head_of_queue_life = kNever, switch_life = kNever;
  unsigned vls = 1;  // data VLs in use
  Selection selection = Selection::kDeterministic;
  InputQueues input_queues = InputQueues::kFifo;  // kPerOutput: not with selects_per_packet()
  /// Not kNone: only with InputQueues::kFifo and Selection::kDeterministic, without a manager.
  Replication replication = Replication::kNone;
  unsigned central_blocks = 16;  // kCentral: of each FIFO
  bool escape_queues = false;
  OwnPort own_port = OwnPort::kAny;  // kEscape: only with escape_queues
  unsigned adaptive_hops = 0;        // 0: without end
  unsigned congested_bytes = 8192;   // kEar
  Tick settle = 0;                   // kEar
  std::vector<ArbitrationEntry> arbitration_high, arbitration_low;
  unsigned arbitration_high_limit = 0;
  unsigned mtu_bytes = 2048, header_bytes = 26;
  unsigned hca_queue_packets = 1024;
  PathChoice paths = PathChoice::kFirst;
  /// Ticks that a byte takes at the rate of throttled hosts; 0: hosts are not throttled.
  double throttled_byte_time = 0;
  /// Only with PathChoice::kFirst; may be empty. The LID, as an offset from the base LID (below
  /// 2^LMC), that the sources at a switch use for a destination, as if a path record had named it.
  /// Index: [source's switch · number of hosts + destination].
  std::vector<std::uint8_t> path_offsets;
  Drop drop = Drop::kAll;
  /// Classes of traffic, by Message::of_class; empty: every HCA has one queue. `paths` has no
  /// effect on them, ClassRule::paths has. `hca_queue_packets` is divided equally among the queues.
  std::vector<ClassRule> classes;
  unsigned hca_queues = 0;  // the highest ClassRule::queue, + 1; 0 without classes

  /// From the start of a packet of a host to the end of the pause that throttling makes after it.
  Tick throttled_time(unsigned bytes) const {
    return static_cast<Tick>(std::ceil(bytes * throttled_byte_time));
  }
  const LinkClass& link(const Fabric& fabric, Channel c) const {
    return fabric.between_switches(c) ? between_switches : to_hosts;
  }
};

constexpr unsigned blocks_of(unsigned bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes; }

/// Converts the parameters to a model. Its tick is the greatest common divisor of all durations.
/// Throws InputError for values out of range (named by their key in an experiment's [model]), for a
/// packet that no buffer can hold, and if a packet would pass a switch and its cable in no time. It
/// also throws if the hosts' SL2VL drops the SL of a path, or if no arbitration table serves a VL
/// in use. The model has the data VLs that `tables` use, and at least `vls`: later tables of the
/// same simulation may use more.
Model resolve(const Parameters& parameters, const Tables& tables, unsigned vls = 1);

/// The SLs of the paths.
std::set<Sl> sls_of(const Tables& tables);
/// The highest data VL that a packet may travel on with these tables, + 1; at least 1.
unsigned vls_of(const Tables& tables);

}  // namespace selvedge::sim
