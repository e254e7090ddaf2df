// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/dmodk/router.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "plugin/engines/updn/up_down_phases.hpp"

namespace selvedge {
namespace {

class Router {
 public:
  Router(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
         const std::vector<HostId>& first_hosts)
      : fabric_(fabric),
        tree_(tree),
        g_(tree.graph),
        columns_(columns),
        destinations_(number_destinations(fabric, tree, first_hosts)),
        tables_(fabric),
        ways_down_(g_.num_switches(), 0),
        down_arc_(g_.num_switches(), kNoArc),
        above_(g_.num_switches(), 0) {}

  Tables run(const Orientation& orientation, const EngineProgress& progress) {
    fill_rows();
    for (std::uint32_t i = 0; i < tree_.leaves.size(); ++i) route_leaf(i);
    route_bare_switches(orientation);
    if (progress) progress(fabric_.num_switches(), fabric_.num_switches());
    return std::move(tables_);
  }

 private:
  using Group = Destinations::Group;

  // --- Entries that lead up, for all LIDs of a switch

  /// For every LID its digit (number / unit) % range; kNoDigit for LIDs without a d-mod-k number.
  static constexpr std::uint8_t kNoDigit = 255;
  static_assert(kMaxSwitchPorts < kNoDigit, "a switch has fewer cables going up than digits");

  const std::vector<std::uint8_t>& digits(std::uint64_t unit, std::uint32_t range) {
    std::vector<std::uint8_t>& row = digits_[{unit, range}];
    if (!row.empty()) return row;
    row.reserve(destinations_.number_of.size());
    for (const std::uint32_t number : destinations_.number_of)
      row.push_back(number == Destinations::kNoNumber
                        ? kNoDigit
                        : static_cast<std::uint8_t>(number / unit % range));
    return row;
  }

  void fill_rows() {
    const bool pieces = !tree_.leaves.empty() && tree_.pieces.of[tree_.leaves.front()] !=
                                                     tree_.pieces.of[tree_.leaves.back()];
    for (const SwitchId x : tree_.order) {
      const std::uint32_t each = columns_.cables[x];
      if (tree_.is_top(x)) continue;
      const Column c = columns_.of[x];
      const std::uint32_t radix = columns_.radix[c];
      std::array<PortNum, 256> ports;
      ports.fill(kNoPort);
      // Arcs are sorted by label, then by cable. Here their ports are indexed by the digit, which
      // is label + radix · (number of the cable).
      for (std::uint32_t i = 0; i < radix * each; ++i)
        ports[i / each + radix * (i % each)] = g_.port[columns_.sorted[g_.first[x] + i]];
      const std::span<PortNum> row = tables_.lft(x);
      const std::vector<std::uint8_t>& digit = digits(columns_.unit[c], radix * each);
      for (std::size_t lid = 0; lid < row.size(); ++lid) row[lid] = ports[digit[lid]];
      if (!pieces) continue;
      for (std::size_t lid = 0; lid < row.size(); ++lid)
        if (destinations_.piece_of[lid] != tree_.pieces.of[x]) row[lid] = kNoPort;
    }
  }

  // --- Entries of all switches for one leaf

  bool is_above(SwitchId x) const { return above_[x] == now_; }

  /// Finds the switches from which t can be reached by going down (t itself first), and for each
  /// the number of its arcs that lead down to t.
  void ascend(SwitchId t) {
    ++now_;
    uppers_.assign(1, t);
    above_[t] = now_;
    ways_down_[t] = 0;
    for (std::size_t i = 0; i < uppers_.size(); ++i) {
      const SwitchId x = uppers_[i];
      for (Arc a = g_.first[x]; a < g_.first_down[x]; ++a) {
        const SwitchId y = g_.target[a];
        if (!is_above(y)) {
          above_[y] = now_;
          ways_down_[y] = 0;
          down_arc_[y] = tree_.reverse[a];
          uppers_.push_back(y);
        }
        ++ways_down_[y];
      }
    }
  }

  /// Collects the arcs from x that lead down to the current destination, in the order of ports.
  void collect_ways_down(SwitchId x) {
    ways_.clear();
    for (Arc a = g_.first_down[x]; a < g_.first[x + 1]; ++a)
      if (is_above(g_.target[a])) ways_.push_back(a);
  }

  // --- The LIDs of a leaf switch and its hosts

  std::span<const Group> groups_of(std::uint32_t leaf) const {
    return {destinations_.groups.data() + destinations_.first[leaf],
            destinations_.first[leaf + 1] - destinations_.first[leaf]};
  }

  void route_leaf(std::uint32_t i) {
    const SwitchId t = tree_.leaves[i];
    const std::span<const Group> groups = groups_of(i);
    ascend(t);
    for (std::size_t k = 1; k < uppers_.size(); ++k) go_down(uppers_[k], groups);
    for (const Group& group : groups)
      for (unsigned offset = 0; offset < group.count; ++offset)
        tables_.set_next(t, static_cast<Lid>(group.base + offset), group.port);
  }

  void go_down(SwitchId x, std::span<const Group> groups) {
    const std::span<PortNum> row = tables_.lft(x);
    if (ways_down_[x] == 1) {
      const PortNum port = g_.port[down_arc_[x]];
      for (const Group& group : groups) {
        PortNum* entry = row.data() + group.base;
        for (unsigned offset = 0; offset < group.count; ++offset) entry[offset] = port;
      }
      return;
    }
    collect_ways_down(x);
    const std::uint64_t unit = columns_.unit[columns_.of[x]];
    for (const Group& group : groups)
      for (unsigned offset = 0; offset < group.count; ++offset)
        row[group.base + offset] = g_.port[ways_[(group.number + offset) / unit % ways_.size()]];
  }

  // --- The LIDs of switches without hosts

  void route_bare_switches(const Orientation& orientation) {
    const SwitchGraph graph = directed(make_switch_graph(fabric_), orientation.rank);
    UpDownPhases phases(graph, orientation, UpDownPhases::Tie::kUp);
    std::vector<SwitchId> bare;
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      if (tree_.place[s] == TreeLevels::kNoPlace && !fabric_.node(s).failed &&
          fabric_.node(s).lid != kNoLid)
        bare.push_back(s);
    for (std::size_t base = 0; base < bare.size(); base += UpDownPhases::kTile) {
      const std::span<const SwitchId> tile(bare.data() + base,
                                           std::min(UpDownPhases::kTile, bare.size() - base));
      phases.compute(tile);
      for (SwitchId x = 0; x < fabric_.num_switches(); ++x)
        for (std::size_t k = 0; k < tile.size(); ++k) {
          PortNum port = 0;
          if (x != tile[k]) {
            const Arc a = any_arc(graph, phases.keys(k), x, tile[k]);
            if (a == kNoArc) continue;
            port = graph.port[a];
          }
          tables_.set_next(x, fabric_.node(tile[k]).lid, port);
        }
    }
  }

  /// One of the arcs by which x may send. The search begins at an arc that depends on the
  /// destination's id, so that the arcs share the load.
  static Arc any_arc(const SwitchGraph& graph, std::span<const std::uint32_t> keys, SwitchId x,
                     SwitchId destination) {
    const std::uint32_t key = keys[x];
    if (key == UpDownPhases::kNone) return kNoArc;
    const bool down = (key & 1u) != 0;
    const Arc first = down ? graph.first_down[x] : graph.first[x];
    const Arc arcs = (down ? graph.first[x + 1] : graph.first_down[x]) - first;
    for (Arc i = 0, a = first + destination % arcs; i < arcs; ++i) {
      const std::uint32_t beyond = keys[graph.target[a]];
      if (down ? beyond == key - 2 : (beyond | 1u) == key - 1) return a;
      if (++a == first + arcs) a = first;
    }
    return kNoArc;
  }

  const Fabric& fabric_;
  const TreeLevels& tree_;
  const SwitchGraph& g_;
  const TreeColumns& columns_;
  const Destinations destinations_;
  Tables tables_;

  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::uint8_t>> digits_;

  // State for the current leaf. A switch is above that leaf if its entry in above_ equals now_.
  std::uint32_t now_ = 0;
  std::vector<SwitchId> uppers_;
  std::vector<std::uint32_t> ways_down_;  // per switch above: arcs down to it
  std::vector<Arc> down_arc_;             // per switch above: one of these arcs
  std::vector<std::uint32_t> above_;
  std::vector<Arc> ways_;
};

}  // namespace

Tables route_complete_tree(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
                           const Orientation& orientation, const EngineProgress& progress,
                           const std::vector<HostId>& first) {
  return Router(fabric, tree, columns, first).run(orientation, progress);
}

}  // namespace selvedge
