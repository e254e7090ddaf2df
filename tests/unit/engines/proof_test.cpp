// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The verifier, which shares no code with the engines, proves their tables.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/engines/multicast.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

const VerifyOptions kEverything{.replies = true, .any_sl = true};

using test::first_witness;

RC_GTEST_PROP(Proof, updn_holds_on_every_fabric, ()) {
  const Fabric f = *test::every_fabric();
  EngineRequest request;
  request.tree = *rc::gen::element(EngineRequest::Tree::kBest, EngineRequest::Tree::kBfs,
                                   EngineRequest::Tree::kDfs);
  Routing r = find_engine("updn").compute(f, request);
  r.tables.mft[kMinMulticastLid] = broadcast_tree(f, *r.multicast);
  const Proof proof = verify(f, r.tables, kEverything);
  RC_LOG() << first_witness(proof.verdict());
  RC_ASSERT(proof.verdict().holds(kEverything));
  RC_ASSERT(proof.verdict().vls_used <= 1u);
  RC_ASSERT(proof.verdict().sls_used <= 1u);
}

RC_GTEST_PROP(Proof, spf_connects_every_fabric, ()) {
  const Fabric f = *test::every_fabric();
  const Proof proof = verify(f, find_engine("spf").compute(f, {}).tables);
  RC_LOG() << first_witness(proof.verdict());
  RC_ASSERT(proof.verdict().connected);
  RC_ASSERT(proof.verdict().loop_free);
}

}  // namespace
}  // namespace selvedge
