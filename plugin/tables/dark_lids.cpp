// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/dark_lids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "plugin/fabric/connected.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/tables/drops.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kDarkNamed = 4;  // most LIDs that describe_dark() names
constexpr std::uint16_t kEverySl = 0xffff;

class DarkSearch {
 public:
  DarkSearch(const Fabric& fabric, const Tables& tables)
      : fabric_(fabric),
        tables_(tables),
        drops_(tables),
        component_(connected_parts(fabric)),
        arriving_(fabric.num_switches()),
        known_(fabric.num_switches()) {}

  std::vector<DarkLid> run() {
    std::vector<DarkLid> dark;
    for (HostId h = 0; h < fabric_.num_hosts(); ++h) {
      const Host& host = fabric_.host(h);
      if (!fabric_.attached(h) || host.lid == kNoLid) continue;
      for (unsigned offset = 0; offset < host.lid_count(); ++offset)
        if (const DarkLid found = examine(h, static_cast<Lid>(host.lid + offset));
            found.sources > 0)
          dark.push_back(found);
    }
    std::ranges::sort(dark, {}, &DarkLid::lid);
    return dark;
  }

 private:
  DarkLid examine(HostId h, Lid lid) {
    const Host& host = fabric_.host(h);
    DarkLid dark{lid, h, 0, kNoSwitch};
    follow_all(lid, host);
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      if (component_[s] != component_[host.at] || serves_all(s, lid, h)) continue;
      if (tables_.is_spare(lid) && tables_.next(s, lid) == kNoPort) continue;
      if (dark.sources++ == 0) dark.first = s;
    }
    return dark;
  }

  /// Whether the packets of all hosts at s arrive. (`destination` itself is not a source.)
  bool serves_all(SwitchId s, Lid lid, HostId destination) const {
    const Sl sl = tables_.sl(s, lid);
    const PortNum out = tables_.next(s, lid);
    return std::ranges::all_of(fabric_.hosts_at(s), [&](HostId source) {
      if (source == destination) return true;
      if ((arriving_[s] >> sl & 1u) == 0) return false;
      if (!drops_.any()) return true;
      return ((dropped(s, fabric_.host(source).port, out) | drops_.at_hosts()) >> sl & 1u) == 0;
    });
  }

  std::uint16_t dropped(SwitchId s, PortNum in, PortNum out) const {
    return drops_.any() ? drops_.at(s, in, out) : std::uint16_t{0};
  }

  /// Sets arriving_ of each switch to the SLs on which packets arrive that leave the switch by its
  /// LFT entry.
  void follow_all(Lid lid, const Host& host) {
    std::ranges::fill(arriving_, std::uint16_t{0});
    known_.assign(known_.size(), false);
    known_[host.at] = true;
    if (tables_.next(host.at, lid) == host.port) arriving_[host.at] = kEverySl;
    for (SwitchId start = 0; start < fabric_.num_switches(); ++start) {
      trail_.clear();
      SwitchId s = start;
      while (!known_[s]) {
        known_[s] = true;  // also if the entries loop: then nothing arrives
        trail_.push_back(s);
        const Channel c = out_of(s, lid);
        if (c == kNoChannel) break;
        s = fabric_.target(c);
      }
      for (std::size_t i = trail_.size(); i-- > 0;) {
        const Channel c = out_of(trail_[i], lid);
        if (c == kNoChannel) continue;
        const SwitchId t = fabric_.target(c);
        if (arriving_[t] == 0) continue;
        const PortNum in = fabric_.port_of(fabric_.peer(c));
        arriving_[trail_[i]] =
            static_cast<std::uint16_t>(arriving_[t] & ~dropped(t, in, tables_.next(t, lid)));
      }
    }
  }

  Channel out_of(SwitchId s, Lid lid) const {
    const PortNum port = tables_.next(s, lid);
    if (port == 0 || port > fabric_.node(s).ports) return kNoChannel;
    const Channel c = fabric_.channel(s, port);
    return fabric_.between_switches(c) ? c : kNoChannel;
  }

  const Fabric& fabric_;
  const Tables& tables_;
  const DroppedSls drops_;
  const std::vector<SwitchId> component_;
  std::vector<std::uint16_t> arriving_;
  std::vector<bool> known_;
  std::vector<SwitchId> trail_;
};

}  // namespace

std::vector<DarkLid> dark_lids(const Fabric& fabric, const Tables& tables) {
  return DarkSearch(fabric, tables).run();
}

const std::vector<DarkLid>& DarkOnce::of(const Fabric& fabric, const Tables& tables) {
  const std::vector<DarkLid>* known = dark_.load();
  if (known != nullptr) return *known;
  auto dark = std::make_unique<const std::vector<DarkLid>>(dark_lids(fabric, tables));
  if (dark_.compare_exchange_strong(known, dark.get())) return *dark.release();
  return *known;
}

std::uint64_t dark_paths(const std::vector<DarkLid>& dark) {
  std::uint64_t paths = 0;
  for (const DarkLid& d : dark) paths += d.sources;
  return paths;
}

std::string describe_dark(const Fabric& fabric, const std::vector<DarkLid>& dark) {
  if (dark.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(kDarkNamed, dark.size()); ++i) {
    const DarkLid& d = dark[i];
    text += fmt::format("{} LID {} of {} from {}", i == 0 ? ":" : ",", d.lid,
                        host_label(fabric, d.host), switch_label(fabric, d.first));
    if (d.sources > 1) text += fmt::format(" and {} more", d.sources - 1);
  }
  if (dark.size() > kDarkNamed) text += ", …";
  return fmt::format(
      "{} {} no route from everywhere, though cables connect ({} of switch and LID){}", dark.size(),
      dark.size() == 1 ? "LID has" : "LIDs have", dark_paths(dark), text);
}

}  // namespace selvedge
