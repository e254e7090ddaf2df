// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/multipath/layering.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <tuple>

namespace selvedge::multipath {
namespace {

std::vector<Arc> arcs_of_channels(const Fabric& fabric, const SwitchGraph& graph) {
  std::vector<Arc> arc_of(fabric.num_switch_channels(), kNoArc);
  for (Arc a = 0; a < graph.num_arcs(); ++a) arc_of[graph.channel[a]] = a;
  return arc_of;
}

std::vector<Arc> opposites(const Fabric& fabric, const SwitchGraph& graph,
                           std::span<const Arc> arc_of) {
  std::vector<Arc> opposite;
  opposite.reserve(graph.num_arcs());
  for (const Channel c : graph.channel) opposite.push_back(arc_of[fabric.peer(c)]);
  return opposite;
}

class Layering {
 public:
  Layering(const Fabric& fabric, const SwitchGraph& graph, const Tables& up_down,
           std::span<const Channel> tree, unsigned layers, Tables& tables)
      : fabric_(fabric),
        graph_(graph),
        up_down_(up_down),
        tables_(tables),
        arc_of_(arcs_of_channels(fabric, graph)),
        opposite_(opposites(fabric, graph, arc_of_)),
        layers_(graph, opposite_, layers) {
    put_up_down(tree);
  }

  LayeringCounts run() {
    counts_.base_both_ways = layer_pairs();
    if (!counts_.base_both_ways)
      for (const Host& host : fabric_.hosts())
        if (host.lid != kNoLid) layer_or_up_down(host.lid);
    for (const Switch& node : fabric_.switches())
      if (node.lid != kNoLid) layer_or_up_down(node.lid);
    for (const Host& host : fabric_.hosts())
      for (unsigned i = 1; host.lid != kNoLid && i < host.lid_count(); ++i)
        if (const auto lid = static_cast<Lid>(host.lid + i); !layer_lid(lid)) {
          copy(tables_, host.lid, lid);
          ++counts_.like_base;
        }
    counts_.layers = used_;
    if (used_ > 1) write_rows();
    return counts_;
  }

 private:
  Arc next_arc(const Tables& tables, SwitchId s, Lid lid) const {
    const PortNum port = tables.next(s, lid);
    return port == kNoPort ? kNoArc : arc_of_[fabric_.channel(s, port)];
  }

  void path_of(const Tables& tables, SwitchId s, Lid lid, std::vector<Arc>& path) const {
    path.clear();
    for (Arc a = next_arc(tables, s, lid); a != kNoArc; a = next_arc(tables, s, lid)) {
      path.push_back(a);
      s = graph_.target[a];
    }
  }

  /// The dependencies of all paths of updn, and those of its multicast tree.
  void put_up_down(std::span<const Channel> tree) {
    for (unsigned lid = 1; lid <= up_down_.top_lid(); ++lid)
      for (SwitchId s = 0; s < graph_.num_switches(); ++s) {
        const Arc a = next_arc(up_down_, s, static_cast<Lid>(lid));
        if (a == kNoArc) continue;
        const Arc b = next_arc(up_down_, graph_.target[a], static_cast<Lid>(lid));
        if (b == kNoArc) continue;
        layers_.add(0, std::array{a, b});
      }
    std::vector<std::vector<Arc>> part(graph_.num_switches());
    for (SwitchId s = 0; s < graph_.num_switches(); ++s) {
      if (tree[s] == kNoChannel) continue;
      const Arc up = arc_of_[tree[s]];
      part[s].push_back(up);
      part[graph_.target[up]].push_back(opposite_[up]);
    }
    for (const std::vector<Arc>& arcs : part)
      for (const Arc in : arcs)
        for (const Arc out : arcs)
          if (in != out) layers_.add(0, std::array{opposite_[in], out});
  }

  /// Layers the base LIDs, so that both directions of a pair of switches have one SL. Returns
  /// false, with nothing changed, if some pair fits no layer.
  bool layer_pairs() {
    const std::size_t before = layers_.mark();
    std::vector<std::vector<Arc>> paths;
    struct Found {
      SwitchId from, to;
      Sl sl;
    };
    std::vector<Found> found;
    const auto collect = [&](SwitchId from, SwitchId to) {
      for (const HostId h : fabric_.hosts_at(to)) {
        if (fabric_.host(h).lid == kNoLid) continue;
        paths.emplace_back();
        path_of(tables_, from, fabric_.host(h).lid, paths.back());
      }
    };
    for (SwitchId s = 0; s < graph_.num_switches(); ++s)
      for (SwitchId t = s + 1; t < graph_.num_switches(); ++t) {
        paths.clear();
        collect(s, t);
        collect(t, s);
        const std::optional<Sl> sl = add_all(paths);
        if (!sl) {
          layers_.undo(before);
          return false;
        }
        if (*sl != 0) found.push_back({s, t, *sl});
      }
    for (const auto& [s, t, sl] : found) {
      for (const HostId h : fabric_.hosts_at(t)) set_sl(s, fabric_.host(h).lid, sl);
      for (const HostId h : fabric_.hosts_at(s)) set_sl(t, fabric_.host(h).lid, sl);
    }
    return true;
  }

  /// The first layer that takes all these paths.
  std::optional<Sl> add_all(const std::vector<std::vector<Arc>>& paths) {
    for (unsigned layer = 0; layer < layers_.count(); ++layer) {
      const std::size_t before = layers_.mark();
      if (std::ranges::all_of(paths, [&](const auto& p) { return layers_.add(layer, p); }))
        return static_cast<Sl>(layer);
      layers_.undo(before);
    }
    return std::nullopt;
  }

  std::optional<Sl> add_one(std::span<const Arc> path) {
    for (unsigned layer = 0; layer < layers_.count(); ++layer)
      if (layers_.add(layer, path)) return static_cast<Sl>(layer);
    return std::nullopt;
  }

  void set_sl(SwitchId s, Lid lid, Sl sl) {
    if (lid == kNoLid) return;
    used_ = std::max(used_, sl + 1u);
    if (sl != 0 || !tables_.one_sl()) tables_.set_sl(s, lid, sl);
  }

  void layer_or_up_down(Lid lid) {
    if (layer_lid(lid)) return;
    copy(up_down_, lid, lid);
    ++counts_.up_down;
  }

  /// Gives LID `to` the entries and SLs that `tables` have for `from`.
  void copy(const Tables& tables, Lid from, Lid to) {
    const SwitchId destination = fabric_.destination_switch(to);
    for (SwitchId s = 0; s < graph_.num_switches(); ++s) {
      if (s != destination) tables_.set_next(s, to, tables.next(s, from));
      set_sl(s, to, tables.sl(s, from));
    }
  }

  /// Gives each path to a LID a layer, with other next hops where needed. Returns false, with
  /// nothing changed, if that does not succeed.
  bool layer_lid(Lid lid) {
    const SwitchId destination = fabric_.destination_switch(lid);
    const std::size_t before = layers_.mark();
    begin_column(lid, destination);
    std::vector<Arc> path;
    const auto try_from = [&](SwitchId s, Arc first) {
      path.assign(1, first);
      for (SwitchId x = graph_.target[first]; x != destination; x = graph_.target[column_[x]])
        path.push_back(column_[x]);
      const std::optional<Sl> sl = add_one(path);
      if (!sl) return false;
      column_[s] = first;
      sl_[s] = *sl;
      fits_[s] = 1;
      hops_[s] = static_cast<std::uint32_t>(path.size());
      return true;
    };
    std::vector<SwitchId> left;
    for (const SwitchId s : order_)
      if (s != destination && (fits_[graph_.target[column_[s]]] == 0 || !try_from(s, column_[s])))
        left.push_back(s);
    std::uint64_t moved = 0;
    for (bool more = true; more && !left.empty();) {
      more = false;
      for (SwitchId& s : left) {
        const Arc wanted = column_[s];
        std::vector<Arc> choices;
        for (Arc a = graph_.first[s]; a < graph_.first[s + 1]; ++a)
          if (fits_[graph_.target[a]] != 0) choices.push_back(a);
        std::ranges::sort(choices, {}, [&](Arc a) {
          return std::tuple(a != wanted, hops_[graph_.target[a]], a);
        });
        for (const Arc a : choices) {
          if (!try_from(s, a)) continue;
          if (a != wanted) ++moved;
          more = true;
          s = kNoSwitch;
          break;
        }
      }
      std::erase(left, kNoSwitch);
    }
    if (!left.empty()) {
      layers_.undo(before);
      return false;
    }
    counts_.moved += moved;
    for (const SwitchId s : order_) {
      if (s == destination) continue;
      tables_.set_next(s, lid, graph_.port[column_[s]]);
      set_sl(s, lid, sl_[s]);
    }
    return true;
  }

  /// Reads a LID's column, and the order of its switches: each after its next hop.
  void begin_column(Lid lid, SwitchId destination) {
    const SwitchId switches = graph_.num_switches();
    column_.resize(switches);
    sl_.assign(switches, 0);
    fits_.assign(switches, 0);
    hops_.assign(switches, 0);
    fits_[destination] = 1;
    std::vector<std::vector<SwitchId>> before(switches);
    for (SwitchId s = 0; s < switches; ++s) {
      column_[s] = next_arc(tables_, s, lid);
      if (s != destination && column_[s] != kNoArc) before[graph_.target[column_[s]]].push_back(s);
    }
    order_.assign(1, destination);
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (const SwitchId s : before[order_[i]]) order_.push_back(s);
  }

  void write_rows() {
    Sl2VlRow row{};
    for (unsigned sl = 0; sl < used_; ++sl) row[sl] = static_cast<Vl>(sl);
    for (SwitchId s = 0; s < graph_.num_switches(); ++s) tables_.sl2vl.set_all(s, row);
    tables_.host_sl2vl = row;
  }

  const Fabric& fabric_;
  const SwitchGraph& graph_;
  const Tables& up_down_;
  Tables& tables_;
  const std::vector<Arc> arc_of_, opposite_;
  Layers layers_;
  LayeringCounts counts_;
  unsigned used_ = 1;  // layers
  // The column that layer_lid() works on, per switch:
  std::vector<Arc> column_;
  std::vector<Sl> sl_;
  std::vector<std::uint8_t> fits_;  // whether its path has a layer
  std::vector<std::uint32_t> hops_;
  std::vector<SwitchId> order_;
};

}  // namespace

LayeringCounts layer_paths(const Fabric& fabric, const SwitchGraph& graph, const Tables& up_down,
                           std::span<const Channel> tree, unsigned layers, Tables& tables) {
  return Layering(fabric, graph, up_down, tree, layers, tables).run();
}

}  // namespace selvedge::multipath
