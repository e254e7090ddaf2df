// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The SMPs of the control plane: their retransmission, the requests and their routes, and how the
// answers are used.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <random>
#include <set>

#include "plugin/control/hoq_window.hpp"
#include "plugin/control/locate.hpp"
#include "plugin/control/smp_exchange.hpp"
#include "plugin/control/table_images.hpp"
#include "sim/control/memory_subnet.hpp"
#include "tests/support/drawing.hpp"

namespace selvedge {
namespace {

using test::Drawing;
using test::plain;

// --- SmpExchange, compared with a slow implementation that has a record for each request

struct SlowExchange {
  struct Asked {
    std::size_t request;
    bool sent = false, open = false;
  };
  std::size_t requests;
  SmpLimits limits;
  std::map<std::size_t, SmpAnswer> answered;
  std::map<std::uint32_t, Asked> tags;  // requests of the current try, by tag
  std::uint32_t next_tag;
  unsigned tries = 0;

  SlowExchange(std::size_t count, const SmpLimits& l, std::uint32_t tag)
      : requests(count), limits(l), next_tag(tag) {
    begin();
  }
  void begin() {
    tags.clear();
    for (std::size_t i = 0; i < requests; ++i)
      if (!answered.contains(i)) tags[next_tag++] = {i};
  }
  bool done() const { return answered.size() == requests || tries >= limits.tries || tags.empty(); }
  std::size_t outstanding() const {
    std::size_t n = 0;
    for (const auto& [tag, asked] : tags) n += asked.open;
    return n;
  }
  std::map<std::uint32_t, Asked>::iterator next() {
    return std::ranges::find_if(tags, [](const auto& entry) { return !entry.second.sent; });
  }
  void expire() {
    ++tries;
    begin();
  }
  std::size_t take(const SmpAnswer& answer) {
    const auto found = tags.find(answer.tag);
    if (found == tags.end() || !found->second.open) return SIZE_MAX;
    const std::size_t request = found->second.request;
    found->second.open = false;
    if (answer.status != kSmpNoAnswer) answered[request] = answer;
    if (next() == tags.end() && outstanding() == 0) expire();
    return request;
  }
};

RC_GTEST_PROP(SmpExchange, EqualsTheReference, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const SmpLimits limits{
      .outstanding_max = 1 + below(5), .timeout_ms = 1 + below(50), .tries = below(4)};
  std::vector<SmpRequest> requests(below(9));
  for (std::size_t i = 0; i < requests.size(); ++i)
    requests[i].modifier = static_cast<std::uint32_t>(100 + i);
  const auto first = static_cast<std::uint32_t>(1 + below(1'000));
  const std::chrono::nanoseconds grace{below(3)};
  SmpExchange fast(requests, limits, first, grace);
  SlowExchange slow(requests.size(), limits, first);
  Instant now{};
  // All tags that were ever sent, and some that never were.
  std::vector<std::uint32_t> tags{0, first - 1};
  for (unsigned step = 0; step < 120; ++step) {
    RC_ASSERT(fast.done() == slow.done());
    RC_ASSERT(fast.outstanding() == slow.outstanding());
    RC_ASSERT(fast.next_tag() == slow.next_tag);
    const bool may_send = !slow.done() && slow.next() != slow.tags.end() &&
                          slow.outstanding() < limits.outstanding_max;
    RC_ASSERT(fast.may_send() == may_send);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const SmpAnswer& a = fast.answers()[i];
      const auto b = slow.answered.find(i);
      RC_ASSERT(a.status == (b == slow.answered.end() ? kSmpNoAnswer : b->second.status));
      if (b != slow.answered.end()) RC_ASSERT(a.data == b->second.data);
    }
    now += std::chrono::microseconds(below(9));
    if (may_send && below(3) != 0) {
      const SmpRequest request = fast.next();
      const auto asked = slow.next();
      RC_ASSERT(request.tag == asked->first);
      RC_ASSERT(request.modifier == 100 + asked->second.request);
      RC_ASSERT(request.timeout_ms == limits.timeout_ms);
      tags.push_back(request.tag);
      fast.sent(now);
      asked->second.sent = asked->second.open = true;
      RC_ASSERT(fast.deadline() == now + std::chrono::milliseconds(limits.timeout_ms) + grace);
    } else if (!slow.done() && below(8) == 0) {
      fast.expire();
      slow.expire();
    } else if (!slow.done()) {
      SmpAnswer answer;
      answer.tag =
          below(4) == 0 ? tags[below(static_cast<unsigned>(tags.size()))] : tags.back() - below(3);
      answer.status = below(5) == 0 ? kSmpNoAnswer : below(3);
      answer.data[0] = static_cast<std::uint8_t>(below(256));
      RC_ASSERT(fast.take(answer) == slow.take(answer));
    }
  }
}

// --- Requests as text

/// A transport that records the requests as text, and answers them by a rule.
class Scripted : public SmpTransport {
 public:
  using Rule = std::function<SmpAnswer(const SmpRequest&)>;
  explicit Scripted(const Fabric& fabric, Rule rule) : fabric_(fabric), rule_(std::move(rule)) {}

  bool running() const override { return true; }
  std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                             const StopCondition& stop_condition) override {
    EXPECT_EQ(limits.tries, 9u);  // those of the settings
    text += fmt::format("{} requests\n", requests.size());
    std::vector<SmpAnswer> answers(requests.size());
    for (SmpAnswer& a : answers) a.status = kSmpNoAnswer;
    bool waits = true;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      text += "  " + told(requests[i]);
      if (!waits) {
        text += "  not waited for\n";
        continue;
      }
      answers[i] = rule_(requests[i]);
      if (answers[i].status == kSmpNoAnswer) text += "  no answer";
      text += "\n";
      waits =
          answers[i].status == kSmpNoAnswer || !stop_condition || !stop_condition(i, answers[i]);
    }
    return answers;
  }
  std::string text;

  /// The request as text, as "get PortInfo 2 at E by A B E": attribute, modifier, destination, and
  /// the switches of the route from the manager's switch on.
  std::string told(const SmpRequest& r) const {
    EXPECT_EQ(r.m_key, 0x55u);
    std::string line = r.method == SmpMethod::kGet ? "get " : "set ";
    line += r.attribute == SmpAttribute::kPortInfo ? "PortInfo"
            : r.attribute == SmpAttribute::kSl2Vl  ? "SL2VL"
                                                   : "LFT";
    line += fmt::format(" {:#x} by", r.modifier);
    SwitchId at = fabric_.host(0).at;
    EXPECT_EQ(r.path.ports[1], fabric_.host(0).ca_port);
    line += " " + fabric_.node(at).name;
    for (unsigned hop = 2; hop <= r.path.hops; ++hop) {
      const Channel c = fabric_.channel(at, r.path.ports[hop]);
      if (!fabric_.between_switches(c)) return line + " its host";
      at = fabric_.target(c);
      line += fabric_.node(at).name;
    }
    for (unsigned hop = r.path.hops + 1u; hop <= kSmpMaxHops; ++hop)
      EXPECT_EQ(r.path.ports[hop], 0);
    return line;
  }
  /// The switch at which the request's route ends; kNoSwitch if it ends at a host.
  SwitchId end(const SmpRequest& r) const {
    SwitchId at = fabric_.host(0).at;
    for (unsigned hop = 2; hop <= r.path.hops; ++hop) {
      const Channel c = fabric_.channel(at, r.path.ports[hop]);
      if (!fabric_.between_switches(c)) return kNoSwitch;
      at = fabric_.target(c);
    }
    return at;
  }

 private:
  const Fabric& fabric_;
  Rule rule_;
};

SmpSettings settings_of(const Fabric& fabric) {
  return {.port = fabric.host(0).guid, .m_key = 0x55, .limits = {.tries = 9}};
}
SmpAnswer answer(std::uint32_t status, std::uint8_t port_state = 4) {
  SmpAnswer a;
  a.status = status;
  // The high nibble is another field.
  a.data[kPortStateAt] = static_cast<std::uint8_t>(0x30 | port_state);
  return a;
}

const Drawing& square() {
  static const Drawing drawing(R"(
      A───B
      │   │
      D───C
  )");
  return drawing;
}

/// The result of locate() on the square. `down`: ports whose cable is down ("AB": A's port to B);
/// `silent`: ports for which no answer comes.
std::string located(const std::set<std::string>& down, const std::set<std::string>& silent,
                    std::vector<char> around) {
  const Fabric& fabric = square().fabric();
  Scripted smps(fabric, {});
  Scripted run(fabric, [&](const SmpRequest& r) {
    const SwitchId at = smps.end(r);
    const std::string name = fabric.node(at).name;
    const std::string port = name + square().beyond(at, static_cast<PortNum>(r.modifier));
    if (silent.contains(name) || silent.contains(port)) return answer(kSmpNoAnswer);
    return answer(0, down.contains(port) ? 1 : 4);
  });
  std::vector<SwitchId> switches;
  for (const char letter : around) switches.push_back(square().at(letter));
  const SmpSettings settings = settings_of(fabric);
  const Located found = locate(run, settings, fabric, switches);
  return run.text + (found.fault.empty() ? "nothing" : describe(fabric, found.fault)) +
         fmt::format("; {} unanswered\n", found.unanswered);
}

TEST(Locate, AsksBothEndsOfEveryCable) {
  EXPECT_EQ(located({}, {}, {'C'}), plain(R"(
      8 requests
        get PortInfo 0x2 by AD
        get PortInfo 0x3 by AB
        get PortInfo 0x1 by ADC  not waited for
        get PortInfo 0x1 by ABC  not waited for
        get PortInfo 0x2 by ADC  not waited for
        get PortInfo 0x2 by ABC  not waited for
        get PortInfo 0x3 by ADC  not waited for
        get PortInfo 0x3 by ABC  not waited for
      1 requests
        get PortInfo 0x1 by ABC
      nothing; 0 unanswered
  )"));
}
TEST(Locate, ThenTheFarSwitchOfADownCable) {
  EXPECT_EQ(located({"CB", "BC"}, {}, {'C'}), plain(R"(
      8 requests
        get PortInfo 0x2 by AD
        get PortInfo 0x3 by AB
        get PortInfo 0x1 by ADC  not waited for
        get PortInfo 0x1 by ABC  not waited for
        get PortInfo 0x2 by ADC  not waited for
        get PortInfo 0x2 by ABC  not waited for
        get PortInfo 0x3 by ADC  not waited for
        get PortInfo 0x3 by ABC  not waited for
      1 requests
        get PortInfo 0x1 by ADC
      5 requests
        get PortInfo 0x2 by A
        get PortInfo 0x1 by AB  not waited for
        get PortInfo 0x1 by ADCB  not waited for
        get PortInfo 0x2 by AB  not waited for
        get PortInfo 0x2 by ADCB  not waited for
      1 requests
        get PortInfo 0x1 by AB
      B:3 – C:3; 0 unanswered
  )"));
}
TEST(Locate, ASwitchWithAllItsCablesDown) {
  EXPECT_EQ(located({"BC", "DC"}, {"C"}, {'B'}), plain(R"(
      8 requests
        get PortInfo 0x2 by A
        get PortInfo 0x3 by ADC  no answer
        get PortInfo 0x1 by AB
        get PortInfo 0x1 by ADCB
        get PortInfo 0x2 by AB
        get PortInfo 0x2 by ADCB
        get PortInfo 0x3 by AB
        get PortInfo 0x3 by ADCB  not waited for
      5 requests
        get PortInfo 0x2 by AD
        get PortInfo 0x1 by ADC  not waited for
        get PortInfo 0x1 by ABC  not waited for
        get PortInfo 0x2 by ADC  not waited for
        get PortInfo 0x2 by ABC  not waited for
      switch C; 1 unanswered
  )"));
}
// What a switch whose cables are all down has answered by them is not waited for.
TEST(Locate, NeverNamesTheManagersOwnSwitch) {
  EXPECT_EQ(located({"AB", "AD"}, {}, {'A'}), plain(R"(
      3 requests
        get PortInfo 0x1 by A
        get PortInfo 0x2 by A
        get PortInfo 0x3 by A
      10 requests
        get PortInfo 0x3 by ADC
        get PortInfo 0x1 by AB
        get PortInfo 0x1 by ADCB
        get PortInfo 0x3 by AB
        get PortInfo 0x3 by ADCB
        get PortInfo 0x2 by ABC
        get PortInfo 0x1 by ABCD  not waited for
        get PortInfo 0x1 by AD  not waited for
        get PortInfo 0x2 by ABCD  not waited for
        get PortInfo 0x2 by AD  not waited for
      A:2 – B:2, A:3 – D:3; 1 unanswered
  )"));
  EXPECT_EQ(located({"BC", "CB", "DC", "CD"}, {}, {'C'}), plain(R"(
      8 requests
        get PortInfo 0x2 by AD
        get PortInfo 0x3 by AB
        get PortInfo 0x1 by ADC  not waited for
        get PortInfo 0x1 by ABC  not waited for
        get PortInfo 0x2 by ADC  not waited for
        get PortInfo 0x2 by ABC  not waited for
        get PortInfo 0x3 by ADC  not waited for
        get PortInfo 0x3 by ABC  not waited for
      10 requests
        get PortInfo 0x2 by A
        get PortInfo 0x1 by AB
        get PortInfo 0x1 by ADCB
        get PortInfo 0x2 by AB
        get PortInfo 0x2 by ADCB
        get PortInfo 0x3 by A
        get PortInfo 0x1 by ABCD  not waited for
        get PortInfo 0x1 by AD  not waited for
        get PortInfo 0x3 by ABCD  not waited for
        get PortInfo 0x3 by AD  not waited for
      1 requests
        get PortInfo 0x1 by AD
      switch C; 1 unanswered
  )"));
}
TEST(Locate, UnansweredPortsAreNotDown) {
  EXPECT_EQ(located({}, {"C", "BC"}, {'C'}), plain(R"(
      8 requests
        get PortInfo 0x2 by AD
        get PortInfo 0x3 by AB  no answer
        get PortInfo 0x1 by ADC  no answer
        get PortInfo 0x1 by ABC  no answer
        get PortInfo 0x2 by ADC  no answer
        get PortInfo 0x2 by ABC  no answer
        get PortInfo 0x3 by ADC  no answer
        get PortInfo 0x3 by ABC  no answer
      3 requests
        get PortInfo 0x1 by ADC  no answer
        get PortInfo 0x3 by ADC  no answer
        get PortInfo 0x3 by AB  no answer
      nothing; 2 unanswered
  )"));
}

// B has failed. It is an end of two cables that are down, but is named only once, first.
TEST(Locate, ADeadSwitchIsNamedOnce) {
  const Drawing drawing(R"(
      A───C
      │   │
      D───B
  )");
  sim::VirtualClock clock;
  sim::MemorySubnet subnet(clock, drawing.fabric(), drawing.host('A'), 1, {});
  subnet.power_off(drawing.at('B'));
  const SmpSettings settings{.port = subnet.manager_port(), .m_key = 0, .limits = {}};
  const SwitchId around[] = {drawing.at('C')};
  EXPECT_EQ(locate(subnet, settings, drawing.fabric(), around).fault,
            (Fault{{}, {drawing.at('B')}}));
}

// --- The head-of-queue lifetime

TEST(HoqWindow, IsLoweredWhereItIsLongerAndRestored) {
  const Fabric& fabric = square().fabric();
  // HOQLife per switch and port, as found. The top three bits of its byte belong to another field.
  std::map<std::pair<SwitchId, std::uint32_t>, std::array<std::uint8_t, kSmpDataBytes>> info;
  Scripted route(fabric, {});
  std::string sets;
  Scripted smps(fabric, [&](const SmpRequest& r) {
    const SwitchId at = route.end(r);
    auto& data = info[{at, r.modifier}];
    SmpAnswer a;
    if (at == square().at('D')) {
      a.status = r.method == SmpMethod::kGet ? 0x1c : 0;  // D refuses to tell its lifetime
      return a;
    }
    if (r.method == SmpMethod::kGet) {
      data.fill(static_cast<std::uint8_t>(0x70 + at));
      data[42] = static_cast<std::uint8_t>(0xe0 | (r.modifier == 2 ? 5 : 0x12));
    } else {
      sets += fmt::format("{} {}: {:x} {:x} {:x} {:x}\n", fabric.node(at).name, r.modifier,
                          r.data[32], r.data[33], r.data[42], r.data[63]);
      if (at != square().at('C')) data = r.data;  // C ignores the Set
    }
    a.data = data;
    return a;
  });
  const SmpSettings settings = settings_of(fabric);
  HoqWindow window(smps, settings, fabric, 5);
  EXPECT_EQ(window.lower(), 2u);
  EXPECT_EQ(smps.text, plain(R"(
      8 requests
        get PortInfo 0x2 by A
        get PortInfo 0x3 by A
        get PortInfo 0x2 by AB
        get PortInfo 0x3 by AB
        get PortInfo 0x2 by ABC
        get PortInfo 0x3 by ABC
        get PortInfo 0x2 by AD
        get PortInfo 0x3 by AD
      3 requests
        set PortInfo 0x3 by A
        set PortInfo 0x3 by AB
        set PortInfo 0x3 by ABC
  )"));
  EXPECT_EQ(sets, plain(R"(
      A 3: 70 0 e5 70
      B 3: 70 1 e5 71
      C 3: 70 2 e5 72
  )"));
  smps.text = sets = "";
  EXPECT_EQ(window.restore(), 3u);
  EXPECT_EQ(smps.text + sets, plain(R"(
      3 requests
        set PortInfo 0x3 by A
        set PortInfo 0x3 by AB
        set PortInfo 0x3 by ABC
      A 3: 70 0 f2 70
      B 3: 70 1 f2 71
      C 3: 70 2 f2 72
  )"));
  smps.text = "";
  EXPECT_EQ(window.restore(), 0u);  // no lifetime is lowered any more
  EXPECT_EQ(smps.text, "0 requests\n");
}

// --- Tables on the wire

TEST(OnTheWire, TwoSlsAByte) {
  Sl2VlRow row;
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<Vl>((i * 7 + 3) % 16);
  const auto bytes = on_the_wire(row);
  for (std::size_t i = 0; i < row.size(); ++i)
    EXPECT_EQ(i % 2 == 0 ? bytes[i / 2] >> 4 : bytes[i / 2] & 0xf, row[i]) << i;
}

TEST(TableImages, AreWrittenPhaseByPhase) {
  FabricBuilder builder(square().fabric());
  Switch apart;  // has no cables, so no SMP reaches it
  apart.guid = 0x999;
  apart.name = "X";
  apart.ports = 2;
  const SwitchId x = builder.add_switch(apart);
  const Fabric fabric = assign_lids(std::move(builder).build("test"), 5);  // several blocks
  const SmpSettings settings = settings_of(fabric);
  TableImages images(fabric, settings);
  const Lid low = 3, high = 70;
  SendPhase first;
  const SwitchId b = square().at('B'), c = square().at('C');
  first.lft = {{b, low, 1, 2}, {b, high, 1, 3}, {c, low, 1, 4}, {x, low, 1, 1}};
  first.blocks = {{b, 0, 0, 1}, {b, 1, 1, 1}, {c, 0, 2, 1}, {x, 0, 3, 1}};
  Sl2VlRow row{};
  row[1] = 4;
  first.sl2vl = {{b, 1, 2, {}, row}, {x, 1, 2, {}, row}};
  SendPhase second;
  second.lft = {{b, low, 2, 9}, {b, static_cast<Lid>(low + 1), 1, 8}};
  second.blocks = {{b, 0, 0, 2}};
  Sl2VlRow other{};
  other[0] = 7;
  second.sl2vl = {{b, 1, 2, row, other}};
  second.host_sl2vl = other;
  SendPlan plan;
  plan.phases = {first, second};
  images.gather(plan);
  ASSERT_EQ(images.blocks().size(), 3u);
  for (BlockImage& image : images.blocks()) image.entries.fill(0x11);
  const auto told = [&](const std::vector<SmpRequest>& requests,
                        const std::vector<std::size_t>& blocks) {
    const Scripted route(fabric, {});
    std::string text;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const auto& data = requests[i].data;
      text += fmt::format("{}: {:x} {:x} {:x} {:x} {:x}", route.told(requests[i]), data[0], data[3],
                          data[4], data[6], data[8]);
      text += i >= blocks.size() || blocks[i] == SIZE_MAX ? "\n"
                                                          : fmt::format(", block {}\n", blocks[i]);
    }
    return text;
  };
  std::vector<std::size_t> blocks;
  EXPECT_EQ(told(images.writes(first, blocks), blocks), plain(R"(
      set SL2VL 0x102 by AB: 4 0 0 0 0
      set LFT 0x0 by AB: 11 2 11 11 11, block 0
      set LFT 0x1 by AB: 11 11 11 3 11, block 1
      set LFT 0x0 by ABC: 11 4 11 11 11, block 2
  )"));
  blocks.clear();
  EXPECT_EQ(told(images.writes(second, blocks), blocks), plain(R"(
      set SL2VL 0x102 by AB: 70 0 0 0 0
      set SL2VL 0x0 by A its host: 70 0 0 0 0
      set SL2VL 0x0 by AB its host: 70 0 0 0 0
      set SL2VL 0x0 by ABC its host: 70 0 0 0 0
      set SL2VL 0x0 by AD its host: 70 0 0 0 0
      set LFT 0x0 by AB: 11 9 8 11 11, block 0
  )"));
  // The SL2VL rows that the switches must have at the end, each once.
  std::vector<SmpRequest> gets;
  for (const RowImage& image : images.rows())
    gets.push_back(images.request(SmpMethod::kGet, image));
  for (const BlockImage& image : images.blocks())
    gets.push_back(images.request(SmpMethod::kGet, image));
  EXPECT_EQ(told(gets, {}), plain(R"(
      get SL2VL 0x102 by AB: 70 0 0 0 0
      get SL2VL 0x0 by A its host: 70 0 0 0 0
      get SL2VL 0x0 by AB its host: 70 0 0 0 0
      get SL2VL 0x0 by ABC its host: 70 0 0 0 0
      get SL2VL 0x0 by AD its host: 70 0 0 0 0
      get LFT 0x0 by AB: 11 9 8 11 11
      get LFT 0x1 by AB: 11 11 11 3 11
      get LFT 0x0 by ABC: 11 4 11 11 11
  )"));
}

}  // namespace
}  // namespace selvedge
