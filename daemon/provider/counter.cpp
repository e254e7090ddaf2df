// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <new>

#include "daemon/provider/completion_queue.hpp"
#include "daemon/provider/domain.hpp"

namespace selvedge::provider {

fi_ops Counter::base_ops_ = [] {
  fi_ops ops = kNoOps;
  ops.close = close;
  return ops;
}();

fi_ops_cntr Counter::ops_ = {.size = sizeof(fi_ops_cntr),
                             .read = read,
                             .readerr = read_errors,
                             .add = add,
                             .set = set,
                             .wait = wait,
                             .adderr = add_errors,
                             .seterr = set_errors};

int Counter::open(fid_domain* domain, fi_cntr_attr* attr, fid_cntr** counter, void* context) {
  if (attr != nullptr && ((attr->wait_obj != FI_WAIT_NONE && attr->wait_obj != FI_WAIT_UNSPEC) ||
                          attr->events != FI_CNTR_EVENTS_COMP || attr->flags != 0))
    return -FI_ENOSYS;
  auto& d = static_cast<Domain&>(*domain);
  auto* made = new (std::nothrow) Counter(d);
  if (made == nullptr) return -FI_ENOMEM;
  made->fid = {FI_CLASS_CNTR, context, &base_ops_};
  made->ops = &ops_;
  made->may_wait_ = attr == nullptr || attr->wait_obj == FI_WAIT_UNSPEC;
  const std::lock_guard lock(d.mutex);
  ++d.users;
  *counter = made;
  return 0;
}

int Counter::close(fid_t f) {
  auto& counter = object_of<Counter, fid_cntr>(f);
  {
    const std::lock_guard lock(counter.domain_.mutex);
    if (counter.users != 0) return -FI_EBUSY;
    --counter.domain_.users;
  }
  delete &counter;
  return 0;
}

std::uint64_t Counter::read(fid_cntr* counter) {
  Counter& c = of(counter);
  const std::lock_guard lock(c.domain_.mutex);
  c.domain_.progress();
  return c.successes_;
}

std::uint64_t Counter::read_errors(fid_cntr* counter) {
  Counter& c = of(counter);
  const std::lock_guard lock(c.domain_.mutex);
  c.domain_.progress();
  return c.errors_;
}

int Counter::add(fid_cntr* counter, std::uint64_t value) {
  Counter& c = of(counter);
  const std::lock_guard lock(c.domain_.mutex);
  c.successes_ += value;
  return 0;
}

int Counter::set(fid_cntr* counter, std::uint64_t value) {
  Counter& c = of(counter);
  const std::lock_guard lock(c.domain_.mutex);
  c.successes_ = value;
  return 0;
}

int Counter::add_errors(fid_cntr* counter, std::uint64_t value) {
  Counter& c = of(counter);
  const std::lock_guard lock(c.domain_.mutex);
  c.errors_ += value;
  return 0;
}

int Counter::set_errors(fid_cntr* counter, std::uint64_t value) {
  Counter& c = of(counter);
  const std::lock_guard lock(c.domain_.mutex);
  c.errors_ = value;
  return 0;
}

int Counter::wait(fid_cntr* counter, std::uint64_t threshold, int timeout) {
  Counter& c = of(counter);
  if (!c.may_wait_) return -FI_ENOSYS;
  const std::uint64_t errors = read_errors(counter);
  bool reached = false;
  const bool in_time = c.domain_.wait(timeout, [&] {
    const std::lock_guard lock(c.domain_.mutex);
    const bool moved = c.domain_.progress();
    reached = c.successes_ >= threshold;
    return reached || (!moved && c.errors_ != errors);
  });
  if (!in_time) return -FI_ETIMEDOUT;
  return reached ? 0 : -FI_EAVAIL;
}

}  // namespace selvedge::provider
