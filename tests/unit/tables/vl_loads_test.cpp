// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/vl_loads.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/tables/bandwidth.hpp"
#include "plugin/tables/paths.hpp"
#include "support.hpp"

namespace selvedge {
namespace {

using test::add_host;
using test::add_switch;

constexpr unsigned kVls = 16;

//  H-0 H-1     H-2         H-3    Cables: ports 1 (to the left) and 2 (to the right). Hosts: 3, 4.
//     \ /       |           |
//     S-0 ---- S-1 ------- S-2
struct LineOfThree {
  LineOfThree() {
    FabricBuilder b;
    for (unsigned s = 0; s < 3; ++s) add_switch(b, s, 4);
    constexpr unsigned at[] = {0, 0, 1, 2};
    for (unsigned h = 0; h < 4; ++h) add_host(b, h, at[h], h == 1 ? 4 : 3, 4 + h);
    b.connect(0, 2, 1, 1);
    b.connect(1, 2, 2, 1);
    fabric = std::move(b).build("line");
    tables = Tables(fabric);
    for (const Host& host : fabric.hosts())
      for (SwitchId s = 0; s < 3; ++s)
        tables.set_next(s, host.lid, s == host.at ? host.port : s < host.at ? 2 : 1);
  }
  std::uint64_t load(SwitchId s, PortNum port, Vl vl) const {
    return base_vl_loads(fabric, tables)[fabric.channel(s, port) * kVls + vl];
  }
  Fabric fabric;
  Tables tables;
};

TEST(VlLoads, OnOneVlTheyAreTheLoadsOfChannels) {
  const LineOfThree l;
  EXPECT_EQ(l.load(0, 2, 0), 4u);
  EXPECT_EQ(l.load(1, 2, 0), 3u);
  EXPECT_EQ(l.load(1, 1, 0), 4u);
  EXPECT_EQ(l.load(2, 1, 0), 3u);
  EXPECT_EQ(base_vl_load_max(l.fabric, l.tables), 4u);
}

TEST(VlLoads, FollowSlsAndPortsOfEntry) {
  LineOfThree l;
  // From S-0 to the last host on SL 1, which changes to VL 3 where it comes from S-0 by cable.
  l.tables.set_sl(0, l.fabric.host(3).lid, 1);
  Sl2VlRow row{};
  row[1] = 3;
  l.tables.sl2vl.set(1, 1, 2, row);
  EXPECT_EQ(l.load(0, 2, 0), 4u);
  EXPECT_EQ(l.load(1, 2, 3), 2u);
  EXPECT_EQ(l.load(1, 2, 0), 1u);
  // One of the two hosts on S-0 begins on VL 5 whatever its SL.
  row.fill(5);
  l.tables.sl2vl.set(0, 4, 2, row);
  EXPECT_EQ(l.load(0, 2, 0), 2u);
  EXPECT_EQ(l.load(0, 2, 5), 2u);
  EXPECT_EQ(l.load(1, 2, 3), 2u);
  // The other's packets are dropped there.
  row.fill(kDropVl);
  l.tables.sl2vl.set(0, 3, 2, row);
  EXPECT_EQ(l.load(0, 2, 0), 0u);
  EXPECT_EQ(l.load(0, 2, kDropVl), 0u);
  EXPECT_EQ(l.load(1, 2, 3), 1u);
}

TEST(VlLoads, NothingIsLoadedWithoutCables) {
  EXPECT_EQ(base_vl_load_max(Fabric{}, Tables{Fabric{}}), 0u);
}

/// By the definition, pair by pair.
std::vector<std::uint64_t> naive_vl_loads(const Fabric& f, const Tables& t) {
  Tables by_lft = t;
  by_lft.sl2vl = Sl2Vl(f);
  by_lft.host_sl2vl = {};
  std::vector<std::uint64_t> load(f.num_switch_channels() * kVls, 0);
  for (HostId s = 0; s < f.num_hosts(); ++s)
    for (HostId d = 0; d < f.num_hosts(); ++d) {
      const Host &from = f.host(s), &to = f.host(d);
      if (s == d || !f.attached(s) || !f.attached(d) || from.lid == kNoLid || to.lid == kNoLid)
        continue;
      const Path path = walk(f, by_lft, from.at, from.port, to.lid);
      if (!path.arrives()) continue;
      PortNum in = from.port;
      for (const Channel c : path.channels) {
        const PortNum out = f.port_of(c);
        const SwitchId at = f.target(f.peer(c));
        const Vl vl = t.sl2vl.row(at, in, out)[t.sl(from.at, to.lid)];
        if (vl == kDropVl) break;
        ++load[c * kVls + vl];
        in = f.port_of(f.peer(c));
      }
    }
  return load;
}

RC_GTEST_PROP(VlLoads, EqualAPairByPairCount, ()) {
  const auto [fabric, tables] = test::random_sample(test::any_seed(), test::any_options());
  RC_ASSERT(base_vl_loads(fabric, tables) == naive_vl_loads(fabric, tables));
}

TEST(VlLoads, EqualAPairByPairCountOnDenseSamples) {
  unsigned several = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto [fabric, tables] = test::random_sample(seed, test::dense_options(seed, 12));
    EXPECT_EQ(base_vl_loads(fabric, tables), naive_vl_loads(fabric, tables)) << seed;
    several += base_vl_load_max(fabric, tables) < base_channel_load_max(fabric, tables);
  }
  EXPECT_GT(several, 30u);  // samples in which VLs share the busiest channel
}

}  // namespace
}  // namespace selvedge
