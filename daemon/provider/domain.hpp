// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A domain (fi_domain(3)) is a session with the local daemon. It makes progress: it accepts
// connections, receives from all of them and sends what waits. All its objects share one mutex.
#pragma once

#include <rdma/fi_domain.h>

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "daemon/client/selvedge.h"
#include "daemon/provider/channel.hpp"
#include "daemon/provider/fid.hpp"

namespace selvedge::provider {

class Endpoint;

class Domain : public fid_domain {
 public:
  static int open(fid_fabric* fabric, fi_info* info, fid_domain** domain, void* context);

  std::mutex mutex;
  unsigned users = 0;  ///< objects that have been opened from it

  selvedge_session* session() const { return session_; }
  /// The daemon's ADDRESS:PORT, which peers write before /NAME.
  const std::string& daemon_address() const { return daemon_address_; }
  std::uint32_t api_version() const { return api_version_; }
  /// The memory for messages without a receive, for each endpoint (unexpected.hpp).
  std::uint64_t unexpected_bytes() const { return unexpected_bytes_; }

  /// Receives and sends what can be without waiting; returns whether anything moved. The caller
  /// holds the mutex, and so for all that follow but rest() and wait().
  bool progress();
  /// Yields the processor if many calls of progress() in a row moved nothing: the daemon may need
  /// this core.
  void rest();
  /// Calls `done` until it returns true, and returns true. Returns false after `timeout` ms
  /// (negative: never).
  template <class Done>
  bool wait(int timeout, Done&& done);

  Channel& add_channel(selvedge_connection* connection, Endpoint* endpoint, Peer* peer);
  void add(Endpoint& endpoint) { endpoints_.push_back(&endpoint); }
  /// Whether channels of the endpoint have something to write of their own.
  bool has_pending(const Endpoint& endpoint) const;
  /// Closes the channels of an endpoint that is closed.
  void remove(Endpoint& endpoint);
  /// The endpoint at this domain with that address, or null.
  Endpoint* find(const Address& address) const;

 private:
  explicit Domain(selvedge_session* session) : session_(session) {}
  ~Domain() { selvedge_shut(session_); }
  static int close(fid_t f);
  static fi_ops base_ops_;
  static fi_ops_domain ops_;
  static fi_ops_mr memory_ops_;

  void accept();

  selvedge_session* session_;
  std::string daemon_address_;
  std::uint32_t api_version_ = 0;
  std::uint64_t unexpected_bytes_ = kUnexpectedBytes;
  std::vector<Endpoint*> endpoints_;
  std::list<std::unique_ptr<Channel>> channels_;
  std::chrono::steady_clock::time_point asked_session_;  // last looked for connections
  int session_error_ = 0;
  std::atomic<unsigned> in_vain_ = 0;
};

template <class Done>
bool Domain::wait(int timeout, Done&& done) {
  using namespace std::chrono;
  const auto begin = steady_clock::now(), end = begin + milliseconds(timeout);
  // For the first 200 µs it yields the CPU between two tries, later it sleeps 50 µs.
  const auto patience = begin + microseconds(200);
  for (;;) {
    if (done()) return true;
    const auto now = steady_clock::now();
    if (timeout >= 0 && now >= end) return false;
    if (now < patience)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(microseconds(50));
  }
}

}  // namespace selvedge::provider
