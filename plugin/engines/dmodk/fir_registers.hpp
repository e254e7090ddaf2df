// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Forwarding without a table: a few registers for each output link of a switch of a k-ary n-tree
// (Gómez et al. 2007 §3.1, §4.1), and a check that the registers forward as tables do.
//
//   IR   (interval routing) Two registers for each link, FI and LI: the link may forward to
//        destinations in the cyclic interval FI … LI. All ascending links of a switch share one
//        interval, that of all hosts not below the switch. So the way up is not determined, and a
//        selection function must choose a link.
//   FIR  (flexible interval routing) It adds MR, which part of the destination is compared, and
//        RRR, the links that have precedence over this one. An ascending link compares one
//        component of the destination with its own number. The descending links have precedence
//        over it. So the way up is determined, and it is that of dmodk.
//
// In hardware MR is a bit mask, and a component of the destination is a group of bits, so k must be
// a power of two. Here MR has one bit for each *component* of the destination in base k, so that
// every k has registers. bit_mask() gives the paper's mask if k is a power of two. Components that
// MR does not select count as 0.
//
// The paper draws the switches of the last stage with k links only. So here too they have no
// registers for ascending links. The interval of an ascending link would be "not below", which is
// empty there, and FI and LI cannot express an empty interval.
#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <vector>

#include "plugin/engines/dmodk/fir_labels.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

using LinkSet = std::bitset<std::size_t{2} * kMaxSwitchPorts>;  // links of one switch, 0 … 2k − 1

struct IrRegisters {
  std::uint32_t first, last;  // the registers FI and LI

  friend bool operator==(const IrRegisters&, const IrRegisters&) = default;
};

struct FirRegisters {
  std::uint32_t first, last;  // the registers FI and LI
  std::uint32_t mask;         // MR: bit i stands for component i of the destination
  LinkSet preferred;          // RRR: bit j: link j takes precedence over this one

  friend bool operator==(const FirRegisters&, const FirRegisters&) = default;
};

/// The registers of all switches, indexed [switch index][link], with 2k entries for each switch.
/// Switches of the last stage use the first k.
template <class Registers>
struct RegisterTree {
  KaryShape shape;
  std::vector<Registers> links;

  const Registers& at(std::uint32_t index, unsigned link) const {
    return links[std::size_t{index} * 2 * shape.k + link];
  }
};

RegisterTree<IrRegisters> make_ir_registers(const KaryShape& shape);
RegisterTree<FirRegisters> make_fir_registers(const KaryShape& shape);

/// The links by which the switch `index` may forward to host number `destination`, by its
/// registers.
LinkSet forward(const RegisterTree<IrRegisters>& registers, std::uint32_t index,
                std::uint32_t destination);
LinkSet forward(const RegisterTree<FirRegisters>& registers, std::uint32_t index,
                std::uint32_t destination);

/// The paper's register MR for the components in `mask`: the bits of the destination that FIR
/// (flexible interval routing) compares. Returns nullopt if k is not a power of two.
std::optional<std::uint64_t> bit_mask(const KaryShape& shape, std::uint32_t mask);

/// A switch and destination for which registers and tables differ.
struct RegisterMismatch {
  SwitchId at;
  HostId destination;
  PortNum table;      // the LFT entry of the host's base LID
  LinkSet registers;  // the links that the registers allow
};

/// Finds the first switch and destination at which the port in the LFT is not the only one that the
/// registers allow. Returns nullopt if there is none. `labels` gives the tree's names to the
/// fabric's switches, hosts and ports.
std::optional<RegisterMismatch> compare(const RegisterTree<FirRegisters>& registers,
                                        const KaryLabels& labels, const Fabric& fabric,
                                        const Tables& tables);
/// compare() for IR registers, which leave a choice: the port in the LFT must be one of those that
/// they allow.
std::optional<RegisterMismatch> compare(const RegisterTree<IrRegisters>& registers,
                                        const KaryLabels& labels, const Fabric& fabric,
                                        const Tables& tables);

}  // namespace selvedge
