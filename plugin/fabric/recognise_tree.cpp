// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Recognises k-ary n-trees. The cables between two levels form blocks: k lower switches, each
// cabled to k upper switches. Two switches on one side of a block have its k switches on the other
// side as common neighbours; two switches that are two levels apart have only one. So blocks are
// found by counting common neighbours, without knowing the levels. Each switch between the lowest
// and the highest level is an upper switch of one block and a lower switch of another, which orders
// the blocks into levels. The hosts determine which end is the lower one.
//
// Blocks alone do not make a tree. In a tree every block connects k parts that were not connected
// before, both when going up from the leaves and when going down from the top. This property
// characterises butterfly networks (Bermond, Fourneau & Jean-Marie 1987).
#include <algorithm>

#include "plugin/fabric/regularity_parts.hpp"
#include "plugin/fabric/union_find.hpp"

namespace selvedge::regularity {
namespace {

constexpr std::uint32_t kNoBlock = UINT32_MAX;
constexpr std::int32_t kNoLevel = INT32_MIN;

/// Up to k switches on each of two sides. In an undamaged block each is cabled to all of the other
/// side.
struct Block {
  std::array<std::vector<SwitchId>, 2> side;  // [0] is the lower one, once levels are known
  std::int32_t gap = kNoLevel;                // the block is between the levels gap and gap + 1
};

class TreeSearch {
 public:
  TreeSearch(const Fabric& fabric, const PlainGraph& graph, unsigned k, unsigned n)
      : fabric_(fabric), graph_(graph), k_(k), n_(n), width_(1) {
    for (unsigned i = 1; i < n; ++i) width_ *= k;
    owner_.assign(2 * graph.edges(), kNoBlock);
    blocks_of_.resize(graph.size());
    level_.assign(graph.size(), kNoLevel);
  }

  std::optional<Regularity> run() {
    find_blocks();
    // Switches with several cables to the same block are placed first, since a single cable may be
    // wrongly connected.
    place_damaged(2);
    place_damaged(1);
    if (blocks_.empty() || !find_levels()) return std::nullopt;
    join_leftovers();
    place_isolated();
    for (SwitchId s = 0; s < graph_.size(); ++s)
      if (level_[s] == kNoLevel) return std::nullopt;
    if (!is_tree()) return std::nullopt;

    Regularity form;
    form.kind = Regularity::Kind::kTree;
    form.k = k_;
    form.n = n_;
    for (const std::int32_t level : level_) form.level.push_back(static_cast<std::uint8_t>(level));
    std::vector<Pair> expected;
    for (const Block& block : blocks_)
      for (const SwitchId a : block.side[0])
        for (const SwitchId b : block.side[1])
          expected.emplace_back(std::min(a, b), std::max(a, b));
    if (!compare(fabric_, graph_, std::move(expected), n_ * width_, form)) return std::nullopt;
    return form;
  }

 private:
  /// The switches that are neighbours of more than half of `side`, and of at least two of it.
  std::vector<SwitchId> opposite(const std::vector<SwitchId>& side) {
    count_.resize(graph_.size(), 0);
    std::vector<SwitchId> touched, found;
    for (const SwitchId s : side)
      for (const SwitchId t : graph_.neighbours(s))
        if (count_[t]++ == 0) touched.push_back(t);
    for (const SwitchId t : touched) {
      if (count_[t] >= std::max<std::size_t>(2, side.size() / 2 + 1)) found.push_back(t);
      count_[t] = 0;
    }
    std::ranges::sort(found);
    return found;
  }

  void find_blocks() {
    const unsigned enough = k_ / 2 + 1;
    // Per switch: number of neighbours that it shares with s
    std::vector<std::uint32_t> shared(graph_.size(), 0);
    std::vector<SwitchId> here;
    for (SwitchId s = 0; s < graph_.size(); ++s) {
      const auto around = graph_.neighbours(s);
      const auto add_to_shared = [&](std::uint32_t one) {
        for (const SwitchId t : around)
          for (const SwitchId u : graph_.neighbours(t)) shared[u] += one;
      };
      const auto open = [&](std::size_t i) { return owner_[graph_.first(s) + i] == kNoBlock; };
      std::size_t i = 0;
      while (i < around.size() && !open(i)) ++i;
      if (i == around.size()) continue;
      add_to_shared(1);
      for (; i < around.size(); ++i) {
        if (!open(i)) continue;
        here.clear();
        for (const SwitchId t : graph_.neighbours(around[i]))
          // `here` includes s, unless s has lost most of its cables
          if (shared[t] >= enough) here.push_back(t);
        if (here.size() < 2 || here.size() > k_) continue;
        std::vector<SwitchId> there = opposite(here);
        if (there.size() < 2 || there.size() > k_) continue;
        std::vector<SwitchId> all_here = opposite(there);
        if (all_here.size() < 2 || all_here.size() > k_) continue;
        add_block(std::move(all_here), std::move(there));
      }
      add_to_shared(static_cast<std::uint32_t>(-1));
    }
  }

  void add_block(std::vector<SwitchId> here, std::vector<SwitchId> there) {
    const auto full = [&](SwitchId s) { return blocks_of_[s].size() >= 2; };
    if (std::ranges::any_of(here, full) || std::ranges::any_of(there, full)) return;
    std::vector<SwitchId> both;
    std::ranges::set_intersection(here, there, std::back_inserter(both));
    if (!both.empty()) return;
    for (const SwitchId a : here)  // the block was found before, perhaps incomplete
      for (std::size_t i = 0; i < graph_.neighbours(a).size(); ++i)
        if (owner_[graph_.first(a) + i] != kNoBlock &&
            std::ranges::binary_search(there, graph_.neighbours(a)[i]))
          return;
    const auto id = static_cast<std::uint32_t>(blocks_.size());
    for (const SwitchId a : here) {
      blocks_of_[a].push_back(id);
      for (const SwitchId b : there) own(a, b, id), own(b, a, id);
    }
    for (const SwitchId b : there) blocks_of_[b].push_back(id);
    blocks_.push_back({{std::move(here), std::move(there)}, kNoLevel});
  }

  void own(SwitchId a, SwitchId b, std::uint32_t block) {
    const auto around = graph_.neighbours(a);
    const auto it = std::ranges::lower_bound(around, b);
    if (it != around.end() && *it == b)
      owner_[graph_.first(a) + static_cast<std::size_t>(it - around.begin())] = block;
  }

  /// A switch that has lost many of its cables was not recognised as part of its block. It is put
  /// into the block to one side of which most of its remaining cables lead: at least `least`, and
  /// more than to any other side. The block's other side must not be full.
  void place_damaged(std::size_t least) {
    std::vector<std::uint32_t> votes;
    for (SwitchId s = 0; s < graph_.size(); ++s) {
      if (blocks_of_[s].size() >= 2) continue;
      votes.clear();
      std::uint32_t open = 0;
      const auto around = graph_.neighbours(s);
      for (std::size_t i = 0; i < around.size(); ++i) {
        if (owner_[graph_.first(s) + i] != kNoBlock) continue;
        ++open;
        for (const std::uint32_t b : blocks_of_[around[i]]) {
          const unsigned other = among(b, 0, around[i]) ? 1 : 0;
          if (blocks_[b].side[other].size() < k_) votes.push_back(2 * b + other);
        }
      }
      std::ranges::sort(votes);
      std::uint32_t best = 0;
      std::size_t most = 0;
      bool tied = false;
      for (std::size_t i = 0; i < votes.size();) {
        std::size_t j = i;
        while (j < votes.size() && votes[j] == votes[i]) ++j;
        if (j - i >= most) tied = j - i == most;
        if (j - i > most) {
          most = j - i;
          best = votes[i];
        }
        i = j;
      }
      if (most < least || tied) continue;
      auto& side = blocks_[best / 2].side[best % 2];
      side.insert(std::ranges::upper_bound(side, s), s);
      blocks_of_[s].push_back(best / 2);
      for (const SwitchId t : blocks_[best / 2].side[1 - best % 2])
        own(s, t, best / 2), own(t, s, best / 2);
      // The switch is tried again: it may belong to a second block
      if (most < open && blocks_of_[s].size() < 2) --s;
    }
  }

  bool among(std::uint32_t block, unsigned side, SwitchId s) const {
    return std::ranges::binary_search(blocks_[block].side[side], s);
  }

  /// Whether this switch is an upper switch (`as_upper`) or a lower switch of some block. As an
  /// upper switch its cables down are known.
  bool has_block(SwitchId s, bool as_upper) const {
    return std::ranges::any_of(blocks_of_[s], [&](std::uint32_t b) {
      return blocks_[b].gap == level_[s] - (as_upper ? 1 : 0);
    });
  }

  bool find_levels() {
    // Levels relative to the first block are found by a search from switch to switch through the
    // blocks.
    std::vector<SwitchId> walk;
    const auto reach = [&](SwitchId s, std::int32_t level) {
      if (level_[s] == kNoLevel) {
        level_[s] = level;
        walk.push_back(s);
      }
      return level_[s] == level;
    };
    reach(blocks_[0].side[0][0], 0);
    blocks_[0].gap = 0;
    for (std::size_t i = 0; i < walk.size(); ++i) {
      const SwitchId s = walk[i];
      for (const std::uint32_t b : blocks_of_[s]) {
        Block& block = blocks_[b];
        if (block.gap == kNoLevel) {
          // The block is above or below the switch: on the side where the switch's other block is
          // not.
          block.gap = has_block(s, false) ? level_[s] - 1 : level_[s];
        } else if (block.gap != level_[s] && block.gap != level_[s] - 1) {
          return false;
        }
        const bool among_first = among(b, 0, s);
        if (among_first != (block.gap == level_[s])) std::swap(block.side[0], block.side[1]);
        for (unsigned side = 0; side < 2; ++side)
          for (const SwitchId t : block.side[side])
            if (!reach(t, block.gap + static_cast<std::int32_t>(side))) return false;
      }
      // The second block of the switch may be too damaged to be found. Then the switch's cables to
      // no block lead up if the known block is below, and down if it is above.
      if (blocks_of_[s].size() != 1) continue;
      const std::int32_t beyond = level_[s] + (has_block(s, true) ? 1 : -1);
      const auto around = graph_.neighbours(s);
      for (std::size_t j = 0; j < around.size(); ++j)
        if (owner_[graph_.first(s) + j] == kNoBlock && blocks_of_[around[j]].empty())
          reach(around[j], beyond);
    }
    return anchor_levels();
  }

  /// Shifts the levels, and reverses them if needed, so that the end with most hosts has level 0.
  /// Returns false if there are not n levels.
  bool anchor_levels() {
    std::int32_t lowest = INT32_MAX, highest = INT32_MIN;
    for (const std::int32_t level : level_) {
      if (level == kNoLevel) continue;
      lowest = std::min(lowest, level);
      highest = std::max(highest, level);
    }
    if (highest - lowest + 1 != static_cast<std::int32_t>(n_)) return false;
    std::int64_t down = 0, up = 0;  // hosts at the lowest and at the highest level
    SwitchId first_down = kNoSwitch, first_up = kNoSwitch;
    for (SwitchId s = graph_.size(); s-- > 0;) {
      if (level_[s] == lowest) first_down = s, down += std::ssize(fabric_.hosts_at(s));
      if (level_[s] == highest) first_up = s, up += std::ssize(fabric_.hosts_at(s));
    }
    const bool flip = up != down ? up > down : first_up < first_down;
    for (std::int32_t& level : level_)
      if (level != kNoLevel) level = flip ? highest - level : level - lowest;
    for (Block& block : blocks_) {
      if (block.gap == kNoLevel) return false;
      block.gap = flip ? highest - 1 - block.gap : block.gap - lowest;
      if (flip) std::swap(block.side[0], block.side[1]);
    }
    return true;
  }

  /// Makes blocks of switches whose block was too damaged to be found: of the switches of two
  /// levels that lack a block and are connected with each other.
  void join_leftovers() {
    UnionFind parts(graph_.size());
    std::vector<SwitchId> lacking;
    for (std::int32_t gap = 0; gap + 1 < static_cast<std::int32_t>(n_); ++gap) {
      const auto below = [&](SwitchId s) { return level_[s] == gap && !has_block(s, false); };
      const auto above = [&](SwitchId s) { return level_[s] == gap + 1 && !has_block(s, true); };
      lacking.clear();
      for (SwitchId s = 0; s < graph_.size(); ++s)
        if (graph_.degree(s) > 0 && (below(s) || above(s))) lacking.push_back(s);
      for (const SwitchId s : lacking)
        if (level_[s] == gap)
          for (const SwitchId t : graph_.neighbours(s))
            if (above(t)) parts.unite(s, t);
      std::ranges::stable_sort(lacking, {}, [&](SwitchId s) { return parts.root(s); });
      for (std::size_t i = 0; i < lacking.size();) {
        Block block;
        block.gap = gap;
        std::size_t j = i;
        for (; j < lacking.size() && parts.root(lacking[j]) == parts.root(lacking[i]); ++j)
          block.side[level_[lacking[j]] == gap ? 0 : 1].push_back(lacking[j]);
        i = j;
        if (block.side[0].size() > k_ || block.side[1].size() > k_) continue;
        for (const auto& side : block.side)
          for (const SwitchId s : side)
            blocks_of_[s].push_back(static_cast<std::uint32_t>(blocks_.size()));
        blocks_.push_back(std::move(block));
      }
      parts = UnionFind(graph_.size());
    }
  }

  /// Puts switches without cables into the places that are free, level by level.
  void place_isolated() {
    std::vector<std::uint64_t> placed_at_level(n_, 0);
    for (const std::int32_t level : level_)
      if (level != kNoLevel) ++placed_at_level[static_cast<std::size_t>(level)];
    const auto place = [&](SwitchId s, std::int32_t gap, unsigned side) {
      for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
        if (blocks_[b].gap != gap || blocks_[b].side[side].size() >= k_) continue;
        blocks_[b].side[side].push_back(s);
        blocks_of_[s].push_back(b);
        return;
      }
    };
    for (SwitchId s = 0; s < graph_.size(); ++s) {
      if (graph_.degree(s) > 0) continue;
      for (std::size_t level = 0; level < n_; ++level) {
        if (placed_at_level[level] >= width_) continue;
        ++placed_at_level[level];
        level_[s] = static_cast<std::int32_t>(level);
        place(s, level_[s], 0);
        place(s, level_[s] - 1, 1);
        break;
      }
    }
  }

  bool is_tree() {
    std::vector<std::uint64_t> count(n_, 0);
    for (const std::int32_t level : level_) ++count[static_cast<std::size_t>(level)];
    if (std::ranges::any_of(count, [&](std::uint64_t c) { return c > width_; })) return false;
    return joins_parts(false) && joins_parts(true);
  }

  /// Goes from the lowest level up, or down from the highest. Returns whether every block connects
  /// parts that were not connected before, and the blocks between two levels reduce the number of
  /// parts to 1/k.
  bool joins_parts(bool downwards) {
    UnionFind parts(graph_.size());
    std::uint64_t left = width_;
    std::vector<bool> seen(graph_.size());
    for (std::int32_t step = 0; step + 1 < static_cast<std::int32_t>(n_); ++step) {
      const std::int32_t gap = downwards ? static_cast<std::int32_t>(n_) - 2 - step : step;
      const unsigned near = downwards ? 1 : 0;
      std::vector<std::uint32_t> roots;
      for (const Block& block : blocks_) {
        if (block.gap != gap) continue;
        roots.clear();
        for (const SwitchId s : block.side[near]) roots.push_back(parts.root(s));
        std::ranges::sort(roots);
        if (std::ranges::adjacent_find(roots) != roots.end()) return false;
      }
      for (const Block& block : blocks_) {
        if (block.gap != gap) continue;
        const SwitchId* anchor = nullptr;
        for (const auto& side : block.side)
          for (const SwitchId& s : side) {
            if (anchor != nullptr) parts.unite(*anchor, s);
            anchor = &s;
          }
      }
      left /= k_;
      std::fill(seen.begin(), seen.end(), false);
      std::uint64_t found = 0;
      for (const Block& block : blocks_) {
        if (block.gap != gap || block.side[near].empty()) continue;
        const std::uint32_t root = parts.root(block.side[near][0]);
        if (!seen[root]) ++found;
        seen[root] = true;
      }
      if (found != left) return false;
    }
    return true;
  }

  const Fabric& fabric_;
  const PlainGraph& graph_;
  unsigned k_, n_;
  std::uint64_t width_;  // switches in each level
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> owner_;  // per neighbour of each switch: the cable's block
  std::vector<std::vector<std::uint32_t>> blocks_of_;  // per switch: its blocks, at most two
  std::vector<std::int32_t> level_;
  std::vector<std::size_t> count_;
};

}  // namespace

std::optional<Regularity> recognise_tree(const Fabric& fabric, const PlainGraph& graph) {
  std::optional<Regularity> best;
  const std::uint64_t size = graph.size();
  for (unsigned n = 2; n <= 16; ++n) {
    std::uint64_t total = 0;
    for (unsigned k = 2; k <= kMaxSwitchPorts; ++k) {
      std::uint64_t width = 1;
      for (unsigned i = 1; i < n && width <= size * 2; ++i) width *= k;
      total = n * width;
      if (total > size + size / 10 + 1) break;
      if (total < size) continue;
      const std::uint64_t absent = total - size + graph.isolated();
      if (absent > tolerated_switches(total)) continue;
      const std::uint64_t links = (n - 1) * k * width;
      const std::uint64_t slack = tolerated_links(links);
      if (graph.edges() > links + slack || graph.edges() + slack + absent * 2 * k < links) continue;
      std::optional<Regularity> form = TreeSearch(fabric, graph, k, n).run();
      if (form && (!best || damage(*form) < damage(*best))) best = std::move(form);
    }
  }
  return best;
}

}  // namespace selvedge::regularity
