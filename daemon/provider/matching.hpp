// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which posted receive takes which message. An endpoint has one Matching for tagged messages and
// one for the others, where all tags are 0. Receives are tried in the order in which they were
// posted, messages in the order in which they began to arrive.
#pragma once

#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>

#include "daemon/provider/message.hpp"
#include "daemon/provider/unexpected.hpp"

namespace selvedge::provider {

class Channel;
struct Peer;
struct Send;

inline constexpr std::size_t kVectorMax = 8;  ///< iov_limit

/// An application's buffer, in one part or several.
struct Buffer {
  std::array<iovec, kVectorMax> parts{};
  std::size_t count = 0;
  std::size_t bytes = 0;

  Buffer() = default;
  Buffer(const iovec* iov, std::size_t n);
  void* begin() const { return count == 0 ? nullptr : parts[0].iov_base; }
  /// scatter() copies into the buffer, gather() out of it, from byte `offset` on. What lies beyond
  /// the buffer's end is left out.
  void scatter(std::size_t offset, std::span<const std::byte> from) const;
  void gather(std::size_t offset, std::span<std::byte> to) const;

 private:
  template <class Copy>
  void each(std::size_t offset, std::size_t length, Copy&& copy) const;
};

/// A receive that an application has posted.
struct Receive {
  Buffer buffer;
  const Peer* source = nullptr;  ///< takes only messages from there; null: from anybody
  std::uint64_t tag = 0, ignore = 0;
  void* context = nullptr;
  bool completion = true;  ///< report success too

  bool takes(const Header& header, const Peer* from) const {
    return (source == nullptr || source == from) && ((tag ^ header.tag) & ~ignore) == 0;
  }
};

/// A message that is arriving, has arrived and waits for its receive, or has been offered.
struct Arrival {
  Arrival() = default;
  ~Arrival();
  Header header;
  Peer* from = nullptr;
  std::optional<Receive> receive;
  std::unique_ptr<std::byte[]> stored;  ///< the payload, if no receive had been posted in time
  Held held;                            ///< the memory of `stored`
  /// Of an offer: where it came from, and its number there. The channel outlives the offer.
  Channel* channel = nullptr;
  std::uint64_t number = 0;
  std::unique_ptr<Send> own;  ///< of an offer of the endpoint to itself
  std::size_t arrived = 0;    ///< bytes of the payload
  bool complete = false;
};
using ArrivalPtr = std::shared_ptr<Arrival>;

class Matching {
 public:
  /// Takes out the first posted receive that takes this message; nothing if there is none.
  std::optional<Receive> take_receive(const Header& header, const Peer* from);
  /// The first waiting message that `receive` takes, or null. It goes on waiting.
  ArrivalPtr find(const Receive& receive) const;

  void post(Receive receive) { posted_.push_back(std::move(receive)); }
  void wait(ArrivalPtr arrival) { waiting_.push_back(std::move(arrival)); }
  void remove(const ArrivalPtr& arrival);
  /// Takes out the first posted receive with this context; nothing if there is none.
  std::optional<Receive> cancel(const void* context);

 private:
  std::deque<Receive> posted_;
  std::deque<ArrivalPtr> waiting_;
};

}  // namespace selvedge::provider
