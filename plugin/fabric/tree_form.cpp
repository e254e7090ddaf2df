// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/tree_form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "plugin/fabric/regularity_parts.hpp"
#include "plugin/fabric/tree_blocks.hpp"
#include "plugin/fabric/tree_ports.hpp"
#include "plugin/fabric/union_find.hpp"

namespace selvedge {
namespace {

using tree::StageGraph;

/// A stage (the cables between two levels) is regular under two conditions. At most one in this
/// many cables is missing, and at most one in this many is surplus or between two blocks.
constexpr unsigned kFaultyIn = 5;

template <typename Values>
unsigned most_frequent(const Values& values) {
  std::map<unsigned, unsigned> count;
  for (const unsigned v : values) ++count[v];
  unsigned best = 0, times = 0;
  for (const auto& [value, number] : count)
    // Of equally frequent numbers the larger is usual, since failed cables make numbers smaller.
    if (number >= times) best = value, times = number;
  return best;
}

class FormFinder {
 public:
  FormFinder(const Fabric& fabric, const Levels& levels, std::vector<SwitchId> piece)
      : fabric_(fabric), levels_(levels), piece_(std::move(piece)) {
    std::ranges::sort(piece_);
    service_.assign(fabric.num_switches(), false);
    hosts_.assign(fabric.num_switches(), 0);
  }

  TreeForm find() {
    form_.num_switches = static_cast<std::uint32_t>(piece_.size());
    for (const SwitchId s : piece_)
      form_.num_hosts += static_cast<std::uint32_t>(fabric_.hosts_at(s).size());
    find_per_switch_nodes();
    find_service_switches();
    sort_into_levels();
    list_hosts();
    for (std::size_t l = 0; l + 1 < form_.levels.size(); ++l) find_stage(l);
    find_xgft();
    find_suspicions();
    return std::move(form_);
  }

 private:
  std::int32_t level(SwitchId s) const { return levels_.level[s]; }

  void find_per_switch_nodes() {
    struct Seen {
      std::vector<HostId> hosts;
      SwitchId last = kNoSwitch;
      bool twice = false, above = false;
    };
    std::map<std::string_view, Seen> seen;
    for (const SwitchId s : piece_)
      for (const HostId h : fabric_.hosts_at(s)) {
        Seen& here = seen[fabric_.host(h).name];
        here.twice |= here.last == s;
        here.above |= level(s) > 0;
        here.last = s;
        here.hosts.push_back(h);
      }
    for (auto& [name, here] : seen) {
      if (here.twice || !here.above || here.hosts.size() < 2) continue;
      if (2 * here.hosts.size() <= piece_.size()) continue;
      form_.per_switch_nodes.insert(form_.per_switch_nodes.end(), here.hosts.begin(),
                                    here.hosts.end());
    }
    std::ranges::sort(form_.per_switch_nodes);
    for (const SwitchId s : piece_)
      for (const HostId h : fabric_.hosts_at(s))
        if (!std::ranges::binary_search(form_.per_switch_nodes, h)) ++hosts_[s];
  }

  struct Uplinks {
    unsigned neighbours = 0, cables = 0;
  };
  Uplinks uplinks(SwitchId s) const {
    Uplinks up;
    std::vector<SwitchId> above;
    for (const Channel c : fabric_.out(s))
      if (level(fabric_.target(c)) > level(s)) above.push_back(fabric_.target(c));
    up.cables = static_cast<unsigned>(above.size());
    std::ranges::sort(above);
    above.erase(std::unique(above.begin(), above.end()), above.end());
    up.neighbours = static_cast<unsigned>(above.size());
    return up;
  }

  void find_service_switches() {
    // What is usual for a leaf switch: the median numbers of hosts, of neighbours above, and of
    // cables up.
    std::vector<std::pair<unsigned, SwitchId>> by_hosts;
    std::uint64_t all = 0, passed = 0;
    for (const SwitchId s : piece_)
      if (level(s) == 0) by_hosts.emplace_back(hosts_[s], s), all += hosts_[s];
    std::ranges::sort(by_hosts);
    unsigned usual_hosts = 0;
    for (const auto& [hosts, s] : by_hosts)
      if (passed += hosts; 2 * passed >= all) {
        usual_hosts = hosts;
        break;
      }
    std::vector<unsigned> neighbours, cables;
    for (const auto& [hosts, s] : by_hosts) {
      if (2 * hosts < usual_hosts) continue;
      const Uplinks up = uplinks(s);
      neighbours.push_back(up.neighbours);
      cables.push_back(up.cables);
    }
    const auto middle = [](std::vector<unsigned> values) {
      std::ranges::sort(values);
      return values.empty() ? 0u : values[values.size() / 2];
    };
    const unsigned usual_neighbours = middle(neighbours), usual_cables = middle(cables);

    std::vector<SwitchId> upwards = piece_;
    std::ranges::stable_sort(upwards, {}, [&](SwitchId s) { return level(s); });
    for (const SwitchId s : upwards) {
      bool apart = level(s) < 0;
      if (level(s) == 0 && 2 * hosts_[s] < usual_hosts) {
        const Uplinks up = uplinks(s);
        apart = 2 * up.neighbours <= usual_neighbours || 2 * up.cables < usual_cables;
      } else if (level(s) > 0) {
        apart = std::ranges::none_of(fabric_.out(s), [&](Channel c) {
          const SwitchId t = fabric_.target(c);
          return level(t) + 1 == level(s) && !service_[t];
        });
      }
      if (!apart) continue;
      service_[s] = true;
      form_.service_switches.push_back(s);
    }
    std::ranges::sort(form_.service_switches);
  }

  void sort_into_levels() {
    for (const SwitchId s : piece_) {
      if (service_[s]) continue;
      const auto l = static_cast<std::size_t>(level(s));
      if (l >= form_.levels.size()) form_.levels.resize(l + 1);
      form_.levels[l].switches.push_back(s);
    }
  }

  void list_hosts() {
    form_.hosts_min = UINT32_MAX;
    for (const SwitchId s : form_.levels[0].switches) {
      if (hosts_[s] == 0) {
        form_.idle_leaves.push_back(s);
        continue;
      }
      form_.hosts_min = std::min(form_.hosts_min, hosts_[s]);
      form_.hosts_max = std::max(form_.hosts_max, hosts_[s]);
    }
    form_.hosts_min = std::min(form_.hosts_min, form_.hosts_max);
    for (const SwitchId s : piece_) {
      if (level(s) <= 0 || service_[s]) continue;
      for (const HostId h : fabric_.hosts_at(s))
        if (!std::ranges::binary_search(form_.per_switch_nodes, h)) form_.hosts_above.push_back(h);
    }
  }

  void find_stage(std::size_t l) {
    const StageGraph graph(fabric_, form_.levels[l].switches, form_.levels[l + 1].switches);
    TreeStage stage;
    stage.blocks = tree::find_blocks(graph, fabric_.num_switches());
    std::vector<std::uint32_t> block_of(fabric_.num_switches(), UINT32_MAX);
    std::vector<unsigned> counts;
    for (std::uint32_t b = 0; b < stage.blocks.size(); ++b) {
      for (const SwitchId s : stage.blocks[b].upper) block_of[s] = b;
      for (const SwitchId s : stage.blocks[b].lower) block_of[s] = b;
    }
    for (const SwitchId a : graph.lower())
      for (const auto& [b, cables] : graph.of(a))
        if (block_of[a] == block_of[b]) counts.push_back(cables);
    stage.usual = most_frequent(counts);
    if (!counts.empty()) {
      const auto [low, high] = std::ranges::minmax_element(counts);
      stage.cables_min = *low;
      stage.cables_max = *high;
    }

    std::vector<TreePair> missing, surplus;
    std::vector<Channel> crossed;
    std::uint64_t expected = 0, lacking = 0, beyond = 0;
    for (const TreeBlock& block : stage.blocks) {
      expected += std::uint64_t{stage.usual} * block.lower.size() * block.upper.size();
      for (const SwitchId a : block.lower)
        for (const SwitchId b : block.upper) {
          const unsigned cables = graph.cables(a, b);
          if (cables == stage.usual) continue;
          (cables < stage.usual ? missing : surplus).push_back({a, b, cables, stage.usual, {}, {}});
          lacking += cables < stage.usual ? stage.usual - cables : 0;
          beyond += cables > stage.usual ? cables - stage.usual : 0;
        }
    }
    for (const SwitchId a : graph.lower())
      for (const Channel c : fabric_.out(a)) {
        const SwitchId b = fabric_.target(c);
        const auto to = static_cast<std::int32_t>(l) + 1;
        if (service_[b] || level(b) < to) continue;
        if (level(b) != to || block_of[a] != block_of[b]) crossed.push_back(c);
      }
    stage.regular =
        kFaultyIn * lacking <= expected && kFaultyIn * (beyond + crossed.size()) <= expected;
    if (stage.regular) {
      for (TreePair& pair : missing) form_.missing_cables += pair.usual - pair.cables;
      for (const TreePair& pair : surplus) form_.surplus_cables += pair.cables - pair.usual;
      tree::infer_ports(fabric_, graph, stage, missing);
      form_.missing.insert(form_.missing.end(), missing.begin(), missing.end());
      form_.surplus.insert(form_.surplus.end(), surplus.begin(), surplus.end());
      form_.crossed.insert(form_.crossed.end(), crossed.begin(), crossed.end());
      tree::find_unused_ports(fabric_, graph, stage, static_cast<unsigned>(l), form_.unused_ports);
    }
    form_.stages.push_back(std::move(stage));
  }

  /// Tests for XGFT and PGFT. A leaf switch is a subtree. A block joins the subtrees of its lower
  /// switches into a larger subtree, with the upper switches at the top. In an XGFT a block has
  /// exactly one switch of each subtree that it joins, and all blocks of a stage have equal sizes.
  void find_xgft() {
    if (!form_.regular()) return;
    const std::size_t h = form_.levels.size();
    form_.m.assign(1, form_.hosts_min == form_.hosts_max ? form_.hosts_min : 0);
    form_.w.assign(1, 1);
    form_.p.assign(1, 1);
    std::vector<std::uint32_t> subtree(fabric_.num_switches());
    for (const SwitchId s : form_.levels[0].switches) subtree[s] = s;
    std::uint64_t deficit = 0;
    for (const TreeStage& stage : form_.stages) {
      std::vector<unsigned> lower, upper;
      UnionFind joined(fabric_.num_switches());
      std::map<std::uint32_t, std::set<std::uint32_t>> parts;
      for (const TreeBlock& block : stage.blocks) {
        lower.push_back(static_cast<unsigned>(block.lower.size()));
        upper.push_back(static_cast<unsigned>(block.upper.size()));
        for (const SwitchId s : block.lower) joined.unite(subtree[s], subtree[block.lower[0]]);
      }
      const unsigned m = most_frequent(lower), w = most_frequent(upper);
      for (const TreeBlock& block : stage.blocks)
        for (const SwitchId s : block.lower) parts[joined.root(subtree[s])].insert(subtree[s]);
      std::uint64_t lacking = 0;
      for (const TreeBlock& block : stage.blocks) {
        std::set<std::uint32_t> own;
        for (const SwitchId s : block.lower)
          if (!own.insert(subtree[s]).second) return;
        const auto all = parts[joined.root(subtree[block.lower[0]])].size();
        if (block.lower.size() > m || block.upper.size() > w || all != m) return;
        lacking += m - block.lower.size() + w - block.upper.size();
        for (const SwitchId s : block.upper) subtree[s] = joined.root(subtree[block.lower[0]]);
      }
      deficit += lacking;
      form_.m.push_back(m);
      form_.w.push_back(w);
      form_.p.push_back(stage.usual);
    }
    // In an XGFT, the size of a level is the product of all w up to that level and all m above it.
    std::uint64_t absent = 0, whole = 0;
    for (std::size_t l = 0; l < h; ++l) {
      std::uint64_t size = 1;
      for (std::size_t i = 1; i < h; ++i) size *= i <= l ? form_.w[i] : form_.m[i];
      if (size < form_.levels[l].switches.size()) return;
      absent += size - form_.levels[l].switches.size();
      whole += size;
    }
    if (absent > regularity::tolerated_switches(whole) || (absent == 0) != (deficit == 0)) return;
    form_.absent_switches = static_cast<unsigned>(absent);
    form_.xgft = true;
  }

  void find_suspicions() {
    std::vector<Channel> loose = form_.crossed;
    for (const TreePair& pair : form_.surplus) {
      unsigned beyond = pair.cables - pair.usual;
      for (const Channel c : fabric_.out(pair.lower))
        if (beyond > 0 && fabric_.target(c) == pair.upper) loose.push_back(c), --beyond;
    }
    std::vector<regularity::Pair> gaps;
    for (const TreePair& pair : form_.missing)
      gaps.insert(gaps.end(), pair.usual - pair.cables, {pair.lower, pair.upper});
    const std::vector<std::size_t> filled = regularity::fill_gaps(fabric_, loose, gaps);
    for (std::size_t i = 0; i < loose.size(); ++i) {
      if (filled[i] != SIZE_MAX)
        form_.suspicions.push_back(regularity::should_go(fabric_, loose[i], gaps[filled[i]]));
      else if (i < form_.crossed.size())
        form_.suspicions.push_back(regularity::cable_name(fabric_, loose[i]) +
                                   ": joins two parts of the tree that no other cable joins");
    }
  }

  const Fabric& fabric_;
  const Levels& levels_;
  std::vector<SwitchId> piece_;
  std::vector<bool> service_;
  std::vector<unsigned> hosts_;  // per switch, without per-switch nodes
  TreeForm form_;
};

std::string plural(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

bool TreeForm::regular() const { return std::ranges::all_of(stages, &TreeStage::regular); }

std::string TreeForm::level_name(std::size_t level, std::size_t count) const {
  const bool one = count == 1;
  if (levels.size() == 1) return one ? "switch" : "switches";
  if (level == 0) return one ? "leaf" : "leaves";
  if (level == 1 && levels.size() <= 3) return one ? "spine" : "spines";
  if (level + 1 == levels.size()) return one ? "core" : "cores";
  return fmt::format("level-{} {}", level, one ? "switch" : "switches");
}

std::string TreeForm::describe() const {
  if (levels.size() == 1)
    return service_switches.empty()
               ? "one switch"
               : "one switch and " + plural(service_switches.size(), "small one", "small ones");
  std::string text;
  if (regular() && levels.size() == 2 && stages[0].blocks.size() == 1) {
    text = "folded Clos";
  } else if (xgft) {
    const bool parallel = std::ranges::any_of(p, [](unsigned cables) { return cables > 1; });
    std::vector<std::string> hosts_first;
    for (const unsigned size : m) hosts_first.push_back(std::to_string(size));
    if (m[0] == 0) hosts_first[0] = fmt::format("{}-{}", hosts_min, hosts_max);
    text = fmt::format("{}({}; {}; {}", parallel ? "PGFT" : "XGFT", levels.size(),
                       fmt::join(hosts_first, ","), fmt::join(w, ","));
    text += parallel ? fmt::format("; {})", fmt::join(p, ",")) : ")";
  } else {
    text = fmt::format("fat tree of {} levels", levels.size());
  }
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const std::size_t count = levels[l].switches.size();
    text += fmt::format("{} {} {}", l == 0 ? ":" : ",", count, level_name(l, count));
  }
  // A regular XGFT or PGFT of several stages has the cables of a pair in its name.
  if (!regular()) {
    unsigned low = UINT32_MAX, high = 0;
    for (const TreeStage& stage : stages) {
      low = std::min(low, stage.cables_min);
      high = std::max(high, stage.cables_max);
    }
    text += low == high
                ? fmt::format(", {} a pair, not every pair cabled", plural(low, "cable", "cables"))
                : fmt::format(", {} to {} cables a pair, uneven", low, high);
  } else if (levels.size() == 2 || !xgft) {
    std::vector<unsigned> usual;
    for (const TreeStage& stage : stages) usual.push_back(stage.usual);
    if (std::ranges::count(usual, usual[0]) == std::ssize(usual))
      text += fmt::format(", {} a pair", plural(usual[0], "cable", "cables"));
    else
      text += fmt::format(", {} cables a pair", fmt::join(usual, " and "));
  }
  if (absent_switches > 0)
    text += ", " + plural(absent_switches, "switch", "switches") + " missing";
  if (missing_cables > 0)
    text += absent_switches > 0 ? ", " + plural(missing_cables, "cable", "cables") + " missing"
                                : fmt::format(", {} missing", missing_cables);
  if (!crossed.empty()) text += fmt::format(", {} crossed", crossed.size());
  if (surplus_cables > 0) text += fmt::format(", {} surplus", surplus_cables);
  return text;
}

std::vector<TreeForm> find_tree_forms(const Fabric& fabric, const Levels& levels) {
  std::vector<TreeForm> forms;
  std::vector<bool> met(fabric.num_switches(), false);
  for (SwitchId first = 0; first < fabric.num_switches(); ++first) {
    if (met[first] || levels.level[first] == Levels::kNone) continue;
    std::vector<SwitchId> piece{first};
    met[first] = true;
    for (std::size_t next = 0; next < piece.size(); ++next)
      for (const Channel c : fabric.out(piece[next]))
        if (const SwitchId s = fabric.target(c); !met[s]) {
          met[s] = true;
          piece.push_back(s);
        }
    forms.push_back(FormFinder(fabric, levels, std::move(piece)).find());
  }
  std::ranges::stable_sort(forms, [](const TreeForm& a, const TreeForm& b) {
    return std::pair(a.num_hosts, a.num_switches) > std::pair(b.num_hosts, b.num_switches);
  });
  return forms;
}

}  // namespace selvedge
