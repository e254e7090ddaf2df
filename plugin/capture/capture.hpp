// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads a running fabric: topology, then tables, then SLs, then topology and tables once more. If
// the second reading differs from the first, the subnet manager was at work meanwhile, and all of
// it is repeated.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "plugin/capture/path_sls.hpp"
#include "plugin/capture/subnet_access.hpp"

namespace selvedge::capture {

struct CaptureOptions {
  std::uint64_t seed = 1;  // of what is drawn
  unsigned tries = 3;
  std::uint32_t most_hosts = kMostHosts;  // that are all asked about
};

struct Capture {
  Fabric fabric;
  Tables tables;
  PathSls sls;
  Lid manager = kNoLid;
  unsigned tries = 1;
  std::vector<std::string> remarks;  // what is unusual or assumed, one line each
};

/// `say` is called with one line if something changed and all is read again. Throws
/// EnvironmentError: no subnet, no subnet manager, or changes in every try.
Capture capture(SubnetAccess& access, const CaptureOptions& options, Progress& progress,
                const std::function<void(const std::string&)>& say);

}  // namespace selvedge::capture
