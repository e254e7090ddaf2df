// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// This file defines how received bytes leave the ring, for the calls that receive.
#pragma once

#include <algorithm>

#include "daemon/client/connection.hpp"

namespace selvedge::client {
using Bytes = std::span<const std::byte>;
}  // namespace selvedge::client

template <class Put>
ssize_t selvedge_connection::pass(std::size_t size, std::uint64_t end, bool* ended, Put&& put) {
  namespace ring = selvedge::ring;
  std::size_t passed = 0;
  ring::Record record;
  // Empty records at a message's end belong to the message, so they go with it.
  while (rx_next_ != end && (passed < size || ended != nullptr)) {
    corrupt_ |= ring::read_record(segment_.rx(), segment_.rx_bytes(), rx_next_, end, record) !=
                    ring::ReadResult::kRecord ||
                (rx_offset_ == 0 && !begin_record(record, message_, rx_offset_)) ||
                rx_offset_ > record.bytes.size();
    if (corrupt_) return SELVEDGE_E_PROTOCOL;
    const std::size_t n = std::min(record.bytes.size() - rx_offset_, size - passed);
    if (n != 0) put(passed, record.bytes.subspan(rx_offset_, n));
    passed += n;
    rx_offset_ += n;
    message_.passed += n;
    if (rx_offset_ != record.bytes.size()) break;
    rx_next_ = record.end;
    rx_offset_ = 0;
    if ((record.flags & ring::kLast) == 0) continue;
    message_ = {};
    if (ended == nullptr) continue;
    *ended = true;
    break;
  }
  return static_cast<ssize_t>(passed);
}
