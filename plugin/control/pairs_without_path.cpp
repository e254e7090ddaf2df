// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/pairs_without_path.hpp"

#include <utility>
#include <vector>

namespace selvedge {
namespace {

/// Which switches reach a LID after a fault, and which have lost their path to it.
class Columns {
 public:
  Columns(const Fabric& fabric, const Tables& tables, const Fault& fault)
      : fabric_(fabric), tables_(tables), left_(without(fabric, fault)) {}

  const Fabric& left() const { return left_; }

  /// Examines a LID of a host at `destination`. Then lost(s) holds for switches whose path arrived
  /// before the fault and crosses it, reaches(s) for those whose path still arrives.
  void mark(Lid lid, SwitchId destination) {
    marks_.assign(fabric_.num_switches(), Mark::kUnknown);
    marks_[destination] = left_.node(destination).failed ? Mark::kLost : Mark::kReaches;
    for (SwitchId start = 0; start < fabric_.num_switches(); ++start) {
      trail_.clear();
      SwitchId s = start;
      Mark end = Mark::kNever;
      while (marks_[s] == Mark::kUnknown) {
        marks_[s] = Mark::kOnTrail;
        trail_.push_back(s);
        const PortNum out = tables_.next(s, lid);
        if (out == 0 || out > fabric_.node(s).ports) break;
        const Channel c = fabric_.channel(s, out);
        if (!fabric_.between_switches(c)) break;
        s = fabric_.target(c);
      }
      if (marks_[s] != Mark::kOnTrail) end = marks_[s];  // else it ends elsewhere, or loops
      for (std::size_t i = trail_.size(); i-- > 0;) {
        if (end == Mark::kReaches && crosses(trail_[i], lid)) end = Mark::kLost;
        marks_[trail_[i]] = end;
      }
    }
  }
  bool lost(SwitchId s) const { return marks_[s] == Mark::kLost; }
  bool reaches(SwitchId s) const { return marks_[s] == Mark::kReaches; }

 private:
  enum class Mark : std::uint8_t { kUnknown, kOnTrail, kReaches, kLost, kNever };
  bool crosses(SwitchId s, Lid lid) const {
    return left_.peer(left_.channel(s, tables_.next(s, lid))) == kNoChannel;
  }

  const Fabric& fabric_;
  const Tables& tables_;
  const Fabric left_;
  std::vector<Mark> marks_;
  std::vector<SwitchId> trail_;
};

}  // namespace

std::uint64_t pairs_without_path(const Fabric& fabric, const Tables& tables, const Fault& fault) {
  Columns columns(fabric, tables, fault);
  std::uint64_t pairs = 0;
  std::vector<bool> lost, reached;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    if (!columns.left().attached(h)) continue;
    const Host& host = fabric.host(h);
    lost.assign(fabric.num_switches(), false);
    reached.assign(fabric.num_switches(), false);
    for (unsigned offset = 0; offset < host.lid_count(); ++offset) {
      columns.mark(static_cast<Lid>(host.lid + offset), host.at);
      for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
        lost[s] = lost[s] || columns.lost(s);
        reached[s] = reached[s] || columns.reaches(s);
      }
    }
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (lost[s] && !reached[s]) pairs += columns.left().hosts_at(s).size();
  }
  return pairs;
}

ChangedLfts changed_lfts(const Fabric& fabric_before, const Tables& before,
                         const Fabric& fabric_after, const Tables& after) {
  ChangedLfts changed;
  for (SwitchId s = 0; s < fabric_after.num_switches(); ++s) {
    const SwitchId then = fabric_before.find_switch(fabric_after.node(s).guid);
    const auto now_row = after.lft(s);
    const auto then_row = then == kNoSwitch ? decltype(now_row)() : before.lft(then);
    std::size_t counted = SIZE_MAX;  // the last block that was counted
    for (std::size_t lid = 1; lid < now_row.size(); ++lid) {
      const PortNum was = lid < then_row.size() ? then_row[lid] : kNoPort;
      if (now_row[lid] == was) continue;
      ++changed.entries;
      changed.blocks += std::exchange(counted, lid / kLftBlockEntries) != lid / kLftBlockEntries;
    }
  }
  return changed;
}

}  // namespace selvedge
