// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Paths that work in one direction only. As long as one path works in each direction, and be it
// another one, a connection opens, carries messages and closes. All pairs of sets of working paths
// are tried.
#include <gtest/gtest.h>

#include "tests/support/sanitized.hpp"
#include "tests/unit/protocol/world.hpp"

namespace selvedge::protocol {
namespace {

using namespace test;

/// The paths below `paths` that are not in `alive`, whose bits are paths.
std::set<unsigned> all_but(unsigned alive, unsigned paths) {
  std::set<unsigned> dead;
  for (unsigned p = 0; p < paths; ++p)
    if ((alive >> p & 1) == 0) dead.insert(p);
  return dead;
}

EndpointConfig with_paths(unsigned paths) {
  EndpointConfig c = small_config();
  c.sender.paths.paths = paths;
  return c;
}

/// Moves packets both ways and closes; returns what went wrong, or an empty string.
std::string moves(World& w, ConnectionId id, std::size_t there, std::size_t back) {
  const ConnectionId peer = w.other(id);
  World::Stream& a = w.streams[{0, id}];
  World::Stream& b = w.streams[{1, peer}];
  w.fill(0, id, there, kPayloadBytesMin);
  w.fill(1, peer, back, kPayloadBytesMin);
  const bool moved = w.run(30 * kSecond, [&] {
    return a.closed || b.closed ||
           (a.got == w.streams[{1, peer}].sent.size() && b.got == w.streams[{0, id}].sent.size());
  });
  if (!moved) return "got " + std::to_string(b.got) + " and " + std::to_string(a.got);
  if (a.closed || b.closed) return "closed: " + std::string(name(a.closed ? a.error : b.error));
  return a.wrong || b.wrong ? "something else was delivered than was sent" : "";
}

TEST(ReturnPaths, EveryPairOfPathSetsSurvives) {
  constexpr unsigned kPaths = 4, kAll = 1u << kPaths;
  for (unsigned forward = 1; forward < kAll; ++forward)
    for (unsigned backward = 1; backward < kAll; ++backward) {
      if (selvedge::test::sampled() &&
          (forward * kAll + backward + selvedge::test::draw_seed()) % 5 != 0)
        continue;
      SCOPED_TRACE(testing::Message() << "forward " << forward << ", backward " << backward);
      World w(with_paths(kPaths), {}, forward * kAll + backward);
      const auto id = w.open();
      ASSERT_TRUE(id);
      ASSERT_EQ(moves(w, *id, 200, backward % 2 == 0 ? 200 : 0), "");
      w.faults.dead_to = {all_but(backward, kPaths), all_but(forward, kPaths)};
      ASSERT_EQ(moves(w, *id, 300, backward % 2 == 0 ? 300 : 0), "");
      // The connection lives on, idle or not.
      if ((forward & backward) == 0) w.run(kSilenceNsMax + kSecond, [] { return false; });
      ASSERT_TRUE(w.side[0]->find(*id));
      ASSERT_EQ(moves(w, *id, 100, 0), "");
    }
}

TEST(ReturnPaths, EveryPairOfPathSetsOpensAndCloses) {
  constexpr unsigned kPaths = 4, kAll = 1u << kPaths;
  for (unsigned forward = 1; forward < kAll; ++forward)
    for (unsigned backward = 1; backward < kAll; ++backward) {
      SCOPED_TRACE(testing::Message() << "forward " << forward << ", backward " << backward);
      World w(with_paths(kPaths), {}, forward * kAll + backward);
      w.faults.dead_to = {all_but(backward, kPaths), all_but(forward, kPaths)};
      const auto id = w.open(kOpenTimeoutNs);
      ASSERT_TRUE(id);
      const ConnectionId peer = w.other(*id);
      ASSERT_EQ(moves(w, *id, 50, 50), "");
      for (const unsigned i : {0u, 1u}) {
        const ConnectionId mine = i == 0 ? *id : peer;
        w.side[i]->find(mine)->close();
        w.side[i]->mark_ready(mine);
      }
      ASSERT_TRUE(w.run(20 * kSecond,
                        [&] { return w.streams[{0, *id}].closed && w.streams[{1, peer}].closed; }));
      EXPECT_EQ((w.streams[{0, *id}].error), Error::kNone);
      EXPECT_EQ((w.streams[{1, peer}].error), Error::kNone);
    }
}

/// With single paths: 8 and 16 paths have too many sets to try all.
TEST(ReturnPaths, EveryPairOfSinglePathsOpens) {
  for (const unsigned paths : {8u, 16u})
    for (unsigned forward = 0; forward < paths; ++forward)
      for (unsigned backward = 0; backward < paths; backward += paths / 8) {
        SCOPED_TRACE(testing::Message() << paths << " paths: " << forward << ", " << backward);
        World w(with_paths(paths), {}, forward * paths + backward);
        w.faults.dead_to = {all_but(1u << backward, paths), all_but(1u << forward, paths)};
        const auto id = w.open(kOpenTimeoutNs);
        ASSERT_TRUE(id);
        ASSERT_EQ(moves(w, *id, 20, 20), "");
      }
}

/// Forward paths 0 to 3 and return paths 4 to 7 live. Once the dead paths are known, the flow is
/// nearly as fast as on a healthy network.
TEST(ReturnPaths, AFlowIsFastAgainOnceTheDeadPathsAreKnown) {
  World w(with_paths(8), {}, 1);
  const auto id = w.open();
  ASSERT_TRUE(id);
  TimeNs began = w.now;
  ASSERT_EQ(moves(w, *id, 5'000, 0), "");
  const TimeNs healthy = w.now - began;
  w.faults.dead_to = {std::set<unsigned>{0, 1, 2, 3}, std::set<unsigned>{4, 5, 6, 7}};
  ASSERT_EQ(moves(w, *id, 20'000, 0), "");
  began = w.now;
  ASSERT_EQ(moves(w, *id, 5'000, 0), "");
  EXPECT_LE(w.now - began, 2 * healthy);
  const ConnectionId peer = w.other(*id);
  const PathSet& back = w.side[1]->find(peer)->sender().paths();
  for (unsigned p = 4; p < 8; ++p) EXPECT_TRUE(back[p].alive) << p;
  for (unsigned p = 0; p < 4; ++p) EXPECT_FALSE(back[p].alive) << p;
  w.faults.dead_to = {};
  EXPECT_TRUE(w.run(kPathRetryNsMax + kSecond, [&] {
    if (w.streams[{0, *id}].sent.size() < w.streams[{1, peer}].got + 1'000)
      w.fill(0, *id, 1'000, kPayloadBytesMin);
    return w.side[0]->find(*id)->sender().paths().alive() == 8 && back.alive() == 8;
  }));
}

}  // namespace
}  // namespace selvedge::protocol
