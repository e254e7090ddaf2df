// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A union-find structure, with path halving and union by size.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace selvedge {

class UnionFind {
 public:
  explicit UnionFind(std::uint32_t size) : parent_(size), size_(size, 1) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  std::uint32_t root(std::uint32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }

  void unite(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    if (size_[a] < size_[b]) std::swap(a, b);
    parent_[b] = a;
    size_[a] += size_[b];
  }

 private:
  std::vector<std::uint32_t> parent_, size_;
};

}  // namespace selvedge
