// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which runs with adaptive forwarding are accepted, and that proved runs deliver all packets.
#include "sim/experiment/adaptive_proof.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sim/engine/random.hpp"
#include "sim/model/network.hpp"
#include "tests/support/routed.hpp"
#include "tests/support/torus_tables.hpp"
#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim::test {
namespace {

using selvedge::test::Routed;

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
  other.loop_free = true;
  other.delivered = false;
  EXPECT_TRUE(first_unproved(apart, other));
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

/// Packets of one size at full rate, a limited number.
class Burst : public Traffic {
 public:
  Burst(std::uint32_t hosts, unsigned each, std::uint64_t seed) : left_(hosts, each) {
    for (HostId h = 0; h < hosts; ++h) streams_.emplace_back(seed, h);
  }
  Message next(HostId from) override {
    if (left_[from]-- == 0) return {};
    const auto others = static_cast<std::uint32_t>(left_.size() - 1);
    const HostId to = streams_[from].below(others);
    return {.at = 0, .to = to + (to >= from ? 1 : 0), .bytes = 32};
  }

 private:
  std::vector<unsigned> left_;
  std::vector<Stream> streams_;
};

/// A model with minimal buffers, so that a deadlock that is possible soon occurs.
Model tight_model(const Tables& tables, Selection selection, bool escape_queues) {
  Parameters p;
  p.mtu_bytes = 38;  // one block with its header
  p.input_buffer_bytes = p.output_buffer_bytes = 2 * kBlockBytes;
  p.selection = selection;
  p.escape_queues = escape_queues;
  return resolve(p, tables);
}

/// LID 0 by up*/down*, the others along minimal paths, as in Martínez 2005 §4.1. With escape queues
/// all packets arrive. Where the proof fails, some runs deadlock.
TEST(AdaptiveProof, ProvedPacketsAreDelivered) {
  unsigned stuck = 0;
  for (const unsigned size : {4u, 5u})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Routed base(torus({size, size}, 2), "updn", 2);
      const Fabric& f = base.fabric;
      Tables tables = base.routing.tables;
      for (const Host& host : f.hosts())
        for (SwitchId s = 0; s < f.num_switches(); ++s) {
          if (s == host.at) continue;
          const auto minimal = [&](bool x_first) -> PortNum {
            const auto away = [&](unsigned from, unsigned to) { return (to + size - from) % size; };
            const unsigned dy = away(s / size, host.at / size), dx = away(s % size, host.at % size);
            if (dx != 0 && (x_first || dy == 0)) return 2 * dx <= size ? 4 : 3;
            return 2 * dy <= size ? 2 : 1;
          };
          tables.set_next(s, static_cast<Lid>(host.lid + 1), minimal(false));
          tables.set_next(s, static_cast<Lid>(host.lid + 2), minimal(true));
          tables.set_next(s, static_cast<Lid>(host.lid + 3), minimal(true));
        }
      const AdaptiveVerdict mixture = verify_adaptive(f, tables, Carried::kFirst);
      ASSERT_TRUE(mixture.escape_free);
      ASSERT_FALSE(mixture.own_free);
      for (const bool escape_queues : {false, true}) {
        constexpr unsigned kEach = 100;
        Burst burst(f.num_hosts(), kEach, seed);
        const Model model = tight_model(tables, Selection::kMostCredits, escape_queues);
        Network network(f, tables, model, burst, seed);
        network.run(50'000'000);
        const bool all = network.totals().delivered == std::uint64_t{kEach} * f.num_hosts();
        if (escape_queues) {
          EXPECT_TRUE(all) << size << ' ' << seed;
        }
        if (!all) ++stuck;
      }
    }
  EXPECT_GT(stuck, 0u) << "nothing that escape queues could have freed";
}

}  // namespace
}  // namespace selvedge::sim::test
