// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Functions that write and read unsigned integers in network byte order, the most significant byte
// first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace selvedge::protocol {

template <class T>
T swapped(T value) {
  if constexpr (std::endian::native == std::endian::big || sizeof(T) == 1) {
    return value;
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bswap16(value);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bswap32(value);
  } else {
    return __builtin_bswap64(value);
  }
}

template <class T>
void put(std::byte* to, T value) {
  value = swapped(value);
  std::memcpy(to, &value, sizeof value);
}

template <class T>
T get(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return swapped(value);
}

}  // namespace selvedge::protocol
