// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/sender.hpp"

namespace selvedge::protocol {

Sender::Waiting Sender::waiting() const {
  const Entry& e = ring_[una_];
  Waiting w{.sequence = una_,
            .since_ns = waiting_since_,
            .tries = e.tries,
            .window_full = space() == 0,
            .zero_window = first_unsent_ != next_ && !before(first_unsent_, window_end_),
            .no_grant = first_unsent_ != next_ && !granted(0),
            .free_slots = free_slots_};
  switch (e.state) {
    case State::kWaiting:
      w.what = Waiting::For::kTransmission;
      break;
    case State::kInFlight:
      w.what = Waiting::For::kAcknowledgement;
      break;
    case State::kStored:
      w.what = Waiting::For::kEarlierPacket;
      break;
    case State::kRejected:
      w.what = Waiting::For::kInjection;
      break;
    case State::kLost:
      w.what = Waiting::For::kRetransmission;
      break;
  }
  return w;
}

}  // namespace selvedge::protocol
