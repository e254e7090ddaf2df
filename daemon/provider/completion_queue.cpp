// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/provider/completion_queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "daemon/client/selvedge.h"
#include "daemon/provider/domain.hpp"

namespace selvedge::provider {
namespace {

template <class Entry>
std::byte* append(std::byte* to, const Entry& entry) {
  std::memcpy(to, &entry, sizeof entry);
  return to + sizeof entry;
}

}  // namespace

fi_ops CompletionQueue::base_ops_ = [] {
  fi_ops ops = kNoOps;
  ops.close = close;
  return ops;
}();

fi_ops_cq CompletionQueue::ops_ = {.size = sizeof(fi_ops_cq),
                                   .read = read,
                                   .readfrom = read_from,
                                   .readerr = read_error,
                                   .sread = wait_read,
                                   .sreadfrom = wait_read_from,
                                   .signal = signal,
                                   .strerror = error_text};

int CompletionQueue::open(fid_domain* domain, fi_cq_attr* attr, fid_cq** cq, void* context) {
  // Not supported: wait objects that the application could use itself, and waiting for a number of
  // completions (FI_CQ_COND_THRESHOLD). FI_AFFINITY, a wish for the CPU of interrupts, is ignored.
  if (attr != nullptr && ((attr->wait_obj != FI_WAIT_NONE && attr->wait_obj != FI_WAIT_UNSPEC) ||
                          attr->wait_cond != FI_CQ_COND_NONE || (attr->flags & ~FI_AFFINITY) != 0 ||
                          attr->format > FI_CQ_FORMAT_TAGGED))
    return -FI_ENOSYS;
  auto& d = static_cast<Domain&>(*domain);
  auto* queue = new (std::nothrow) CompletionQueue(d);
  if (queue == nullptr) return -FI_ENOMEM;
  queue->fid = {FI_CLASS_CQ, context, &base_ops_};
  queue->ops = &ops_;
  if (attr != nullptr) {
    queue->may_wait_ = attr->wait_obj == FI_WAIT_UNSPEC;
    if (attr->format == FI_CQ_FORMAT_UNSPEC) attr->format = FI_CQ_FORMAT_TAGGED;
    queue->format_ = attr->format;
  }
  const std::lock_guard lock(d.mutex);
  ++d.users;
  *cq = queue;
  return 0;
}

int CompletionQueue::close(fid_t f) {
  auto& queue = object_of<CompletionQueue, fid_cq>(f);
  {
    const std::lock_guard lock(queue.domain_.mutex);
    if (queue.users != 0) return -FI_EBUSY;
    --queue.domain_.users;
  }
  delete &queue;
  return 0;
}

std::byte* CompletionQueue::write(std::byte* to, const Completion& c) const {
  switch (format_) {
    case FI_CQ_FORMAT_MSG:
      return append(to, fi_cq_msg_entry{c.context, c.flags, c.length});
    case FI_CQ_FORMAT_DATA:
      return append(to, fi_cq_data_entry{c.context, c.flags, c.length, c.buffer, c.data});
    case FI_CQ_FORMAT_TAGGED:
      return append(to, fi_cq_tagged_entry{c.context, c.flags, c.length, c.buffer, c.data, c.tag});
    default:
      return append(to, fi_cq_entry{c.context});
  }
}

ssize_t CompletionQueue::read(fid_cq* cq, void* buffer, std::size_t count) {
  return read_from(cq, buffer, count, nullptr);
}

ssize_t CompletionQueue::read_from(fid_cq* cq, void* buffer, std::size_t count, fi_addr_t* source) {
  CompletionQueue& queue = of(cq);
  {
    const std::lock_guard lock(queue.domain_.mutex);
    // A caller that passes count 0 wants only progress to be made.
    if (queue.entries_.empty() || count == 0) queue.domain_.progress();
    auto* to = static_cast<std::byte*>(buffer);
    std::size_t n = 0;
    for (; n < count && !queue.entries_.empty(); ++n, queue.entries_.pop_front()) {
      const Completion& completion = queue.entries_.front();
      if (completion.err != 0) break;
      to = queue.write(to, completion);
      if (source != nullptr) source[n] = completion.source;
    }
    if (n != 0) return static_cast<ssize_t>(n);
    if (!queue.entries_.empty()) return queue.entries_.front().err != 0 ? -FI_EAVAIL : -FI_EAGAIN;
  }
  queue.domain_.rest();
  return -FI_EAGAIN;
}

ssize_t CompletionQueue::read_error(fid_cq* cq, fi_cq_err_entry* entry, std::uint64_t) {
  CompletionQueue& queue = of(cq);
  const std::lock_guard lock(queue.domain_.mutex);
  if (queue.entries_.empty() || queue.entries_.front().err == 0) return -FI_EAGAIN;
  const Completion c = queue.entries_.front();
  queue.entries_.pop_front();
  // There is never provider-specific error data. Before API 1.5 the entry has no err_data_size.
  if (FI_VERSION_GE(queue.domain_.api_version(), FI_VERSION(1, 5))) entry->err_data_size = 0;
  entry->op_context = c.context;
  entry->flags = c.flags;
  entry->len = c.length;
  entry->buf = c.buffer;
  entry->data = c.data;
  entry->tag = c.tag;
  entry->olen = c.overflow;
  entry->err = c.err;
  entry->prov_errno = c.prov_errno;
  return 1;
}

ssize_t CompletionQueue::wait_read(fid_cq* cq, void* buffer, std::size_t count,
                                   const void* condition, int timeout) {
  return wait_read_from(cq, buffer, count, nullptr, condition, timeout);
}

ssize_t CompletionQueue::wait_read_from(fid_cq* cq, void* buffer, std::size_t count,
                                        fi_addr_t* source, const void*, int timeout) {
  CompletionQueue& queue = of(cq);
  if (!queue.may_wait_) return -FI_ENOSYS;
  ssize_t result = -FI_EAGAIN;
  const bool in_time = queue.domain_.wait(timeout, [&] {
    result = read_from(cq, buffer, count, source);
    const std::lock_guard lock(queue.domain_.mutex);
    return result != -FI_EAGAIN || std::exchange(queue.signalled_, false);
  });
  return in_time ? result : -FI_EAGAIN;
}

int CompletionQueue::signal(fid_cq* cq) {
  CompletionQueue& queue = of(cq);
  if (!queue.may_wait_) return -FI_ENOSYS;
  const std::lock_guard lock(queue.domain_.mutex);
  queue.signalled_ = true;
  return 0;
}

const char* CompletionQueue::error_text(fid_cq*, int prov_errno, const void*, char* buffer,
                                        std::size_t length) {
  const char* text = selvedge_strerror(prov_errno);
  if (buffer != nullptr && length != 0) std::snprintf(buffer, length, "%s", text);
  return text;
}

}  // namespace selvedge::provider
