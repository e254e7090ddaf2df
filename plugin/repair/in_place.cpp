// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/in_place.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "plugin/repair/detours.hpp"
#include "plugin/repair/up_down_repair.hpp"

namespace selvedge {

class InPlaceRepair::Work {
 public:
  Work(const Fabric& fabric, const Tables& tables, std::optional<ParentChannels> multicast)
      : whole_(fabric),
        base_(tables),
        base_tree_(std::move(multicast)),
        left_(fabric),
        tables_(tables),
        tree_(base_tree_) {
    base_.mft.clear();
    tables_.mft.clear();
    up_down_ = UpDownRepair::make(whole_, base_, base_tree_);
  }

  Repair fail(const Fault& fault) {
    for (const Channel c : fault.links) {
      const Channel link = std::min(c, whole_.peer(c));
      if (std::ranges::find(out_.links, link) == out_.links.end()) out_.links.push_back(link);
    }
    for (const SwitchId s : fault.switches)
      if (std::ranges::find(out_.switches, s) == out_.switches.end()) out_.switches.push_back(s);
    Fabric before = std::exchange(left_, without(whole_, out_));
    if (up_down_) return up_down_->fail(before, left_);
    return lead(tables_, tree_);
  }

  Repair restore(const Fault& fault) {
    for (const Channel c : fault.links) std::erase(out_.links, std::min(c, whole_.peer(c)));
    for (const SwitchId s : fault.switches) std::erase(out_.switches, s);
    Fabric before = std::exchange(left_, without(whole_, out_));
    if (up_down_) return up_down_->restore(before, left_);
    return lead(base_, base_tree_);
  }

  Fabric whole_;
  Tables base_;
  std::optional<ParentChannels> base_tree_;
  Fault out_;
  Fabric left_;
  Tables tables_;
  std::optional<ParentChannels> tree_;
  std::unique_ptr<UpDownRepair> up_down_;

 private:
  Repair lead(const Tables& from, std::optional<ParentChannels> tree) {
    if (tree)
      for (Channel& c : *tree)
        if (c != kNoChannel && left_.peer(c) == kNoChannel) c = kNoChannel;
    std::optional<Detours> found = lead_around(left_, from, tree);
    if (!found)
      throw InputError("the tables' paths close a cycle of dependencies", "in-place repair",
                       "start from tables that 'selvedge-route verify' proves");
    Repair repair;
    repair.delta = difference(tables_, found->tables);
    repair.multicast = tree_ = std::move(found->multicast);
    repair.dead = found->dead;
    repair.method = "detours";
    tables_ = std::move(found->tables);
    return repair;
  }
};

InPlaceRepair::InPlaceRepair(const Fabric& fabric, const Tables& tables,
                             std::optional<ParentChannels> multicast, RepairRequest /*request*/)
    : work_(std::make_unique<Work>(fabric, tables, std::move(multicast))) {}
InPlaceRepair::InPlaceRepair(InPlaceRepair&&) noexcept = default;
InPlaceRepair& InPlaceRepair::operator=(InPlaceRepair&&) noexcept = default;
InPlaceRepair::~InPlaceRepair() = default;

Repair InPlaceRepair::fail(const Fault& fault) { return work_->fail(fault); }
Repair InPlaceRepair::restore(const Fault& fault) { return work_->restore(fault); }
const Fabric& InPlaceRepair::fabric() const { return work_->left_; }
const Tables& InPlaceRepair::tables() const {
  return work_->up_down_ ? work_->up_down_->routes().tables() : work_->tables_;
}
const std::optional<ParentChannels>& InPlaceRepair::multicast() const {
  return work_->up_down_ ? work_->up_down_->tree() : work_->tree_;
}
const std::vector<bool>* InPlaceRepair::up() const {
  return work_->up_down_ && work_->up_down_->obeyed() ? &work_->up_down_->directions().bits()
                                                      : nullptr;
}

}  // namespace selvedge
