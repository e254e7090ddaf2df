// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// SaPaths asks the subnet administration (SA) of an InfiniBand subnet for path records, which give
// the SL for each DLID (PathRecord, IBTA 1.4 §15.2.5.16). It caches them until refresh(). The
// routing engine chose the SL of each (source, DLID) so that no deadlock can occur; a packet with
// another SL may close a cycle of dependencies. So a DLID without a path record is not used.
//
// A query blocks until its response or a time-out. Only one thread may use an object.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace selvedge::transport {

struct PathRecord {
  std::uint16_t slid = 0, dlid = 0;
  std::uint8_t sl = 0;
  std::uint8_t rate = 0;   ///< IBTA's code, which is ibv_rate's too
  unsigned mtu_bytes = 0;  ///< of a packet's payload, in bytes
  friend bool operator==(const PathRecord&, const PathRecord&) = default;
};

class SaPaths {
 public:
  enum class Answer : std::uint8_t {
    kPath,
    kNoPath,    ///< the SA has no path record
    kNoAnswer,  ///< the SA does not answer (perhaps there is no subnet manager now), or with an
                ///< error
  };
  struct Counters {
    std::uint64_t queries = 0, cache_hits = 0;
  };

  /// device: the adapter's name in libibumad; empty: libibumad's default. Throws EnvironmentError
  /// if the port cannot be opened (the user needs access to /dev/infiniband/umad*).
  SaPaths(const std::string& device, unsigned port);
  ~SaPaths();
  SaPaths(const SaPaths&) = delete;
  SaPaths& operator=(const SaPaths&) = delete;

  /// Fills `record` with the path from this port's base LID to `dlid`, from the cache or from the
  /// SA.
  Answer find(std::uint16_t dlid, PathRecord& record);
  /// Drops the cache, and reads this port's LID and the subnet manager's again.
  void refresh();

  std::uint16_t lid() const { return lid_; }
  const Counters& counters() const { return counters_; }

 private:
  Answer query(std::uint16_t dlid, PathRecord& record);

  std::string device_;
  unsigned port_;
  int fd_ = -1, agent_ = -1;
  std::uint16_t lid_ = 0, sm_lid_ = 0;
  std::uint8_t sm_sl_ = 0;
  std::uint32_t transaction_ = 0;
  std::map<std::uint16_t, PathRecord> records_;
  Counters counters_;
};

}  // namespace selvedge::transport
