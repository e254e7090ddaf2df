// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// VerbsPaths makes the address handles for a peer, one for each path, on a thread of its own.
// Making a handle may block: on InfiniBand for the SA's answers, on RoCE for the neighbour's MAC
// address (seconds, if no host answers). The loop that carries packets must not block. So it
// requests handles and collects them later.
//
// InfiniBand: path i goes to the i-th of those LIDs of the peer to which the SA has a path, with
// the path record's SL. RoCE: path i goes from this port's i-th GID to the peer's nearest GID. If
// there are fewer LIDs or GIDs than paths, paths rotate over them. Each path has its own queue
// pair, and so its own UDP source port on RoCE, by which switches may spread the paths (ECMP).
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

/// The attributes of an address handle: for InfiniBand from a path record, for RoCE from two GIDs.
ibv_ah_attr infiniband_attributes(std::uint8_t port, const PathRecord& record);
ibv_ah_attr roce_attributes(std::uint8_t port, const GidEntry& own, const Gid& theirs,
                            unsigned path);

class VerbsPaths {
 public:
  struct Request {
    protocol::PeerAddress peer;
    std::uint64_t number = 0;  ///< returned in Result; only the last request of a peer counts
    VerbsAddress verbs_address;
  };
  /// The result for one path of a request. Each result is available as soon as its handle is made,
  /// because the next handle may take seconds.
  struct Result {
    protocol::PeerAddress peer;
    std::uint64_t number = 0;
    unsigned path = 0;
    bool last = false;         ///< the last path of its request
    ibv_ah* handle = nullptr;  ///< null: no handle could be made
    std::string problem;       ///< in the last path's result only: why some handles are null
  };

  VerbsPaths(const VerbsPort& port, unsigned paths);
  ~VerbsPaths();
  VerbsPaths(const VerbsPaths&) = delete;
  VerbsPaths& operator=(const VerbsPaths&) = delete;

  void request_handles(Request request);
  /// Sets the state of the local port. subnet_changed: drop cached path records.
  void set_port_state(const PortState& state, bool subnet_changed);
  /// The results since the last call. The caller owns their handles.
  std::vector<Result> take_results();
  /// This descriptor is readable when there are results to take.
  int descriptor() const { return done_fd_; }

 private:
  void work();
  void make(const Request& request, const PortState& state);
  void deliver(Result done);
  std::vector<ibv_ah_attr> over_infiniband(const Request& request, const PortState& state,
                                           std::string& problem);
  std::vector<ibv_ah_attr> over_roce(const Request& request, const PortState& state) const;

  const VerbsPort& port_;
  unsigned paths_;
  int done_fd_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false, refresh_ = false;
  PortState state_;
  std::vector<Request> requests_;
  std::vector<Result> done_;
  std::unique_ptr<SaPaths> sa_;  // used by the thread only
  std::thread thread_;
};

}  // namespace selvedge::transport
