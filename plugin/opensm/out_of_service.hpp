// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What routing leaves alone though it works: cables and switches that the operator has drained, for
// good until undrained (kept in a file, so also through restarts), and cables that are held because
// they flap, for a while. They are named by GUID and port, which no re-cabling elsewhere changes.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "plugin/fabric/fault.hpp"

namespace selvedge {

class OutOfService {
 public:
  using Clock = std::chrono::steady_clock;

  OutOfService() = default;
  /// Reads what was drained from the file; there need be none. "" = nothing outlives a restart.
  explicit OutOfService(std::string file);
  /// What is wrong with the file: its good lines count, and nothing is written to it. "" = nothing.
  const std::string& fault() const { return fault_; }

  /// Adds to, or takes from, what is drained and writes the file first: if that fails (throws
  /// EnvironmentError) nothing has changed. Names as names_of() writes them; known ones are no
  /// error. Throws InputError if the file was not good at the start.
  void drain(const std::vector<std::string>& names);
  void undrain(const std::vector<std::string>& names);
  const std::vector<std::string>& drained() const { return drained_; }

  /// Held until then; longer if it is held already.
  void hold(const std::string& name, Clock::time_point until);
  /// Forgets the holds that are over; were there any?
  bool release(Clock::time_point now);
  std::vector<std::string> held() const;

  /// What of all this is part of the fabric.
  Fault in(const Fabric& fabric) const;
  static Fault meant_by(const std::vector<std::string>& names, const Fabric& fabric);

  /// "0x0000000000200009" or, for the cable at a port, "0x0000000000200009:4" with the lower of its
  /// two ends.
  static std::string switch_name(const Fabric& fabric, SwitchId s);
  static std::string cable_name(const Fabric& fabric, Channel c);
  static std::vector<std::string> names_of(const Fabric& fabric, const Fault& fault);

 private:
  struct Hold {
    std::string name;
    Clock::time_point until;
  };
  void must_be_read() const;
  void write(const std::vector<std::string>& drained) const;

  std::string file_, fault_;
  std::vector<std::string> drained_;
  std::vector<Hold> held_;
};

}  // namespace selvedge
