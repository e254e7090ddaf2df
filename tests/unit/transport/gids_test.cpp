// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests which GIDs of a port serve as the ends of paths, and the destination of each path.
#include "daemon/transport/gids.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "daemon/transport/verbs_paths.hpp"

namespace selvedge::transport {
namespace {

Gid gid(const std::string& text) {
  Gid g{};
  const std::string six = text.find(':') == std::string::npos ? "::ffff:" + text : text;
  EXPECT_EQ(inet_pton(AF_INET6, six.c_str(), g.data()), 1) << text;
  return g;
}

TEST(Gids, RoutableOnesOfRoceV2AreChosen) {
  const std::vector<GidEntry> all{{0, gid("fe80::1"), false},    {1, gid("fe80::1"), true},
                                  {2, gid("10.0.1.1"), false},   {3, gid("10.0.1.1"), true},
                                  {4, gid("2001:db8::1"), true}, {5, gid("10.0.1.1"), true}};
  const auto chosen = choose_gids(all);
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].index, 3u);
  EXPECT_EQ(chosen[1].index, 4u);
  const auto of_link = choose_gids(std::span(all).first(2));
  ASSERT_EQ(of_link.size(), 1u);
  EXPECT_EQ(of_link[0].index, 1u);
  EXPECT_EQ(choose_gids(std::span(all).first(1)).size(), 1u);  // RoCE v1, if there is no other
  EXPECT_TRUE(choose_gids({}).empty());
}

TEST(Gids, AddressesOfASubnetArePairedInAnyOrder) {
  const std::vector<Gid> theirs{gid("10.0.3.2"), gid("10.0.1.2"), gid("2001:db8::2"),
                                gid("10.0.2.2")};
  EXPECT_EQ(nearest_gid(gid("10.0.1.1"), theirs, 0), 1u);
  EXPECT_EQ(nearest_gid(gid("10.0.3.1"), theirs, 1), 0u);
  EXPECT_EQ(nearest_gid(gid("2001:db8::9"), theirs, 2), 2u);
}

/// The model compares addresses as strings of bits, from the left.
RC_GTEST_PROP(Gids, TheNearestHasTheLongestCommonPrefixOfItsFamily, ()) {
  const auto any = rc::gen::exec([] {
    const auto last = *rc::gen::inRange(0, 8);
    return *rc::gen::arbitrary<bool>()
               ? gid(fmt::format("10.0.{}.{}", *rc::gen::inRange(0, 8), last))
               : gid(fmt::format("2001:db8::{}", last));
  });
  const Gid own = *any;
  const auto theirs = *rc::gen::nonEmpty(rc::gen::container<std::vector<Gid>>(any));
  const auto bits = [](const Gid& g) {
    std::string text;
    for (const std::uint8_t byte : g)
      for (int b = 7; b >= 0; --b) text += (byte >> b & 1) != 0 ? '1' : '0';
    return text;
  };
  const auto common = [&](const Gid& g) {
    if (ipv4(g) != ipv4(own)) return -1;
    int n = 0;
    while (n < 128 &&
           bits(g)[static_cast<std::size_t>(n)] == bits(own)[static_cast<std::size_t>(n)])
      ++n;
    return n;
  };
  int most = -1;
  for (const Gid& g : theirs) most = std::max(most, common(g));
  std::set<std::size_t> taken;
  for (unsigned path = 0; path < 16; ++path) {
    const std::size_t i = nearest_gid(own, theirs, path);
    RC_ASSERT(common(theirs.at(i)) == most);
    taken.insert(i);
  }
  // Paths rotate over GIDs with equally long prefixes.
  const auto equals =
      std::ranges::count_if(theirs, [&](const Gid& g) { return common(g) == most; });
  RC_ASSERT(taken.size() == std::min<std::size_t>(16, static_cast<std::size_t>(equals)));
}

TEST(Gids, TheSourceIsReadFromTheGrh) {
  std::array<std::byte, 40> six{}, four{};
  six[0] = std::byte{0x60};
  const Gid from = gid("2001:db8::7");
  std::memcpy(six.data() + 8, from.data(), 16);
  EXPECT_EQ(source_gid(six), from);
  four.fill(std::byte{0});
  four[20] = std::byte{0x45};
  four[32] = std::byte{10};
  four[35] = std::byte{9};
  EXPECT_EQ(source_gid(four), gid("10.0.0.9"));
  EXPECT_EQ(to_string(source_gid(four)), "10.0.0.9");
}

TEST(Handles, CarryThePathRecord) {
  const PathRecord record{.slid = 8, .dlid = 0x123, .sl = 5, .rate = 7, .mtu_bytes = 4096};
  const ibv_ah_attr a = infiniband_attributes(2, record);
  EXPECT_EQ(a.port_num, 2);
  EXPECT_EQ(a.dlid, 0x123);
  EXPECT_EQ(a.sl, 5);
  EXPECT_EQ(a.static_rate, 7);
  EXPECT_EQ(a.src_path_bits, 0);
  EXPECT_EQ(a.is_global, 0);
}

TEST(Handles, OfRoceCarryBothGids) {
  const Gid theirs = gid("10.0.2.2");
  const ibv_ah_attr a = roce_attributes(1, {.index = 3, .gid = gid("10.0.2.1")}, theirs, 1);
  EXPECT_EQ(a.is_global, 1);
  EXPECT_EQ(a.grh.sgid_index, 3);
  EXPECT_EQ(std::memcmp(a.grh.dgid.raw, theirs.data(), 16), 0);
  EXPECT_GT(a.grh.hop_limit, 1);
  std::set<std::uint32_t> labels;
  for (unsigned path = 0; path < protocol::kPathsMax; ++path)
    labels.insert(roce_attributes(1, {}, theirs, path).grh.flow_label);
  EXPECT_EQ(labels.size(), protocol::kPathsMax);
  EXPECT_LT(*labels.rbegin(), 1u << 20);
}

TEST(Gids, MarksOfCongestionAreInEitherHeader) {
  std::array<std::byte, 40> six{}, four{};
  six[0] = std::byte{0x60};
  four[20] = std::byte{0x45};
  for (unsigned ecn = 0; ecn < 4; ++ecn) {
    six[1] = static_cast<std::byte>(ecn << 4 | 0xcf);  // the flow label's first bits are below
    six[21] = std::byte{3};                            // of an address
    four[21] = static_cast<std::byte>(0xb8 | ecn);
    four[1] = std::byte{0x30};
    EXPECT_EQ(congestion_marked(six), ecn == 3);
    EXPECT_EQ(congestion_marked(four), ecn == 3);
  }
}

}  // namespace
}  // namespace selvedge::transport
