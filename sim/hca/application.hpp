// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The application at a host, as a protocol sees it: its next message, of which a part may be under
// way.
#pragma once

#include "sim/model/traffic.hpp"

namespace selvedge::sim {

struct Application {
  Message pending;              // the next message
  std::uint32_t segmented = 0;  // its bytes that the protocol has taken
  bool poll_again = false;      // an earlier message than `pending` may be there

  /// The application has no message, and was asked since it was last woken.
  bool nothing_to_send() const { return pending.at == kNever && !poll_again; }

  /// Asks again, if the application was woken and nothing of `pending` is due or taken. Returns
  /// whether it did.
  bool refresh(Traffic& above, HostId at, Tick now) {
    if (!poll_again || segmented != 0) return false;
    poll_again = false;
    if (pending.at <= now) return false;
    if (pending.at != kNever) above.put_back(at);
    pending = above.next(at);
    return true;
  }
};

}  // namespace selvedge::sim
