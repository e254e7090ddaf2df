// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/fabric: the subnet as a value. A Fabric is an immutable graph in flat arrays: switches,
// hosts, the cables between them, and their LIDs. Each cabled port of a channel adapter is one
// Host; the ports of one adapter have the same node GUID. A damaged fabric is another Fabric with
// the same ids (fault.hpp).
//
// Ports and channels have common numbers: the id of a port is also the id of the directed channel
// that leaves by it. peer(c) is the port at the far end of the cable, and so it is also the channel
// in the other direction. Therefore "the channel that arrives at port p" is peer(p).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/ids.hpp"

namespace selvedge {

/// The names of the signalling rates, in the order of their introduction, as ibnetdiscover spells
/// them.
inline constexpr std::string_view kLinkSpeeds[] = {"",    "SDR", "DDR", "QDR", "FDR10",
                                                   "FDR", "EDR", "HDR", "NDR", "XDR"};

/// The rate of a cable: its lanes and their signalling.
struct LinkRate {
  std::uint8_t lanes = 4;  // 1, 2, 4, 8, 12
  std::uint8_t speed = 1;  // index in kLinkSpeeds; 0: unknown

  friend bool operator==(const LinkRate&, const LinkRate&) = default;
};

struct Switch {
  Guid guid = 0;
  std::string name;     // the node description
  PortNum ports = 0;    // physical ports 1…ports
  Lid lid = kNoLid;     // LID of port 0
  bool failed = false;  // a failed switch keeps id and port numbers, without cables

  friend bool operator==(const Switch&, const Switch&) = default;
};

/// One port of a channel adapter: an end of paths.
struct Host {
  Guid guid = 0;       // GUID of the port
  Guid node_guid = 0;  // GUID of the adapter, the same for all its ports
  std::string name;    // the node description
  PortNum ca_port = 1;
  SwitchId at = kNoSwitch;  // the switch that it is cabled to (or was, before a fault)…
  PortNum port = 0;         // …and that switch's port to it
  Lid lid = kNoLid;         // base LID; the host has the LIDs lid … lid + 2^lmc − 1
  std::uint8_t lmc = 0;

  unsigned lid_count() const { return 1u << lmc; }
  friend bool operator==(const Host&, const Host&) = default;
};

/// The node that owns a LID.
struct LidOwner {
  enum class Kind : std::uint8_t { kUnassigned, kSwitch, kHost };
  Kind kind = Kind::kUnassigned;
  std::uint32_t id = 0;  // a SwitchId or a HostId

  friend bool operator==(const LidOwner&, const LidOwner&) = default;
};

struct Fault;

class Fabric {
 public:
  Fabric() = default;

  // --- Nodes
  std::span<const Switch> switches() const { return switches_; }
  std::span<const Host> hosts() const { return hosts_; }
  std::uint32_t num_switches() const { return static_cast<std::uint32_t>(switches_.size()); }
  std::uint32_t num_hosts() const { return static_cast<std::uint32_t>(hosts_.size()); }
  const Switch& node(SwitchId s) const { return switches_[s]; }
  const Host& host(HostId h) const { return hosts_[h]; }
  /// The hosts cabled to a switch, in the order of its ports.
  std::span<const HostId> hosts_at(SwitchId s) const {
    return {hosts_at_.data() + hosts_at_first_[s], hosts_at_first_[s + 1] - hosts_at_first_[s]};
  }
  /// Whether the host has a working cable.
  bool attached(HostId h) const { return peer(injection(h)) != kNoChannel; }

  // --- Ports and channels. Switch s owns the ids channel(s, 0) … channel(s, ports). The ids of
  // hosts, one for each, follow those of all switches.
  Channel channel(SwitchId s, PortNum port) const { return first_channel_[s] + port; }
  Channel injection(HostId h) const { return num_switch_channels() + h; }
  std::uint32_t num_switch_channels() const { return first_channel_[num_switches()]; }
  std::uint32_t num_channels() const { return static_cast<std::uint32_t>(peer_.size()); }
  bool from_switch(Channel c) const { return c < num_switch_channels(); }
  Channel peer(Channel c) const { return peer_[c]; }
  /// The switch that owns a port. Valid only for ports of switches.
  SwitchId switch_of(Channel c) const { return owner_[c]; }
  PortNum port_of(Channel c) const {
    return from_switch(c) ? static_cast<PortNum>(c - first_channel_[owner_[c]])
                          : hosts_[host_of(c)].ca_port;
  }
  HostId host_of(Channel c) const { return c - num_switch_channels(); }
  /// Whether this channel leads from a switch to a switch.
  bool between_switches(Channel c) const {
    return from_switch(c) && peer_[c] != kNoChannel && from_switch(peer_[c]);
  }
  /// The switch to which a channel between switches leads.
  SwitchId target(Channel c) const { return owner_[peer_[c]]; }
  LinkRate rate(Channel c) const { return rate_[c]; }

  /// The channels from s to switches, in the order of its ports. Parallel cables, and cables from s
  /// to itself, are included.
  std::span<const Channel> out(SwitchId s) const {
    return {out_.data() + out_first_[s], out_first_[s + 1] - out_first_[s]};
  }
  /// Every cable between switches, as the lower of its two channels; ascending.
  std::span<const Channel> links() const { return links_; }

  // --- LIDs
  /// The highest LID in use; 0 if none was assigned.
  Lid top_lid() const { return static_cast<Lid>(lid_owner_.empty() ? 0 : lid_owner_.size() - 1); }
  LidOwner owner(Lid lid) const { return lid < lid_owner_.size() ? lid_owner_[lid] : LidOwner{}; }
  /// The switch at which the paths to this LID end; kNoSwitch if no node has the LID.
  SwitchId destination_switch(Lid lid) const;

  // --- Lookup (linear search; not for hot paths)
  SwitchId find_switch(std::string_view name) const;  // kNoSwitch if there is none
  HostId find_host(std::string_view name) const;      // kNoHost if there is none
  SwitchId find_switch(Guid guid) const;
  /// The name of a port for messages: "S-0-0:2".
  std::string port_name(Channel c) const;

  friend bool operator==(const Fabric&, const Fabric&) = default;

 private:
  friend class FabricBuilder;
  friend Fabric without(Fabric fabric, const Fault& fault);
  /// Removes the cable at this port from the fabric.
  void unplug(Channel c);
  void unlist(Channel end);
  /// Computes the lists of cables and hosts from peer_.
  void list_cables();

  std::vector<Switch> switches_;
  std::vector<Host> hosts_;
  std::vector<Channel> first_channel_{0};  // channels of switch s: first_channel_[s] … [s + 1] − 1
  std::vector<Channel> peer_;              // per channel: the channel in the other direction
  std::vector<SwitchId> owner_;            // per switch channel: the switch that it leaves
  std::vector<LinkRate> rate_;             // per channel: the rate of its cable
  std::vector<std::uint32_t> out_first_{0};
  std::vector<Channel> out_;
  std::vector<std::uint32_t> hosts_at_first_{0};
  std::vector<HostId> hosts_at_;
  std::vector<Channel> links_;
  std::vector<LidOwner> lid_owner_;  // index: a LID
};

/// Collects nodes and cables, then makes the Fabric of them. build() checks that they are
/// consistent.
class FabricBuilder {
 public:
  FabricBuilder() = default;
  /// Begins with the nodes and cables of an existing fabric, which keep their ids.
  explicit FabricBuilder(const Fabric& from);

  SwitchId add_switch(Switch s);
  /// Adds a host, cabled to port `h.port` of switch `h.at`.
  HostId add_host(Host h, LinkRate rate = {});
  void connect(SwitchId a, PortNum a_port, SwitchId b, PortNum b_port, LinkRate rate = {});

  Switch& node(SwitchId s) { return fabric_.switches_[s]; }
  Host& host(HostId h) { return fabric_.hosts_[h]; }
  /// Removes the cable at this port. A host that loses its cable keeps its `at` and `port`.
  void unplug(SwitchId s, PortNum port);

  /// Makes the fabric. Throws InputError for a duplicate GUID; a switch with too many ports; a
  /// cable at a port that does not exist or has a cable already; a cable from a port to itself; an
  /// LMC above kMaxLmc; LID ranges that overlap or exceed kMaxUnicastLid. `where` names the source
  /// in the message.
  Fabric build(const std::string& where) &&;

 private:
  struct Cable {
    SwitchId a;
    PortNum a_port;
    SwitchId b;  // kNoSwitch: the far end is `host`
    PortNum b_port;
    HostId host;
    LinkRate rate;
  };
  Fabric fabric_;
  std::vector<Cable> cables_;
};

/// The first and the last LID that assign_lids() would give to hosts. The LIDs suffice if `last` ≤
/// kMaxUnicastLid.
struct HostLids {
  std::uint64_t first, last;
};
HostLids host_lids(const Fabric& fabric, unsigned lmc);

/// The same fabric with new LIDs: 1, 2, … for the switches, then the ranges of the hosts, each
/// aligned to 2^lmc. Throws InputError if a LID would exceed kMaxUnicastLid.
Fabric assign_lids(const Fabric& fabric, unsigned lmc);

}  // namespace selvedge
