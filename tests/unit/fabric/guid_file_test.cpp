// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
//   S-0: hosts 0, 1, 2     S-4 (node 0x100) and S-5 are the spines; S-4 has a host of its own,
//   S-1: hosts 3, 4, 5     number 9, an adapter with one port. Host i has node GUID 0x200 + 16·i
//   S-2: hosts 6, 7, 8     and port GUID 0x201 + 16·i. S-3 has no cable.
#include "plugin/fabric/guid_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "plugin/fabric/fault.hpp"

namespace selvedge {
namespace {

using Said = std::vector<std::string>;

/// `leaf_cable`: also a cable between S-0 and S-1; no tree has one.
Fabric two_spines(bool leaf_cable = false) {
  FabricBuilder b;
  for (unsigned s = 0; s < 6; ++s)
    b.add_switch({.guid = 0x100 + s, .name = "S-" + std::to_string(s), .ports = 8});
  for (unsigned h = 0; h < 10; ++h)
    b.add_host({.guid = 0x201 + 16 * h,
                .node_guid = 0x200 + 16 * h,
                .name = h == 9 ? "aggregation" : "H-" + std::to_string(h),
                .at = h == 9 ? 4 : h / 3,
                .port = static_cast<PortNum>(h == 9 ? 8 : 1 + h % 3)});
  for (unsigned leaf = 0; leaf < 3; ++leaf)
    for (unsigned spine = 4; spine < 6; ++spine)
      b.connect(leaf, static_cast<PortNum>(spine), spine, static_cast<PortNum>(1 + leaf));
  if (leaf_cable) b.connect(0, 8, 1, 8);
  return std::move(b).build("drawn");
}

std::string guid_complaint(std::string_view text) {
  try {
    parse_guid_file(text, "g.txt");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

HintFiles hint_files(std::string_view roots, std::string_view compute = "",
                     std::string_view io = "") {
  HintFiles all;
  if (!roots.empty()) all.of[0] = parse_guid_file(roots, "r");
  if (!compute.empty()) all.of[1] = parse_guid_file(compute, "c");
  if (!io.empty()) all.of[2] = parse_guid_file(io, "i");
  return all;
}

LevelHints told(std::vector<SwitchId> roots, std::vector<HostId> compute = {},
                std::vector<HostId> io = {}) {
  return {std::move(roots), std::move(compute), std::move(io)};
}

TEST(GuidFile, IsReadAsOpenSmReadsIt) {
  const GuidFile file = parse_guid_file(
      "# roots\r\n\n  0x0002c902004ab3f8 spine-01 # left\n\t104\n0X2A# no space\n   # more\n0x1",
      "f");
  EXPECT_EQ(file.path, "f");
  EXPECT_EQ(file.lines,
            (std::vector<GuidFile::Line>{{0x0002c902004ab3f8, 3}, {0x104, 4}, {0x2a, 5}, {1, 7}}));
}

TEST(GuidFile, OneWrongLineRefusesTheFile) {
  const std::string remedy = "write 0x and up to 16 hexadecimal digits, one GUID a line";
  EXPECT_EQ(guid_complaint("0x1\nspine-01\n"), "'spine-01' is no GUID: g.txt:2: " + remedy);
  for (const char* text : {"0x", "0x1,0x2", "0x12345678901234567", "0", "0x1:2", "-1", "0x1\x01"})
    EXPECT_NE(guid_complaint(text).find(" is no GUID: g.txt:1: " + remedy), std::string::npos)
        << text << ": " << guid_complaint(text);
  for (const char* text : {"", "\n\n", "# nothing\n"})
    EXPECT_EQ(guid_complaint(text),
              "no GUID is in the file: g.txt: write one a line, or do not name the file");
}

TEST(GuidFile, FilesThatCannotBeRead) {
  EXPECT_THROW(read_guid_file("/nonexistent/guids"), InputError);
  EXPECT_THROW(read_guid_file("/"), InputError);
  EXPECT_THROW(read_guid_file(""), InputError);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("guids-" + std::to_string(getpid()))).string();
  std::ofstream(path) << "0x104\n";
  EXPECT_EQ(read_guid_file(path).lines.front().guid, 0x104u);
  std::filesystem::remove(path);
}

TEST(HintFiles, AreFoundByNodeAndPortGuid) {
  std::vector<UnknownGuids> unknown;
  const LevelHints hints =
      hint_files("0x105\n0x104\n0x105", "0x200\n0x211", "0x290").find(two_spines(), unknown);
  EXPECT_TRUE(unknown.empty());
  EXPECT_EQ(hints.roots, (std::vector<SwitchId>{4, 5}));
  EXPECT_EQ(hints.compute, (std::vector<HostId>{0, 1}));
  EXPECT_EQ(hints.not_compute, (std::vector<HostId>{9}));
  EXPECT_TRUE(HintFiles{}.find(two_spines()).empty());
}

TEST(HintFiles, ANodeGuidStandsForAllPortsOfTheAdapter) {
  FabricBuilder b;
  b.add_switch({.guid = 1, .name = "S", .ports = 4});
  for (PortNum p = 1; p <= 2; ++p)
    b.add_host(
        {.guid = 0x20u + p, .node_guid = 0x20, .name = "H", .ca_port = p, .at = 0, .port = p});
  const Fabric two = std::move(b).build("drawn");
  EXPECT_EQ(hint_files("", "0x20").find(two).compute, (std::vector<HostId>{0, 1}));
  EXPECT_EQ(hint_files("", "0x22").find(two).compute, (std::vector<HostId>{1}));
}

TEST(HintFiles, UnknownGuidsAreCountedAndTheFirstIsNamed) {
  const HintFiles all = hint_files("0x104\n0x999\n0x201\n", "0x104", "0x777\n0x290");
  std::vector<UnknownGuids> unknown;
  const LevelHints hints = all.find(two_spines(), unknown);
  EXPECT_EQ(hints.roots, (std::vector<SwitchId>{4}));
  EXPECT_TRUE(hints.compute.empty());
  ASSERT_EQ(unknown.size(), 3u);
  EXPECT_EQ(unknown[0].first.number, 2u);
  EXPECT_EQ(describe(unknown[0], *all.of[0]),
            "2 of 3 GUIDs are of no switch in this fabric, the first 0x0000000000000999");
  EXPECT_EQ(describe(unknown[1], *all.of[1]),
            "GUID 0x0000000000000104 (switch S-4) is of no adapter in this fabric");
  EXPECT_EQ(describe(unknown[2], *all.of[2]),
            "1 of 2 GUIDs are of no adapter in this fabric, the first 0x0000000000000777");
}

TEST(HintFiles, AFailedRootIsKnownAndNoRoot) {
  Fault fault;
  fault.switches.push_back(4);
  std::vector<UnknownGuids> unknown;
  EXPECT_EQ(hint_files("0x104\n0x105").find(without(two_spines(), fault), unknown).roots,
            (std::vector<SwitchId>{5}));
  EXPECT_TRUE(unknown.empty());
}

TEST(Contradictions, NoneWhereHintsSayWhatTheCablesSay) {
  EXPECT_EQ(contradictions(two_spines(), {}), Said{});
  EXPECT_EQ(contradictions(two_spines(), told({4, 5})), Said{});
  EXPECT_EQ(contradictions(two_spines(), told({}, {0, 3, 6}, {9})), Said{});
}

TEST(Contradictions, RootsWinOverTheCables) {
  EXPECT_EQ(contradictions(two_spines(), told({4})),
            Said{"the given roots reverse the direction of 3 of 6 cables, the first S-0:5 – S-5:1: "
                 "the given roots win"});
}

/// If the only compute node is on a spine, that spine is the leaf switch and the other switches are
/// above it.
TEST(Contradictions, ComputeNodesWinOverTheCables) {
  const std::vector<std::string> lines = contradictions(two_spines(), told({}, {9}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("the given compute nodes reverse the direction of "));
  EXPECT_TRUE(lines[0].ends_with(": the given compute nodes win"));
}

TEST(Contradictions, AComputeNodeAtASpine) {
  EXPECT_EQ(contradictions(two_spines(), told({}, {0, 1, 3, 4, 6, 7, 9})),
            Said{"1 of 7 given compute nodes is above the leaf switches, the first aggregation at "
                 "S-4:8: the levels of the cables win"});
  EXPECT_EQ(contradictions(two_spines(), told({4, 5}, {0, 3, 9})),
            Said{"1 of 3 given compute nodes is above the leaf switches, the first aggregation at "
                 "S-4:8: the roots win"});
}

TEST(Contradictions, ANodeInBothLists) {
  EXPECT_EQ(contradictions(two_spines(), told({}, {0, 3, 6}, {3, 9})),
            Said{"1 adapter port is given both as compute and as I/O node, the first H-3 at S-1:1: "
                 "the list of compute nodes wins"});
}

TEST(Contradictions, WhatMakesNoTreeIsLeftToTheEngine) {
  EXPECT_EQ(contradictions(two_spines(true), told({4, 5})), Said{});
}

}  // namespace
}  // namespace selvedge
