// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/multicast.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "plugin/verify/sl_flow.hpp"

namespace selvedge::prover {
namespace {

/// The channels between switches on which a group sends, each with the channels that follow.
class GroupGraph {
 public:
  GroupGraph(const Wiring& wiring, const MulticastTree& group) : wiring_(wiring), group_(group) {
    const auto switches = std::min<std::size_t>(wiring.switches, group.size());
    for (SwitchId s = 0; s < switches; ++s) {
      if (group[s].none()) continue;
      for (unsigned p = 1; p <= wiring.ports(s); ++p) {
        const Channel c = wiring.first[s] + p;
        if (!group[s][p] || wiring.to[c] == wiring.nowhere()) continue;
        index_[c] = static_cast<std::uint32_t>(channels_.size());
        channels_.push_back(c);
      }
    }
  }
  const std::vector<Channel>& channels() const { return channels_; }
  bool sends(Channel c) const { return index_.contains(c); }

  /// Calls f(channel) for the channels by which a packet that arrived on channel c leaves.
  template <class F>
  void each_after(Channel c, F f) const {
    const SwitchId at = wiring_.to[c];
    for (Channel out = wiring_.first[at] + 1; out < wiring_.first[at + 1]; ++out)
      if (wiring_.port(out) != wiring_.arrival[c] && sends(out)) f(out);
  }
  /// Calls f(port) for the ports by which a packet that leaves by channel c may have entered.
  template <class F>
  void each_entry(Channel c, F f) const {
    const SwitchId at = wiring_.owner[c];
    const PortNum out = wiring_.port(c);
    for (unsigned p = 0; p <= wiring_.ports(at); ++p) {
      if (p == out) continue;
      const Channel back = wiring_.first[at] + p;
      const bool cable = wiring_.to[back] != wiring_.nowhere();
      const auto in = static_cast<PortNum>(p);
      const bool source = group_[at][p] && (p == 0 || wiring_.has_host(at, in));
      if (cable ? sends(wiring_.incoming(back)) : source) f(in);
    }
  }
  /// Returns a cycle of channels, or nothing if there is none.
  std::vector<Channel> cycle() const;

 private:
  const Wiring& wiring_;
  const MulticastTree& group_;
  std::vector<Channel> channels_;
  boost::unordered_flat_map<Channel, std::uint32_t> index_;
};

std::vector<Channel> GroupGraph::cycle() const {
  std::vector<std::uint32_t> before(channels_.size(), 0);
  for (const Channel c : channels_) each_after(c, [&](Channel d) { ++before[index_.at(d)]; });
  std::vector<Channel> queue;
  for (std::size_t i = 0; i < channels_.size(); ++i)
    if (before[i] == 0) queue.push_back(channels_[i]);
  for (std::size_t head = 0; head < queue.size(); ++head)
    each_after(queue[head], [&](Channel d) {
      if (--before[index_.at(d)] == 0) queue.push_back(d);
    });
  if (queue.size() == channels_.size()) return {};

  // Channels without a predecessor have been removed. Each remaining channel has a remaining
  // predecessor, so a walk backwards must close a cycle.
  std::vector<Channel> previous(channels_.size(), kNoChannel);
  std::size_t at = 0;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (before[i] == 0) continue;
    at = i;
    each_after(channels_[i], [&](Channel d) {
      if (before[index_.at(d)] != 0) previous[index_.at(d)] = channels_[i];
    });
  }
  std::vector<bool> seen(channels_.size(), false);
  while (!seen[at]) {
    seen[at] = true;
    at = index_.at(previous[at]);
  }
  std::vector<Channel> cycle;
  const Channel start = channels_[at];
  Channel c = start;
  do {
    cycle.push_back(c);
    c = previous[index_.at(c)];
  } while (c != start);
  std::ranges::reverse(cycle);
  return cycle;
}

}  // namespace

GroupProof prove_group(const Wiring& wiring, const SlRules& rules, const Sl2Vl& sl2vl,
                       const MulticastTree& group, bool any_sl) {
  GroupProof proof;
  const GroupGraph graph(wiring, group);
  const auto switches = std::min<std::size_t>(wiring.switches, group.size());
  for (SwitchId s = 0; s < switches; ++s) {
    if (group[s].none()) continue;
    for (unsigned p = 1; p < group[s].size(); ++p) {
      if (!group[s][p]) continue;
      const auto port = static_cast<PortNum>(p);
      const Channel c = wiring.first[s] + p;
      if (p <= wiring.ports(s) && wiring.to[c] != wiring.nowhere()) {
        if (!graph.sends(wiring.incoming(c))) proof.one_sided.push_back({s, port});
        continue;
      }
      if (!wiring.has_host(s, port)) proof.dead.push_back({s, port});
    }
  }
  proof.cycle = graph.cycle();

  auto collect = [&](SlMask sls, std::vector<Turn>& turns, VlMask& vls) {
    for (const Channel c : graph.channels()) {
      Leaving leaving;
      graph.each_entry(c, [&](PortNum in) {
        pass(sls, sl2vl.row(wiring.owner[c], in, wiring.port(c)), leaving);
      });
      vls |= leaving.all_vls();
      const SwitchId at = wiring.to[c];
      const PortNum in = wiring.arrival[c];
      graph.each_after(c, [&](Channel d) {
        const PortNum out = wiring.port(d);
        for_each_turn(leaving, sl2vl.row(at, in, out),
                      [&](Vl from, Vl to) { turns.push_back({at, in, out, from, to}); });
      });
    }
  };
  collect(bit(0), proof.turns, proof.vls);
  VlMask unused = 0;
  if (any_sl) collect(rules.every_class, proof.turns_any, unused);
  return proof;
}

}  // namespace selvedge::prover
