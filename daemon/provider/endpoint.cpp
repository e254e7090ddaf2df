// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/provider/endpoint.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <utility>

#include "daemon/provider/errors.hpp"
#include "daemon/provider/info.hpp"
#include "daemon/provider/log.hpp"

namespace selvedge::provider {
namespace {

/// How long fi_close waits until all sends are in the rings of their connections.
constexpr std::chrono::seconds kFlushTime(10);

/// Listens on a name that no process at this daemon has. Two processes may have the same number, in
/// namespaces of their own, so the name is tried. Returns 0 or an error of libselvedge.
int listen_on_new_name(selvedge_session* session, std::string& name) {
  static std::atomic<unsigned> number = 0;
  for (int tries = 0; tries < 1'000; ++tries) {
    name = "ofi-" + std::to_string(getpid()) + "-" + std::to_string(number++);
    const int error = selvedge_listen(session, name.c_str());
    if (error != SELVEDGE_E_NAME_TAKEN) return error;
  }
  return SELVEDGE_E_NAME_TAKEN;
}

/// Listens on the name in `bytes`, an address at this daemon, and stores the address. Returns 0 or
/// a negative error of libfabric.
int listen_on(const Domain& domain, const void* bytes, Address& address) {
  const auto wanted = Address::read(bytes);
  if (!wanted) return -FI_EINVAL;
  const std::string name(wanted->name());
  if (Address::make(domain.daemon_address(), name) != wanted) return -FI_EADDRNOTAVAIL;
  // The daemon lets a session listen twice, but two endpoints cannot have the same name.
  if (domain.find(*wanted) != nullptr) return -FI_EADDRINUSE;
  const int error = selvedge_listen(domain.session(), name.c_str());
  if (error != 0) {
    warn("%s: %s", name.c_str(), selvedge_strerror(error));
    return -to_fi_errno(error);
  }
  address = *wanted;
  return 0;
}

}  // namespace

fi_ops Endpoint::base_ops_ = [] {
  fi_ops ops = kNoOps;
  ops.close = close;
  ops.bind = bind;
  ops.control = control;
  return ops;
}();

fi_ops_cm Endpoint::cm_ops_ = {.size = sizeof(fi_ops_cm),
                               .setname = set_name,
                               .getname = get_name,
                               .getpeer = unsupported,
                               .connect = unsupported,
                               .listen = unsupported,
                               .accept = unsupported,
                               .reject = unsupported,
                               .shutdown = unsupported,
                               .join = unsupported};

Endpoint::Endpoint(Domain& domain, const fi_info& info)
    : domain_(domain),
      budget_(domain.unexpected_bytes()),
      caps_(info.caps != 0 ? info.caps : kCaps),
      send_flags_(info.tx_attr != nullptr ? info.tx_attr->op_flags : 0),
      receive_flags_(info.rx_attr != nullptr ? info.rx_attr->op_flags : 0) {
  if ((caps_ & (FI_SEND | FI_RECV)) == 0) caps_ |= FI_SEND | FI_RECV;
}

int Endpoint::open(fid_domain* domain, fi_info* info, fid_ep** ep, void* context) {
  auto& d = static_cast<Domain&>(*domain);
  if (info == nullptr || info->ep_attr == nullptr) return -FI_EINVAL;
  if (info->ep_attr->type != FI_EP_RDM && info->ep_attr->type != FI_EP_UNSPEC) return -FI_ENOSYS;
  if ((info->caps & ~kCaps) != 0) return -FI_ENOSYS;
  const std::lock_guard lock(d.mutex);
  std::unique_ptr<Endpoint> made(new (std::nothrow) Endpoint(d, *info));
  if (made == nullptr) return -FI_ENOMEM;
  if (info->src_addr != nullptr && info->src_addrlen == Address::kBytes) {
    const int error = listen_on(d, info->src_addr, made->address_);
    if (error != 0) return error;
  } else {
    std::string name;
    const int error = listen_on_new_name(d.session(), name);
    if (error != 0) {
      warn("%s: %s", name.c_str(), selvedge_strerror(error));
      return -to_fi_errno(error);
    }
    const auto address = Address::make(d.daemon_address(), name);
    if (!address) return -FI_EADDRNOTAVAIL;
    made->address_ = *address;
  }
  made->fid = {FI_CLASS_EP, context, &base_ops_};
  made->ops = &ep_ops_;
  made->cm = &cm_ops_;
  made->msg = &message_ops_;
  made->tagged = &tagged_ops_;
  d.add(*made);
  ++d.users;
  *ep = made.release();
  return 0;
}

int Endpoint::bind(fid_t f, fid_t to, std::uint64_t flags) {
  Endpoint& endpoint = of(f);
  const std::lock_guard lock(endpoint.domain_.mutex);
  if (endpoint.enabled_) return -FI_EOPBADSTATE;
  switch (to->fclass) {
    case FI_CLASS_AV: {
      auto& vector = object_of<AddressVector, fid_av>(to);
      if (flags != 0 || endpoint.addresses_ != nullptr) return -FI_EINVAL;
      endpoint.addresses_ = &vector;
      ++vector.users;
      return 0;
    }
    case FI_CLASS_CQ:
      return endpoint.bind_queue(object_of<CompletionQueue, fid_cq>(to), flags);
    case FI_CLASS_CNTR:
      return endpoint.bind_counter(object_of<Counter, fid_cntr>(to), flags);
    case FI_CLASS_EQ:  // there are no events of an endpoint without connections
      return 0;
    default:
      return -FI_EINVAL;
  }
}

int Endpoint::bind_queue(CompletionQueue& queue, std::uint64_t flags) {
  if ((flags & ~(FI_TRANSMIT | FI_RECV | FI_SELECTIVE_COMPLETION)) != 0) return -FI_EBADFLAGS;
  const bool sends = (flags & FI_TRANSMIT) != 0, receives = (flags & FI_RECV) != 0;
  if ((!sends && !receives) || (sends && send_queue_ != nullptr) ||
      (receives && receive_queue_ != nullptr))
    return -FI_EINVAL;
  const bool selective = (flags & FI_SELECTIVE_COMPLETION) != 0;
  if (sends) {
    send_queue_ = &queue;
    send_selective_ = selective;
    ++queue.users;
  }
  if (receives) {
    receive_queue_ = &queue;
    receive_selective_ = selective;
    ++queue.users;
  }
  return 0;
}

int Endpoint::bind_counter(Counter& counter, std::uint64_t flags) {
  // Operations on remote memory are not supported, so nothing else is ever counted.
  if ((flags & ~(FI_SEND | FI_RECV)) != 0) return -FI_ENOSYS;
  const bool sends = (flags & FI_SEND) != 0, receives = (flags & FI_RECV) != 0;
  if ((!sends && !receives) || (sends && send_counter_ != nullptr) ||
      (receives && receive_counter_ != nullptr))
    return -FI_EINVAL;
  for (const auto& [wanted, place] :
       {std::pair{sends, &send_counter_}, {receives, &receive_counter_}}) {
    if (!wanted) continue;
    *place = &counter;
    ++counter.users;
  }
  return 0;
}

int Endpoint::control(fid_t f, int command, void* argument) {
  Endpoint& endpoint = of(f);
  const std::lock_guard lock(endpoint.domain_.mutex);
  if (command == FI_ENABLE) return endpoint.enable();
  if (command != FI_GETOPSFLAG && command != FI_SETOPSFLAG) return -FI_ENOSYS;
  auto& flags = *static_cast<std::uint64_t*>(argument);
  const std::uint64_t direction = flags & (FI_TRANSMIT | FI_RECV);
  if (direction != FI_TRANSMIT && direction != FI_RECV) return -FI_EINVAL;
  std::uint64_t& own = direction == FI_TRANSMIT ? endpoint.send_flags_ : endpoint.receive_flags_;
  if (command == FI_GETOPSFLAG) {
    flags = own;
    return 0;
  }
  const std::uint64_t wanted = flags & ~direction;
  if ((wanted & ~(direction == FI_TRANSMIT ? kSendFlags : kReceiveFlags)) != 0)
    return -FI_EBADFLAGS;
  own = wanted;
  return 0;
}

int Endpoint::enable() {
  if (enabled_) return -FI_EOPBADSTATE;
  if (addresses_ == nullptr) return -FI_ENOAV;
  // Whoever reads a queue or a counter makes progress.
  if ((caps_ & FI_SEND) != 0 && send_queue_ == nullptr && send_counter_ == nullptr)
    return -FI_ENOCQ;
  if ((caps_ & FI_RECV) != 0 && receive_queue_ == nullptr && receive_counter_ == nullptr)
    return -FI_ENOCQ;
  enabled_ = true;
  return 0;
}

int Endpoint::set_name(fid_t f, void* address, std::size_t length) {
  Endpoint& endpoint = of(f);
  const std::lock_guard lock(endpoint.domain_.mutex);
  if (endpoint.enabled_) return -FI_EOPBADSTATE;
  if (address == nullptr || length != Address::kBytes) return -FI_EINVAL;
  return listen_on(endpoint.domain_, address, endpoint.address_);
}

int Endpoint::get_name(fid_t f, void* address, std::size_t* length) {
  const Endpoint& endpoint = of(f);
  const std::size_t room = std::exchange(*length, Address::kBytes);
  if (address != nullptr) std::memcpy(address, endpoint.address_.c_str(), std::min(room, *length));
  return room < Address::kBytes ? -FI_ETOOSMALL : 0;
}

void Endpoint::flush(std::unique_lock<std::mutex>& lock) {
  const auto waits = [&] {
    return domain_.has_pending(*this) || std::ranges::any_of(peers_, [](const auto& p) {
             return !p.second->queue.empty() || p.second->copies != 0;
           });
  };
  const auto end = std::chrono::steady_clock::now() + kFlushTime;
  while (waits() && std::chrono::steady_clock::now() < end) {
    domain_.progress();
    lock.unlock();
    domain_.rest();
    lock.lock();
  }
}

int Endpoint::close(fid_t f) {
  std::unique_ptr<Endpoint> endpoint(&of(f));
  Domain& domain = endpoint->domain_;
  std::unique_lock lock(domain.mutex);
  // The application may have its buffers back already (fi_inject), so they are sent now.
  endpoint->flush(lock);
  domain.remove(*endpoint);
  if (endpoint->addresses_ != nullptr) --endpoint->addresses_->users;
  for (CompletionQueue* queue : {endpoint->send_queue_, endpoint->receive_queue_})
    if (queue != nullptr) --queue->users;
  for (Counter* counter : {endpoint->send_counter_, endpoint->receive_counter_})
    if (counter != nullptr) --counter->users;
  --domain.users;
  lock.unlock();
  return 0;
}

}  // namespace selvedge::provider
