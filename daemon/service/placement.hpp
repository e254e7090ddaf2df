// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The CPUs, the NUMA node and the user that the daemon runs on and as. Each is set once, at the
// start, before there are threads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace selvedge::service {

inline constexpr unsigned kCpusMax = 1'024;

/// Parses a list as the kernel writes it: "0", "0-3,8". nullopt when it is malformed, or names a
/// CPU not below kCpusMax. The result is sorted and without duplicates.
std::optional<std::vector<unsigned>> parse_cpus(std::string_view text);

/// Restricts this thread, and threads that are made later, to these CPUs. EnvironmentError when the
/// process may use none of them.
void set_cpu_affinity(const std::vector<unsigned>& cpus);

/// Prefers memory of that node, and, if `cpus` is empty, runs on its CPUs.
void prefer_numa_node(unsigned node, const std::vector<unsigned>& cpus);

/// The user and group to switch to.
struct Identity {
  unsigned user = 0, group = 0;
  std::string name;  ///< of the user; "" when the system knows no name for the number
};

/// The number of a user, who is given by name or number. `where` is for the InputError.
unsigned resolve_user(const std::string& user, const std::string& where);

/// user: a name or a number; "": no switch, the result is nullopt. group: "" is the user's own.
/// InputError when the system knows no such user or group. A number without a user's entry is
/// permitted if a group is given.
std::optional<Identity> resolve_identity(const std::string& user, const std::string& group);

/// Switches the process to that user for good, with that user's groups and no capabilities.
/// EnvironmentError when the system refuses; being that user already is no error.
void switch_user(const Identity& identity);

}  // namespace selvedge::service
