// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <algorithm>
#include <new>

#include "daemon/provider/endpoint.hpp"
#include "daemon/provider/errors.hpp"

namespace selvedge::provider {

ArrivalPtr Endpoint::begin(const Header& header, Peer& from) {
  auto arrival = std::make_shared<Arrival>();
  arrival->header = header;
  arrival->from = &from;
  Matching& queue = matching(header.kind);
  arrival->receive = queue.take_receive(header, &from);
  if (arrival->receive) return arrival;
  // No posted receive matches the message, so it is stored, or stays with the sender: a receive may
  // match one that follows it on the connection.
  if (payload_bytes(header) != 0) {
    arrival->stored.reset(new (std::nothrow) std::byte[header.length]);
    if (arrival->stored == nullptr) return nullptr;
  }
  queue.wait(arrival);
  return arrival;
}

void Endpoint::append(Arrival& arrival, std::span<const std::byte> bytes) {
  if (arrival.stored != nullptr)
    std::copy(bytes.begin(), bytes.end(), arrival.stored.get() + arrival.arrived);
  else
    arrival.receive->buffer.scatter(arrival.arrived, bytes);
  arrival.arrived += bytes.size();
}

void Endpoint::end(const ArrivalPtr& arrival) {
  arrival->complete = true;
  if (arrival->receive) received(*arrival);
}

void Endpoint::fetch(Arrival& offer) {
  const std::uint64_t wanted =
      offer.receive ? std::min<std::uint64_t>(offer.header.length, offer.receive->buffer.bytes) : 0;
  if (offer.own == nullptr) return offer.channel->fetch(offer, wanted);
  const std::unique_ptr<Send> own = std::move(offer.own);
  if (own->inject) --offer.from->copies;
  if (offer.receive) {
    std::size_t left = wanted;
    for (std::size_t i = 0; i < own->buffer.count && left != 0; ++i) {
      const iovec& part = own->buffer.parts[i];
      const std::size_t n = std::min(left, part.iov_len);
      append(offer, {static_cast<const std::byte*>(part.iov_base), n});
      left -= n;
    }
    received(offer);
  }
  sent(*own);
}

void Endpoint::take(const ArrivalPtr& arrival, const Receive& receive) {
  arrival->receive = receive;
  if ((arrival->header.flags & kOffered) != 0)
    fetch(*arrival);
  else if (arrival->complete)
    received(*arrival);
}

void Endpoint::discard(Arrival& arrival) {
  if ((arrival.header.flags & kOffered) != 0) fetch(arrival);
}

void Endpoint::received(const Arrival& arrival) {
  const Receive& receive = *arrival.receive;
  if (arrival.stored != nullptr) receive.buffer.scatter(0, {arrival.stored.get(), arrival.arrived});
  Completion completion = describe(arrival, receive);
  if (arrival.header.length > receive.buffer.bytes) {
    completion.length = receive.buffer.bytes;
    completion.overflow = arrival.header.length - receive.buffer.bytes;
    completion.err = FI_ETRUNC;
  }
  if (receive_counter_ != nullptr) receive_counter_->count(completion.err == 0);
  report(completion, receive.completion);
}

void Endpoint::broken(const ArrivalPtr& arrival, int error) {
  matching(arrival->header.kind).remove(arrival);
  std::erase_if(claimed_, [&](const auto& claimed) { return claimed.second == arrival; });
  if (!arrival->receive) return;
  Completion completion = describe(*arrival, *arrival->receive);
  completion.length = 0;
  completion.err = to_fi_errno(error);
  completion.prov_errno = error;
  if (receive_counter_ != nullptr) receive_counter_->count(false);
  report(completion, true);
}

Completion Endpoint::describe(const Arrival& arrival, const Receive& receive) const {
  const Header& header = arrival.header;
  return {.context = receive.context,
          .flags = FI_RECV | (header.kind == Kind::kTagged ? FI_TAGGED : FI_MSG) |
                   ((header.flags & kHasData) != 0 ? FI_REMOTE_CQ_DATA : 0),
          .length = header.length,
          .buffer = receive.buffer.begin(),
          .data = header.data,
          .tag = header.tag,
          .source = (caps_ & FI_SOURCE) != 0 ? addresses_->number(arrival.from->address)
                                             : FI_ADDR_NOTAVAIL};
}

void Endpoint::report(const Completion& completion, bool success_too) {
  if (receive_queue_ != nullptr && (success_too || completion.err != 0))
    receive_queue_->push(completion);
}

ssize_t Endpoint::receive(std::uint64_t kind, const Buffer& buffer, fi_addr_t from,
                          std::uint64_t tag, std::uint64_t ignore, void* context,
                          std::uint64_t flags) {
  if (!enabled_) return -FI_EOPBADSTATE;
  if ((caps_ & kind) == 0 || (caps_ & FI_RECV) == 0) return -FI_ENOSYS;
  // A message without a tag can be neither looked for nor claimed (fi_tagged(3)).
  const std::uint64_t looking = kind == FI_TAGGED ? FI_PEEK | FI_CLAIM | FI_DISCARD : 0;
  if ((flags & ~(kReceiveFlags | looking)) != 0) return -FI_EBADFLAGS;
  Receive receive{.buffer = buffer,
                  .tag = tag,
                  .ignore = ignore,
                  .context = context,
                  .completion = !receive_selective_ || (flags & FI_COMPLETION) != 0};
  if ((caps_ & FI_DIRECTED_RECV) != 0 && from != FI_ADDR_UNSPEC) {
    receive.source = find_peer(from);
    if (receive.source == nullptr) return -FI_EINVAL;
  }
  Matching& queue = kind == FI_TAGGED ? tagged_ : untagged_;
  if ((flags & FI_PEEK) != 0) return peek(queue, receive, flags, kind);
  if ((flags & FI_CLAIM) != 0) return claim(receive, flags, kind);
  if ((flags & FI_DISCARD) != 0) return -FI_EBADFLAGS;
  if (const ArrivalPtr arrival = queue.find(receive)) {
    queue.remove(arrival);
    take(arrival, receive);
  } else {
    queue.post(std::move(receive));
  }
  return 0;
}

ssize_t Endpoint::peek(Matching& queue, const Receive& wanted, std::uint64_t flags,
                       std::uint64_t kind) {
  if ((flags & (FI_CLAIM | FI_DISCARD)) == (FI_CLAIM | FI_DISCARD)) return -FI_EBADFLAGS;
  if ((flags & FI_CLAIM) != 0 && wanted.context == nullptr) return -FI_EINVAL;
  ArrivalPtr arrival = queue.find(wanted);
  if (arrival == nullptr) {
    domain_.progress();
    arrival = queue.find(wanted);
  }
  if (arrival == nullptr) {
    report(
        {.context = wanted.context, .flags = FI_RECV | kind, .tag = wanted.tag, .err = FI_ENOMSG},
        true);
    return 0;
  }
  Completion completion = describe(*arrival, wanted);
  completion.buffer = nullptr;  // no data is returned
  if ((flags & (FI_CLAIM | FI_DISCARD)) != 0) queue.remove(arrival);
  if ((flags & FI_CLAIM) != 0) claimed_[wanted.context] = arrival;
  if ((flags & FI_DISCARD) != 0) discard(*arrival);
  report(completion, wanted.completion);
  return 0;
}

ssize_t Endpoint::claim(const Receive& receive, std::uint64_t flags, std::uint64_t kind) {
  const auto found = claimed_.find(receive.context);
  if (found == claimed_.end()) return -FI_EINVAL;
  const ArrivalPtr arrival = std::move(found->second);
  claimed_.erase(found);
  if ((flags & FI_DISCARD) == 0) {
    take(arrival, receive);
    return 0;
  }
  discard(*arrival);
  report({.context = receive.context, .flags = FI_RECV | kind, .tag = arrival->header.tag},
         receive.completion);
  return 0;
}

ssize_t Endpoint::cancel(void* context) {
  for (const Kind kind : {Kind::kTagged, Kind::kMessage}) {
    if (!matching(kind).cancel(context)) continue;
    if (receive_counter_ != nullptr) receive_counter_->count(false);
    report({.context = context,
            .flags = FI_RECV | (kind == Kind::kTagged ? FI_TAGGED : FI_MSG),
            .err = FI_ECANCELED},
           true);
    return 0;
  }
  for (Peer* peer : busy_) {
    const auto found = std::ranges::find_if(
        peer->queue, [&](const Send& s) { return !s.begun && s.completion.context == context; });
    if (found == peer->queue.end()) continue;
    failed(*found, FI_ECANCELED, 0);
    peer->queue.erase(found);
    return 0;
  }
  return -FI_ENOENT;
}

}  // namespace selvedge::provider
