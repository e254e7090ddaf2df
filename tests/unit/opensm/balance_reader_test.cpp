// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/balance_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

using Said = std::vector<std::string>;

class BalanceReaderTest : public testing::Test {
 protected:
  BalanceReaderTest() {
    folder_ = (std::filesystem::temp_directory_path() / "selvedge-balance-XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no temporary folder");
    weights_ = folder_ + "/weights";
  }
  ~BalanceReaderTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text) const {  // by renaming, so that the inode is another
    std::ofstream(weights_ + ".new", std::ios::binary) << text;
    std::filesystem::rename(weights_ + ".new", weights_);
  }
  bool refresh(const std::string& path) {
    log_.clear();
    return reader_.refresh({"", path, ""}, log_);
  }
  Said said() const {
    Said lines;
    for (const BalanceReader::Line& line : log_)
      lines.push_back((line.error ? "E " : "") + line.text);
    return lines;
  }
  unsigned weight() const {
    const BalanceOptions options = reader_.options(fabric_);
    return options.weight.empty() ? 0 : options.weight[fabric_.channel(0, 1)];
  }

  std::string folder_, weights_;
  const Fabric fabric_ = assign_lids(torus({3, 3}, 1), 0);
  const std::string guid_ = fmt::format("0x{:x}", fabric_.node(0).guid);
  BalanceReader reader_;
  std::vector<BalanceReader::Line> log_;
};

TEST_F(BalanceReaderTest, AFileIsReadAgainOnceItHasChanged) {
  EXPECT_FALSE(refresh(""));
  write(guid_ + " 1 4\n");
  EXPECT_TRUE(refresh(weights_));
  EXPECT_EQ(said(), Said{"hop_weights_file " + weights_ + ": 1 lines"});
  EXPECT_EQ(weight(), 4u);
  EXPECT_FALSE(refresh(weights_));
  write(guid_ + " 1 5\n");
  EXPECT_TRUE(refresh(weights_));
  EXPECT_EQ(weight(), 5u);
  EXPECT_TRUE(refresh(""));
  EXPECT_EQ(weight(), 0u);
}

TEST_F(BalanceReaderTest, AMistakeLeavesThePreviousContent) {
  write("x\n");
  EXPECT_FALSE(refresh(weights_));
  ASSERT_EQ(said().size(), 1u);
  EXPECT_TRUE(said()[0].starts_with("E hop_weights_file: 'x' is no port with a weight: "));
  EXPECT_TRUE(said()[0].ends_with("; the fabric is routed without it"));
  write(guid_ + " 1 4\n");
  EXPECT_TRUE(refresh(weights_));
  write(guid_ + " 1 0\n");
  EXPECT_FALSE(refresh(weights_));
  EXPECT_TRUE(said().at(0).ends_with("; its previous content stays in force"));
  EXPECT_EQ(weight(), 4u);
  EXPECT_FALSE(refresh(weights_));
  EXPECT_EQ(said(), Said{});  // said once
}

TEST_F(BalanceReaderTest, WhatTheFabricDoesNotHaveIsSaidOnce) {
  write(guid_ + " 1 4\n0x99 1 2\n");
  refresh(weights_);
  log_.clear();
  reader_.match(fabric_, log_);
  EXPECT_EQ(said(), Said{"hop_weights_file: 1 of 2 lines name a port that no switch has in this "
                         "fabric, the first 0x0000000000000099: " +
                         weights_ + ":2: the others are used"});
  log_.clear();
  reader_.match(fabric_, log_);
  EXPECT_EQ(said(), Said{});
}

}  // namespace
}  // namespace selvedge
