// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/out_of_service.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class OutOfServiceTest : public ::testing::Test {
 protected:
  OutOfServiceTest() {
    std::string name = (fs::temp_directory_path() / "selvedge-out-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    file_ = folder_ + "/drained";
  }
  ~OutOfServiceTest() override { fs::remove_all(folder_); }
  void write(const std::string& text) const { std::ofstream(file_) << text; }
  std::string read() const {
    std::ifstream in(file_);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string folder_, file_;
};

TEST_F(OutOfServiceTest, WhatIsDrainedOutlivesARestart) {
  OutOfService first(file_);
  EXPECT_EQ(first.fault(), "");
  first.drain({"0x0000000000200009:4", "0x000000000020000a"});
  first.drain({"0x000000000020000a"});  // again: no error, no second line
  const Names both = {"0x0000000000200009:4", "0x000000000020000a"};
  EXPECT_EQ(OutOfService(file_).drained(), both);
  first.undrain({"0x0000000000200009:4"});
  EXPECT_EQ(OutOfService(file_).drained(), Names{"0x000000000020000a"});
}

TEST_F(OutOfServiceTest, ABadFileCountsAsFarAsItGoesAndIsNotOverwritten) {
  const std::string text = "# mine\n0x20:1\nS-1-1:4\n0x30\n";
  write(text);
  OutOfService out(file_);
  EXPECT_EQ(out.drained(), (Names{"0x20:1", "0x30"}));
  EXPECT_NE(out.fault().find("drained:3: correct the line"), std::string::npos) << out.fault();
  EXPECT_THROW(out.drain({"0x40"}), InputError);
  EXPECT_EQ(out.drained(), (Names{"0x20:1", "0x30"}));
  EXPECT_EQ(read(), text);
}

TEST_F(OutOfServiceTest, WhatCannotBeWrittenDownIsNotDrained) {
  write("a file where a folder should be");
  OutOfService out(file_ + "/drained");
  EXPECT_THROW(out.drain({"0x40"}), Error);
  EXPECT_TRUE(out.drained().empty());
}

TEST_F(OutOfServiceTest, TheFolderIsMade) {
  OutOfService(folder_ + "/a/b/drained").drain({"0x40"});
  EXPECT_EQ(OutOfService(folder_ + "/a/b/drained").drained(), Names{"0x40"});
}

TEST_F(OutOfServiceTest, HoldsEnd) {
  using std::chrono::seconds;
  OutOfService out;
  const OutOfService::Clock::time_point start{};
  out.hold("0x20:1", start + seconds(10));
  out.hold("0x20:1", start + seconds(5));  // never shorter
  out.hold("0x30:2", start + seconds(7));
  EXPECT_FALSE(out.release(start + seconds(6)));
  EXPECT_TRUE(out.release(start + seconds(7)));
  EXPECT_EQ(out.held(), Names{"0x20:1"});
  EXPECT_TRUE(out.release(start + seconds(10)));
  EXPECT_TRUE(out.held().empty());
}

RC_GTEST_PROP(OutOfService, names_mean_what_they_were_made_of, ()) {
  const Fabric fabric = *test::any_fabric();
  for (Channel c = 0; c < fabric.num_switch_channels(); ++c) {
    if (fabric.peer(c) == kNoChannel) continue;
    const Fault fault = OutOfService::meant_by({OutOfService::cable_name(fabric, c)}, fabric);
    RC_ASSERT(fault.switches.empty());
    RC_ASSERT(fault.links.size() == 1u);
    RC_ASSERT(fault.links[0] == c || fault.links[0] == fabric.peer(c));
    RC_ASSERT(OutOfService::cable_name(fabric, c) ==
              OutOfService::cable_name(fabric, fault.links[0]));
  }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const Fault fault = OutOfService::meant_by({OutOfService::switch_name(fabric, s)}, fabric);
    RC_ASSERT(fault.links.empty());
    RC_ASSERT(fault.switches == std::vector<SwitchId>{s});
  }
}

TEST(OutOfService, WhatTheFabricLacksMeansNothing) {
  const Fabric fabric = assign_lids(mesh({1, 3}), 0);
  EXPECT_TRUE(OutOfService::meant_by(
                  {"0xdead", "0xdead:1", OutOfService::switch_name(fabric, 0) + ":200"}, fabric)
                  .empty());
}

}  // namespace
}  // namespace selvedge
