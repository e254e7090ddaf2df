// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/tree/router.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "plugin/engines/updn/up_down_phases.hpp"

namespace selvedge {
namespace {

/// Terms (columns.hpp). A column is a set of switches of one level that are connected with each
/// other through their own level and the levels above. Its cables up lead to smaller columns of the
/// next level. These are numbered within the larger column; the number is the label of the cables
/// to that smaller column. The digit of a destination at a column is the label that its number
/// selects. So paths to the destination go up over a cable with that label.
class TreeRouter {
 public:
  TreeRouter(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
             const Orientation& orientation, const BalanceOptions& balance)
      : fabric_(fabric),
        tree_(tree),
        columns_(columns),
        graph_(directed(make_switch_graph(fabric, balance.weight), orientation.rank)),
        destinations_(number_destinations(fabric, tree, balance.first)),
        phases_(graph_, orientation, UpDownPhases::Tie::kUp),
        hops_of_(graph_),
        tables_(fabric),
        arc_of_(fabric.num_switch_channels(), kNoArc),
        load_(graph_.num_arcs(), 0),
        chains_on_(graph_.num_arcs(), 0),
        chain_(graph_.num_switches(), kNoArc),
        choice_(graph_.num_switches(), kNoArc),
        settled_(graph_.num_switches(), 0),
        carried_(graph_.num_switches(), 0) {
    for (Arc a = 0; a < graph_.num_arcs(); ++a) arc_of_[graph_.channel[a]] = a;
    for (const Channel c : graph_.channel)
      counts_.push_back(balance.ignored.empty() || balance.ignored[c] == 0);
    collect_groups();
    count_cables();
    count_chains_max();
  }

  Tables run(const EngineProgress& progress) {
    unsigned most = 1;
    for (const Group& group : groups_) most = std::max<unsigned>(most, group.count);
    std::uint64_t done = 0;
    const std::uint64_t total = std::uint64_t{most} * 2 * ends_.size();
    for (offset_ = 0; offset_ < most; ++offset_) {
      std::ranges::fill(chains_on_, 0u);
      for (const bool by_digits : {true, false})
        for (std::size_t base = 0; base < ends_.size(); base += UpDownPhases::kTile) {
          const std::span<const SwitchId> tile(ends_.data() + base,
                                               std::min(UpDownPhases::kTile, ends_.size() - base));
          phases_.compute(tile);
          for (std::size_t k = 0; k < tile.size(); ++k) {
            keys_ = phases_.keys(k);
            route(base + k, by_digits);
          }
          done += tile.size();
          if (progress) progress(done, total);
        }
    }
    return std::move(tables_);
  }

 private:
  using Group = Destinations::Group;

  /// Collects the switches that have LIDs, leaves first and in their order, and the LIDs of each.
  void collect_groups() {
    for (std::uint32_t i = 0; i < tree_.leaves.size(); ++i) {
      ends_.push_back(tree_.leaves[i]);
      first_group_.push_back(static_cast<std::uint32_t>(groups_.size()));
      groups_.insert(groups_.end(), destinations_.groups.begin() + destinations_.first[i],
                     destinations_.groups.begin() + destinations_.first[i + 1]);
    }
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      if (tree_.place[s] != TreeLevels::kNoPlace || fabric_.node(s).failed) continue;
      ends_.push_back(s);
      first_group_.push_back(static_cast<std::uint32_t>(groups_.size()));
      if (fabric_.node(s).lid != kNoLid)
        groups_.push_back({fabric_.node(s).lid, 1, 0, Destinations::kNoNumber});
      for (const HostId h : fabric_.hosts_at(s)) {
        const Host& host = fabric_.host(h);
        if (host.lid == kNoLid) continue;
        groups_.push_back({host.lid, static_cast<std::uint16_t>(host.lid_count()), host.port,
                           Destinations::kNoNumber});
      }
    }
    first_group_.push_back(static_cast<std::uint32_t>(groups_.size()));
  }

  // --- Digits

  /// Computes for each column the largest number of cables with the same label at one of its
  /// switches, and whether the column has only one label. If it has one, the digit selects among
  /// all cables up.
  void count_cables() {
    cables_.assign(columns_.count(), 1);
    single_label_.assign(columns_.count(), true);
    for (Column c = 0; c < columns_.count(); ++c)
      if (columns_.parent[c] != TreeColumns::kNoColumn && columns_.label[c] > 0)
        single_label_[columns_.parent[c]] = false;
    for (const SwitchId x : tree_.order) {
      const SwitchGraph& g = tree_.graph;
      std::uint32_t run = 0;
      for (Arc i = g.first[x]; i < g.first_down[x]; ++i) {
        const bool same = i > g.first[x] && label(i) == label(i - 1);
        run = same ? run + 1 : 1;
        std::uint32_t& most = cables_[columns_.of[x]];
        most = std::max(most, run);
      }
    }
  }

  /// The label of the i-th arc in the order of TreeColumns::sorted.
  std::uint32_t label(Arc i) const { return columns_.label_of[columns_.sorted[i]]; }

  /// What a destination number selects at a switch: the cables up with the label of its digit,
  /// sorted by port, and the index of one of these cables.
  struct Digit {
    std::span<const Arc> cables;  // arcs of tree_.graph
    std::size_t which = 0;
    bool exists() const { return which < cables.size(); }
  };

  Digit digit(SwitchId x, std::uint32_t number) const {
    if (tree_.is_top(x)) return {};
    const Column c = columns_.of[x];
    const std::uint32_t radix = single_label_[c] ? 1 : columns_.radix[c];
    const auto slot =
        static_cast<std::uint32_t>(number / columns_.unit[c] % (std::uint64_t{radix} * cables_[c]));
    const SwitchGraph& g = tree_.graph;
    const std::span<const Arc> up(columns_.sorted.data() + g.first[x],
                                  g.first_down[x] - g.first[x]);
    if (radix == 1) return {up, slot};
    const auto [begin, end] =
        std::ranges::equal_range(up, slot % radix, {}, [&](Arc a) { return columns_.label_of[a]; });
    return {{begin, end}, slot / radix};
  }

  /// The arc of graph_ for the channel of this arc of tree_.graph.
  Arc own_arc(Arc of_tree) const { return arc_of_[tree_.graph.channel[of_tree]]; }

  // --- Chains

  /// Computes how many hosts may share a channel into a subtree, if each has one path down to it:
  /// hosts in the subtree / channels into it, rounded up.
  void count_chains_max() {
    std::map<std::tuple<std::int32_t, std::uint32_t, std::uint32_t>, std::uint32_t> cables;
    const auto subtree = [&](SwitchId s) {
      return std::tuple(tree_.level[s], tree_.span_first[s], tree_.span_count[s]);
    };
    const SwitchGraph& g = tree_.graph;
    for (const SwitchId s : tree_.order) cables[subtree(s)] += g.first_down[s] - g.first[s];
    std::vector<std::uint32_t> hosts_before(1, 0);
    for (const std::uint32_t hosts : destinations_.hosts)
      hosts_before.push_back(hosts_before.back() + hosts);
    chains_max_.assign(graph_.num_switches(), 1);
    for (const SwitchId s : tree_.order) {
      const std::uint32_t hosts = hosts_before[tree_.span_first[s] + tree_.span_count[s]] -
                                  hosts_before[tree_.span_first[s]];
      const std::uint32_t channels = cables[subtree(s)];
      if (channels > 0) chains_max_[s] = std::max(1u, (hosts + channels - 1) / channels);
    }
  }

  /// Follows the chain (the one way down) of a destination number from its leaf switch up. It ends
  /// where the cable of a digit is missing or its channel down has no room for another chain. In
  /// these cases chain_end_ is the switch there, which remains open (see router.hpp).
  void follow_chain(SwitchId leaf, std::uint32_t number) {
    for (const SwitchId s : chained_) chain_[s] = kNoArc;
    chained_.clear();
    chain_end_ = kNoSwitch;
    for (SwitchId y = leaf;;) {
      const Digit up = digit(y, number);
      if (up.cables.empty()) return;
      // In an XGFT a label denotes one switch; else the cables of a label may lead to several
      // switches.
      const Arc cable = up.exists() ? up.cables[up.which] : up.cables.front();
      const SwitchId z = tree_.graph.target[cable];
      if (!up.exists()) {
        chain_end_ = z;
        return;
      }
      const Arc down = arc_of_[fabric_.peer(tree_.graph.channel[cable])];
      if (!allowed(z, down)) return;
      if (chains_on_[down] >= chains_max_[y]) {
        chain_end_ = z;
        return;
      }
      ++chains_on_[down];
      chain_[z] = down;
      chained_.push_back(z);
      y = z;
    }
  }

  bool allowed(SwitchId x, Arc a) const {
    return UpDownPhases::may_use(keys_[x], a >= graph_.first_down[x], keys_[graph_.target[a]],
                                 graph_.length(a));
  }

  // --- Paths to one switch

  void route(std::size_t end, bool by_digits) {
    const SwitchId t = ends_[end];
    const std::span<const Group> groups(groups_.data() + first_group_[end],
                                        first_group_[end + 1] - first_group_[end]);
    if (std::ranges::none_of(groups, [&](const Group& g) { return offset_ < g.count; })) return;
    const NextHops& hops = hops_of_.collect(keys_);
    const bool has_hosts = std::ranges::any_of(groups, [](const Group& g) { return g.port != 0; });
    for (const Group& group : groups) {
      if (offset_ >= group.count || (group.port == 0 && has_hosts)) continue;
      const Lid lid = static_cast<Lid>(group.base + offset_);
      if (by_digits)
        settle_by_digits(t, group, lid, hops);
      else
        route_open_switches(group, lid, hops);
    }
    if (by_digits || !has_hosts || offset_ > 0 || groups.front().port != 0) return;
    // The LID of a switch with hosts is routed like that of its first host.
    const Lid own = groups.front().base, as = groups[1].base;
    for (const SwitchId x : hops.order) tables_.set_next(x, own, tables_.next(x, as));
    tables_.set_next(t, own, 0);
  }

  void settle_by_digits(SwitchId t, const Group& group, Lid lid, const NextHops& hops) {
    tables_.set_next(t, lid, group.port);
    if (group.number == Destinations::kNoNumber) return;
    const std::uint32_t number = group.number + offset_;
    follow_chain(t, number);
    settled_[t] = true;
    for (std::size_t i = 1; i < hops.order.size(); ++i) {
      const SwitchId x = hops.order[i];
      Arc arc = chain_[x];
      if (arc == kNoArc && x != chain_end_) arc = digit_arc(x, number, hops, i);
      settled_[x] = arc != kNoArc;
      // With another arc, a packet here still meets the settled paths. So the switch remains open
      // for this LID: on the way up if earlier LIDs of the host use this arc's target, on the way
      // down to choose among parallel cables.
      if (arc != kNoArc && offset_ > 0 && chain_[x] == kNoArc &&
          (!goes_up(x, arc) || taken_by_earlier_lid(x, arc, group)))
        arc = kNoArc;
      choice_[x] = arc;
      if (arc != kNoArc) tables_.set_next(x, lid, graph_.port[arc]);
    }
    for (const SwitchId x : hops.order)
      carried_[x] = static_cast<std::uint32_t>(fabric_.hosts_at(x).size());
    for (std::size_t i = hops.order.size() - 1; i > 0; --i) {
      const SwitchId x = hops.order[i];
      if (choice_[x] == kNoArc) continue;
      if (counts_[choice_[x]]) load_[choice_[x]] += carried_[x];
      carried_[graph_.target[choice_[x]]] += carried_[x];
    }
  }

  bool goes_up(SwitchId x, Arc a) const { return tree_.level[graph_.target[a]] > tree_.level[x]; }

  /// The arc that the destination number's digit selects, if up*/down* allows it and it leads to a
  /// switch with a path; else kNoArc.
  Arc digit_arc(SwitchId x, std::uint32_t number, const NextHops& hops, std::size_t i) const {
    const Digit up = digit(x, number);
    if (up.exists()) {
      const Arc a = own_arc(up.cables[up.which]);
      if (allowed(x, a)) return settled_[graph_.target[a]] ? a : kNoArc;
    }
    // On the way down, a tree has one neighbour to choose, perhaps with parallel cables.
    const std::span<const Arc> ways(hops.arcs.data() + hops.first[i],
                                    hops.first[i + 1] - hops.first[i]);
    for (const Arc a : ways)
      if (goes_up(x, a)) return kNoArc;
    const Arc a = ways[number / columns_.unit[columns_.of[x]] % ways.size()];
    return settled_[graph_.target[a]] ? a : kNoArc;
  }

  /// How many of the host's LIDs with a lower offset use the target switch of `a`, and how many use
  /// `a` itself.
  std::pair<unsigned, unsigned> uses(SwitchId x, Arc a, const Group& group) const {
    std::pair<unsigned, unsigned> count{0, 0};
    for (unsigned o = 0; o < offset_; ++o) {
      const Arc other = arc_to(x, static_cast<Lid>(group.base + o));
      count.first += graph_.target[other] == graph_.target[a];
      count.second += other == a;
    }
    return count;
  }

  /// The arc that x takes to a LID that has been routed.
  Arc arc_to(SwitchId x, Lid lid) const {
    return arc_of_[fabric_.channel(x, tables_.next(x, lid))];
  }

  /// Whether x reaches some lower LID of the host through the target of `a`, over another arc than
  /// that LID's own digit selects.
  bool taken_by_earlier_lid(SwitchId x, Arc a, const Group& group) const {
    for (unsigned o = 0; o < offset_; ++o) {
      const Arc other = arc_to(x, static_cast<Lid>(group.base + o));
      if (graph_.target[other] != graph_.target[a]) continue;
      const Digit own = digit(x, group.number + o);
      if (!own.exists() || own_arc(own.cables[own.which]) != other) return true;
    }
    return false;
  }

  void route_open_switches(const Group& group, Lid lid, const NextHops& hops) {
    // For each switch without a next hop, the number of hosts whose paths reach it.
    for (const SwitchId x : hops.order)
      carried_[x] = group.port == 0 ? 0 : static_cast<std::uint32_t>(fabric_.hosts_at(x).size());
    bool open = false;
    for (std::size_t i = hops.order.size() - 1; i > 0; --i) {
      const SwitchId x = hops.order[i];
      const PortNum port = tables_.next(x, lid);
      choice_[x] = port == kNoPort ? kNoArc : arc_of_[fabric_.channel(x, port)];
      open = open || port == kNoPort;
      if (choice_[x] != kNoArc) carried_[graph_.target[choice_[x]]] += carried_[x];
    }
    if (!open) return;
    const SwitchId t = hops.order[0];
    for (std::size_t i = 1; i < hops.order.size(); ++i) {
      const SwitchId x = hops.order[i];
      if (choice_[x] != kNoArc) continue;
      std::tuple<unsigned, unsigned, std::uint64_t> least{UINT32_MAX, 0, 0};
      for (std::uint32_t k = hops.first[i]; k < hops.first[i + 1]; ++k) {
        const Arc a = hops.arcs[k];
        std::uint64_t load = load_[a];
        for (SwitchId y = graph_.target[a]; y != t; y = graph_.target[choice_[y]])
          load += load_[choice_[y]];
        const auto [targets, arcs] = uses(x, a, group);
        const std::tuple cost(targets, arcs, load);
        if (cost >= least) continue;
        least = cost;
        choice_[x] = a;
      }
      tables_.set_next(x, lid, graph_.port[choice_[x]]);
      for (SwitchId y = x; y != t; y = graph_.target[choice_[y]])
        if (counts_[choice_[y]]) load_[choice_[y]] += carried_[x];
    }
  }

  const Fabric& fabric_;
  const TreeLevels& tree_;
  const TreeColumns& columns_;
  const SwitchGraph graph_;  // directed by the orientation, not by levels
  const Destinations destinations_;
  UpDownPhases phases_;
  UpDownHops hops_of_;
  Tables tables_;

  std::vector<Arc> arc_of_;     // per switch channel: its arc in graph_
  std::vector<SwitchId> ends_;  // the switches that have LIDs
  /// The groups of LIDs at ends_[i]: groups_[first_group_[i]] … groups_[first_group_[i + 1] − 1].
  std::vector<std::uint32_t> first_group_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> cables_;      // per column: computed by count_cables()
  std::vector<bool> single_label_;         // per column: whether it has one label
  std::vector<std::uint32_t> chains_max_;  // per switch: chains on a channel into its subtree
  unsigned offset_ = 0;

  std::vector<std::uint64_t> load_;       // per arc: pairs (host, LID) whose path crosses it
  std::vector<bool> counts_;              // per arc: whether its load is counted
  std::vector<std::uint32_t> chains_on_;  // per arc: chains of LIDs with this offset
  // State for the current LID.
  std::span<const std::uint32_t> keys_;
  std::vector<Arc> chain_;  // per switch: its arc in the chain
  std::vector<SwitchId> chained_;
  SwitchId chain_end_ = kNoSwitch;
  std::vector<Arc> choice_;  // per switch: the arc chosen for the LID
  /// Per switch: whether its digit's arc leads to the destination, see router.hpp
  std::vector<std::uint8_t> settled_;
  std::vector<std::uint32_t> carried_;  // per switch: hosts whose paths pass it
};

}  // namespace

Tables route_tree(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
                  const Orientation& orientation, const EngineProgress& progress,
                  const BalanceOptions& balance) {
  return TreeRouter(fabric, tree, columns, orientation, balance).run(progress);
}

}  // namespace selvedge
