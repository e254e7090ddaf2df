// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "base/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace selvedge {

unsigned edit_distance(std::string_view a, std::string_view b) {
  // [j]: distance of a's first i characters from b's first j
  std::vector<unsigned> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (std::size_t i = 0; i < a.size(); ++i) {
    unsigned diagonal = std::exchange(row[0], static_cast<unsigned>(i + 1));
    for (std::size_t j = 0; j < b.size(); ++j) {
      const unsigned change = diagonal + (a[i] != b[j] ? 1 : 0);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string_view nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kLongest = 64;  // longer words are skipped, as the cost is quadratic
  if (word.size() > kLongest) return {};
  std::string_view best;
  unsigned best_distance = std::max(2u, static_cast<unsigned>(word.size() / 3)) + 1;
  for (const std::string& candidate : candidates) {
    const unsigned distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace selvedge
