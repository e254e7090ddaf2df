// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Topologies of low diameter: HyperX, dragonfly, Slim Fly.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "plugin/fabric/generator_parts.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

/// Adds the hosts of a switch at its ports after `before`.
void add_hosts(FabricBuilder& builder, SwitchId s, unsigned before, unsigned hosts) {
  for (unsigned h = 0; h < hosts; ++h)
    generator::add_host(builder, s * hosts + h, fmt::format("H-{}-{}", s, h), s, before + 1 + h);
}

/// Cables by their two switches: ports ascend with the neighbours' ids, at both ends.
Fabric connect_ascending(FabricBuilder builder, const std::vector<std::vector<SwitchId>>& near,
                         const std::string& where) {
  std::vector<unsigned> port(near.size(), 0);  // per switch: the last port with a cable
  for (SwitchId s = 0; s < near.size(); ++s)
    for (const SwitchId t : near[s])
      if (s < t)
        builder.connect(s, static_cast<PortNum>(++port[s]), t, static_cast<PortNum>(++port[t]));
  return std::move(builder).build(where);
}

bool is_prime(unsigned q) {
  for (unsigned d = 2; d * d <= q; ++d)
    if (q % d == 0) return false;
  return q > 1;
}

/// The powers 1, ξ, ξ², … of a primitive root of the prime q.
std::vector<unsigned> powers_of_primitive_root(unsigned q) {
  for (unsigned root = 2; root < q; ++root) {
    std::vector<unsigned> powers{1};
    for (unsigned p = root; p != 1; p = p * root % q) powers.push_back(p);
    if (powers.size() == q - 1) return powers;
  }
  return {};  // not reached: every prime above 2 has one
}

}  // namespace

Fabric hyperx(const std::vector<unsigned>& sizes, unsigned hosts_per_switch) {
  const std::string where =
      fmt::format("hyperx:{},hosts={}", generator::join_sizes(sizes), hosts_per_switch);
  std::uint64_t ports = hosts_per_switch;
  for (const unsigned size : sizes) {
    if (size < 2)
      throw InputError(fmt::format("{} is no size of a HyperX", size), where,
                       "choose sizes of 2 or more");
    ports += size - 1;
  }
  const std::uint64_t switches = generator::saturating_product(sizes);
  generator::check_ports(ports, where);
  generator::check_lids(switches, generator::saturating_product(switches, hosts_per_switch), where);
  FabricBuilder builder;
  const auto degree = static_cast<unsigned>(ports - hosts_per_switch);
  for (SwitchId s = 0; s < switches; ++s) {
    std::string name;
    for (std::uint64_t rest = s, below = switches; const unsigned size : sizes) {
      below /= size;
      name += fmt::format("-{}", rest / below);
      rest %= below;
    }
    generator::add_switch(builder, s, "S" + name, degree + hosts_per_switch);
    add_hosts(builder, s, degree, hosts_per_switch);
  }
  // Ports of a dimension follow those of the one before, in the order of the neighbours' places.
  unsigned before = 0;
  std::uint64_t stride = switches;
  for (const unsigned size : sizes) {
    stride /= size;
    for (SwitchId s = 0; s < switches; ++s) {
      const auto here = static_cast<unsigned>(s / stride % size);
      for (unsigned there = here + 1; there < size; ++there)
        builder.connect(s, static_cast<PortNum>(before + there),
                        static_cast<SwitchId>(s + (there - here) * stride),
                        static_cast<PortNum>(before + here + 1));
    }
    before += size - 1;
  }
  return std::move(builder).build(where);
}

Fabric dragonfly(unsigned a, unsigned h, unsigned p) {
  const std::string where = fmt::format("dragonfly:a={},h={},p={}", a, h, p);
  if (a < 1 || h < 1)
    throw InputError("a dragonfly needs switches in a group, and cables between groups", where,
                     "choose a and h of 1 or more");
  const std::uint64_t links = std::uint64_t{a} * h, groups = links + 1;
  generator::check_ports(std::uint64_t{a} - 1 + h + p, where);
  generator::check_lids(groups * a, groups * a * p, where);
  FabricBuilder builder;
  for (SwitchId s = 0; s < groups * a; ++s) {
    generator::add_switch(builder, s, fmt::format("S-{}-{}", s / a, s % a), a - 1 + h + p);
    add_hosts(builder, s, a - 1 + h, p);
  }
  for (SwitchId group = 0; group < groups; ++group) {
    const SwitchId first = group * a;
    for (unsigned i = 0; i < a; ++i)
      for (unsigned j = i + 1; j < a; ++j)
        builder.connect(first + i, static_cast<PortNum>(j), first + j, static_cast<PortNum>(i + 1));
    // Cable k of a group leads to the group k + 1 further round; the other end is its cable
    // links − 1 − k.
    for (unsigned k = 0; k < links; ++k) {
      const auto other = static_cast<SwitchId>((group + k + 1) % groups);
      const auto back = static_cast<unsigned>(links - 1 - k);
      if (group < other)
        builder.connect(first + k / h, static_cast<PortNum>(a + k % h), other * a + back / h,
                        static_cast<PortNum>(a + back % h));
    }
  }
  return std::move(builder).build(where);
}

Fabric slim_fly(unsigned q, unsigned hosts_per_switch) {
  const std::string where = fmt::format("slimfly:q={},hosts={}", q, hosts_per_switch);
  constexpr unsigned kMostQ = 157;  // 2·q² switches are no more than there are LIDs
  if (q < 5 || q > kMostQ || !is_prime(q))
    throw InputError(fmt::format("{} is no q of a Slim Fly", q), where,
                     fmt::format("choose a prime from 5 to {}", kMostQ));
  // Besta & Hoefler 2014 §II-B; McKay, Miller & Širáň 1998. q = 4w + δ, δ = ±1.
  const std::vector<unsigned> power = powers_of_primitive_root(q);
  std::vector<bool> in_rows(q, false), in_columns(q, false);
  if (q % 4 == 1) {
    for (unsigned i = 0; i < q - 1; ++i) (i % 2 == 0 ? in_rows : in_columns)[power[i]] = true;
  } else {
    const unsigned w = (q + 1) / 4;
    for (unsigned i = 0; i + 2 <= 2 * w; i += 2) {
      in_rows[power[i]] = in_rows[power[2 * w - 1 + i]] = true;
      in_columns[power[i + 1]] = in_columns[power[(2 * w + i) % (q - 1)]] = true;
    }
  }
  const std::uint64_t switches = 2 * std::uint64_t{q} * q;
  const unsigned degree = q % 4 == 1 ? (3 * q - 1) / 2 : (3 * q + 1) / 2;
  generator::check_ports(std::uint64_t{degree} + hosts_per_switch, where);
  generator::check_lids(switches, switches * hosts_per_switch, where);
  FabricBuilder builder;
  for (SwitchId s = 0; s < switches; ++s) {
    generator::add_switch(builder, s, fmt::format("S-{}-{}-{}", s / (q * q), s / q % q, s % q),
                          degree + hosts_per_switch);
    add_hosts(builder, s, degree, hosts_per_switch);
  }
  std::vector<std::vector<SwitchId>> near(switches);
  for (unsigned x = 0; x < q; ++x)
    for (unsigned y = 0; y < q; ++y) {
      const SwitchId row = x * q + y, column = q * q + x * q + y;
      for (unsigned z = 0; z < q; ++z) {
        if (in_rows[(y + q - z) % q]) near[row].push_back(x * q + z);
        if (in_columns[(y + q - z) % q]) near[column].push_back(q * q + x * q + z);
      }
      // (0, x, y) – (1, m, c) if y = m·x + c
      for (unsigned m = 0; m < q; ++m) {
        const unsigned c = (y + q * q - m * x) % q;
        near[row].push_back(q * q + m * q + c);
        near[q * q + m * q + c].push_back(row);
      }
    }
  for (std::vector<SwitchId>& list : near) std::ranges::sort(list);
  return connect_ascending(std::move(builder), near, where);
}

}  // namespace selvedge
