// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/capture/capture.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/verify/further.hpp"
#include "tests/unit/capture/fake_subnet.hpp"

namespace selvedge::capture {
namespace {

using test::FakeSubnet;

constexpr SlAnswer kNoAnswer{};

Capture captured(FakeSubnet& subnet, const CaptureOptions& options = {},
                 std::vector<std::string>* said = nullptr) {
  Progress progress;
  return capture(subnet, options, progress, [&](const std::string& line) {
    if (said != nullptr) said->push_back(line);
  });
}

bool cabled(const Fabric& fabric, SwitchId s, unsigned port) {
  return fabric.peer(fabric.channel(s, static_cast<PortNum>(port))) != kNoChannel;
}

/// Any LFTs, rows and SLs, whether or not packets arrive.
FakeSubnet random_subnet(StableRandom& random) {
  Fabric fabric = assign_lids(irregular(4 + static_cast<unsigned>(random.below(5)), 3,
                                        static_cast<unsigned>(random.below(3)) + 1, random.next()),
                              static_cast<unsigned>(random.below(3)));
  Tables tables(fabric);
  const auto row = [&] {
    Sl2VlRow made;
    for (Vl& vl : made) vl = static_cast<Vl>(random.below(16));
    return made;
  };
  const std::vector<Sl2VlRow> rows{row(), row(), row()};
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const PortNum ports = fabric.node(s).ports;
    tables.sl2vl.set_all(s, rows[random.below(3)]);
    for (unsigned lid = 0; lid <= tables.top_lid(); ++lid) {
      const auto port = static_cast<PortNum>(random.below(ports + 2u));
      tables.set_next(s, static_cast<Lid>(lid), port > ports ? PortNum{kNoPort} : port);
      tables.set_sl(s, static_cast<Lid>(lid), static_cast<Sl>(random.below(4)));
    }
    if (random.chance(50))
      for (unsigned in = 0; in <= ports; ++in)
        for (unsigned out = 1; out <= ports; ++out)
          tables.sl2vl.set(s, static_cast<PortNum>(in), static_cast<PortNum>(out),
                           rows[random.below(3)]);
  }
  tables.host_sl2vl = rows[random.below(3)];
  FakeSubnet subnet(std::move(fabric), std::move(tables));
  subnet.manager_lid = subnet.fabric.host(0).lid;
  return subnet;
}

RC_GTEST_PROP(Capture, is_what_the_switches_hold_and_the_sa_answers, (std::uint64_t seed)) {
  StableRandom random(seed);
  FakeSubnet subnet = random_subnet(random);
  const Fabric& fabric = subnet.fabric;
  const Capture found = captured(subnet);
  RC_ASSERT(found.fabric == fabric);
  RC_ASSERT(found.tables.host_sl2vl == subnet.tables.host_sl2vl);
  RC_ASSERT(found.sls.further.empty() && found.sls.further.of_hosts().empty());
  RC_ASSERT(found.sls.changing == 0u);
  RC_ASSERT(found.sls.questions == 2 * found.sls.pairs);  // few enough to be asked again, all
  RC_ASSERT(found.remarks.empty());
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    RC_ASSERT(std::ranges::equal(found.tables.lft(s), subnet.tables.lft(s)));
    for (unsigned in = 0; in <= fabric.node(s).ports; ++in)
      for (unsigned out = 1; out <= fabric.node(s).ports; ++out)
        if ((in == 0 || cabled(fabric, s, in)) && cabled(fabric, s, out))
          RC_ASSERT(
              found.tables.sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)) ==
              subnet.tables.sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)));
    for (unsigned n = 1; n <= fabric.top_lid(); ++n) {
      const auto lid = static_cast<Lid>(n);
      // A host is not asked about its own LIDs, nor a switch without hosts about its own.
      const LidOwner owner = fabric.owner(lid);
      bool other =
          owner.kind != LidOwner::Kind::kUnassigned &&
          (owner.kind == LidOwner::Kind::kHost || owner.id != s || !fabric.hosts_at(s).empty());
      if (owner.kind == LidOwner::Kind::kHost && fabric.host(owner.id).at == s)
        other = fabric.hosts_at(s).size() > 1;
      RC_ASSERT(found.tables.sl(s, lid) == (other ? subnet.tables.sl(s, lid) : Sl{0}));
    }
  }
}

FakeSubnet torus_subnet(unsigned hosts = 1, unsigned lmc = 0) {
  Fabric fabric = assign_lids(torus({3, 3}, hosts), lmc);
  Tables tables(fabric);
  FakeSubnet subnet(std::move(fabric), std::move(tables));
  subnet.manager_lid = subnet.fabric.host(4).lid;
  return subnet;
}

TEST(Capture, EverySlThatWasAnsweredIsThere) {
  FakeSubnet subnet = torus_subnet();
  StableRandom random(1);
  // Of one pair one of SLs 2, 5 and 9, of all others always 1.
  const Lid from = subnet.fabric.host(2).lid, to = subnet.fabric.host(7).lid;
  subnet.sa = [&](const SlQuestion& q) -> SlAnswer {
    constexpr Sl kSls[] = {2, 5, 9};
    const bool changes = q.from == from && q.to == to;
    return {SlAnswer::Kind::kSl, changes ? kSls[random.below(3)] : Sl{1}};
  };
  std::uint16_t all = 0;
  const Capture found = captured(subnet);
  const SwitchId at = subnet.fabric.host(2).at;
  all = static_cast<std::uint16_t>(found.sls.further.at(at, to) | 1u << found.tables.sl(at, to));
  EXPECT_EQ(all, 1u << 2 | 1u << 5 | 1u << 9);
  EXPECT_EQ(found.sls.further.count(), 1u);
  EXPECT_TRUE(found.sls.further.of_hosts().empty());
  EXPECT_EQ(found.sls.changing, 1u);
  ASSERT_EQ(found.remarks.size(), 1u);
  EXPECT_NE(found.remarks[0].find("the subnet manager on H-1-1"), std::string::npos)
      << found.remarks[0];
  EXPECT_NE(found.remarks[0].find("1 of 153 pairs"), std::string::npos) << found.remarks[0];
  EXPECT_NE(found.remarks[0].find("2, 5, 9"), std::string::npos) << found.remarks[0];
}

TEST(Capture, HostsOfOneSwitchMayHaveSlsOfTheirOwn) {
  FakeSubnet subnet = torus_subnet(2);
  const HostId odd = subnet.fabric.hosts_at(4)[1];
  subnet.sa = [&](const SlQuestion& q) -> SlAnswer {
    return {SlAnswer::Kind::kSl, q.from == subnet.fabric.host(odd).lid ? Sl{3} : Sl{1}};
  };
  const Capture found = captured(subnet);
  EXPECT_EQ(found.sls.hosts_of_their_own, 1u);
  ASSERT_EQ(found.sls.further.of_hosts().size(), 1u);
  const auto& [host, sls] = *found.sls.further.of_hosts().begin();
  EXPECT_EQ(host, odd);
  const Lid far = subnet.fabric.host(0).lid, own = subnet.fabric.host(odd).lid;
  EXPECT_EQ(sls[far], 3);
  EXPECT_EQ(sls[own], 1);  // of its neighbour, as it was not asked itself
  EXPECT_EQ(found.tables.sl(4, far), 1);
  EXPECT_EQ(found.sls.further.at(4, far), 1u << 3);
  EXPECT_EQ(found.sls.further.at(3, far), 0u);
}

TEST(Capture, IsRepeatedWhileTheSubnetChanges) {
  FakeSubnet subnet = torus_subnet();
  unsigned discoveries = 0;
  PortNum written = 1;
  subnet.on_discovery = [&] {
    if (++discoveries == 2) subnet.tables.set_next(5, 3, written);  // between the two readings
  };
  std::vector<std::string> said;
  const Capture found = captured(subnet, {}, &said);
  EXPECT_EQ(found.tries, 2u);
  EXPECT_EQ(found.tables.next(5, 3), 1);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("1 LFT entries changed, the first at S-1-2, LID 3"), std::string::npos)
      << said[0];
  EXPECT_EQ(subnet.waits, 1u);

  Sl2VlRow row{};
  subnet.on_discovery = [&] {
    row[0] ^= 1;
    subnet.tables.sl2vl.set_all(2, row);
  };
  said.clear();
  try {
    captured(subnet, {}, &said);
    FAIL() << "it never was quiet";
  } catch (const EnvironmentError& error) {
    EXPECT_EQ(error.problem(), "the subnet changed while it was read, 3 times: SL2VL rows changed");
  }
  EXPECT_EQ(said.size(), 2u);
}

TEST(Capture, ATopologyThatChangesIsReadAgain) {
  FakeSubnet subnet = torus_subnet();
  const Fabric whole = subnet.fabric;
  unsigned discoveries = 0;
  subnet.on_discovery = [&] {
    if (++discoveries == 2)
      subnet.fabric = without(whole, Fault{.links = {whole.links()[3]}, .switches = {}});
  };
  std::vector<std::string> said;
  const Capture found = captured(subnet, {}, &said);
  EXPECT_EQ(found.fabric.links().size(), whole.links().size() - 1);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("the topology changed"), std::string::npos) << said[0];
}

void expect_refused(FakeSubnet& subnet, const std::string& what) {
  try {
    captured(subnet);
    FAIL() << "no error: " << what;
  } catch (const EnvironmentError& error) {
    EXPECT_NE(error.problem().find(what), std::string::npos) << error.problem();
  }
}

TEST(Capture, NeedsAnswers) {
  FakeSubnet subnet = torus_subnet();
  subnet.silent = 7;
  expect_refused(subnet, "S-2-1 does not answer");
  subnet.silent = kNoSwitch;
  subnet.sa = [](const SlQuestion&) { return kNoAnswer; };
  expect_refused(subnet, "the subnet administration does not answer");
  subnet.manager_lid = kNoLid;
  expect_refused(subnet, "no subnet manager");
}

TEST(Capture, SaysWhatIsUnusual) {
  FakeSubnet subnet = torus_subnet();
  for (SwitchId s = 0; s < 9; ++s)
    for (unsigned lid = 1; lid <= subnet.tables.top_lid(); ++lid)
      subnet.tables.set_next(s, static_cast<Lid>(lid), 1);
  subnet.tables.set_next(0, 2, 77);
  subnet.refuses_rows = 3;
  subnet.lft_top = 9;
  Sl2VlRow other{};
  other[5] = 2;
  subnet.host_row = [&](HostId h) { return h == 6 ? other : Sl2VlRow{}; };
  const Lid lone = subnet.fabric.host(0).lid;
  subnet.sa = [&](const SlQuestion& q) -> SlAnswer {
    if (q.to == lone && q.from <= 18 && q.to <= 18) return {SlAnswer::Kind::kNoRecord, 0};
    return {SlAnswer::Kind::kSl, 0};
  };
  subnet.lft_top = lone;
  const Capture found = captured(subnet);
  EXPECT_EQ(found.tables.next(0, 2), kNoPort);
  EXPECT_EQ(found.tables.next(0, lone), 1);
  EXPECT_EQ(found.tables.next(0, static_cast<Lid>(lone + 1)), kNoPort);
  EXPECT_EQ(found.tables.host_sl2vl, Sl2VlRow{});
  ASSERT_EQ(found.remarks.size(), 4u);
  EXPECT_NE(found.remarks[0].find("1 hosts have another SL2VL row than the other 8"),
            std::string::npos)
      << found.remarks[0];
  EXPECT_NE(found.remarks[1].find("1 LFT entries name ports"), std::string::npos);
  // Five ports with cables: rows from port 0 and from each of them to each.
  EXPECT_NE(found.remarks[2].find("30 SL2VL rows were refused, the first by S-1-0"),
            std::string::npos)
      << found.remarks[2];
  EXPECT_NE(found.remarks[3].find("8 pairs of a host"), std::string::npos) << found.remarks[3];
}

TEST(Capture, OfManyHostsASampleIsAskedAndChecked) {
  FakeSubnet subnet = torus_subnet(3, 1);
  const Fabric& fabric = subnet.fabric;
  // SLs by (switch, switch, offset), as engines make them; one host's are others.
  const HostId odd = fabric.hosts_at(8)[2];
  const auto expected = [&](SwitchId from, Lid lid) {
    const LidOwner owner = fabric.owner(lid);
    if (owner.kind != LidOwner::Kind::kHost) return Sl{0};
    const Host& to = fabric.host(owner.id);
    return static_cast<Sl>((from * 3 + to.at + (lid - to.lid)) % 7);
  };
  subnet.sa = [&](const SlQuestion& q) -> SlAnswer {
    const LidOwner owner = fabric.owner(q.to);
    if (owner.kind == LidOwner::Kind::kHost && owner.id == odd) return {SlAnswer::Kind::kSl, 15};
    return {SlAnswer::Kind::kSl, expected(fabric.destination_switch(q.from), q.to)};
  };
  const Capture found = captured(subnet, {.most_hosts = 26});
  EXPECT_TRUE(found.sls.sampled);
  EXPECT_EQ(found.sls.pairs, 9u * (8 * 2 + 9));
  EXPECT_EQ(found.sls.questions, 2 * found.sls.pairs + kChecked);
  for (SwitchId s = 0; s < 9; ++s)
    for (HostId h = 0; h < fabric.num_hosts(); ++h)
      for (const unsigned offset : {0u, 1u}) {
        if (fabric.host(h).at == s) continue;  // not asked, and not needed between switches
        const auto lid = static_cast<Lid>(fabric.host(h).lid + offset);
        EXPECT_EQ(found.tables.sl(s, lid), expected(s, lid));
        EXPECT_EQ(found.sls.further.at(s, lid), h == odd ? 1u << 15 : 0u) << s << " " << lid;
      }
  EXPECT_GT(found.sls.deviations, 0u);
  ASSERT_FALSE(found.remarks.empty());
  EXPECT_NE(found.remarks[0].find("a sample of the SLs"), std::string::npos) << found.remarks[0];
  EXPECT_FALSE(captured(subnet, {.most_hosts = 27}).sls.sampled);
}

}  // namespace
}  // namespace selvedge::capture
