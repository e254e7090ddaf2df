// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "base/toml_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

namespace selvedge {
namespace {

/// The message of the InputError that `read` throws; "" if it throws none.
std::string complaint(std::string_view text, const std::function<void(TomlSection&)>& read) {
  try {
    const TomlFile file = TomlFile::parse(text, "x.toml");
    TomlSection root = file.root();
    read(root);
    file.done();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(TomlSection, AbsentKeysKeepTheirValue) {
  const TomlFile file = TomlFile::parse("", "x.toml");
  TomlSection s = file.root().section("none");
  EXPECT_FALSE(s.present());
  std::string text = "as it was";
  double number = 0.5;
  unsigned whole = 7;
  std::vector<int> list = {1, 2};
  s.read("text", text);
  s.read("number", number, {.least = 1, .most = 2});
  s.read("whole", whole, {.least = 8, .most = 9});
  s.read("list", list, 1, {});
  EXPECT_FALSE(s.has("text"));
  EXPECT_FALSE(s.section("below").present());
  EXPECT_TRUE(s.sections("many").empty());
  EXPECT_EQ(text, "as it was");
  EXPECT_EQ(number, 0.5);
  EXPECT_EQ(whole, 7u);
  EXPECT_EQ(list, (std::vector{1, 2}));
  file.done();
}

TEST(TomlSection, ReadsEveryKindOfValue) {
  const TomlFile file = TomlFile::parse(
      "top = true\n[a]\ntext = \"x\"\nnumber = 2\nword = \"two\"\nloads = [0.1, 1]\n"
      "names = \"one\"\nbig = 9223372036854775807\n[a.b]\nsmall = -128\n[[c]]\nn = 1\n[[c]]\nn = 2",
      "x.toml");
  TomlSection root = file.root();
  bool top = false;
  root.read("top", top);
  EXPECT_TRUE(top);
  TomlSection a = root.section("a");
  std::string text;
  double number = 0;
  int word = -1;
  std::vector<double> loads = {9};
  std::vector<std::string> names;
  std::uint64_t big = 0;
  a.read("text", text);
  a.read("number", number, {});
  a.choose("word", word, {"zero", "one", "two"});
  a.read("loads", loads, 2, {.least = 0, .most = 1});
  a.read("names", names, 1);
  a.read("big", big, {});
  EXPECT_EQ(text, "x");
  EXPECT_EQ(number, 2);
  EXPECT_EQ(word, 2);
  EXPECT_EQ(loads, (std::vector{0.1, 1.0}));
  EXPECT_EQ(names, std::vector<std::string>{"one"});
  EXPECT_EQ(big, 9223372036854775807u);
  std::int8_t small = 0;
  a.section("b").read("small", small, {.least = -1000, .most = 1000});
  EXPECT_EQ(small, -128);
  int sum = 0;
  for (TomlSection& c : root.sections("c")) {
    int n = 0;
    c.read("n", n, {});
    sum = 10 * sum + n;
  }
  EXPECT_EQ(sum, 12);
  file.done();
}

TEST(TomlSection, SaysWhereAndWhatIsAllowed) {
  unsigned port = 0;
  double load = 0;
  std::vector<int> list;
  std::uint8_t byte = 0;
  const auto in_a = [](auto f) { return [f](TomlSection& root) { f(root.section("a")); }; };
  EXPECT_EQ(complaint("[a]\n\nport = 70000", in_a([&](TomlSection s) {
                        s.read("port", port, {.least = 1, .most = 65'535, .unit = "of UDP"});
                      })),
            "[a] port has a value that is not allowed: x.toml:3: write a whole number from 1 to "
            "65535 (of UDP)");
  EXPECT_EQ(complaint("[a]\nload = 1.0", in_a([&](TomlSection s) {
                        s.read("load", load,
                               {.least = 0, .most = 1, .unit = {}, .most_excluded = true});
                      })),
            "[a] load has a value that is not allowed: x.toml:2: write a number from 0 to below 1");
  for (const char* bad : {"nan", "inf", "-0.1", "\"1\"", "[0.5]"})
    EXPECT_NE(complaint(fmt::format("load = {}", bad),
                        [&](TomlSection& s) { s.read("load", load, {.least = 0, .most = 1}); }),
              "")
        << bad;
  EXPECT_EQ(complaint("list = [1, 2, 3]",
                      [&](TomlSection& s) {
                        s.read("list", list, 2, {.least = 0, .most = 9, .unit = "ms"});
                      }),
            "list has a value that is not allowed: x.toml:1: write a list of at most 2 whole "
            "numbers from 0 to 9 (ms)");
  EXPECT_EQ(complaint("byte = 256", [&](TomlSection& s) { s.read("byte", byte, {}); }),
            "byte has a value that is not allowed: x.toml:1: write a whole number from 0 to 255");
  EXPECT_EQ(complaint("a = 1", in_a([](TomlSection) {})),
            "'a' is not a section: x.toml:1: write [a] and its keys below");
  EXPECT_EQ(complaint("[a]\nb = [1]", in_a([](TomlSection s) { s.sections("b"); })),
            "'a.b' is not a list of sections: x.toml:2: write [[a.b]] and its keys below, once for "
            "each");
  EXPECT_EQ(complaint("a = ", in_a([](TomlSection) {})).find("x.toml:1: correct the TOML"),
            complaint("a = ", in_a([](TomlSection) {})).size() -
                std::string_view("x.toml:1: correct the TOML at this line").size());
}

TEST(TomlSection, UnknownKeysAreErrorsEverywhere) {
  const auto read = [](TomlSection& root) {
    int n = 0;
    root.section("a").section("b").read("known", n, {});
    for (TomlSection& c : root.sections("c")) c.read("known", n, {});
  };
  EXPECT_EQ(complaint("[a.b]\nknown = 1\n[[c]]\nknown = 2", read), "");
  EXPECT_EQ(complaint("aa = 1", read),
            "unknown key 'aa' in the file: x.toml:1: did you mean 'a'? known: a, c");
  EXPECT_EQ(complaint("[a.b]\nknow = 1", read),
            "unknown key 'know' in [a.b]: x.toml:2: did you mean 'known'? known: known");
  EXPECT_EQ(complaint("[[c]]\nknown = 2\n[[c]]\nother = 1", read),
            "unknown key 'other' in [c]: x.toml:4: known: known");
  EXPECT_EQ(complaint("[a.z]\n", read),
            "unknown key 'z' in [a]: x.toml:1: did you mean 'b'? known: b");
}

TEST(TomlSection, AnInvalidFileIsAnError) {
  for (const char* path : {"/", "/nowhere/x.toml", "/dev/zero"})
    EXPECT_THROW(TomlFile::load(path), InputError) << path;
  TomlFile::load("/dev/null").done();
}

TEST(TomlSection, AKeyOfVeryManyPartsIsRefused) {
  std::string key;
  for (int i = 0; i < 50'000; ++i) key += "a.";
  const auto nothing = [](TomlSection&) {};
  EXPECT_NE(complaint(key + "b = 1", nothing).find("1000 parts: x.toml"), std::string::npos);
  EXPECT_NE(complaint("a = {" + key + "b = 1}", nothing).find("1000 parts"), std::string::npos);
  EXPECT_THROW(TomlFile::parse("", "x.toml").set(key + "b", "1"), InputError);
}

/// A number is accepted exactly if it is within its bounds.
RC_GTEST_PROP(TomlSection, TakesWhatIsWithinTheBounds, ()) {
  const auto least = *rc::gen::inRange<std::int64_t>(-300, 300);
  const auto most = *rc::gen::inRange<std::int64_t>(least, 600);
  const auto written =
      *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(-400, 700));
  const auto count_max = *rc::gen::inRange<std::size_t>(0, 10);
  bool fits = written.size() <= count_max;
  for (const std::int64_t n : written) fits &= n >= least && n <= most && n >= 0 && n <= 255;
  std::vector<std::uint8_t> bytes = {1, 2, 3};
  const std::string said = complaint(
      fmt::format("bytes = [{}]", fmt::join(written, ", ")),
      [&](TomlSection& s) { s.read("bytes", bytes, count_max, {.least = least, .most = most}); });
  RC_ASSERT(said.empty() == fits);
  if (fits)
    RC_ASSERT(std::ranges::equal(bytes, written));
  else
    RC_ASSERT(bytes == (std::vector<std::uint8_t>{1, 2, 3}));
}

/// The values of `load` and `list` for each combination of a sweep, a line each, and the axes.
std::string combinations(TomlFile& file) {
  std::string text;
  file.sweep();
  TomlChoice choice;
  while (true) {
    TomlSection s = file.root().section("t");
    double load = 0;
    std::vector<int> list;
    s.read("load", load, {.least = 0, .most = 1});
    s.read("list", list, 4, {});
    file.done();
    text += fmt::format("{} {}\n", load, fmt::join(list, ","));
    const std::vector<TomlAxis> axes = file.axes();
    auto axis = axes.rbegin();
    for (; axis != axes.rend(); ++axis) {  // the last axis varies fastest
      if (++choice[axis->key] < axis->values.size()) break;
      choice[axis->key] = 0;
    }
    if (axis == axes.rend()) return text;
    file.sweep(choice);
  }
}

TEST(TomlSweep, AListStandsForItsValues) {
  TomlFile file = TomlFile::parse("[t]\nload = [0.1, 0.5]\nlist = [[1, 2], [3]]", "x.toml");
  EXPECT_EQ(combinations(file), "0.1 1,2\n0.1 3\n0.5 1,2\n0.5 3\n");
  std::string axes;
  for (const TomlAxis& axis : file.axes())
    axes += fmt::format("{}: {}\n", axis.key, fmt::join(axis.values, " | "));
  EXPECT_EQ(axes, "t.load: 0.1 | 0.5\nt.list: [1, 2] | [3]\n");
}

TEST(TomlSweep, AListOfOneValueIsNoListOfLists) {
  TomlFile file = TomlFile::parse("[t]\nload = 0.25\nlist = [1, 2]", "x.toml");
  EXPECT_EQ(combinations(file), "0.25 1,2\n");
  EXPECT_TRUE(file.axes().empty());
}

TEST(TomlSweep, ItsValuesHaveBoundsToo) {
  const auto read = [](std::string_view text) {
    try {
      TomlFile file = TomlFile::parse(text, "x.toml");
      combinations(file);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(read("[t]\nload = [0.1, 2]"),
            "[t] load has a value that is not allowed: x.toml:2: write a number from 0 to 1");
  EXPECT_EQ(read("[t]\nload = []"),
            "[t] load has a value that is not allowed: x.toml:2: write a number from 0 to 1");
}

TEST(TomlSet, TakesTheFilesPlace) {
  TomlFile file = TomlFile::parse("[t]\nload = 0.25", "x.toml");
  file.set("t.load", "0.5");
  file.set("a.b.text", "updn");
  file.set("a.b.list", "[1, 2]");
  double load = 0;
  std::string text;
  std::vector<int> list;
  TomlSection t = file.root().section("t"), b = file.root().section("a").section("b");
  t.read("load", load, {});
  b.read("text", text);
  b.read("list", list, 2, {});
  EXPECT_EQ(load, 0.5);
  EXPECT_EQ(text, "updn");
  EXPECT_EQ(list, (std::vector{1, 2}));
  file.done();
}

TEST(TomlSet, IsNamedWhereItIsWrong) {
  const auto read = [](std::string_view key, std::string_view value) {
    try {
      TomlFile file = TomlFile::parse("[t]\nload = 0.25", "x.toml");
      file.set(key, value);
      double load = 0;
      TomlSection t = file.root().section("t");
      t.read("load", load, {.least = 0, .most = 1});
      file.done();
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(read("t.load", "2"),
            "[t] load has a value that is not allowed: t.load=2: write a number from 0 to 1");
  EXPECT_EQ(read("t.laod", "0.1"),
            "unknown key 'laod' in [t]: t.laod=0.1: did you mean 'load'? known: load");
  EXPECT_EQ(
      read("t.load.x", "1"),
      "a key is set in something that is not a section: 't.load.x=1': write SECTION.KEY=VALUE");
  EXPECT_EQ(read("t.", "1"), "a key has no name: 't.=1': write SECTION.KEY=VALUE");
}

}  // namespace
}  // namespace selvedge
