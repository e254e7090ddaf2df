// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/clos_figures.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "sim/clos/last_step.hpp"
#include "sim/experiment/claims.hpp"
#include "sim/experiment/clos_question.hpp"

namespace selvedge::sim {
namespace {

class ClosFigureTest : public ::testing::Test {
 protected:
  ClosFigure read(std::string_view check, std::string_view keys) {
    std::ofstream(path_) << "id = 'Z9'\n[[figure]]\nname = 'a'\ncheck = '" << check << "'\n"
                         << keys << "\n[[row]]\nwhat = 'w'\nvalue = 'a'\nleast = 0\n";
    return read_claim(path_).figures.at(0).clos;
  }
  std::string complaint(std::string_view check, std::string_view keys) {
    try {
      read(check, keys);
    } catch (const InputError& e) {
      return e.problem();
    }
    return "";
  }
  ~ClosFigureTest() override { std::filesystem::remove(path_); }

  std::string path_ = fmt::format("{}/clos-{}.toml", ::testing::TempDir(), ::getpid());
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

}  // namespace
}  // namespace selvedge::sim
