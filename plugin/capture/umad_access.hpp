// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The real subnet, as a port of this machine sees it: the topology by ibnetdiscover
// (infiniband-diags), everything else by MADs through libibumad. Only Get is ever sent, and at most
// so many MADs a second as the caller allows.
#pragma once

#include <memory>
#include <string>

#include "plugin/capture/subnet_access.hpp"

namespace selvedge::capture {

struct UmadOptions {
  std::string ca;              // the adapter's name in libibumad; empty: libibumad's default
  unsigned port = 0;           // 0: the first that is active
  unsigned per_second = 5000;  // MADs
};

/// Throws EnvironmentError if there is no such port, or none that this user may use.
std::unique_ptr<SubnetAccess> open_umad(const UmadOptions& options);

}  // namespace selvedge::capture
