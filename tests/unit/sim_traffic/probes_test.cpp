// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Streams that reserve their paths by probes, on both networks: what is reserved, what comes back,
// and what is sent then.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <ranges>

#include "plugin/tables/paths.hpp"
#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"
#include "sim/traffic/class_traffic.hpp"
#include "sim/traffic/probes.hpp"
#include "tests/support/routed.hpp"
#include "tests/unit/sim_traffic/support.hpp"

namespace selvedge::sim {
namespace {

using selvedge::test::Routed;

TEST(ProbedPaths, AreDistinctTheShortestFirstAndNameTheirReverse) {
  const Routed routed(torus({3, 3}), "multipath", 3);
  const Tables& tables = routed.routing.tables;
  std::size_t several = 0, reversed = 0;
  for (HostId from = 0; from < routed.fabric.num_hosts(); ++from)
    for (HostId to = 0; to < routed.fabric.num_hosts(); ++to) {
      if (from == to) continue;
      const std::vector<ProbedPath> paths = probed_paths(routed.fabric, tables, from, to);
      ASSERT_FALSE(paths.empty());
      several += paths.size() > 1;
      EXPECT_TRUE(std::ranges::is_sorted(
          paths, {}, [](const ProbedPath& p) { return std::pair(p.channels.size(), p.offset); }));
      std::vector<std::vector<Channel>> distinct;
      for (const ProbedPath& path : paths) {
        distinct.push_back(path.channels);
        EXPECT_EQ(path.channels.front(), routed.fabric.injection(from));
        EXPECT_EQ(path.channels.back(), routed.fabric.peer(routed.fabric.injection(to)));
        const Host &source = routed.fabric.host(from), &there = routed.fabric.host(to);
        const Path home = walk(routed.fabric, tables, there.at, there.port,
                               static_cast<Lid>(source.lid + path.back));
        ASSERT_TRUE(home.arrives());
        std::vector<Channel> way = {routed.fabric.injection(to)};
        way.insert(way.end(), home.channels.begin(), home.channels.end());
        way.push_back(routed.fabric.peer(routed.fabric.injection(from)));
        std::ranges::reverse(way);
        std::ranges::transform(way, way.begin(), [&](Channel c) { return routed.fabric.peer(c); });
        reversed += way == path.channels;
        EXPECT_TRUE(path.back == 0 || way == path.channels);
      }
      std::ranges::sort(distinct);
      EXPECT_EQ(std::ranges::adjacent_find(distinct), distinct.end());
    }
  EXPECT_GT(several, 20u);
  EXPECT_GT(reversed, 40u);
}

struct Seen {
  Admission admission;
  std::vector<Delivery> deliveries;  // of frames
  std::uint64_t frames = 0, nacks = 0;
};

TrafficSpec video(double load, double reserve) {
  TrafficSpec spec;
  spec.load = load;
  ClassSpec& of = spec.classes.emplace_back();
  of.name = "video";
  of.arrival = ClassArrival::kVideo;
  of.share = 1;
  of.paths = ClassSpec::Paths::kProbe;
  of.reserve = reserve;
  return spec;
}

Model model_for(const Routed& routed, const TrafficSpec& spec) {
  Parameters parameters;
  parameters.mtu_bytes = 1024;
  parameters.input_buffer_bytes = parameters.output_buffer_bytes = 4200;
  Model model = resolve(parameters, routed.routing.tables);
  set_classes(model, spec.classes);
  return model;
}

template <class Net>
Seen play(const Routed& routed, const TrafficSpec& spec, double ms, std::uint64_t seed) {
  const Model model = model_for(routed, spec);
  const auto traffic = make_class_traffic(spec, routed.fabric, model, seed, &routed.routing.tables);
  Net net(routed.fabric, routed.routing.tables, model, *traffic, seed);
  Seen seen;
  net.on_delivery([&](const Delivery& d) {
    if (d.tag >> 28U == 0) return seen.deliveries.push_back(d);
    const Host& source = routed.fabric.host(d.from);
    seen.nacks += d.dlid >= source.lid && d.dlid < source.lid + source.lid_count();
  });
  net.run(model.time_base.at(ms * 1e6));
  seen.admission = traffic->figures()[0].admission;
  seen.frames = traffic->figures()[0].frames;
  std::ranges::sort(seen.deliveries, {},
                    [](const Delivery& d) { return std::tuple(d.delivered, d.from, d.sequence); });
  return seen;
}

/// What is admitted keeps within the share of every link, and each stream takes one of its paths.
void check_reservations(const Routed& routed, const TrafficSpec& spec, double ms,
                        std::uint64_t seed) {
  const Seen seen = play<Network>(routed, spec, ms, seed);
  RC_ASSERT(seen.admission.admitted > 0u);
  RC_ASSERT(seen.nacks <= seen.admission.sent_back);
  RC_ASSERT(seen.admission.probes <=
            seen.admission.admitted + seen.admission.sent_back + seen.admission.lost);
  // Bytes by link, from what was delivered: no link carries more than its share over the time in
  // which all streams send. Frames vary, so the bound is not tight.
  std::map<Channel, double> bytes;
  std::map<std::pair<HostId, std::uint32_t>, Lid> lids;
  for (const Delivery& d : seen.deliveries) {
    const Host& source = routed.fabric.host(d.from);
    const Path path = walk(routed.fabric, routed.routing.tables, source.at, source.port, d.dlid);
    RC_ASSERT(path.arrives());
    for (const Channel c : path.channels) bytes[c] += d.bytes;
    bytes[routed.fabric.injection(d.from)] += d.bytes;
  }
  const Model model = model_for(routed, spec);
  for (const auto& [c, sum] : bytes) {
    const double most = ms * 1e6 / model.time_base.ns(model.link(routed.fabric, c).byte_time);
    RC_ASSERT(sum / most < spec.classes[0].reserve * 1.25);
  }
}

RC_GTEST_PROP(Probes, keep_to_their_share_of_every_link, (std::uint64_t seed)) {
  const double load = *rc::gen::element(0.2, 0.5, 0.9), reserve = *rc::gen::element(0.3, 0.6);
  const Routed routed(torus({3, 3}), "multipath", *rc::gen::inRange(0u, 4u));
  check_reservations(routed, video(load, reserve), 60, seed);
}

TEST(Probes, StreamsThatFindNoRoomAreRefusedAndWhatFitsIsNot) {
  const Routed routed(torus({3, 3}), "multipath", 3);
  const Seen crowded = play<Network>(routed, video(0.9, 0.2), 100, 1);
  EXPECT_GT(crowded.admission.refused, 0u);
  EXPECT_GT(crowded.admission.sent_back, 0u);
  const Seen roomy = play<Network>(routed, video(0.05, 1), 100, 1);
  EXPECT_EQ(roomy.admission.refused, 0u);
  EXPECT_EQ(roomy.admission.sent_back, 0u);
  EXPECT_EQ(roomy.admission.admitted + roomy.admission.lost, roomy.admission.probes);
  EXPECT_GT(roomy.frames, roomy.admission.admitted);
}

/// With several LIDs a stream whose shortest path is full takes another one.
TEST(Probes, SeveralPathsAdmitMoreThanOne) {
  // All go one way round a ring, where there is room for half of them.
  TrafficSpec spec = video(0.4, 0.42);
  spec.classes[0].pattern = "shift";
  spec.shift = 2;
  const Routed several(torus({3}, 2), "tftr", 1), one(torus({3}, 2), "tftr", 0);
  const Admission more = play<Network>(several, spec, 80, 1).admission;
  const Admission few = play<Network>(one, spec, 80, 1).admission;
  EXPECT_GT(more.admitted, few.admitted);
  EXPECT_LT(more.refused, few.refused);
}

TEST(Probes, FastAndReferenceAgree) {
  const Routed routed(torus({3}, 2), "tftr", 1);
  TrafficSpec spec = video(0.04, 0.045);
  spec.classes[0].pattern = "shift";
  spec.shift = 2;
  const Seen fast = play<Network>(routed, spec, 25, 3), slow = play<Reference>(routed, spec, 25, 3);
  EXPECT_EQ(fast.admission, slow.admission);
  ASSERT_EQ(fast.deliveries.size(), slow.deliveries.size());
  for (std::size_t i = 0; i < fast.deliveries.size(); ++i) {
    Delivery of_fast = fast.deliveries[i];
    of_fast.tag =
        slow.deliveries[i].tag;  // frames are numbered in the order in which hosts are asked
    ASSERT_EQ(of_fast, slow.deliveries[i]);
  }
  EXPECT_EQ(fast.frames, slow.frames);
  EXPECT_GT(fast.admission.sent_back, 0u);
  EXPECT_GT(fast.deliveries.size(), 100u);
}

}  // namespace
}  // namespace selvedge::sim
