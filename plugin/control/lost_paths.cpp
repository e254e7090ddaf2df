// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/lost_paths.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "plugin/fabric/naming.hpp"
#include "plugin/tables/paths.hpp"

namespace selvedge {
namespace {

class Comparison {
 public:
  Comparison(const Fabric& before, const Tables& tables_before, const Fabric& after,
             const Tables& tables_after, std::size_t listed_max)
      : before_(before),
        tables_before_(tables_before),
        after_(after),
        tables_after_(tables_after),
        disjoint_before_(before, tables_before),
        disjoint_after_(after, tables_after),
        listed_max_(listed_max),
        now_(before.num_switches()),
        gone_(before.num_switch_channels(), false),
        lost_(before.num_switches()) {
    for (SwitchId s = 0; s < before.num_switches(); ++s)
      now_[s] = after.find_switch(before.node(s).guid);
    for (const Channel c : before.links())
      if (!there(c)) gone_[c] = gone_[before.peer(c)] = any_ = true;
    boost::unordered_flat_map<Guid, HostId> hosts;
    for (HostId h = 0; h < after.num_hosts(); ++h)
      if (after.attached(h)) hosts.emplace(after.host(h).guid, h);
    for (const Host& h : before.hosts()) {
      const auto found = hosts.find(h.guid);
      const bool same = found != hosts.end() && after.host(found->second).lid == h.lid;
      host_now_.push_back(same ? found->second : kNoHost);
    }
  }

  LostPaths run() {
    if (!any_) return result_;  // no cable between switches is lost, so no path is
    for (HostId h = 0; h < before_.num_hosts(); ++h)
      if (host_now_[h] != kNoHost && before_.attached(h)) compare(h);
    return result_;
  }

 private:
  enum class Mark : std::uint8_t { kUnknown, kOnTrail, kWhole, kCrosses };

  bool there(Channel c) const {
    const Channel d = before_.peer(c);
    const SwitchId a = now_[before_.switch_of(c)], b = now_[before_.switch_of(d)];
    if (a == kNoSwitch || b == kNoSwitch) return false;
    const PortNum p = before_.port_of(c), q = before_.port_of(d);
    return p <= after_.node(a).ports && q <= after_.node(b).ports &&
           after_.peer(after_.channel(a, p)) == after_.channel(b, q);
  }

  /// Marks with kCrosses the switches whose old path to the LID crossed a lost cable. Paths that
  /// did not arrive before are not marked so.
  void mark(Lid lid, SwitchId destination_switch) {
    marks_.assign(before_.num_switches(), Mark::kUnknown);
    marks_[destination_switch] = Mark::kWhole;
    for (SwitchId start = 0; start < before_.num_switches(); ++start) {
      trail_.clear();
      SwitchId s = start;
      while (marks_[s] == Mark::kUnknown) {
        marks_[s] = Mark::kOnTrail;
        const PortNum out = tables_before_.next(s, lid);
        const Channel c = before_.channel(s, out);
        trail_.push_back({s, c});
        if (out == 0 || out > before_.node(s).ports || !before_.between_switches(c)) break;
        s = before_.target(c);
      }
      // If the mark is still kOnTrail, the path loops, ends away from its destination, or leads
      // into such a path.
      if (marks_[s] == Mark::kOnTrail) continue;
      bool crosses = marks_[s] == Mark::kCrosses;
      for (std::size_t i = trail_.size(); i-- > 0;) {
        if (before_.between_switches(trail_[i].out)) crosses |= gone_[trail_[i].out];
        marks_[trail_[i].at] = crosses ? Mark::kCrosses : Mark::kWhole;
      }
    }
  }

  void compare(HostId destination) {
    const Host& host = before_.host(destination);
    for (auto& offsets : lost_) offsets.clear();
    for (unsigned offset = 0; offset < host.lid_count(); ++offset) {
      mark(static_cast<Lid>(host.lid + offset), host.at);
      for (SwitchId s = 0; s < before_.num_switches(); ++s)
        if (marks_[s] == Mark::kCrosses) lost_[s].push_back(offset);
    }
    for (SwitchId s = 0; s < before_.num_switches(); ++s) {
      if (lost_[s].empty()) continue;
      for (const HostId source : before_.hosts_at(s)) {
        if (host_now_[source] == kNoHost) continue;
        ++result_.pairs;
        result_.paths += lost_[s].size();
        if (result_.listed.size() < listed_max_) list(source, destination, lost_[s]);
      }
    }
  }

  void list(HostId source, HostId destination, const std::vector<unsigned>& offsets) {
    const Host &from = before_.host(source), &to = before_.host(destination);
    const HostId to_now = host_now_[destination];
    const SwitchId at_now = after_.host(host_now_[source]).at;
    LostPair pair{host_label(before_, source), host_label(before_, destination), 0, 0, {}};
    const auto set = disjoint_before_.find(from.at, destination);
    pair.disjoint_before = static_cast<unsigned>(set.size());
    for (const unsigned offset : offsets)
      pair.paths.push_back(
          {static_cast<Lid>(to.lid + offset), offset, std::ranges::count(set, offset) > 0, false});
    for (LostPath& p : pair.paths)
      p.works =
          walk(after_, tables_after_, at_now, after_.host(host_now_[source]).port, p.lid).arrives();
    const auto left = disjoint_after_.find(at_now, to_now);
    pair.disjoint_now = static_cast<unsigned>(left.size());
    result_.listed.push_back(std::move(pair));
  }

  struct Step {
    SwitchId at;
    Channel out;
  };
  const Fabric& before_;
  const Tables& tables_before_;
  const Fabric& after_;
  const Tables& tables_after_;
  DisjointPaths disjoint_before_, disjoint_after_;
  const std::size_t listed_max_;
  std::vector<SwitchId> now_;     // per switch of `before`: its id in `after`, or kNoSwitch
  std::vector<HostId> host_now_;  // per host of `before`: its id in `after`, or kNoHost
  std::vector<bool> gone_;        // per channel of `before`: whether it is lost
  bool any_ = false;
  std::vector<Mark> marks_;
  std::vector<Step> trail_;
  std::vector<std::vector<unsigned>> lost_;  // per source switch: offsets of LIDs with lost paths
  LostPaths result_;
};

}  // namespace

LostPaths lost_paths(const Fabric& before, const Tables& tables_before, const Fabric& after,
                     const Tables& tables_after, std::size_t listed_max) {
  return Comparison(before, tables_before, after, tables_after, listed_max).run();
}

}  // namespace selvedge
