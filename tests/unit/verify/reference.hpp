// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A second, slow and simple implementation of the verifier's contract, for comparison: every packet
// is followed separately, the dependency graph is a std::set, and cycles are found by checking for
// each node whether it can be reached from itself. It shares no code with plugin/verify.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "plugin/verify/verify.hpp"

namespace reference {

using selvedge::Channel;
using selvedge::Fabric;
using selvedge::HostId;
using selvedge::Lid;
using selvedge::PortNum;
using selvedge::Sl;
using selvedge::SwitchId;
using selvedge::Tables;
using selvedge::VerifyOptions;
using selvedge::Vl;

using Node = std::pair<Channel, Vl>;
using Edges = std::set<std::pair<Node, Node>>;

struct Walk {
  enum class End { kArrives, kDead, kLoops, kDropped } end = End::kDead;
  std::vector<Node> nodes;  // channels between switches
};

struct Expected {
  // Multicast: whether its ports are valid.
  bool connected = true, loop_free = true, multicast = true;
  bool deadlock_free = true, deadlock_free_base = true;
  bool deadlock_free_replies = true, deadlock_free_any_sl = true;
  unsigned disjoint_min = 0;
  std::uint64_t pairs = 0, failed_pairs = 0, disconnected = 0, unreachable_switch_lids = 0;
  std::uint64_t dropped_replies = 0, dropped_base_replies = 0, multicast_faults = 0;
  unsigned vls_used = 0, sls_used = 0;

  Edges paths, base, replies, any_sl;
  std::set<std::pair<HostId, HostId>> failed;     // source, destination
  std::set<std::pair<HostId, Lid>> dropped;       // replies: (host that replies, DLID)
  std::set<std::pair<HostId, Lid>> dropped_base;  // those between base LIDs
  std::map<std::pair<SwitchId, HostId>, unsigned> disjoint;
};

/// The walk of a packet that has entered a switch by port `in`. `guard` = false: packets on VL 15
/// are not dropped.
Walk walk(const Fabric& fabric, const Tables& tables, SwitchId from, PortNum in, Lid dlid, Sl sl,
          bool guard = true);
bool cyclic(const Edges& edges);
Expected expect(const Fabric& fabric, const Tables& tables, const VerifyOptions& options);

/// Compares each field of the verdict, and checks each witness by following its path. Returns what
/// is wrong, or nothing.
std::optional<std::string> disagreement(const Fabric& fabric, const Tables& tables,
                                        const VerifyOptions& options,
                                        const selvedge::Verdict& verdict);

}  // namespace reference
