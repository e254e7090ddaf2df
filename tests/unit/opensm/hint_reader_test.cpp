// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/hint_reader.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

using Said = std::vector<std::string>;

/// GUIDs of the fabric: switches 0x0200000000000001 (S-0-0) to …4 (S-1-1, a spine); hosts' ports
/// from 0x0200000001000001 on.
class HintReaderTest : public testing::Test {
 protected:
  HintReaderTest() {
    folder_ = (std::filesystem::temp_directory_path() / "selvedge-hints-XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no temporary folder");
    roots_ = folder_ + "/roots";
  }
  ~HintReaderTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text) const {
    // The new file replaces the old one by renaming. It has another inode, so that a change within
    // one tick of ctime is noticed too.
    std::ofstream(roots_ + ".new", std::ios::binary) << text;
    std::filesystem::rename(roots_ + ".new", roots_);
  }
  bool refresh(const std::string& path) {
    log_.clear();
    return reader_.refresh({path, "", ""}, log_);
  }
  void match(bool overruled = false) {
    log_.clear();
    reader_.match(fabric_, overruled, log_);
  }
  Said said() const {
    Said lines;
    for (const HintReader::Line& line : log_) lines.push_back((line.error ? "E " : "") + line.text);
    return lines;
  }

  std::string folder_, roots_;
  const Fabric fabric_ = assign_lids(k_ary_n_tree(2, 2), 0);
  HintReader reader_;
  std::vector<HintReader::Line> log_;
};

/// To open a pipe would block, with OpenSM's lock held, until another process writes to it.
TEST_F(HintReaderTest, APipeIsNotOpened) {
  ASSERT_EQ(mkfifo(roots_.c_str(), 0600), 0);
  EXPECT_FALSE(refresh(roots_));
  EXPECT_EQ(said(), Said{"E root_guid_file: this is a pipe, a socket or a device: " + roots_ +
                         ": name a regular file; the levels are determined without it"});
}

TEST_F(HintReaderTest, NothingIsReadUnlessOpenSmNamesAFile) {
  EXPECT_FALSE(refresh(""));
  match();
  EXPECT_TRUE(said().empty());
  EXPECT_TRUE(reader_.states().empty());
  EXPECT_TRUE(reader_.in_force()->empty());
}

TEST_F(HintReaderTest, IsReadOnlyWhenItChanges) {
  write("0x0200000000000003\n0x0200000000000004\n");
  EXPECT_TRUE(refresh(roots_));
  EXPECT_EQ(said(), Said{"root_guid_file " + roots_ + ": 2 GUIDs"});
  match();
  EXPECT_EQ(reader_.in_force()->find(fabric_).roots, (std::vector<SwitchId>{2, 3}));
  const auto before = reader_.in_force();
  EXPECT_FALSE(refresh(roots_));
  EXPECT_TRUE(said().empty());
  match();
  EXPECT_EQ(reader_.in_force(), before);  // the same object: what is cached for it stays valid
  write("0x0200000000000003\n0x0200000000000004\n");
  EXPECT_FALSE(refresh(roots_)) << "another file that says the same";
  write("0x0200000000000004\n");
  EXPECT_TRUE(refresh(roots_));
  match();
  EXPECT_EQ(reader_.in_force()->find(fabric_).roots, (std::vector<SwitchId>{3}));
}

TEST_F(HintReaderTest, AnUnreadableFileKeepsThePreviousContent) {
  EXPECT_FALSE(refresh(roots_));
  EXPECT_EQ(said(), Said{"E root_guid_file: cannot read the GUIDs (No such file or directory): " +
                         roots_ + ": name a readable file; the levels are determined without it"});
  EXPECT_FALSE(refresh(roots_));
  EXPECT_TRUE(said().empty()) << "said once";
  match();
  ASSERT_EQ(reader_.states().size(), 1u);
  EXPECT_EQ(reader_.states()[0].guids, 0u);
  EXPECT_NE(reader_.states()[0].fault, "");

  write("0x0200000000000003\n");
  EXPECT_TRUE(refresh(roots_));
  match();
  EXPECT_EQ(reader_.states()[0].fault, "");
  write("0x0200000000000003\nspine-02\n");
  EXPECT_FALSE(refresh(roots_));
  EXPECT_EQ(said(), Said{"E root_guid_file: 'spine-02' is no GUID: " + roots_ +
                         ":2: write 0x and up to 16 hexadecimal digits, one GUID a line; its "
                         "previous content stays in force"});
  match();
  EXPECT_EQ(reader_.in_force()->find(fabric_).roots, (std::vector<SwitchId>{2}));
  std::filesystem::remove(roots_);
  EXPECT_FALSE(refresh(roots_));
  EXPECT_EQ(said().size(), 1u);
  EXPECT_FALSE(reader_.in_force()->empty());
}

TEST_F(HintReaderTest, UnknownGuidsAreLoggedWhenTheirNumberChanges) {
  write("0x0200000000000003\n0x99 # gone\n");
  refresh(roots_);
  match();
  EXPECT_EQ(said(), Said{"root_guid_file: 1 of 2 GUIDs are of no switch in this fabric, the first "
                         "0x0000000000000099: " +
                         roots_ + ":2: the other GUIDs are used"});
  match();
  EXPECT_TRUE(said().empty());
  EXPECT_EQ(reader_.states()[0].unknown, 1u);
  write("0x99\n");
  refresh(roots_);
  match();
  EXPECT_EQ(said(),
            Said{"root_guid_file: GUID 0x0000000000000099 is of no switch in this fabric: " +
                 roots_ + ":1: the levels are determined without it"});
}

TEST_F(HintReaderTest, AnOverridingRootIsLoggedOnce) {
  write("0x0200000000000003\n");
  refresh(roots_);
  match(true);
  EXPECT_EQ(said(), Said{"[engine] root of plugin.toml wins over root_guid_file"});
  EXPECT_TRUE(reader_.in_force()->empty());
  EXPECT_TRUE(reader_.states()[0].overruled);
  match(true);
  EXPECT_TRUE(said().empty());
  match(false);
  EXPECT_FALSE(reader_.in_force()->empty());
}

}  // namespace
}  // namespace selvedge
