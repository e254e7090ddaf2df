// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/ud_queue.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace selvedge::transport {
namespace {

constexpr std::size_t kCacheLine = 64;

std::size_t stride_of(std::size_t packet_bytes) {
  return (kGrhBytes + packet_bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
}

}  // namespace

std::size_t UdQueue::memory_bytes(std::size_t packet_bytes) {
  return (kSendPackets + kReceivePackets) * stride_of(packet_bytes);
}

UdQueue::UdQueue(const Shared& shared, std::uint8_t index, std::byte* memory)
    : shared_(shared), index_(index), memory_(memory), stride_(stride_of(shared.packet_bytes)) {
  send_sges_.resize(kSendPackets);
  sends_.resize(kSendPackets);
  receive_sges_.resize(kReceivePackets);
  receives_.resize(kReceivePackets);
  free_.reserve(kReceivePackets);
  ibv_qp_init_attr init{};
  init.send_cq = shared_.sent;
  init.recv_cq = shared_.received;
  init.cap.max_send_wr = kSendPackets;
  init.cap.max_recv_wr = kReceivePackets;
  init.cap.max_send_sge = init.cap.max_recv_sge = 1;
  init.qp_type = IBV_QPT_UD;
  pair_ = ibv_create_qp(shared_.domain, &init);
  if (pair_ != nullptr && make_ready()) return;
  const EnvironmentError error(
      fmt::format("cannot create a UD queue pair: {}", std::strerror(errno)), "the verbs device",
      "reduce [verbs] paths, or see what limits queue pairs of this device");
  if (pair_ != nullptr) ibv_destroy_qp(pair_);
  throw error;
}

UdQueue::~UdQueue() { ibv_destroy_qp(pair_); }

bool UdQueue::make_ready() {
  ibv_qp_attr a{};
  a.qp_state = IBV_QPS_INIT;
  a.port_num = shared_.port;
  a.qkey = shared_.qkey;
  if (ibv_modify_qp(pair_, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY) != 0)
    return false;
  free_.clear();
  for (unsigned i = 0; i < kReceivePackets; ++i) free_.push_back(static_cast<std::uint16_t>(i));
  if (!post_receives()) return false;
  a.qp_state = IBV_QPS_RTR;
  if (ibv_modify_qp(pair_, &a, IBV_QP_STATE) != 0) return false;
  a.qp_state = IBV_QPS_RTS;
  a.sq_psn = 0;
  return ibv_modify_qp(pair_, &a, IBV_QP_STATE | IBV_QP_SQ_PSN) == 0;
}

bool UdQueue::reset() {
  ibv_qp_attr a{};
  a.qp_state = IBV_QPS_RESET;
  if (ibv_modify_qp(pair_, &a, IBV_QP_STATE) != 0) return false;
  ++generation_;
  posted_ = completed_ = put_ = 0;
  if (!make_ready()) return false;
  broken_ = false;
  return true;
}

void UdQueue::put(const Packet& packet) {
  const unsigned slot = (posted_ + put_) % kSendPackets;
  std::byte* to = send_slot(slot);
  std::memcpy(to, packet.header, packet.header_bytes);
  if (packet.data_bytes != 0) std::memcpy(to + packet.header_bytes, packet.data, packet.data_bytes);
  ibv_sge& sge = send_sges_[put_];
  sge.addr = reinterpret_cast<std::uintptr_t>(to);
  sge.length = static_cast<std::uint32_t>(packet.header_bytes + packet.data_bytes);
  sge.lkey = shared_.lkey;
  ++put_;
}

unsigned UdQueue::flush(ibv_ah* to, std::uint32_t number, std::uint32_t qkey) {
  const std::uint32_t count = put_;
  put_ = 0;
  if (count == 0) return 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    ibv_send_wr& w = sends_[i];
    w = {};
    w.next = i + 1 < count ? &sends_[i + 1] : nullptr;
    w.sg_list = &send_sges_[i];
    w.num_sge = 1;
    w.opcode = IBV_WR_SEND;
    w.wr.ud.ah = to;
    w.wr.ud.remote_qpn = number;
    w.wr.ud.remote_qkey = qkey;
    // Every request has an id, because an error completes unsignaled requests too.
    w.wr_id = WorkId{.generation = generation_,
                     .queue = index_,
                     .slot = static_cast<std::uint16_t>((posted_ + i) % kSendPackets)}
                  .packed();
  }
  sends_[count - 1].send_flags = IBV_SEND_SIGNALED;
  ibv_send_wr* bad = nullptr;
  if (ibv_post_send(pair_, sends_.data(), &bad) == 0) {
    posted_ += count;
    return count;
  }
  // The requests before the bad one were posted, but are unsignaled, so no completion frees their
  // slots. Only a reset does.
  broken_ = true;
  return bad == nullptr ? 0 : static_cast<unsigned>(bad - sends_.data());
}

void UdQueue::on_sent(const ibv_wc& completion) {
  const WorkId id = WorkId::of(completion.wr_id);
  if (id.generation != generation_) return;
  if (completion.status != IBV_WC_SUCCESS) {
    broken_ = true;
    return;
  }
  // The slot tells how many packets have completed, because at most kSendPackets are outstanding.
  const std::uint32_t done =
      (id.slot + 1u + kSendPackets - completed_ % kSendPackets) % kSendPackets;
  completed_ += done == 0 ? kSendPackets : done;
}

protocol::MutableBytes UdQueue::on_received(const ibv_wc& completion) {
  const WorkId id = WorkId::of(completion.wr_id);
  if (id.generation != generation_) return {};
  if (completion.status != IBV_WC_SUCCESS) {
    broken_ = true;
    return {};
  }
  if (completion.byte_len < kGrhBytes || completion.byte_len > stride_) return {};
  return {receive_slot(id.slot), completion.byte_len};
}

void UdQueue::release(const ibv_wc& completion) {
  const WorkId id = WorkId::of(completion.wr_id);
  if (id.generation != generation_) return;
  free_.push_back(id.slot);
  if (free_.size() >= kRepostPackets && !post_receives()) broken_ = true;
}

bool UdQueue::post_receives() {
  std::size_t count = 0;
  for (const std::uint16_t slot : free_) {
    ibv_sge& sge = receive_sges_[count];
    sge.addr = reinterpret_cast<std::uintptr_t>(receive_slot(slot));
    sge.length = static_cast<std::uint32_t>(kGrhBytes + shared_.packet_bytes);
    sge.lkey = shared_.lkey;
    ibv_recv_wr& w = receives_[count];
    w = {};
    w.wr_id = WorkId{.generation = generation_, .queue = index_, .slot = slot}.packed();
    w.sg_list = &sge;
    w.num_sge = 1;
    if (count != 0) receives_[count - 1].next = &w;
    ++count;
  }
  free_.clear();
  if (count == 0) return true;
  ibv_recv_wr* bad = nullptr;
  return ibv_post_recv(pair_, receives_.data(), &bad) == 0;
}

}  // namespace selvedge::transport
