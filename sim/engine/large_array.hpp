// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Arrays much larger than the processor's caches, with random access. They are on huge pages, where
// the system has them: a random access then costs one miss (cache) instead of two (TLB and cache).
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace selvedge::sim {

template <class T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <class U>
  explicit HugePages(const HugePages<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = whole_pages(count * sizeof(T));
    void* const memory = ::operator new(bytes, alignment(bytes));
    // Only advice: without huge pages the array is merely slower.
    if (bytes >= kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    ::operator delete(memory, alignment(whole_pages(count * sizeof(T))));
  }
  friend bool operator==(const HugePages&, const HugePages&) { return true; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{1} << 21, kLine = 64;
  /// From a quarter of a huge page on, sizes are rounded up to whole huge pages, so that no part of
  /// the array is on small pages.
  static std::size_t whole_pages(std::size_t bytes) {
    return bytes < kHugePage / 4 ? bytes : (bytes + kHugePage - 1) / kHugePage * kHugePage;
  }
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= kHugePage ? kHugePage : kLine};
  }
};

/// A vector whose memory begins at a cache line. A large one is on huge pages, if the system has
/// them.
template <class T>
using LargeArray = std::vector<T, HugePages<T>>;

}  // namespace selvedge::sim
