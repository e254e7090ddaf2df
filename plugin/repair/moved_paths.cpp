// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/moved_paths.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace selvedge {
namespace {

/// The entries of one LID before the delta, reconstructed from the tables after it and the delta.
/// look() selects the LID by passing the delta's changes for it.
class Before {
 public:
  Before(const Fabric& damaged, const Tables& after)
      : damaged_(damaged),
        after_(after),
        port_(damaged.num_switches(), kNoPort),
        changed_(damaged.num_switches(), 0),
        other_sl_(damaged.num_switches(), 0) {}

  void look(std::uint32_t stamp, std::span<const LftChange> lft, std::span<const SlChange> sls) {
    stamp_ = stamp;
    for (const LftChange& c : lft) {
      port_[c.at] = c.before;
      changed_[c.at] = stamp;
    }
    for (const SlChange& c : sls) other_sl_[c.source] = stamp;
  }

  struct Walk {
    bool arrives, moved;
  };
  Walk walk(SwitchId s, Lid lid) const {
    const LidOwner owner = damaged_.owner(lid);
    if (owner.kind != LidOwner::Kind::kHost || !damaged_.attached(owner.id)) return {false, false};
    const Host& host = damaged_.host(owner.id);
    bool moved = other_sl_[s] == stamp_;
    for (std::uint32_t links = 0; links < damaged_.num_switches(); ++links) {
      const bool changed = changed_[s] == stamp_;
      moved |= changed;
      const PortNum port = changed ? port_[s] : after_.next(s, lid);
      if (s == host.at) return {links > 0 && port == host.port, moved};
      if (port == 0 || port > damaged_.node(s).ports) break;
      const Channel c = damaged_.channel(s, port);
      if (!damaged_.between_switches(c)) break;
      s = damaged_.target(c);
    }
    return {false, moved};
  }

 private:
  const Fabric& damaged_;
  const Tables& after_;
  std::uint32_t stamp_ = 0;
  std::vector<PortNum> port_;
  /// Per switch: equals stamp_ if the delta changes the present LID's entry (changed_) or SL
  /// (other_sl_).
  std::vector<std::uint32_t> changed_, other_sl_;
};

}  // namespace

std::uint64_t moved_paths(const Fabric& damaged, const Tables& after, const Delta& delta) {
  std::vector<LftChange> lft = delta.lft;
  std::vector<SlChange> sls = delta.sl;
  std::ranges::stable_sort(lft, {}, &LftChange::dlid);
  std::ranges::stable_sort(sls, {}, &SlChange::dlid);
  Before before(damaged, after);
  std::uint64_t moved = 0;
  std::uint32_t stamp = 0;
  for (std::size_t i = 0, j = 0; i < lft.size() || j < sls.size();) {
    const Lid lid = i == lft.size()   ? sls[j].dlid
                    : j == sls.size() ? lft[i].dlid
                                      : std::min(lft[i].dlid, sls[j].dlid);
    const std::size_t first = i, first_sl = j;
    while (i < lft.size() && lft[i].dlid == lid) ++i;
    while (j < sls.size() && sls[j].dlid == lid) ++j;
    const std::span entries(lft.data() + first, i - first);
    const std::span others(sls.data() + first_sl, j - first_sl);
    before.look(++stamp, entries, others);
    // A working path moves if its SL changes, or if an entry on it changes; then the path from that
    // entry's switch worked too. So if no such switch had a working path, only SLs can move paths.
    // The owner's switch counts as one, because every path to the LID uses its entry.
    const auto worked = [&](SwitchId s) {
      return damaged.destination_switch(lid) == s || before.walk(s, lid).arrives;
    };
    if (std::ranges::none_of(entries, worked, &LftChange::at)) {
      for (const SlChange& c : others)
        moved += !damaged.hosts_at(c.source).empty() && before.walk(c.source, lid).arrives;
      continue;
    }
    for (SwitchId s = 0; s < damaged.num_switches(); ++s) {
      if (damaged.hosts_at(s).empty()) continue;
      const Before::Walk walk = before.walk(s, lid);
      moved += walk.arrives && walk.moved;
    }
  }
  return moved;
}

}  // namespace selvedge
