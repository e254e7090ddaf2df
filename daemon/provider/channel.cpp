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
  const bool known = endpoint_ != nullptr;
  switch (header.kind) {
    case Kind::kHello:
      hello_.clear();
      return !known;
    case Kind::kProcessed:
      return known;
    default:
      if (known) arrival_ = endpoint_->begin(header, *peer_);
      return arrival_ != nullptr;
  }
}

void Channel::append(std::span<const std::byte> bytes) {
  if (arrival_ != nullptr)
    Endpoint::append(*arrival_, bytes);
  else
    hello_.insert(hello_.end(), bytes.begin(), bytes.end());
}

bool Channel::end() {
  if (header_.kind == Kind::kHello) {
    const auto hello = decode_hello(header_, hello_);
    if (!hello) return false;
    endpoint_ = domain_.find(hello->to);
    if (endpoint_ == nullptr) return false;
    peer_ = &endpoint_->peer(hello->from);
    endpoint_->met(*peer_, *this);
  } else if (header_.kind == Kind::kProcessed) {
    return endpoint_->processed(*peer_);
  } else {
    endpoint_->end(std::exchange(arrival_, nullptr));
  }
  return true;
}

bool Channel::write(Send& send) {
  while (error_ == 0) {
    // This call needs no system call. selvedge_reserve() makes one if the ring is full.
    if (selvedge_poll(connection_, SELVEDGE_ROOM) == 0) return false;
    const std::size_t head = send.begun ? 0 : kHeaderBytes;
    const std::size_t n = std::min(send.buffer.bytes - send.written, kRecordBytes - head);
    void* to = nullptr;
    error_ = selvedge_reserve(connection_, head + n, &to, 0);
    if (error_ != 0) return false;
    auto* bytes = static_cast<std::byte*>(to);
    if (head != 0) {
      const HeaderBytes header = encode(send.header);
      std::copy(header.begin(), header.end(), bytes);
    }
    send.buffer.gather(send.written, {bytes + head, n});
    error_ = selvedge_commit(connection_, head + n);
    send.begun = true;
    send.written += n;
    if (send.written == send.buffer.bytes) return error_ == 0;
  }
  return false;
}

void Channel::write_hello(const Hello& hello) {
  const HeaderBytes header = encode(hello_header());
  const auto body = encode(hello);
  std::array<std::byte, kHeaderBytes + kHelloBytes> bytes;
  std::copy(body.begin(), body.end(), std::copy(header.begin(), header.end(), bytes.begin()));
  error_ = selvedge_send(connection_, bytes.data(), bytes.size(), 0);
}

}  // namespace selvedge::provider
