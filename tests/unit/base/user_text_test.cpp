// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a user has written: lists of names, files of a bounded size, and what messages repeat of it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "base/command_line.hpp"
#include "base/error.hpp"
#include "base/in_quotes.hpp"
#include "base/regular_file.hpp"

namespace selvedge {
namespace {

namespace fs = std::filesystem;

std::string complaint(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(InQuotes, TheBeginningOfALongText) {
  EXPECT_EQ(in_quotes("S-0-0"), "'S-0-0'");
  EXPECT_EQ(in_quotes(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), "'" + std::string(60, 'x') + "…'");
  EXPECT_EQ(in_quotes(std::string(59, 'x') + "üü"),
            "'" + std::string(59, 'x') + "…'");  // no half ü
  EXPECT_EQ(in_quotes(std::string(61, '\x80')), "'…'");
}

TEST(Names, AListHasEachOnce) {
  const auto names = [](const std::string& list) { return parse_names(list, "--managers", "a,b"); };
  EXPECT_EQ(names("opensm"), std::vector<std::string>{"opensm"});
  EXPECT_EQ(names(" a , b b"), (std::vector<std::string>{"a", "b b"}));
  EXPECT_EQ(complaint([&] { names("a,,b"); }),
            "a name is empty: --managers 'a,,b': write names, as a,b");
  EXPECT_EQ(complaint([&] { names(""); }), "a name is empty: --managers '': write names, as a,b");
  EXPECT_EQ(complaint([&] { names("a, a"); }),
            "a name is there twice: --managers 'a, a': write names, as a,b");
}

struct Files : testing::Test {
  const fs::path folder = fs::path(testing::TempDir()) / fmt::format("selvedge-{}", ::getpid());
  const std::string path = (folder / "file").string();
  Files() { fs::create_directories(folder); }
  ~Files() override { fs::remove_all(folder); }
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
  std::string refused(const std::string& name) const {
    return complaint([&] { read_small_file(name, "the script", 100); });
  }
};

TEST_F(Files, AreReadUpToABound) {
  write(std::string(100, 'x'));
  EXPECT_EQ(read_small_file(path, "the script", 100), std::string(100, 'x'));
  write("");
  EXPECT_EQ(read_small_file(path, "the script", 100), "");
  write(std::string(101, 'x'));
  EXPECT_EQ(refused(path),
            fmt::format("the script has more than 100 bytes: {}: name a smaller one", path));
  // A hole takes neither room on the disk nor, when it is refused, memory.
  fs::resize_file(path, std::uintmax_t{1} << 40);
  EXPECT_NE(refused(path).find("more than 100 bytes"), std::string::npos);
}

TEST_F(Files, ThatCannotBeReadAreRefused) {
  EXPECT_EQ(refused(path), fmt::format("the script cannot be read (No such file or directory): {}: "
                                       "name a readable file",
                                       path));
  EXPECT_EQ(refused(folder.string()),
            fmt::format("the script cannot be read (Is a directory): {}: name a readable file",
                        folder.string()));
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_NE(refused(path).find("a pipe"), std::string::npos);
}

TEST_F(Files, AreTheSameByDeviceAndInode) {
  const std::string other = (folder / "other").string();
  EXPECT_FALSE(same_file(path, path));  // there is none
  write("x");
  EXPECT_TRUE(same_file(path, (folder / ".." / folder.filename() / "file").string()));
  EXPECT_FALSE(same_file(path, other));
  fs::create_hard_link(path, other);
  EXPECT_TRUE(same_file(path, other));
  fs::remove(other);
  fs::create_symlink(path, other);
  EXPECT_TRUE(same_file(other, path));
}

}  // namespace
}  // namespace selvedge
