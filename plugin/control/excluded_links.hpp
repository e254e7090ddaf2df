// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Cables and switches that routing excludes though they may work. Drained components are those that
// the operator has taken out of use, until they are undrained; this survives restarts. Held
// components are cables that flap; they are excluded for a time. Components are named by GUID and
// port, because such names do not change when other cables are moved.
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
  /// Stores `text`, the whole list of drained names, for the next start. Throws EnvironmentError.
  using Store = std::function<void(const std::string& text)>;

  ExcludedLinks() = default;
  /// `text`: the stored list, a name a line; `where`: its file, for messages.
  ExcludedLinks(std::string_view text, std::string where, Store store);
  /// The state if a stored list exists but cannot be read (`fault`: why). Nothing can be drained or
  /// undrained then, because storing the list would overwrite it.
  static ExcludedLinks unreadable(std::string where, std::string fault);
  /// What is wrong with the stored list; "" if nothing is. If there is a fault, the names on valid
  /// lines are drained, and the list is not written any more.
  const std::string& fault() const { return fault_; }

  /// drain() adds names (in the form of names_of()) to the drained ones, undrain() removes them.
  /// The list is stored first: if that fails (EnvironmentError), nothing has changed. To drain a
  /// name twice, or to undrain a name that is not drained, is no error. Both throw InputError if
  /// the stored list had a fault().
  void drain(const std::vector<std::string>& names);
  void undrain(const std::vector<std::string>& names);
  const std::vector<std::string>& drained() const { return drained_; }

  /// Excludes the component until `until`, or until its present exclusion ends if that is later.
  void hold(const std::string& name, Instant until);
  /// Drops the exclusions by hold() that have ended by `now`. True if there were any.
  bool release(Instant now);
  std::vector<std::string> held() const;

  /// The components of the fabric that are excluded, by drain() or hold().
  Fault in(const Fabric& fabric) const;
  static Fault named_components(const std::vector<std::string>& names, const Fabric& fabric);

  /// Names of components. A switch is named by its GUID, "0x0000000000200009". A cable is named by
  /// the GUID and port of a switch, "0x0000000000200009:4"; of its two ends the one with the lower
  /// GUID is taken.
  static std::string switch_name(const Fabric& fabric, SwitchId s);
  static std::string cable_name(const Fabric& fabric, Channel c);
  static std::vector<std::string> names_of(const Fabric& fabric, const Fault& fault);
  /// The names of these components as the log has them: "S-1-1:4 – S-1-2:3", "switch S-1-1". A
  /// cable that is down in `fabric` has the name of its one end, and what is not in `fabric` stays
  /// as it is named.
  static std::string describe_names(const Fabric& fabric, const std::vector<std::string>& names);

 private:
  struct Hold {
    std::string name;
    Instant until;
  };
  void require_readable() const;
  void save(const std::vector<std::string>& drained) const;

  std::string where_, fault_;
  Store store_;  // if it is null, the list does not survive a restart
  std::vector<std::string> drained_;
  std::vector<Hold> held_;
};

}  // namespace selvedge
