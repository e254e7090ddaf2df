// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/placement.hpp"

#include <fmt/format.h>
#include <grp.h>
#include <linux/mempolicy.h>
#include <pwd.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "base/error.hpp"

namespace selvedge::service {
namespace {

std::optional<unsigned> number(std::string_view text, unsigned most) {
  unsigned n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n > most) return std::nullopt;
  return n;
}

/// The largest valid id: setresuid() takes the next number, 2^32 − 1, as "leave unchanged".
constexpr unsigned kIdMax = 0xffff'fffe;

}  // namespace

std::optional<std::vector<unsigned>> parse_cpus(std::string_view text) {
  std::vector<unsigned> cpus;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    const std::size_t dash = part.find('-');
    const auto first = number(part.substr(0, dash), kCpusMax - 1);
    const auto last =
        dash == std::string_view::npos ? first : number(part.substr(dash + 1), kCpusMax - 1);
    if (!first || !last || *last < *first) return std::nullopt;
    for (unsigned n = *first; n <= *last; ++n) cpus.push_back(n);
  }
  std::ranges::sort(cpus);
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

void set_cpu_affinity(const std::vector<unsigned>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const unsigned n : cpus) CPU_SET(n, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0)
    refused_by_system("cannot run on these CPUs", "[daemon] cpus",
                      "choose among those of /sys/devices/system/cpu/online and the service's own");
}

void check_workers(unsigned workers, const std::vector<unsigned>& cpus) {
  cpu_set_t set;
  if (workers == 1 || sched_getaffinity(0, sizeof set, &set) != 0) return;
  const auto usable =
      cpus.empty() ? static_cast<std::size_t>(CPU_COUNT(&set))
                   : static_cast<std::size_t>(std::ranges::count_if(
                         cpus, [&](unsigned n) { return n < CPU_SETSIZE && CPU_ISSET(n, &set); }));
  if (workers > usable)
    throw InputError(fmt::format("{} workers, but only {} CPUs", workers, usable),
                     "[daemon] workers",
                     "write fewer, or oversubscribe = true for a test without speed");
}

void prefer_numa_node(unsigned node, const std::vector<unsigned>& cpus) {
  const std::string path = fmt::format("/sys/devices/system/node/node{}/cpulist", node);
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line))
    throw EnvironmentError("no such NUMA node", path,
                           "choose a [daemon] numa_node among those of /sys/devices/system/node");
  std::array<unsigned long, kCpusMax / (8 * sizeof(unsigned long))> mask{};
  mask[node / (8 * sizeof(unsigned long))] |= 1ul << node % (8 * sizeof(unsigned long));
  if (syscall(SYS_set_mempolicy, MPOL_PREFERRED, mask.data(), kCpusMax) != 0)
    refused_by_system("cannot prefer the node's memory", path, "leave [daemon] numa_node out");
  if (!cpus.empty()) return;
  if (const auto of_node = parse_cpus(line)) set_cpu_affinity(*of_node);  // a node may have no CPUs
}

unsigned resolve_user(const std::string& user, const std::string& where) {
  if (const auto id = number(user, kIdMax)) return *id;
  const passwd* entry = getpwnam(user.c_str());
  if (entry == nullptr)
    throw InputError(fmt::format("no user '{}' on this system", user), where,
                     "write the name or the number of a user");
  return entry->pw_uid;
}

std::optional<Identity> resolve_identity(const std::string& user, const std::string& group) {
  if (user.empty()) return std::nullopt;
  Identity who;
  const auto unknown = [](const char* what, const std::string& name, const char* key) {
    return InputError(fmt::format("no {} '{}' on this system", what, name), key,
                      fmt::format("write the name or the number of a {}", what));
  };
  errno = 0;
  const auto user_number = number(user, kIdMax);
  const passwd* entry = user_number ? getpwuid(*user_number) : getpwnam(user.c_str());
  if (entry != nullptr) {
    who = {.user = entry->pw_uid, .group = entry->pw_gid, .name = entry->pw_name};
  } else if (user_number && !group.empty()) {
    who.user = *user_number;
  } else {
    throw unknown("user", user, "[daemon] user");
  }
  if (group.empty()) return who;
  const auto group_number = number(group, kIdMax);
  if (const ::group* g = group_number ? nullptr : getgrnam(group.c_str()))
    who.group = g->gr_gid;
  else if (group_number)
    who.group = *group_number;
  else
    throw unknown("group", group, "[daemon] group");
  return who;
}

void switch_user(const Identity& who) {
  const bool already = getuid() == who.user && geteuid() == who.user && getgid() == who.group &&
                       getegid() == who.group;
  if (already && who.user != 0) return;
  const char* remedy = "start selvedged as root, or leave [daemon] user and group out";
  const bool groups = who.name.empty() ? setgroups(1, &who.group) == 0
                                       : initgroups(who.name.c_str(), who.group) == 0;
  if (!groups || setresgid(who.group, who.group, who.group) != 0 ||
      setresuid(who.user, who.user, who.user) != 0)
    refused_by_system("cannot switch to the user", "[daemon] user", remedy);
  // Verify that root's rights are gone: a compromised daemon must not regain them.
  if (who.user != 0 && (setuid(0) == 0 || seteuid(0) == 0)) {
    errno = 0;
    refused_by_system("root's privileges cannot be dropped", "[daemon] user", remedy);
  }
}

}  // namespace selvedge::service
