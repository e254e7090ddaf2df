// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/adaptive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plugin/fabric/naming.hpp"
#include "plugin/verify/cycle.hpp"
#include "plugin/verify/sl_flow.hpp"

namespace selvedge {

const Witness* AdaptiveVerdict::witness_of(std::string_view property) const {
  for (const Witness& w : witnesses)
    if (w.property == property) return &w;
  return nullptr;
}

namespace prover {
namespace {

constexpr std::size_t kGraphBytes = std::size_t{64} << 20;

/// Where packets of one host enter the host's switch, and on which SLs.
struct PacketSource {
  SwitchId at;
  PortNum in;
  SlMask sls;
  friend bool operator==(const PacketSource&, const PacketSource&) = default;
};

/// The SLs and VLs on which packets leave by each channel, and the list of channels in use.
struct Flood {
  explicit Flood(const Wiring& wiring) : leaving(wiring.owner.size()) {}
  void clear() {
    for (const Channel c : touched) leaving[c].sls = 0;
    touched.clear();
  }
  /// Lets packets on the SLs `entering` leave by channel `out`, on the VLs that `row` gives.
  /// Returns the SLs that had not left by `out` before.
  SlMask pass(SlMask entering, const Sl2VlRow& row, Channel out) {
    Leaving& there = leaving[out];
    const SlMask before = there.sls;
    prover::pass(entering, row, there);
    if (before == 0 && there.sls != 0) touched.push_back(out);
    return static_cast<SlMask>(there.sls & ~before);
  }
  std::vector<Leaving> leaving;
  std::vector<Channel> touched;
};

class AdaptiveProver {
 public:
  AdaptiveProver(const Fabric& fabric, const Tables& tables, Carried carried)
      : fabric_(fabric),
        tables_(tables),
        carried_(carried),
        wiring_(fabric),
        rules_(tables.sl2vl, tables.host_sl2vl, fabric.num_switches(), kAllSls),
        all_(wiring_, rules_.vls_any, kGraphBytes),
        own_(wiring_, rules_.vls_any, kGraphBytes),
        escape_(wiring_, rules_.vls_any, kGraphBytes),
        adaptive_(wiring_),
        own_path_(wiring_),
        unpropagated_(wiring_.owner.size(), 0),
        outputs_(fabric.num_switches()),
        outputs_known_(fabric.num_switches(), 0) {}
  AdaptiveVerdict run();

 private:
  template <class F>
  void each_destination(F f);
  void load(HostId to);
  const std::vector<Channel>& adaptive_outputs(SwitchId s);
  std::vector<PacketSource> sources_of(Lid dlid) const;
  bool carries(SwitchId from, Lid dlid) const;

  void propagate(const std::vector<PacketSource>& from);
  void enter(SwitchId at, PortNum in, SlMask sls);
  void add_adaptive_turns();
  void add_own_turns(const std::vector<PacketSource>& from, Lid dlid);
  void enter_own_path(SwitchId at, PortNum in, SlMask sls, Lid dlid);
  Channel lft_output(SwitchId s, Lid dlid) const;
  void find_loop(const std::vector<PacketSource>& from);

  void add(Dependencies& to, Channel from, const Leaving& leaving, Channel out);
  void fail(bool& property, const char* name, Witness::Kind kind, std::string text);
  void check(const Dependencies& graph, bool& property, const char* name);

  const Fabric& fabric_;
  const Tables& tables_;
  Carried carried_;
  Wiring wiring_;
  SlRules rules_;
  Dependencies all_, own_, escape_;
  AdaptiveVerdict verdict_;

  // State for the current destination.
  HostId to_ = kNoHost;
  Flood adaptive_;  // packets that take any way
  Flood own_path_;  // packets of one DLID that take their own way (its LFT entry) only
  // Per channel: SLs that leave by it and are not yet propagated
  std::vector<SlMask> unpropagated_;
  std::vector<Channel> queue_;
  std::vector<std::vector<Channel>> outputs_;  // per switch: adaptive_outputs(), once computed
  std::vector<std::uint32_t> outputs_known_;   // per switch: `to_` + 1 for which outputs_ is valid
};

template <class F>
void AdaptiveProver::each_destination(F f) {
  for (HostId h = 0; h < fabric_.num_hosts(); ++h) {
    if (wiring_.host_at[h] == wiring_.nowhere() || fabric_.host(h).lid == kNoLid) continue;
    to_ = h;
    // Consecutive LIDs that the same sources use are handled together: f propagates their packets
    // once.
    std::vector<std::pair<std::vector<PacketSource>, std::vector<Lid>>> by_sources;
    for (unsigned i = 0; i < fabric_.host(h).lid_count(); ++i) {
      const auto dlid = static_cast<Lid>(fabric_.host(h).lid + i);
      std::vector<PacketSource> from = sources_of(dlid);
      if (from.empty()) continue;
      if (by_sources.empty() || by_sources.back().first != from)
        by_sources.emplace_back(std::move(from), std::vector<Lid>());
      by_sources.back().second.push_back(dlid);
    }
    for (const auto& [from, dlids] : by_sources) f(from, dlids);
  }
}

/// Whether hosts at switch `from` send packets to LID `dlid` of the current destination.
bool AdaptiveProver::carries(SwitchId from, Lid dlid) const {
  const Lid first = fabric_.host(to_).lid;
  const auto routed = [&](Lid lid) { return tables_.next(from, lid) != kNoPort; };
  if (routed(dlid)) {
    if (carried_ == Carried::kAny) return true;
    for (Lid lid = first; lid < dlid; ++lid)
      if (routed(lid)) return false;
    return true;
  }
  // Hosts on a switch without a route to any LID use the first LID; their packets are not
  // delivered.
  for (unsigned i = 0; i < fabric_.host(to_).lid_count(); ++i)
    if (routed(static_cast<Lid>(first + i))) return false;
  return dlid == first;
}

std::vector<PacketSource> AdaptiveProver::sources_of(Lid dlid) const {
  std::vector<PacketSource> from;
  const std::uint32_t component = wiring_.component[wiring_.host_at[to_]];
  for (SwitchId s = 0; s < wiring_.switches; ++s) {
    if (wiring_.component[s] != component || wiring_.attached(s).empty() || !carries(s, dlid))
      continue;
    for (const Wiring::Attached& a : wiring_.attached(s))
      if (a.host != to_) from.push_back({s, a.port, bit(tables_.sl(s, dlid))});
  }
  return from;
}

/// The channels by which packets for the current destination may leave a switch (their ways).
const std::vector<Channel>& AdaptiveProver::adaptive_outputs(SwitchId s) {
  std::vector<Channel>& found = outputs_[s];
  if (outputs_known_[s] == to_ + 1) return found;
  outputs_known_[s] = to_ + 1;
  found.clear();
  for (unsigned i = 0; i < fabric_.host(to_).lid_count(); ++i) {
    const Channel c = lft_output(s, static_cast<Lid>(fabric_.host(to_).lid + i));
    if (c != kNoChannel && std::ranges::find(found, c) == found.end()) found.push_back(c);
  }
  return found;
}

/// The channel that the LFT entry of switch s gives; kNoChannel if no cable is at that port.
Channel AdaptiveProver::lft_output(SwitchId s, Lid dlid) const {
  const PortNum out = tables_.next(s, dlid);
  if (out == 0 || out > wiring_.ports(s)) return kNoChannel;
  const Channel c = wiring_.first[s] + out;
  return fabric_.peer(c) == kNoChannel ? kNoChannel : c;
}

/// Computes which SLs leave every switch when packets from these sources take all their ways.
void AdaptiveProver::propagate(const std::vector<PacketSource>& from) {
  adaptive_.clear();
  queue_.clear();
  for (const PacketSource& start : from) {
    if (const SlMask dropped = start.sls & ~rules_.from_hosts; dropped != 0)
      fail(verdict_.delivered, "delivered", Witness::Kind::kDropped,
           fmt::format("hosts on {} drop SL {}", fabric_.node(start.at).name,
                       std::countr_zero(dropped)));
    enter(start.at, start.in, start.sls & rules_.from_hosts);
  }
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const Channel c = queue_[i];
    enter(wiring_.to[c], wiring_.arrival[c], std::exchange(unpropagated_[c], SlMask{0}));
  }
}

void AdaptiveProver::enter(SwitchId at, PortNum in, SlMask sls) {
  SlMask routable = 0;
  for (const Channel out : adaptive_outputs(at)) {
    const Sl2VlRow& row = tables_.sl2vl.row(at, in, wiring_.port(out));
    Leaving passing;
    prover::pass(sls, row, passing);
    routable |= passing.sls;
    if (wiring_.to[out] == wiring_.nowhere()) {
      if (passing.sls != 0 && out != fabric_.peer(fabric_.injection(to_)))
        fail(verdict_.delivered, "delivered", Witness::Kind::kUnreachable,
             fmt::format(
                 "a packet to {} may be delivered by {}, which is not the destination's cable",
                 host_label(fabric_, to_), fabric_.port_name(out)));
      continue;
    }
    const SlMask fresh = adaptive_.pass(sls, row, out);
    if (fresh == 0) continue;
    if (unpropagated_[out] == 0) queue_.push_back(out);
    unpropagated_[out] |= fresh;
  }
  if (const SlMask dropped = sls & ~routable; dropped != 0)
    fail(verdict_.delivered, "delivered", Witness::Kind::kUnreachable,
         fmt::format("a packet to {} on SL {} that arrives at {}, port {}, has no route",
                     host_label(fabric_, to_), std::countr_zero(dropped), fabric_.node(at).name,
                     in));
}

/// Adds the turns of packets from channel `from`, with the SLs and VLs that `leaving` holds, to
/// channel `out`.
void AdaptiveProver::add(Dependencies& to, Channel from, const Leaving& leaving, Channel out) {
  if (wiring_.to[out] == wiring_.nowhere()) return;
  const SwitchId at = wiring_.to[from];
  const PortNum in = wiring_.arrival[from], port = wiring_.port(out);
  for_each_turn(leaving, tables_.sl2vl.row(at, in, port), [&](Vl before, Vl after) {
    const Dependencies::Cell cell = to.cell({at, in, port, before, after});
    if (!to.has(cell)) to.add(cell);
  });
}

void AdaptiveProver::add_adaptive_turns() {
  for (const Channel c : adaptive_.touched)
    for (const Channel out : adaptive_outputs(wiring_.to[c]))
      add(all_, c, adaptive_.leaving[c], out);
}

void AdaptiveProver::enter_own_path(SwitchId at, PortNum in, SlMask sls, Lid dlid) {
  const Channel out = lft_output(at, dlid);
  SlMask routable = 0;
  if (out != kNoChannel) {
    const Sl2VlRow& row = tables_.sl2vl.row(at, in, wiring_.port(out));
    Leaving passing;
    prover::pass(sls, row, passing);
    routable = passing.sls;
    if (wiring_.to[out] != wiring_.nowhere()) own_path_.pass(sls, row, out);
  }
  if (const SlMask dropped = sls & ~routable; dropped != 0) {
    const std::string text =
        fmt::format("a packet to LID {} on SL {} that arrives at {}, port {}, has no LFT route",
                    dlid, std::countr_zero(dropped), fabric_.node(at).name, in);
    fail(verdict_.own_free, "own_free", Witness::Kind::kUnreachable, text);
    fail(verdict_.escape_free, "escape_free", Witness::Kind::kUnreachable, text);
  }
}

/// Adds the dependencies of one DLID's packets that wait for their own way because no other way has
/// room.
void AdaptiveProver::add_own_turns(const std::vector<PacketSource>& from, Lid dlid) {
  own_path_.clear();
  for (const PacketSource& start : from)
    enter_own_path(start.at, start.in, start.sls & rules_.from_hosts, dlid);
  for (const Channel c : adaptive_.touched)
    enter_own_path(wiring_.to[c], wiring_.arrival[c], adaptive_.leaving[c].sls, dlid);
  const auto follow = [&](const Flood& propagate, Dependencies& graph) {
    for (const Channel c : propagate.touched)
      if (const Channel out = lft_output(wiring_.to[c], dlid); out != kNoChannel)
        add(graph, c, propagate.leaving[c], out);
  };
  follow(adaptive_, own_);
  follow(own_path_, escape_);
}

/// Looks for a packet that can return to a channel. Depth-first search; a node is a channel and an
/// SL.
void AdaptiveProver::find_loop(const std::vector<PacketSource>& from) {
  enum : std::uint8_t { kNew, kOpen, kDone };
  struct Step {
    Channel c;
    std::size_t next;
  };
  std::vector<std::uint8_t> state(wiring_.owner.size());
  std::vector<Step> path;
  for (unsigned sl = 0; sl < kSls; ++sl) {
    std::ranges::fill(state, kNew);
    const auto passes = [&](SwitchId at, PortNum in, Channel out) {
      return wiring_.to[out] != wiring_.nowhere() &&
             tables_.sl2vl.row(at, in, wiring_.port(out))[sl] < kDropVl;
    };
    const auto open = [&](Channel c) {
      state[c] = kOpen;
      path.push_back({c, 0});
    };
    for (const PacketSource& start : from) {
      if (((start.sls & rules_.from_hosts) >> sl & 1) == 0) continue;
      for (const Channel first : adaptive_outputs(start.at)) {
        if (!passes(start.at, start.in, first) || state[first] != kNew) continue;
        open(first);
        while (!path.empty()) {
          const Channel c = path.back().c;
          const SwitchId at = wiring_.to[c];
          const std::vector<Channel>& on = adaptive_outputs(at);
          if (path.back().next == on.size()) {
            state[c] = kDone;
            path.pop_back();
            continue;
          }
          const Channel out = on[path.back().next++];
          if (!passes(at, wiring_.arrival[c], out) || state[out] == kDone) continue;
          if (state[out] == kNew) {
            open(out);
            continue;
          }
          auto text =
              fmt::format("a packet to {} on SL {} may loop:", host_label(fabric_, to_), sl);
          const auto back = std::ranges::find(path, out, &Step::c);
          for (auto it = back; it != path.end(); ++it)
            text += fmt::format(" {} ->", fabric_.port_name(it->c));
          fail(verdict_.loop_free, "loop_free", Witness::Kind::kLoop,
               fmt::format("{} {}", text, fabric_.port_name(out)));
          for (auto it = back; it != path.end(); ++it)
            verdict_.witnesses.back().channels.push_back(it->c);
          return;
        }
      }
    }
  }
}

/// Records that a property does not hold. Only the first reason is kept as a witness.
void AdaptiveProver::fail(bool& property, const char* name, Witness::Kind kind, std::string text) {
  if (!property) return;
  property = false;
  verdict_.witnesses.push_back({kind, name, std::move(text), {}, {}, kNoHost, kNoLid});
}

void AdaptiveProver::check(const Dependencies& graph, bool& property, const char* name) {
  if (!property || TopologicalOrder().build(wiring_, graph)) return;
  const std::vector<VirtualChannel> cycle = short_cycles(wiring_, graph, 1).front();
  std::string text;
  for (const VirtualChannel& vc : cycle)
    text += fmt::format("{} VL{} -> ", fabric_.port_name(vc.channel), vc.vl);
  text += fmt::format("{} VL{}", fabric_.port_name(cycle.front().channel), cycle.front().vl);
  fail(property, name, Witness::Kind::kCycle, std::move(text));
  for (const VirtualChannel& vc : cycle) {
    verdict_.witnesses.back().channels.push_back(vc.channel);
    verdict_.witnesses.back().vls.push_back(vc.vl);
  }
}

AdaptiveVerdict AdaptiveProver::run() {
  each_destination([&](const std::vector<PacketSource>& from, const std::vector<Lid>& dlids) {
    propagate(from);
    add_adaptive_turns();
    for (const Lid dlid : dlids) add_own_turns(from, dlid);
  });
  check(all_, verdict_.deadlock_free, "deadlock_free");
  check(own_, verdict_.own_free, "own_free");
  check(escape_, verdict_.escape_free, "escape_free");
  // The VL on a channel follows from the SL and the port of arrival. So a packet that loops closes
  // a cycle of dependencies; without such a cycle no packet loops.
  if (!verdict_.deadlock_free) {
    each_destination([&](const std::vector<PacketSource>& from, const std::vector<Lid>&) {
      if (verdict_.loop_free) find_loop(from);
    });
  }
  return std::move(verdict_);
}

}  // namespace
}  // namespace prover

AdaptiveVerdict verify_adaptive(const Fabric& fabric, const Tables& tables, Carried carried) {
  return prover::AdaptiveProver(fabric, tables, carried).run();
}

}  // namespace selvedge
