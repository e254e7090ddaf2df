// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/readdress.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/repair/readdress_state.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

/// The thesis' example, Figures 5.3 and 5.4: a 3×3 mesh and four paths.
///
///   A ─ B ─ C      B→G  B A D G      B→H  B E H
///   │   │   │      B→I  B C F I      G→I  G H I
///   D ─ E ─ F
///   │   │   │      The cable C–F fails. B→I is joined anew at H (3 hops), not at G (5).
///   G ─ H ─ I
class Figure53 : public testing::Test {
 protected:
  enum : SwitchId { A, B, C, D, E, F, G, H, I };
  Fabric fabric_ = assign_lids(mesh({3, 3}), 1);
  Tables tables_{fabric_};

  Lid lid(SwitchId s, unsigned offset = 0) const {
    return static_cast<Lid>(fabric_.host(s).lid + offset);
  }
  Channel between(SwitchId a, SwitchId b) const {
    for (const Channel c : fabric_.out(a))
      if (fabric_.target(c) == b) return c;
    return kNoChannel;
  }
  void path(const std::vector<SwitchId>& switches) {
    for (std::size_t i = 0; i + 1 < switches.size(); ++i)
      tables_.set_next(switches[i], lid(switches.back()),
                       fabric_.port_of(between(switches[i], switches[i + 1])));
  }
  void SetUp() override {
    for (SwitchId s = A; s <= I; ++s) {
      tables_.set_next(s, fabric_.node(s).lid, 0);
      for (unsigned k = 0; k < 2; ++k) tables_.set_next(s, lid(s, k), fabric_.host(s).port);
    }
    path({B, A, D, G});
    path({B, E, H});
    path({B, C, F, I});
    path({G, H, I});
  }
  std::vector<SwitchId> walked(const Tables& tables, SwitchId from, Lid to) const {
    const Path path = walk(fabric_, tables, from, 0, to);
    std::vector<SwitchId> switches{from};
    for (const Channel c : path.channels) switches.push_back(fabric_.target(c));
    return path.arrives() ? switches : std::vector<SwitchId>{};
  }
};

TEST_F(Figure53, StepByStep) {
  using Reach = ReaddressState::Reach;
  ReaddressState state(fabric_, tables_, {});
  // (a) The rows of the paths: the DRT of B, the IRT of I.
  EXPECT_EQ(state.direct(B), (std::vector<Reach>{{B, G, A, 0, between(B, A), 1},
                                                 {B, G, D, 0, between(A, D), 2},
                                                 {B, G, G, 0, between(D, G), 3},
                                                 {B, H, E, 0, between(B, E), 1},
                                                 {B, H, H, 0, between(E, H), 2},
                                                 {B, I, C, 0, between(B, C), 1},
                                                 {B, I, F, 0, between(C, F), 2},
                                                 {B, I, I, 0, between(F, I), 3}}));
  // Switches on the path are sources too, since an LFT does not distinguish sources.
  EXPECT_EQ(state.indirect(I), (std::vector<Reach>{{B, I, B, 0, between(B, C), 3},
                                                   {C, I, C, 0, between(C, F), 2},
                                                   {F, I, F, 0, between(F, I), 1},
                                                   {G, I, G, 0, between(G, H), 2},
                                                   {H, I, H, 0, between(H, I), 1}}));
  // (b), (c) The fault hits two paths: the one from B, and the part of it that begins at C.
  ReaddressState::Changes changes;
  state.fail({{between(C, F)}, {}}, changes);
  EXPECT_EQ(changes.affected, 2u);
  EXPECT_EQ(state.tables().next(B, lid(I)), kNoPort);
  EXPECT_EQ(state.tables().next(C, lid(I)), kNoPort);
  // (d)–(f) B→I is joined at H, by a new LID: the old LID is reused only as the last resort.
  EXPECT_EQ(walked(state.tables(), B, lid(I, 1)), (std::vector<SwitchId>{B, E, H, I}));
  ASSERT_FALSE(changes.readdressed.empty());
  EXPECT_EQ(changes.readdressed[0], (Readdressed{B, lid(I), lid(I, 1), 0, 0}));
  // (g) The paths that the fault did not hit are unchanged.
  EXPECT_EQ(walked(state.tables(), B, lid(G)), (std::vector<SwitchId>{B, A, D, G}));
  EXPECT_EQ(walked(state.tables(), B, lid(H)), (std::vector<SwitchId>{B, E, H}));
  EXPECT_EQ(walked(state.tables(), G, lid(I)), (std::vector<SwitchId>{G, H, I}));
  // (h) The tables have rows for the new path, which the next fault needs.
  const std::vector<Reach> direct = state.direct(B);
  EXPECT_EQ(std::ranges::count(direct, Reach{B, I, I, 0, between(H, I), 3}), 1);
  EXPECT_EQ(std::ranges::count_if(direct, [](const Reach& r) { return r.reached == F; }), 0);
  const std::vector<Reach> indirect = state.indirect(I);
  EXPECT_EQ(std::ranges::count(indirect, Reach{B, I, B, 0, between(B, E), 3}), 1);
  EXPECT_EQ(std::ranges::count(indirect, Reach{E, I, E, 0, between(E, H), 2}), 1);
  // The next fault: E–H. B→I is joined from the DRT's path to G and the IRT's path from there on.
  changes = {};
  state.fail({{between(E, H)}, {}}, changes);
  const auto again = std::ranges::find_if(changes.readdressed, [&](const Readdressed& r) {
    return r.source == B && r.before == lid(I, 1);
  });
  ASSERT_NE(again, changes.readdressed.end());
  EXPECT_EQ(walked(state.tables(), B, again->after), (std::vector<SwitchId>{B, A, D, G, H, I}));
}

/// The number of pairs (switch with hosts, host) that are physically connected but have no path.
std::uint64_t pairs_without_path(const Fabric& left, const Tables& tables) {
  std::vector<SwitchId> piece(left.num_switches());
  for (SwitchId s = 0; s < piece.size(); ++s) piece[s] = s;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Channel c : left.links()) {
      SwitchId &a = piece[left.switch_of(c)], &b = piece[left.target(c)];
      changed |= a != b;
      a = b = std::min(a, b);
    }
  }
  std::uint64_t missing = 0;
  for (SwitchId s = 0; s < left.num_switches(); ++s) {
    const bool asks =
        std::ranges::any_of(left.hosts_at(s), [&](HostId h) { return left.attached(h); });
    for (HostId h = 0; asks && h < left.num_hosts(); ++h) {
      const Host& host = left.host(h);
      if (!left.attached(h) || host.at == s || piece[host.at] != piece[s]) continue;
      bool works = false;
      for (unsigned k = 0; k < host.lid_count(); ++k)
        works |= walk(left, tables, s, 0, static_cast<Lid>(host.lid + k)).arrives();
      missing += works ? 0 : 1;
    }
  }
  return missing;
}

void expect_sound(const ReaddressRepair& repair, const Repair& result, const Tables& before) {
  // The delta leads from the tables before to those after.
  Tables applied = before;
  apply(applied, result.delta);
  RC_ASSERT(applied == repair.tables());
  RC_ASSERT(result.delta == difference(before, repair.tables()));
  // The tables are proved, and the pairs without a path that are physically connected are those
  // that the repair reports.
  Tables tables = repair.tables();
  tables.mft = broadcast_group(repair.fabric(), result.multicast);
  VerifyOptions asked;
  asked.any_lid = true;
  const Verdict verdict = verify(repair.fabric(), tables, asked).verdict();
  RC_ASSERT(verdict.loop_free && verdict.deadlock_free);
  RC_ASSERT(verdict.multicast_faults == 0u);
  RC_ASSERT(pairs_without_path(repair.fabric(), repair.tables()) == result.dead);
  // Every readdressed pair has a path under its new LID and SL.
  for (const Readdressed& r : result.readdressed) {
    RC_ASSERT(walk(repair.fabric(), repair.tables(), r.source, 0, r.after).arrives());
    RC_ASSERT(repair.tables().sl(r.source, r.after) == r.sl_after);
  }
}

/// Checks that the IRT has exactly the rows that follow from the paths in force.
void expect_irt(const Fabric& fabric, const ReaddressState& state) {
  for (SwitchId d = 0; d < fabric.num_switches(); ++d) {
    std::multiset<std::array<unsigned, 4>> kept, walked;  // source, link, transitions, hops
    for (const ReaddressState::Reach& r : state.indirect(d))
      kept.insert({r.source, r.link, r.transitions, r.hops});
    for (unsigned lid = 1; lid <= state.tables().top_lid(); ++lid) {
      for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
        const Path path = walk(fabric, state.tables(), s, 0, static_cast<Lid>(lid));
        if (s == d || !path.arrives() || path.switches.back() != d) continue;
        unsigned transitions = 0;
        for (std::size_t i = 1; i < path.vls.size(); ++i)
          transitions += path.vls[i] != path.vls[i - 1] ? 1 : 0;
        walked.insert({s, path.channels.front(), transitions, static_cast<unsigned>(path.hops())});
      }
    }
    RC_ASSERT(kept == walked);
  }
}

Fault random_fault(const Fabric& left, StableRandom& random) {
  Fault fault;
  if (random.chance(20)) {
    fault.switches.push_back(static_cast<SwitchId>(random.below(left.num_switches())));
  } else if (!left.links().empty()) {
    const std::uint64_t more = random.chance(30) ? 2 : 1;
    for (std::uint64_t i = 0; i < more; ++i)
      fault.links.push_back(left.links()[random.below(left.links().size())]);
  }
  return fault;
}

std::uint64_t any_sequence(const Fabric& fabric, const Tables& tables,
                           const std::optional<ParentChannels>& multicast, std::uint64_t seed) {
  StableRandom random(seed);
  ReaddressRepair repair(fabric, tables, multicast, {.mode = RepairMode::kReaddress});
  std::vector<Fault> out;
  std::uint64_t dead = 0;
  for (unsigned step = 0; step < 8; ++step) {
    const Tables before = repair.tables();
    Repair result;
    if (!out.empty() && random.chance(30)) {
      const std::size_t which = random.below(out.size());
      result = repair.restore(out[which]);
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(which));
    } else {
      out.push_back(random_fault(repair.fabric(), random));
      result = repair.fail(out.back());
    }
    expect_sound(repair, result, before);
    expect_irt(fabric, repair.state());
    dead += result.dead;
  }
  return dead;
}

std::uint64_t any_sequence(const Fabric& fabric, std::string_view engine, bool one_path,
                           std::uint64_t seed) {
  const Routing routing = find_engine(engine).compute(fabric, {});
  return any_sequence(fabric, one_path ? base_lids_only(fabric, routing.tables) : routing.tables,
                      routing.multicast, seed);
}

RC_GTEST_PROP(Readdress, any_fabric_any_sequence_is_proved, (std::uint64_t seed, bool one_path)) {
  const Fabric fabric = *test::any_fabric();
  RC_CLASSIFY(any_sequence(fabric, "updn", one_path, seed) > 0, "no path though there is one");
}

RC_GTEST_PROP(Readdress, every_pair_keeps_a_path_on_small_lattices, (std::uint64_t seed)) {
  const std::vector<std::vector<unsigned>> sizes{{3, 3}, {4, 4}, {3, 4}, {3, 3, 3}};
  const Fabric fabric = assign_lids(torus(sizes[seed % sizes.size()]), 3);
  RC_ASSERT(any_sequence(fabric, "updn", true, seed) == 0u);
}

RC_GTEST_PROP(Readdress, tables_of_several_paths_and_vls, (std::uint64_t seed)) {
  const std::string_view engine = std::vector<std::string_view>{"tftr", "ist", "spftr"}[seed % 3];
  const Fabric bare = torus({4, 4});
  const Fabric fabric = assign_lids(bare, find_engine(engine).lmc(assign_lids(bare, 0)));
  any_sequence(fabric, engine, false, seed);
}

/// Entries for hosts that have failed belong to no pair's path, but packets may still follow them.
RC_GTEST_PROP(Readdress, entries_of_hosts_that_are_gone, (std::uint64_t seed)) {
  const Fabric bare = torus({4, 4});
  const Fabric whole = assign_lids(bare, find_engine("spftr").lmc(assign_lids(bare, 0)));
  const Routing routing = find_engine("spftr").compute(whole, {});
  StableRandom random(seed);
  Fault gone;
  for (HostId h = 0; h < whole.num_hosts(); ++h)
    if (random.chance(30)) gone.links.push_back(whole.injection(h));
  any_sequence(without(whole, gone), routing.tables, routing.multicast, seed);
}

TEST(Readdress, RefusesTablesWithACycle) {
  const Fabric fabric = assign_lids(torus({5}), 0);
  const Tables tables = find_engine("spf").compute(fabric, {}).tables;
  EXPECT_THROW(ReaddressRepair(fabric, tables, std::nullopt), InputError);
}

/// Claim T9 (thesis, Table 8.10): the memory of DRT and IRT with one path for each pair of
/// switches.
TEST(Readdress, MemoryIsNoMoreThanTheThesis) {
  struct Row {
    unsigned radix, dimensions;
    std::size_t thesis;
  };
  for (const Row& row :
       {Row{7, 2, 38 * 1024}, Row{8, 2, 75 * 1024}, Row{10, 2, 232 * 1024}, Row{12, 2, 584 * 1024},
        Row{3, 3, 6350}, Row{4, 3, 50 * 1024}, Row{6, 3, 890 * 1024}, Row{7, 3, 2661 * 1024}}) {
    const Fabric fabric = assign_lids(torus(std::vector<unsigned>(row.dimensions, row.radix)), 0);
    const Tables tables = find_engine("updn").compute(fabric, {}).tables;
    const ReaddressState state(fabric, tables, {.max_vls = 3});
    const ReaddressState::Bytes bytes = state.bytes();
    EXPECT_LE(bytes.reach, row.thesis) << row.radix << ", " << row.dimensions << " dimensions";
    std::printf("%u^%u: %zu bytes, thesis %zu; indexes %zu\n", row.radix, row.dimensions,
                bytes.reach, row.thesis, bytes.indexes);
  }
}

}  // namespace
}  // namespace selvedge
