// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// sim/reconfigure: a subnet manager in the simulated network, and the schemes by which it changes
// tables while traffic goes on (docs/reconfiguration.md). Reading order: spec.hpp (what is chosen),
// writes.hpp (what an SMP carries), schemes.hpp (what is written, in which order; a file for each
// scheme), target.hpp (which tables), subnet.hpp (the network under it), agents.hpp (what switches
// and hosts do when an SMP comes), manager.hpp (detection, computing, distribution).
//
// Nothing here has a clock or draws a number: the same experiment gives the same SMPs at the same
// ticks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plugin/fabric/fabric.hpp"
#include "sim/model/model.hpp"

namespace selvedge::sim {

/// [reconfiguration] scheme.
enum class SchemeName : std::uint8_t {
  kOff,  // no manager: tables stay as they are
  kStatic,
  kNaive,
  kOpensm,
  kGuarded,
  kRftr,
  kRftrReaddress,
  kEbr,
  kEbrd,
  kEbrHoq,
  kDs,
  kSrPda,
  kSrLa,
};

/// How the manager learns of a fault.
enum class Detection : std::uint8_t {
  kTrap,   // the switches at its ends send traps, repeated until the manager answers
  kSweep,  // the manager asks every switch every sweep_us
};

/// The section [reconfiguration] of an experiment.
struct ReconfigurationSpec {
  SchemeName scheme = SchemeName::kOff;
  /// The tables that a change leads to: "engine" (the routing's engine, on what is left),
  /// "in-place" or "readdress" (a repair), or a tables file. "": the scheme's own.
  std::string to;
  std::optional<double> at_us;  // a change without a fault begins then
  std::string manager;          // the name of the manager's host; "": the first attached one
  Detection detection = Detection::kTrap;
  double sweep_us = 80;  // Montañana 2008 §7.3: 200,000 cycles of 0.4 ns (§7.2.4)
  /// Computing takes compute_us + compute_ns_per_entry · LFT entries that change.
  double compute_us = 0, compute_ns_per_entry = 0;
  unsigned outstanding = 4;  // requests that wait for their answers
  double timeout_us = 100;   // from the sending of a request
  unsigned retries = 3;      // after the first try
  unsigned smp_bytes = 290;  // on the wire, of requests, answers and traps
  /// Bytes of an SMP for what it writes: an LFT entry in a block takes one, an entry by itself
  /// (EBRD) three, a path record six.
  unsigned smp_payload_bytes = 64;
  unsigned epoch_bits = 2;    // of ebr and ebrd: at most 2^bits − 1 changes
  double drain_us = 200;      // how long a drain of the scheme "guarded" waits
  bool two_vls = false;       // tables of one VL are spread over two, as "ds" needs them
  unsigned token_bytes = 26;  // of sr-pda and sr-la: a packet without payload (§7.2.4)

  bool on() const { return scheme != SchemeName::kOff; }
};

/// The host of the manager. Throws InputError if there is no such host, or it has no cable.
HostId manager_host(const ReconfigurationSpec& spec, const Fabric& fabric);

/// Throws InputError if the values do not fit together, the model, or the fabric: an SMP that VL
/// 15's buffers cannot hold, a sweep that is shorter than its round, a missing lifetime.
void check(const ReconfigurationSpec& spec, const Fabric& fabric, const Model& model);

}  // namespace selvedge::sim
