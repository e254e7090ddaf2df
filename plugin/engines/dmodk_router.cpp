// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/dmodk_router.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>

namespace selvedge {
namespace {

class Router {
 public:
  Router(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns)
      : fabric_(fabric),
        tree_(tree),
        g_(tree.graph),
        columns_(columns),
        destinations_(number_destinations(fabric, tree)),
        tables_(fabric),
        ways_down_(g_.num_switches(), 0),
        down_arc_(g_.num_switches(), kNoArc),
        above_(g_.num_switches(), 0),
        reached_(g_.num_switches(), 0),
        peak_(g_.num_switches(), 0),
        best_(g_.num_switches()) {
    if (!tree.order.empty()) {
      lowest_ = tree.level[tree.order.back()];
      by_level_.resize(static_cast<std::size_t>(tree.level[tree.order[0]] - lowest_) + 1);
    }
  }

  Tables run(const EngineProgress& progress) {
    fill_rows();
    const std::uint64_t total = fabric_.num_switches();
    std::uint64_t done = 0;
    const auto tell = [&] {
      if (progress && ++done % 16 == 0) progress(done, total);
    };
    for (std::uint32_t i = 0; i < tree_.leaves.size(); ++i) {
      route_leaf(i);
      tell();
    }
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      if (tree_.place[s] != TreeLevels::kNoPlace) continue;
      if (!fabric_.node(s).failed && fabric_.node(s).lid != kNoLid) route_bare_switch(s);
      tell();
    }
    if (progress) progress(total, total);
    return std::move(tables_);
  }

 private:
  using Group = Destinations::Group;

  // --- Rows

  /// (number / unit) % range of every LID; kNoDigit for those without a number.
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
      for (std::uint32_t i = 0; i < radix * each; ++i)  // label by label → digit by digit
        ports[i / each + radix * (i % each)] = g_.port[columns_.sorted[g_.first[x] + i]];
      const std::span<PortNum> row = tables_.lft(x);
      const std::vector<std::uint8_t>& digit = digits(columns_.unit[c], radix * each);
      for (std::size_t lid = 0; lid < row.size(); ++lid) row[lid] = ports[digit[lid]];
      if (!pieces) continue;
      for (std::size_t lid = 0; lid < row.size(); ++lid)
        if (destinations_.piece_of[lid] != tree_.pieces.of[x]) row[lid] = kNoPort;
    }
  }

  // --- Towards one switch

  bool is_above(SwitchId x) const { return above_[x] == now_; }
  bool is_reached(SwitchId x) const { return reached_[x] == now_; }

  /// The switches that reach t going down (t first), and how many ways down each has.
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

  /// The arcs that lead down to the switch at hand, by port.
  void collect_ways_down(SwitchId x) {
    ways_.clear();
    for (Arc a = g_.first_down[x]; a < g_.first[x + 1]; ++a)
      if (is_above(g_.target[a])) ways_.push_back(a);
  }

  /// After ascend: for every other switch with a way up, then down, the level at which the lowest
  /// of them turns. In passing, the best arc for number `number`: first the lowest turn, then the
  /// next label from the number's own on.
  void descend(std::uint32_t number) {
    for (const SwitchId x : uppers_) {
      peak_[x] = tree_.level[x];
      by_level_[static_cast<std::size_t>(peak_[x] - lowest_)].push_back(x);
    }
    for (std::size_t l = by_level_.size(); l-- > 0;) {
      for (std::size_t i = 0; i < by_level_[l].size(); ++i) {
        const SwitchId y = by_level_[l][i];
        for (Arc a = g_.first_down[y]; a < g_.first[y + 1]; ++a) {
          const SwitchId x = g_.target[a];
          if (is_above(x)) continue;
          const Way way{peak_[y], label_distance(x, tree_.reverse[a], number), tree_.reverse[a]};
          if (!is_reached(x)) {
            reached_[x] = now_;
            by_level_[static_cast<std::size_t>(tree_.level[x] - lowest_)].push_back(x);
            best_[x] = way;
          } else if (way < best_[x]) {
            best_[x] = way;
          }
          peak_[x] = best_[x].peak;
        }
      }
    }
    for (auto& level : by_level_) level.clear();
  }

  struct Way {
    std::int32_t peak = 0;
    std::uint32_t distance = 0;  // of labels
    Arc arc = kNoArc;
    friend auto operator<=>(const Way&, const Way&) = default;
  };

  std::uint32_t label_distance(SwitchId x, Arc a, std::uint32_t number) const {
    const Column c = columns_.of[x];
    const std::uint32_t radix = columns_.radix[c];
    const std::uint32_t own = digit(c, number);
    const std::uint32_t label = columns_.label_of[a];
    return label >= own ? label - own : label + radix - own;
  }

  std::uint32_t digit(Column c, std::uint32_t number) const {
    return static_cast<std::uint32_t>(number / columns_.unit[c] % columns_.radix[c]);
  }

  // --- A leaf's LIDs

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

  // --- The LID of a switch without hosts

  void route_bare_switch(SwitchId t) {
    const Lid lid = fabric_.node(t).lid;
    tables_.set_next(t, lid, 0);
    if (tree_.level[t] == TreeLevels::kNone) return;  // no host can ask for it
    ascend(t);
    const std::uint32_t number = t;  // any will do
    for (std::size_t k = 1; k < uppers_.size(); ++k) {
      const SwitchId x = uppers_[k];
      Arc a = down_arc_[x];
      if (ways_down_[x] > 1) {
        collect_ways_down(x);
        a = ways_[number / columns_.unit[columns_.of[x]] % ways_.size()];
      }
      tables_.set_next(x, lid, g_.port[a]);
    }
    descend(number);
    const std::uint32_t piece = tree_.pieces.of[t];
    for (std::uint32_t m = tree_.pieces.first[piece]; m < tree_.pieces.first[piece + 1]; ++m) {
      const SwitchId x = tree_.pieces.members[m];
      if (is_above(x)) continue;
      if (is_reached(x)) tables_.set_next(x, lid, g_.port[best_[x].arc]);
    }
  }

  const Fabric& fabric_;
  const TreeLevels& tree_;
  const SwitchGraph& g_;
  const TreeColumns& columns_;
  const Destinations destinations_;
  Tables tables_;

  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::uint8_t>> digits_;

  // Of the destination at hand; a stamp `now_` says what is valid.
  std::uint32_t now_ = 0;
  std::vector<SwitchId> uppers_;
  std::vector<std::uint32_t> ways_down_;  // per switch above
  std::vector<Arc> down_arc_;             // per switch above: one of them
  std::vector<std::uint32_t> above_, reached_;
  std::vector<std::int32_t> peak_;
  std::vector<Way> best_;
  std::vector<Arc> ways_;
  std::int32_t lowest_ = 0;
  std::vector<std::vector<SwitchId>> by_level_;
};

}  // namespace

Tables route_complete_tree(const Fabric& fabric, const TreeLevels& tree,
                           const TreeColumns& columns, const EngineProgress& progress) {
  return Router(fabric, tree, columns).run(progress);
}

}  // namespace selvedge
