// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/time_slice.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <optional>

namespace selvedge::service {
namespace {

/// struct sched_attr of linux/sched/types.h in its first size, which C libraries do not agree on.
struct Attributes {
  std::uint32_t size = sizeof(Attributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0, deadline = 0, period = 0;
};
static_assert(sizeof(Attributes) == 48);

std::optional<Attributes> attributes() {
  Attributes a;
  if (syscall(SYS_sched_getattr, 0, &a, sizeof a, 0) != 0) return std::nullopt;
  if (a.policy != SCHED_OTHER && a.policy != SCHED_BATCH) return std::nullopt;
  return a;
}

}  // namespace

bool set_time_slice(protocol::TimeNs slice) {
  auto a = attributes();
  if (!a) return false;
  a->size = sizeof *a;
  a->runtime = slice;
  return syscall(SYS_sched_setattr, 0, &*a, 0) == 0;
}

protocol::TimeNs time_slice() {
  const auto a = attributes();
  return a ? a->runtime : 0;
}

void TimeSlice::set(protocol::TimeNs now, bool to_long) {
  if (to_long) crowded_ns_ = now;
  if (long_ == to_long) return;
  long_ = to_long;
  if (to_long) before_ns_ = time_slice();
  set_time_slice(to_long ? kLongNs : before_ns_);
}

}  // namespace selvedge::service
