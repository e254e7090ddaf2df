// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A proof in microseconds, for searches over millions of table sets of one small fabric.
// SmallProver proves what verify() proves with the option `any_lid`, by a simple method. Every path
// of every source is walked switch by switch, up to the first channel that was already walked with
// the same LID, SL and VL. The dependencies found become edges of a graph. Nodes without incoming
// edges are removed until none is left; what then remains contains a cycle. SmallProver shares no
// code with verify(); a test compares the two. It gives no witnesses: a caller that needs one calls
// verify(). From one proof to the next no memory is allocated.
//
// Multicast trees are not covered.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin/fabric/fault.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

class SmallProver {
 public:
  /// Keeps a reference to the fabric. Memory: 2 bytes for each combination of a channel between
  /// switches, one of 16 VLs and a port of the next switch; 8 bytes for each channel of a switch
  /// and SL.
  explicit SmallProver(const Fabric& fabric);

  struct Result {
    /// Every pair of attached hosts that are physically connected has a LID that works.
    bool connected = false;
    bool deadlock_free = false;
    /// All attached hosts on working switches are physically connected with each other.
    bool hosts_connected = false;
    std::uint16_t vls = 0;  // bit v: a path uses VL v on a channel between switches
    std::uint16_t sls = 0;  // bit l: a path that arrives has SL l
    friend bool operator==(const Result&, const Result&) = default;
  };

  /// Proves the tables on the fabric without the fault's cables and switches.
  Result prove(const Fault& fault, const Tables& tables);

 private:
  static constexpr unsigned kVls = 16;
  struct Source {
    SwitchId at;
    std::uint32_t first_port, end_port;  // range in ports_: where packets enter the switch
  };

  /// How many of the hosts at a switch have packets that arrive.
  enum class Arrival : std::uint8_t { kNone, kSome, kAll };

  void apply_fault(const Fault& fault);
  void find_components();
  Arrival walk(const Source& source, Lid lid, const Tables& tables, Result& result);
  bool every_host_has_a_lid(const Source& source, const Host& to, const Tables& tables);
  void edge(Channel from, unsigned from_vl, Channel to, unsigned to_vl, PortNum to_port);
  bool acyclic();

  const Fabric& fabric_;
  std::vector<Channel> first_channel_;  // per switch: the channel of its port 0
  std::vector<PortNum> num_ports_;      // per switch: the number of its ports
  std::vector<SwitchId> to_;            // per switch channel; kNoSwitch: does not lead to a switch
  std::vector<PortNum> arrival_;        // per switch channel: the port at its far end
  struct End {
    SwitchId at = kNoSwitch;
    PortNum port = 0;
  };
  std::vector<End> end_;              // per LID: where its paths end
  std::vector<Lid> others_;           // LIDs of switches, and LIDs without an owner
  std::vector<std::uint8_t> down_;    // per channel: whether the fault contains its cable
  std::vector<std::uint8_t> failed_;  // per switch: whether the fault contains it
  std::vector<Source> sources_;
  std::vector<PortNum> ports_;
  std::vector<std::uint32_t> component_;  // per switch: its connected component
  std::vector<SwitchId> queue_;
  std::vector<Arrival> arrivals_;  // per source, for the current destination host

  /// Per channel and SL: the last packets that passed the channel (unless they started on it). The
  /// value holds their LID, VL and whether they arrive, as (lids_ at that time · 16 + VL) · 2 +
  /// arrives.
  std::vector<std::uint64_t> known_;
  std::uint64_t lids_ = 0;  // LIDs walked so far, in all proofs; identifies a LID within a proof
  std::vector<Channel> passed_;  // channels of the current walk, without the first

  std::vector<std::size_t> first_;      // per (channel, VL): index into out_ for port 0
  std::vector<std::uint16_t> out_;      // edges, per (channel, VL) and next port: a set of VLs
  std::vector<std::uint16_t> waiting_;  // per (channel, VL): edges into it that are not yet removed
  std::vector<std::uint8_t> seen_;      // per (channel, VL): whether it is in touched_
  std::vector<std::uint32_t> touched_, ready_;
};

}  // namespace selvedge
