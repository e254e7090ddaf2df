// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <utility>

#include "daemon/provider/endpoint.hpp"
#include "daemon/provider/errors.hpp"
#include "daemon/provider/log.hpp"

namespace selvedge::provider {

Peer& Endpoint::peer(const Address& address) {
  std::unique_ptr<Peer>& peer = peers_[address];
  if (peer == nullptr) peer = std::make_unique<Peer>(address);
  return *peer;
}

Peer* Endpoint::find_peer(fi_addr_t number) {
  const Address* address = addresses_->address(number);
  return address == nullptr ? nullptr : &peer(*address);
}

void Endpoint::mark_busy(Peer& peer) {
  if (!std::exchange(peer.busy, true)) busy_.push_back(&peer);
}

ssize_t Endpoint::send(const Buffer& buffer, fi_addr_t to, std::uint64_t tag, std::uint64_t data,
                       void* context, std::uint64_t flags, bool silent) {
  const std::uint64_t kind = flags & (FI_MSG | FI_TAGGED);
  if (!enabled_) return -FI_EOPBADSTATE;
  if ((caps_ & kind) == 0 || (caps_ & FI_SEND) == 0) return -FI_ENOSYS;
  if ((flags & ~(kSendFlags | kind)) != 0) return -FI_EBADFLAGS;
  if (buffer.bytes > kMessageBytesMax) return -FI_EMSGSIZE;
  const bool inject = (flags & FI_INJECT) != 0;
  if (inject && buffer.bytes > kInjectBytesMax) return -FI_EINVAL;
  Peer* const peer = find_peer(to);
  if (peer == nullptr) return -FI_EINVAL;
  const auto full = [&] {
    return peer->queue.size() >= kQueueMax || (inject && peer->copies >= kQueueMax);
  };
  if (full()) {
    domain_.progress();
    if (full()) return -FI_EAGAIN;
  }
  Send send;
  const bool has_data = (flags & FI_REMOTE_CQ_DATA) != 0;
  send.level = (flags & FI_DELIVERY_COMPLETE) != 0   ? FI_DELIVERY_COMPLETE
               : (flags & FI_TRANSMIT_COMPLETE) != 0 ? FI_TRANSMIT_COMPLETE
                                                     : FI_INJECT_COMPLETE;
  send.header = {
      .kind = kind == FI_TAGGED ? Kind::kTagged : Kind::kMessage,
      .flags = static_cast<std::uint8_t>((has_data ? kHasData : 0) |
                                         (send.level == FI_DELIVERY_COMPLETE ? kAnswer : 0)),
      .length = buffer.bytes,
      .tag = tag,
      .data = data};
  send.buffer = buffer;
  send.inject = inject;
  send.completion = {.context = context, .flags = FI_SEND | kind};
  send.reported = !silent && (!send_selective_ || (flags & FI_COMPLETION) != 0);
  // Most often the ring takes it at once, and nothing has to be kept.
  if (peer->queue.empty() && peer->channel != nullptr && peer->channel->write(send)) {
    written(*peer, std::move(send));
    return 0;
  }
  if (inject) copy(send);
  peer->queue.push_back(std::move(send));
  mark_busy(*peer);
  push(*peer);
  return 0;
}

void Endpoint::copy(Send& send) {
  send.copy.resize(send.buffer.bytes);
  send.buffer.gather(0, send.copy);
  const iovec all{send.copy.data(), send.copy.size()};
  send.buffer = Buffer(&all, 1);
}

void Endpoint::connect(Peer& peer) {
  const int error = selvedge_connect_start(domain_.session(), peer.address.c_str(), &peer.request);
  peer.connecting = error == 0;
  if (error != 0) fail_all(peer, error);
}

bool Endpoint::push(Peer& peer) {
  bool moved = false;
  while (!peer.queue.empty()) {
    const bool to_self = peer.address == address_;
    if (!to_self) {
      if (peer.channel == nullptr) {
        if (!peer.connecting) connect(peer);
        return moved;
      }
      if (!peer.channel->write(peer.queue.front())) return moved;
    }
    moved = true;
    Send send = std::move(peer.queue.front());
    peer.queue.pop_front();
    if (to_self)
      send_to_self(peer, std::move(send));
    else
      written(peer, std::move(send));
  }
  return moved;
}

void Endpoint::send_to_self(Peer& peer, Send send) {
  if (const auto granted = own_promise_->grant()) own_credit_.raise(*granted);
  const bool eager = own_credit_.take(send.header.length);
  if (!eager) send.header.flags |= kOffered;
  const ArrivalPtr arrival = begin(send.header, peer);
  if (arrival == nullptr) return failed(send, FI_ENOMEM, 0);
  if (!eager) {
    own_promise_->offered();
    if (send.inject) ++peer.copies;
    arrival->own = std::make_unique<Send>(std::move(send));
    if (arrival->receive) fetch(*arrival);
    return;
  }
  own_promise_->arrive(send.header.length);
  Held held(own_promise_, send.header.length);
  if (!arrival->receive) arrival->held = std::move(held);
  for (std::size_t i = 0; i < send.buffer.count; ++i) {
    const iovec& part = send.buffer.parts[i];
    append(*arrival, {static_cast<const std::byte*>(part.iov_base), part.iov_len});
  }
  end(arrival);
  sent(send);  // what all levels wait for has happened
}

void Endpoint::written(Peer& peer, Send send) {
  if (send.offered()) {
    if (send.inject) {
      if (send.copy.empty()) copy(send);
      ++peer.copies;
    }
    return peer.channel->keep(std::move(send));
  }
  if (send.level == FI_INJECT_COMPLETE) return sent(send);
  // The bytes are in the ring, so the application's buffer is not used any more.
  send.copy.clear();
  if (send.level == FI_DELIVERY_COMPLETE)
    peer.unprocessed.push_back(std::move(send));
  else
    peer.unacknowledged.push_back({peer.channel->position(), std::move(send)});
  mark_busy(peer);
}

void Endpoint::payload_written(Peer& peer, Send send) {
  if (send.inject) --peer.copies;
  written(peer, std::move(send));
}

void Endpoint::sent(const Send& send) {
  if (send_counter_ != nullptr) send_counter_->count(true);
  if (send.reported && send_queue_ != nullptr) send_queue_->push(send.completion);
}

void Endpoint::failed(const Send& send, int err, int prov_errno) {
  if (send_counter_ != nullptr) send_counter_->count(false);
  if (send_queue_ == nullptr) return;
  Completion completion = send.completion;
  completion.err = err;
  completion.prov_errno = prov_errno;
  send_queue_->push(completion);
}

bool Endpoint::processed(Peer& peer) {
  if (peer.unprocessed.empty()) return false;
  sent(peer.unprocessed.front());
  peer.unprocessed.pop_front();
  return true;
}

bool Endpoint::progress() {
  bool moved = false;
  for (std::size_t i = 0; i < busy_.size();) {
    Peer& peer = *busy_[i];
    if (peer.connecting) {
      selvedge_connection* connection = nullptr;
      const int error = selvedge_connect_finish(domain_.session(), peer.request, &connection, 0);
      if (error != SELVEDGE_E_TIMEOUT) {
        moved = true;
        peer.connecting = false;
        if (error != 0) {
          fail_all(peer, error);
        } else {
          peer.channel = &domain_.add_channel(connection, this, &peer);
          peer.channel->write_hello({peer.address, address_});
        }
      }
    }
    moved |= push(peer);
    while (!peer.unacknowledged.empty() && peer.channel != nullptr &&
           peer.unacknowledged.front().position <= peer.channel->delivered()) {
      sent(peer.unacknowledged.front().send);
      peer.unacknowledged.pop_front();
      moved = true;
    }
    if (!peer.idle()) {
      ++i;
      continue;
    }
    peer.busy = false;
    busy_[i] = busy_.back();
    busy_.pop_back();
  }
  return moved;
}

void Endpoint::met(Peer& peer, Channel& channel) {
  // If both sides connect at the same time, each sends over its own channel. Changing channels
  // could reorder messages.
  if (peer.channel == nullptr && !peer.connecting) peer.channel = &channel;
}

void Endpoint::lost(Channel& channel, int error) {
  Peer* const peer = channel.peer();
  for (const ArrivalPtr& arrival : channel.take_unfinished()) broken(arrival, error);
  if (peer->channel != &channel) return;
  // What the peer's daemon has acknowledged is sent, whatever happened after that.
  while (!peer->unacknowledged.empty() &&
         peer->unacknowledged.front().position <= channel.delivered()) {
    sent(peer->unacknowledged.front().send);
    peer->unacknowledged.pop_front();
  }
  peer->channel = nullptr;
  peer->copies = 0;
  for (Send& offer : channel.take_offers()) peer->queue.push_back(std::move(offer));
  fail_all(*peer, error);
}

void Endpoint::fail_all(Peer& peer, int error) {
  const int err = to_fi_errno(error);
  // No warning if no send to the peer is pending.
  if (!peer.queue.empty() || !peer.unacknowledged.empty() || !peer.unprocessed.empty())
    warn("sends fail: %s: %s", peer.address.c_str(), selvedge_strerror(error));
  for (const Peer::Unacknowledged& u : std::exchange(peer.unacknowledged, {}))
    failed(u.send, err, error);
  for (const Send& s : std::exchange(peer.unprocessed, {})) failed(s, err, error);
  for (const Send& s : std::exchange(peer.queue, {})) failed(s, err, error);
}

}  // namespace selvedge::provider
