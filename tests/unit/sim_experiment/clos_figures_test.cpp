// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/clos_figures.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sim/clos/last_step.hpp"
#include "sim/experiment/clos_question.hpp"
#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

class ClosFigureTest : public test::FigureTest {
 protected:
  ClosFigure read(std::string_view check, std::string_view keys) {
    return figure(check, keys).clos;
  }
  std::string complaint(std::string_view check, std::string_view keys) {
    return test::problem_of([&] { read(check, keys); });
  }
};

TEST_F(ClosFigureTest, one_number_serves_all_sizes) {
  const ClosFigure f = read("clos-iterations",
                            "n = 6\nr = [2, 3]\nm = 7\nfit = 'slope'\ntraffic = 'random'\n"
                            "first = 'semi-random'\npermutations = 5\nquick_permutations = 4");
  EXPECT_EQ(f.kind, ClosFigure::Kind::kIterations);
  EXPECT_EQ(f.sizes, (std::vector<ClosSize>{{6, 2, 7}, {6, 3, 7}}));
  EXPECT_EQ(f.fit, ClosFigure::Fit::kSlope);
  EXPECT_EQ(f.traffic, PermutationKind::kRandom);
  EXPECT_EQ(f.first, FirstAssignment::kSemiRandom);
  EXPECT_EQ(f.permutations, 5U);
  EXPECT_EQ(f.quick_permutations, 4U);
}

TEST_F(ClosFigureTest, what_is_no_figure_is_refused) {
  EXPECT_EQ(complaint("clos-iterations", "n = 6\nr = 2"), "[figure] m is missing");
  EXPECT_EQ(complaint("clos-iterations", "n = [6, 7]\nr = [2, 3, 4]\nm = 7\nfit = 'slope'"),
            "[figure] n and r and m have different lengths");
  EXPECT_EQ(complaint("clos-iterations", "n = 6\nr = 2\nm = 7\nfit = 'slope'"),
            "[figure] fit needs several sizes");
  EXPECT_EQ(complaint("clos-iterations", "n = 6\nr = [2, 3]\nm = 7"),
            "[figure] fit is missing for several sizes");
  EXPECT_EQ(complaint("clos-iterations", "n = 6\nr = 2\nm = 5"), "[figure] m is too small");
  EXPECT_EQ(complaint("clos-single", "n = 6\nr = 2\nm = 6\nflows_per_link = 2"),
            "[figure] check is not for this size");
  EXPECT_EQ(complaint("clos-last-step", "n = 6\nr = 2\nm = 6\nflows_per_link = 3"),
            "[figure] flows_per_link is too large for this check");
  EXPECT_EQ(complaint("clos-last-step", "n = 6\nr = 2\nm = 6\nk_most = 3"),
            "unknown key 'k_most' in [figure]");
}

TEST_F(ClosFigureTest, values_are_those_of_the_models_and_of_the_system) {
  ClosFigures figures(true, 1);
  EXPECT_NEAR(figures.value(read("clos-last-step", "n = 2\nr = 2\nm = 2")), 2.196, 5e-4);
  EXPECT_NEAR(figures.value(read("clos-single", "n = 2\nr = 2\nm = 2")), 2.0 / 3, 1e-12);
  EXPECT_NEAR(figures.value(read("clos-iterations", "n = 2\nr = 2\nm = 2")), 1, 0.15);
  // ln of the models' iterations at r = 2, 3: the slope is their difference, and two points fit.
  const double slope = std::log(10) * (last_step_log10_iterations({6, 3, 6}, 1) -
                                       last_step_log10_iterations({6, 2, 6}, 1));
  const auto over_r = [&](const char* fit) {
    return figures.value(
        read("clos-last-step", fmt::format("n = 6\nr = [2, 3]\nm = 6\nfit = '{}'", fit)));
  };
  EXPECT_NEAR(over_r("slope"), slope, 1e-12);
  EXPECT_NEAR(over_r("r-squared"), 1, 1e-12);
}

RecognisedClos tree(const ClosSize& size, double link_gbps, double host_gbps) {
  RecognisedClos clos;
  clos.wiring = complete_clos(size);
  clos.wiring.folded = true;
  clos.link_gbps = link_gbps;
  clos.host_gbps = host_gbps;
  return clos;
}

// Hosts of half a link's rate never crowd a link that full rate would.
TEST(ClosQuestionTest, slow_hosts_settle_at_their_full_rate) {
  const ClosAnswer a = answer(tree({6, 10, 6}, 400, 200), {}, {});
  ASSERT_EQ(a.rates.size(), 1U);
  EXPECT_EQ(a.rates[0].flows_per_link, 2U);
  EXPECT_EQ(*a.highest_gbps, 200);
  EXPECT_THROW(answer(tree({6, 10, 6}, 400, 200), {.rates_gbps = {201}}, {}), InputError);
}

TEST(ClosQuestionTest, half_of_the_links_need_a_third_of_the_rate) {
  const ClosAnswer a = answer(tree({24, 48, 12}, 40, 40), {.rates_gbps = {20}}, {});
  EXPECT_FALSE(a.rates[0].forecast.settles());
  EXPECT_NEAR(*a.highest_gbps, 40.0 / 3, 1e-12);
}

TEST(ClosQuestionTest, the_model_of_a_damaged_tree_has_its_fewest_links) {
  RecognisedClos clos = tree({4, 6, 6}, 40, 40);
  clos.wiring.cable[0] = false;
  const ClosAnswer a = answer(clos, {.rates_gbps = {40, 40.0 / 6}}, {});
  EXPECT_EQ(*a.rates[0].model_log10_iterations, last_step_log10_iterations({4, 6, 5}, 1));
  EXPECT_EQ(a.rates[1].model, "none");
  EXPECT_FALSE(a.rates[1].model_log10_iterations);
}

// 4 hosts at each leaf switch but one, which has one host, and one link up of 4.
RecognisedClos uneven() {
  RecognisedClos clos = tree({4, 6, 4}, 40, 40);
  clos.wiring.hosts[0] = 1;
  for (unsigned k = 0; k < 3; ++k) clos.wiring.cable[k] = false;
  return clos;
}

TEST(ClosQuestionTest, no_model_where_the_poorest_leaf_switch_is_not_the_largest) {
  const ClosAnswer a = answer(uneven(), {.rates_gbps = {40, 20}}, {});
  for (const RateFate& fate : a.rates) {
    EXPECT_EQ(fate.flows_without_place, 0U);
    EXPECT_EQ(fate.model, "none");
    EXPECT_FALSE(fate.model_log10_iterations);
  }
  for (const ClosModel model : {ClosModel::kSingle, ClosModel::kLastStep})
    EXPECT_NE(test::problem_of([&] {
                answer(uneven(), {.rates_gbps = {40}, .model = model}, {});
              }).find("the leaf switch with the fewest links up has too few for the model "),
              std::string::npos);
}

TEST(ClosQuestionTest, hosts_faster_than_the_links_are_examined_at_the_links_rate) {
  const ClosAnswer a = answer(tree({4, 4, 8}, 100, 200), {}, {});
  ASSERT_EQ(a.rates.size(), 2U);
  EXPECT_EQ(a.rates[0].gbps, 100);
  EXPECT_EQ(a.rates[1].gbps, 50);
  EXPECT_EQ(*a.highest_gbps, 100);
  EXPECT_EQ(*a.throttle_gbps, kFilled * 100);
}

TEST(ClosQuestionTest, hosts_are_throttled_to_less_than_fills_a_link) {
  const ClosAnswer full = answer(tree({12, 12, 12}, 40, 40), {.rates_gbps = {20}}, {});
  EXPECT_EQ(*full.highest_gbps, 20);
  EXPECT_NEAR(*full.throttle_gbps, 19.2, 1e-12);
  EXPECT_TRUE(full.hosts_fill_links);
  const ClosAnswer slow = answer(tree({4, 6, 4}, 56, 25), {}, {});
  EXPECT_EQ(*slow.highest_gbps, 25);
  EXPECT_FALSE(slow.throttle_gbps);
  EXPECT_FALSE(slow.hosts_fill_links);  // 50 of 56
}

TEST(ClosQuestionTest, a_rate_above_the_share_of_a_link_is_one_flow_less) {
  const auto p = [](double gbps) {
    return answer(tree({2, 3, 4}, 40, 40), {.rates_gbps = {gbps}}, {}).rates[0].flows_per_link;
  };
  EXPECT_EQ(p(20.01), 1U);
  EXPECT_EQ(p(20), 2U);
  EXPECT_EQ(p(6.66667), 6U);
  EXPECT_EQ(p(13.3333), 3U);
}

// All flows stay in their leaf switches, which have half as many links up as hosts.
TEST(ClosQuestionTest, given_flows_inside_leaf_switches_need_no_links) {
  ClosQuestion question{.rates_gbps = {40}};
  question.rules.given.emplace_back(24);
  std::iota(question.rules.given[0].begin(), question.rules.given[0].end(), 0U);
  ClosAnswer a = answer(tree({4, 6, 2}, 40, 40), question, {});
  EXPECT_EQ(a.rates[0].flows_without_place, 0U);
  EXPECT_EQ(a.rates[0].forecast.settled, 1U);
  EXPECT_EQ(a.rates[0].model, "none");
  EXPECT_EQ(*a.highest_gbps, 40);
  // A second permutation: the hosts of leaf switches 0 and 1 exchange all flows.
  question.rules.given.push_back(question.rules.given[0]);
  for (unsigned h = 0; h < 4; ++h)
    std::swap(question.rules.given[1][h], question.rules.given[1][h + 4]);
  a = answer(tree({4, 6, 2}, 40, 40), question, {});
  EXPECT_EQ(a.rates[0].flows_without_place, 4U);
  question.rules.most_permutations = 1;
  EXPECT_EQ(answer(tree({4, 6, 2}, 40, 40), question, {}).rates[0].flows_without_place, 0U);
}

}  // namespace
}  // namespace selvedge::sim
