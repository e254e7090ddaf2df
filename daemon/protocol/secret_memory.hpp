// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Memory for keys. It is locked (never written to swap space), left out of core dumps, and wiped
// when it is freed. Where the system refuses to lock it, usually because RLIMIT_MEMLOCK is too
// small, it serves all the same, and secret_memory() says so.
//
// The blocks lie in one range of addresses, so that a block is told from other memory by its
// address. The range is reserved as a whole and used from its beginning, as far as needed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace selvedge::protocol {

/// Enough for the keys of kChannelsMax channels in each direction, and of some more.

inline constexpr std::size_t kSecretBytesMax = std::size_t{64} << 20;

/// Returns null if there is no memory. The block is aligned as by malloc().
void* allocate_secret(std::size_t bytes) noexcept;
/// Wipes the block and frees it; it may be null.
void free_secret(void* block) noexcept;
/// Whether the address lies in a block of allocate_secret().
bool is_secret(const void* address) noexcept;
/// How many bytes the block was allocated with, or a few more.
std::size_t secret_bytes(const void* block) noexcept;

struct SecretMemory {
  std::size_t bytes = 0;     ///< taken from the system so far
  std::size_t unlocked = 0;  ///< of those, not locked
};
SecretMemory secret_memory() noexcept;

/// Throws std::bad_alloc.
[[nodiscard]] void* allocate_secret_or_throw(std::size_t bytes);

/// For containers of keys.
template <class T>
struct SecretAllocator {
  using value_type = T;
  SecretAllocator() = default;
  template <class U>
  SecretAllocator(const SecretAllocator<U>&) noexcept {}  // NOLINT: allocators convert
  T* allocate(std::size_t n) { return static_cast<T*>(allocate_secret_or_throw(n * sizeof(T))); }
  void deallocate(T* p, std::size_t) noexcept { free_secret(p); }
  friend bool operator==(SecretAllocator, SecretAllocator) { return true; }
};

}  // namespace selvedge::protocol
