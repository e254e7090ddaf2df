// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Lines of opensm.conf by OpenSM's rule, and what an opensm says of them; here it is a script.
#include "sim/emulate/opensm_options.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "sim/emulate/child_process.hpp"

namespace selvedge::sim {
namespace {

using namespace std::string_literals;

TEST(OpenSmOptions, AreThoseOfTheFileThatOpenSmWrites) {
  const OpenSmReading reading = parse_created_config(
      "#\n# Routing engine\n# Supported engines: minhop, updn,\n#    torus-2QoS, dfsssp\n"
      "routing_engine (null)\n\nqos FALSE\n# comma at its end,\nqos_sl2vl 0,1,2\nempty\n");
  EXPECT_EQ(reading.engines, (std::vector<std::string>{"minhop", "updn", "torus-2QoS", "dfsssp"}));
  EXPECT_EQ(
      reading.options,
      (std::map<std::string, std::string, std::less<>>{
          {"empty", ""}, {"qos", "FALSE"}, {"qos_sl2vl", "0,1,2"}, {"routing_engine", "(null)"}}));
}

TEST(OpenSmOptions, LinesAreReadByOpenSmsRule) {
  const auto option = [](const std::string& line) {
    const OpenSmLine parts = split_opensm_line(line, "here");
    return parts.option + "|" + parts.value;
  };
  EXPECT_EQ(option("routing_engine updn"), "routing_engine|updn");
  EXPECT_EQ(option(" \t routing_engine \t updn,minhop "), "routing_engine|updn,minhop");
  EXPECT_EQ(option("qos"), "qos|");
  for (const std::string& wrong :
       {""s, " \t"s, "# qos TRUE"s, "qos TRUE\nrouting_engine updn"s, "\nrouting_engine updn"s,
        "qos\0TRUE"s, std::string(1001, ' ') + "routing_engine updn"})
    EXPECT_THROW(split_opensm_line(wrong, "here"), InputError) << wrong;
}

struct ByScript : ::testing::Test {
  /// An opensm that writes this file, and says this.
  void make(const std::string& config, const std::string& says, int status = 0) {
    folder.write("config", config);
    folder.write("says", says);
    folder.write("opensm",
                 fmt::format("#!/bin/sh\ntest \"$1 $3\" = '-F --create-config' || exit 9\n"
                             "cat \"$2\" >{0}/given\ncat {0}/says\ncp {0}/config \"$4\"\n"
                             "exit {1}\n",
                             folder.path().string(), status));
    std::filesystem::permissions(opensm, std::filesystem::perms::owner_all);
  }
  /// What is wrong with the line; "" if nothing is.
  std::string wrong(const std::string& line) {
    try {
      check_opensm_line(opensm, line, "here");
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  }
  const TemporaryFolder folder{"unit-"};
  const std::filesystem::path opensm = folder.path() / "opensm";
};

TEST_F(ByScript, AnOptionThatItHasIsTaken) {
  make("lmc 2\nqos TRUE\n", "Loading Cached Option:lmc = 2\n");
  EXPECT_EQ(wrong("  lmc 2"), "");
  EXPECT_EQ(folder.read("given"), "  lmc 2\n");
  EXPECT_EQ(wrong("qos TRUE"), "");
}

TEST_F(ByScript, AnOptionThatItLacksIsRefused) {
  make("max_wire_smps 4\n", "Unrecognized token: \"max_wire_smp\"\n");
  EXPECT_EQ(wrong("max_wire_smp 16"),
            "OpenSM has no option 'max_wire_smp': here: did you mean 'max_wire_smps'?");
  EXPECT_NE(wrong("nothing_like_it 16").find("--create-config"), std::string::npos);
}

TEST_F(ByScript, AValueThatItDoesNotTakeIsRefused) {
  make("lmc 0\n", " Invalid Cached Option Value:lmc = 99:Using Default:0\n");
  EXPECT_NE(wrong("lmc 99").find("OpenSM says: Invalid Cached Option Value:lmc = 99"),
            std::string::npos);
  make("max_wire_smps 4\n", "-E- Parsing error in field max_wire_smps, expected numeric input\n");
  EXPECT_NE(wrong("max_wire_smps x").find("Parsing error"), std::string::npos);
}

TEST_F(ByScript, WhatItReadsAsFalseMustBeMeantSo) {
  make("qos FALSE\n", "");
  EXPECT_EQ(wrong("qos FALSE"), "");
  EXPECT_EQ(wrong("qos \"FALSE\""), "");
  EXPECT_NE(wrong("qos true").find("as FALSE"), std::string::npos);
  EXPECT_NE(wrong("qos").find("as FALSE"), std::string::npos);
}

TEST_F(ByScript, OneThatSaysNothingIsNoOpenSm) {
  make("", "usage\n", 1);
  EXPECT_THROW(read_by_opensm(opensm, ""), EnvironmentError);
  EXPECT_THROW(read_by_opensm(folder.path() / "none", ""), EnvironmentError);
}

}  // namespace
}  // namespace selvedge::sim
