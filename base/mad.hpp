// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Management datagrams (MADs) as bytes, and the query of a PathRecord by which the subnet
// administration (SA) is asked for the path between two LIDs (IBA 1.3 §13.4, §15.2.5.16).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace selvedge::mad {

inline constexpr std::size_t kBytes = 256;
using Mad = std::array<std::uint8_t, kBytes>;

inline constexpr std::uint8_t kGet = 0x01, kGetResponse = 0x81;
inline constexpr int kSaClass = 0x03, kSaVersion = 2;
inline constexpr int kQp1 = 1;
inline constexpr std::uint32_t kQp1Key = 0x80010000;
inline constexpr std::uint16_t kPathRecord = 0x0035;
inline constexpr std::uint32_t kNoRecords = 0x0300;  // ERR_NO_RECORDS, IBA 1.3 table 185

// Byte offsets: common to all MADs, then of the SA's with a PathRecord. The tag is the lower half
// of the transaction id, since the kernel uses the upper half.
inline constexpr std::size_t kStatusAt = 4, kTagAt = 12, kAttributeAt = 16, kModifierAt = 20;
inline constexpr std::size_t kMaskAt = 48, kRecordAt = 56, kRecordBytes = 64,
                             kDlidAt = kRecordAt + 40, kSlidAt = kRecordAt + 42,
                             kNumbPathAt = kRecordAt + 49, kSlAt = kRecordAt + 53,
                             kMtuAt = kRecordAt + 54, kRateAt = kRecordAt + 55;
inline constexpr std::uint64_t kMaskDlid = 1u << 4, kMaskSlid = 1u << 5, kMaskNumbPath = 1u << 12;

/// Writes a number, most significant byte first.
template <class Number>
void put(Mad& mad, std::size_t at, Number value) {
  for (std::size_t i = 0; i < sizeof value; ++i)
    mad[at + i] = static_cast<std::uint8_t>(std::uint64_t{value} >> 8 * (sizeof value - 1 - i));
}

/// Reads a number of at most four bytes.
inline std::uint32_t get(const Mad& mad, std::size_t at, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | mad[at + i];
  return value;
}

/// A request without data.
inline Mad request(int mad_class, int version, std::uint16_t attribute, std::uint32_t modifier,
                   std::uint32_t tag) {
  Mad mad{};
  mad[0] = 1;  // base version
  mad[1] = static_cast<std::uint8_t>(mad_class);
  mad[2] = static_cast<std::uint8_t>(version);
  mad[3] = kGet;
  put(mad, kTagAt, tag);
  put(mad, kAttributeAt, attribute);
  put(mad, kModifierAt, modifier);
  return mad;
}

/// Asks the SA for one path.
inline Mad path_query(std::uint16_t slid, std::uint16_t dlid, std::uint32_t tag) {
  Mad mad = request(kSaClass, kSaVersion, kPathRecord, 0, tag);
  put(mad, kMaskAt, kMaskDlid | kMaskSlid | kMaskNumbPath);
  put(mad, kDlidAt, dlid);
  put(mad, kSlidAt, slid);
  mad[kNumbPathAt] = 1;
  return mad;
}

}  // namespace selvedge::mad
