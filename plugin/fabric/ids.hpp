// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The numbers that identify the parts of a subnet, with InfiniBand's limits (IBA 1.3 §3.5.10,
// §7.6–7.8).
#pragma once

#include <cstdint>

namespace selvedge {

using Guid = std::uint64_t;
using SwitchId = std::uint32_t;  // index in Fabric::switches()
using HostId = std::uint32_t;    // index in Fabric::hosts()
using PortNum = std::uint8_t;    // 0: a switch's own management port; 1…254: physical
using Channel = std::uint32_t;   // a port, and the directed channel that leaves it
using Lid = std::uint16_t;       // 0 is no LID
using Sl = std::uint8_t;         // 0…15
using Vl = std::uint8_t;         // 0…14: data; 15 in an SL2VL table: the packet is dropped

inline constexpr SwitchId kNoSwitch = UINT32_MAX;
inline constexpr HostId kNoHost = UINT32_MAX;
inline constexpr Channel kNoChannel = UINT32_MAX;
inline constexpr PortNum kNoPort = 255;  // "no route" in an LFT
inline constexpr PortNum kMaxSwitchPorts = 254;

inline constexpr Lid kNoLid = 0;
inline constexpr Lid kMaxUnicastLid = 0xBFFF;  // that is 49,151
inline constexpr Lid kMinMulticastLid = 0xC000;
inline constexpr Lid kMaxMulticastLid = 0xFFFE;
inline constexpr unsigned kMaxLmc = 7;

inline constexpr unsigned kSls = 16;
inline constexpr Vl kDropVl = 15;
inline constexpr unsigned kMaxDataVls = 15;

}  // namespace selvedge
