// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Makes the address handles of a peer, one for each path, on a thread of its own. Making one may
// block: on InfiniBand for the SA's answers, on RoCE for the neighbour's MAC address (seconds, if
// no host answers). The loop that carries packets never blocks: it orders and collects handles.
//
//   InfiniBand: path i goes to the i-th LID of the peer's range to which the SA has a path, with
//               the path record's SL. RoCE: from this port's i-th GID to the peer's nearest GID.
//   If there are fewer LIDs or GIDs than paths, paths rotate over them. Each path has its own queue
//   pair, and so its own UDP source port on RoCE, by which switches may spread the paths (ECMP).
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

/// The attributes of an address handle.
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
  /// One path of a request. Each is available as soon as it is made; the next may take seconds.
  struct Result {
    protocol::PeerAddress peer;
    std::uint64_t number = 0;
    unsigned path = 0;
    bool last = false;         ///< the last path of its request
    ibv_ah* handle = nullptr;  ///< null: no handle could be made
    std::string problem;       ///< of the last path: why some handles are null
  };

  VerbsPaths(const VerbsPort& port, unsigned paths);
  ~VerbsPaths();
  VerbsPaths(const VerbsPaths&) = delete;
  VerbsPaths& operator=(const VerbsPaths&) = delete;

  void request_handles(Request request);
  /// Sets the state of the local port. subnet_changed: drop cached path records.
  void set_port_state(const PortState& state, bool subnet_changed);
  /// The paths made since the last call. The caller owns the handles.
  std::vector<Result> take_results();
  /// Readable when there is something to collect.
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
