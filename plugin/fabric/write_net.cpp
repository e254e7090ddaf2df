// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Writes ibsim's .net form. Beyond the grammar, ibsim 0.10 requires unique ids and node GUIDs; ids
// of at most 63 bytes without # and @; an empty line after each section; both ends of every cable.
// It also requires that the comment of a port line has no '=', which it would read as an option.
// So, unlike ibnetdiscover's, a port line does not repeat the far node's description.
#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <iterator>

#include "base/error.hpp"
#include "plugin/fabric/files.hpp"

namespace selvedge {

namespace {

constexpr std::size_t kMaxIdBytes = 63;  // ibsim's NODEIDLEN minus the NUL and a spare byte
// The first GUIDs that ibsim itself would assign.
constexpr Guid kMadeAdapterGuids = 0x100000, kMadeSwitchGuids = 0x200000;

bool usable_as_id(std::string_view name) {
  return !name.empty() && name.size() <= kMaxIdBytes && std::ranges::none_of(name, [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7f || c == '"' || c == '#' || c == '@';
  });
}

/// A name in which the bytes that a line of text cannot contain are replaced.
std::string on_a_line(std::string name) {
  for (char& c : name)
    if (c == '\n' || c == '\0') c = ' ';
  return name;
}

class NetWriter {
 public:
  explicit NetWriter(const Fabric& fabric) : f_(fabric) {
    group_hosts();
    collect_guids();
    choose_ids();
  }

  std::string write() {
    out_.reserve(128 * (f_.links().size() + f_.num_switches() + 2 * std::size_t{f_.num_hosts()}) +
                 4096);
    print("# ibsim .net: {} switches, {} hosts, {} cables between switches\n", f_.num_switches(),
          f_.num_hosts(), f_.links().size());
    for (SwitchId s = 0; s < f_.num_switches(); ++s) write_switch(s);
    for (std::size_t a = 0; a < adapters_.size(); ++a) write_adapter(a);
    return std::move(out_);
  }

 private:
  struct Adapter {
    std::vector<HostId> hosts;
  };

  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void group_hosts() {
    boost::unordered_flat_map<Guid, std::uint32_t> by_node;
    adapter_of_.resize(f_.num_hosts());
    for (HostId h = 0; h < f_.num_hosts(); ++h) {
      const Host& host = f_.host(h);
      std::uint32_t a = static_cast<std::uint32_t>(adapters_.size());
      if (host.node_guid != 0) a = by_node.try_emplace(host.node_guid, a).first->second;
      if (a == adapters_.size()) adapters_.emplace_back();
      for (const HostId other : adapters_[a].hosts)
        if (f_.host(other).ca_port == host.ca_port)
          throw InputError(fmt::format("two hosts are port {} of the adapter 0x{:016x}",
                                       host.ca_port, host.node_guid),
                           host.name, "give each adapter a GUID of its own");
      numbered_ |= !adapters_[a].hosts.empty() && adapters_[a].hosts.back() + 1 != h;
      adapters_[a].hosts.push_back(h);
      adapter_of_[h] = a;
    }
    const auto adapter_port = [](const Host& h) { return std::pair(h.node_guid, h.ca_port); };
    const bool guids =
        std::ranges::none_of(f_.hosts(), [](const Host& h) { return h.node_guid == 0; });
    if (guids) numbered_ = !std::ranges::is_sorted(f_.hosts(), {}, adapter_port);
    number_switches_ =
        std::ranges::none_of(f_.switches(), [](const Switch& s) { return s.guid == 0; }) &&
        !std::ranges::is_sorted(f_.switches(), {}, &Switch::guid);
  }

  void collect_guids() {
    for (const Switch& s : f_.switches()) guids_.insert(s.guid);
    for (const Host& h : f_.hosts()) {
      guids_.insert(h.guid);
      guids_.insert(h.node_guid);
    }
  }

  /// A GUID for ibsim's use, for a node that has none in the fabric.
  Guid generated_guid(Guid& next) {
    while (!guids_.insert(next).second) ++next;
    return next++;
  }

  void choose_ids() {
    boost::unordered_flat_set<std::string> taken;
    auto choose = [&](std::vector<std::string>& ids, std::size_t i, const std::string& name) {
      if (usable_as_id(name) && taken.insert(name).second) ids[i] = name;
    };
    auto make_up = [&](std::vector<std::string>& ids, std::size_t i, char letter, Guid guid) {
      if (!ids[i].empty()) return;
      std::string id = guid != 0 ? fmt::format("{}-{:016x}", letter, guid)
                                 : fmt::format("{}-number-{}", letter, i);
      while (!taken.insert(id).second) id += '+';
      ids[i] = id;
    };
    switch_ids_.resize(f_.num_switches());
    adapter_ids_.resize(adapters_.size());
    for (SwitchId s = 0; s < f_.num_switches(); ++s) choose(switch_ids_, s, f_.node(s).name);
    for (std::size_t a = 0; a < adapters_.size(); ++a)
      choose(adapter_ids_, a, f_.host(adapters_[a].hosts[0]).name);
    for (SwitchId s = 0; s < f_.num_switches(); ++s) make_up(switch_ids_, s, 'S', f_.node(s).guid);
    for (std::size_t a = 0; a < adapters_.size(); ++a)
      make_up(adapter_ids_, a, 'H', f_.host(adapters_[a].hosts[0]).node_guid);
  }

  void write_switch(SwitchId s) {
    const Switch& sw = f_.node(s);
    print("\nswitchguid=0x{:x}({:x})\n", sw.guid != 0 ? sw.guid : generated_guid(next_switch_),
          sw.guid);
    // ibsim requires that a switch has at least one port.
    print("Switch\t{} \"{}\"\t\t# \"{}\" base port 0{}{}{}\n", std::max<unsigned>(sw.ports, 1),
          switch_ids_[s], on_a_line(sw.name), sw.ports == 0 ? " no ports" : "",
          sw.failed ? " failed" : "", number_switches_ ? fmt::format(" switch {}", s) : "");
    for (unsigned p = 1; p <= sw.ports; ++p) {
      const Channel c = f_.channel(s, static_cast<PortNum>(p));
      const Channel d = f_.peer(c);
      if (d == kNoChannel) continue;
      if (f_.from_switch(d)) {
        print("[{}]\t\"{}\"[{}]", p, switch_ids_[f_.switch_of(d)], f_.port_of(d));
      } else {
        const HostId h = f_.host_of(d);
        print("[{}]\t\"{}\"[{}]({:x})", p, adapter_ids_[adapter_of_[h]], f_.host(h).ca_port,
              f_.host(h).guid);
      }
      print_rate(f_.rate(c));
      out_ += '\n';
    }
  }

  void write_adapter(std::size_t a) {
    const std::vector<HostId>& hosts = adapters_[a].hosts;
    const Host& first = f_.host(hosts[0]);
    unsigned ports = 0;
    for (const HostId h : hosts) ports = std::max<unsigned>(ports, f_.host(h).ca_port);
    if (first.node_guid != 0)
      print("\ncaguid=0x{:x}\n", first.node_guid);
    else
      print("\ncaguid=0x{:x}(0)\n", generated_guid(next_adapter_));
    print("Ca\t{} \"{}\"\t\t# \"{}\"\n", ports, adapter_ids_[a], on_a_line(first.name));
    for (const HostId h : hosts) {
      const Host& host = f_.host(h);
      print("{}[{}]({:x})", f_.attached(h) ? "" : "#", host.ca_port, host.guid);
      if (host.at != kNoSwitch) print("\t\"{}\"[{}]", switch_ids_[host.at], host.port);
      if (f_.attached(h) || numbered_) print_rate(f_.rate(f_.injection(h)));
      if (numbered_) print(" host {}", h);
      out_ += '\n';
    }
  }

  void print_rate(LinkRate rate) {
    const std::string_view speed =
        rate.speed != 0 && rate.speed < std::size(kLinkSpeeds) ? kLinkSpeeds[rate.speed] : "???";
    // ibsim 0.10 has no speed above HDR, so HDR is enabled.
    const char* options = speed == "NDR" || speed == "XDR" ? "\ts=7 e=7" : "";
    print("{}\t\t# lid 0 {}x{}", options, rate.lanes, speed);
  }

  const Fabric& f_;
  std::string out_;
  std::vector<Adapter> adapters_;
  std::vector<std::uint32_t> adapter_of_;  // per host: its index in adapters_
  std::vector<std::string> switch_ids_, adapter_ids_;
  boost::unordered_flat_set<Guid> guids_{0};
  Guid next_switch_ = kMadeSwitchGuids, next_adapter_ = kMadeAdapterGuids;
  /// Whether ids must be written as numbers, because a reader would give other ids.
  bool numbered_ = false, number_switches_ = false;
};

}  // namespace

std::string write_net(const Fabric& fabric) { return NetWriter(fabric).write(); }

}  // namespace selvedge
