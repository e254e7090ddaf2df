// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Connects the hosts' path queries with the simulated network. A host's packets take the DLID and
// the SL of the SA's last answer. A host whose LIDs a manager changes, or that is to register
// again, asks the SA again.
#pragma once

#include "sim/emulate/data_plane.hpp"
#include "sim/emulate/path_queries.hpp"

namespace selvedge::sim {

class HostPaths : public PathQueries {
 public:
  /// `core` and `plane` must outlive this object.
  HostPaths(Core& core, DataPlane& plane)
      : PathQueries(core, plane.host_ports(),
                    [&plane](HostId from, HostId to, PathAnswer answer) {
                      plane.write_path(from, to, answer.dlid, answer.sl);
                    }),
        plane_(plane) {
    plane_.on_readdressed([this](HostId host) { readdressed(host); });
  }
  HostPaths(const HostPaths&) = delete;
  HostPaths& operator=(const HostPaths&) = delete;
  ~HostPaths() override {
    plane_.on_readdressed([](HostId) {});
  }

 private:
  DataPlane& plane_;
};

}  // namespace selvedge::sim
