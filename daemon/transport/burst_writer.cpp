// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/burst_writer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace selvedge::transport {

using protocol::Burst;
using protocol::Bytes;
using protocol::Connection;
using protocol::kClearHeadBytes;
using protocol::kHeaderBytes;
using protocol::PeerAddress;
using protocol::PeerLayout;

namespace {

constexpr std::size_t kSealedBytesMax =
    kHeaderBytes + protocol::kPayloadBytesMax + protocol::kSealBytes;

/// The bytes of a BurstWriter::Item (a protected type) in one piece.
std::vector<std::byte> bytes_of(const auto& item) {
  std::vector<std::byte> bytes(item.header, item.header + item.header_bytes);
  bytes.insert(bytes.end(), item.data, item.data + item.length);
  return bytes;
}

}  // namespace

BurstWriter::BurstWriter(const ImpairConfig& config, std::unique_ptr<protocol::Seal> seal,
                         const protocol::Shard& shard)
    : impair_(config),
      seal_(std::move(seal)),
      shard_(shard),
      headers_(std::size_t{kItemsMax} * kClearHeadBytes) {
  items_.reserve(kItemsMax);
  if (seal_) sealed_.resize(protocol::kBurstPacketsMax * kSealedBytesMax);
}

BurstWriter::Item BurstWriter::item(const Connection& connection, const Burst& burst, unsigned i) {
  const protocol::Outgoing& p = burst.packets[i];
  std::byte* header = headers_.data() + std::size_t{i} * kClearHeadBytes;
  encode(connection.data_header(p, burst.path), header);
  if (!seal_) {
    protocol::put_crc(header, {p.data, p.length});
    return {header, p.data, kClearHeadBytes, p.length, true};
  }
  std::byte* to = sealed_.data() + i * kSealedBytesMax;
  const std::size_t size = seal_->seal(connection.peer(), connection.peer_layout().worker,
                                       burst.path, {header, kHeaderBytes}, {p.data, p.length}, to);
  return whole({to, size});
}

void BurstWriter::control(const PeerAddress& to, PeerLayout peer, std::uint8_t path,
                          Bytes datagram) {
  std::array<std::byte, protocol::kControlBytesMax + protocol::kSealBytes> sealed;
  std::array<std::byte, kClearHeadBytes> head;
  if (seal_)
    datagram = {sealed.data(), seal_->seal(to, peer.worker, path, datagram, {}, sealed.data())};
  Item item = whole(datagram);
  // What is said to daemons of version 1 (old_version.hpp) has no CRC.
  if (!seal_ && protocol::has_crc(datagram)) {
    std::ranges::copy(datagram.first(kHeaderBytes), head.begin());
    protocol::put_crc(head.data(), datagram.subspan(kHeaderBytes));
    item = {head.data(), datagram.data() + kHeaderBytes, head.size(),
            datagram.size() - kHeaderBytes};
  }
  unsigned copies = 1;
  if (impair_.active()) {
    const Impair::Fate fate = impair_.fate(path);
    if (fate == Impair::Fate::kDropped) return;
    if (fate == Impair::Fate::kDuplicated) copies = 2;
    const auto copy = [&] {
      return Impair::Delayed{.since_ns = now_,
                             .to = to,
                             .peer = peer,
                             .path = path,
                             .bytes = bytes_of(item),
                             .control = true};
    };
    if (fate == Impair::Fate::kDelayed) return impair_.delay(copy());
    if (impair_.jitters(path))
      for (; copies > 0; --copies) impair_.delay_by_jitter(copy());
  }
  for (; copies > 0; --copies) send_items(to, peer, path, &item, 1);
}

void BurstWriter::data(const Connection& connection, const Burst& burst) {
  if (impair_.active()) return send_impaired(connection, burst);
  items_.clear();
  for (unsigned i = 0; i < burst.count; ++i) items_.push_back(item(connection, burst, i));
  send_items(connection.peer(), connection.peer_layout(), burst.path, items_.data(), burst.count);
}

void BurstWriter::send_impaired(const Connection& connection, const Burst& burst) {
  items_.clear();
  for (unsigned i = 0; i < burst.count; ++i) {
    const Item item = this->item(connection, burst, i);
    const auto copy = [&] {
      Impair::Delayed delayed = impair_.reuse();
      delayed.since_ns = now_;
      delayed.to = connection.peer();
      delayed.peer = connection.peer_layout();
      delayed.path = burst.path;
      delayed.bytes.insert(delayed.bytes.end(), item.header, item.header + item.header_bytes);
      delayed.bytes.insert(delayed.bytes.end(), item.data, item.data + item.length);
      return delayed;
    };
    const auto pass = [&] {
      if (impair_.jitters(burst.path))
        impair_.delay_by_jitter(copy());
      else
        items_.push_back(item);
    };
    switch (impair_.fate(burst.path)) {
      case Impair::Fate::kDropped:
        break;
      case Impair::Fate::kDuplicated:
        pass();
        pass();
        break;
      case Impair::Fate::kPassed:
        pass();
        break;
      case Impair::Fate::kDelayed:
        impair_.delay(copy());
        break;
    }
  }
  // Delayed packets to the same peer are sent with this burst. So a delayed packet costs no extra
  // system call, and benchmarks with reordering measure the receiver. But a handshake from the port
  // of another path would be taken for one of another daemon, and its cookie would never be good.
  if (impair_.has_delayed())
    impair_.release(now_, [&](Impair::Delayed& h) { released_.push_back(std::move(h)); });
  for (const Impair::Delayed& h : released_) {
    const Item item = whole(h.bytes);
    if (!h.control && h.to == connection.peer() && h.peer == connection.peer_layout() &&
        items_.size() < kItemsMax)
      items_.push_back(item);
    else
      send_items(h.to, h.peer, h.path, &item, 1);
  }
  if (!items_.empty())
    send_items(connection.peer(), connection.peer_layout(), burst.path, items_.data(),
               static_cast<unsigned>(items_.size()));
  for (Impair::Delayed& h : released_) impair_.recycle(std::move(h));
  released_.clear();
}

void BurstWriter::release_delayed(protocol::TimeNs now) {
  now_ = now;
  if (!impair_.has_delayed()) return;
  impair_.release(now, [&](Impair::Delayed& h) {
    const Item item = whole(h.bytes);
    send_items(h.to, h.peer, h.path, &item, 1);
    impair_.recycle(std::move(h));
  });
}

}  // namespace selvedge::transport
