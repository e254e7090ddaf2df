// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Proofs of tables whose paths have several SLs, compared with a walk of every packet on each.
#include "plugin/verify/further.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "plugin/verify/survival.hpp"
#include "tests/unit/verify/random_subnet.hpp"
#include "tests/unit/verify/reference.hpp"

namespace {

using namespace selvedge;

FurtherSls random_further(const Tables& tables, random_subnet::Random& random) {
  FurtherSls further(tables);
  const unsigned share = random_subnet::below(random, 60);
  for (SwitchId s = 0; s < tables.num_switches(); ++s)
    for (unsigned lid = 1; lid <= tables.top_lid(); ++lid)
      while (random_subnet::chance(random, share))
        further.add(tables, s, static_cast<Lid>(lid),
                    static_cast<Sl>(random_subnet::below(random, 5)));
  return further;
}

std::vector<Sl> sls_of(const Tables& tables, const FurtherSls& further, SwitchId s, Lid lid) {
  std::vector<Sl> sls{tables.sl(s, lid)};
  for (unsigned sl = 0; sl < kSls; ++sl)
    if ((further.at(s, lid) >> sl & 1u) != 0) sls.push_back(static_cast<Sl>(sl));
  return sls;
}

void add(reference::Edges& edges, const reference::Walk& walk) {
  for (std::size_t i = 1; i < walk.nodes.size(); ++i)
    edges.insert({walk.nodes[i - 1], walk.nodes[i]});
}

bool arrives(const Fabric& fabric, const Tables& tables, const FurtherSls& further, HostId from,
             Lid lid) {
  const Host& host = fabric.host(from);
  return std::ranges::all_of(sls_of(tables, further, host.at, lid), [&](Sl sl) {
    return tables.host_sl2vl[sl] != kDropVl &&
           reference::walk(fabric, tables, host.at, host.port, lid, sl).end ==
               reference::Walk::End::kArrives;
  });
}

void try_one(unsigned seed) {
  random_subnet::Random random(seed);
  auto [fabric, tables] = random_subnet::disturbed(random, 7, 1, 20);
  const FurtherSls further = random_further(tables, random);
  VerifyOptions options;
  options.any_lid = random_subnet::chance(random, 50);
  options.replies = true;
  const Verdict verdict = verify(fabric, tables, further, options).verdict();

  // Its edges of multicast groups hold here too.
  const reference::Expected one_sl = reference::expect(fabric, tables, options);
  reference::Edges paths = one_sl.paths, replies = one_sl.replies;
  std::uint64_t failed = 0;
  for (unsigned n = 1; n <= tables.top_lid(); ++n) {
    const auto lid = static_cast<Lid>(n);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      for (const Sl sl : sls_of(tables, further, s, lid)) {
        add(paths, reference::walk(fabric, tables, s, 0, lid, sl));
        if (tables.host_sl2vl[sl] == kDropVl) continue;
        for (const HostId h : fabric.hosts_at(s))
          add(paths, reference::walk(fabric, tables, s, fabric.host(h).port, lid, sl));
      }
  }
  replies.insert(paths.begin(), paths.end());
  // A request on any of its SLs, to any LID of b; the response to any LID of a.
  for (HostId a = 0; a < fabric.num_hosts(); ++a)
    for (HostId b = 0; b < fabric.num_hosts(); ++b) {
      const Host &asks = fabric.host(a), &told = fabric.host(b);
      if (!fabric.attached(a) || !fabric.attached(b) || asks.lid == kNoLid || told.lid == kNoLid)
        continue;
      for (unsigned i = 0; i < told.lid_count(); ++i) {
        const auto to = static_cast<Lid>(told.lid + i);
        if (tables.next(asks.at, to) == kNoPort) continue;
        for (const Sl sl : sls_of(tables, further, asks.at, to))
          for (unsigned j = 0; j < asks.lid_count() && tables.host_sl2vl[sl] != kDropVl; ++j)
            add(replies, reference::walk(fabric, tables, told.at, told.port,
                                         static_cast<Lid>(asks.lid + j), sl));
      }
    }
  RC_ASSERT(verdict.deadlock_free == !reference::cyclic(paths));
  if (verdict.deadlock_free)
    RC_ASSERT(verdict.deadlock_free_replies == !reference::cyclic(replies));
  RC_ASSERT(verdict.loop_free == one_sl.loop_free);
  RC_ASSERT(verdict.pairs == one_sl.pairs);
  // Pairs that have failed with one SL, and those with a SL that is dropped.
  for (HostId b = 0; b < fabric.num_hosts(); ++b)
    for (HostId a = 0; a < fabric.num_hosts(); ++a) {
      if (one_sl.failed.contains({a, b})) {
        ++failed;
        continue;
      }
      const Host& to = fabric.host(b);
      if (a == b || !fabric.attached(a) || !fabric.attached(b) || to.lid == kNoLid) continue;
      unsigned works = 0, physical = 0;
      for (unsigned i = 0; i < to.lid_count(); ++i) {
        const auto lid = static_cast<Lid>(to.lid + i);
        works += arrives(fabric, tables, further, a, lid);
        physical += arrives(fabric, tables, FurtherSls(tables), a, lid);
      }
      if (physical == 0) continue;  // not in one component
      failed += options.any_lid ? works == 0 : works < to.lid_count();
    }
  RC_ASSERT(verdict.failed_pairs == failed);
  RC_ASSERT(verdict.connected == (failed == 0));
  if (!verdict.deadlock_free || !verdict.connected) RC_ASSERT(!verdict.witnesses.empty());

  // What the tables survive is what is proved of each damaged fabric.
  SurvivalRequest request;
  request.further = &further;
  const std::uint32_t links = faultable(fabric, FaultKind::kLinks);
  if (links == 0) return;
  const Survival survival = survive(fabric, tables, verdict.deadlock_free, request);
  options.any_lid = true;
  std::uint64_t singular = 0;
  for (const Channel c : fabric.links()) {
    const Verdict left =
        verify(without(fabric, Fault{.links = {c}, .switches = {}}), tables, further, options)
            .verdict();
    singular += !left.connected || !left.deadlock_free;
  }
  RC_ASSERT(survival.singular == singular);
  RC_ASSERT(survival.evaluated == links);
}

RC_GTEST_PROP(FurtherSls, every_sl_is_proved, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  for (unsigned i = 0; i < 10; ++i) try_one(seed + i);
}

}  // namespace
