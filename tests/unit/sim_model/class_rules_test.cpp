// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Classes in the data plane: levels, the division of a link by weights, and who goes first.
#include <gtest/gtest.h>

#include <map>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "sim/model/levels.hpp"
#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"

namespace selvedge::sim {
namespace {

Tables tables_of(const Fabric& fabric, const char* engine = "updn", unsigned max_vls = 1) {
  EngineRequest request;
  request.max_vls = max_vls;
  return find_engine(engine).compute(fabric, request).tables;
}

TEST(Levels, HaveSlsAndVlsOfTheirOwn) {
  const Fabric fabric = assign_lids(mesh({2}), 0);
  const Sl sls[] = {8, 3};
  const Levels made = with_levels(tables_of(fabric), sls);
  EXPECT_EQ(made.vls, 2u);
  Sl2VlRow expected;
  expected.fill(kDropVl);
  expected[8] = 0;
  expected[3] = 1;
  EXPECT_EQ(made.tables.host_sl2vl, expected);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    EXPECT_EQ(made.tables.sl2vl.default_row(s), expected);
  EXPECT_EQ(with_levels(tables_of(fabric), sls, 4).tables.host_sl2vl[3], 4);
}

/// Tables with several SLs and a row for each pair of ports: the level's VL is the row's plus the
/// level times their number.
TEST(Levels, KeepTheRowsOfPairsOfPorts) {
  const Fabric fabric = assign_lids(torus({3, 3}), 1);
  Tables tables(fabric);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    for (Sl& sl : tables.sls(s)) sl = 1;
    Sl2VlRow row{};
    row[1] = 2;
    tables.sl2vl.set_all(s, row);
    row[1] = 1;
    tables.sl2vl.set(s, 1, 2, row);
  }
  const Sl sls[] = {0, 4};
  const Levels made = with_levels(tables, sls);
  EXPECT_EQ(made.vls, 6u);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    EXPECT_EQ(made.tables.sl2vl.row(s, 1, 2)[5], 4);
    EXPECT_EQ(made.tables.sl2vl.row(s, 2, 1)[5], 5);
    EXPECT_EQ(made.tables.sl2vl.row(s, 2, 1)[1], 2);
    EXPECT_EQ(made.tables.sl2vl.row(s, 2, 1)[9], kDropVl);
  }
}

std::string complaint(const Tables& tables, std::vector<Sl> sls, unsigned each = 1) {
  try {
    with_levels(tables, sls, each);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Levels, ThatDoNotFitAreRefused) {
  const Fabric fabric = assign_lids(mesh({2}), 0);
  EXPECT_NE(complaint(tables_of(fabric), {0, 1, 2, 3}, 4).find("SL 3 has no VL"),
            std::string::npos);
  Tables several = tables_of(fabric);
  several.sls(0)[1] = 2;
  EXPECT_NE(complaint(several, {0, 2}).find("SLs 0 and 2 overlap"), std::string::npos);
  EXPECT_NE(complaint(several, {14}).find("SL 14 has no VL"), std::string::npos);
  EXPECT_EQ(complaint(several, {0, 3}), "");
}

/// Hosts that always have a message for each queue.
class Endless : public Traffic {
 public:
  Endless(unsigned queues, std::uint32_t bytes) : queues_(queues), bytes_(bytes) {}
  Message next(HostId /*from*/) override { return {}; }
  Message next_of(HostId from, unsigned queue) override {
    if (from != 0 || queue >= queues_) return {};
    Message m;
    m.at = 0;
    m.to = 1;
    m.bytes = bytes_;
    m.of_class = static_cast<std::uint8_t>(queue);
    m.tag = queue;
    return m;
  }

 private:
  unsigned queues_;
  std::uint32_t bytes_;
};

struct OneCable {
  Fabric fabric = assign_lids(mesh({2}), 0);
  Tables tables;
  Model model;

  explicit OneCable(std::vector<ArbitrationEntry> low, std::vector<ArbitrationEntry> high = {}) {
    const Sl sls[] = {0, 1};
    const Levels made = with_levels(tables_of(fabric), sls);
    tables = made.tables;
    Parameters parameters;
    parameters.arbitration_low = std::move(low);
    parameters.arbitration_high = std::move(high);
    parameters.arbitration_high_limit = 255;
    model = resolve(parameters, tables_of(fabric), made.vls);
    model.classes = {{.sl = 0, .queue = 0}, {.sl = 1, .queue = 1}};
    model.hca_queues = 2;
  }
  /// Bytes on the host's link by VL after a ms.
  std::pair<double, double> sent(Traffic& traffic) const {
    Network network(fabric, tables, model, traffic, 1);
    network.run(model.time_base.at(1e6));
    const ChannelUse use = network.use(fabric.injection(0));
    return {static_cast<double>(use.by_vl[0].bytes), static_cast<double>(use.by_vl[1].bytes)};
  }
};

/// Packets of five blocks; weights of 7 and 3 packets.
TEST(ClassWeights, DivideALinkWithinOnePercent) {
  const OneCable one({{0, 35}, {1, 15}});
  Endless traffic(2, 256);
  const auto [first, second] = one.sent(traffic);
  EXPECT_NEAR(first / (first + second), 0.7, 0.01);
  EXPECT_GT(first + second, 0.9 * 1e6 / 4);
}

TEST(ClassWeights, TheHighPriorityTableComesFirst) {
  const OneCable one({{1, 1}}, {{0, 255}});
  Endless traffic(2, 256);
  const auto [first, second] = one.sent(traffic);
  EXPECT_GT(first, 0.99 * (first + second));
}

/// Two classes of one VL: of the packets that wait, the class with priority goes first. The port's
/// VL has room for one packet, and the second class's are in it when the first class's come.
TEST(ClassQueues, GoInTheOrderOfPriority) {
  OneCable one({});
  one.tables.host_sl2vl[1] = 0;
  one.model.output_blocks = 5;
  class Two : public Traffic {
   public:
    Message next(HostId /*from*/) override { return {}; }
    Message next_of(HostId from, unsigned queue) override {
      if (from != 0 || sent_[queue] == 4) return {};
      ++sent_[queue];
      Message m;
      m.at = queue == 0 ? 100 : 0;
      m.to = 1;
      m.bytes = 256;
      m.of_class = static_cast<std::uint8_t>(queue);
      m.tag = queue;
      return m;
    }

   private:
    unsigned sent_[2] = {0, 0};
  };
  const auto order = [&](auto type) {
    Two traffic;
    typename decltype(type)::type network(one.fabric, one.tables, one.model, traffic, 1);
    std::string tags;
    network.on_delivery([&](const Delivery& d) { tags += static_cast<char>('0' + d.tag); });
    network.run(one.model.time_base.at(1e5));
    return tags;
  };
  // The first of class 1 is on the link at once, the second in the VL.
  EXPECT_EQ(order(std::type_identity<Network>()), "11000011");
  EXPECT_EQ(order(std::type_identity<Reference>()), "11000011");
}

}  // namespace
}  // namespace selvedge::sim
