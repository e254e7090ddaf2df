// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/presets.hpp"

#include <array>

namespace selvedge::sim {
namespace {

/// Montañana 2008 §7.2.4.
Parameters thesis() {
  Parameters p;
  p.link_rate_gbps = 2.5;  // 1X, a byte in 4 ns
  p.coding = Coding::k8b10b;
  p.cable_m = 20;
  p.propagation_ns_per_m = 5;
  p.switching = Switching::kCutThrough;
  p.routing_ns = 100;  // tables, arbiter and crossbar together
  // The thesis says of the buffers "fixed in both cases to 1 KB". We take it as 1 KB per VL of each
  // port, since in that model every VL has resources of its own.
  p.input_buffer_bytes = 1024;
  p.output_buffer_bytes = 1024;
  p.mtu_bytes = 256;    // IBA's smallest MTU; the packets carry only 32 bytes
  p.header_bytes = 26;  // 58 on the wire
  return p;
}

/// Martínez et al. 2005 §4.1: links and switches as in `thesis`.
Parameters martinez() {
  Parameters p = thesis();
  p.input_buffer_bytes = 8192;
  p.output_buffer_bytes = 8192;
  p.escape_queues = true;
  // Packets "are 256 bytes long": we take this as their length with headers.
  p.mtu_bytes = 256;
  return p;
}

/// Gómez et al. 2007 §5.1, which counts in cycles: 20 to route, 8 on the wire, one flit a cycle.
/// The paper chose these values to represent Myrinet (160 MB/s), so here a flit is a byte and a
/// cycle 6.25 ns. This choice does not affect results that are shares of a link's rate.
Parameters gomez() {
  Parameters p;
  p.link_rate_gbps = 1.28;
  p.coding = Coding::kNone;
  p.cable_m = 10;
  p.propagation_ns_per_m = 5;  // 50 ns: 8 cycles
  p.routing_ns = 125;          // 20 cycles
  p.switching = Switching::kCutThrough;
  // Packets of 8 KB; the paper mentions no headers, so there are none. A port buffers two packets,
  // at its input and at its output.
  p.mtu_bytes = 8192;
  p.header_bytes = 0;
  p.input_buffer_bytes = 2 * 8192;
  p.output_buffer_bytes = 2 * 8192;
  return p;
}

/// Zahavi et al. 2012 §5.2: 40 Gb/s links, flit-level InfiniBand. The text gives neither buffers
/// nor delays; the values here are typical of switches of that time. Claims Z3 and Z4 set larger
/// buffers (conf/experiments/clos-self-routing.toml).
Parameters zahavi() {
  Parameters p;
  p.link_rate_gbps = 40;     // 4X QDR; the paper counts 40 Gb/s as hosts' data rate,
  p.coding = Coding::kNone;  // so coding costs nothing here
  p.cable_m = 5;             // chosen
  p.propagation_ns_per_m = 5;
  p.routing_ns = 100;             // chosen
  p.input_buffer_bytes = 16'384;  // chosen: seven packets of 33 blocks
  p.output_buffer_bytes = 8192;   // chosen: three packets
  p.mtu_bytes = 2048;             // chosen: OpenSM's default
  p.header_bytes = 26;            // LRH, BTH, CRCs
  return p;
}

/// Kim et al. 2007, Table 1. The table gives no delays: cable and routing are as in `thesis`.
Parameters kim() {
  Parameters p = thesis();
  p.input_buffer_bytes = 4200;
  p.output_buffer_bytes = 4200;
  p.mtu_bytes = 1024;
  p.header_bytes = 26;
  p.hca_queue_packets = 7989;  // 8 MiB, in packets of MTU size with their headers
  return p;
}

/// 4X NDR: 4 lanes with 100 Gb/s of data each. No other value is from a standard: delays and
/// buffers are typical of today's switches.
Parameters ndr() {
  Parameters p;
  p.link_rate_gbps = 400;
  p.coding = Coding::kNone;
  p.cable_m = 5;
  p.host_cable_m = 2;
  p.propagation_ns_per_m = 5;
  p.routing_ns = 130;
  p.input_buffer_bytes = 65'536;
  p.output_buffer_bytes = 16'384;
  p.mtu_bytes = 4096;
  p.header_bytes = 26;
  return p;
}

}  // namespace

std::span<const Preset> presets() {
  static const std::array<Preset, 6> all{{
      {"thesis", "Montañana 2008 §7.2.4: 1X SDR, 20 m, 1 KiB buffers, packets of 58 bytes",
       thesis(), 32},
      {"martinez", "Martínez 2005 §4.1: as thesis, 8 KiB buffers, packets of 256 bytes", martinez(),
       230},
      {"gomez", "Gómez 2007 §5.1: Myrinet's 160 MB/s, two packets of 8 KiB a buffer", gomez(),
       8192},
      {"zahavi", "Zahavi 2012 §5.2: 40 Gb/s, MTU 2 KiB, messages of 256 KiB", zahavi(), 262'144},
      {"kim", "Kim 2007 Table 1: 1X SDR, 4,200-byte buffers, MTU 1 KiB", kim(), 1024},
      {"ndr", "4X NDR, 400 Gb/s, MTU 4 KiB", ndr(), 4096},
  }};
  return all;
}

}  // namespace selvedge::sim
