// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// libfabric's operations of an endpoint: each is Endpoint::send, receive or cancel with its own
// arguments. Descriptors of registered memory are ignored, because none is needed.
#include "daemon/provider/endpoint.hpp"

namespace selvedge::provider {
namespace {

ssize_t send(fid_ep* ep, const Buffer& buffer, fi_addr_t to, std::uint64_t tag, std::uint64_t data,
             void* context, std::uint64_t flags, bool silent = false) {
  Endpoint& endpoint = Endpoint::of(ep);
  const std::lock_guard lock(endpoint.domain().mutex);
  return endpoint.send(buffer, to, tag, data, context, flags, silent);
}

ssize_t receive(fid_ep* ep, std::uint64_t kind, const Buffer& buffer, fi_addr_t from,
                std::uint64_t tag, std::uint64_t ignore, void* context, std::uint64_t flags) {
  Endpoint& endpoint = Endpoint::of(ep);
  const std::lock_guard lock(endpoint.domain().mutex);
  return endpoint.receive(kind, buffer, from, tag, ignore, context, flags);
}

std::uint64_t send_flags(fid_ep* ep) { return Endpoint::of(ep).send_flags(); }
std::uint64_t receive_flags(fid_ep* ep) { return Endpoint::of(ep).receive_flags(); }

Buffer one(const void* bytes, std::size_t length) {
  const iovec part{const_cast<void*>(bytes), length};
  return {&part, 1};
}

// ---- fi_msg(3) ----

ssize_t msg_recv(fid_ep* ep, void* buf, std::size_t len, void*, fi_addr_t from, void* context) {
  return receive(ep, FI_MSG, one(buf, len), from, 0, 0, context, receive_flags(ep));
}

ssize_t msg_recvv(fid_ep* ep, const iovec* iov, void**, std::size_t count, fi_addr_t from,
                  void* context) {
  if (count > kVectorMax) return -FI_EINVAL;
  return receive(ep, FI_MSG, {iov, count}, from, 0, 0, context, receive_flags(ep));
}

ssize_t msg_recvmsg(fid_ep* ep, const fi_msg* m, std::uint64_t flags) {
  if (m->iov_count > kVectorMax) return -FI_EINVAL;
  return receive(ep, FI_MSG, {m->msg_iov, m->iov_count}, m->addr, 0, 0, m->context, flags);
}

ssize_t msg_send(fid_ep* ep, const void* buf, std::size_t len, void*, fi_addr_t to, void* context) {
  return send(ep, one(buf, len), to, 0, 0, context, send_flags(ep) | FI_MSG);
}

ssize_t msg_sendv(fid_ep* ep, const iovec* iov, void**, std::size_t count, fi_addr_t to,
                  void* context) {
  if (count > kVectorMax) return -FI_EINVAL;
  return send(ep, {iov, count}, to, 0, 0, context, send_flags(ep) | FI_MSG);
}

ssize_t msg_sendmsg(fid_ep* ep, const fi_msg* m, std::uint64_t flags) {
  if (m->iov_count > kVectorMax) return -FI_EINVAL;
  return send(ep, {m->msg_iov, m->iov_count}, m->addr, 0, m->data, m->context, flags | FI_MSG);
}

ssize_t msg_inject(fid_ep* ep, const void* buf, std::size_t len, fi_addr_t to) {
  return send(ep, one(buf, len), to, 0, 0, nullptr, FI_INJECT | FI_MSG, true);
}

ssize_t msg_senddata(fid_ep* ep, const void* buf, std::size_t len, void*, std::uint64_t data,
                     fi_addr_t to, void* context) {
  return send(ep, one(buf, len), to, 0, data, context, send_flags(ep) | FI_REMOTE_CQ_DATA | FI_MSG);
}

ssize_t msg_injectdata(fid_ep* ep, const void* buf, std::size_t len, std::uint64_t data,
                       fi_addr_t to) {
  return send(ep, one(buf, len), to, 0, data, nullptr, FI_INJECT | FI_REMOTE_CQ_DATA | FI_MSG,
              true);
}

// ---- fi_tagged(3) ----

ssize_t tagged_recv(fid_ep* ep, void* buf, std::size_t len, void*, fi_addr_t from,
                    std::uint64_t tag, std::uint64_t ignore, void* context) {
  return receive(ep, FI_TAGGED, one(buf, len), from, tag, ignore, context, receive_flags(ep));
}

ssize_t tagged_recvv(fid_ep* ep, const iovec* iov, void**, std::size_t count, fi_addr_t from,
                     std::uint64_t tag, std::uint64_t ignore, void* context) {
  if (count > kVectorMax) return -FI_EINVAL;
  return receive(ep, FI_TAGGED, {iov, count}, from, tag, ignore, context, receive_flags(ep));
}

ssize_t tagged_recvmsg(fid_ep* ep, const fi_msg_tagged* m, std::uint64_t flags) {
  if (m->iov_count > kVectorMax) return -FI_EINVAL;
  return receive(ep, FI_TAGGED, {m->msg_iov, m->iov_count}, m->addr, m->tag, m->ignore, m->context,
                 flags);
}

ssize_t tagged_send(fid_ep* ep, const void* buf, std::size_t len, void*, fi_addr_t to,
                    std::uint64_t tag, void* context) {
  return send(ep, one(buf, len), to, tag, 0, context, send_flags(ep) | FI_TAGGED);
}

ssize_t tagged_sendv(fid_ep* ep, const iovec* iov, void**, std::size_t count, fi_addr_t to,
                     std::uint64_t tag, void* context) {
  if (count > kVectorMax) return -FI_EINVAL;
  return send(ep, {iov, count}, to, tag, 0, context, send_flags(ep) | FI_TAGGED);
}

ssize_t tagged_sendmsg(fid_ep* ep, const fi_msg_tagged* m, std::uint64_t flags) {
  if (m->iov_count > kVectorMax) return -FI_EINVAL;
  return send(ep, {m->msg_iov, m->iov_count}, m->addr, m->tag, m->data, m->context,
              flags | FI_TAGGED);
}

ssize_t tagged_inject(fid_ep* ep, const void* buf, std::size_t len, fi_addr_t to,
                      std::uint64_t tag) {
  return send(ep, one(buf, len), to, tag, 0, nullptr, FI_INJECT | FI_TAGGED, true);
}

ssize_t tagged_senddata(fid_ep* ep, const void* buf, std::size_t len, void*, std::uint64_t data,
                        fi_addr_t to, std::uint64_t tag, void* context) {
  return send(ep, one(buf, len), to, tag, data, context,
              send_flags(ep) | FI_REMOTE_CQ_DATA | FI_TAGGED);
}

ssize_t tagged_injectdata(fid_ep* ep, const void* buf, std::size_t len, std::uint64_t data,
                          fi_addr_t to, std::uint64_t tag) {
  return send(ep, one(buf, len), to, tag, data, nullptr, FI_INJECT | FI_REMOTE_CQ_DATA | FI_TAGGED,
              true);
}

// ---- fi_endpoint(3) ----

ssize_t cancel(fid_t f, void* context) {
  Endpoint& endpoint = Endpoint::of(f);
  const std::lock_guard lock(endpoint.domain().mutex);
  return endpoint.cancel(context);
}

int get_option(fid_t, int, int, void*, std::size_t*) { return -FI_ENOPROTOOPT; }
int set_option(fid_t, int, int, const void*, std::size_t) { return -FI_ENOPROTOOPT; }

}  // namespace

fi_ops_ep Endpoint::ep_ops_ = {.size = sizeof(fi_ops_ep),
                               .cancel = provider::cancel,
                               .getopt = get_option,
                               .setopt = set_option,
                               .tx_ctx = unsupported,
                               .rx_ctx = unsupported,
                               .rx_size_left = unsupported,
                               .tx_size_left = unsupported};

fi_ops_msg Endpoint::message_ops_ = {.size = sizeof(fi_ops_msg),
                                     .recv = msg_recv,
                                     .recvv = msg_recvv,
                                     .recvmsg = msg_recvmsg,
                                     .send = msg_send,
                                     .sendv = msg_sendv,
                                     .sendmsg = msg_sendmsg,
                                     .inject = msg_inject,
                                     .senddata = msg_senddata,
                                     .injectdata = msg_injectdata};

fi_ops_tagged Endpoint::tagged_ops_ = {.size = sizeof(fi_ops_tagged),
                                       .recv = tagged_recv,
                                       .recvv = tagged_recvv,
                                       .recvmsg = tagged_recvmsg,
                                       .send = tagged_send,
                                       .sendv = tagged_sendv,
                                       .sendmsg = tagged_sendmsg,
                                       .inject = tagged_inject,
                                       .senddata = tagged_senddata,
                                       .injectdata = tagged_injectdata};

}  // namespace selvedge::provider
