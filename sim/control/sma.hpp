// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The subnet management agent (SMA) of a node: a switch, or a channel adapter with one or more
// ports (IBA 1.3 §14.2.5). It holds the node's attributes as bytes on the wire, and answers Get and
// Set. The same agent serves the subnet in memory, the emulator, and simulated switches.
//
// Executing a request is a function: method, attribute, modifier, M_Key, 64 bytes in and out, and
// the port of arrival give a status, and what a Set changed. Time is handed in; only the lease of
// an M_Key needs it. SMInfo and traps are not the agent's: they belong to managers.
//
// A data plane follows the agent by SmaChange and reads the accessors below. Link events go the
// other way: the subnet tells the agent by link().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/tables/tables.hpp"
#include "sim/control/port_attributes.hpp"

namespace selvedge::sim {

/// The status field of a MAD (IBA 1.3 §13.4.7).
enum class SmpStatus : std::uint32_t {
  kGood = 0,
  kBadVersion = 0x0004,
  kUnsupportedMethod = 0x0008,
  kUnsupportedAttribute = 0x000c,  // or this method of the attribute
  kInvalidValue = 0x001c,
  kNoAnswer = 0x10000,  // no status: the M_Key did not match, the request is discarded
};

/// What a node is, apart from what a manager writes.
struct NodeModel {
  bool is_switch = true;
  PortNum ports = 1;  // physical ones, 1…ports
  Guid guid = 0;
  std::string description;
  std::vector<Guid> port_guids;       // of an adapter; index = port, [0] is not used
  std::vector<LinkRate> rates;        // of the cables; index = port
  unsigned linear_capacity = 0xc000;  // LFT entries
  unsigned multicast_capacity = 1024;
  /// SL2VL tables begin with this row; ibsim's: VL = SL, SL 15 on VL 7.
  std::array<std::uint8_t, kSls / 2> sl2vl{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xe7};
  std::uint8_t hoq_life = 0;  // with which the ports begin
};

struct SmaRequest {
  std::uint8_t method = mad_method::kGet;
  std::uint16_t attribute = 0;
  std::uint32_t modifier = 0;
  std::uint64_t m_key = 0;
  PortNum arrival = 0;  // of an adapter, the port it came by; of a switch, any
  std::uint64_t now_ms = 0;
};

/// What a Set(SwitchInfo) changed, as bits.
namespace switch_change {
inline constexpr std::uint16_t kLftTop = 1, kPacketLife = 2;
}

struct SmaChange {
  enum class What : std::uint8_t {
    kNothing,
    kLftBlock,
    kSwitchInfo,
    kMftBlock,
    kSl2Vl,
    kArbitration,
    kPort
  };
  What what = What::kNothing;
  PortNum port = 0;         // kSl2Vl: output; kArbitration, kPort
  PortNum in = 0;           // kSl2Vl
  std::uint16_t block = 0;  // kLftBlock, kMftBlock
  std::uint16_t bits = 0;   // kPort: port_change; kSwitchInfo: switch_change
};

class Sma {
 public:
  explicit Sma(NodeModel model);

  /// Executes a request. `data`: the attribute's 64 bytes, of the request and then of the answer.
  SmpStatus execute(const SmaRequest& request, std::uint8_t* data, SmaChange& change);
  /// As after power on. Cables that are up must be told again by link().
  void restart();

  // --- Links. A change sets PortStateChange of a switch (IBA 1.3 §14.2.5.4).
  void link(PortNum port, bool up);
  PortAttributes& port(PortNum p) { return ports_[p]; }
  const PortAttributes& port(PortNum p) const { return ports_[p]; }
  /// The port whose LID, M_Key and SM count for packets that come by `arrival`.
  const PortAttributes& end_port(PortNum arrival) const {
    return ports_[is_switch() ? 0 : arrival];
  }

  // --- What a data plane reads
  bool is_switch() const { return model_.is_switch; }
  PortNum num_ports() const { return model_.ports; }
  const NodeModel& model() const { return model_; }
  /// The LFT's entry, whatever LinearFDBTop; kNoPort where none was written.
  PortNum lft(Lid dlid) const { return dlid < lft_.size() ? lft_[dlid] : kNoPort; }
  /// Where a packet goes: kNoPort beyond LinearFDBTop (IBA 1.3 §14.2.5.4).
  PortNum forward(Lid dlid) const { return dlid <= lft_top_ ? lft(dlid) : kNoPort; }
  bool multicast(Lid mlid, PortNum out) const;
  Sl2VlRow sl2vl(PortNum in, PortNum out) const;
  /// (VL, weight) pairs, as many as the capacity; the low table or the high one.
  const std::uint8_t* arbitration(PortNum port, bool high) const {
    return &arbitration_[port][high ? kArbitrationBytes : 0];
  }
  unsigned packet_life() const { return switch_info_[11] >> 3U; }
  bool port_state_change() const { return (switch_info_[11] & 4U) != 0; }
  const std::uint8_t* p_keys(PortNum port) const { return p_keys_[port].data(); }
  std::size_t p_key_bytes(PortNum port) const { return p_keys_[port].size(); }
  void node_info(PortNum arrival, std::uint8_t* out) const;

 private:
  static constexpr std::size_t kArbitrationBytes = 128;  // 64 entries
  using Row = std::array<std::uint8_t, kSls / 2>;
  using Arbitration = std::array<std::uint8_t, 2 * kArbitrationBytes>;

  /// True if the M_Key allows the request; hides it in `show_key` where protect bits say so.
  bool m_key_allows(const SmaRequest& r, bool& show_key);
  SmpStatus switch_info(bool set, std::uint8_t* data, SmaChange& change);
  SmpStatus port_info(const SmaRequest& r, bool set, std::uint8_t* data, SmaChange& change);
  SmpStatus guid_info(const SmaRequest& r, bool set, std::uint8_t* data);
  SmpStatus p_key_table(const SmaRequest& r, bool set, std::uint8_t* data);
  SmpStatus sl2vl_table(const SmaRequest& r, bool set, std::uint8_t* data, SmaChange& change);
  SmpStatus vl_arbitration(const SmaRequest& r, bool set, std::uint8_t* data, SmaChange& change);
  SmpStatus linear_forwarding(const SmaRequest& r, bool set, std::uint8_t* data, SmaChange& change);
  SmpStatus multicast_forwarding(const SmaRequest& r, bool set, std::uint8_t* data,
                                 SmaChange& change);
  SmpStatus extended_port_info(const SmaRequest& r, bool set, std::uint8_t* data);
  std::optional<PortNum> named_port(const SmaRequest& r, std::uint32_t number) const;
  std::size_t row_of(PortNum in, PortNum out) const {
    return in * (model_.ports + std::size_t{1}) + out;
  }

  const NodeModel model_;
  Attribute switch_info_{};
  std::vector<PortAttributes> ports_;  // [0…ports]; an adapter's [0] is not used
  std::vector<PortNum> lft_;           // grows with the blocks that are written
  unsigned lft_top_ = 0;
  std::vector<std::uint8_t> mft_;         // [block][16 ports] of 64 bytes; grows likewise
  std::vector<Row> rows_;                 // [input port][output port]; an adapter's [port]
  std::vector<Arbitration> arbitration_;  // low, high
  std::vector<std::vector<std::uint8_t>> p_keys_;
  std::vector<std::vector<std::uint8_t>> guids_;  // GUIDInfo
  std::vector<Attribute> extended_;               // of ConnectX; made when first written
  std::vector<std::uint64_t> lease_end_ms_;       // per end port; 0: no lease runs out
};

}  // namespace selvedge::sim
