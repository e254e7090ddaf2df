// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The hosts of a simulated network and their paths: what the SA answers a host is what its packets
// take from then on, and what a manager does to the host makes it ask again.
#pragma once

#include "sim/emulate/data_plane.hpp"
#include "sim/emulate/path_queries.hpp"

namespace selvedge::sim {

class HostPaths : public PathQueries {
 public:
  /// Both must outlive it.
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
