// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/settle.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include <map>
#include <numeric>

namespace selvedge::sim {
namespace {

/// Fig. 9 of the paper as it is printed: M[s, d] is the middle switch of the flow from host s to
/// host d. Slow: every question about a link looks through all flows. Random choices are made among
/// the same candidates in the same order.
class Twin {
 public:
  Twin(const ClosSize& size, std::span<const Flow> flows) : size_(size), flows_(flows) {
    std::vector<unsigned> received(size.r, 0);
    for (unsigned s = 0; s < flows.size(); ++s) {
      destination_.push_back(flows[s].to * size.n + received[flows[s].to]++);
      M_[{s, destination_[s]}] = 0;
    }
  }

  std::uint64_t run(const SettleRules& rules, Stream& chance) {
    p_ = rules.flows_per_link;
    for (unsigned s = 0; s < flows_.size(); ++s) middle(s) = s % size_.n % size_.m;
    std::uint64_t iterations = 0;
    while (any_bad_link() && iterations < rules.most_iterations) {
      ++iterations;
      std::vector<unsigned> picked;
      for (unsigned out = 0; out < size_.r; ++out) {
        unsigned worst = 0;
        for (unsigned k = 0; k < size_.m; ++k) worst = std::max(worst, down(k, out));
        std::vector<unsigned> flows;
        for (unsigned s = 0; s < flows_.size(); ++s)
          if (worst > p_ && flows_[s].to == out && down(middle(s), out) == worst)
            flows.push_back(s);
        if (!flows.empty()) picked.push_back(flows[below(flows.size(), chance)]);
      }
      for (std::size_t i = picked.size(); i > 1; --i)
        std::swap(picked[i - 1], picked[below(i, chance)]);
      for (const unsigned s : picked) {
        const unsigned old = middle(s), next = below(size_.m, chance);
        if (next == old) continue;
        std::vector<unsigned> there;
        for (unsigned other = 0; other < flows_.size(); ++other)
          if (flows_[other].from == flows_[s].from && middle(other) == next) there.push_back(other);
        if (there.size() >= p_) middle(there[below(there.size(), chance)]) = old;
        middle(s) = next;
      }
    }
    return iterations;
  }

  bool any_bad_link() {
    for (unsigned leaf = 0; leaf < size_.r; ++leaf)
      for (unsigned k = 0; k < size_.m; ++k)
        if (down(k, leaf) > p_ || up(leaf, k) > p_) return true;
    return false;
  }

 private:
  static unsigned below(std::size_t bound, Stream& chance) {
    return chance.below(static_cast<std::uint32_t>(bound));
  }
  unsigned& middle(unsigned s) { return M_.at({s, destination_[s]}); }
  unsigned down(unsigned k, unsigned out) {
    unsigned count = 0;
    for (unsigned s = 0; s < flows_.size(); ++s) count += flows_[s].to == out && middle(s) == k;
    return count;
  }
  unsigned up(unsigned in, unsigned k) {
    unsigned count = 0;
    for (unsigned s = 0; s < flows_.size(); ++s) count += flows_[s].from == in && middle(s) == k;
    return count;
  }

  ClosSize size_;
  std::span<const Flow> flows_;
  unsigned p_ = 1;
  std::vector<unsigned> destination_;
  std::map<std::pair<unsigned, unsigned>, unsigned> M_;
};

/// The most flows on a link up and on a link down, counted anew.
std::pair<unsigned, unsigned> most_flows(const Wiring& wiring, std::span<const Flow> flows,
                                         const std::vector<unsigned>& middle) {
  std::map<std::pair<unsigned, unsigned>, unsigned> up, down;
  unsigned most_up = 0, most_down = 0;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (wiring.folded && flows[f].from == flows[f].to) continue;
    most_up = std::max(most_up, ++up[{flows[f].from, middle[f]}]);
    most_down = std::max(most_down, ++down[{flows[f].to, middle[f]}]);
  }
  return {most_up, most_down};
}

rc::Gen<PermutationKind> kinds() {
  return rc::gen::element(PermutationKind::kWorst, PermutationKind::kRandom);
}

RC_GTEST_PROP(Settle, equals_the_printed_program, ()) {
  const unsigned p = *rc::gen::inRange(1U, 4U);
  const unsigned n = *rc::gen::inRange(1U, 7U);
  const ClosSize size{n, *rc::gen::inRange(1U, 6U), (n + p - 1) / p + *rc::gen::inRange(0U, 4U)};
  const Wiring wiring = complete_clos(size);
  Stream chance(*rc::gen::arbitrary<std::uint32_t>(), 1);
  const std::vector<Flow> flows = draw_permutation(wiring, *kinds(), chance);
  const SettleRules rules{.flows_per_link = p, .most_iterations = 40};
  Stream same = chance;
  const Settled ours = *SelfRouting(wiring, p).run(flows, rules, chance);
  Twin twin(size, flows);
  RC_ASSERT(ours.iterations == twin.run(rules, same));
  RC_ASSERT(ours.settled == !twin.any_bad_link());
  // At the limit ours has drawn once more, before it sees the limit.
  if (ours.settled) RC_ASSERT(chance.bits() == same.bits());
}

/// A Clos network of which some cables are missing, and some leaf switches have fewer hosts.
rc::Gen<Wiring> damaged() {
  return rc::gen::exec([] {
    Wiring wiring;
    const unsigned r = *rc::gen::inRange(2U, 6U);
    wiring.middles = *rc::gen::inRange(1U, 6U);
    wiring.folded = *rc::gen::arbitrary<bool>();
    for (unsigned i = 0; i < r; ++i) wiring.hosts.push_back(*rc::gen::inRange(1U, 6U));
    for (unsigned i = 0; i < r * wiring.middles; ++i)
      wiring.cable.push_back(*rc::gen::inRange(0, 5) > 0);
    return wiring;
  });
}

RC_GTEST_PROP(Settle, input_links_are_never_bad_and_only_cables_are_used, ()) {
  const Wiring wiring = *damaged();
  const unsigned p = *rc::gen::inRange(1U, 4U);
  SettleRules rules{.flows_per_link = p};
  rules.first = *rc::gen::element(FirstAssignment::kMod, FirstAssignment::kSemiRandom);
  rules.choice = *rc::gen::element(NewMiddle::kAny, NewMiddle::kAnother);
  Stream chance(*rc::gen::arbitrary<std::uint32_t>(), 1);
  const std::vector<Flow> flows = draw_permutation(wiring, *kinds(), chance);
  SelfRouting system(wiring, p);
  for (rules.most_iterations = 0; rules.most_iterations < 20; rules.most_iterations += 3) {
    const std::optional<Settled> end = system.run(flows, rules, chance);
    if (!end) continue;
    for (std::size_t f = 0; f < flows.size(); ++f)
      if (!wiring.folded || flows[f].from != flows[f].to)
        RC_ASSERT(wiring.has(flows[f].from, end->middle[f]) &&
                  wiring.has(flows[f].to, end->middle[f]));
    const auto [up, down] = most_flows(wiring, flows, end->middle);
    RC_ASSERT(up <= p);
    RC_ASSERT(end->settled == (down <= p));
    RC_ASSERT(end->iterations <= rules.most_iterations);
  }
}

/// Whether a leaf switch can send its flows by its links with at most p on each: tried out.
bool can_place(const Wiring& wiring, std::span<const Flow> flows, std::size_t f, unsigned p,
               std::vector<unsigned>& used) {
  while (f < flows.size() && wiring.folded && flows[f].from == flows[f].to) ++f;
  if (f == flows.size()) return true;
  for (const unsigned k : wiring.ways(flows[f].from, flows[f].to)) {
    unsigned& load = used[flows[f].from * wiring.middles + k];
    if (load == p) continue;
    ++load;
    if (can_place(wiring, flows, f + 1, p, used)) return true;
    --load;
  }
  return false;
}

RC_GTEST_PROP(Settle, flows_are_placed_wherever_that_is_possible, ()) {
  const Wiring wiring = *damaged();
  const unsigned p = *rc::gen::inRange(1U, 3U);
  Stream chance(*rc::gen::arbitrary<std::uint32_t>(), 1);
  const std::vector<Flow> flows = draw_permutation(wiring, *kinds(), chance);
  bool possible = true;  // leaf switch by leaf switch: they do not depend on each other
  for (unsigned leaf = 0; leaf < wiring.leaves(); ++leaf) {
    std::vector<Flow> own;
    for (const Flow& f : flows)
      if (f.from == leaf) own.push_back(f);
    std::vector<unsigned> used(wiring.leaves() * wiring.middles, 0);
    possible = possible && can_place(wiring, own, 0, p, used);
  }
  const SettleRules rules{.flows_per_link = p, .most_iterations = 0};
  RC_ASSERT(SelfRouting(wiring, p).run(flows, rules, chance).has_value() == possible);
}

// Every first assignment of n = m = r ≤ 3 at p = 1, that is (n!)^n of them: those that are good
// routings end at once, and no other one does.
TEST(Settle, good_routings_end_at_once_and_nothing_else_does) {
  const std::size_t assignments[] = {0, 1, 4, 216};
  for (unsigned n = 1; n <= 3; ++n) {
    const Wiring wiring = complete_clos({n, n, n});
    Stream chance(7, n);
    for (unsigned i = 0; i < 10; ++i) {
      const std::vector<Flow> flows = draw_permutation(wiring, PermutationKind::kRandom, chance);
      const SettleRules rules{.first = FirstAssignment::kSemiRandom, .most_iterations = 0};
      SelfRouting system(wiring, 1);
      std::set<std::vector<unsigned>> seen;
      for (unsigned draws = 0; seen.size() < assignments[n] && draws < 100'000; ++draws) {
        const Settled first = *system.run(flows, rules, chance);
        ASSERT_EQ(first.iterations, 0U);
        if (!seen.insert(first.middle).second) continue;
        EXPECT_EQ(first.settled, most_flows(wiring, flows, first.middle) == std::pair(1U, 1U));
      }
      EXPECT_EQ(seen.size(), assignments[n]);
    }
  }
}

// Whatever ends is a good routing.
TEST(Settle, what_ends_is_a_good_routing) {
  for (unsigned n = 1; n <= 3; ++n) {
    const ClosSize size{n, n, n};
    const Wiring wiring = complete_clos(size);
    Stream chance(5, n);
    for (unsigned i = 0; i < 300; ++i) {
      const std::vector<Flow> flows = draw_permutation(wiring, PermutationKind::kRandom, chance);
      const SettleRules rules{.first = FirstAssignment::kSemiRandom, .most_iterations = 100'000};
      const Settled end = *SelfRouting(wiring, 1).run(flows, rules, chance);
      ASSERT_TRUE(end.settled);
      EXPECT_EQ(most_flows(wiring, flows, end.middle), (std::pair{1U, 1U}));
    }
  }
}

// Two switches of two flows each: the flows are exchanged in both, or in none, for ever.
TEST(Settle, never_taking_the_present_port_never_settles_two_by_two) {
  const Wiring wiring = complete_clos({2, 2, 2});
  const std::vector<Flow> flows{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  for (unsigned seed = 0; seed < 50; ++seed) {
    Stream chance(seed, 1);
    SettleRules rules{.choice = NewMiddle::kAnother, .most_iterations = 2000};
    const Settled never = *SelfRouting(wiring, 1).run(flows, rules, chance);
    EXPECT_FALSE(never.settled);
    EXPECT_EQ(never.iterations, 2000U);
    rules.choice = NewMiddle::kAny;
    EXPECT_TRUE(SelfRouting(wiring, 1).run(flows, rules, chance)->settled);
  }
}

double mean_iterations(const ClosSize& size, unsigned p, PermutationKind kind, unsigned count,
                       FirstAssignment first = FirstAssignment::kMod) {
  const Wiring wiring = complete_clos(size);
  SelfRouting system(wiring, p);
  double sum = 0;
  for (unsigned i = 0; i < count; ++i) {
    Stream chance(1, i);
    const std::vector<Flow> flows = draw_permutation(wiring, kind, chance);
    const SettleRules rules{.flows_per_link = p, .first = first, .most_iterations = 10'000'000};
    sum += static_cast<double>(system.run(flows, rules, chance)->iterations);
  }
  return sum / count;
}

// The paper's figures are curves without numbers; these are what a program apart from this one
// gave.
TEST(Settle, full_rate_takes_the_known_iterations) {
  const auto worst = PermutationKind::kWorst, random = PermutationKind::kRandom;
  EXPECT_NEAR(mean_iterations({2, 2, 2}, 1, worst, 4000), 1.0, 0.1);
  EXPECT_NEAR(mean_iterations({3, 3, 3}, 1, worst, 4000), 7.0, 0.7);
  EXPECT_NEAR(mean_iterations({4, 4, 4}, 1, worst, 4000), 32, 2);
  EXPECT_NEAR(mean_iterations({5, 5, 5}, 1, worst, 4000), 304, 18);
  EXPECT_NEAR(mean_iterations({6, 2, 6}, 1, random, 2000), 5.2, 0.4);
  EXPECT_NEAR(mean_iterations({6, 3, 6}, 1, random, 2000), 19, 1.5);
  EXPECT_NEAR(mean_iterations({6, 4, 6}, 1, random, 2000), 79, 7);
}

TEST(Settle, twice_the_links_settle_soon) {
  EXPECT_NEAR(mean_iterations({6, 6, 12}, 1, PermutationKind::kWorst, 4000), 7.3, 0.4);
  EXPECT_NEAR(mean_iterations({8, 8, 16}, 1, PermutationKind::kWorst, 4000), 10.5, 0.5);
}

TEST(Settle, half_rate_takes_the_known_iterations) {
  const auto worst = PermutationKind::kWorst;
  EXPECT_NEAR(mean_iterations({24, 24, 24}, 2, worst, 1000), 8.4, 0.3);
  EXPECT_NEAR(mean_iterations({24, 24, 24}, 2, worst, 1000, FirstAssignment::kSemiRandom), 8.9,
              0.3);
  EXPECT_NEAR(mean_iterations({24, 24, 24}, 2, PermutationKind::kRandom, 1000), 7.9, 0.4);
  EXPECT_NEAR(mean_iterations({48, 48, 48}, 2, worst, 200), 15.5, 1);
}

}  // namespace
}  // namespace selvedge::sim
