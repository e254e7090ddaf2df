// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What searches over combinations of faults have in common: threads, and combinations drawn by
// number.
#pragma once

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "plugin/fabric/stable_random.hpp"
#include "plugin/verify/survival_pairs.hpp"

namespace selvedge::survival {

/// Runs work(thread number) in that many threads; what one of them throws is thrown here.
template <class Work>
void run_threads(unsigned threads, Work work) {
  std::exception_ptr thrown;
  std::mutex mutex;
  const auto guarded = [&](unsigned i) {
    try {
      work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(guarded, i);
    guarded(0);
  }
  if (thrown) std::rethrow_exception(thrown);
}

/// K elements, each set of them as likely as any other (Floyd: Bentley 1987), ascending.
inline void draw(StableRandom random, Element elements, unsigned faults,
                 std::vector<Element>& drawn) {
  drawn.clear();
  for (Element top = elements - faults; top < elements; ++top) {
    const auto e = static_cast<Element>(random.below(std::uint64_t{top} + 1));
    const auto at = std::ranges::lower_bound(drawn, e);
    if (at != drawn.end() && *at == e)
      drawn.push_back(top);  // above all so far
    else
      drawn.insert(at, e);
  }
}

/// The draws of each number have a stream of their own.
inline StableRandom stream(std::uint64_t seed, std::uint64_t number) {
  return StableRandom(StableRandom(seed).next() + StableRandom(~number).next());
}

}  // namespace selvedge::survival
