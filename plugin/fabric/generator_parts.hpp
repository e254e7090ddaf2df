// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the generators have in common: the rule for GUIDs, and the limits of a subnet. Limits are
// checked before anything is built, so that `torus:99999x99999` fails at once.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge::generator {

inline constexpr Guid kFirstSwitchGuid = 0x0200000000000001;
inline constexpr Guid kFirstHostGuid = 0x0200000001000000;

/// a·b (or the product of all factors), or UINT64_MAX if that overflows.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b);
std::uint64_t saturating_product(const std::vector<unsigned>& factors);

/// Throws InputError if there are more switches and host ports together than unicast LIDs.
void check_lids(std::uint64_t switches, std::uint64_t hosts, const std::string& where);
/// Throws InputError if a switch would have more ports than InfiniBand allows.
void check_ports(std::uint64_t ports, const std::string& where);

/// The sizes as text: "8x8".
std::string join_sizes(const std::vector<unsigned>& sizes);

SwitchId add_switch(FabricBuilder& builder, SwitchId id, std::string name, unsigned ports);
/// Adds a host with one port.
void add_host(FabricBuilder& builder, HostId id, std::string name, SwitchId at, unsigned port);

}  // namespace selvedge::generator
