// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/drained_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"

namespace selvedge {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class DrainedFile : public ::testing::Test {
 protected:
  DrainedFile() {
    std::string name = (fs::temp_directory_path() / "selvedge-out-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    file_ = folder_ + "/drained";
  }
  ~DrainedFile() override { fs::remove_all(folder_); }
  void write(const std::string& text) const { std::ofstream(file_) << text; }
  std::string read() const {
    std::ifstream in(file_);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string folder_, file_;
};

TEST_F(DrainedFile, DrainedLinksSurviveARestart) {
  ExcludedLinks first = read_drained(file_);
  EXPECT_EQ(first.fault(), "");
  first.drain({"0x0000000000200009:4", "0x000000000020000a"});
  first.drain({"0x000000000020000a"});  // again: no error, no second line
  const Names both = {"0x0000000000200009:4", "0x000000000020000a"};
  EXPECT_EQ(read_drained(file_).drained(), both);
  first.undrain({"0x0000000000200009:4"});
  EXPECT_EQ(read_drained(file_).drained(), Names{"0x000000000020000a"});
}

TEST_F(DrainedFile, ValidLinesOfABadFileCountAndItIsNotOverwritten) {
  const std::string text = "# mine\n0x20:1\nS-1-1:4\n0x30\n";
  write(text);
  ExcludedLinks out = read_drained(file_);
  EXPECT_EQ(out.drained(), (Names{"0x20:1", "0x30"}));
  EXPECT_NE(out.fault().find("drained:3: correct the line"), std::string::npos) << out.fault();
  EXPECT_THROW(out.drain({"0x40"}), InputError);
  EXPECT_EQ(out.drained(), (Names{"0x20:1", "0x30"}));
  EXPECT_EQ(read(), text);
}

TEST_F(DrainedFile, APipeIsNotOpened) {
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_EQ(read_drained(file_).fault(), "cannot read the list of drained links: " + file_ +
                                             ": it is a pipe, a socket or a device");
}

TEST_F(DrainedFile, ADrainThatCannotBeStoredIsRefused) {
  write("a file where a folder should be");
  ExcludedLinks out = read_drained(file_ + "/drained");
  EXPECT_THROW(out.drain({"0x40"}), Error);
  EXPECT_TRUE(out.drained().empty());
}

TEST_F(DrainedFile, TheFolderIsMade) {
  read_drained(folder_ + "/a/b/drained").drain({"0x40"});
  EXPECT_EQ(read_drained(folder_ + "/a/b/drained").drained(), Names{"0x40"});
}

}  // namespace
}  // namespace selvedge
