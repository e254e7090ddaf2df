// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/claims.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "sim/experiment/count_checks.hpp"
#include "sim/experiment/tree_checks.hpp"

namespace selvedge::sim {
namespace {

class Claims : public ::testing::Test {
 protected:
  Claim read(std::string_view text) {
    std::ofstream(path_) << text;
    return read_claim(path_);
  }
  std::string complaint(std::string_view text) {
    try {
      read(text);
    } catch (const InputError& e) {
      return e.problem();
    }
    return "";
  }
  ~Claims() override { std::filesystem::remove(path_); }

  std::string path_ = fmt::format("{}/claim-{}.toml", ::testing::TempDir(), ::getpid());
};

constexpr std::string_view kHead =
    "id = 'X1'\n[[figure]]\nname = 'a'\nexperiment = 'e.toml'\ncolumn = 'accepted_load'\n"
    "[[figure]]\nname = 'b'\nexperiment = 'e.toml'\ncolumn = 'accepted_load'\n";

TEST_F(Claims, AreEvaluatedByTheirMeans) {
  const Claim claim = read(std::string(kHead) +
                           "[[row]]\nwhat = 'w'\nvalue = '1 - a / b'\nleast = 0.4\nmost = 0.6\n"
                           "[[row]]\nwhat = 'v'\nvalue = 'a'\nmost = 1.9\n");
  const auto results = judge(claim, {{"a", {1, 2, 3}}, {"b", {4}}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].samples, 3u);
  EXPECT_DOUBLE_EQ(results[0].value.mean, 0.5);
  EXPECT_GT(results[0].value.half_width, 0);
  EXPECT_TRUE(results[0].holds);
  EXPECT_FALSE(results[1].holds);  // its value is 2
  EXPECT_THROW(judge(claim, {{"a", {1, 2, 3}}, {"b", {4, 5}}}), InputError);
  EXPECT_THROW(judge(claim, {{"a", {}}, {"b", {4}}}), InputError);
}

TEST_F(Claims, ReportErrorsOfTheirFile) {
  EXPECT_EQ(complaint(std::string(kHead) + "[[row]]\nwhat = 'w'\nvalue = 'c'\nmost = 1"),
            "[row] value names 'c'");
  EXPECT_EQ(complaint(std::string(kHead) + "[[row]]\nwhat = 'w'\nvalue = 'a'"),
            "[row] least and most are both missing");
  EXPECT_EQ(complaint(kHead), "row is missing");
  EXPECT_EQ(complaint("id = 'X'\n[[figure]]\nname = 'a'\ncheck = 'none'"),
            "[figure] check has a value that is not allowed");
  EXPECT_EQ(complaint("id = 'X'\nclam = 'y'\n[[figure]]\nname='a'\ncheck='ir-registers'\n[[row]]\n"
                      "what='w'\nvalue='a'\nmost=0"),
            "unknown key 'clam' in the file");
}

//  value                 The line from (100, 0.4) to (300, 0.6) reaches 150 at 0.45.
//   0.6          x
//   0.4     x       x    What comes after does not count.
//   0.1  x
//        10  100 300 200 rising
TEST_F(Claims, AFigureMayBeTakenWhereAnotherColumnFirstReachesAValue) {
  const std::vector<RisingPoint> points{{10, 0.1}, {100, 0.4}, {300, 0.6}, {200, 0.4}};
  EXPECT_DOUBLE_EQ(*value_where(points, 150), 0.45);
  EXPECT_DOUBLE_EQ(*value_where(points, 100), 0.4);
  EXPECT_DOUBLE_EQ(*value_where(points, 5), 0.1);
  EXPECT_FALSE(value_where(points, 301));
  EXPECT_FALSE(value_where({}, 1));
  const std::string figure =
      "id = 'X'\n[[figure]]\nname = 'a'\nexperiment = 'e.toml'\ncolumn = 'accepted_load'\n";
  EXPECT_EQ(complaint(figure + "rising = 'latency_mean_ns'"), "[figure] reaches goes with rising");
  EXPECT_EQ(complaint(figure + "rising = 'latency_mean_ns'\nreaches = 5\nover = 'max'"),
            "[figure] rising stands in place of over, and is of the whole point");
}

TEST_F(Claims, ThatAreShippedCanBeRead) {
  const auto claims = read_claims(std::string(SELVEDGE_SOURCE_DIR) + "/conf/claims");
  ASSERT_GE(claims.size(), 3u);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    SCOPED_TRACE(claims[i].id);
    EXPECT_EQ(std::filesystem::path(claims[i].file).stem(), claims[i].id);
    EXPECT_FALSE(claims[i].source.empty());
    for (const FigureSpec& figure : claims[i].figures)
      EXPECT_TRUE(!figure.check.empty() || std::filesystem::exists(figure.experiment));
  }
}

// Claims G1 and G2 on small trees. (The tests of dmodk show that the counts can differ from 0.)
TEST(TreeChecks, FindNoCounterexampleToDmodk) {
  for (const TreeCheck& check : tree_checks()) {
    SCOPED_TRACE(check.name);
    EXPECT_EQ(check.count(4, 3), 0u);
  }
}

// Claims K1 and T19; the tests of multipath and of epochs compare the same with the papers' words.
TEST(CountChecks, GiveThePapersFigures) {
  std::map<std::string_view, std::uint64_t> counts;
  for (const CountCheck& check : count_checks()) counts[check.name] = check.count();
  EXPECT_EQ(counts, (std::map<std::string_view, std::uint64_t>{{"kim-cycles", 0},
                                                               {"kim-path-bits", 0},
                                                               {"kim-table-entries", 6},
                                                               {"kim-conflicts", 2},
                                                               {"ebr-table-6.1", 0},
                                                               {"ebr-table-6.2", 0}}));
}

TEST(CountChecks, HaveNoBoundsOfTrees) {
  const std::string text =
      "id = \"K\"\nclaim = \"c\"\nsource = \"s\"\n[[figure]]\nname = \"f\"\n"
      "check = \"kim-cycles\"\nk_most = 3\n[[row]]\nwhat = \"w\"\nvalue = \"f\"\nmost = 0\n";
  const auto path = std::filesystem::path(testing::TempDir()) / "K.toml";
  std::ofstream(path) << text;
  try {
    read_claim(path.string());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string_view(error.what()).find("k_most"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace selvedge::sim
