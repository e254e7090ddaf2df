// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/local_ports.hpp"

#include <endian.h>
#include <fmt/format.h>
#include <infiniband/umad.h>

namespace selvedge {
namespace {

constexpr unsigned kActive = 4;  // PortState of PortInfo

}  // namespace

std::vector<LocalPort> local_ports(std::uint64_t guid) {
  std::vector<LocalPort> found;
  char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
  const int cas = umad_get_cas_names(names, UMAD_MAX_DEVICES);
  for (int i = 0; i < cas; ++i) {
    umad_ca_t ca;
    if (umad_get_ca(names[i], &ca) < 0) continue;
    // Port 0 is a switch's own, and has LMC 0 whatever the hosts have.
    for (int p = 1; p <= ca.numports; ++p) {
      const umad_port_t* port = ca.ports[p];
      if (port == nullptr || port->base_lid == 0 || port->state != kActive) continue;
      if (guid != 0 && be64toh(port->port_guid) != guid) continue;
      found.push_back({fmt::format("{} port {}", names[i], p),
                       static_cast<std::uint16_t>(port->base_lid), port->lmc});
    }
    umad_release_ca(&ca);
  }
  return found;
}

}  // namespace selvedge
