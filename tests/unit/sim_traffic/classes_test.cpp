// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Classes of traffic: frames, deadlines, what the sources send, and how deliveries are counted.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "sim/traffic/class_traffic.hpp"
#include "sim/traffic/deadlines.hpp"
#include "sim/traffic/frames.hpp"
#include "sim/traffic/packets.hpp"
#include "tests/unit/sim_traffic/support.hpp"

namespace selvedge::sim {
namespace {

using test::line;
using test::small_model;

// Frames 0 to 4 with a period of 10, the first due at 10:
//   frame    0    1    2    3    4
//   arrives  9   25   34   41   47
//   due     10   20   35   45   55     (2: 25 + 10; 3 and 4 follow from 2's deadline)
TEST(Deadlines, OfFiveFramesByHand) {
  Deadlines deadlines(10, 10);
  EXPECT_EQ(deadlines.arrived(0, 9), 0);
  EXPECT_EQ(deadlines.of(1), 20);
  EXPECT_EQ(deadlines.arrived(1, 25), 5);
  EXPECT_EQ(deadlines.of(2), 35);
  EXPECT_EQ(deadlines.arrived(2, 34), 0);
  EXPECT_EQ(deadlines.of(3), 45);
  EXPECT_EQ(deadlines.arrived(3, 41), 0);
  EXPECT_EQ(deadlines.of(4), 55);
  EXPECT_EQ(deadlines.arrived(4, 47), 0);
}

TEST(Deadlines, AreKeptAtTheTickItself) {
  Deadlines deadlines(10, 10);
  EXPECT_EQ(deadlines.arrived(0, 10), 0);
  EXPECT_EQ(deadlines.arrived(1, 21), 1);
}

/// A frame that was overtaken by a later one that was late.
TEST(Deadlines, AnOldFrameDoesNotBringThemBack) {
  Deadlines deadlines(10, 10);
  EXPECT_EQ(deadlines.arrived(2, 50), 20);
  EXPECT_EQ(deadlines.arrived(1, 60), 20);  // due at 40
  EXPECT_EQ(deadlines.of(3), 60);
}

/// The rule as Kim 2007 §4 words it, frame by frame.
RC_GTEST_PROP(Deadlines, FollowThePapersWords, ()) {
  const auto period = *rc::gen::inRange<Tick>(1, 50);
  const auto first = *rc::gen::inRange<Tick>(0, 100);
  Deadlines deadlines(first, period);
  Tick due = first, arrival = 0;
  for (std::uint32_t frame = 0; frame < 30; ++frame) {
    arrival += *rc::gen::inRange<Tick>(0, 2 * period);
    RC_ASSERT(deadlines.of(frame) == due);
    const Tick late = deadlines.arrived(frame, arrival);
    RC_ASSERT(late == std::max<Tick>(0, arrival - due));
    due = (arrival > due ? arrival : due) + period;
  }
}

TEST(Frames, AGopHasItsTypesAndMeanSize) {
  std::string types;
  double sum = 0;
  for (unsigned i = 0; i < kGopFrames; ++i) {
    const FrameType type = gop_type(i);
    types += "IPB"[static_cast<unsigned>(type)];
    sum += gop_size(type);
  }
  EXPECT_EQ(types, "IBBPBBPBBPBBPBB");
  EXPECT_NEAR(sum, kGopFrames, 1e-9);
  EXPECT_NEAR(gop_size(FrameType::kI) / gop_size(FrameType::kB), 6, 1e-9);
  EXPECT_NEAR(gop_size(FrameType::kP) / gop_size(FrameType::kB), 3, 1e-9);
}

TEST(Frames, AFactorHasMeanOneAndDeviationAQuarter) {
  Stream chance(1, 1);
  double sum = 0, squares = 0;
  constexpr unsigned kDraws = 40'000;
  for (unsigned i = 0; i < kDraws; ++i) {
    const double factor = draw_frame_factor(chance);
    sum += factor;
    squares += factor * factor;
  }
  const double mean = sum / kDraws;
  EXPECT_NEAR(mean, 1, 0.01);
  EXPECT_NEAR(std::sqrt(squares / kDraws - mean * mean), 0.25, 0.01);
}

std::string complaint(std::string_view text) {
  try {
    read_frames(text, "f.csv");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Frames, AreReadInAnyOrderOfColumns) {
  const auto traces =
      read_frames("bytes, stream,type\n# a comment\n100,x,I\n\n7,y,B\r\n9,x,P\n", "f.csv");
  const std::vector<FrameTrace> expected = {{{FrameType::kI, 100}, {FrameType::kP, 9}},
                                            {{FrameType::kB, 7}}};
  EXPECT_EQ(traces, expected);
}

TEST(Frames, ThatAreWrongAreRefusedInOneLine) {
  for (const auto& [text, part] : {std::pair{"", "f.csv:0"},
                                   {"stream,type,bytes\n", "there are no frames"},
                                   {"stream,type\n", "f.csv:1"},
                                   {"stream,type,bytes\n1,X,5\n", "write I, P or B"},
                                   {"stream,type,bytes\n1,I,0\n", "bytes is '0'"},
                                   {"stream,type,bytes\n1,I,-1\n", "f.csv:2"},
                                   {"stream,type,bytes\n1,I\n", "2 fields"}}) {
    const std::string said = complaint(text);
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
}

ClassSpec named(const char* name, unsigned sl, double share) {
  ClassSpec of;
  of.name = name;
  of.sl = sl;
  of.share = share;
  return of;
}

/// Video and two classes of best effort on one SL, and control.
TrafficSpec mixed(double load = 0.5) {
  TrafficSpec spec;
  spec.load = load;
  spec.classes = {named("video", 0, 0.7), named("reliable", 8, 0.1), named("unreliable", 8, 0.2),
                  named("control", 0, 0)};
  spec.classes[0].arrival = ClassArrival::kVideo;
  spec.classes[1].paths = ClassSpec::Paths::kRandom;
  spec.classes[2].paths = ClassSpec::Paths::kAtSwitches;
  spec.classes[3].vl15 = true;
  spec.classes[3].arrival = ClassArrival::kPeriodic;
  spec.classes[3].period_ms = 10;
  return spec;
}

TEST(Classes, HaveAQueueForEachSlAndOneForVl15) {
  Model model = small_model();
  set_classes(model, mixed().classes);
  EXPECT_EQ(model.hca_queues, 3u);
  const std::vector<ClassRule> expected = {{0, 1, PathChoice::kFirst, false},
                                           {8, 2, PathChoice::kRandom, false},
                                           {8, 2, PathChoice::kFirst, true},
                                           {0, 0, PathChoice::kFirst, false}};
  EXPECT_EQ(model.classes, expected);
  EXPECT_EQ(class_sls(mixed().classes), (std::vector<Sl>{0, 8}));
}

TEST(Classes, SendTheirSharesInTheOrderOfTime) {
  const Fabric fabric = line(3);
  Model model = small_model();
  const TrafficSpec spec = mixed();
  set_classes(model, spec.classes);
  const auto traffic = make_class_traffic(spec, fabric, model, 5);
  const Tick until = model.time_base.at(3e9);
  std::vector<double> bytes(spec.classes.size()), messages(spec.classes.size());
  for (unsigned q = 0; q < model.hca_queues; ++q) {
    Tick before = 0;
    for (;;) {
      const Message m = traffic->next_of(1, q);
      ASSERT_GE(m.at, before);
      before = m.at;
      if (m.at >= until) break;
      ASSERT_EQ(model.classes[m.of_class].queue, q);
      ASSERT_NE(m.to, 1u);
      EXPECT_EQ(m.management, m.of_class == 3);
      EXPECT_EQ(m.keep == Keep::kNothing, m.of_class != 0);
      bytes[m.of_class] += static_cast<double>(wire_bytes(m.bytes, model));
      ++messages[m.of_class];
    }
  }
  const double all = 3e9 / model.time_base.ns(model.to_hosts.byte_time) * spec.load;
  EXPECT_NEAR(bytes[0] / all, 0.7, 0.01);
  EXPECT_NEAR(bytes[1] / all, 0.1, 0.003);
  EXPECT_NEAR(bytes[2] / all, 0.2, 0.003);
  EXPECT_NEAR(messages[3], 300, 1);
  EXPECT_NEAR(messages[0] / static_cast<double>(traffic->streams(0, 1)), 90, 1);
}

TEST(Classes, AFrameKeepsItsIFramesWhole) {
  const Fabric fabric = line(2);
  Model model = small_model();
  TrafficSpec spec = mixed(1e-6);  // one stream a host
  set_classes(model, spec.classes);
  const auto traffic = make_class_traffic(spec, fabric, model, 5);
  unsigned whole = 0;
  for (unsigned i = 0; i < 10 * kGopFrames; ++i)
    whole += traffic->next_of(0, 1).keep == Keep::kAll ? 1 : 0;
  EXPECT_EQ(whole, 10u);
}

/// Ends one packet of a message.
void end(ClassTraffic& traffic, const Message& m, Tick at, bool last, bool lost) {
  std::vector<HostId> woken;
  Delivery d;
  d.from = 0;
  d.to = m.to;
  d.tag = m.tag;
  d.generated = m.at;
  d.delivered = at;
  d.last = last;
  d.bytes = 100;
  if (lost) {
    traffic.count_loss(d, Loss::kHeadOfQueue);
    traffic.lost(d, woken);
  } else {
    traffic.delivered(d, woken);
  }
  EXPECT_TRUE(woken.empty());
}

// One stream; the first frame is due 5 ms after its generation. Its packets come in time, the
// second frame loses its first packet and is 100 ms late, the third loses its last.
TEST(Classes, CountFramesDeadlinesAndLosses) {
  const Fabric fabric = line(2);
  Model model = small_model();
  TrafficSpec spec = mixed(1e-6);
  spec.classes[0].first_deadline_ms = 5;
  set_classes(model, spec.classes);
  const auto traffic = make_class_traffic(spec, fabric, model, 5);
  ASSERT_EQ(traffic->streams(0, 0), 1u);
  const Tick ms = model.time_base.at(1e6), period = model.time_base.at(1e9 / 30);
  traffic->begin_measurement();
  const auto play = [&](Tick after, unsigned lost_first, bool lost_last) {
    const Message m = traffic->next_of(0, 1);
    const unsigned packets = packets_of(m.bytes, model);
    for (unsigned i = 0; i + 1 < packets; ++i)
      end(*traffic, m, m.at + after, false, i < lost_first);
    end(*traffic, m, m.at + after, true, lost_last);
  };
  play(4 * ms, 0, false);
  EXPECT_EQ(traffic->figures()[0].frames, 1u);
  EXPECT_EQ(traffic->figures()[0].missed, 0u);
  play(105 * ms, 0, false);
  EXPECT_EQ(traffic->figures()[0].frames, 2u);
  EXPECT_EQ(traffic->figures()[0].missed, 1u);
  EXPECT_EQ(traffic->figures()[0].late, 100 * ms);
  play(104 * ms, 0, true);
  EXPECT_EQ(traffic->figures()[0].frames, 2u);
  EXPECT_EQ(traffic->figures()[0].frames_lost, 1u);
  play(106 * ms, 0, false);  // a ms behind the last one that arrived
  EXPECT_EQ(traffic->figures()[0].missed, 2u);
  EXPECT_EQ(traffic->figures()[0].late, 101 * ms);
  EXPECT_EQ(traffic->figures()[0].all_lost(), 1u);
  EXPECT_EQ(traffic->figures()[0].lost[static_cast<unsigned>(Loss::kHeadOfQueue)], 1u);
  EXPECT_GT(period, 33 * ms);
  traffic->begin_measurement();
  EXPECT_EQ(traffic->figures()[0].frames, 0u);
}

}  // namespace
}  // namespace selvedge::sim
