// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Traces: reading, refusals, and replay.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "sim/traffic/trace.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/sim_traffic/ideal_network.hpp"
#include "tests/unit/sim_traffic/support.hpp"

namespace selvedge::sim {
namespace {

using test::IdealNetwork;
using test::line;
using test::Sent;
using test::small_model;

std::string refusal(const std::string& text) {
  try {
    read_trace(text, "t.csv", line(3));
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Trace, IsRead) {
  const Trace trace = read_trace(
      "# a ping and its pong\n"
      "id, time_ns, from, to, bytes, after\r\n"
      "\n"
      "7,0.5,H-0,H-1,100,\n"
      "8,20,1,\"H-0\",64,7\n"
      "9,1e3,2,0,0,8 7\n",
      "t.csv", line(3));
  ASSERT_EQ(trace.messages.size(), 3u);
  EXPECT_EQ(trace.messages[0], (TraceMessage{0.5, 0, 1, 100}));
  EXPECT_EQ(trace.messages[1], (TraceMessage{20, 1, 0, 64}));
  EXPECT_EQ(trace.messages[2], (TraceMessage{1000, 2, 0, 0}));
  EXPECT_EQ(trace.after, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(trace.after_first, (std::vector<std::uint32_t>{0, 0, 1, 3}));
}

TEST(Trace, ColumnsMayComeInAnyOrderAndNamesMayHoldCommas) {
  FabricBuilder builder;
  builder.add_switch({.guid = 1, .name = "S", .ports = 4});
  Host host{.guid = 10, .node_guid = 10, .name = "db, \"new\"", .at = 0, .port = 1};
  builder.add_host(host);
  host.guid = host.node_guid = 11;
  host.name = "web";
  host.port = 2;
  builder.add_host(host);
  const Fabric fabric = std::move(builder).build("test");
  const Trace trace =
      read_trace("to,bytes,from,time_ns\n\"db, \"\"new\"\"\",5,web,3\n", "t.csv", fabric);
  EXPECT_EQ(trace.messages[0], (TraceMessage{3, 1, 0, 5}));
  EXPECT_TRUE(read_trace("vl15,to,bytes,from,time_ns\n1,0,5,1,3\n", "t.csv", fabric)
                  .messages[0]
                  .management);
}

// Two nodes with the same description are named by switch and port, or by GUID.
TEST(Trace, NodesOfOneDescription) {
  FabricBuilder builder;
  builder.add_switch({.guid = 1, .name = "S", .ports = 4});
  Host host{.guid = 10, .node_guid = 10, .name = "node", .at = 0, .port = 1};
  builder.add_host(host);
  host.guid = host.node_guid = 11;
  host.port = 2;
  builder.add_host(host);
  const Fabric fabric = std::move(builder).build("test");
  const std::string head = "from,to,bytes,time_ns\n";
  const Trace trace = read_trace(head + "S:2,0xa,5,3\n", "t.csv", fabric);
  EXPECT_EQ(trace.messages[0], (TraceMessage{3, 1, 0, 5}));
  try {
    read_trace(head + "node,S:1,5,3\n", "t.csv", fabric);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(),
                 "2 hosts have this name (S:1, S:2) at 'node': t.csv:2: name the one you mean by "
                 "its switch and port, or by its port's GUID");
  }
}

TEST(Trace, ErrorsNameTheirLine) {
  const std::string head = "id,time_ns,from,to,bytes,after\n1,0,H-0,H-1,8,\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "no header: t.csv:"},
      {"time_ns,from,to\n", "no column 'bytes': t.csv:1"},
      {"time_ns,from,to,byte\n",
       "unknown column 'byte' of the trace: t.csv:1: did you mean 'bytes'"},
      {"time_ns,from,from,to,bytes\n", "'from' is duplicated: t.csv:1"},
      {"time_ns,from,to,bytes,after\n", "none 'id': t.csv:1"},
      {"time_ns,from,to,bytes,vl15\n0,0,1,8,2\n", "vl15 is '2': t.csv:2"},
      {head + "2,0,H-0,H-9,8,\n", "unknown host 'H-9': t.csv:3"},
      {head + "2,0,3,H-1,8,\n",
       "unknown host '3': t.csv:3: name a host of the fabric, or a number below 3"},
      {head + "2,0,H-1,1,8,\n", "to itself: t.csv:3"},
      {head + "2,-1,0,1,8,\n", "time_ns is '-1': t.csv:3"},
      {head + "2,nan,0,1,8,\n", "time_ns is 'nan': t.csv:3"},
      {head + "2,1e300,0,1,8,\n", "time_ns is '1e300': t.csv:3"},
      {head + "2,0,0,1,many,\n", "bytes is 'many': t.csv:3"},
      {head + "2,0,0,1,4294967295,\n", "bytes is '4294967295': t.csv:3"},
      {head + "2,0,0,1,8,3\n", "after is '3': t.csv:3"},
      {head + "2,0,0,1,8,2\n", "after is '2': t.csv:3"},
      {head + "1,0,0,1,8,\n", "id 1 is duplicated: t.csv:3"},
      {head + "x,0,0,1,8,\n", "id is 'x': t.csv:3"},
      {head + "2,0,0,1,8\n", "has 5 fields: t.csv:3: write 6"},
      {head + "2,0,\"0,1,8,\n", "quote is not closed: t.csv:3"},
      {head + "2,0,\"0\"x,1,8,\n", "follow a field's closing quote: t.csv:3"},
  };
  for (const auto& [text, said] : cases)
    EXPECT_NE(refusal(text).find(said), std::string::npos) << refusal(text) << "\n  not: " << said;
}

TEST(Trace, AHostWithoutCableIsRefused) {
  Fault fault;
  const Fabric whole = line(3);
  fault.links.push_back(whole.injection(1));
  const Fabric fabric = without(whole, fault);
  try {
    read_trace("time_ns,from,to,bytes\n0,H-0,H-1,1\n", "t.csv", fabric);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("'H-1' has no cable: t.csv:2"), std::string::npos);
  }
  EXPECT_EQ(read_trace("time_ns,from,to,bytes\n0,0,1,1\n", "t.csv", fabric).messages[0].to, 2u);
}

TEST(Trace, AMissingFileIsReported) {
  EXPECT_THROW(read_trace_file("/nonexistent/t.csv", line(3)), InputError);
  EXPECT_THROW(read_trace_file("/", line(3)), InputError);
  TrafficSpec spec;
  spec.pattern = "trace";
  EXPECT_THROW(make_traffic(spec, line(3), small_model(), 1), InputError);
}

/// Any trace that can be written.
Trace any_trace(const Fabric& fabric) {
  std::vector<HostId> hosts;
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (fabric.attached(h)) hosts.push_back(h);
  RC_PRE(hosts.size() >= 2u);
  Trace trace;
  const auto count = *rc::gen::inRange<std::size_t>(0, 60);
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t from = random.below(hosts.size());
    const std::size_t to = (from + 1 + random.below(hosts.size() - 1)) % hosts.size();
    std::vector<std::uint32_t> waits;
    while (i > 0 && waits.size() < 3 && random.chance(40)) {
      const auto before = static_cast<std::uint32_t>(random.below(i));
      if (std::find(waits.begin(), waits.end(), before) == waits.end()) waits.push_back(before);
    }
    trace.add({.time_ns = static_cast<double>(random.below(4000)) / 16,
               .from = hosts[from],
               .to = hosts[to],
               .bytes = static_cast<std::uint32_t>(random.below(1000)),
               .management = random.chance(20)},
              waits);
  }
  return trace;
}

RC_GTEST_PROP(Trace, WritingAndReadingRoundTrip, ()) {
  const Fabric fabric = *selvedge::test::any_fabric();
  const Trace trace = any_trace(fabric);
  RC_ASSERT(read_trace(write_trace(trace, fabric), "t.csv", fabric) == trace);
}

/// The expected time of each message, computed directly from the trace.
RC_GTEST_PROP(Trace, IsReplayedAtItsTimes, ()) {
  const Fabric fabric = line(*rc::gen::inRange(2u, 8u));
  const Trace trace = any_trace(fabric);
  const Model model = small_model();
  const double compression = *rc::gen::element(1.0, 0.5, 4.0);

  struct Ear final : Traffic {
    explicit Ear(std::unique_ptr<Traffic> traffic) : inner(std::move(traffic)) {}
    Message next(HostId from) override { return inner->next(from); }
    void put_back(HostId from) override { inner->put_back(from); }
    bool wants_deliveries() const override { return true; }
    void delivered(const Delivery& d, std::vector<HostId>& woken) override {
      arrived[d.tag] = std::max(arrived[d.tag], d.delivered);
      if (inner->wants_deliveries()) inner->delivered(d, woken);
    }
    void lost(const Delivery& d, std::vector<HostId>& woken) override {
      broken.push_back(d.tag);
      if (inner->wants_deliveries()) inner->lost(d, woken);
    }
    std::unique_ptr<Traffic> inner;
    std::map<std::uint32_t, Tick> arrived;
    std::vector<std::uint32_t> broken;
  };
  const auto played = [&](unsigned lost_percent, std::uint64_t shuffled) {
    Ear ear(replay(trace, fabric, model, compression));
    IdealNetwork network(ear, fabric, model,
                         {.slowest = 40, .lost_percent = lost_percent, .shuffled = shuffled});
    network.run(kNever);
    RC_ASSERT(!::testing::Test::HasFailure());
    std::map<std::uint32_t, Sent> sent;
    for (const Sent& s : network.sent()) RC_ASSERT(sent.emplace(s.tag, s).second);
    for (std::uint32_t i = 0; i < trace.messages.size(); ++i) {
      Tick begin = 0;
      bool possible = true;
      for (const std::uint32_t before : trace.waits_for(i)) {
        const bool whole =
            sent.count(before) != 0 &&
            std::find(ear.broken.begin(), ear.broken.end(), before) == ear.broken.end();
        possible &= whole;
        if (whole) begin = std::max(begin, ear.arrived[before] + 1);
      }
      RC_ASSERT(possible == (sent.count(i) != 0));
      if (!possible) continue;
      const TraceMessage& m = trace.messages[i];
      const auto at = begin + static_cast<Tick>(m.time_ns / compression);
      RC_ASSERT((sent.at(i) == Sent{at, m.from, m.to, m.bytes, i}));
    }
    return sent;
  };
  RC_ASSERT(played(0, 1).size() == trace.messages.size());
  RC_ASSERT(played(15, 1) == played(15, 2));
}

TEST(Trace, MakeTrafficReplaysAFile) {
  const std::string path =
      fmt::format("{}/selvedge-trace-{}.csv", ::testing::TempDir(), ::getpid());
  std::ofstream(path) << "time_ns,from,to,bytes\n5,H-0,H-2,9\n";
  TrafficSpec spec;
  spec.pattern = "trace";
  spec.trace = path;
  const Fabric fabric = line(3);
  const Message m = make_traffic(spec, fabric, small_model(), 1)->next(0);
  EXPECT_EQ(m.at, 5);
  EXPECT_EQ(m.to, 2u);
  EXPECT_EQ(m.bytes, 9u);
}

TEST(Trace, ACompressionThatOverflowsTimeIsRefused) {
  Trace trace;
  trace.add({.time_ns = 1e15, .from = 0, .to = 1, .bytes = 1});
  const Fabric fabric = line(2);
  EXPECT_THROW(replay(trace, fabric, small_model(), 0.5), InputError);
  EXPECT_THROW(replay(trace, fabric, small_model(), 0), InputError);
  EXPECT_NO_THROW(replay(trace, fabric, small_model(), 1));
}

TEST(SyntheticIo, HasTheDocumentedDistributions) {
  const Fabric fabric = k_ary_n_tree(2, 7);  // Gómez 2007 §5.2.2: 23 disks and 105 hosts
  TrafficSpec spec;
  spec.io_requests = 50'000;
  const Trace trace = synthetic_io(spec, fabric, 1);
  ASSERT_EQ(trace.messages.size(), 100'000u);
  std::map<HostId, std::size_t> asked;  // per disk
  std::size_t reads = 0, eight = 0;
  double last = 0;
  for (std::uint32_t i = 0; i < trace.messages.size(); i += 2) {
    const TraceMessage &request = trace.messages[i], &answer = trace.messages[i + 1];
    EXPECT_TRUE(trace.waits_for(i).empty());
    ASSERT_EQ(trace.waits_for(i + 1).size(), 1u);
    EXPECT_EQ(trace.waits_for(i + 1)[0], i);
    EXPECT_EQ(request.from, answer.to);
    EXPECT_EQ(request.to, answer.from);
    EXPECT_GE(request.time_ns, last);
    last = request.time_ns;
    EXPECT_TRUE((request.bytes == 64) != (answer.bytes == 64));
    reads += request.bytes == 64 ? 1 : 0;
    eight += std::max(request.bytes, answer.bytes) == 8192 ? 1 : 0;
    ++asked[request.to];
  }
  EXPECT_NEAR(static_cast<double>(reads) / 50'000, 0.45, 5 * std::sqrt(0.45 * 0.55 / 50'000));
  EXPECT_NEAR(static_cast<double>(eight) / 50'000, 0.5, 5 * std::sqrt(0.25 / 50'000));
  EXPECT_EQ(asked.size(), 23u);
  for (const auto& [disk, count] : asked) {
    // No disk sends a request.
    for (std::uint32_t i = 0; i < trace.messages.size(); i += 2)
      ASSERT_NE(trace.messages[i].from, disk);
  }
  // 400 a second. The deviation of a host's gaps is 4.4 times that of a Poisson source.
  EXPECT_NEAR(50'000 / (last / 1e9), 400, 5 * 400 * 4.4 / std::sqrt(50'000));
  EXPECT_EQ(synthetic_io(spec, fabric, 1), trace);
  EXPECT_NE(synthetic_io(spec, fabric, 2), trace);
}

TEST(SyntheticIo, NeedsHostsBesideItsDisks) {
  TrafficSpec spec;
  spec.pattern = "io";
  EXPECT_THROW(make_traffic(spec, line(23), small_model(), 1), InputError);
  EXPECT_NO_THROW(make_traffic(spec, line(24), small_model(), 1));
}

}  // namespace
}  // namespace selvedge::sim
