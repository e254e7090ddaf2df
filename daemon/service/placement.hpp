// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Where the daemon runs and as whom: CPUs, a NUMA node, another user. Each is done once, at the
// start, before there are threads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace selvedge::service {

inline constexpr unsigned kCpusMax = 1'024;

/// A list as the kernel writes it: "0", "0-3,8". Nothing when it is none, or names a CPU beyond
/// kCpusMax. In order, none twice.
std::optional<std::vector<unsigned>> parse_cpus(std::string_view text);

/// Runs on these CPUs alone from now on; threads that are made later do likewise.
/// EnvironmentError when the system has none of them for us.
void run_on(const std::vector<unsigned>& cpus);

/// Takes memory from that node as long as it has any, and, if `cpus` is empty, runs on its CPUs.
void use_node(unsigned node, const std::vector<unsigned>& cpus);

/// Whom to become; numbers as the system knows them.
struct Identity {
  unsigned user = 0, group = 0;
  std::string name;  ///< of the user; "" when it has a number alone
};

/// The number of a user by name, or the number that it is. `where` is for the InputError.
unsigned find_user(const std::string& user, const std::string& where);

/// user: a name or a number; "" is nobody to become: null. group: "" is the user's own.
/// InputError when the system knows no such user or group.
std::optional<Identity> find_identity(const std::string& user, const std::string& group);

/// From now on we are that user, for good, in that user's groups, with no capability left.
/// EnvironmentError when the system refuses; being that user already is no error.
void become(const Identity& identity);

}  // namespace selvedge::service
