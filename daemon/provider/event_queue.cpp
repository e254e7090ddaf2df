// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/provider/event_queue.hpp"

#include <cstdio>
#include <cstring>
#include <new>

#include "daemon/client/selvedge.h"

namespace selvedge::provider {

fi_ops EventQueue::base_ops_ = [] {
  fi_ops ops = kNoOps;
  ops.close = close;
  return ops;
}();

fi_ops_eq EventQueue::ops_ = {.size = sizeof(fi_ops_eq),
                              .read = read,
                              .readerr = read_error,
                              .write = write,
                              .sread = unsupported,
                              .strerror = error_text};

int EventQueue::open(fid_fabric*, fi_eq_attr* attr, fid_eq** eq, void* context) {
  // Any wait object is accepted, since some programs name one and never wait (fi_pingpong). Waiting
  // itself is not supported: `sread` returns an error.
  if (attr != nullptr && (attr->flags & ~(FI_WRITE | FI_AFFINITY)) != 0) return -FI_ENOSYS;
  auto* made = new (std::nothrow) EventQueue;
  if (made == nullptr) return -FI_ENOMEM;
  made->fid = {FI_CLASS_EQ, context, &base_ops_};
  made->ops = &ops_;
  made->may_write_ = attr != nullptr && (attr->flags & FI_WRITE) != 0;
  *eq = made;
  return 0;
}

int EventQueue::close(fid_t f) {
  delete &of(f);
  return 0;
}

void EventQueue::push(std::uint32_t kind, const void* bytes, std::size_t length) {
  Event event{kind, std::vector<std::byte>(length)};
  if (length != 0) std::memcpy(event.bytes.data(), bytes, length);
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
}

ssize_t EventQueue::read(fid_eq* eq, std::uint32_t* event, void* buffer, std::size_t length,
                         std::uint64_t flags) {
  auto& queue = static_cast<EventQueue&>(*eq);
  const std::lock_guard lock(queue.mutex_);
  if (queue.events_.empty()) return -FI_EAGAIN;
  const Event& first = queue.events_.front();
  if (first.bytes.size() > length) return -FI_ETOOSMALL;
  *event = first.kind;
  const std::size_t n = first.bytes.size();
  if (n != 0) std::memcpy(buffer, first.bytes.data(), n);
  if ((flags & FI_PEEK) == 0) queue.events_.pop_front();
  return static_cast<ssize_t>(n);
}

ssize_t EventQueue::read_error(fid_eq*, fi_eq_err_entry*, std::uint64_t) { return -FI_EAGAIN; }

ssize_t EventQueue::write(fid_eq* eq, std::uint32_t event, const void* buffer, std::size_t length,
                          std::uint64_t) {
  auto& queue = static_cast<EventQueue&>(*eq);
  if (!queue.may_write_) return -FI_EINVAL;
  queue.push(event, buffer, length);
  return static_cast<ssize_t>(length);
}

const char* EventQueue::error_text(fid_eq*, int prov_errno, const void*, char* buffer,
                                   std::size_t length) {
  const char* text = selvedge_strerror(prov_errno);
  if (buffer != nullptr && length != 0) std::snprintf(buffer, length, "%s", text);
  return text;
}

}  // namespace selvedge::provider
