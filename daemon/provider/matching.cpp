// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/provider/matching.hpp"

#include <algorithm>

#include "daemon/provider/peer.hpp"

namespace selvedge::provider {

Arrival::~Arrival() = default;

Buffer::Buffer(const iovec* iov, std::size_t n) : count(n) {
  std::copy_n(iov, n, parts.begin());
  for (std::size_t i = 0; i < n; ++i) bytes += parts[i].iov_len;
}

template <class Copy>
void Buffer::each(std::size_t offset, std::size_t length, Copy&& copy) const {
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

void Buffer::scatter(std::size_t offset, std::span<const std::byte> from) const {
  each(offset, from.size(), [&](std::byte* part, std::size_t done, std::size_t n) {
    std::memcpy(part, from.data() + done, n);
  });
}

void Buffer::gather(std::size_t offset, std::span<std::byte> to) const {
  each(offset, to.size(), [&](const std::byte* part, std::size_t done, std::size_t n) {
    std::memcpy(to.data() + done, part, n);
  });
}

std::optional<Receive> Matching::take_receive(const Header& header, const Peer* from) {
  const auto found =
      std::ranges::find_if(posted_, [&](const Receive& r) { return r.takes(header, from); });
  if (found == posted_.end()) return {};
  std::optional<Receive> receive(std::move(*found));
  posted_.erase(found);
  return receive;
}

ArrivalPtr Matching::find(const Receive& receive) const {
  const auto found = std::ranges::find_if(
      waiting_, [&](const ArrivalPtr& a) { return receive.takes(a->header, a->from); });
  return found == waiting_.end() ? nullptr : *found;
}

void Matching::remove(const ArrivalPtr& arrival) {
  const auto found = std::ranges::find(waiting_, arrival);
  if (found != waiting_.end()) waiting_.erase(found);
}

std::optional<Receive> Matching::cancel(const void* context) {
  const auto found =
      std::ranges::find_if(posted_, [&](const Receive& r) { return r.context == context; });
  if (found == posted_.end()) return {};
  std::optional<Receive> receive(std::move(*found));
  posted_.erase(found);
  return receive;
}

}  // namespace selvedge::provider
