// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The scopes of a proof. Each has a dependency graph of its own, if it needs one.
#pragma once

#include <cstdint>

namespace selvedge::prover {

/// Which packets a dependency graph covers.
enum class Scope : std::uint8_t {
  kPaths,    // paths from every source, each on the SL that the source has for it
  kBase,     // the same paths, and replies on the SL of the request, between base LIDs
  kReplies,  // the same, between any LIDs
  kAnySl     // paths from every source on every SL
};

constexpr bool has_replies(Scope scope) {
  return scope == Scope::kBase || scope == Scope::kReplies;
}

}  // namespace selvedge::prover
