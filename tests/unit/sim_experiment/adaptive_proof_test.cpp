// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which runs with adaptive forwarding are accepted, and that proved runs deliver all packets.
#include "sim/experiment/adaptive_proof.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/fabric/spec.hpp"
#include "sim/engine/random.hpp"
#include "sim/model/network.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/routed.hpp"
#include "tests/support/torus_tables.hpp"
#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim::test {
namespace {

using selvedge::test::Routed;

/// The switches on the LFTs' path from `at` to a LID.
unsigned switches_on_path(const Fabric& fabric, const Tables& tables, SwitchId at, Lid dlid) {
  unsigned count = 1;
  for (; at != fabric.destination_switch(dlid) && count <= fabric.num_switches(); ++count)
    at = fabric.target(fabric.channel(at, tables.next(at, dlid)));
  return count;
}

const Fabric& two_lids() {
  static const Fabric fabric = assign_lids(torus({3, 3}, 1), 1);
  return fabric;
}

std::optional<AdaptiveUse> adaptive(const std::string& model, const std::string& rest = "") {
  return adaptive_use_of(parse("[fabric]\nspec = 'torus:3x3'\n[routing]\nengine = 'updn'\nlmc = 1\n"
                               "[model]\n" +
                               model + "\n" + rest)
                             .points.at(0),
                         two_lids());
}

TEST(AdaptiveProof, NeedsASelectionAndSeveralLids) {
  EXPECT_FALSE(adaptive("selection = 'deterministic'"));
  EXPECT_TRUE(adaptive("selection = 'sadp'"));
  const Experiment e = parse(
      "[fabric]\nspec = 'torus:3x3'\n[routing]\nengine = 'updn'\n[model]\nselection = 'sadp'\n");
  EXPECT_FALSE(adaptive_use_of(e.points.at(0), assign_lids(torus({3, 3}, 1), 0)));
}

TEST(AdaptiveProof, TellsWhichLidsPacketsCarry) {
  EXPECT_EQ(adaptive("selection = 'sadp'")->carried, Carried::kFirst);
  EXPECT_EQ(adaptive("selection = 'sadp'\npaths = 'random'")->carried, Carried::kAny);
  EXPECT_EQ(adaptive("selection = 'sadp'\npaths = 'round-robin'")->carried, Carried::kAny);
}

TEST(AdaptiveProof, OwnPortsSufficeWithoutCutsAndWithOnePacketSize) {
  const auto hold = [](const std::string& rest) {
    return adaptive("selection = 'sadp'\nmtu_bytes = 256", rest)->own_ports_suffice;
  };
  EXPECT_TRUE(hold("[traffic]\npayload_bytes = 256\n"));
  EXPECT_TRUE(hold("[traffic]\npayload_bytes = 2560\n"));
  EXPECT_TRUE(hold("[traffic]\npayload_bytes = 3\n"));
  EXPECT_TRUE(hold("[traffic]\npayload_bytes = 510\n"));  // 282 and 280 bytes: 5 blocks each
  EXPECT_FALSE(hold("[traffic]\npayload_bytes = 300\n"));
  EXPECT_FALSE(hold("[traffic]\npattern = 'io'\n"));
  EXPECT_FALSE(hold("[traffic]\npayload_bytes = 256\n[faults]\nrandom = 1\n"));
  EXPECT_TRUE(hold("[traffic]\npayload_bytes = 256\nwindow = 2\n"));
  EXPECT_FALSE(hold("[traffic]\npayload_bytes = 256\nwindow = 2\nresponse_bytes = 10\n"));
  // Packets that wait for escape queues may have any size.
  const auto waits = [](const std::string& rest) {
    return adaptive("selection = 'sadp'\nescape_queues = true\nown_port = 'escape'", rest)
        ->own_ports_suffice;
  };
  EXPECT_TRUE(waits("[traffic]\npayload_bytes = 300\n"));
  EXPECT_FALSE(waits("[traffic]\npayload_bytes = 300\n[faults]\nrandom = 1\n"));
}

TEST(AdaptiveProof, AdaptiveSwitchesTakeMartinezTablesAndOthersDoNot) {
  const auto text = [](const std::string& model) {
    return "[fabric]\nspec = 'torus:6x6'\n[routing]\nengine = 'martinez'\nlmc = 3\n[model]\n"
           "preset = 'martinez'\nmtu_bytes = 512\n" +
           model + "\n[measure]\nwarmup_us = 0\nduration_us = 50\n";
  };
  const std::string adaptive = "selection = 'most-credits'\nown_port = 'escape'\n";
  Results results;
  EXPECT_EQ(run_all(parse(text(adaptive + "adaptive_hops = 16\n[hca]\nprotocol = 'li'")), results)
                .simulated,
            1u);
  const auto refused = [&](const std::string& model) -> std::string {
    try {
      run_all(parse(text(model)), results);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(refused(adaptive).find("set [model] adaptive_hops"), std::string::npos);
  EXPECT_NE(refused("").find("NOT deadlock free"), std::string::npos);
  EXPECT_NE(refused(adaptive + "paths = 'random'").find("NOT deadlock free"), std::string::npos);
  EXPECT_NE(refused("selection = 'most-credits'\nescape_queues = false").find("can deadlock"),
            std::string::npos);
}

AdaptiveVerdict verdict(bool deadlock_free, bool own_free, bool escape_free) {
  AdaptiveVerdict v;
  v.deadlock_free = deadlock_free;
  v.own_free = own_free;
  v.escape_free = escape_free;
  return v;
}

TEST(AdaptiveProof, ReportsWhatIsUnproved) {
  const AdaptiveUse plain{.own_ports_suffice = true},
      apart{.escape_queues = true, .own_ports_suffice = true};
  const AdaptiveUse cut{.escape_queues = true};
  EXPECT_FALSE(first_unproved(cut, verdict(true, false, false)));
  EXPECT_FALSE(first_unproved(plain, verdict(false, true, false)));
  EXPECT_FALSE(first_unproved(apart, verdict(false, false, true)));
  EXPECT_TRUE(first_unproved(plain, verdict(false, false, false)));
  EXPECT_TRUE(first_unproved(apart, verdict(false, true, false)));
  EXPECT_TRUE(first_unproved(cut, verdict(false, true, true)));
  const auto escape = first_unproved(plain, verdict(false, false, true));
  ASSERT_TRUE(escape);
  EXPECT_NE(escape->remedy.find("escape_queues = true"), std::string::npos);

  AdaptiveVerdict other = verdict(true, true, true);
  other.loop_free = false;
  EXPECT_TRUE(first_unproved(apart, other));
  // With limited hops the own path's end is the packet's.
  AdaptiveUse limited = apart;
  limited.hops_are_limited = true;
  EXPECT_FALSE(first_unproved(limited, other));
  other.escape_free = false;
  EXPECT_TRUE(first_unproved(limited, other));
  // Without deadlocks too: after its hops a packet needs its own port.
  EXPECT_TRUE(first_unproved(limited, verdict(true, true, false)));
  EXPECT_FALSE(first_unproved(apart, verdict(true, true, false)));
  other = verdict(true, true, true);
  other.delivered = false;
  EXPECT_TRUE(first_unproved(apart, other));
}

/// Why packets of fully adaptive switches are not proved with these tables.
std::optional<Unproved> unproved(const Fabric& fabric, const Tables& tables) {
  const AdaptiveUse use{.carried = Carried::kFirst,
                        .escape_queues = true,
                        .own_ports_suffice = true,
                        .hops_are_limited = true};
  return first_unproved(use, verify_adaptive(fabric, tables, Carried::kFirst));
}

/// A change of one entry that the proof must refuse, whatever else the tables hold.
enum class Broken { kAnotherHost, kEscapeLoop, kNoEscape };
struct Breakage {
  Broken what;
  SwitchId at;
  Lid dlid;
  PortNum port;
};

std::vector<Breakage> breakages(const Fabric& fabric, const Tables& tables) {
  std::vector<Breakage> all;
  for (const Host& to : fabric.hosts())
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      const std::span<const HostId> here = fabric.hosts_at(s);
      if (s == to.at || here.empty()) continue;  // a host here sends to it
      for (unsigned i = 0; i < to.lid_count(); ++i)
        all.push_back({Broken::kAnotherHost, s, static_cast<Lid>(to.lid + i),
                       fabric.host(here.front()).port});
      for (const Channel c : fabric.out(s)) {
        const SwitchId next = fabric.target(c);
        if (next == to.at) continue;
        if (fabric.target(fabric.channel(next, tables.next(next, to.lid))) == s)
          all.push_back({Broken::kEscapeLoop, s, to.lid, fabric.port_of(c)});
      }
      const SwitchId next = fabric.target(fabric.channel(s, tables.next(s, to.lid)));
      if (next != to.at) all.push_back({Broken::kNoEscape, next, to.lid, kNoPort});
    }
  return all;
}

RC_GTEST_PROP(AdaptiveProof, RefusesMartinezTablesWithOneEntryBroken, ()) {
  const selvedge::test::RandomShape shape{*rc::gen::inRange(2u, 9u), *rc::gen::inRange(0u, 9u),
                                          *rc::gen::inRange(2u, 12u), *rc::gen::inRange(1u, 4u),
                                          *rc::gen::arbitrary<std::uint64_t>()};
  const Fabric fabric = selvedge::test::random_irregular(
      shape, {.parallel = true, .pieces = false, .two_ports = false, .unattached = false});
  Tables tables = find_engine("martinez").compute(fabric, {}).tables;
  RC_ASSERT(!unproved(fabric, tables));
  const auto what = *rc::gen::element(Broken::kAnotherHost, Broken::kEscapeLoop, Broken::kNoEscape);
  std::vector<Breakage> all = breakages(fabric, tables);
  std::erase_if(all, [&](const Breakage& one) { return one.what != what; });
  RC_PRE(!all.empty());
  const Breakage broken = all[*rc::gen::inRange<std::size_t>(0, all.size())];
  tables.set_next(broken.at, broken.dlid, broken.port);
  RC_TAG(static_cast<int>(what));
  RC_ASSERT(unproved(fabric, tables));
}

/// Every point is checked, also if the first point of its routed fabric has no adaptive forwarding.
TEST(AdaptiveProof, ChecksEveryPoint) {
  const std::string text =
      "[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'spftr'\nlmc = 2\n[model]\n"
      "selection = ['deterministic', 'sadp']\n[measure]\nwarmup_us = 0\nduration_us = 20\n";
  Results results;
  EXPECT_THROW(run_all(parse(text), results), InputError);
  EXPECT_TRUE(results.finished().empty());
  Ranks ranks;
  CampaignOptions options;
  options.allow_unproved = true;
  EXPECT_EQ(run_campaign(parse(text), &results, ranks, options).simulated, 2u);
}

TEST(AdaptiveProof, AcceptsUpwardPathsOfATree) {
  const Experiment e = parse(
      "[fabric]\nspec = 'tree:k=2,n=3'\n[routing]\nengine = 'dmodk'\nlmc = 1\n[model]\n"
      "selection = 'first-free'\n[measure]\nwarmup_us = 0\nduration_us = 20\n");
  Results results;
  EXPECT_EQ(run_all(e, results).simulated, 1u);
}

/// Packets at full rate, a limited number, of up to `most` bytes.
class Burst : public Traffic {
 public:
  Burst(std::uint32_t hosts, unsigned each, unsigned least, unsigned most, std::uint64_t seed)
      : left_(hosts, each), least_(least), most_(most) {
    for (HostId h = 0; h < hosts; ++h) streams_.emplace_back(seed, h);
  }
  Message next(HostId from) override {
    if (left_[from]-- == 0) return {};
    const auto others = static_cast<std::uint32_t>(left_.size() - 1);
    const HostId to = streams_[from].below(others);
    return {.at = 0,
            .to = to + (to >= from ? 1 : 0),
            .bytes = least_ + streams_[from].below(most_ - least_ + 1)};
  }

 private:
  std::vector<unsigned> left_;
  unsigned least_, most_;
  std::vector<Stream> streams_;
};

/// A model with minimal buffers, so that a deadlock that is possible soon occurs.
Parameters tight(unsigned mtu_bytes, bool escape_queues) {
  Parameters p;
  p.mtu_bytes = mtu_bytes;
  const unsigned packet = blocks_of(p.mtu_bytes + p.header_bytes) * kBlockBytes;
  p.input_buffer_bytes = p.output_buffer_bytes = 2 * packet;
  p.selection = Selection::kMostCredits;
  p.escape_queues = escape_queues;
  return p;
}

constexpr unsigned kEach = 100;

/// Whether all packets of a burst arrive.
bool all_arrive(const Fabric& fabric, const Tables& tables, const Parameters& parameters,
                std::uint64_t seed, unsigned* most_switches = nullptr) {
  Burst burst(fabric.num_hosts(), kEach, most_switches == nullptr ? 32 : 0,
              most_switches == nullptr ? 32 : parameters.mtu_bytes, seed);
  const Model model = resolve(parameters, tables);
  Network network(fabric, tables, model, burst, seed);
  network.on_delivery([&](const Delivery& d) {
    if (most_switches != nullptr) *most_switches = std::max<unsigned>(*most_switches, d.switches);
  });
  network.run(50'000'000);
  return network.totals().delivered == std::uint64_t{kEach} * fabric.num_hosts();
}

/// With escape queues all packets arrive. Where the proof fails, some runs deadlock.
TEST(AdaptiveProof, ProvedPacketsAreDelivered) {
  unsigned stuck = 0;
  for (const unsigned size : {4u, 5u})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Routed routed(torus({size, size}, 2), "martinez", 2);
      const Tables& tables = routed.routing.tables;
      const AdaptiveVerdict mixture = verify_adaptive(routed.fabric, tables, Carried::kFirst);
      ASSERT_TRUE(mixture.escape_free);
      ASSERT_FALSE(mixture.own_free);
      for (const bool escape_queues : {false, true}) {
        const bool all = all_arrive(routed.fabric, tables, tight(38, escape_queues), seed);
        if (escape_queues) {
          EXPECT_TRUE(all) << size << ' ' << seed;
        }
        if (!all) ++stuck;
      }
    }
  EXPECT_GT(stuck, 0u) << "nothing that escape queues could have freed";
}

/// Fully adaptive switches with packets of all sizes: all arrive, after no more switches than the
/// limit and the longest escape path have.
TEST(AdaptiveProof, PacketsOfAllSizesArriveAndTheirHopsAreBounded) {
  unsigned circled = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Fabric bare = make_fabric(fmt::format("irregular:switches={},degree=4,hosts=2,seed={}",
                                                seed % 2 == 0 ? 12 : 20, seed));
    const Routed routed(bare, "martinez", 3);
    const Tables& tables = routed.routing.tables;
    unsigned longest = 0;
    for (const Host& host : routed.fabric.hosts())
      for (SwitchId s = 0; s < routed.fabric.num_switches(); ++s)
        longest = std::max(longest, switches_on_path(routed.fabric, tables, s, host.lid));
    for (const unsigned hops : {2u, 6u, 20u}) {
      Parameters p = tight(230, true);
      p.own_port = OwnPort::kEscape;
      p.adaptive_hops = hops;
      unsigned most = 0;
      EXPECT_TRUE(all_arrive(routed.fabric, tables, p, seed, &most)) << seed << ' ' << hops;
      EXPECT_LE(most, hops + longest) << seed;
      if (most > longest) ++circled;
    }
  }
  EXPECT_GT(circled, 0u) << "no packet needed the bound";
}

}  // namespace
}  // namespace selvedge::sim::test
