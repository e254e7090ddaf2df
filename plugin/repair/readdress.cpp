// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/readdress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "plugin/repair/pinned_tree.hpp"
#include "plugin/repair/readdress_state.hpp"
#include "plugin/repair/tree_join.hpp"
#include "plugin/tables/spare_lids.hpp"

namespace selvedge {
namespace {

/// Merges all changes of one entry (identified by `key`) into a single one, from the first old
/// value to the last new one. Drops it if these are equal.
template <class Change, class Key>
std::vector<Change> settle(std::vector<Change> changes, Key key) {
  std::ranges::stable_sort(changes, {}, key);
  std::vector<Change> settled;
  for (const Change& c : changes) {
    if (!settled.empty() && key(settled.back()) == key(c))
      settled.back().after = c.after;
    else
      settled.push_back(c);
  }
  std::erase_if(settled, [](const Change& c) { return c.before == c.after; });
  return settled;
}

}  // namespace

Tables base_lids_only(const Fabric& fabric, Tables tables) {
  make_spare(fabric, tables, surplus_lids(fabric, tables, true));
  return tables;
}

class ReaddressRepair::Work {
 public:
  Work(const Fabric& fabric, const Tables& tables, std::optional<ParentChannels> multicast,
       const RepairRequest& request)
      : whole_(fabric),
        damaged_(fabric),
        state_(whole_, tables, request),
        tree_(std::move(multicast)) {
    if (tree_ && !add_tree(state_.order(), whole_, state_.tables(), *tree_)) tree_.reset();
    pin_tree(1);
  }

  Repair fail(const Fault& fault) {
    Fault fresh;
    for (const Channel c : fault.links)
      if (links_.insert(cable(c)).second) fresh.links.push_back(c);
    for (const SwitchId s : fault.switches)
      if (switches_.insert(s).second) fresh.switches.push_back(s);
    return change(fresh, true);
  }

  Repair restore(const Fault& fault) {
    Fault back;
    for (const Channel c : fault.links)
      if (links_.erase(cable(c)) > 0) back.links.push_back(c);
    for (const SwitchId s : fault.switches)
      if (switches_.erase(s) > 0) back.switches.push_back(s);
    return change(back, false);
  }

  const Fabric& damaged() const { return damaged_; }
  const ReaddressState& state() const { return state_; }

 private:
  Channel cable(Channel c) const {
    const Channel back = whole_.peer(c);
    return back == kNoChannel ? c : std::min(c, back);
  }

  Repair change(const Fault& fault, bool lost) {
    ReaddressState::Changes changes;
    const Sl2VlRow host_before = state_.tables().host_sl2vl;
    if (!fault.empty()) damaged_ = without(whole_, all_faults());
    if (lost)
      state_.fail(fault, changes);
    else
      state_.restore(fault, changes);
    std::uint64_t dead = state_.dead();
    bool anew = false;
    if (dead > 0) {
      // Dependencies of removed paths are still in the graph and may prevent new paths.
      pin_tree(-1);
      state_.rebuild_indexes(changes);
      if (tree_ && !add_tree(state_.order(), whole_, state_.tables(), *tree_)) tree_.reset();
      pin_tree(1);
      dead = state_.dead();
      anew = true;
    }
    repair_tree();
    Repair repair;
    repair.delta.lft =
        settle(std::move(changes.lft), [](const LftChange& c) { return std::pair(c.at, c.dlid); });
    repair.delta.sl = settle(std::move(changes.sl),
                             [](const SlChange& c) { return std::pair(c.source, c.dlid); });
    repair.delta.sl2vl = settle(std::move(changes.sl2vl),
                                [](const Sl2VlChange& c) { return std::tuple(c.at, c.in, c.out); });
    repair.delta.host_sl2vl_before = host_before;
    repair.delta.host_sl2vl_after = state_.tables().host_sl2vl;
    repair.multicast = tree_;
    repair.readdressed = std::move(changes.readdressed);
    repair.dead = dead;
    repair.affected = changes.affected;
    repair.method = fmt::format(
        "readdressed: {} paths joined, {} searched, {} pairs took another LID{}", changes.joined,
        changes.searched, changes.taken, anew ? "; dependencies rebuilt" : "");
    return repair;
  }

  Fault all_faults() const {
    Fault all;
    all.links.assign(links_.begin(), links_.end());
    all.switches.assign(switches_.begin(), switches_.end());
    return all;
  }

  /// With by = 1, pins the multicast tree (pinned_tree.hpp). With by = −1 forgets that, before
  /// rebuild_indexes().
  void pin_tree(int by) {
    if (by < 0)
      pinned_.clear();  // rebuild_indexes() itself resets the counts of users
    else if (tree_)
      selvedge::pin_tree(state_, whole_, *tree_, pinned_);
  }

  void repair_tree() {
    if (!tree_) return;
    for (Channel& up : *tree_)
      if (up != kNoChannel && damaged_.peer(up) == kNoChannel) up = kNoChannel;
    if (links_.empty() && switches_.empty()) return;
    if (!join_tree(state_.order(), damaged_, state_.tables(), *tree_, kNoSwitch)) tree_.reset();
    pin_tree(1);
  }

  const Fabric whole_;
  Fabric damaged_;
  ReaddressState state_;
  std::optional<ParentChannels> tree_;
  std::set<Channel> links_;
  std::set<SwitchId> switches_;
  std::set<std::size_t> pinned_;
};

ReaddressRepair::ReaddressRepair(const Fabric& fabric, const Tables& tables,
                                 std::optional<ParentChannels> multicast, RepairRequest request)
    : work_(std::make_unique<Work>(fabric, tables, std::move(multicast), request)) {}
ReaddressRepair::ReaddressRepair(ReaddressRepair&&) noexcept = default;
ReaddressRepair& ReaddressRepair::operator=(ReaddressRepair&&) noexcept = default;
ReaddressRepair::~ReaddressRepair() = default;

Repair ReaddressRepair::fail(const Fault& fault) { return work_->fail(fault); }
Repair ReaddressRepair::restore(const Fault& fault) { return work_->restore(fault); }
const Fabric& ReaddressRepair::fabric() const { return work_->damaged(); }
const Tables& ReaddressRepair::tables() const { return work_->state().tables(); }
const ReaddressState& ReaddressRepair::state() const { return work_->state(); }

}  // namespace selvedge
