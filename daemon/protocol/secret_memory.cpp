// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/secret_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <mutex>
#include <new>

namespace selvedge::protocol {
namespace {

/// A block's size is a power of two, from 64 bytes; before it stands its class.
constexpr std::size_t kClassMin = 6, kClasses = 20;
constexpr std::size_t kHeadBytes = 16;
/// The system is asked for so much at a time.
constexpr std::size_t kStepBytes = std::size_t{64} << 10;
static_assert(alignof(std::max_align_t) <= kHeadBytes);

struct Head {
  std::size_t size_class;
  std::byte* next_free;
};
static_assert(sizeof(Head) <= kHeadBytes);

class Arena {
 public:
  Arena() {
    void* all = mmap(nullptr, kSecretBytesMax, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all != MAP_FAILED) begin_ = static_cast<std::byte*>(all);
  }

  std::byte* take(std::size_t bytes) {
    const std::size_t size_class = static_cast<std::size_t>(std::bit_width(
        std::max(bytes, (std::size_t{1} << kClassMin) - kHeadBytes) + kHeadBytes - 1));
    if (begin_ == nullptr || bytes > kSecretBytesMax || size_class >= kClasses) return nullptr;
    const std::scoped_lock lock(mutex_);
    std::byte*& first = free_[size_class];
    std::byte* block = first;
    if (block != nullptr) {
      first = head(block).next_free;
    } else {
      const std::size_t size = std::size_t{1} << size_class;
      if (!grow(used_ + size)) return nullptr;
      block = begin_ + used_;
      used_ += size;
    }
    head(block) = {size_class, nullptr};
    return block + kHeadBytes;
  }

  void give(std::byte* bytes) {
    std::byte* block = bytes - kHeadBytes;
    const std::size_t size_class = head(block).size_class;
    explicit_bzero(bytes, (std::size_t{1} << size_class) - kHeadBytes);
    const std::scoped_lock lock(mutex_);
    head(block).next_free = free_[size_class];
    free_[size_class] = block;
  }

  bool has(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto from = reinterpret_cast<std::uintptr_t>(begin_);
    return begin_ != nullptr && at >= from && at < from + kSecretBytesMax;
  }

  std::size_t size(const void* bytes) const {
    Head h;
    std::memcpy(&h, static_cast<const std::byte*>(bytes) - kHeadBytes, sizeof h);
    return (std::size_t{1} << h.size_class) - kHeadBytes;
  }

  SecretMemory state() {
    const std::scoped_lock lock(mutex_);
    return {.bytes = ready_, .unlocked = unlocked_};
  }

 private:
  static Head& head(std::byte* block) { return *reinterpret_cast<Head*>(block); }

  /// Makes the range usable up to `bytes` from its beginning.
  bool grow(std::size_t bytes) {
    while (ready_ < bytes) {
      if (ready_ + kStepBytes > kSecretBytesMax ||
          mprotect(begin_ + ready_, kStepBytes, PROT_READ | PROT_WRITE) != 0)
        return false;
      madvise(begin_ + ready_, kStepBytes, MADV_DONTDUMP);
      // Sanitizers make mlock() do nothing and succeed; this call they leave as it is.
      if (mlock2(begin_ + ready_, kStepBytes, 0) != 0) unlocked_ += kStepBytes;
      ready_ += kStepBytes;
    }
    return true;
  }

  std::mutex mutex_;
  std::byte* begin_ = nullptr;
  std::size_t used_ = 0, ready_ = 0, unlocked_ = 0;
  std::array<std::byte*, kClasses> free_{};  // lists of free blocks, by class
};

/// It is never destroyed, because other static objects may free keys after it.
Arena& arena() {
  static Arena& only = *new Arena;  // NOLINT: see above
  return only;
}

}  // namespace

void* allocate_secret(std::size_t bytes) noexcept { return arena().take(bytes); }

void free_secret(void* block) noexcept {
  if (block != nullptr) arena().give(static_cast<std::byte*>(block));
}

bool is_secret(const void* address) noexcept { return arena().has(address); }

std::size_t secret_bytes(const void* block) noexcept { return arena().size(block); }

SecretMemory secret_memory() noexcept { return arena().state(); }

void* allocate_secret_or_throw(std::size_t bytes) {
  if (void* block = allocate_secret(bytes)) return block;
  throw std::bad_alloc();
}

}  // namespace selvedge::protocol
