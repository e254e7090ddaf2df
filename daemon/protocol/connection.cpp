// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/connection.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace selvedge::protocol {
namespace {

constexpr std::uint16_t path_bit(int path) { return static_cast<std::uint16_t>(1u << path); }
void clear_lowest(std::uint16_t& bits) { bits = static_cast<std::uint16_t>(bits & (bits - 1)); }

}  // namespace

Connection::Connection(SlotPool& pool, Setup setup, TimeNs now)
    : token_(setup.own.token),
      id_(setup.id),
      features_(setup.own.features),
      pool_(pool),
      opening_(std::make_unique<Opening>(Opening{.own = setup.own,
                                                 .window_packets = setup.window_packets,
                                                 .memory_slots = setup.memory_slots,
                                                 .policy = setup.policy,
                                                 .began_ns = now,
                                                 .asked_ns = now})),
      open_due_(true),
      payload_bytes_(setup.own.payload_bytes),
      last_received_ns_(now),
      keepalive_sent_ns_(now),
      retry_ns_(now + kOpenRetryNs),
      sender_(setup.sender, setup.own.first, setup.times),
      name_(std::move(setup.name)),
      peer_address_(setup.peer) {}

Connection::Connection(SlotPool& pool, Setup setup, const Handshake& peer, TimeNs now)
    : Connection(pool, std::move(setup), now) {
  open_due_ = false;
  accepted_ = accept_due_ = true;
  on_accept(now, peer);
  // The accepting side is announced by Event::What::kAccepted, not by Notification::kConnected.
  notifications_ = 0;
}

void Connection::close() {
  closing_ = true;
  if (state_ == State::kOpening) end(Error::kNone);
}

void Connection::reset(Error why, Error to_peer) {
  if (state_ == State::kClosed) return;
  // While the connection is being opened, the peer's token is unknown, so no reset can be sent.
  reset_due_ = state_ == State::kOpen;
  reset_code_ = to_peer;
  end(why);
}

void Connection::end(Error why) {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  error_ = why;
  notifications_ |= static_cast<std::uint8_t>(Notification::kClosed);
}

void Connection::close_if_done() {
  if (close_acknowledged_ && peer_closed_) end(Error::kNone);
}

void Connection::on_challenge(TimeNs now, std::uint64_t cookie, std::uint8_t path,
                              std::uint8_t asked) {
  if (state_ != State::kOpening || accepted_) return;
  const unsigned paths = sender_.paths().size();
  Opening& o = *opening_;
  if (o.own.cookie == 0) o.asked_ns = now;
  o.own.cookie = cookie;
  last_received_path_ = path;
  // The same two paths, which have just worked.
  o.challenged_path = o.path = static_cast<std::uint8_t>(asked % paths);
  o.challenged_shift = o.shift = static_cast<std::uint8_t>((path % paths + paths - o.path) % paths);
  open_due_ = true;
  o.again = false;
  retry_ns_ = now + kOpenRetryNs;
}

void Connection::retry_open() {
  // At first kOpen takes each path in turn, and the answer comes back over the same path. If no
  // path works in both directions, then the answers are shifted: each try goes over two paths, and
  // after half as many tries as there are paths the shift grows. So all pairs of paths are tried in
  // time, with 16 paths within 3 s. If shifted paths brought a challenge, every other try repeats
  // them.
  const unsigned paths = sender_.paths().size(), half = (paths + 1) / 2;
  Opening& o = *opening_;
  open_due_ = true;
  o.again = false;
  ++o.tries;
  if (o.challenged_shift != 0 && o.tries % 2 == 0) {
    o.path = o.challenged_path;
    o.shift = o.challenged_shift;
  } else if (o.tries < paths) {
    o.path = control_path(last_control_path_);
    o.shift = 0;
  } else {
    const unsigned n = o.tries - paths;
    o.path = static_cast<std::uint8_t>(n % half);
    o.shift = static_cast<std::uint8_t>((1 + n / half) % paths);
    o.again = o.path + half < paths;
  }
}

Connection::Control Connection::open(std::byte* to) {
  Opening& o = *opening_;
  if (o.tries == 0 && o.own.cookie == 0) o.path = control_path(last_control_path_);
  const std::uint8_t path = o.path;
  o.own.name = name_;
  Header h = header(Kind::kOpen);
  h.connection = o.own.first;  // chooses the worker there, again and again the same (sharding.hpp)
  h.sequence = o.shift;
  h.ack = features_;
  open_due_ = std::exchange(o.again, false);
  o.path = static_cast<std::uint8_t>(path + (sender_.paths().size() + 1) / 2);
  return put(h, to, encode(o.own, to + kHeaderBytes), path);
}

void Connection::on_accept(TimeNs now, const Handshake& peer) {
  if (state_ != State::kOpening) return;  // a repeated kAccept
  peer_ = {peer.incarnation, peer.token, peer.connection, peer.features, peer.paths};
  payload_bytes_ = std::min(payload_bytes_, peer.payload_bytes);
  receiver_.emplace(pool_, opening_->policy, opening_->memory_slots, opening_->window_packets,
                    peer.first, id_);
  if (!accepted_) end_opening(now);
  if ((features() & kAsksForMore) != 0) {
    sender_.ask_for_more();
    receiver_->let_sender_ask();
  }
  open_due_ = false;
  retry_ns_ = kNever;
  last_received_ns_ = now;
  state_ = State::kOpen;
  if (refused()) return reset(Error::kNoMemory, Error::kNoMemory);
  notifications_ |= static_cast<std::uint8_t>(Notification::kConnected);
}

void Connection::end_opening(TimeNs now) {
  // The peer may have taken its time, so this is an upper bound.
  sender_.expect_round_trip(now - opening_->asked_ns);
  opening_.reset();
}

void Connection::on_reset(Error why, bool reflected) {
  // The peer forgets a connection that both ends have closed. If its kCloseReply was lost, this end
  // repeats kClose, and the peer answers with a reflected reset. All was delivered, so this is no
  // error.
  if (reflected && closing_ && sender_.idle() && peer_closed_) return end(Error::kNone);
  end(why == Error::kNone ? Error::kPeerReset : why);
}

bool Connection::process_header(TimeNs now, const Header& h) {
  // The ACK is checked first: a packet that acknowledges packets never sent is forged, and all of
  // it is dropped.
  if (state_ != State::kOpen || !sender_.on_ack(now, h.ack, h.window)) return false;
  last_received_ns_ = now;
  last_received_path_ = h.path;
  if (opening_) [[unlikely]] {
    end_opening(now);
    accept_due_ = false;
  }
  return true;
}

void Connection::on_report(TimeNs now, const Header& h, const Report& report, const Seen& seen) {
  if (!process_header(now, h)) return;
  sender_.on_delays(now, seen.arrived_ns, report);
  sender_.on_report(now, h.sequence, h.ack, report);
}

void Connection::on_keepalive(TimeNs now, const Header& h) {
  if (!process_header(now, h)) return;
  keepalive_answers_due_ |= path_bit(h.path);
  if (h.sequence == 0) release_memory(now);
  const bool check = h.sequence == kChecksPath;
  // The peer waits for reports, and perhaps they are lost on the way. An idle peer asks too, only
  // to show that it is there.
  const bool waits = h.sequence == kWaitsForReport || receiver_->granting();
  if (check || waits) second_answers_due_ |= path_bit(h.path);
  if (!check && waits) check_path(now, report_path(h.path));
}

/// Called after silence, and for a keep-alive of a peer with nothing on the way.
void Connection::release_memory(TimeNs now) {
  sender_.release_memory(now);
  if (now >= last_data_ns_ + kKeepaliveNs) receiver_->release_memory();
}

void Connection::check_path(TimeNs now, std::uint8_t path) {
  PathSet& paths = sender_.paths();
  // A dead path is probed anyway, and packets in flight show whether theirs works. A single path is
  // used whatever is known of it.
  if (paths.size() == 1 || !paths[path].alive || paths[path].outstanding != 0) return;
  if (paths[path].probing) {
    if (now < paths.probed_ns(path) + paths.timeout_ns(path)) return;
    paths.on_probe_unanswered(path, now);
    if (!paths[path].alive) return;
  }
  checks_due_ |= path_bit(path);
}

void Connection::on_close(TimeNs now, const Header& h) {
  if (!process_header(now, h) || h.sequence != receiver_->expected()) return;
  close_reply_due_ = true;
  if (!peer_closed_) notifications_ |= static_cast<std::uint8_t>(Notification::kPeerClosed);
  peer_closed_ = true;
}

void Connection::on_close_reply(TimeNs now, const Header& h) {
  if (!process_header(now, h) || !closing_ || h.sequence != sender_.next() || !sender_.idle())
    return;
  close_acknowledged_ = true;
  close_due_ = false;
  close_if_done();
}

Header Connection::header(Kind kind) const {
  Header h;
  h.kind = kind;
  h.connection = peer_.connection;
  h.token = peer_.token;
  if (receiver_) {
    h.ack = receiver_->expected();
    h.window = receiver_->window();
  }
  return h;
}

Header Connection::data_header(const Outgoing& packet, std::uint8_t path) const {
  Header h = header(Kind::kData);
  h.sequence = packet.sequence;
  h.length = packet.length;
  h.flags = packet.flags;
  h.stamp = packet.stamp;
  h.path = path;
  return h;
}

std::uint8_t Connection::control_path(std::uint8_t& last) {
  // Datagrams without data rotate over the live paths. So a path that has failed, and is not yet
  // known to be dead, loses only some of them. Each kind has a rotation of its own: two kinds that
  // alternate would otherwise each use every other path only.
  const PathSet& paths = sender_.paths();
  const bool any = paths.alive() == 0;
  for (unsigned n = 0; n < paths.size(); ++n) {
    last = static_cast<std::uint8_t>((last + 1) % paths.size());
    if (any || paths[last].alive) break;
  }
  return last;
}

std::uint8_t Connection::report_path(std::uint8_t received_over) const {
  // Reports take the path of the last received packet, unless it is known to be dead in the
  // opposite direction. It changes with the peer's bursts, so reports are spread over the paths.
  const PathSet& paths = sender_.paths();
  for (unsigned n = 0; n < paths.size(); ++n) {
    const unsigned path = (received_over + n) % paths.size();
    if (paths[path].alive) return static_cast<std::uint8_t>(path);
  }
  return static_cast<std::uint8_t>(received_over % paths.size());
}

Connection::Control Connection::report(TimeNs now, TimeNs sent_ns, std::uint8_t path,
                                       unsigned answers, std::byte* to) {
  Report report;
  Header h = header(Kind::kReport);
  h.sequence = ++report_number_;
  if (receiver_->waits_for_turn()) last_data_ns_ = now;  // the grant's life begins with its turn
  if (receiver_->turn_has_come()) {
    turn_repeats_ = 0;
    turn_repeat_ns_ = now + kTurnRepeatNs;
  }
  turn_repeat_due_ = false;
  receiver_->take_report(report);
  delays_.take(sent_ns, report);
  report.answers = static_cast<std::uint8_t>(answers);
  return put(h, to, encode(report, to + kHeaderBytes), path);
}

Connection::Control Connection::put(const Header& h, std::byte* to, std::size_t payload,
                                    std::uint8_t path) const {
  Header full = h;
  full.length = static_cast<std::uint16_t>(payload);
  full.path = path;
  encode(full, to);
  return {kHeaderBytes + payload, path};
}

Connection::Control Connection::next_control(TimeNs now, bool receive_idle, std::byte* to,
                                             TimeNs sent_ns) {
  if (reset_due_) {
    reset_due_ = false;
    to[kHeaderBytes] = static_cast<std::byte>(reset_code_);
    return put(header(Kind::kReset), to, 1, control_path(last_control_path_));
  }
  if (open_due_ && state_ == State::kOpening) {
    return open(to);
  }
  if (state_ == State::kOpen) {
    if (accept_due_) {
      accept_due_ = false;
      Header h = header(Kind::kAccept);
      h.sequence = features_;
      return put(h, to, encode(opening_->own, to + kHeaderBytes), report_path());
    }
    if (keepalive_answers_due_ != 0) {
      const auto path = static_cast<std::uint8_t>(std::countr_zero(keepalive_answers_due_));
      clear_lowest(keepalive_answers_due_);
      return report(now, sent_ns, report_path(path), path + 1u, to);
    }
    if (second_answers_due_ != 0) {
      const auto path = static_cast<std::uint8_t>(std::countr_zero(second_answers_due_));
      clear_lowest(second_answers_due_);
      const std::uint8_t first = report_path(path);
      std::uint8_t other = control_path(last_second_path_);
      if (other == first) other = control_path(last_second_path_);
      if (other != first) return report(now, sent_ns, other, path + 1u, to);
    }
    if (checks_due_ != 0) {
      const auto path = static_cast<std::uint8_t>(std::countr_zero(checks_due_));
      clear_lowest(checks_due_);
      sender_.paths().on_probe_sent(path, now);
      Header h = header(Kind::kKeepalive);
      h.sequence = kChecksPath;
      return put(h, to, 0, path);
    }
    if (keepalives_due_ != 0) {
      const auto path = static_cast<std::uint8_t>(std::countr_zero(keepalives_due_));
      clear_lowest(keepalives_due_);
      sender_.paths().on_probe_sent(path, now);
      Header h = header(Kind::kKeepalive);
      h.sequence = sender_.idle() ? 0 : kWaitsForReport;
      return put(h, to, 0, path);
    }
    const Receiver::Due due = receiver_->report_due();
    if (due == Receiver::Due::kNo)
      report_due_since_ns_ = kNever;
    else if (report_due_since_ns_ == kNever)
      report_due_since_ns_ = now;
    if (due == Receiver::Due::kNow || turn_repeat_due_ ||
        (receive_idle && due == Receiver::Due::kSoon &&
         now >= report_due_since_ns_ + kReportDelayNs)) {
      report_due_since_ns_ = kNever;
      // An end that only receives has no timers: it probes dead paths while it sends reports.
      for (int path = sender_.paths().take_due_retry(now); path >= 0;
           path = sender_.paths().take_due_retry(now))
        checks_due_ |= path_bit(path);
      return report(now, sent_ns, report_path(), 0, to);
    }
    if (closing_ && !close_acknowledged_ && sender_.idle() && (close_due_ || retry_ns_ == kNever)) {
      close_due_ = false;
      retry_ns_ = now + kOpenRetryNs;
      Header h = header(Kind::kClose);
      h.sequence = sender_.next();
      return put(h, to, 0, control_path(last_close_path_));
    }
  }
  if (close_reply_due_) {
    close_reply_due_ = false;
    Header h = header(Kind::kCloseReply);
    h.sequence = receiver_->expected();
    const Control control = put(h, to, 0, control_path(last_close_reply_path_));
    close_if_done();  // the connection may end only after kCloseReply is written
    return control;
  }
  return {};
}

void Connection::on_timer(TimeNs now) {
  if (state_ == State::kClosed) return;
  if (state_ == State::kOpening) {
    if (now >= opening_->began_ns + kOpenTimeoutNs) return end(Error::kNoAnswer);
    if (now >= retry_ns_) {
      retry_open();
      retry_ns_ = now + kOpenRetryNs;
    }
    return;
  }
  PathSet& paths = sender_.paths();
  // This comes before sender_.on_timer(), because the deadline set there includes the next
  // keep-alives over dead paths.
  for (int path = paths.take_due_retry(now); path >= 0; path = paths.take_due_retry(now))
    keepalives_due_ |= path_bit(path);
  if (sender_.deadline() <= now) sender_.on_timer(now);
  keepalives_due_ |= static_cast<std::uint16_t>(sender_.take_probes());
  if (now >= last_received_ns_ + kSilenceNsMax)
    return reset(Error::kPeerSilent, Error::kPeerSilent);
  if (now >= std::max(last_received_ns_, keepalive_sent_ns_) + kKeepaliveNs) {
    keepalive_sent_ns_ = now;
    release_memory(now);
    keepalives_due_ |= path_bit(control_path(last_control_path_));
  }
  if (now >= turn_repeat_ns_) repeat_turn(now);
  if (receiver_->granting() && now >= last_data_ns_ + kGrantReclaimNs) {
    receiver_->reclaim_grant();
    last_data_ns_ = now;  // the next try, if packets are stored
  }
  if (retry_ns_ <= now) {
    close_due_ = closing_ && !close_acknowledged_;
    retry_ns_ = close_due_ ? now + kOpenRetryNs : kNever;
  }
}

/// Nothing has arrived since a turn was granted: the report may be lost. If the sender has nothing
/// to send, that takes a few reports more.
void Connection::repeat_turn(TimeNs now) {
  turn_repeat_due_ = true;
  const TimeNs wait = kTurnRepeatNs << ++turn_repeats_;
  turn_repeat_ns_ = wait < kTurnRetryNs ? now + wait : kNever;
}

TimeNs Connection::deadline() const {
  if (state_ == State::kClosed) return kNever;
  TimeNs at = std::min({sender_.deadline(), retry_ns_, turn_repeat_ns_});
  if (state_ == State::kOpening) return at;
  at = std::min(at, std::max(last_received_ns_, keepalive_sent_ns_) + kKeepaliveNs);
  if (report_due_since_ns_ != kNever) at = std::min(at, report_due_since_ns_ + kReportDelayNs);
  if (receiver_ && receiver_->granting()) at = std::min(at, last_data_ns_ + kGrantReclaimNs);
  return at;
}

bool Connection::busy() const {
  if (state_ == State::kClosed) return reset_due_ || close_reply_due_;
  return (!sender_.idle() && !sender_.waits_for_turn()) || state_ == State::kOpening ||
         accept_due_ || close_due_ || close_reply_due_ || reset_due_ || turn_repeat_due_ ||
         keepalives_due_ != 0 || keepalive_answers_due_ != 0 || second_answers_due_ != 0 ||
         checks_due_ != 0 || (closing_ && !close_acknowledged_) ||
         (receiver_ && state_ == State::kOpen && receiver_->report_due() != Receiver::Due::kNo);
}

std::uint8_t Connection::take_notifications() {
  const std::uint8_t notifications = notifications_;
  notifications_ = 0;
  return notifications;
}

}  // namespace selvedge::protocol
