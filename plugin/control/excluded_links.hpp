// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What routing leaves out though it works: cables and switches that the operator has drained, until
// they are undrained (also through restarts), and cables that are held out for a while because they
// flap. They are named by GUID and port, which no re-cabling elsewhere changes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/control/clock.hpp"
#include "plugin/fabric/fault.hpp"

namespace selvedge {

class ExcludedLinks {
 public:
  /// Keeps the list of what is drained, whole, for the next start. Throws EnvironmentError.
  using Store = std::function<void(const std::string& text)>;

  ExcludedLinks() = default;
  /// `text`: what was kept before; `where` names its place in messages.
  ExcludedLinks(std::string_view text, std::string where, Store store);
  /// The list exists but cannot be read: nothing more can be drained.
  static ExcludedLinks unreadable(std::string where, std::string fault);
  /// What is wrong with the list: its good lines count, and nothing is written to it. "" = nothing.
  const std::string& fault() const { return fault_; }

  /// Adds to, or takes from, what is drained and stores the list first: if that fails (throws
  /// EnvironmentError) nothing has changed. Names as names_of() writes them; known ones are no
  /// error. Throws InputError if the list was not good at the start.
  void drain(const std::vector<std::string>& names);
  void undrain(const std::vector<std::string>& names);
  const std::vector<std::string>& drained() const { return drained_; }

  /// Held until then; longer if it is held already.
  void hold(const std::string& name, Instant until);
  /// Forgets the holds that are over; were there any?
  bool release(Instant now);
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
    Instant until;
  };
  void must_be_read() const;
  void keep(const std::vector<std::string>& drained) const;

  std::string where_, fault_;
  Store store_;  // null: nothing outlives a restart
  std::vector<std::string> drained_;
  std::vector<Hold> held_;
};

}  // namespace selvedge
