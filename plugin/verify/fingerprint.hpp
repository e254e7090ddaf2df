// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A 64-bit number of a table set. A delta changes it by a number that depends on the delta alone.
// So whether a delta leads from the tables of a proof to other tables is known without the former:
// the proof keeps the number. (Two table sets have the same number by an accident of 1 in 2^64. It
// is no protection against somebody who seeks such tables.)
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>

#include "plugin/tables/delta.hpp"

namespace selvedge::prover {

/// Of LFTs, SLs, SL2VL tables and multicast groups. One pass over the LFTs.
std::uint64_t fingerprint(const Tables& tables);

/// fingerprint(after) − fingerprint(before), modulo 2^64, for a delta that leads from `before` to
/// `after`.
std::uint64_t fingerprint_change(const Delta& delta);

/// Whether the tables have every switch, LID and port that the delta names.
bool has_all_of(const Tables& tables, const Delta& delta);

}  // namespace selvedge::prover
