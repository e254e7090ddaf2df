// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Multicast groups: who is in them, and what sources send to them with and without replication.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "sim/traffic/class_traffic.hpp"
#include "sim/traffic/frames.hpp"
#include "sim/traffic/groups.hpp"
#include "sim/traffic/packets.hpp"
#include "tests/unit/sim_traffic/support.hpp"

namespace selvedge::sim {
namespace {

using test::line;
using test::small_model;

TrafficSpec with_groups(std::vector<unsigned> sizes, ClassArrival arrival, double load = 1e-6) {
  TrafficSpec spec;
  spec.load = load;
  ClassSpec one;
  one.name = "many";
  one.share = 1;
  one.arrival = arrival;
  one.size_bytes = 700;
  one.groups = std::move(sizes);
  spec.classes = {one};
  return spec;
}

TEST(Groups, HaveTheirSizesAndDifferentMembers) {
  const Fabric fabric = line(9);
  const Terminals terminals(fabric);
  TrafficSpec spec = with_groups({2, 4, 9}, ClassArrival::kPoisson);
  spec.classes.push_back(spec.classes[0]);
  std::set<std::vector<HostId>> seen;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<MulticastGroup> groups = groups_of(spec, terminals, seed);
    ASSERT_EQ(groups.size(), 6u);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::vector<HostId>& members = groups[g].members;
      EXPECT_EQ(members.size(), spec.classes[0].groups[g % 3]);
      EXPECT_TRUE(std::ranges::is_sorted(members));
      EXPECT_EQ(std::set<HostId>(members.begin(), members.end()).size(), members.size());
      EXPECT_EQ(groups[g].members, groups[g % 3].members);
      EXPECT_EQ(groups[g].receivers(members[0]).size(), members.size() - 1);
    }
    seen.insert(groups[1].members);
  }
  EXPECT_GT(seen.size(), 15u);
  EXPECT_EQ(first_group(spec, 1), 3u);
  std::set<Lid> mlids;
  for (std::size_t g = 0; g < 6; ++g)
    for (HostId h = 0; h < 9; ++h) mlids.insert(mlid_of(g, h, fabric));
  EXPECT_EQ(mlids.size(), 54u);
  EXPECT_GT(*mlids.begin(), kMinMulticastLid);
  spec.classes[0].groups = {10};
  EXPECT_THROW(groups_of(spec, terminals, 1), InputError);
}

/// Without replication each message goes to the receivers one after the other, all at its time;
/// with replication once, to the MLID of the group and the source.
TEST(Groups, ReceiveAMessageEachOrOneForAll) {
  const Fabric fabric = line(6);
  for (const ClassArrival arrival : {ClassArrival::kPoisson, ClassArrival::kVideo}) {
    const TrafficSpec spec = with_groups({2, 4, 4}, arrival);
    const auto groups = groups_of(spec, Terminals(fabric), 3);
    Model model = small_model();
    set_classes(model, spec.classes);
    const auto unicast = make_class_traffic(spec, fabric, model, 3);
    Model replicating = model;
    replicating.replication = Replication::kCounter;
    const auto multicast = make_class_traffic(spec, fabric, replicating, 3);
    EXPECT_TRUE(multicast->sends_multicast());
    EXPECT_FALSE(unicast->sends_multicast());
    std::set<std::size_t> used;
    for (unsigned i = 0; i < 40; ++i) {
      const Message all = multicast->next_of(2, 0);
      ASSERT_NE(all.mlid, kNoLid);
      const std::size_t g = (all.mlid - mlid_of(0, 2, fabric)) / fabric.num_hosts();
      ASSERT_EQ(mlid_of(g, 2, fabric), all.mlid);
      used.insert(g);
      EXPECT_EQ(all.to, kNoHost);
      EXPECT_EQ(multicast->receivers(2, all), groups[g].receivers(2).size());
      for (const HostId member : groups[g].receivers(2)) {
        const Message one = unicast->next_of(2, 0);
        EXPECT_EQ(one.to, member);
        EXPECT_EQ(one.mlid, kNoLid);
        EXPECT_EQ(one.at, all.at);
        EXPECT_EQ(one.bytes, all.bytes);
        EXPECT_EQ(one.tag, all.tag);
        EXPECT_EQ(unicast->receivers(2, one), 1u);
      }
    }
    if (arrival == ClassArrival::kPoisson) {
      EXPECT_EQ(used.size(), 3u);
    }
  }
}

/// A frame counts for each member when its last packet comes there; each member has deadlines of
/// its own.
TEST(Groups, CountAFrameForEachMember) {
  const Fabric fabric = line(3);
  TrafficSpec spec = with_groups({3}, ClassArrival::kVideo);
  spec.classes[0].first_deadline_ms = 5;
  Model model = small_model();
  model.replication = Replication::kCentral;
  set_classes(model, spec.classes);
  const auto traffic = make_class_traffic(spec, fabric, model, 5);
  const Tick ms = model.time_base.at(1e6);
  traffic->begin_measurement();
  std::vector<HostId> woken;
  const auto end = [&](const Message& m, HostId to, Tick after, bool lost) {
    const Delivery d{.from = 0,
                     .to = to,
                     .last = true,
                     .bytes = 100,
                     .tag = m.tag,
                     .generated = m.at,
                     .delivered = m.at + after};
    lost ? traffic->lost(d, woken) : traffic->delivered(d, woken);
  };
  const Message first = traffic->next_of(0, 0), second = traffic->next_of(0, 0);
  end(first, 1, 4 * ms, false);
  end(first, 2, 15 * ms, false);  // 10 ms late
  EXPECT_EQ(traffic->figures()[0].frames, 2u);
  EXPECT_EQ(traffic->figures()[0].missed, 1u);
  EXPECT_EQ(traffic->figures()[0].late, 10 * ms);
  end(second, 1, 6 * ms, false);   // a ms late
  end(second, 2, 14 * ms, false);  // in time: host 2's deadline moved with the frame before
  EXPECT_EQ(traffic->figures()[0].frames, 4u);
  EXPECT_EQ(traffic->figures()[0].missed, 2u);
  EXPECT_EQ(traffic->figures()[0].late, 11 * ms);
  end(second, kNoHost, 7 * ms, true);
  EXPECT_EQ(traffic->figures()[0].frames_lost, 1u);
}

}  // namespace
}  // namespace selvedge::sim
