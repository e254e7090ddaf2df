// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/placement.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <set>

#include "base/error.hpp"

namespace selvedge::service {
namespace {

TEST(Cpus, MalformedListsAreRejected) {
  for (const char* text : {"", ",", "0,", ",0", "-1", "1-", "3-1", "a", "0 1", "0x1", "1024",
                           "0-1024", "99999999999", "1--2", "1-2-3"})
    EXPECT_FALSE(parse_cpus(text)) << text;
  EXPECT_EQ(parse_cpus("0"), std::vector<unsigned>{0});
  EXPECT_EQ(parse_cpus("1023"), std::vector<unsigned>{1'023});
  EXPECT_EQ(parse_cpus("8,0-2,1"), (std::vector<unsigned>{0, 1, 2, 8}));
}

/// A set of CPUs that is written as ranges, in any order and overlapping, is parsed as that set.
RC_GTEST_PROP(Cpus, AListIsASet, ()) {
  std::set<unsigned> cpus;
  std::string text;
  const int parts = *rc::gen::inRange(1, 8);
  for (int i = 0; i < parts; ++i) {
    const unsigned first = *rc::gen::inRange(0u, kCpusMax);
    const unsigned last = *rc::gen::inRange(first, std::min(kCpusMax, first + 20));
    for (unsigned n = first; n <= last; ++n) cpus.insert(n);
    if (i != 0) text += ',';
    text += first == last && *rc::gen::arbitrary<bool>() ? fmt::format("{}", first)
                                                         : fmt::format("{}-{}", first, last);
  }
  RC_ASSERT(parse_cpus(text) == std::vector<unsigned>(cpus.begin(), cpus.end()));
}

TEST(Identity, UsersAndGroupsByNameAndNumber) {
  EXPECT_FALSE(resolve_identity("", ""));
  const auto root = resolve_identity("root", "");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->user, 0u);
  EXPECT_EQ(root->group, 0u);
  const auto number = resolve_identity("4711", "4712");  // no such user here, but numbers suffice
  ASSERT_TRUE(number);
  EXPECT_EQ(number->user, 4'711u);
  EXPECT_EQ(number->group, 4'712u);
  EXPECT_THROW(resolve_identity("nobody-of-that-name", ""), InputError);
  EXPECT_THROW(resolve_identity("root", "no-such-group"), InputError);
  EXPECT_THROW(resolve_identity("4294967295", "0"), InputError);  // -1: "leave unchanged"
}

TEST(Identity, SwitchingToTheOwnUserIsNoError) {
  if (getuid() == 0) GTEST_SKIP() << "root would become root";
  Identity me;
  me.user = getuid();
  me.group = getgid();
  switch_user(me);
  me.user = 0;
  EXPECT_THROW(switch_user(me), EnvironmentError);
}

}  // namespace
}  // namespace selvedge::service
