// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/read_hca.hpp"

namespace selvedge::sim {

void read_hca(Keys& keys, HcaSpec& hca) {
  keys.choose("protocol", hca.protocol, {"off", "none", "li", "lw", "credits", "thesis"});
  if (!hca.on()) {
    for (const char* key : {"memory", "memory_bytes", "memory_bytes_per_connection",
                            "window_packets", "in_flight_packets", "timeout_us", "payload_bytes",
                            "paths", "burst_packets", "overtaking"})
      if (keys.has(key))
        throw keys.section().error(key, "is of the protocol, and protocol is \"off\"",
                                   "leave it out, or set protocol = \"li\"");
  }
  const bool thesis = hca.protocol == HcaProtocol::kThesis;
  if (thesis) {
    for (const char* key : {"memory", "memory_bytes", "memory_bytes_per_connection",
                            "in_flight_packets", "paths", "burst_packets", "overtaking"})
      if (keys.has(key))
        throw keys.section().error(key, "is of the daemon's protocol, and protocol is \"thesis\"",
                                   "leave it out, or set protocol = \"li\"");
  } else if (keys.has("timeout_us")) {
    throw keys.section().error("timeout_us", "is of protocol \"thesis\"",
                               "leave it out, or set protocol = \"thesis\"");
  }
  keys.choose("memory", hca.memory, {"dynamic", "static"});
  keys.read("memory_bytes", hca.memory_bytes, {.most = 1 << 30});
  keys.read("memory_bytes_per_connection", hca.memory_bytes_per_connection, {.most = 1 << 30},
            "all, or an equal share");
  keys.read("window_packets", hca.window_packets,
            thesis ? WholeRange{.least = 1, .most = kThesisWindowMax}
                   : WholeRange{.least = protocol::kWindowPacketsMin,
                                .most = protocol::kWindowPacketsMax});
  keys.read("in_flight_packets", hca.in_flight_packets,
            {.least = 1, .most = protocol::kWindowPacketsMax}, "the window");
  keys.read("timeout_us", hca.timeout_us, {.least = 0.1, .most = 1e6});
  keys.read("payload_bytes", hca.payload_bytes, {.most = protocol::kPayloadBytesMax});
  keys.read("paths", hca.paths, {.least = 1, .most = protocol::kPathsMax});
  keys.read("burst_packets", hca.burst_packets, {.least = 1, .most = protocol::kBurstPacketsMax});
  keys.choose("overtaking", hca.overtaking, {"loss", "measured"});
}

}  // namespace selvedge::sim
