// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The paths of an InfiniBand subnet as its subnet administration (SA) tells them: for each DLID the
// SL to use, asked by PathRecord (IBTA 1.4 §15.2.5.16) and remembered until forget(). The engine
// that filled the switches chose the SL of each (source, DLID), and a packet with another one may
// close a cycle: so a path that the SA does not tell is no path.
//
// Questions wait for their answers; ask from a thread that may wait. A port belongs to one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace selvedge::transport {

struct PathRecord {
  std::uint16_t slid = 0, dlid = 0;
  std::uint8_t sl = 0;
  std::uint8_t rate = 0;   ///< as the IBTA codes it, which is ibv_rate's way
  unsigned mtu_bytes = 0;  ///< of a packet's payload
  friend bool operator==(const PathRecord&, const PathRecord&) = default;
};

class SaPaths {
 public:
  enum class Answer : std::uint8_t {
    kPath,
    kNoPath,    ///< the SA knows of none
    kNoAnswer,  ///< nor does it answer: perhaps there is no subnet manager now
  };
  struct Counters {
    std::uint64_t asked = 0, remembered = 0;
  };

  /// The device by libibumad's name, empty: its first port. EnvironmentError when it cannot be
  /// opened (the user needs access to /dev/infiniband/umad*).
  SaPaths(const std::string& device, unsigned port);
  ~SaPaths();
  SaPaths(const SaPaths&) = delete;
  SaPaths& operator=(const SaPaths&) = delete;

  /// The path from this port's first LID.
  Answer find(std::uint16_t dlid, PathRecord& record);
  /// All that was told, this port's LID and the subnet manager's: they may have changed.
  void forget();

  std::uint16_t lid() const { return lid_; }
  const Counters& counters() const { return counters_; }

 private:
  Answer ask(std::uint16_t dlid, PathRecord& record);

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
