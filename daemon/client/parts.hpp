// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Parts is an application's buffer, in one part or several (struct iovec).
#pragma once

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>

namespace selvedge::client {

inline constexpr std::size_t kPartsMax = 8;  ///< SELVEDGE_PARTS_MAX

struct Parts {
  std::array<iovec, kPartsMax> parts{};
  std::size_t count = 0;
  std::size_t bytes = 0;

  Parts() = default;
  /// n: at most kPartsMax.
  Parts(const iovec* iov, std::size_t n) : count(n) {
    std::copy_n(iov, n, parts.begin());
    for (std::size_t i = 0; i < n; ++i) bytes += parts[i].iov_len;
  }
  Parts(void* begin, std::size_t length) : count(1), bytes(length) { parts[0] = {begin, length}; }

  void* begin() const { return count == 0 ? nullptr : parts[0].iov_base; }
  /// scatter() copies into the buffer, gather() out of it, from byte `offset` on. What lies beyond
  /// the buffer's end is left out.
  void scatter(std::size_t offset, std::span<const std::byte> from) const {
    each(offset, from.size(), [&](std::byte* part, std::size_t done, std::size_t n) {
      std::memcpy(part, from.data() + done, n);
    });
  }
  void gather(std::size_t offset, std::span<std::byte> to) const {
    each(offset, to.size(), [&](const std::byte* part, std::size_t done, std::size_t n) {
      std::memcpy(to.data() + done, part, n);
    });
  }

 private:
  template <class Copy>
  void each(std::size_t offset, std::size_t length, Copy&& copy) const {
    std::size_t done = 0;
    for (std::size_t i = 0; i < count && done < length; ++i) {
      if (offset >= parts[i].iov_len) {
        offset -= parts[i].iov_len;
        continue;
      }
      const std::size_t n = std::min(parts[i].iov_len - offset, length - done);
      copy(static_cast<std::byte*>(parts[i].iov_base) + offset, done, n);
      done += n;
      offset = 0;
    }
  }
};

}  // namespace selvedge::client
