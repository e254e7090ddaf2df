// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/recognise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/error.hpp"
#include "plugin/fabric/link_rate.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/fabric/tree_form.hpp"

namespace selvedge::sim {
namespace {

constexpr char kLetters[] =
    "a Clos network has leaf switches with hosts, and spines above all of them";

const TreeForm& two_level_tree(const Fabric& fabric, const FabricForm& form,
                               const std::string& where) {
  if (form.kind != FabricForm::Kind::kTree || form.trees.empty()) {
    std::string remedy = kLetters;
    if (!form.clashes.empty()) remedy = "see to this: " + describe(fabric, form.clashes[0]);
    throw InputError("the fabric is no fat tree of two levels",
                     fmt::format("{}: {}", where, form.describe()), remedy);
  }
  const TreeForm& tree = form.trees[0];
  if (tree.levels.size() != 2 || tree.stages[0].blocks.size() != 1)
    throw InputError("the fabric is no fat tree of two levels",
                     fmt::format("{}: {}", where, form.describe()),
                     fmt::format("the nearest that is one has its {} leaf switches with all spines "
                                 "above them",
                                 tree.levels[0].switches.size()));
  return tree;
}

/// The part of the fault that the tree's switches and their cables are not in.
Fault outside_of(const TreeForm& tree, const Fabric& fabric, const Fault& fault) {
  std::set<SwitchId> inside;
  for (const TreeLevel& level : tree.levels)
    inside.insert(level.switches.begin(), level.switches.end());
  const auto is_inside = [&](Channel c) {
    return (!fabric.from_switch(c) || inside.contains(fabric.switch_of(c))) &&
           (fabric.peer(c) == kNoChannel || !fabric.from_switch(fabric.peer(c)) ||
            inside.contains(fabric.target(c)));
  };
  Fault outside;
  for (const Channel c : fault.links)
    if (!is_inside(c)) outside.links.push_back(c);
  for (const SwitchId s : fault.switches)
    if (!inside.contains(s)) outside.switches.push_back(s);
  return outside;
}

/// The slower of two rates; 0 is an unknown one and stays.
void take_slower(double& least, double gbps) { least = std::min(least, gbps); }

class Reading {
 public:
  Reading(const Fabric& left, const TreeForm& tree) : left_(left), tree_(tree) {}

  RecognisedClos run() {
    const std::vector<SwitchId>& all = tree_.levels[0].switches;
    const std::vector<SwitchId>& spines = tree_.levels[1].switches;
    for (const SwitchId s : all)
      if (hosts_of(s) > 0) clos_.leaves.push_back(s);
    if (clos_.leaves.size() < all.size())
      remark(all.size() - clos_.leaves.size(), "leaf switch", "es", "without hosts left out");
    clos_.spines = static_cast<unsigned>(spines.size());
    for (std::size_t i = 0; i < spines.size(); ++i) spine_index_[spines[i]] = i;
    find_cables();
    remark(tree_.hosts_above.size(), "host", "s", "above the leaf switches left out");
    remark(tree_.service_switches.size(), "service switch", "es", "left out");
    return std::move(clos_);
  }

 private:
  void remark(std::size_t count, const char* noun, const char* plural, const char* what) {
    if (count > 0)
      clos_.remarks.push_back(
          fmt::format("{} {}{} {}", count, noun, count == 1 ? "" : plural, what));
  }

  /// The hosts that send: not the aggregation node of the switch.
  bool sends(HostId h) const {
    return left_.attached(h) &&
           std::ranges::find(tree_.per_switch_nodes, h) == tree_.per_switch_nodes.end();
  }
  unsigned hosts_of(SwitchId s) const {
    return static_cast<unsigned>(
        std::ranges::count_if(left_.hosts_at(s), [&](HostId h) { return sends(h); }));
  }

  void find_cables() {
    std::vector<std::vector<unsigned>> cables;  // per leaf switch and spine
    unsigned most = 1;
    double links = std::numeric_limits<double>::max(), slowest = links, fastest = 0, best = 0;
    for (const SwitchId leaf : clos_.leaves) {
      clos_.wiring.hosts.push_back(hosts_of(leaf));
      for (const HostId h : left_.hosts_at(leaf)) {
        if (!sends(h)) continue;
        const double gbps = nominal_gbps(left_.rate(left_.injection(h)));
        take_slower(slowest, gbps);
        fastest = std::max(fastest, gbps);
      }
      std::vector<unsigned>& of = cables.emplace_back(clos_.spines, 0);
      for (const Channel c : left_.out(leaf)) {
        const auto spine = spine_index_.find(left_.target(c));
        if (spine == spine_index_.end()) continue;
        most = std::max(most, ++of[spine->second]);
        take_slower(links, nominal_gbps(left_.rate(c)));
        best = std::max(best, nominal_gbps(left_.rate(c)));
      }
    }
    clos_.link_gbps = cables.empty() ? 0 : links;
    // The fastest hosts are the last to settle. An unknown rate stays unknown.
    clos_.host_gbps = cables.empty() || slowest == 0 ? 0 : fastest;
    if (links < best)
      clos_.remarks.push_back(fmt::format(
          "cables between switches of {:g} to {:g} Gb/s: the slowest counts", links, best));
    if (slowest < fastest)
      clos_.remarks.push_back(
          fmt::format("hosts of {:g} to {:g} Gb/s: the fastest counts", slowest, fastest));
    clos_.wiring.folded = true;
    clos_.wiring.middles = clos_.spines * most;
    for (const std::vector<unsigned>& of : cables)
      for (const unsigned count : of)
        for (unsigned i = 0; i < most; ++i) clos_.wiring.cable.push_back(i < count);
    if (most > 1)
      clos_.remarks.push_back(fmt::format(
          "{} cables from a leaf switch to a spine count as {} middle switches", most, most));
  }

  const Fabric& left_;
  const TreeForm& tree_;
  std::map<SwitchId, std::size_t> spine_index_;
  RecognisedClos clos_;
};

}  // namespace

ClosSize RecognisedClos::size() const {
  return {std::ranges::max(wiring.hosts), wiring.leaves(), wiring.middles};
}

unsigned RecognisedClos::least_uplinks() const {
  unsigned least = wiring.middles;
  for (unsigned leaf = 0; leaf < wiring.leaves(); ++leaf)
    least = std::min(least, wiring.uplinks(leaf));
  return least;
}

RecognisedClos recognise_clos(const Fabric& fabric, const Fault& fault, const std::string& where) {
  const FabricForm form = recognise_form(fabric);
  const TreeForm& tree = two_level_tree(fabric, form, where);
  const Fabric left = without(fabric, fault);
  RecognisedClos clos = Reading(left, tree).run();
  clos.form = form.describe();
  if (form.trees.size() > 1)
    clos.remarks.push_back(fmt::format("the largest of {} {} is examined, that of {}",
                                       form.trees.size(),
                                       form.rails ? "rails" : "pieces that no cable connects",
                                       switch_label(fabric, tree.levels[0].switches[0])));
  if (const Fault outside = outside_of(tree, fabric, fault); !outside.empty())
    clos.remarks.push_back(fmt::format("outside of the tree that is examined, without effect: {}",
                                       describe(fabric, outside)));
  if (clos.wiring.leaves() < 2)
    throw InputError("fewer than two leaf switches have hosts",
                     fmt::format("{}: {}", where, clos.form),
                     "adaptive routing needs flows from leaf to leaf");
  return clos;
}

unsigned flows_without_place(const Wiring& wiring, const std::vector<unsigned>& flows_up,
                             unsigned flows_per_link) {
  unsigned count = 0;
  for (unsigned leaf = 0; leaf < wiring.leaves(); ++leaf) {
    const std::uint64_t room = std::uint64_t{wiring.uplinks(leaf)} * flows_per_link;
    if (flows_up[leaf] > room) count += flows_up[leaf] - static_cast<unsigned>(room);
  }
  return count;
}

std::vector<unsigned> flows_up(const Wiring& wiring, std::span<const Flow> flows) {
  std::vector<unsigned> count(wiring.leaves(), 0);
  for (const Flow& f : flows)
    if (!wiring.folded || f.from != f.to) ++count[f.from];
  return count;
}

std::pair<unsigned, unsigned> unconnected_leaves(const Wiring& wiring) {
  for (unsigned a = 0; a < wiring.leaves(); ++a)
    for (unsigned b = a + 1; b < wiring.leaves(); ++b)
      if (wiring.ways(a, b).empty()) return {a, b};
  return {0, 0};
}

}  // namespace selvedge::sim
