// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/losses.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>

#include "plugin/fabric/spec.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/transition/safety.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/transition/plans.hpp"

namespace {

using namespace selvedge;
using test::Before;
using test::Change;
using Method = SendPlan::Method;

constexpr std::size_t kWritesMax = 10;  // most writes of a phase for one DLID: 2^10 states

/// Everything that can happen to packets for one DLID: writes of a phase reach the switches one by
/// one in any order, and between any two of them packets take any number of steps.
class Brute {
 public:
  Brute(const Fabric& fabric, const Tables& from, const SendPlan& plan, Lid dlid)
      : fabric_(fabric), plan_(plan), dlid_(dlid), from_(from), to_(from) {
    for (const SendPhase& phase : plan.phases) {
      before_.push_back(to_);
      write(to_, phase, SIZE_MAX);
    }
  }

  /// Whether there are few enough states to try them all.
  bool small() const {
    return std::ranges::all_of(plan_.phases,
                               [&](const SendPhase& p) { return size(p) <= kWritesMax; });
  }

  bool loses() {
    std::set<State> seen;
    std::deque<State> open;
    const auto reach = [&](const State& s) {
      if (seen.insert(s).second) open.push_back(s);
    };
    for (std::size_t p = 0; p < plan_.phases.size(); ++p)
      for (std::size_t mask = 0; mask < std::size_t{1} << size(plan_.phases[p]); ++mask) {
        const Tables now = tables(p, mask);
        for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
          const Sl sl = from_.sl(s, dlid_);
          std::vector<PortNum> ports{0};
          for (const HostId h : fabric_.hosts_at(s))
            if (from_.host_sl2vl[sl] < kDropVl) ports.push_back(fabric_.host(h).port);
          for (const PortNum in : ports)
            if (arrives(from_, s, in, sl) && arrives(to_, s, in, sl)) reach({p, mask, s, in, sl});
        }
      }
    while (!open.empty()) {
      const State s = open.front();
      open.pop_front();
      const Tables now = tables(s.phase, s.mask);
      if (!ends(now, s)) return true;  // lost, or looping for as long as nothing is written
      State next = s;
      if (step(now, next)) reach(next);
      const std::size_t all = size(plan_.phases[s.phase]);
      for (std::size_t i = 0; i < all; ++i)
        reach({s.phase, s.mask | std::size_t{1} << i, s.at, s.in, s.sl});
      const std::size_t then = s.phase + 1;
      if (s.mask + 1 == std::size_t{1} << all && then < plan_.phases.size() &&
          !plan_.phases[then].drain_first)
        reach({then, 0, s.at, s.in, s.sl});
    }
    return false;
  }

 private:
  struct State {
    std::size_t phase, mask;
    SwitchId at;
    PortNum in;
    Sl sl;
    friend auto operator<=>(const State&, const State&) = default;
  };

  /// The number of the phase's writes that concern packets for this DLID.
  std::size_t size(const SendPhase& phase) const {
    return phase.sl2vl.size() + static_cast<std::size_t>(std::ranges::count(
                                    phase.lft, dlid_, [](const LftChange& c) { return c.dlid; }));
  }
  void write(Tables& tables, const SendPhase& phase, std::size_t mask) const {
    std::size_t i = 0;
    for (const Sl2VlChange& c : phase.sl2vl)
      if (mask >> std::min<std::size_t>(i++, 63) & 1) tables.sl2vl.set(c.at, c.in, c.out, c.after);
    for (const LftChange& c : phase.lft)
      if (c.dlid == dlid_ && (mask >> std::min<std::size_t>(i++, 63) & 1))
        tables.set_next(c.at, c.dlid, c.after);
  }
  Tables tables(std::size_t p, std::size_t mask) const {
    Tables now = before_[p];
    write(now, plan_.phases[p], mask);
    return now;
  }
  /// Moves a packet by one hop. False if it has arrived, or is dropped.
  bool step(const Tables& now, State& s, bool* arrived = nullptr) const {
    const PortNum out = now.next(s.at, dlid_);
    if (out > fabric_.node(s.at).ports) return false;
    if (now.sl2vl.row(s.at, s.in, out)[s.sl] >= kDropVl) return false;
    const LidOwner owner = fabric_.owner(dlid_);
    const bool here = owner.kind == LidOwner::Kind::kSwitch
                          ? out == 0 && owner.id == s.at
                          : fabric_.host(owner.id).at == s.at && fabric_.host(owner.id).port == out;
    if (here) {
      if (arrived != nullptr) *arrived = true;
      return false;
    }
    const Channel c = fabric_.channel(s.at, out);
    if (!fabric_.between_switches(c)) return false;
    s.in = fabric_.port_of(fabric_.peer(c));
    s.at = fabric_.target(c);
    return true;
  }
  bool ends(const Tables& now, State s) const {
    bool arrived = false;
    for (std::uint32_t i = 0; i <= fabric_.num_channels(); ++i)
      if (!step(now, s, &arrived)) return arrived;
    return false;
  }
  bool arrives(const Tables& now, SwitchId s, PortNum in, Sl sl) const {
    return ends(now, {0, 0, s, in, sl});
  }

  const Fabric& fabric_;
  const SendPlan& plan_;
  const Lid dlid_;
  const Tables& from_;
  Tables to_;
  std::vector<Tables> before_;
};

/// The plan for a drain: the links that are taken out of use work until the end.
SendPlan drained(const Before& before, const Change& change, bool lossless,
                 std::optional<Method> method = {}) {
  OrderRequest request = change.request;
  request.lossless = lossless;
  request.method = method;
  return send_plan(before.fabric(), change.from, change.delta(), request);
}

/// The LIDs whose packets may be lost, by brute force. `told`: the LIDs with few enough states to
/// be decided.
std::vector<Lid> by_brute_force(const Before& before, const Change& change, const SendPlan& plan,
                                std::set<Lid>& told) {
  std::vector<Lid> lost;
  for (unsigned i = 1; i <= before.fabric().top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    if (before.fabric().destination_switch(lid) == kNoSwitch) continue;
    Brute brute(before.fabric(), change.from, plan, lid);
    if (!brute.small()) continue;
    told.insert(lid);
    if (brute.loses()) lost.push_back(lid);
  }
  return lost;
}

RC_GTEST_PROP(Losses, AreThoseOfBruteForce, ()) {
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const bool grid = random.chance(50);
  const Fabric whole = grid ? make_fabric("torus:3x3", 0)
                            : *test::irregular_fabric({.parallel = true, .pieces = false}, 6);
  RC_PRE(!whole.links().empty());
  const Before before(whole, "updn");
  const Fault fault{{whole.links()[random.below(whole.links().size())]}, {}};
  const Change change = before.repaired(fault, random.chance(70));
  for (const Method method :
       {Method::kGuarded, Method::kDownstream, Method::kCleared, Method::kLossless}) {
    const SendPlan plan = drained(before, change, false, method);
    std::set<Lid> told;
    const std::vector<Lid> slow = by_brute_force(before, change, plan, told);
    std::vector<Lid> fast = losses(before.fabric(), change.from, plan).lids;
    std::erase_if(fast, [&](Lid lid) { return !told.contains(lid); });
    RC_ASSERT(fast == slow);
  }
}

/// Every cable of a 2D torus can be drained without the loss of a packet, though this takes several
/// phases and needs turns that the guard does not permit before.
TEST(Losses, NoneWhenACableOfATorusIsDrained) {
  for (const char* spec : {"torus:3x3", "torus:4x4", "torus:5x6", "torus:8x8"}) {
    const Before before(make_fabric(spec, 0), "updn");
    ASSERT_TRUE(before.guarded());
    const std::size_t step = before.fabric().num_switches() > 36 ? 5 : 1;
    unsigned others = 0;
    for (std::size_t i = 0; i < before.fabric().links().size(); i += step) {
      const Change change = before.repaired({{before.fabric().links()[i]}, {}}, true);
      const SendPlan plan = drained(before, change, true);
      EXPECT_EQ(plan.method, Method::kLossless)
          << spec << ' ' << before.fabric().port_name(before.fabric().links()[i]);
      EXPECT_TRUE(losses(before.fabric(), change.from, plan).none());
      EXPECT_TRUE(prove_safety(before.fabric(), change.from, plan).deadlock_free);
      others += !losses(before.fabric(), change.from, drained(before, change, false)).none();
      Tables tables = change.from;
      for (const SendPhase& phase : plan.phases) {
        for (const LftChange& c : phase.lft) tables.set_next(c.at, c.dlid, c.after);
        for (const Sl2VlChange& c : phase.sl2vl) tables.sl2vl.set(c.at, c.in, c.out, c.after);
      }
      tables.mft = change.to.mft;
      EXPECT_EQ(tables, change.to);
    }
    EXPECT_GT(others, 0u) << spec << ": the usual order loses nothing either";
  }
}

/// The witness of a loss names the switch and port where a packet would be dropped.
TEST(Losses, TheWitnessNamesThePort) {
  const Before before(make_fabric("torus:4x4", 0), "updn");
  const Fault fault = parse_fault(before.fabric(), {"S-0-0:2"});
  const Change change = before.repaired(fault, true);
  const Losses found =
      losses(before.fabric(), change.from, drained(before, change, false, Method::kGuarded));
  ASSERT_FALSE(found.none());
  ASSERT_TRUE(found.witness);
  EXPECT_EQ(found.witness->dlid, found.lids.front());
  EXPECT_NE(found.witness->text.find(" during phase "), std::string::npos) << found.witness->text;
}

}  // namespace
