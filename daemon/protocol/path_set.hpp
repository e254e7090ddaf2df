// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths of one connection as its sender sees them: what is on the way on each, its round-trip
// time, whether it works, and which one the next burst takes. A path is a number; what it stands
// for (a UDP port, a DLID with its SL) the transport knows.
//
// Loss is told by time and per path, apart from rejection: packets on one path are mostly delivered
// in order, so one is lost when another that was sent later on the same path has arrived and a
// round trip has passed, with some grace (the idea of RACK, RFC 8985 §6, a path at a time), or when
// nothing at all comes back (time-out), not even the answer to one of several questions, each asked
// after twice the time of the one before. Time-outs in a row make a path dead: it is left, and
// tried again by keep-alives at growing intervals.
//
// A queue that grows must not be fed with resends of what stands in it. So of a burst, all sent at
// one time, only those before the one that has arrived are overtaken; and what arrives sooner than
// half a round trip (a mean, hence the half) after it was sent again is an earlier copy, which
// tells nothing of its successor's path and time (RFC 8985 §6.2 step 2): each would make all lost
// that was sent before that one. Where that does not suffice (a queue so long that everything was
// sent again before it arrived, so that no round trip can be measured any more), the receiver's
// count of what came twice tells: when most of what comes is in vain, all waiting doubles once a
// round trip, up to kTimeoutNsMax, until hardly anything is. Then a sender that waits has no more
// than in_flight_packets a second on the way, the queue empties, and what is sent next is measured.
#pragma once

#include <array>
#include <cstdint>

#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/sequence.hpp"

namespace selvedge::protocol {

enum class PathChoice : std::uint8_t { kRoundRobin, kLeastOutstanding, kTwoChoices };

struct PathSetConfig {
  unsigned paths = kPathsDefault;  ///< 1 to kPathsMax
  PathChoice choice = PathChoice::kRoundRobin;
  std::uint64_t seed = 1;  ///< of kTwoChoices
};

class PathSet {
 public:
  struct Path {                     // a cache line: each connection has some
    TimeNs rtt_ns = kRttNsInitial;  ///< smoothed, as RFC 6298
    TimeNs rtt_variation_ns = kRttNsInitial / 2;
    /// The packet sent last of those known to have arrived: when, and within its burst which.
    TimeNs newest_delivered_ns = 0;
    TimeNs progress_ns = 0;  ///< last delivery, or when it was last empty
    TimeNs asked_ns = 0;     ///< when the first question went out since something came back
    TimeNs retry_ns = 0;     ///< when a dead one is tried
    Sequence newest_delivered = 0;
    std::uint32_t retry_wait_ns = kPathRetryNsMin;
    std::uint32_t outstanding = 0;
    std::uint8_t timeouts = 0;   ///< in a row
    std::uint8_t questions = 0;  ///< since something came back last, or since the last time-out
    bool asked : 1 = false;      ///< since something came back last
    bool alive : 1 = true;
    bool measured : 1 = false;
  };
  static_assert(sizeof(Path) == 64 && kPathRetryNsMax <= UINT32_MAX);

  explicit PathSet(const PathSetConfig& config);

  unsigned size() const { return size_; }
  const Path& operator[](unsigned path) const { return paths_[path]; }
  unsigned alive() const;

  /// The path of the next burst. A dead one only if there is no other.
  std::uint8_t choose();

  void on_sent(unsigned path, TimeNs now) {
    Path& p = paths_[path];
    if (p.outstanding++ == 0) p.progress_ns = now;
  }
  /// A packet left the path's account without having been delivered (lost, or rejected).
  void on_gone(unsigned path) { --paths_[path].outstanding; }
  /// A packet arrived. once: it was sent once only, so that it is known which of its copies came.
  void on_delivered(unsigned path, Sequence sn, TimeNs sent_ns, TimeNs now, bool once);
  /// Whether a packet that was sent after it over the same path has arrived.
  bool overtaken(unsigned path, Sequence sn, TimeNs sent_ns) const {
    const Path& p = paths_[path];
    return sent_ns < p.newest_delivered_ns ||
           (sent_ns == p.newest_delivered_ns && before(sn, p.newest_delivered));
  }

  /// How much longer than now - sent_ns a packet that others overtook is waited for.
  TimeNs overtaken_after_ns(unsigned path) const;
  /// When nothing comes back at all; doubles with each time-out in a row.
  TimeNs timeout_ns(unsigned path) const;
  TimeNs deadline_ns(unsigned path) const {
    const Path& p = paths_[path];
    if (p.outstanding == 0) return kNever;
    return p.progress_ns + std::min(timeout_ns(path), ask_after_ns(path) << p.questions);
  }
  /// The deadline has passed: what is to be done.
  enum class Timeout : std::uint8_t { kAsk, kLost, kDied };
  Timeout on_timeout(unsigned path, TimeNs now);

  /// When a dead path is due for a keep-alive.
  TimeNs retry_ns(unsigned path) const {
    return paths_[path].alive ? kNever : paths_[path].retry_ns;
  }
  /// A dead path that is due for a keep-alive, or -1; its next turn is then set.
  int take_due_retry(TimeNs now);
  /// A question goes out over it, and comes back answered: as much is known of what was sent
  /// before the question as if a packet had been sent then and had arrived. first: no packet on the
  /// way has a lower number.
  void on_asked(unsigned path, TimeNs now) {
    // Which of several is answered cannot be told.
    if (!paths_[path].asked) paths_[path].asked_ns = now;
    paths_[path].asked = true;
  }
  void on_answered(unsigned path, Sequence first, TimeNs now);

  /// A report: so many packets more than at the last one had been sent again in vain. A few get
  /// those that are overtaken more grace; when they outnumber what arrives, all waiting is longer.
  void on_needless(std::uint32_t packets, TimeNs now);

 private:
  friend struct Inspect;

  TimeNs ask_after_ns(unsigned path) const;
  void weigh(TimeNs now);
  void works(Path& p, TimeNs now);
  bool usable(unsigned path, bool any) const { return any || paths_[path].alive; }
  std::uint64_t random();

  std::array<Path, kPathsMax> paths_{};
  unsigned size_;
  PathChoice choice_;
  unsigned next_ = 0;
  unsigned grace_doublings_ = 0;
  TimeNs grace_changed_ns_ = 0;
  unsigned patience_doublings_ = 0;  // of all waiting
  TimeNs weighed_ns_ = 0;
  std::uint32_t needless_ = 0, arrived_ = 0;  // since then
  std::uint64_t random_;
};

}  // namespace selvedge::protocol
