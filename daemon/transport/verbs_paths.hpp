// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The ways to a peer, made on a thread of their own: each path is an address handle, and making one
// may wait: on InfiniBand for the SA's answers, on RoCE for the neighbour's MAC address (seconds,
// when nobody answers). The loop that carries packets never waits; it orders and collects.
//
//   InfiniBand: path i goes to the i-th LID of the peer's range that the SA has a path to, with the
//               SL that the SA tells. RoCE: from our i-th GID to the peer's that is nearest to it.
//   With fewer of those than paths they are used in turn; each path has its own queue pair anyway,
//   and so its own UDP source port on RoCE, by which switches may spread the paths.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "daemon/protocol/connection.hpp"
#include "daemon/transport/sa_paths.hpp"
#include "daemon/transport/verbs_port.hpp"

namespace selvedge::transport {

/// What an address handle says, apart from how it is made.
ibv_ah_attr infiniband_attributes(std::uint8_t port, const PathRecord& record);
ibv_ah_attr roce_attributes(std::uint8_t port, const GidEntry& own, const Gid& theirs,
                            unsigned path);

class VerbsPaths {
 public:
  struct Order {
    protocol::PeerAddress peer;
    std::uint64_t number = 0;  ///< comes back; the last one counts
    Description description;
  };
  /// One path of an order: each is given out as soon as it is there, for the next may take seconds.
  struct Done {
    protocol::PeerAddress peer;
    std::uint64_t number = 0;
    unsigned path = 0;
    bool last = false;         ///< of its order
    ibv_ah* handle = nullptr;  ///< null: there is no way
    std::string trouble;       ///< with the last: why some are null
  };

  VerbsPaths(const VerbsPort& port, unsigned paths);
  ~VerbsPaths();
  VerbsPaths(const VerbsPaths&) = delete;
  VerbsPaths& operator=(const VerbsPaths&) = delete;

  void order(Order order);
  /// What our port is from now on; subnet_changed: what the SA has told is forgotten.
  void port_is(const PortState& state, bool subnet_changed);
  /// What has been done since the last call. The handles are the caller's.
  std::vector<Done> collect();
  /// Readable when there is something to collect.
  int descriptor() const { return done_fd_; }

 private:
  void work();
  void make(const Order& order, const PortState& state);
  void give(Done done);
  std::vector<ibv_ah_attr> over_infiniband(const Order& order, const PortState& state,
                                           std::string& trouble);
  std::vector<ibv_ah_attr> over_roce(const Order& order, const PortState& state) const;

  const VerbsPort& port_;
  unsigned paths_;
  int done_fd_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false, forget_ = false;
  PortState state_;
  std::vector<Order> orders_;
  std::vector<Done> done_;
  std::unique_ptr<SaPaths> sa_;  // the thread's own
  std::thread thread_;
};

}  // namespace selvedge::transport
