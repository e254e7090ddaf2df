// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A proof in microseconds, for searches over millions of table sets of one small fabric. It proves
// what verify() proves with `any_lid`, by a simple method. Every path of every source is walked
// switch by switch to the first channel already walked with the same LID, SL and VL. The
// dependencies become edges, and nodes without incoming edges are removed until none is left. It
// shares no code with verify(); a test compares the two. It gives no witnesses: a caller that needs
// one calls verify(). Nothing is allocated from one proof to the next.
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
  /// Keeps a reference to the fabric. Memory: 2 bytes for each channel between switches, VL (16)
  /// and port, and 8 for each channel of a switch and SL.
  explicit SmallProver(const Fabric& fabric);

  struct Result {
    /// Every pair of attached hosts that are physically connected has a LID that works.
    bool connected = false;
    bool deadlock_free = false;
    /// The attached hosts on switches that work are in one physical piece.
    bool hosts_connected = false;
    std::uint16_t vls = 0;  // bit v: VL v is on a path's channel between switches
    std::uint16_t sls = 0;  // bit l: a path has SL l
    friend bool operator==(const Result&, const Result&) = default;
  };

  /// Proves the tables on the fabric without the fault's cables and switches.
  Result prove(const Fault& fault, const Tables& tables);

 private:
  static constexpr unsigned kVls = 16;
  struct Source {
    SwitchId at;
    std::uint32_t first_port, end_port;  // into ports_: where packets may start
  };

  /// Which of the hosts at a switch arrive.
  enum class Arrival : std::uint8_t { kNone, kSome, kAll };

  void apply_fault(const Fault& fault);
  void find_components();
  Arrival walk(const Source& source, Lid lid, const Tables& tables, Result& result);
  bool every_host_has_a_lid(const Source& source, const Host& to, const Tables& tables);
  void edge(Channel from, unsigned from_vl, Channel to, unsigned to_vl, PortNum to_port);
  bool acyclic();

  const Fabric& fabric_;
  std::vector<Channel> first_channel_;  // per switch
  std::vector<PortNum> num_ports_;      // per switch
  std::vector<SwitchId> to_;            // per switch channel; kNoSwitch: not to a switch
  std::vector<PortNum> arrival_;        // per switch channel
  struct End {
    SwitchId at = kNoSwitch;
    PortNum port = 0;
  };
  std::vector<End> end_;              // per LID: where its paths end
  std::vector<Lid> others_;           // LIDs of switches, and without an owner
  std::vector<std::uint8_t> down_;    // per channel
  std::vector<std::uint8_t> failed_;  // per switch
  std::vector<Source> sources_;
  std::vector<PortNum> ports_;
  std::vector<std::uint32_t> component_;  // per switch
  std::vector<SwitchId> queue_;
  std::vector<Arrival> arrivals_;  // per source, for the current destination host

  /// Per channel and SL, of the last packets there that did not start on this channel: the LID, the
  /// VL and whether they arrive, as (lids_ at that time · 16 + VL) · 2 + arrives.
  std::vector<std::uint64_t> known_;
  std::uint64_t lids_ = 0;       // walked so far, in all proofs; identifies a LID
  std::vector<Channel> passed_;  // channels of the walk, without the first

  std::vector<std::size_t> first_;      // per (channel, VL): into out_, by port of the next switch
  std::vector<std::uint16_t> out_;      // VLs that the packets wait for
  std::vector<std::uint16_t> waiting_;  // per (channel, VL): edges into it
  std::vector<std::uint8_t> seen_;      // per (channel, VL)
  std::vector<std::uint32_t> touched_, ready_;
};

}  // namespace selvedge
