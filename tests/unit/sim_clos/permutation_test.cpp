// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/permutation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "base/error.hpp"
#include "sim/clos/forecast.hpp"

namespace selvedge::sim {
namespace {

std::string refusal(std::string_view text, unsigned hosts) {
  try {
    read_permutations(text, hosts, "p.txt");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

rc::Gen<Wiring> trees() {
  return rc::gen::exec([] {
    Wiring wiring;
    const unsigned r = *rc::gen::inRange(1U, 8U);
    for (unsigned i = 0; i < r; ++i) wiring.hosts.push_back(*rc::gen::inRange(1U, 9U));
    return wiring;
  });
}

RC_GTEST_PROP(Permutation, every_host_sends_and_receives_once, ()) {
  const Wiring wiring = *trees();
  const auto kind = *rc::gen::element(PermutationKind::kWorst, PermutationKind::kRandom);
  Stream chance(*rc::gen::arbitrary<std::uint32_t>(), 1);
  const std::vector<Flow> flows = draw_permutation(wiring, kind, chance);
  std::vector<unsigned> sent(wiring.leaves(), 0), received(wiring.leaves(), 0);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    ++sent[flows[f].from];
    ++received[flows[f].to];
    if (f > 0) RC_ASSERT(flows[f - 1].from <= flows[f].from);
  }
  RC_ASSERT(sent == wiring.hosts);
  RC_ASSERT(received == wiring.hosts);
}

// Zahavi 2012 §5: the hardest permutations feed each output switch from different input switches.
RC_GTEST_PROP(Permutation, in_a_worst_one_all_pairs_of_leaf_switches_have_equally_many_flows, ()) {
  const unsigned n = *rc::gen::inRange(1U, 12U), r = *rc::gen::inRange(1U, 12U);
  const Wiring wiring = complete_clos({n, r, n});
  Stream chance(*rc::gen::arbitrary<std::uint32_t>(), 1);
  std::map<std::pair<unsigned, unsigned>, unsigned> flows;
  for (const Flow& f : draw_permutation(wiring, PermutationKind::kWorst, chance))
    ++flows[{f.from, f.to}];
  for (const auto& [pair, count] : flows) {
    RC_ASSERT(count <= (n + r - 1) / r);
    RC_ASSERT(n < r || count >= n / r);
  }
}

double mean_iterations(const ClosSize& size, PermutationKind kind) {
  return forecast(complete_clos(size),
                  {.settle = {.most_iterations = std::uint64_t{1} << 40}, .kind = kind})
      .iterations_mean;
}

// Leaf switches that are fed by the same ones make a network of their own, which settles sooner.
TEST(Permutation, worst_ones_take_longest_where_leaf_switches_outnumber_their_hosts) {
  for (const unsigned r : {8U, 16U})
    EXPECT_GE(mean_iterations({4, r, 5}, PermutationKind::kWorst),
              mean_iterations({4, r, 5}, PermutationKind::kRandom))
        << r;
  EXPECT_GE(mean_iterations({4, 8, 4}, PermutationKind::kWorst),
            mean_iterations({4, 8, 4}, PermutationKind::kRandom));
}

// As many leaf switches as hosts: a flow for each pair, and no random number for an exchange.
TEST(Permutation, of_even_pairs_nothing_is_exchanged) {
  const Wiring wiring = complete_clos({3, 3, 3});
  Stream chance(1, 1), same(1, 1);
  draw_permutation(wiring, PermutationKind::kWorst, chance);
  for (const unsigned bound : {3U, 2U, 3U, 2U, 3U, 2U, 3U, 2U, 3U, 2U}) same.below(bound);
  EXPECT_EQ(chance.below(1000000), same.below(1000000));
}

TEST(Permutation, worst_ones_differ) {
  const Wiring wiring = complete_clos({4, 4, 4});
  std::set<std::vector<unsigned>> seen;
  Stream chance(1, 1);
  for (unsigned i = 0; i < 20; ++i) {
    std::vector<unsigned> to;
    for (const Flow& f : draw_permutation(wiring, PermutationKind::kWorst, chance))
      to.push_back(f.to);
    seen.insert(to);
  }
  EXPECT_GT(seen.size(), 15U);
}

TEST(Permutation, of_a_file_have_a_line_each) {
  const auto read = read_permutations("# two\n\n 2 0\t1\r\n1,2,0", 3, "p.txt");
  EXPECT_EQ(read, (std::vector<std::vector<unsigned>>{{2, 0, 1}, {1, 2, 0}}));
  Wiring wiring;
  wiring.hosts = {2, 1};
  EXPECT_EQ(flows_of(wiring, read[0]), (std::vector<Flow>{{0, 1}, {0, 0}, {1, 0}}));
}

TEST(Permutation, what_is_none_is_refused_with_its_line) {
  const std::string remedy = ": write each host's destination once, as 1 2 0 for three hosts";
  EXPECT_EQ(refusal("0 1\n0 2", 2), "there is no host 2 among 2: p.txt, line 2" + remedy);
  EXPECT_EQ(refusal("1 1", 2), "host 1 receives twice: p.txt, line 1" + remedy);
  EXPECT_EQ(refusal("1", 2), "1 destinations for 2 hosts: p.txt, line 1" + remedy);
  EXPECT_EQ(refusal("1 x", 2), "not a list of numbers: p.txt, line 1" + remedy);
  EXPECT_EQ(refusal("1 0x", 2), "not a list of numbers: p.txt, line 1" + remedy);
  EXPECT_EQ(refusal("99999999999 0", 2), "not a list of numbers: p.txt, line 1" + remedy);
  EXPECT_EQ(refusal("# nothing\n", 2),
            "the file has no permutation: p.txt: write a line with each host's destination");
}

}  // namespace
}  // namespace selvedge::sim
