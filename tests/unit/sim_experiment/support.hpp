// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Helpers of the tests of sim/experiment, with experiments as text.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "sim/experiment/campaign.hpp"
#include "sim/experiment/claims.hpp"

namespace selvedge::sim::test {

inline Experiment parse(std::string_view text) {
  TomlFile file = TomlFile::parse(text, "x.toml");
  return read_experiment(file, "x.toml");
}

/// The InputError's message; "" if there is none.
inline std::string complaint(std::string_view text) {
  try {
    parse(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

inline PointResult run_only(std::string_view text) {
  const Experiment experiment = parse(text);
  const Point& point = experiment.points.at(0);
  return run_point(point, make_routed_fabric(point.fabric, point.routing));
}

/// Simulates the points that are not in the results yet.
inline CampaignCount run_all(const Experiment& experiment, Results& results, unsigned jobs = 2) {
  Ranks ranks;
  CampaignOptions options;
  options.jobs = jobs;
  return run_campaign(experiment, &results, ranks, options);
}

/// results.csv without the columns that are times.
inline std::string csv_without_times(Results& results) {
  results.database().execute("UPDATE points SET cpu_s = 0, wall_s = 0");
  return results.csv();
}

/// Claims with one figure, which names a check.
class FigureTest : public ::testing::Test {
 protected:
  FigureSpec figure(std::string_view check, std::string_view keys) {
    std::ofstream(path_) << "id = 'Z9'\n[[figure]]\nname = 'a'\ncheck = '" << check << "'\n"
                         << keys << "\n[[row]]\nwhat = 'w'\nvalue = 'a'\nleast = 0\n";
    return read_claim(path_).figures.at(0);
  }
  ~FigureTest() override { std::filesystem::remove(path_); }

 private:
  std::string path_ = fmt::format("{}/figure-{}.toml", ::testing::TempDir(), ::getpid());
};

/// The problem of the InputError that `f` throws; "" if there is none.
template <class F>
std::string problem_of(F f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.problem();
  }
  return "";
}

}  // namespace selvedge::sim::test
