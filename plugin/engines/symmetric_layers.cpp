// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/symmetric_layers.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "plugin/engines/iterated_greedy.hpp"
#include "plugin/engines/row_order.hpp"
#include "plugin/engines/switch_graph.hpp"
#include "plugin/engines/updn/orientation.hpp"
#include "plugin/fabric/regularity.hpp"
#include "plugin/fabric/stable_random.hpp"

namespace selvedge {
namespace {

/// Numbers for the turns of a graph: of each switch, arc of entry × arc of exit. An arc of entry is
/// named by the arc back, which leaves the switch.
class TurnSpace {
 public:
  using Id = std::uint32_t;

  TurnSpace(const Fabric& fabric, const SwitchGraph& graph, const std::vector<std::uint32_t>& rank)
      : graph_(graph), arc_of_(fabric.num_switch_channels(), kNoArc) {
    for (Arc a = 0; a < graph.num_arcs(); ++a) arc_of_[graph.channel[a]] = a;
    std::size_t turns = 0;
    for (SwitchId s = 0; s < graph.num_switches(); ++s) {
      first_.push_back(turns);
      turns += std::size_t{arcs(s)} * arcs(s);
    }
    forbidden_.resize(turns);
    follow_.resize(turns + 1);
    onward_.resize(turns);
    std::uint32_t follows = 0;
    for (SwitchId s = 0; s < graph.num_switches(); ++s)
      for (Arc back = graph.first[s]; back < graph.first[s + 1]; ++back)
        for (Arc out = graph.first[s]; out < graph.first[s + 1]; ++out) {
          const Id turn = make(s, back, out);
          const SwitchId to = graph.target[out];
          // It came down from a switch of lower rank, and goes up to one.
          forbidden_[turn] = rank[graph.target[back]] < rank[s] && rank[to] < rank[s];
          onward_[turn] = make(to, arc_of_[fabric.peer(graph.channel[out])], graph.first[to]);
          follow_[turn] = follows;
          follows += arcs(to);
        }
    follow_[turns] = follows;
  }

  Id make(SwitchId s, Arc back, Arc out) const {
    return static_cast<Id>(first_[s] + (back - graph_.first[s]) * arcs(s) +
                           (out - graph_.first[s]));
  }
  std::size_t turns() const { return forbidden_.size(); }
  std::size_t follows() const { return follow_.back(); }
  Arc arc(Channel c) const { return arc_of_[c]; }
  Vl least(Id turn, Vl before) const { return static_cast<Vl>(before + forbidden_[turn]); }
  bool forbidden(Id turn) const { return forbidden_[turn] != 0; }
  /// The turns that may come next: onward(turn) … + number(turn) − 1.
  Id onward(Id turn) const { return onward_[turn]; }
  std::uint32_t follow(Id turn) const { return follow_[turn]; }
  std::uint32_t number(Id turn) const { return follow_[turn + 1] - follow_[turn]; }

 private:
  unsigned arcs(SwitchId s) const { return graph_.first[s + 1] - graph_.first[s]; }

  const SwitchGraph& graph_;
  std::vector<Arc> arc_of_;              // per channel
  std::vector<std::size_t> first_;       // per switch: its first turn
  std::vector<std::uint8_t> forbidden_;  // per turn
  std::vector<Id> onward_;               // per turn: the first that may come next
  std::vector<std::uint32_t> follow_;    // per turn: the first index of its pairs with the next
};

using TurnId = TurnSpace::Id;

/// Paths as turns, in groups that get one SL each.
struct Groups {
  std::vector<TurnId> turns;
  std::vector<std::size_t> path{0};   // path p: turns[path[p]] … turns[path[p + 1] − 1]
  std::vector<std::size_t> group{0};  // group g: paths group[g] … group[g + 1] − 1

  std::size_t size() const { return group.size() - 1; }
  std::span<const TurnId> turns_of(std::size_t p) const {
    return {turns.data() + path[p], path[p + 1] - path[p]};
  }
  void close_path() {
    if (turns.size() > path.back()) path.push_back(turns.size());
  }
  void close_group() { group.push_back(path.size() - 1); }
};

/// The turns of one SL while groups are added to it: the least VL of every turn, and which turns
/// follow each other.
class SymmetricLayer {
 public:
  SymmetricLayer(const TurnSpace& space, unsigned vls)
      : space_(&space), top_(vls - 1), vl_(space.turns(), 0), follows_(space.follows(), 0) {}

  void clear() {
    std::ranges::fill(vl_, Vl{0});
    std::ranges::fill(follows_, std::uint8_t{0});
  }

  /// Adds all paths of a group, or none.
  bool add(const Groups& groups, std::size_t g) {
    raised_.clear();
    linked_.clear();
    for (std::size_t p = groups.group[g]; p < groups.group[g + 1]; ++p)
      if (!insert(groups.turns_of(p))) {
        undo();
        return false;
      }
    return true;
  }

  const std::vector<Vl>& vl() const { return vl_; }

 private:
  bool insert(std::span<const TurnId> path) {
    pending_.clear();
    if (!raise(path[0], space_->least(path[0], 0))) return false;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const std::size_t link = space_->follow(path[i]) + (path[i + 1] - space_->onward(path[i]));
      if (!follows_[link]) {
        follows_[link] = 1;
        linked_.push_back(link);
      }
      if (!raise(path[i + 1], space_->least(path[i + 1], vl_[path[i]]))) return false;
    }
    return settle();
  }

  bool raise(TurnId turn, Vl vl) {
    if (vl_[turn] >= vl) return true;
    if (vl > top_) return false;
    raised_.emplace_back(turn, vl_[turn]);
    vl_[turn] = vl;
    pending_.push_back(turn);
    return true;
  }

  /// Propagates raised VLs to the turns that follow.
  bool settle() {
    while (!pending_.empty()) {
      const TurnId turn = pending_.back();
      pending_.pop_back();
      for (std::uint32_t i = 0; i < space_->number(turn); ++i) {
        const TurnId next = space_->onward(turn) + i;
        if (follows_[space_->follow(turn) + i] && !raise(next, space_->least(next, vl_[turn])))
          return false;
      }
    }
    return true;
  }

  void undo() {
    for (; !raised_.empty(); raised_.pop_back()) vl_[raised_.back().first] = raised_.back().second;
    for (const std::size_t link : linked_) follows_[link] = 0;
  }

  const TurnSpace* space_;
  unsigned top_;
  std::vector<Vl> vl_;                         // per turn
  std::vector<std::uint8_t> follows_;          // [turn and the next]: whether a path takes both
  std::vector<std::pair<TurnId, Vl>> raised_;  // since add() began: turns with the VL they had
  std::vector<std::size_t> linked_;            // since add() began: new entries of follows_
  std::vector<TurnId> pending_;
};

/// Distributes groups over SLs by first fit, repeatedly; see ist/search.hpp.
class GreedyLayers {
 public:
  GreedyLayers(const TurnSpace& space, const Groups& groups, unsigned vls)
      : space_(space), groups_(groups), vls_(vls), order_(groups.size()), layer_(groups.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  /// Returns the number of SLs used; more than `limit` if it gave up; 0 if a group alone does not
  /// fit.
  unsigned round(unsigned limit) {
    for (SymmetricLayer& layer : layers_) layer.clear();
    used_ = 0;
    for (const std::size_t g : order_) {
      unsigned l = 0;
      while (l < used_ && !layers_[l].add(groups_, g)) ++l;
      if (l == used_) {
        if (++used_ > limit) return used_;
        if (layers_.size() < used_) layers_.emplace_back(space_, vls_);
        if (!layers_[l].add(groups_, g)) return 0;
      }
      layer_[g] = l;
    }
    return used_;
  }

  void reorder() { reorder_layers(layer_, used_, random_, order_); }

  /// The SL of a group. The first group, which is the multicast tree, has SL 0.
  unsigned sl(std::size_t g) const { return sl_of(layer_[g]); }
  Vl vl(unsigned sl, TurnId turn) const { return layers_[layer_of(sl)].vl()[turn]; }

 private:
  unsigned sl_of(unsigned layer) const {
    const unsigned zero = layer_[0];
    return layer == zero ? 0 : layer < zero ? layer + 1 : layer;
  }
  unsigned layer_of(unsigned sl) const {
    const unsigned zero = layer_[0];
    return sl == 0 ? zero : sl <= zero ? sl - 1 : sl;
  }

  const TurnSpace& space_;
  const Groups& groups_;
  unsigned vls_;
  StableRandom random_{1};
  std::vector<std::size_t> order_;
  std::vector<unsigned> layer_;  // per group
  std::vector<SymmetricLayer> layers_;
  unsigned used_ = 0;
};

class BothDirections {
 public:
  BothDirections(const Fabric& fabric, Tables& tables, const Orientation* order)
      : fabric_(fabric),
        tables_(tables),
        graph_(make_switch_graph(fabric)),
        order_(order != nullptr ? *order : make_order()),
        space_(fabric, graph_, order_.rank) {
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      std::vector<Lid>& at = lids_.emplace_back();
      if (fabric.node(s).failed) continue;
      if (fabric.node(s).lid != kNoLid) at.push_back(fabric.node(s).lid);
      for (const HostId h : fabric.hosts_at(s)) {
        const Host& host = fabric.host(h);
        if (host.lid == kNoLid) continue;
        for (unsigned i = 0; i < host.lid_count(); ++i)
          at.push_back(static_cast<Lid>(host.lid + i));
      }
    }
  }

  SymmetricLayers run(unsigned from_vls, unsigned max_vls, unsigned max_sls,
                      std::size_t turns_in_all) {
    SymmetricLayers result;
    result.vls = max_vls;
    if (!list_groups()) {
      result.too_large = true;
      return result;
    }
    const auto rounds = static_cast<unsigned>(std::clamp<std::size_t>(
        turns_in_all / std::max<std::size_t>(groups_.turns.size(), 1), 4, 200));
    for (unsigned vls = std::min(std::max(least_vls(), from_vls), max_vls); vls <= max_vls; ++vls) {
      GreedyLayers greedy(space_, groups_, vls);
      result.sls = 0;
      // A round far from the goal suggests that further ones gain little; one more VL gains more.
      const unsigned near = max_sls + (vls == max_vls ? max_sls : max_sls / 4) + 1;
      for (unsigned round = 0; round < rounds; ++round) {
        const unsigned used = greedy.round(kMostSls);
        if (used == 0 || used > kMostSls) break;
        result.sls = result.sls == 0 ? used : std::min(result.sls, used);
        if (used <= max_sls) {
          if (!write(greedy, used)) return result;
          result.found = true;
          result.vls = vls;
          result.multicast = order_.tree;
          return result;
        }
        if (used > near) break;
        greedy.reorder();
      }
    }
    return result;
  }

 private:
  static constexpr unsigned kMostSls = 64;  // a round that needs more is given up

  Orientation make_order() const {
    const Components pieces = components(graph_);
    if (std::optional<Orientation> rows = order_by_rows(recognise(fabric_), graph_, pieces))
      return std::move(*rows);
    return orient(fabric_, graph_, pieces, EngineRequest::Tree::kDfs, {});
  }

  /// The multicast tree first, then every pair of switches. Returns false if these are too many.
  bool list_groups() {
    list_tree();
    std::vector<std::vector<TurnId>> paths;
    for (SwitchId b = 0; b < fabric_.num_switches(); ++b)
      for (SwitchId a = 0; a < b; ++a) {
        paths.clear();
        for (const Lid lid : lids_[b]) list_path(a, lid, paths);
        for (const Lid lid : lids_[a]) list_path(b, lid, paths);
        std::ranges::sort(paths);
        const auto repeated = std::ranges::unique(paths);
        paths.erase(repeated.begin(), repeated.end());
        for (const std::vector<TurnId>& path : paths) {
          groups_.turns.insert(groups_.turns.end(), path.begin(), path.end());
          groups_.close_path();
        }
        groups_.close_group();
        pairs_.emplace_back(a, b);
        if (groups_.turns.size() > kMostTurns) return false;
      }
    return true;
  }

  void list_path(SwitchId from, Lid lid, std::vector<std::vector<TurnId>>& paths) const {
    std::vector<TurnId> path;
    Arc before = kNoArc;
    SwitchId s = from;
    for (std::uint32_t hop = 0; hop <= fabric_.num_switches(); ++hop) {
      const PortNum port = tables_.next(s, lid);
      if (port == kNoPort || port == 0) break;
      const Channel c = fabric_.channel(s, port);
      if (!fabric_.between_switches(c)) break;  // to a host
      const Arc arc = space_.arc(c);
      if (arc == kNoArc) break;
      if (before != kNoArc)
        path.push_back(space_.make(s, space_.arc(fabric_.peer(graph_.channel[before])), arc));
      before = arc;
      s = graph_.target[arc];
    }
    if (!path.empty()) paths.push_back(std::move(path));
  }

  /// All turns of the spanning tree, alone and with each that may follow.
  void list_tree() {
    std::vector<std::uint8_t> in_tree(graph_.num_arcs(), 0);
    for (const Channel c : order_.tree)
      if (c != kNoChannel) in_tree[space_.arc(c)] = in_tree[space_.arc(fabric_.peer(c))] = 1;
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      for (Arc back = graph_.first[s]; back < graph_.first[s + 1]; ++back)
        for (Arc out = graph_.first[s]; out < graph_.first[s + 1]; ++out) {
          if (back == out || !in_tree[back] || !in_tree[out]) continue;
          const TurnId turn = space_.make(s, back, out);
          groups_.turns.push_back(turn);
          groups_.close_path();
          const SwitchId there = graph_.target[out];
          const Arc came = space_.arc(fabric_.peer(graph_.channel[out]));
          for (Arc on = graph_.first[there]; on < graph_.first[there + 1]; ++on) {
            if (on == came || !in_tree[on]) continue;
            groups_.turns.push_back(turn);
            groups_.turns.push_back(space_.make(there, came, on));
            groups_.close_path();
          }
        }
    groups_.close_group();
  }

  /// The number of VLs that suffices for each path alone.
  unsigned least_vls() const {
    unsigned most = 0;
    for (std::size_t p = 0; p + 1 < groups_.path.size(); ++p) {
      unsigned rises = 0;
      for (const TurnId turn : groups_.turns_of(p)) rises += space_.forbidden(turn);
      most = std::max(most, rises);
    }
    return most + 1;
  }

  Sl2VlRow row_of(const GreedyLayers& layers, unsigned sls, TurnId turn) const {
    Sl2VlRow row;
    for (unsigned sl = 0; sl < kSls; ++sl) row[sl] = layers.vl(sl % sls, turn);
    return row;
  }

  /// Returns false, with nothing written, if the tables cannot hold so many different SL2VL rows.
  bool write(const GreedyLayers& layers, unsigned sls) {
    std::set<Sl2VlRow> rows{Sl2VlRow{}};
    for (TurnId turn = 0; turn < space_.turns() && rows.size() < Sl2Vl::kMaxRows; ++turn)
      rows.insert(row_of(layers, sls, turn));
    if (rows.size() >= Sl2Vl::kMaxRows) return false;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto [a, b] = pairs_[i];
      const auto sl = static_cast<Sl>(layers.sl(i + 1));
      for (const Lid lid : lids_[b]) tables_.set_sl(a, lid, sl);
      for (const Lid lid : lids_[a]) tables_.set_sl(b, lid, sl);
    }
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      for (const Lid lid : lids_[s]) tables_.set_sl(s, lid, 0);
    tables_.host_sl2vl = {};
    tables_.sl2vl = Sl2Vl(fabric_);
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      for (Arc back = graph_.first[s]; back < graph_.first[s + 1]; ++back)
        for (Arc out = graph_.first[s]; out < graph_.first[s + 1]; ++out)
          if (back != out)
            tables_.sl2vl.set(s, graph_.port[back], graph_.port[out],
                              row_of(layers, sls, space_.make(s, back, out)));
    return true;
  }

  const Fabric& fabric_;
  Tables& tables_;
  const SwitchGraph graph_;
  const Orientation order_;
  const TurnSpace space_;
  std::vector<std::vector<Lid>> lids_;  // per switch: its own LID and those of its hosts
  Groups groups_;                       // the multicast tree, then `pairs_`
  std::vector<std::pair<SwitchId, SwitchId>> pairs_;
};

// How many turns are placed in all rounds with one number of VLs, about.
constexpr std::size_t kTurnsInAll = 30'000'000;

}  // namespace

SymmetricLayers layer_both_directions(const Fabric& fabric, const Orientation& order,
                                      unsigned least_vls, unsigned max_vls, unsigned max_sls,
                                      Tables& tables) {
  if (max_vls == 0 || max_sls == 0) return {};
  return BothDirections(fabric, tables, &order)
      .run(least_vls, max_vls, std::min(max_sls, unsigned{kSls}), kTurnsInAll / 10);
}

SymmetricLayers layer_both_directions(const Fabric& fabric, unsigned max_vls, unsigned max_sls,
                                      Tables& tables) {
  if (max_vls == 0 || max_sls == 0) return {};
  return BothDirections(fabric, tables, nullptr)
      .run(1, max_vls, std::min(max_sls, unsigned{kSls}), kTurnsInAll);
}

}  // namespace selvedge
