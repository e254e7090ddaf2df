// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// VerbsTeam is what the workers of a daemon have in common over verbs: the UDP socket of the
// daemon's address, over which all send announcements (address_exchange.hpp), and the numbers of
// their queue pairs.  Worker 0 reads the socket, answers, and passes each announcement whose sender
// has proved its address to the others, who keep tables of peers of their own. What does not fit is
// dropped, as by a network.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "daemon/protocol/connection.hpp"
#include "daemon/protocol/siphash.hpp"
#include "daemon/transport/announcement.hpp"

namespace selvedge::transport {

class VerbsTeam {
 public:
  /// Binds the socket. secret: random; nonces and the Q_Key are derived from it. Throws InputError
  /// for a wrong address, EnvironmentError if the system refuses.
  VerbsTeam(const std::string& listen, const protocol::SipKey& secret, unsigned workers);
  ~VerbsTeam();
  VerbsTeam(const VerbsTeam&) = delete;
  VerbsTeam& operator=(const VerbsTeam&) = delete;

  const protocol::SipKey& secret() const { return secret_; }
  const protocol::PeerAddress& address() const { return address_; }
  unsigned workers() const { return static_cast<unsigned>(queues_.size()); }
  /// The socket of the daemon's address.
  int socket() const { return socket_; }

  /// Tells the others a worker's queue pair numbers. Each worker calls it once, at its start.
  void set_queues(unsigned worker, std::vector<std::uint32_t> numbers);
  /// Whether all workers have done so; then queues() never changes any more.
  bool complete() const { return told_.load(std::memory_order_acquire) == workers(); }
  const std::vector<std::vector<std::uint32_t>>& queues() const { return queues_; }

  /// Worker 0 publishes the daemon's verbs address, when the team is complete and after each
  /// change; the others announce what it has published. changes() counts.
  void publish(VerbsAddress address);
  std::uint64_t changes() const { return changes_.load(std::memory_order_acquire); }
  VerbsAddress published() const;

  /// Passes an announcement, opened if it was sealed, to all workers but worker 0.
  void pass_on(const protocol::PeerAddress& from, protocol::Bytes announcement) const;
  /// Where worker 1 and those after it read what was passed on.
  int inbox(unsigned worker) const { return inboxes_[worker - 1].read; }
  /// Reads the next announcement that was passed on to a worker; false if there is none. bytes: of
  /// kAnnouncementBytesMax.
  bool next_passed_on(unsigned worker, protocol::PeerAddress& from, std::byte* bytes,
                      std::size_t* size) const;

 private:
  struct Inbox {
    int read = -1, write = -1;
  };
  void close_all();

  protocol::SipKey secret_;
  protocol::PeerAddress address_;
  int socket_ = -1;
  std::vector<Inbox> inboxes_;
  std::vector<std::vector<std::uint32_t>> queues_;
  std::atomic<unsigned> told_ = 0;
  std::atomic<std::uint64_t> changes_ = 0;
  mutable std::mutex mutex_;
  VerbsAddress published_;  // guarded by mutex_
};

}  // namespace selvedge::transport
