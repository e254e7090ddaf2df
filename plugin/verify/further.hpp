// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The proof of tables that were read off a running fabric, where sources may use several SLs for a
// path (plugin/tables/further_sls.hpp). Every property must hold with each of them: of any two
// packets in a cycle, either may have any of its SLs. What one host of a switch uses counts for
// all hosts there.
#pragma once

#include "plugin/tables/further_sls.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

/// Proves the tables from scratch. Such a proof cannot be revised.
Proof verify(const Fabric& fabric, const Tables& tables, const FurtherSls& further,
             const VerifyOptions& options = {});

}  // namespace selvedge
