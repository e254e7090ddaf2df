// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/locate.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "plugin/control/directed_routes.hpp"

namespace selvedge {
namespace {

constexpr unsigned kPortDown = 1;

enum class Cable { kUnknown, kUp, kDown };

class PortReader {
 public:
  PortReader(SmpTransport& smps, const SmpSettings& settings, const Fabric& fabric)
      : smps_(smps), settings_(settings), fabric_(fabric), routes_(fabric, settings.port) {}

  /// Reads PortInfo at both ends of all cables of these switches that have not been asked about
  /// yet. Once all cables between switches are known, no more answers are waited for, because those
  /// that are missing may have been sent over a cable that is down. What is left, above all cables
  /// of hosts, which have one end that can be asked, is then asked for around those cables.
  void read_ports(std::span<const SwitchId> at) {
    std::vector<Channel> all;
    for (const SwitchId s : at) {
      const DirectedRoutes avoiding(fabric_, settings_.port, s);
      std::vector<Channel> own;
      for (unsigned p = 1; p <= fabric_.node(s).ports; ++p) {
        const Channel c = fabric_.channel(s, static_cast<PortNum>(p));
        if (fabric_.peer(c) == kNoChannel || cables_.contains(key(c))) continue;
        cables_[key(c)] = Cable::kUnknown;
        if (fabric_.between_switches(c)) ask(c, fabric_.peer(c), avoiding.to(fabric_.target(c)));
        own.push_back(c);
      }
      // Also asks the switch itself, by routes over two of its cables if there are two, because one
      // of them may be down. For each port both routes are used in turn, so a dead route blocks
      // only half of the outstanding requests.
      std::vector<std::optional<SmpPath>> routes;
      for (const Channel c : fabric_.out(s))
        if (const auto route = avoiding.over(fabric_.peer(c));
            route && routes.size() < kRoutesPerSwitch)
          routes.push_back(route);
      if (routes.empty()) routes.push_back(routes_.to(s));
      for (const Channel c : own)
        for (const auto& route : routes) ask(c, c, route);
      all.insert(all.end(), own.begin(), own.end());
    }
    run([&](Channel c) { return fabric_.between_switches(c); });
    read_unknown(all);
  }

  /// The switches outside `known` at the ends of cables that are down.
  std::vector<SwitchId> suspects(std::span<const SwitchId> known) const {
    std::vector<SwitchId> found;
    for (const auto& [c, state] : cables_)
      if (state == Cable::kDown && fabric_.between_switches(c))
        for (const Channel end : {c, fabric_.peer(c)})
          if (const SwitchId s = fabric_.switch_of(end);
              std::ranges::find(known, s) == known.end() &&
              std::ranges::find(found, s) == found.end())
            found.push_back(s);
    return found;
  }

  Located result() const {
    Located located;
    std::vector<SwitchId> down;
    for (const auto& [c, state] : cables_) {
      located.unanswered += state == Cable::kUnknown;
      if (state != Cable::kDown) continue;
      for (const Channel end : {c, fabric_.peer(c)})
        if (fabric_.from_switch(end)) down.push_back(fabric_.switch_of(end));
    }
    std::ranges::sort(down);
    const auto& dead = located.fault.switches;
    for (std::size_t i = 0; i < down.size(); ++i)
      if ((i == 0 || down[i] != down[i - 1]) && is_dead(down[i]))
        located.fault.switches.push_back(down[i]);
    for (const auto& [c, state] : cables_) {
      if (state != Cable::kDown) continue;
      bool with_switch = false;
      for (const Channel end : {c, fabric_.peer(c)})
        with_switch |=
            fabric_.from_switch(end) && std::ranges::binary_search(dead, fabric_.switch_of(end));
      if (!with_switch) located.fault.links.push_back(c);
    }
    return located;
  }

 private:
  static constexpr unsigned kRoutesPerSwitch = 2;

  /// The channel that stands for a cable: the lower of its two channels; for a host's cable the
  /// channel from the switch.
  Channel key(Channel c) const {
    const Channel d = fabric_.peer(c);
    return fabric_.from_switch(d) ? std::min(c, d) : c;
  }

  /// Asks both ends of those channels whose cables are unknown, by routes over none that is unknown
  /// or down.
  void read_unknown(std::span<const Channel> channels) {
    Fault avoided;
    for (const auto& [c, state] : cables_)
      if (state == Cable::kDown || (state == Cable::kUnknown && fabric_.between_switches(c)))
        avoided.links.push_back(c);
    const auto unknown = [&](Channel c) { return cables_.at(key(c)) == Cable::kUnknown; };
    if (std::ranges::none_of(channels, unknown)) return;
    const Fabric rest = without(fabric_, avoided);
    const DirectedRoutes around(rest, settings_.port);
    for (const Channel c : channels) {
      if (!unknown(c)) continue;
      ask(c, c, around.to(fabric_.switch_of(c)));
      if (fabric_.between_switches(c)) ask(c, fabric_.peer(c), around.to(fabric_.target(c)));
    }
    run([](Channel) { return true; });
  }

  /// Sends the requests, until all cables among them are known for which `awaited` is true.
  template <class Awaited>
  void run(const Awaited& awaited) {
    std::set<Channel> open;
    for (const Channel c : asked_channels_)
      if (awaited(c) && cables_.at(key(c)) == Cable::kUnknown) open.insert(key(c));
    if (!open.empty())
      smps_.run(requests_, settings_.limits, [&](std::size_t i, const SmpAnswer& answer) {
        const Channel cable = key(asked_channels_[i]);
        Cable& state = cables_.at(cable);
        if (answer.status != 0 || state != Cable::kUnknown) return false;
        state = (answer.data[kPortStateAt] & 0xfU) == kPortDown ? Cable::kDown : Cable::kUp;
        open.erase(cable);
        return open.empty();
      });
    requests_.clear();
    asked_channels_.clear();
  }

  void ask(Channel about, Channel port, const std::optional<SmpPath>& path) {
    if (!path) return;
    SmpRequest request;
    request.attribute = SmpAttribute::kPortInfo;
    request.modifier = fabric_.port_of(port);
    request.m_key = settings_.m_key;
    request.path = *path;
    requests_.push_back(request);
    asked_channels_.push_back(about);
  }

  /// Whether the switch counts as failed: all its cables to other switches are down, and the switch
  /// itself has not reported a host's cable as up. (Only the switch itself knows the state of a
  /// host's cable.)
  bool is_dead(SwitchId s) const {
    if (fabric_.out(s).empty() || routes_.is_start(s)) return false;
    for (const auto& [c, state] : cables_)  // looks for a report of the switch itself
      if (state == Cable::kUp && fabric_.switch_of(c) == s && !fabric_.between_switches(c))
        return false;
    return std::ranges::all_of(fabric_.out(s), [&](Channel c) {
      const auto found = cables_.find(key(c));
      return found != cables_.end() && found->second == Cable::kDown;
    });
  }

  SmpTransport& smps_;
  const SmpSettings& settings_;
  const Fabric& fabric_;
  const DirectedRoutes routes_;  // routes that avoid no switch
  std::map<Channel, Cable> cables_;
  std::vector<Channel> asked_channels_;  // per request: a channel of the cable asked about
  std::vector<SmpRequest> requests_;
};

}  // namespace

Located locate(SmpTransport& smps, const SmpSettings& settings, const Fabric& fabric,
               std::span<const SwitchId> switches) {
  PortReader search(smps, settings, fabric);
  search.read_ports(switches);
  if (const std::vector<SwitchId> next = search.suspects(switches); !next.empty())
    search.read_ports(next);
  return search.result();
}

}  // namespace selvedge
