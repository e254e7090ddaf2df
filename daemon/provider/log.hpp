// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The provider's lines in libfabric's log.
#pragma once

#include <rdma/providers/fi_prov.h>

namespace selvedge::provider {

/// The provider, as libfabric knows it.
extern fi_provider provider;

/// A line in libfabric's log (FI_LOG_LEVEL=warn shows it).
[[gnu::format(printf, 1, 2)]] void warn(const char* format, ...);

}  // namespace selvedge::provider
