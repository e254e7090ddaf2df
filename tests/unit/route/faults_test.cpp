// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests of `selvedge-route faults` through its command line.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "plugin/program/report.hpp"
#include "plugin/route/cli.hpp"
#include "plugin/tables/files.hpp"
#include "tests/support/torus_tables.hpp"

namespace selvedge::route {
namespace {

using Words = std::vector<std::string>;

struct Answer {
  int status;
  std::string text;
  Json json() const { return Json::parse(text); }
};

Answer ask(Words words) {
  words.insert(words.begin(), "faults");
  Output output;
  const int status = run(words, output);
  return {status, output.text()};
}

Answer ask_json(Words words) {
  words.emplace_back("--json");
  return ask(words);
}

/// The error's three parts on one line; "" if there is none.
std::string error(const Words& words) {
  try {
    ask(words);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

Words on(const std::string& fabric, Words more) {
  more.insert(more.begin(), {"--fabric", fabric, "--engine", "updn"});
  return more;
}

/// Tables with four switch-disjoint paths for each pair, in a temporary file.
class FourTrees : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "selvedge-faults-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    const Fabric fabric = test::torus_2d(4, 4, 2);
    std::ofstream(path()) << write_tables(fabric, test::four_trees(fabric, 4, 4));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "trees.json").string(); }

 private:
  std::filesystem::path folder_;
};

TEST(Faults, JsonHasTheKeysOfTheContractFirst) {
  const Answer answer = ask_json(on("torus:4x4", {"--lmc", "2", "--faults", "2", "--all"}));
  const Json json = answer.json();
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  keys.resize(8);
  EXPECT_EQ(keys, (Words{"evaluated", "tolerated", "singular", "disconnected", "max_vls", "max_sls",
                         "seconds", "combinations_total"}));
  EXPECT_EQ(json["evaluated"], 496);
  EXPECT_EQ(json["combinations_total"], 496);
  EXPECT_EQ(
      json["tolerated"].get<int>() + json["singular"].get<int>() + json["disconnected"].get<int>(),
      496);
  EXPECT_EQ(json["max_vls"], 1);
  EXPECT_EQ(json["max_sls"], 1);
  EXPECT_GE(json["seconds"].get<double>(), 0.0);
}

//   H-0-0 - S-0-0 --- S-0-1 --- S-0-2 - H-0-2     A line: losing any cable disconnects it, so no
//                       |                         fault is singular; losing an end switch leaves
//                     H-0-1                       the other hosts connected.
TEST(Faults, ALineComesApart) {
  Answer answer = ask_json(on("mesh:1x3", {"--faults", "1", "--all"}));
  EXPECT_EQ(answer.status, kDone);
  EXPECT_EQ(answer.json()["disconnected"], 2);
  EXPECT_TRUE(answer.json()["witness"].is_null());
  answer = ask_json(on("mesh:1x3", {"--faults", "1", "--all", "--of", "switches"}));
  EXPECT_EQ(answer.status, kDone);
  EXPECT_EQ(answer.json()["tolerated"], 2);
  EXPECT_EQ(answer.json()["disconnected"], 1);
  // One cable has failed already; if the other one fails too, no host reaches another.
  answer = ask_json(on("mesh:1x3", {"--faults", "1", "--all", "--fail", "S-0-0/S-0-1"}));
  EXPECT_EQ(answer.json()["evaluated"], 1);
  EXPECT_EQ(answer.json()["disconnected"], 1);
}

TEST(Faults, ASingularCombinationComesWithAWitnessThatVerifyConfirms) {
  const Answer answer = ask_json(on("torus:3x3", {"--faults", "1", "--all"}));
  EXPECT_EQ(answer.status, kDoesNotHold);
  const Json witness = answer.json()["witness"];
  EXPECT_EQ(witness["faults"].size(), 1u);
  EXPECT_NE(witness["text"].get<std::string>().find(" has no path to "), std::string::npos);
  const std::string text = ask(on("torus:3x3", {"--faults", "1", "--all"})).text;
  EXPECT_NE(text.find("witness"), std::string::npos);
  EXPECT_NE(text.find(witness["text"].get<std::string>()), std::string::npos);
}

TEST_F(FourTrees, CyclesCount) {
  // All on one VL: every combination that leaves a cycle is singular, and the witness shows one.
  const Answer answer = ask_json({"--tables", path(), "--faults", "2", "--all"});
  EXPECT_EQ(answer.status, kDoesNotHold);
  EXPECT_EQ(answer.json()["singular"], 496);
  EXPECT_EQ(answer.json()["deadlock_free"], false);
  EXPECT_TRUE(answer.json()["witness"].contains("cycle"));
}

TEST_F(FourTrees, TheFileMayComeWithItsFabricOrWithout) {
  const Answer alone = ask_json({"--tables", path(), "--faults", "1", "--sample", "20"});
  const Answer both =
      ask_json({"--tables", path(), "--fabric", "torus:4x4", "--faults", "1", "--sample", "20"});
  Json a = alone.json(), b = both.json();
  a.erase("seconds");
  b.erase("seconds");
  EXPECT_EQ(a, b);
}

TEST(Faults, SamplesAreTheSameForAnyJobs) {
  const auto drawn = [](const std::string& seed, const std::string& jobs) {
    Json json = ask_json(on("torus:5x5", {"--lmc", "1", "--faults", "1", "--of", "switches",
                                          "--sample", "3000", "--seed", seed, "--jobs", jobs}))
                    .json();
    json.erase("seconds");
    return json;
  };
  const Json one = drawn("5", "1");
  EXPECT_EQ(one["evaluated"], 3000);
  EXPECT_EQ(one["seed"], 5);
  EXPECT_EQ(one["combinations_total"], 25);
  EXPECT_EQ(one, drawn("5", "4"));
  EXPECT_EQ(one["tolerated"].get<int>() + one["singular"].get<int>(), 3000);
}

TEST(Faults, SymmetryGivesTheSameCounts) {
  Json plain = ask_json(on("torus:4x4", {"--faults", "3", "--all"})).json();
  Json folded = ask_json(on("torus:4x4", {"--faults", "3", "--all", "--symmetry"})).json();
  for (const char* key : {"evaluated", "tolerated", "singular", "disconnected", "witness"})
    EXPECT_EQ(plain[key], folded[key]) << key;
  // updn has a root, and only the identity maps it to itself: a remark says so.
  EXPECT_NE(folded["remarks"].dump().find("symmetry"), std::string::npos);
}

TEST(Faults, RepairedOneAfterAnother) {
  // The loss of three cables disconnects no switch of a torus: with repairs nothing is singular.
  for (const char* mode : {"in-place", "readdress"}) {
    const auto asked = [&](const char* jobs) {
      Json json = ask_json(on("torus:3x3", {"--faults", "3", "--all", "--repair", "rftr",
                                            "--repair-mode", mode, "--jobs", jobs}))
                      .json();
      json.erase("seconds");
      return json;
    };
    const Json one = asked("1");
    EXPECT_EQ(one, asked("3")) << mode;
    EXPECT_EQ(one["evaluated"], 816) << mode;
    EXPECT_EQ(one["tolerated"], 816) << mode;
    EXPECT_EQ(one["repair_mode"], mode);
    EXPECT_EQ(one["witness"], nullptr);
  }
  const Json kept =
      ask_json(on("torus:3x3", {"--faults", "3", "--all", "--repair", "rftr"})).json();
  EXPECT_EQ(kept["repair_mode"], "in-place");
  EXPECT_EQ(kept["max_lids"], 1);
  EXPECT_EQ(kept["max_sls"], 1);
  const Json left = ask_json(on("torus:3x3", {"--faults", "3", "--all"})).json();
  EXPECT_GT(left["singular"], 0);
  EXPECT_EQ(left["repair"], nullptr);
}

TEST(Faults, ARangeOfNumbersIsOneSearch) {
  const Words repair{"--all", "--repair", "rftr", "--repair-mode", "readdress"};
  const auto asked = [&](const char* faults) {
    Words words = on("torus:3x3", repair);
    words.insert(words.end(), {"--faults", faults});
    return words;
  };
  const Json range = ask_json(asked("1-3")).json();
  ASSERT_EQ(range["each"].size(), 3u);
  int evaluated = 0;
  for (const char* k : {"1", "2", "3"}) {
    const Json one = ask_json(asked(k)).json();
    EXPECT_FALSE(one.contains("each"));
    const Json& of = range["each"][std::atoi(k) - 1];
    for (const char* key : {"faults", "evaluated", "tolerated", "singular", "disconnected",
                            "max_vls", "max_sls", "max_lids", "witness"})
      EXPECT_EQ(of[key], one[key]) << k << " " << key;
    evaluated += one["evaluated"].get<int>();
  }
  EXPECT_EQ(range["evaluated"], evaluated);
  EXPECT_EQ(range["combinations_total"], evaluated);
  EXPECT_NE(ask(asked("2-3")).text.find("3: 816 tolerated"), std::string::npos);
}

/// What can't be repaired within the bounds is singular; the full verifier gives the reason.
TEST(Faults, ASingularRepairHasAWitness) {
  const Answer answer =
      ask_json(on("torus:3x3", {"--faults", "2", "--all", "--repair", "rftr", "--repair-mode",
                                "readdress", "--lmc", "0", "--max-vls", "1", "--max-sls", "1"}));
  const Json json = answer.json();
  EXPECT_EQ(json["singular"], 1);
  EXPECT_EQ(answer.status, kDoesNotHold);
  EXPECT_EQ(json["witness"]["faults"].size(), 2u);
  EXPECT_NE(json["witness"]["text"].get<std::string>().find("repaired without"), std::string::npos);
}

TEST(Faults, MoreCombinationsThanCanBeCounted) {
  const Answer answer = ask_json(on("torus:10x10", {"--faults", "100", "--sample", "2"}));
  EXPECT_NEAR(answer.json()["combinations_total"].get<double>() / 9.0549e58, 1.0, 1e-4);
  EXPECT_NE(error(on("torus:10x10", {"--faults", "100", "--all"})).find("--sample"),
            std::string::npos);
}

TEST(Faults, MistakesAreErrorsThatSayWhatIsRight) {
  const struct {
    Words words;
    const char* says;
  } mistakes[] = {
      {{"--faults", "1", "--all", "--fabric", "torus:3x3"}, "--engine"},
      {{"--faults", "1", "--all", "--engine", "updn"}, "--fabric"},
      {{"--faults", "1", "--all", "--engine", "updn", "--tables", "x"}, "give one of them"},
      {on("torus:3x3", {"--all"}), "--faults K"},
      {on("torus:3x3", {"--faults", "1"}), "--sample N"},
      {on("torus:3x3", {"--faults", "1", "--all", "--sample", "5"}), "--sample N"},
      {on("torus:3x3", {"--faults", "19", "--all"}), "give 18 or less"},
      {on("torus:3x3", {"--faults", "10", "--all", "--of", "switches"}), "give 9 or less"},
      {on("torus:3x3", {"--faults", "0", "--all"}), "from 1"},
      {on("torus:3x3", {"--faults", "3-2", "--all"}), "as 1-8"},
      {on("torus:3x3", {"--faults", "1-", "--all"}), "as 1-8"},
      {on("torus:3x3", {"--faults", "1-2x", "--all"}), "as 1-8"},
      {on("torus:3x3", {"--faults", "1-2", "--all"}), "--repair rftr"},
      {on("torus:3x3", {"--faults", "1-2", "--sample", "5", "--repair", "rftr"}), "--all"},
      {on("torus:3x3", {"--faults", "1-19", "--all", "--repair", "rftr"}), "give 18 or less"},
      {on("torus:3x3", {"--faults", "1-19", "--all", "--repair", "rftr"}), "--faults 1-19"},
      {on("torus:10x10", {"--faults", "1-90", "--all", "--repair", "rftr"}), "try fewer"},
      {on("torus:3x3", {"--faults", "--all"}), "--faults"},
      {on("torus:3x3", {"--faults", "1", "--sample", "0"}), "from 1"},
      {on("torus:3x3", {"--faults", "1", "--sample", "-1"}), "from 1"},
      {on("torus:3x3", {"--faults", "1", "--all", "--seed", "3"}), "--sample N"},
      {on("torus:3x3", {"--faults", "1", "--sample", "3", "--seed", "x"}), "whole number"},
      {on("torus:3x3", {"--faults", "1", "--sample", "3", "--symmetry"}), "--all"},
      {on("torus:3x3", {"--faults", "1", "--all", "--of", "cables"}), "links or switches"},
      {on("torus:3x3", {"--faults", "1", "--all", "--jobs", "0"}), "from 1"},
      {on("torus:3x3", {"--faults", "1", "--all", "--repair", "glue"}), "choose rftr"},
      {on("torus:3x3", {"--faults", "1", "--all", "--repair-mode", "readdress"}), "--repair rftr"},
      {on("torus:3x3", {"--faults", "1", "--all", "--repair", "rftr", "--repair-mode", "x"}),
       "in-place or readdress"},
      {on("torus:3x3", {"--faults", "1", "--all", "--repair", "rftr", "--symmetry"}),
       "leave --repair out"},
      {{"--faults", "1", "--all", "--repair", "rftr", "--fabric", "torus:5x5", "--engine", "spf"},
       "close a cycle of dependencies"},
      {{"--faults", "1", "--all", "--repair", "rftr", "--repair-mode", "readdress", "--fabric",
        "torus:5x5", "--engine", "spf"},
       "close a cycle of dependencies"},
      {on("mesh:1x1", {"--faults", "1", "--all"}), "--of switches"},
  };
  for (const auto& mistake : mistakes)
    EXPECT_NE(error(mistake.words).find(mistake.says), std::string::npos)
        << testing::PrintToString(mistake.words) << ": " << error(mistake.words);
}

}  // namespace
}  // namespace selvedge::route
