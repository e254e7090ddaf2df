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
        ways_down_(g_.num_switches(), 0),
        down_arc_(g_.num_switches(), kNoArc),
        above_(g_.num_switches(), 0),
        reached_(g_.num_switches(), 0),
        peak_(g_.num_switches(), 0),
        best_(g_.num_switches()) {
    routes_.tables = Tables(fabric);
    if (!tree.order.empty()) {
      lowest_ = tree.level[tree.order.back()];
      by_level_.resize(static_cast<std::size_t>(tree.level[tree.order[0]] - lowest_) + 1);
    }
  }

  DmodkRoutes run(const EngineProgress& progress) {
    fill_rows();
    find_damage();
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
    return std::move(routes_);
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
      if (each == TreeColumns::kMixed) {
        mixed_.push_back(x);
        continue;
      }
      const Column c = columns_.of[x];
      const std::uint32_t radix = columns_.radix[c];
      std::array<PortNum, 256> ports;
      ports.fill(kNoPort);
      for (std::uint32_t i = 0; i < radix * each; ++i)  // label by label → digit by digit
        ports[i / each + radix * (i % each)] = g_.port[columns_.sorted[g_.first[x] + i]];
      const std::span<PortNum> row = routes_.tables.lft(x);
      const std::vector<std::uint8_t>& digit = digits(columns_.unit[c], radix * each);
      for (std::size_t lid = 0; lid < row.size(); ++lid) row[lid] = ports[digit[lid]];
      if (!pieces) continue;
      for (std::size_t lid = 0; lid < row.size(); ++lid)
        if (destinations_.piece_of[lid] != tree_.pieces.of[x]) row[lid] = kNoPort;
    }
  }

  // --- Which leaves are whole

  void find_damage() {
    whole_.assign(tree_.leaves.size(), true);
    // The leaves of a piece stand side by side.
    std::vector<std::uint32_t> piece_first(tree_.pieces.count(), 0);
    piece_leaves_.assign(tree_.pieces.count(), 0);
    for (std::uint32_t i = static_cast<std::uint32_t>(tree_.leaves.size()); i-- > 0;) {
      piece_first[tree_.pieces.of[tree_.leaves[i]]] = i;
      ++piece_leaves_[tree_.pieces.of[tree_.leaves[i]]];
    }
    for (const SwitchId x : tree_.order) {
      const std::uint32_t piece = tree_.pieces.of[x];
      bool every_level = true;  // or does a cable pass one over? Then nothing is known.
      for (Arc a = g_.first[x]; a < g_.first_down[x]; ++a)
        every_level = every_level && tree_.level[g_.target[a]] == tree_.level[x] + 1;
      const bool whole_piece = tree_.is_top(x) || !every_level;
      const std::uint32_t from = whole_piece ? piece_first[piece] : tree_.span_first[x];
      const std::uint32_t count = whole_piece ? piece_leaves_[piece] : tree_.span_count[x];
      if (every_level && tree_.reached[x] == count) continue;
      for (std::uint32_t i = from; i < from + count; ++i)
        if (!every_level || !tree_.reaches(x, tree_.leaves[i])) whole_[i] = false;
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
        routes_.tables.set_next(t, static_cast<Lid>(group.base + offset), group.port);
    routes_.leaf_pairs += piece_leaves_[tree_.pieces.of[t]] - 1;
    if (whole_[i]) {
      for (const SwitchId x : mixed_)
        if (!is_above(x) && tree_.pieces.of[x] == tree_.pieces.of[t]) go_up(x, groups, false);
    } else {
      mend(t, i);
    }
  }

  void go_down(SwitchId x, std::span<const Group> groups) {
    const std::span<PortNum> row = routes_.tables.lft(x);
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

  /// A leaf that is not whole: whoever has a way up that is no good chooses anew.
  void mend(SwitchId t, std::uint32_t i) {
    const std::span<const Group> groups = groups_of(i);
    const std::uint32_t piece = tree_.pieces.of[t];
    descend(groups.empty() ? 0 : groups[0].number);
    for (std::uint32_t m = tree_.pieces.first[piece]; m < tree_.pieces.first[piece + 1]; ++m) {
      const SwitchId x = tree_.pieces.members[m];
      if (is_above(x)) continue;
      if (!is_reached(x)) {
        const std::span<PortNum> row = routes_.tables.lft(x);
        for (const Group& group : groups)
          std::fill_n(row.begin() + group.base, group.count, kNoPort);
        if (tree_.place[x] != TreeLevels::kNoPlace) {
          ++routes_.pairs_apart;
          routes_.hosts_apart +=
              std::uint64_t{destinations_.hosts[i]} * destinations_.hosts[tree_.place[x]];
        }
        continue;
      }
      bool all_good = columns_.cables[x] != TreeColumns::kMixed;
      for (Arc a = g_.first[x]; all_good && a < g_.first_down[x]; ++a) all_good = is_good(x, a);
      if (!all_good) go_up(x, groups, true);
    }
  }

  /// After descend: does this arc of x lead to the lowest turn?
  bool is_good(SwitchId x, Arc a) const {
    const SwitchId y = g_.target[a];
    return (is_above(y) || is_reached(y)) && peak_[y] == peak_[x];
  }

  struct Choice {
    std::uint32_t label;
    PortNum port;
    std::uint16_t uses, label_uses;  // by the LIDs of the host at hand
  };

  /// Every LID of the leaf at hand, at a switch below which it is not, by the arcs that are good
  /// (`ask`), or by all of them.
  void go_up(SwitchId x, std::span<const Group> groups, bool ask) {
    choices_.clear();
    for (Arc i = g_.first[x]; i < g_.first_down[x]; ++i) {
      const Arc a = columns_.sorted[i];
      if (!ask || is_good(x, a)) choices_.push_back({columns_.label_of[a], g_.port[a], 0, 0});
    }
    const std::span<PortNum> row = routes_.tables.lft(x);
    for (const Group& group : groups) {
      for (Choice& choice : choices_) choice.uses = choice.label_uses = 0;
      for (const bool fits : {true, false})
        for (unsigned offset = 0; offset < group.count; ++offset)
          take(x, group.number + offset, fits, row[group.base + offset]);
    }
  }

  /// One LID: by its own label where that has a good arc (`fits`; nothing happens where it has
  /// none), or, called again when all those are settled, by another.
  void take(SwitchId x, std::uint32_t number, bool fits, PortNum& entry) {
    const Column c = columns_.of[x];
    const std::uint32_t own = digit(c, number);
    const auto [begin, end] = std::ranges::equal_range(choices_, own, {}, &Choice::label);
    if ((begin == end) == fits) return;
    const std::uint64_t rest = number / columns_.unit[c] / columns_.radix[c];
    Choice* choice = nullptr;
    if (fits) {
      choice = &begin[static_cast<std::ptrdiff_t>(rest % static_cast<std::size_t>(end - begin))];
    } else {
      const auto key = [](const Choice& one) { return std::tuple(one.label_uses, one.uses); };
      const auto least = key(*std::ranges::min_element(choices_, {}, key));
      const auto equal = static_cast<std::uint64_t>(std::ranges::count(choices_, least, key));
      // Each member of the column begins with another one, so that not everybody's paths to one
      // host meet. And the columns above choose by rest % radix: turned by one after each round,
      // the two choices meet in every combination.
      std::uint64_t skip = (columns_.member[x] + own + rest + rest / equal) % equal;
      choice = choices_.data();
      while (key(*choice) != least || skip-- > 0) ++choice;
    }
    entry = choice->port;
    ++choice->uses;
    for (Choice& other : choices_)
      if (other.label == choice->label) ++other.label_uses;
  }

  // --- The LID of a switch without hosts

  void route_bare_switch(SwitchId t) {
    const Lid lid = fabric_.node(t).lid;
    routes_.tables.set_next(t, lid, 0);
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
      routes_.tables.set_next(x, lid, g_.port[a]);
    }
    descend(number);
    const std::uint32_t piece = tree_.pieces.of[t];
    for (std::uint32_t m = tree_.pieces.first[piece]; m < tree_.pieces.first[piece + 1]; ++m) {
      const SwitchId x = tree_.pieces.members[m];
      if (is_above(x)) continue;
      if (is_reached(x))
        routes_.tables.set_next(x, lid, g_.port[best_[x].arc]);
      else if (tree_.place[x] != TreeLevels::kNoPlace)
        ++routes_.switch_lids_apart;
    }
  }

  const Fabric& fabric_;
  const TreeLevels& tree_;
  const SwitchGraph& g_;
  const TreeColumns& columns_;
  const Destinations destinations_;
  DmodkRoutes routes_;

  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::uint8_t>> digits_;
  std::vector<SwitchId> mixed_;  // switches that lack cables
  std::vector<bool> whole_;      // per leaf
  std::vector<std::uint32_t> piece_leaves_;

  // Of the destination at hand; a stamp `now_` says what is valid.
  std::uint32_t now_ = 0;
  std::vector<SwitchId> uppers_;
  std::vector<std::uint32_t> ways_down_;  // per switch above
  std::vector<Arc> down_arc_;             // per switch above: one of them
  std::vector<std::uint32_t> above_, reached_;
  std::vector<std::int32_t> peak_;
  std::vector<Way> best_;
  std::vector<Arc> ways_;
  std::vector<Choice> choices_;
  std::int32_t lowest_ = 0;
  std::vector<std::vector<SwitchId>> by_level_;
};

}  // namespace

DmodkRoutes route_dmodk(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
                        const EngineProgress& progress) {
  return Router(fabric, tree, columns).run(progress);
}

}  // namespace selvedge
