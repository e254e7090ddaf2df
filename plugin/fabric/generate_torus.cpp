// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tori and meshes. One row-major pass over the switches names them and adds each cable once, from
// the end with the lower coordinate. A wraparound cable is added from the last coordinate.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/fabric/generator_parts.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

Fabric lattice(const std::vector<unsigned>& sizes, unsigned hosts_per_switch, bool wrap,
               const std::string& where) {
  const std::size_t dims = sizes.size();
  const std::uint64_t count = generator::saturating_product(sizes);
  generator::check_ports(2 * dims + std::uint64_t{hosts_per_switch}, where);
  generator::check_lids(count, generator::saturating_product(count, hosts_per_switch), where);

  std::vector<SwitchId> stride(dims, 1);
  for (std::size_t i = dims - 1; i > 0; --i) stride[i - 1] = stride[i] * sizes[i];

  FabricBuilder builder;
  std::vector<unsigned> at(dims, 0);
  HostId hosts = 0;
  const auto switches = static_cast<SwitchId>(count);
  for (SwitchId s = 0; s < switches; ++s) {
    const std::string position = fmt::format("{}", fmt::join(at, "-"));
    generator::add_switch(builder, s, "S-" + position,
                          static_cast<unsigned>(2 * dims) + hosts_per_switch);
    for (std::size_t i = 0; i < dims; ++i) {
      const bool last = at[i] + 1 == sizes[i];
      if (last && !wrap) continue;
      const SwitchId up = last ? s - at[i] * stride[i] : s + stride[i];
      builder.connect(s, static_cast<PortNum>(2 * i + 2), up, static_cast<PortNum>(2 * i + 1));
    }
    for (unsigned h = 0; h < hosts_per_switch; ++h)
      generator::add_host(
          builder, hosts++,
          hosts_per_switch == 1 ? "H-" + position : fmt::format("H-{}-{}", position, h), s,
          static_cast<unsigned>(2 * dims) + 1 + h);
    // Advances to the next position; the last dimension varies fastest.
    for (std::size_t i = dims; i-- > 0;) {
      if (++at[i] < sizes[i]) break;
      at[i] = 0;
    }
  }
  return std::move(builder).build(where);
}

}  // namespace

Fabric torus(const std::vector<unsigned>& sizes, unsigned hosts_per_switch) {
  const std::string where = "torus:" + generator::join_sizes(sizes);
  if (sizes.empty())
    throw InputError("a torus needs at least one size", where, "write sizes as in torus:8x8");
  if (std::ranges::any_of(sizes, [](unsigned size) { return size < 3; }))
    throw InputError("a torus needs every size to be 3 or more", where,
                     "choose larger sizes, or a mesh, whose sizes go down to 1");
  return lattice(sizes, hosts_per_switch, true, where);
}

Fabric mesh(const std::vector<unsigned>& sizes, unsigned hosts_per_switch) {
  const std::string where = "mesh:" + generator::join_sizes(sizes);
  if (sizes.empty())
    throw InputError("a mesh needs at least one size", where, "write sizes as in mesh:3x3x3");
  if (std::ranges::any_of(sizes, [](unsigned size) { return size < 1; }))
    throw InputError("a mesh needs every size to be 1 or more", where, "choose larger sizes");
  return lattice(sizes, hosts_per_switch, false, where);
}

}  // namespace selvedge
