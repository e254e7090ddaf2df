// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What an endpoint knows of another one, and what it has to send there.
//
//     send ---> queue -----------> ring of the channel --> acknowledged by the --> processed by
//                 \    \               |                   peer's daemon           the peer
//               (a copy, if \      FI_INJECT_             FI_TRANSMIT_            FI_DELIVERY_
//                FI_INJECT)  \     COMPLETE               COMPLETE                COMPLETE
//                             \        |
//                              offered, fetched: no credit (unexpected.hpp)
#pragma once

#include <deque>
#include <vector>

#include "daemon/provider/channel.hpp"
#include "daemon/provider/completion_queue.hpp"

namespace selvedge::provider {

/// A message to be sent, or (of no interest to the application) a payload that was fetched, an
/// answer, a fetch, a credit.
struct Send {
  Header header;
  Buffer buffer;
  std::vector<std::byte> copy;  ///< owns the bytes if the application wants its buffer back
  Completion completion;
  bool inject = false;      ///< the application has its buffer back
  bool reported = true;     ///< success is reported too
  std::uint64_t level = 0;  ///< FI_INJECT_COMPLETE, FI_TRANSMIT_COMPLETE, FI_DELIVERY_COMPLETE
  bool begun = false;       ///< the header has been written
  std::size_t written = 0;  ///< bytes of the payload

  bool offered() const { return (header.flags & kOffered) != 0; }
};

struct Peer {
  explicit Peer(const Address& its_address) : address(its_address) {}

  Address address;
  Channel* channel = nullptr;  ///< for sends; messages are received over any channel of the peer
  bool connecting = false;
  std::uint32_t request = 0;  ///< of selvedge_connect_start
  bool busy = false;          ///< is in the endpoint's list of those with something to do
  std::deque<Send> queue;     ///< not in the ring yet, or not whole

  struct Unacknowledged {
    std::uint64_t position;  ///< see selvedge_position
    Send send;
  };
  std::deque<Unacknowledged> unacknowledged;
  std::deque<Send> unprocessed;  ///< in the order in which the peer answers
  std::size_t copies = 0;        ///< of injected messages that were offered and not fetched yet

  bool idle() const { return queue.empty() && unacknowledged.empty() && !connecting; }
};

}  // namespace selvedge::provider
