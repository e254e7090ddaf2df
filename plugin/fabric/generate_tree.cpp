// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Trees. All are made as extended generalised fat trees: a k-ary n-tree is XGFT(n; k,…,k; 1,k,…,k),
// and a folded Clos network of r leaves and m spines is XGFT(2; n,r; 1,m).
//
// A node of level l has digits x_h…x_1, where x_i < w_i for i ≤ l and x_i < m_i for i > l. It is
// cabled to the nodes of level l+1 that agree with it in all digits but x_(l+1). The index of a
// node is its digits read as a mixed-radix number, with x_h the most significant.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/fabric/generator_parts.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

using generator::saturating_product;

struct Shape {
  std::vector<unsigned> m, w;       // [i]: m_(i+1) and w_(i+1) of the paper
  std::vector<std::uint64_t> size;  // [l]: number of nodes in the paper's level l; level 0: hosts
};

Shape check(const std::vector<unsigned>& m, const std::vector<unsigned>& w,
            const std::string& where) {
  Shape shape{m, w, {}};
  const std::size_t h = m.size();
  std::uint64_t switches = 0;
  for (std::size_t l = 0; l <= h; ++l) {
    std::uint64_t size = 1;
    for (std::size_t i = 0; i < h; ++i) size = saturating_product(size, i < l ? w[i] : m[i]);
    shape.size.push_back(size);
    if (l == 0) continue;
    switches = std::max(size, switches + std::min<std::uint64_t>(size, UINT64_MAX - switches));
    generator::check_ports(std::uint64_t{m[l - 1]} + (l < h ? w[l] : 0), where);
  }
  generator::check_lids(switches, saturating_product(shape.size[0], w[0]), where);
  return shape;
}

Fabric build(const Shape& shape, const std::string& where) {
  const std::size_t h = shape.m.size();
  FabricBuilder builder;
  std::vector<SwitchId> first(h + 1, 0);  // [l]: id of the first switch in the paper's level l
  SwitchId next = 0;
  for (std::size_t l = 1; l <= h; ++l) {
    first[l] = next;
    const unsigned ports = shape.m[l - 1] + (l < h ? shape.w[l] : 0);
    for (std::uint64_t index = 0; index < shape.size[l]; ++index)
      generator::add_switch(builder, next++, fmt::format("S-{}-{}", l - 1, index), ports);
  }

  // From level l to l+1, digit x_(l+1) changes from the child's number (radix m) to the parent's
  // number (radix w). The digits below it (`low`) and above it (`high`) remain the same.
  for (std::size_t l = 0; l < h; ++l) {
    std::uint64_t low_size = 1;
    for (std::size_t i = 0; i < l; ++i) low_size *= shape.w[i];
    for (std::uint64_t index = 0; index < shape.size[l]; ++index) {
      const std::uint64_t low = index % low_size;
      const std::uint64_t child = index / low_size % shape.m[l];
      const std::uint64_t high = index / low_size / shape.m[l];
      for (unsigned parent = 0; parent < shape.w[l]; ++parent) {
        const auto upper =
            static_cast<SwitchId>(first[l + 1] + (high * shape.w[l] + parent) * low_size + low);
        if (l > 0) {
          builder.connect(static_cast<SwitchId>(first[l] + index),
                          static_cast<PortNum>(shape.m[l - 1] + 1 + parent), upper,
                          static_cast<PortNum>(child + 1));
          continue;
        }
        Host host;
        host.node_guid = generator::kFirstHostGuid + index * (Guid{shape.w[0]} + 1);
        host.guid = host.node_guid + 1 + parent;
        host.name = fmt::format("H-{}-{}", first[1] + high * shape.w[0], child);
        host.ca_port = static_cast<PortNum>(parent + 1);
        host.at = upper;
        host.port = static_cast<PortNum>(child + 1);
        builder.add_host(std::move(host));
      }
    }
  }
  return std::move(builder).build(where);
}

}  // namespace

Fabric xgft(const std::vector<unsigned>& m, const std::vector<unsigned>& w) {
  const std::string where = "xgft:m=" + generator::join_sizes(m) + ",w=" + generator::join_sizes(w);
  if (m.empty() || m.size() != w.size())
    throw InputError("m and w need one number for each level", where,
                     "write as many in m as in w, as in xgft:m=4x4,w=1x4");
  const auto zero = [](unsigned value) { return value == 0; };
  if (std::ranges::any_of(m, zero) || std::ranges::any_of(w, zero))
    throw InputError("m and w must be 1 or more", where, "choose larger numbers");
  if (w[0] > kMaxSwitchPorts)
    throw InputError("a host would need " + std::to_string(w[0]) + " ports", where,
                     "choose 1 for the first number of w");
  return build(check(m, w, where), where);
}

Fabric k_ary_n_tree(unsigned k, unsigned n) {
  const std::string where = fmt::format("tree:k={},n={}", k, n);
  if (k < 2 || n < 1)
    throw InputError("a k-ary n-tree needs k of 2 or more and n of 1 or more", where,
                     "choose larger numbers, as in tree:k=4,n=3");
  if (n > 16)  // even 2^17 hosts are more than there are LIDs
    generator::check_lids(UINT64_MAX, UINT64_MAX, where);
  std::vector<unsigned> w(n, k);
  w[0] = 1;
  const std::vector<unsigned> m(n, k);
  return build(check(m, w, where), where);
}

Fabric clos(unsigned n, unsigned r, unsigned m) {
  const std::string where = fmt::format("clos:n={},r={},m={}", n, r, m);
  if (n < 1 || r < 1 || m < 1)
    throw InputError("n, r and m must be 1 or more", where, "choose larger numbers");
  const std::vector<unsigned> children{n, r};
  const std::vector<unsigned> parents{1, m};
  return build(check(children, parents, where), where);
}

}  // namespace selvedge
