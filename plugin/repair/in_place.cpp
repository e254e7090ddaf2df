// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/in_place.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "plugin/repair/layered_repair.hpp"
#include "plugin/repair/moved_paths.hpp"
#include "plugin/repair/up_down_repair.hpp"

namespace selvedge {

/// Holds the present faults, and one of two repairs: UpDownRepair for tables on one SL and VL whose
/// paths obey up and down directions, else LayeredRepair.
class InPlaceRepair::Work {
 public:
  Work(const Fabric& fabric, const Tables& tables, const std::optional<ParentChannels>& tree,
       const RepairRequest& request)
      : whole_(fabric),
        damaged_(fabric),
        count_affected_(request.count_affected),
        up_down_(UpDownRepair::make(whole_, tables, tree)) {
    if (up_down_) return;
    layered_ = std::make_unique<LayeredRepair>(whole_, tables, tree, request);
    if (!layered_->acyclic())
      throw InputError("the tables' paths close a cycle of dependencies", "in-place repair",
                       "start from tables that 'selvedge-route verify' proves");
  }

  Repair fail(const Fault& fault, std::span<const LftChange> written) {
    std::vector<Channel> lost;
    const auto lose = [&](Channel c) {
      if (damaged_.peer(c) != kNoChannel) lost.insert(lost.end(), {c, damaged_.peer(c)});
    };
    for (const Channel c : fault.links) {
      add(faults_.links, one_end(c));
      lose(c);
    }
    for (const SwitchId s : fault.switches) {
      add(faults_.switches, s);
      for (unsigned p = 1; p <= damaged_.node(s).ports; ++p)
        lose(damaged_.channel(s, static_cast<PortNum>(p)));
    }
    damaged_ = without(std::move(damaged_), fault);
    return counted(up_down_ ? up_down_->fail(damaged_, lost, count_affected_)
                            : layered_->fail(damaged_, lost, written));
  }

  Repair restore(const Fault& fault) {
    for (const Channel c : fault.links) std::erase(faults_.links, one_end(c));
    for (const SwitchId s : fault.switches) std::erase(faults_.switches, s);
    const Fabric before = std::exchange(damaged_, without(whole_, faults_));
    return counted(up_down_ ? up_down_->restore(damaged_, rewired(before, damaged_))
                            : layered_->restore(damaged_));
  }

  const Fabric& damaged() const { return damaged_; }
  const Tables& tables() const {
    return up_down_ ? up_down_->routes().tables() : layered_->routes().tables();
  }
  const std::optional<ParentChannels>& tree() const {
    return up_down_ ? up_down_->tree() : layered_->tree();
  }
  Bytes bytes() const {
    if (up_down_)
      return {up_down_->routes().reachability_bytes(), up_down_->routes().further_bytes()};
    const std::size_t lfts = layered_->routes().tables().bytes();
    return {lfts, layered_->routes().bytes() - lfts};
  }
  const std::vector<bool>* up() const {
    return up_down_ && up_down_->directions_hold() ? &up_down_->directions().bits() : nullptr;
  }

 private:
  Channel one_end(Channel c) const { return std::min(c, whole_.peer(c)); }
  Repair counted(Repair repair) const {
    if (!up_down_ || up_down_->moved_unbroken())
      repair.moved = moved_paths(damaged_, tables(), repair.delta);
    return repair;
  }
  template <class T>
  static void add(std::vector<T>& list, T value) {
    if (std::ranges::find(list, value) == list.end()) list.push_back(value);
  }

  const Fabric whole_;
  Fabric damaged_;
  const bool count_affected_;
  Fault faults_;
  std::unique_ptr<UpDownRepair> up_down_;
  std::unique_ptr<LayeredRepair> layered_;  // nullptr if there is up_down_
};

InPlaceRepair::InPlaceRepair(const Fabric& fabric, const Tables& tables,
                             const std::optional<ParentChannels>& multicast,
                             const RepairRequest& request)
    : work_(std::make_unique<Work>(fabric, tables, multicast, request)) {}
InPlaceRepair::InPlaceRepair(InPlaceRepair&&) noexcept = default;
InPlaceRepair& InPlaceRepair::operator=(InPlaceRepair&&) noexcept = default;
InPlaceRepair::~InPlaceRepair() = default;

Repair InPlaceRepair::fail(const Fault& fault) { return work_->fail(fault, {}); }
Repair InPlaceRepair::fail_the_rest(const Fault& fault, std::span<const LftChange> written) {
  return work_->fail(fault, written);
}
Repair InPlaceRepair::restore(const Fault& fault) { return work_->restore(fault); }
const Fabric& InPlaceRepair::fabric() const { return work_->damaged(); }
const Tables& InPlaceRepair::tables() const { return work_->tables(); }
const std::optional<ParentChannels>& InPlaceRepair::multicast() const { return work_->tree(); }
InPlaceRepair::Bytes InPlaceRepair::bytes() const { return work_->bytes(); }
const std::vector<bool>* InPlaceRepair::up() const { return work_->up(); }

}  // namespace selvedge
