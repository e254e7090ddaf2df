// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/provider/channel.hpp"

#include <algorithm>
#include <utility>

#include "daemon/provider/domain.hpp"
#include "daemon/provider/endpoint.hpp"

namespace selvedge::provider {
namespace {

/// Packets that are read from one channel before the others have their turn.
constexpr unsigned kPiecesMax = 64;
/// The most bytes of a ring record. The daemon frees a record when its last packet is acknowledged,
/// so longer records would make the sender wait.
constexpr std::size_t kRecordBytes = 64 << 10;

}  // namespace

Channel::Channel(Domain& domain, selvedge_connection* connection, Endpoint* endpoint, Peer* peer)
    : domain_(domain), connection_(connection), endpoint_(endpoint), peer_(peer) {
  if (endpoint != nullptr) promise_ = std::make_shared<Promise>(endpoint->budget());
}

Channel::~Channel() {
  if (promise_ != nullptr) promise_->end();
  selvedge_close(connection_, 0);
}

bool Channel::receive() {
  std::size_t pieces = 0;
  bool ended = false;
  while (pieces < kPiecesMax && error_ == 0) {
    if (selvedge_poll(connection_, SELVEDGE_BYTES) == 0) break;
    selvedge_piece piece;
    error_ = selvedge_borrow(connection_, &piece, 0);
    ended = error_ != 0;
    if (ended) break;
    ++pieces;
    const auto* bytes = static_cast<const std::byte*>(piece.bytes);
    if (!reader_.read({bytes, piece.length}, *this)) error_ = SELVEDGE_E_PROTOCOL;
  }
  if (pieces == 0) return ended;
  const int error = selvedge_return(connection_, pieces);
  if (error_ == 0) error_ = error;
  return true;
}

bool Channel::begin(const Header& header) {
  header_ = header;
  arrival_ = nullptr;
  if (header.kind == Kind::kHello) {
    hello_.clear();
    return endpoint_ == nullptr;
  }
  if (endpoint_ == nullptr) return false;
  switch (header.kind) {
    case Kind::kMessage:
    case Kind::kTagged:
      return begin_message(header);
    case Kind::kPayload:
      return begin_payload(header);
    default:
      return true;
  }
}

bool Channel::begin_message(const Header& header) {
  const bool offered = (header.flags & kOffered) != 0;
  if (!offered && !promise_->arrive(header.length)) return false;
  arrival_ = endpoint_->begin(header, *peer_);
  if (arrival_ == nullptr) return false;
  if (offered) {
    promise_->offered();
    arrival_->channel = this;
    arrival_->number = offers_seen_++;
    offers_.emplace(arrival_->number, Offer{arrival_});
  } else {
    Held held(promise_, header.length);
    if (!arrival_->receive) arrival_->held = std::move(held);
  }
  return true;
}

bool Channel::begin_payload(const Header& header) {
  const auto found = offers_.find(header.tag);
  if (found == offers_.end() || !found->second.fetched || found->second.wanted != header.length)
    return false;
  arrival_ = found->second.arrival;
  return true;
}

void Channel::append(std::span<const std::byte> bytes) {
  if (arrival_ != nullptr)
    Endpoint::append(*arrival_, bytes);
  else
    hello_.insert(hello_.end(), bytes.begin(), bytes.end());
}

bool Channel::end() {
  switch (header_.kind) {
    case Kind::kHello:
      return on_hello();
    case Kind::kProcessed:
      return endpoint_->processed(*peer_);
    case Kind::kFetch:
      return on_fetch(header_);
    case Kind::kCredit:
      return credit_.raise(header_.tag);
    default:
      break;
  }
  const ArrivalPtr arrival = std::exchange(arrival_, nullptr);
  if ((header_.flags & kOffered) != 0) {
    if (arrival->receive) endpoint_->fetch(*arrival);
    return true;
  }
  if (header_.kind == Kind::kPayload) offers_.erase(header_.tag);
  endpoint_->end(arrival);
  if ((arrival->header.flags & kAnswer) != 0) say(Kind::kProcessed);
  return true;
}

bool Channel::on_hello() {
  const auto hello = decode_hello(header_, hello_);
  if (!hello) return false;
  Endpoint* const endpoint = domain_.find(hello->to);
  if (endpoint == nullptr || !endpoint->budget().has_room()) return false;
  endpoint_ = endpoint;
  promise_ = std::make_shared<Promise>(endpoint->budget());
  peer_ = &endpoint->peer(hello->from);
  endpoint->met(*peer_, *this);
  return true;
}

bool Channel::on_fetch(const Header& header) {
  auto found = offered_.extract(header.tag);
  if (found.empty() || header.data > found.mapped().header.length) return false;
  Send& send = pending_.emplace_back(std::move(found.mapped()));
  send.header = {.kind = Kind::kPayload, .length = header.data, .tag = header.tag};
  send.begun = false;
  return true;
}

void Channel::fetch(const Arrival& offer, std::uint64_t wanted) {
  Offer& found = offers_.at(offer.number);
  found.fetched = true;
  found.wanted = wanted;
  say(Kind::kFetch, offer.number, wanted);
}

void Channel::say(Kind kind, std::uint64_t tag, std::uint64_t data) {
  pending_.emplace_back().header = {.kind = kind, .tag = tag, .data = data};
}

void Channel::keep(Send send) { offered_.emplace(offers_made_++, std::move(send)); }

std::vector<ArrivalPtr> Channel::take_unfinished() {
  std::vector<ArrivalPtr> all;
  // The payload of an offer is among the offers.
  if (arrival_ != nullptr && arrival_->channel == nullptr) all.push_back(std::move(arrival_));
  for (auto& [number, offer] : std::exchange(offers_, {})) all.push_back(std::move(offer.arrival));
  arrival_ = nullptr;
  return all;
}

std::vector<Send> Channel::take_offers() {
  std::vector<Send> all;
  for (Send& send : pending_)
    if (send.header.kind == Kind::kPayload) all.push_back(std::move(send));
  pending_.clear();
  for (auto& [number, send] : std::exchange(offered_, {})) all.push_back(std::move(send));
  return all;
}

bool Channel::write_records(Send& send, std::size_t bytes) {
  while (error_ == 0) {
    // This call needs no system call. selvedge_reserve() makes one if the ring is full.
    if (selvedge_poll(connection_, SELVEDGE_ROOM) == 0) return false;
    const std::size_t head = send.begun ? 0 : kHeaderBytes;
    const std::size_t n = std::min(bytes - send.written, kRecordBytes - head);
    void* to = nullptr;
    error_ = selvedge_reserve(connection_, head + n, &to, 0);
    if (error_ != 0) return false;
    auto* at = static_cast<std::byte*>(to);
    if (head != 0) {
      const HeaderBytes header = encode(send.header);
      std::copy(header.begin(), header.end(), at);
    }
    send.buffer.gather(send.written, {at + head, n});
    error_ = selvedge_commit(connection_, head + n);
    send.begun = true;
    send.written += n;
    if (send.written == bytes) return error_ == 0;
  }
  return false;
}

bool Channel::write(Send& send) {
  if (!send.begun) {
    if (!pending_.empty()) flush();
    if (!pending_.empty() || error_ != 0 || selvedge_poll(connection_, SELVEDGE_ROOM) == 0)
      return false;
    if (!credit_.take(send.header.length)) send.header.flags |= kOffered;
  }
  const bool whole = write_records(send, payload_bytes(send.header));
  in_message_ = send.begun && !whole;
  return whole;
}

bool Channel::flush() {
  bool moved = false;
  if (promise_ != nullptr)
    if (const auto granted = promise_->grant()) say(Kind::kCredit, *granted);
  while (!pending_.empty() && !in_message_ && error_ == 0) {
    Send& send = pending_.front();
    const std::size_t before = send.written;
    const bool whole = write_records(send, send.header.length);
    moved |= whole || send.written != before;
    if (!whole) break;
    Send done = std::move(send);
    pending_.pop_front();
    if (done.header.kind == Kind::kPayload) endpoint_->payload_written(*peer_, std::move(done));
  }
  return moved;
}

void Channel::write_hello(const Hello& hello) {
  const HeaderBytes header = encode(hello_header());
  const auto body = encode(hello);
  std::array<std::byte, kHeaderBytes + kHelloBytes> bytes;
  std::copy(body.begin(), body.end(), std::copy(header.begin(), header.end(), bytes.begin()));
  error_ = selvedge_send(connection_, bytes.data(), bytes.size(), 0);
}

}  // namespace selvedge::provider
