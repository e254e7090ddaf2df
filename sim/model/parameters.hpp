// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// sim/model: an InfiniBand data plane: links, credits, VLs, switches, HCAs. docs/simulator.md
// describes the model; network.hpp implements it for speed, reference.hpp slowly and simply, to
// test the fast implementation.
//
// Parameters holds a model in the user's units. Where the papers' parameters differ, each paper has
// a preset (presets.hpp). Buffers are counted like credits, in blocks of 64 bytes (IBA 1.3 §7.9),
// for each VL of each port.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace selvedge::sim {

inline constexpr unsigned kVls = 16;  // VL 15 included
inline constexpr unsigned kManagementVl = 15;
inline constexpr unsigned kBlockBytes = 64;
inline constexpr unsigned kMaxPacketBytes = 65'472;  // 1,023 blocks
inline constexpr unsigned kMaxBufferBytes = 1u << 20;

/// The line coding of a link.
enum class Coding : std::uint8_t {
  kNone,    // no coding: link_rate_gbps is the data rate
  k8b10b,   // SDR, DDR, QDR
  k64b66b,  // FDR10, FDR, EDR
};

enum class Switching : std::uint8_t { kCutThrough, kStoreAndForward };

/// Which of several output ports a packet takes (adaptive forwarding). "Room": the port's output
/// queue has free blocks for the packet.
enum class Selection : std::uint8_t {
  kDeterministic,        // the LFT's port, nothing else
  kFirstFree,            // the lowest port with room (Gómez 2007 §5.1, FF)
  kMostCredits,          // Kim 2007 §3.4, Max-Credit
  kLeastFrequentlyUsed,  // Kim 2007 §3.4, LFU
  kSadp,                 // the LFT's port if it has room, else the next with room (Gómez 2007 §5.1)
  kRandom,               // from a port drawn at random on, the first with room
  kEar,                  // self-routing trees (Zahavi 2012 §4): leaf switches choose a port a flow
};

/// Whether a packet selects among several ports at every crossbar. With kEar it does not: its flow
/// has one port at a time.
constexpr bool selects_per_packet(Selection s) {
  return s != Selection::kDeterministic && s != Selection::kEar;
}

/// How packets wait at an input: in one queue, or in a queue for each output queue of the switch.
enum class InputQueues : std::uint8_t { kFifo, kPerOutput };

/// How a switch replicates multicast packets (docs/simulator.md, "Multicast"; Kim 2007 §3.6.1).
enum class Replication : std::uint8_t {
  kNone,                   // no switch does
  kSynchronousFcfs,        // all copies at once; the packet that was routed first goes first
  kSynchronousRoundRobin,  // the same, in the turn of input queues
  kSynchronousHeld,        // the same, but an output queue once reserved stays so: may deadlock
  kCounter,                // copies one by one; one packet aside at each input queue
  kCentral,                // by a FIFO for each output queue
};

/// What an adaptive packet's own port (the LFT's for its DLID) is for. kEscape needs escape queues.
enum class OwnPort : std::uint8_t {
  kAny,     // one of its ports
  kEscape,  // its escape queue, which packets wait for; not its adaptive queue, unless the port of
            // another LID is the same (Martínez 2005 §4.1)
};

/// Which of a destination's 2^LMC LIDs a packet is sent to.
enum class PathChoice : std::uint8_t { kFirst, kRoundRobin, kRandom };

/// What the head-of-queue lifetime discards.
enum class Drop : std::uint8_t {
  kAll,        // whatever waits at the head, as IBA's ports do
  kSelective,  // only packets that their class does not keep (Kim 2007 §3.5)
};

/// One entry of a VL arbitration table (IBA 1.3 §7.6.9).
struct ArbitrationEntry {
  std::uint8_t vl = 0;
  std::uint8_t weight = 0;  // in 64-byte units; 0 = the entry is skipped
  friend bool operator==(const ArbitrationEntry&, const ArbitrationEntry&) = default;
};

struct Parameters {
  // --- Links
  double link_rate_gbps = 2.5;  // signalling rate; the default is 1X SDR
  Coding coding = Coding::k8b10b;
  double cable_m = 20;
  double host_cable_m = -1;  // < 0: as cable_m
  double propagation_ns_per_m = 5;
  double credit_delay_ns = 0;  // from a buffer's release to the credit's start on the wire

  // --- HCAs
  /// From the arrival of a packet's tail at its host until it counts as delivered. SMPs take none.
  double hca_processing_ns = 0;

  // --- Switches
  Switching switching = Switching::kCutThrough;
  double routing_ns = 100;             // table access, arbitration and setting up the crossbar
  unsigned routing_header_bytes = 0;   // bytes that must arrive before routing begins (cut-through)
  unsigned crossbar_speedup = 1;       // the crossbar's rate, in multiples of the input link's
  unsigned input_buffer_bytes = 1024;  // per VL
  unsigned output_buffer_bytes = 1024;
  InputQueues input_queues = InputQueues::kFifo;
  Replication replication = Replication::kNone;
  unsigned central_buffer_bytes = 0;  // kCentral: of each FIFO; 0: as input_buffer_bytes
  /// Size of VL 15's input buffer, and of its output buffer. The default holds one MAD of 256 bytes
  /// with its headers.
  unsigned management_buffer_bytes = 320;
  double head_of_queue_life_us = 0;  // 0: unlimited
  double switch_life_us = 0;
  Drop drop = Drop::kAll;
  Selection selection = Selection::kDeterministic;
  /// Adaptive forwarding: each VL's buffers are divided into an adaptive and an escape queue. The
  /// escape queue holds one packet of the MTU (Martínez 2005 §4.1).
  bool escape_queues = false;
  OwnPort own_port = OwnPort::kAny;
  /// Adaptive forwarding: a packet that has passed more switches than this has its own port alone;
  /// 0: without end.
  unsigned adaptive_hops = 0;
  /// Selection::kEar: a port is congested while more bytes than this are queued for it, and a flow
  /// that has been moved is not moved again before `settle_ns` have passed.
  unsigned congested_bytes = 8192;
  double settle_ns = 10'000;

  // --- VL arbitration. If both tables are empty, every VL is in the low-priority table with a
  // weight of one block.
  std::vector<ArbitrationEntry> arbitration_high, arbitration_low;
  unsigned arbitration_high_limit = 0;  // in 4,096 bytes; 0 = one packet; 255 = no limit

  // --- HCAs and packets
  unsigned mtu_bytes = 256;    // of payload; IBA's smallest
  unsigned header_bytes = 26;  // LRH, BTH, CRCs
  unsigned hca_queue_packets = 1024;
  PathChoice paths = PathChoice::kFirst;
  double flow_rate_gbps = 0;  // hosts are throttled to this rate on the wire; 0: not throttled

  friend bool operator==(const Parameters&, const Parameters&) = default;
};

}  // namespace selvedge::sim
