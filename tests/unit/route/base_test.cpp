// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The helpers of base: whole files, progress lines, suggestions for misspelt words.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/program.hpp"
#include "base/progress.hpp"

namespace selvedge {
namespace {

namespace fs = std::filesystem;

class WholeFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "selvedge-base-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(WholeFile, IsMadeWithTheUsersMaskAndReplacedKeepingItsMode) {
  const mode_t mask = ::umask(027);
  write_file(path("a"), "one");
  ::umask(mask);
  struct stat info{};
  ASSERT_EQ(::stat(path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
  ASSERT_EQ(::chmod(path("a").c_str(), 0604), 0);
  write_file(path("a"), std::string("two\0three", 9));
  ASSERT_EQ(::stat(path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0604u);
  EXPECT_EQ(content(path("a")), std::string("two\0three", 9));
  EXPECT_EQ(files(), 1u);
}

TEST_F(WholeFile, FollowsALinkAndLeavesItOne) {
  write_file(path("real"), "old");
  fs::create_symlink("real", path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("real")), "new");
}

TEST_F(WholeFile, RefusesWhatCannotBeWrittenAndLeavesNothing) {
  for (const std::string& bad :
       {std::string(), folder_.string(), path("none/x"), path("a/"), path("b/.."),
        path(std::string(300, 'x').c_str()), std::string("/proc/selvedge")}) {
    EXPECT_THROW(write_file(bad, "text"), InputError) << bad;
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(WholeFile, OnAFullDiskTheOldFileStays) {
  EXPECT_THROW(write_file("/dev/full", "text"), EnvironmentError);
  write_file("/dev/null", "text");
  struct stat info{};
  ASSERT_EQ(::stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
}

TEST(Progress, ShowsRateAndTimeLeft) {
  EXPECT_EQ(progress_line({"proving", "pairs", 250, 1000, 5.0}, 100),
            "proving [######..................]  25 %  50 pairs/s  15 s left");
  EXPECT_EQ(progress_line({"proving", "pairs", 1, 1000, 2.0}, 100),
            "proving [........................]   0 %  0.5 pairs/s  33 min 18 s left");
  EXPECT_EQ(progress_line({"proving", "pairs", 2000, 1000, 4.0}, 100),
            "proving [########################] 100 %  500 pairs/s  0 s left");
}

TEST(Progress, WithoutCountsShowsThePhaseAndItsTime) {
  EXPECT_EQ(progress_line({"computing updn", "", 0, 0, 75.2}, 100), "computing updn  1 min 15 s");
  EXPECT_EQ(progress_line({"computing updn", "", 0, 0, 3725}, 100), "computing updn  1 h 02 min");
}

TEST(Progress, NeverFillsTheTerminalsLastColumn) {
  EXPECT_EQ(progress_line({"proving the tables", "", 0, 0, 9}, 12), "proving the");
  EXPECT_EQ(progress_line({"proving the tables", "", 0, 0, 9}, 0), "");
}

TEST(Progress, DrawsAndWipes) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  {
    Progress progress(ends[1]);
    progress.phase("counting", 10, "things");
    progress.advance(5);
    std::string seen(1, '\0');
    ASSERT_EQ(::read(ends[0], seen.data(), 1), 1);  // something is drawn
  }
  ::close(ends[1]);
  std::string rest;
  char byte = 0;
  while (::read(ends[0], &byte, 1) == 1) rest += byte;
  ::close(ends[0]);
  EXPECT_NE(rest.find("counting ["), std::string::npos);
  EXPECT_TRUE(rest.ends_with("\r\033[K"));
}

TEST(Nearest, FindsTheIntendedWord) {
  const std::vector<std::string> words{"fabric", "compute", "verify", "paths", "status"};
  EXPECT_EQ(nearest("comptue", words), "compute");
  EXPECT_EQ(nearest("stat", words), "status");
  EXPECT_EQ(nearest("fabrics", words), "fabric");
  EXPECT_EQ(nearest("xyzzyx", words), "");
  EXPECT_EQ(nearest(std::string(10'000, 'f'), words), "");
}

TEST(Printable, KeepsOneLineAndTheTerminalSane) {
  EXPECT_EQ(printable("a\nb\x1b[31mc\x7f"), "a?b?[31mc?");
  EXPECT_EQ(printable("Köln"), "Köln");
}

}  // namespace
}  // namespace selvedge
