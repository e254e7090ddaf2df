// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The subnet management agent (SMA) of a node: a switch, or a channel adapter with one or more
// ports (IBA 1.3 §14.2.5). The agent holds the node's attributes as bytes on the wire, and answers
// Get and Set. The subnet in memory (memory_subnet.hpp), the emulator (sim/emulate) and simulated
// switches all use this agent.
//
// execute() takes a request (method, attribute, modifier, M_Key, port of arrival, 64 bytes of data)
// and gives a status, 64 bytes of data, and what a Set changed (SmaChange). The request holds the
// time, which only the lease of an M_Key needs. The agent does not answer SMInfo and sends no
// traps.
//
// A data plane learns from SmaChange which of its tables to update, and reads the new values by the
// accessors below. Link events go from the data plane to the agent, by link().
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
  kUnsupportedAttribute = 0x000c,  // the attribute, or this method for it, is not supported
  kInvalidValue = 0x001c,
  kNoAnswer = 0x10000,  // not a MAD status: the M_Key did not match, so the request is discarded
};

/// The properties of a node that a subnet manager does not write.
struct NodeModel {
  bool is_switch = true;
  PortNum ports = 1;  // number of physical ports, which are 1 … ports
  Guid guid = 0;
  std::string description;
  std::vector<Guid> port_guids;       // of an adapter; index = port, [0] is not used
  std::vector<LinkRate> rates;        // rates of the cables; index = port
  unsigned linear_capacity = 0xc000;  // LFT entries
  unsigned multicast_capacity = 1024;
  /// Initial content of every SL2VL table. The default is ibsim's: VL = SL, but SL 15 on VL 7.
  std::array<std::uint8_t, kSls / 2> sl2vl{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xe7};
  std::uint8_t hoq_life = 0;  // initial HOQLife of the ports
};

struct SmaRequest {
  std::uint8_t method = mad_method::kGet;
  std::uint16_t attribute = 0;
  std::uint32_t modifier = 0;
  std::uint64_t m_key = 0;
  PortNum arrival = 0;  // the port by which the request came; matters only for an adapter
  std::uint64_t now_ms = 0;
};

/// What a Set(SwitchInfo) changed, as bits.
namespace switch_change {
inline constexpr std::uint16_t kLftTop = 1, kPacketLife = 2;
}

/// What a request changed. The members that this kind of change (`what`) does not use are 0.
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
  PortNum port = 0;         // kSl2Vl: the output port; kArbitration, kPort: the port
  PortNum in = 0;           // kSl2Vl: the input port
  std::uint16_t block = 0;  // kLftBlock, kMftBlock
  std::uint16_t bits = 0;   // kPort: bits of port_change; kSwitchInfo: bits of switch_change
};

class Sma {
 public:
  explicit Sma(NodeModel model);

  /// Executes a request and returns the status of the response; kNoAnswer: there is no response.
  /// `data`: the attribute's 64 bytes; the response's replace the request's.
  SmpStatus execute(const SmaRequest& request, std::uint8_t* data, SmaChange& change);
  /// Resets the agent as after power on. The caller must then call link() for each cable that is
  /// up.
  void restart();

  // --- Links. A link event sets a switch's PortStateChange bit (IBA 1.3 §14.2.5.4).
  void link(PortNum port, bool up);
  PortAttributes& port(PortNum p) { return ports_[p]; }
  const PortAttributes& port(PortNum p) const { return ports_[p]; }
  /// The port whose LID, M_Key and SM LID apply to packets that come by port `arrival`: port 0 of a
  /// switch, that port itself of an adapter.
  const PortAttributes& end_port(PortNum arrival) const {
    return ports_[is_switch() ? 0 : arrival];
  }

  // --- Values that a data plane reads
  bool is_switch() const { return model_.is_switch; }
  PortNum num_ports() const { return model_.ports; }
  const NodeModel& model() const { return model_; }
  /// The LFT's entry, even beyond LinearFDBTop; kNoPort if none was written.
  PortNum lft(Lid dlid) const { return dlid < lft_.size() ? lft_[dlid] : kNoPort; }
  /// The port by which the switch forwards a packet; kNoPort beyond LinearFDBTop (IBA 1.3
  /// §14.2.5.4).
  PortNum forward(Lid dlid) const { return dlid <= lft_top_ ? lft(dlid) : kNoPort; }
  bool multicast(Lid mlid, PortNum out) const;
  Sl2VlRow sl2vl(PortNum in, PortNum out) const;
  /// The entries of a port's low-priority or high-priority VL arbitration table, as pairs of bytes
  /// (VL, weight); as many as PortAttributes::arbitration_capacity().
  const std::uint8_t* arbitration(PortNum port, bool high) const {
    return &arbitration_[port][high ? kArbitrationBytes : 0];
  }
  unsigned packet_life() const { return switch_info_[11] >> 3U; }
  bool port_state_change() const { return (switch_info_[11] & 4U) != 0; }
  const std::uint8_t* p_keys(PortNum port) const { return p_keys_[port].data(); }
  std::size_t p_key_bytes(PortNum port) const { return p_keys_[port].size(); }
  void node_info(PortNum arrival, std::uint8_t* out) const;

 private:
  static constexpr std::size_t kArbitrationBytes = 128;  // 64 entries of 2 bytes
  using Row = std::array<std::uint8_t, kSls / 2>;
  using Arbitration = std::array<std::uint8_t, 2 * kArbitrationBytes>;

  /// Whether the request's M_Key allows the request. `show_key` becomes false if the protect bits
  /// demand that the answer hides the port's M_Key.
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
  std::vector<std::uint8_t> mft_;         // [block][group of 16 ports], 64 bytes; grows like lft_
  std::vector<Row> rows_;                 // SL2VL; switch: [in][out] (row_of), adapter: [port]
  std::vector<Arbitration> arbitration_;  // per port: the low table, then the high one
  std::vector<std::vector<std::uint8_t>> p_keys_;
  std::vector<std::vector<std::uint8_t>> guids_;  // per end port: GUIDInfo
  std::vector<Attribute> extended_;               // kMellanoxExtPortInfo; empty until written
  std::vector<std::uint64_t> lease_end_ms_;       // per end port: M_Key lease's end; 0: none runs
};

}  // namespace selvedge::sim
