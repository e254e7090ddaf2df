// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A pool that stores payloads by reference counts slots as one that stores their bytes does.
#include "daemon/protocol/slot_pool.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "daemon/protocol/limits.hpp"

namespace selvedge::protocol {
namespace {

RC_GTEST_PROP(SlotPool, by_reference_it_counts_what_it_counts_by_bytes, ()) {
  const auto longest = *rc::gen::inRange<std::size_t>(1, 1'500);
  const auto total = *rc::gen::inRange<std::size_t>(0, 20'000);
  const auto policy = *rc::gen::element(MemoryPolicy::kDynamic, MemoryPolicy::kStatic);
  SlotPool bytes(total, longest), references(total, longest, PayloadStorage::kReferences);
  const auto limit = *rc::gen::inRange<std::uint32_t>(0, 80);
  SlotShare of_bytes(bytes, policy, limit), of_references(references, policy, limit);
  RC_ASSERT(of_bytes.granted() == of_references.granted());
  struct Stored {
    std::vector<std::byte> payload;
    SlotChain by_bytes, by_reference;
  };
  std::vector<std::unique_ptr<Stored>> stored;
  for (unsigned n = *rc::gen::inRange(1u, 60u); n > 0; --n) {
    const auto length = *rc::gen::inRange<std::size_t>(0, longest + 1);
    RC_ASSERT(of_bytes.available() == of_references.available());
    RC_ASSERT(bytes.used() == references.used());
    if (!stored.empty() && *rc::gen::inRange(0, 3) == 0) {
      const auto which = *rc::gen::inRange<std::size_t>(0, stored.size());
      std::swap(stored[which], stored.back());
      const Stored& last = *stored.back();
      const auto copy = of_bytes.read(last.by_bytes, last.payload.size());
      const auto there = of_references.read(last.by_reference, last.payload.size());
      RC_ASSERT(std::ranges::equal(copy, last.payload));
      RC_ASSERT(there.data() == last.payload.data());
      RC_ASSERT(there.size() == last.payload.size());
      of_bytes.give(last.by_bytes, last.payload.size());
      of_references.give(last.by_reference, last.payload.size());
      stored.pop_back();
    } else if (of_bytes.available() >= slots_of(length)) {
      auto& one = *stored.emplace_back(std::make_unique<Stored>());
      one.payload.resize(length);
      for (auto& b : one.payload) b = static_cast<std::byte>(n);
      one.by_bytes = of_bytes.store(one.payload);
      one.by_reference = of_references.store(one.payload);
    }
  }
  for (const auto& one : stored) {
    of_bytes.give(one->by_bytes, one->payload.size());
    of_references.give(one->by_reference, one->payload.size());
  }
}

}  // namespace
}  // namespace selvedge::protocol
