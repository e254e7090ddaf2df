// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// These functions set the CPUs and the NUMA node that the daemon runs on, and the user that it runs
// as. Each is called once, at the start; CPUs and node are set before there are threads.
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

/// Throws InputError when there are more workers than CPUs that this thread may use; of those, the
/// ones in `cpus` unless that is empty.
void check_workers(unsigned workers, const std::vector<unsigned>& cpus);

/// Makes the kernel prefer memory of that node. If `cpus` is empty, the daemon also runs on the
/// node's CPUs.
void prefer_numa_node(unsigned node, const std::vector<unsigned>& cpus);

/// The user and group that the daemon switches to.
struct Identity {
  unsigned user = 0, group = 0;
  std::string name;  ///< of the user; "" when the system knows no name for the number
};

/// The number of a user, who is given by name or number. The InputError names `where` as the place.
unsigned resolve_user(const std::string& user, const std::string& where);

/// Looks up a user, given by name or number; if `user` is "", there is no switch and the result is
/// nullopt. If `group` is "", it is the user's own. Throws InputError if the system knows no such
/// user or group. A user's number that the system does not know is permitted if a group is given.
std::optional<Identity> resolve_identity(const std::string& user, const std::string& group);

/// Switches the process to that user for good, with that user's groups and no capabilities. Throws
/// EnvironmentError if the system refuses. It is no error if the process runs as that user already.
void switch_user(const Identity& identity);

}  // namespace selvedge::service
