// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Forwarding without a table: a few registers for each output link of a switch of a k-ary n-tree
// (Gómez et al. 2007 §3.1, §4.1), and a check that they forward as tables do.
//
//   IR   (interval routing) two registers a link, FI and LI: the link may forward destinations in
//        the cyclic interval FI … LI. Ascending links share one interval, of all hosts that are not
//        below the switch: the way up is free, and a selection function must choose.
//   FIR  (flexible interval routing) adds MR, the part of the destination that is compared, and
//        RRR, the links that take precedence over this one. An ascending link compares one
//        component of the destination with its own number. The descending links have precedence
//        over it. So the way up is fixed, and it is dmodk's.
//
// In hardware MR is a mask of bits, and a component is a group of them: k is a power of two. Here
// MR has one bit for each *component* of the destination in base k, so that every k has registers.
// bit_mask() gives the bits if k is a power of two. Components that MR does not select count as 0.
//
// The paper draws the switches of the last stage with k links only, and they have no ascending
// registers here. Their interval would be "not below", which is empty; FI and LI cannot express an
// empty interval.
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
  std::uint32_t first, last;  // FI, LI

  friend bool operator==(const IrRegisters&, const IrRegisters&) = default;
};

struct FirRegisters {
  std::uint32_t first, last;  // FI, LI
  std::uint32_t mask;         // MR: bit i stands for component i of the destination
  LinkSet preferred;          // RRR: bit j: link j takes precedence over this one

  friend bool operator==(const FirRegisters&, const FirRegisters&) = default;
};

/// The registers of all switches, [index of the switch][link], 2k a switch (the last stage uses the
/// first k).
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

/// The links by which a switch may forward to a destination, according to its registers.
LinkSet forward(const RegisterTree<IrRegisters>& registers, std::uint32_t index,
                std::uint32_t destination);
LinkSet forward(const RegisterTree<FirRegisters>& registers, std::uint32_t index,
                std::uint32_t destination);

/// The paper's MR: the bits of the destination that are compared. Nothing if k is not a power of
/// two.
std::optional<std::uint64_t> bit_mask(const KaryShape& shape, std::uint32_t mask);

/// Where registers and tables differ.
struct RegisterMismatch {
  SwitchId at;
  HostId destination;
  PortNum table;      // the LFT entry of the host's base LID
  LinkSet registers;  // the links that the registers allow
};

/// The first switch and destination at which the table's port is not the only one that the
/// registers allow. `labels` maps switches, hosts and ports of the fabric to the tree's names.
std::optional<RegisterMismatch> compare(const RegisterTree<FirRegisters>& registers,
                                        const KaryLabels& labels, const Fabric& fabric,
                                        const Tables& tables);
/// For registers that leave a choice: the first where the table's port is not one of those allowed.
std::optional<RegisterMismatch> compare(const RegisterTree<IrRegisters>& registers,
                                        const KaryLabels& labels, const Fabric& fabric,
                                        const Tables& tables);

}  // namespace selvedge
