// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests of the counters of marked packets, as files like those of the kernel.
#include "daemon/transport/cnp_counters.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace selvedge::transport {
namespace {

class CnpFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "cnp-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(directory_ / name) << text;
  }
  CnpCounters open() const { return CnpCounters(directory_.string()); }

  std::filesystem::path directory_;
};

TEST_F(CnpFiles, RiseOnceForEachRise) {
  write("np_cnp_sent", "7\n");
  write("np_ecn_marked_roce_packets", "0\n");
  write("rx_write_requests", "1\n");
  CnpCounters counters = open();
  EXPECT_FALSE(counters.empty());
  EXPECT_FALSE(counters.risen());
  write("rx_write_requests", "2\n");
  EXPECT_FALSE(counters.risen());
  write("np_ecn_marked_roce_packets", "3\n");
  EXPECT_TRUE(counters.risen());
  EXPECT_FALSE(counters.risen());
  write("np_cnp_sent", "18446744073709551615\n");
  EXPECT_TRUE(counters.risen());
}

// A counter begins anew when the driver is loaded again.
TEST_F(CnpFiles, ACounterThatBeganAnewHasNotRisen) {
  write("tx_cnp_pkts", "100\n");
  CnpCounters counters = open();
  write("tx_cnp_pkts", "5\n");
  EXPECT_FALSE(counters.risen());
  write("tx_cnp_pkts", "6\n");
  EXPECT_TRUE(counters.risen());
}

TEST_F(CnpFiles, WhatCannotBeReadDoesNotCount) {
  EXPECT_TRUE(CnpCounters("/no/such/port").empty());
  EXPECT_TRUE(open().empty());
  write("np_cnp_sent", "none\n");
  EXPECT_TRUE(open().empty());
  write("np_cnp_sent", "1\n");
  CnpCounters counters = open();
  std::filesystem::remove(directory_ / "np_cnp_sent");
  EXPECT_FALSE(counters.risen());
  write("np_cnp_sent", "2\n");
  EXPECT_TRUE(counters.risen());
}

}  // namespace
}  // namespace selvedge::transport
