// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Fabrics, models and counts for the tests of traffic.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "plugin/fabric/generators.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim::test {

/// A line of n switches with a host each: hosts are numbered as switches are.
inline Fabric line(unsigned n) { return mesh({n}); }

/// A byte takes 4 ticks of a nanosecond; packets of 256 bytes of payload, 26 of header.
inline Model small_model() {
  Model model;
  model.to_hosts = model.between_switches = {.byte_time = 4, .propagation = 100};
  model.mtu_bytes = 256;
  model.header_bytes = 26;
  return model;
}

/// The destinations of a host's next messages.
inline std::vector<HostId> destinations(Traffic& traffic, HostId from, std::size_t count) {
  std::vector<HostId> to;
  for (std::size_t i = 0; i < count; ++i) {
    const Message m = traffic.next(from);
    if (m.at == kNever) break;
    to.push_back(m.to);
  }
  return to;
}

/// Expects Pearson's statistic of the counts against the shares to be at most its mean plus five
/// standard deviations. An index with a share of 0 must have no count.
inline void expect_shares(const std::vector<std::size_t>& counts,
                          const std::vector<double>& shares) {
  ASSERT_EQ(counts.size(), shares.size());
  double total = 0, statistic = 0, classes = 0;
  for (const std::size_t n : counts) total += static_cast<double>(n);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (shares[i] == 0) {
      EXPECT_EQ(counts[i], 0u) << "index " << i;
      continue;
    }
    const double expected = total * shares[i];
    ASSERT_GE(expected, 5) << "too few draws to tell";
    const double off = static_cast<double>(counts[i]) - expected;
    statistic += off * off / expected;
    classes += 1;
  }
  if (classes < 2) return;
  EXPECT_LE(statistic, classes - 1 + 5 * std::sqrt(2 * (classes - 1)));
}

inline std::vector<std::size_t> histogram_of(const std::vector<HostId>& to, std::size_t hosts) {
  std::vector<std::size_t> counts(hosts);
  for (const HostId h : to) ++counts[h];
  return counts;
}

}  // namespace selvedge::sim::test
