// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/dmodk/fir_registers.hpp"

#include <bit>

namespace selvedge {
namespace {

bool in_cyclic_interval(std::uint32_t value, std::uint32_t first, std::uint32_t last) {
  return first <= last ? first <= value && value <= last : value >= first || value <= last;
}

/// The destination with all components that the mask does not select set to 0.
std::uint32_t masked(const KaryShape& shape, std::uint32_t destination, std::uint32_t mask) {
  std::uint32_t kept = 0, weight = 1;
  for (unsigned i = 0; i < shape.n; ++i, weight *= shape.k)
    if (mask >> i & 1u) kept += destination / weight % shape.k * weight;
  return kept;
}

std::uint32_t all_components(const KaryShape& shape) { return (1u << shape.n) - 1; }

/// By Gómez et al. 2007 §3.1: descending link i leads to the hosts that agree with the switch in
/// the components above its stage, and have i as the component of the stage.
IrRegisters descending(const KaryShape& shape, unsigned stage, std::uint32_t o, unsigned link) {
  const std::uint32_t below = shape.power(stage);  // the number of hosts below the link
  const std::uint32_t first = o / below * below * shape.k + link * below;
  return {first, first + below - 1};
}

template <class Registers, class Check>
std::optional<RegisterMismatch> find_mismatch(const RegisterTree<Registers>& registers,
                                              const KaryLabels& labels, const Fabric& fabric,
                                              const Tables& tables, Check agrees) {
  const unsigned width = 2 * labels.shape.k;
  for (std::uint32_t index = 0; index < labels.shape.switches(); ++index) {
    const SwitchId s = labels.switches[index];
    std::array<unsigned, 256> link_of;
    link_of.fill(width);
    for (unsigned link = 0; link < width; ++link)
      link_of[labels.ports[std::size_t{index} * width + link]] = link;
    link_of[kNoPort] = width;
    for (std::uint32_t p = 0; p < labels.shape.hosts(); ++p) {
      const PortNum port = tables.next(s, fabric.host(labels.hosts[p]).lid);
      const LinkSet allowed = forward(registers, index, p);
      if (link_of[port] == width || !allowed[link_of[port]] || !agrees(allowed))
        return RegisterMismatch{s, labels.hosts[p], port, allowed};
    }
  }
  return std::nullopt;
}

}  // namespace

RegisterTree<IrRegisters> make_ir_registers(const KaryShape& shape) {
  RegisterTree<IrRegisters> tree{shape, {}};
  tree.links.reserve(std::size_t{shape.switches()} * 2 * shape.k);
  const std::uint32_t hosts = shape.hosts();
  for (unsigned stage = 0; stage < shape.n; ++stage)
    for (std::uint32_t o = 0; o < shape.stage_size(); ++o) {
      for (unsigned link = 0; link < shape.k; ++link)
        tree.links.push_back(descending(shape, stage, o, link));
      const std::uint32_t before = descending(shape, stage, o, 0).first;
      const std::uint32_t after = descending(shape, stage, o, shape.k - 1).last;
      for (unsigned link = 0; link < shape.k; ++link)
        tree.links.push_back({(after + 1) % hosts, (before + hosts - 1) % hosts});
    }
  return tree;
}

RegisterTree<FirRegisters> make_fir_registers(const KaryShape& shape) {
  RegisterTree<FirRegisters> tree{shape, {}};
  tree.links.reserve(std::size_t{shape.switches()} * 2 * shape.k);
  LinkSet all_descending;
  for (unsigned link = 0; link < shape.k; ++link) all_descending.set(link);
  for (unsigned stage = 0; stage < shape.n; ++stage)
    for (std::uint32_t o = 0; o < shape.stage_size(); ++o) {
      for (unsigned link = 0; link < shape.k; ++link) {
        const IrRegisters down = descending(shape, stage, o, link);
        tree.links.push_back({down.first, down.last, all_components(shape), {}});
      }
      for (unsigned link = 0; link < shape.k; ++link) {
        const std::uint32_t own = link * shape.power(stage);
        tree.links.push_back({own, own, 1u << stage, all_descending});
      }
    }
  return tree;
}

LinkSet forward(const RegisterTree<IrRegisters>& registers, std::uint32_t index,
                std::uint32_t destination) {
  const KaryShape& shape = registers.shape;
  const unsigned links = shape.links(index / shape.stage_size());
  LinkSet allowed;
  for (unsigned link = 0; link < links; ++link) {
    const IrRegisters& r = registers.at(index, link);
    allowed[link] = in_cyclic_interval(destination, r.first, r.last);
  }
  return allowed;
}

LinkSet forward(const RegisterTree<FirRegisters>& registers, std::uint32_t index,
                std::uint32_t destination) {
  const KaryShape& shape = registers.shape;
  const unsigned links = shape.links(index / shape.stage_size());
  LinkSet matching, allowed;
  std::uint32_t mask = all_components(shape), compared = destination;
  for (unsigned link = 0; link < links; ++link) {
    const FirRegisters& r = registers.at(index, link);
    if (r.mask != mask) {
      mask = r.mask;
      compared = masked(shape, destination, mask);
    }
    matching[link] = in_cyclic_interval(compared, r.first, r.last);
  }
  for (unsigned link = 0; link < links; ++link)
    allowed[link] = matching[link] && (matching & registers.at(index, link).preferred).none();
  return allowed;
}

std::optional<std::uint64_t> bit_mask(const KaryShape& shape, std::uint32_t mask) {
  if (!std::has_single_bit(shape.k)) return std::nullopt;
  const auto width = static_cast<unsigned>(std::countr_zero(shape.k));
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < shape.n; ++i)
    if (mask >> i & 1u) bits |= std::uint64_t{shape.k - 1} << (i * width);
  return bits;
}

std::optional<RegisterMismatch> compare(const RegisterTree<FirRegisters>& registers,
                                        const KaryLabels& labels, const Fabric& fabric,
                                        const Tables& tables) {
  return find_mismatch(registers, labels, fabric, tables,
                       [](const LinkSet& allowed) { return allowed.count() == 1; });
}

std::optional<RegisterMismatch> compare(const RegisterTree<IrRegisters>& registers,
                                        const KaryLabels& labels, const Fabric& fabric,
                                        const Tables& tables) {
  return find_mismatch(registers, labels, fabric, tables, [](const LinkSet&) { return true; });
}

}  // namespace selvedge
