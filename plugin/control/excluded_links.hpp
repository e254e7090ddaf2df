// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Working components that routing excludes. Drained: cables and switches that the operator has
// taken out of use, until they are undrained, also through restarts. Held: cables that flap, for a
// time. Their names are GUID and port, which do not change when other cables move.
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
  /// Stores the whole list of drained names for the next start. Throws EnvironmentError.
  using Store = std::function<void(const std::string& text)>;

  ExcludedLinks() = default;
  /// `text`: the stored list; `where`: its file, for messages.
  ExcludedLinks(std::string_view text, std::string where, Store store);
  /// The list exists but cannot be read: nothing more can be drained.
  static ExcludedLinks unreadable(std::string where, std::string fault);
  /// What is wrong with the stored list; "" = nothing. If it has a fault, its valid lines count,
  /// and nothing is written to it.
  const std::string& fault() const { return fault_; }

  /// Add names to the drained ones, or remove them. The list is stored first: if that fails
  /// (EnvironmentError), nothing has changed. Names are as of names_of(); to drain a name twice, or
  /// to undrain one that is not drained, is no error. Throws InputError if the list had a fault at
  /// the start.
  void drain(const std::vector<std::string>& names);
  void undrain(const std::vector<std::string>& names);
  const std::vector<std::string>& drained() const { return drained_; }

  /// Holds it until then, or until its present hold ends if that is later.
  void hold(const std::string& name, Instant until);
  /// Removes the holds that have expired. True if there were any.
  bool release(Instant now);
  std::vector<std::string> held() const;

  /// What is drained or held, as far as it is in the fabric.
  Fault in(const Fabric& fabric) const;
  static Fault named_components(const std::vector<std::string>& names, const Fabric& fabric);

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
  void require_readable() const;
  void save(const std::vector<std::string>& drained) const;

  std::string where_, fault_;
  Store store_;  // null: the list does not survive a restart
  std::vector<std::string> drained_;
  std::vector<Hold> held_;
};

}  // namespace selvedge
