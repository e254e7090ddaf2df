// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace selvedge::transport {

using protocol::Bytes;
using protocol::kHeaderBytes;
using protocol::kMillisecond;
using protocol::kSecond;
using protocol::PeerAddress;

namespace {

constexpr protocol::TimeNs kPeriodicNs = kMillisecond;
// Drivers read the counters of the hardware no more often either.
constexpr protocol::TimeNs kReadMarksNs = 10 * kMillisecond;
// After a counter has risen, packets count as marked for so long: each window shrinks once or
// twice.
constexpr protocol::TimeNs kMarkedNs = kMillisecond / 10;
constexpr protocol::TimeNs kPeerCheckNs = 20 * kMillisecond;
constexpr protocol::TimeNs kHandleRetryNs = 1 * kSecond;
constexpr protocol::TimeNs kQueueResetIntervalNs = 20 * kMillisecond;
constexpr protocol::TimeNs kExpiryCheckNs = 10 * kSecond;
constexpr int kAnnouncementsPerTick = 64;

std::size_t hash_of(const void* bytes, std::size_t size) {
  return std::hash<std::string_view>{}({static_cast<const char*>(bytes), size});
}

/// On InfiniBand a Source holds the sender's LID, in the first bytes of its Gid.
Gid lid_source(std::uint16_t lid) {
  Gid g{};
  std::memcpy(g.data(), &lid, sizeof lid);
  return g;
}

}  // namespace

std::size_t Verbs::Hash::operator()(const PeerAddress& a) const {
  return hash_of(a.bytes.data(), a.bytes.size());
}

std::size_t Verbs::Hash::operator()(const Source& s) const {
  return hash_of(s.from.data(), s.from.size()) * 31 + s.queue;
}

Verbs::Route* Verbs::route(const PeerAddress& to) {
  if (const auto known = routes_.find(to); known != routes_.end()) return &known->second;
  AddressExchange::Peer* peer = exchange_.require_peer(now_, to);
  if (peer == nullptr) return nullptr;
  Route& r = routes_[to];
  r.peer = peer;
  next_periodic_ns_ = next_peer_check_ns_ = now_;  // request the peer's address at once
  return &r;
}

void Verbs::send_items(const PeerAddress& to, protocol::PeerLayout peer, std::uint8_t path,
                       const Item* items, unsigned count) {
  Route* r = route(to);
  const unsigned q = path % static_cast<unsigned>(queues_.size());
  if (r != nullptr) r->peer->sent_ns = now_;
  if (r == nullptr || !r->ready || !state_.up || r->handles[q] == nullptr) {
    transport_counters_.unsent += count;
    return;
  }
  UdQueue& queue = *queues_[q];
  if (queue.room() < count) reap_sent();
  const unsigned fits = std::min(count, queue.room());
  for (unsigned i = 0; i < fits; ++i)
    queue.put({.header = items[i].header,
               .data = items[i].data,
               .header_bytes = items[i].header_bytes,
               .data_bytes = items[i].length});
  // A worker that has not announced itself yet gets its packets from one that has.
  const auto& of_workers = r->peer->verbs_address.queues;
  const bool known = peer.worker < of_workers.size() && !of_workers[peer.worker].empty();
  const std::vector<std::uint32_t>& theirs =
      known ? of_workers[peer.worker]
            : *std::ranges::find_if(of_workers, [](const auto& each) { return !each.empty(); });
  const unsigned sent =
      queue.flush(r->handles[q], theirs[path % theirs.size()], r->peer->verbs_address.qkey);
  ++transport_counters_.sent_calls;
  transport_counters_.sent_packets += sent;
  transport_counters_.unsent += count - sent;
}

unsigned Verbs::take_received() {
  const int n = ibv_poll_cq(received_, static_cast<int>(completions_.size()), completions_.data());
  if (n <= 0) return 0;
  ++transport_counters_.received_calls;
  return static_cast<unsigned>(n);
}

Verbs::Received Verbs::received(const ibv_wc& completion) {
  UdQueue& queue = *queues_[WorkId::of(completion.wr_id).queue];
  const protocol::MutableBytes bytes = queue.on_received(completion);
  if (bytes.size() < kGrhBytes) return {};
  Source source{.queue = completion.src_qp, .from = {}};
  source.from = state_.link == Link::kRoce ? source_gid(bytes) : lid_source(completion.slid);
  // The last look-up is cached, because consecutive packets mostly come from one peer.
  if (last_peer_ == nullptr || !(source == last_source_)) {
    const auto known = sources_.find(source);
    if (known == sources_.end()) {
      ++counters_.unknown_senders;
      return {};
    }
    last_source_ = source;
    last_peer_ = known->second;
  }
  marked_ = state_.link == Link::kRoce && (now_ < marked_until_ns_ || congestion_marked(bytes));
  if (is_for_other(last_peer_->address, bytes.subspan(kGrhBytes))) return {};
  const Bytes datagram = unsealed(bytes.subspan(kGrhBytes));
  if (datagram.empty()) return {};
  last_peer_->received_ns = now_;
  return {.from = last_peer_, .datagram = datagram};
}

void Verbs::release(const ibv_wc& completion) {
  queues_[WorkId::of(completion.wr_id).queue]->release(completion);
}

void Verbs::reap_sent() {
  std::array<ibv_wc, 32> done;
  for (int n = static_cast<int>(done.size()); n == static_cast<int>(done.size());) {
    n = ibv_poll_cq(sent_, static_cast<int>(done.size()), done.data());
    for (int i = 0; i < n; ++i) {
      const ibv_wc& completion = done[static_cast<std::size_t>(i)];
      queues_[WorkId::of(completion.wr_id).queue]->on_sent(completion);
    }
  }
}

void Verbs::arm() {
  // Earlier events are consumed, because the descriptor would otherwise stay readable.
  ibv_cq* cq = nullptr;
  void* context = nullptr;
  unsigned events = 0;
  while (ibv_get_cq_event(channel_, &cq, &context) == 0) ++events;
  if (events != 0) ibv_ack_cq_events(received_, events);
  ibv_req_notify_cq(received_, 0);
}

std::vector<int> Verbs::descriptors() const {
  return {channel_->fd, port_.descriptor(), worker_ == 0 ? team_->socket() : team_->inbox(worker_),
          paths_->descriptor()};
}

std::uint16_t Verbs::payload_bytes() const {
  return static_cast<std::uint16_t>(
      std::min(protocol::kPayloadBytesDefault,
               state_.mtu_bytes - kHeaderBytes -
                   (seal() != nullptr ? protocol::kSealBytes : protocol::kCrcBytes)));
}

void Verbs::periodic() {
  next_periodic_ns_ = now_ + kPeriodicNs;
  if (worker_ == 0 && team_->changes() == 0 && team_->complete()) publish_address();
  if (const std::uint64_t changes = team_->changes(); changes != announced_) {
    announced_ = changes;
    exchange_.set_own_address(team_->published(), changes);
  }
  reap_sent();
  handle_events();
  receive_announcements();
  install_handles();
  reset_broken_queues();
  free_retired();
  if (now_ >= next_peer_check_ns_) maintain_peers();
  if (state_.link == Link::kRoce && !cnp_.empty() && now_ >= next_marks_ns_) read_marks();
}

void Verbs::read_marks() {
  next_marks_ns_ = now_ + kReadMarksNs;
  if (cnp_.risen()) marked_until_ns_ = now_ + kMarkedNs;
}

void Verbs::maintain_peers() {
  next_peer_check_ns_ = now_ + kPeerCheckNs;
  exchange_.tick(now_,
                 [this](const PeerAddress& to, Bytes bytes) { send_announcement(to, bytes); });
  for (auto& [address, r] : routes_) {
    const AddressExchange::Peer& p = *r.peer;
    const bool wanted = p.generation != 0 && p.sent_ns + kPeerUnusedNs > now_;
    // A silent peer's handles may be outdated, e.g. by a change of a neighbour's MAC address.
    const bool silent = p.sent_ns > p.received_ns + 2 * kPeerSilentNs;
    // No request is made while one is pending: if a request takes longer than kHandleRetryNs, the
    // next one would always supersede it.
    const bool incomplete = !r.ready || !r.problem.empty() || silent;
    if (wanted && incomplete && !r.pending && now_ >= r.requested_ns + kHandleRetryNs)
      request_handles(r);
  }
  if (now_ < next_expiry_ns_) return;
  next_expiry_ns_ = now_ + kExpiryCheckNs;
  exchange_.expire(now_, [this](const AddressExchange::Peer& peer) {
    if (const auto it = routes_.find(peer.address); it != routes_.end()) {
      remove_sources(it->second);
      retire(it->second.handles);
      routes_.erase(it);
    }
  });
}

void Verbs::send_announcement(const PeerAddress& to, Bytes announcement) {
  std::array<std::byte, kAnnouncementBytesMax + protocol::kSealBytes> sealed;
  if (seal() != nullptr)
    announcement = {sealed.data(), seal()->seal(to, 0, protocol::kAnnouncementLane, announcement,
                                                {}, sealed.data())};
  sockaddr_storage s;
  const socklen_t size = unpack(to, s, 0);
  // Errors are ignored: the exchange sends requests again.
  sendto(team_->socket(), announcement.data(), announcement.size(), MSG_NOSIGNAL,
         reinterpret_cast<sockaddr*>(&s), size);
}

bool Verbs::next_announcement(PeerAddress& from, protocol::MutableBytes room, Bytes& announcement) {
  if (worker_ != 0) {
    std::size_t size = 0;
    if (!team_->next_passed_on(worker_, from, room.data(), &size)) return false;
    announcement = room.first(size);
    return true;
  }
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  const ssize_t got = recvfrom(team_->socket(), room.data(), room.size(), 0,
                               reinterpret_cast<sockaddr*>(&address), &size);
  if (got < 0) return false;
  from = pack(address, 0);
  announcement = unsealed(room.first(static_cast<std::size_t>(got)), true);
  return true;
}

void Verbs::receive_announcements() {
  std::array<std::byte, kAnnouncementBytesMax + protocol::kSealBytes + 1> bytes;
  PeerAddress from;
  Bytes announcement;
  for (int n = 0; n < kAnnouncementsPerTick && next_announcement(from, bytes, announcement); ++n) {
    if (announcement.empty() && seal() != nullptr) continue;
    const AddressExchange::Received received = exchange_.on_datagram(now_, from, announcement);
    if (worker_ == 0) {
      if (!received.answer.empty()) send_announcement(from, received.answer);
      if (received.validated) team_->pass_on(from, announcement);
    }
    if (received.updated != nullptr) on_address_changed(*received.updated);
    if (received.completed != nullptr) add_sources(routes_[from]);
  }
}

void Verbs::on_address_changed(AddressExchange::Peer& peer) {
  Route& r = routes_[peer.address];
  r.peer = &peer;
  remove_sources(r);
  add_sources(r);
  // The old handles may lead to another host by now.
  retire(r.handles);
  r.ready = false;
  request_handles(r);
}

void Verbs::add_sources(Route& r) {
  last_peer_ = nullptr;  // a source may have been another peer's
  const VerbsAddress& d = r.peer->verbs_address;
  for (const std::vector<std::uint32_t>& queues : d.queues)
    for (unsigned i = 0; i < queues.size(); ++i) {
      const Source source{
          .queue = queues[i],
          .from = d.link == Link::kRoce ? d.gids[i % d.gids.size()] : lid_source(d.lid)};
      if (std::ranges::find(r.sources, source) == r.sources.end()) r.sources.push_back(source);
      sources_[source] = r.peer;
    }
}

void Verbs::remove_sources(Route& r) {
  last_peer_ = nullptr;
  for (const Source& s : r.sources)
    // Another peer may have announced the same queue pair since; that entry must stay.
    if (const auto it = sources_.find(s); it != sources_.end() && it->second == r.peer)
      sources_.erase(it);
  r.sources.clear();
}

Verbs::PathProblem Verbs::problem(const PeerAddress& peer) const {
  if (!state_.up) return {"port-down", fmt::format("{} is down", port_.name())};
  const auto it = routes_.find(peer);
  if (it == routes_.end() || it->second.peer->generation == 0)
    return {"peer-unknown",
            fmt::format("no daemon at {} has announced a verbs address yet", to_string(peer))};
  const Route& r = it->second;
  if (!r.ready) return {"no-path", r.problem.empty() ? "no path to the peer yet" : r.problem};
  return r.problem.empty() ? PathProblem{} : PathProblem{"paths-missing", r.problem};
}

void Verbs::request_handles(Route& r) {
  r.requested = ++requests_;
  r.requested_ns = now_;
  r.pending = true;
  paths_->request_handles(
      {.peer = r.peer->address, .number = r.requested, .verbs_address = r.peer->verbs_address});
}

void Verbs::install_handles() {
  for (VerbsPaths::Result& done : paths_->take_results()) {
    const auto it = routes_.find(done.peer);
    if (it == routes_.end() || it->second.requested != done.number) {
      retire(done.path, done.handle);  // the result of a superseded request
      continue;
    }
    Route& r = it->second;
    r.handles.resize(queues_.size(), nullptr);
    retire(done.path, std::exchange(r.handles[done.path], done.handle));
    r.ready = std::ranges::any_of(r.handles, [](const ibv_ah* h) { return h != nullptr; });
    if (!done.last) continue;
    r.pending = false;
    if (worker_ == 0 && !done.problem.empty() && r.problem.empty())
      log_(fmt::format("{}: some paths cannot be used: {}", to_string(done.peer), done.problem));
    if (worker_ == 0 && done.problem.empty() && !r.problem.empty())
      log_(fmt::format("{}: all paths can be used", to_string(done.peer)));
    r.problem = std::move(done.problem);
  }
}

void Verbs::retire(unsigned path, ibv_ah* handle) {
  if (handle != nullptr)
    retired_.push_back({.handle = handle,
                        .queue = path,
                        .generation = queues_[path]->generation(),
                        .posted = queues_[path]->posted()});
}

void Verbs::retire(std::vector<ibv_ah*>& handles) {
  for (unsigned i = 0; i < handles.size(); ++i) retire(i, handles[i]);
  handles.clear();
}

void Verbs::free_retired() {
  std::erase_if(retired_, [this](const Retired& r) {
    const UdQueue& q = *queues_[r.queue];
    const bool under_way =
        q.generation() == r.generation && static_cast<std::int32_t>(r.posted - q.completed()) > 0;
    if (under_way) return false;
    ibv_destroy_ah(r.handle);
    return true;
  });
}

void Verbs::handle_events() {
  for (VerbsPort::Event e = port_.next_event(); e != VerbsPort::Event::kNone;
       e = port_.next_event()) {
    if (e == VerbsPort::Event::kDeviceFatal)
      throw EnvironmentError("the verbs device has failed", port_.name(),
                             "see the kernel's log, then start selvedged again");
    port_dirty_ |= e == VerbsPort::Event::kPort;
    subnet_dirty_ |= e == VerbsPort::Event::kSubnet;
  }
  if (!port_dirty_ && !subnet_dirty_) return;
  const auto state = port_.query();
  if (!state) return;  // the next periodic() tries again
  counters_.port_changes += port_dirty_;
  counters_.subnet_changes += subnet_dirty_;
  if (state->up != state_.up && worker_ == 0)
    log_(fmt::format("{} is {}", port_.name(), state->up ? "up again" : "down"));
  const PortState before = state_;
  const unsigned mtu_bytes = state_.mtu_bytes;
  state_ = *state;
  state_.mtu_bytes = mtu_bytes;  // the packet buffers keep their size
  if (state->up && state->mtu_bytes < mtu_bytes && worker_ == 0)
    log_(fmt::format(
        "{}: the MTU is only {} bytes now: restart selvedged, because its packets are longer",
        port_.name(), state->mtu_bytes));
  paths_->set_port_state(state_, subnet_dirty_ || state->sm_lid != before.sm_lid);
  port_dirty_ = subnet_dirty_ = false;
  if (!state_.up || state_.gids.empty()) return;
  if (worker_ == 0 && team_->changes() != 0) publish_address();
  for (auto& [address, r] : routes_)
    if (r.peer->generation != 0) request_handles(r);
}

void Verbs::publish_address() {
  VerbsAddress d;
  d.link = state_.link;
  d.qkey = qkey_;
  if (d.link == Link::kInfiniBand) {
    d.lid = state_.lid;
    d.lmc = state_.lmc;
  }
  d.queues = team_->queues();
  for (const GidEntry& e : state_.gids) d.gids.push_back(e.gid);
  team_->publish(std::move(d));
}

void Verbs::reset_broken_queues() {
  if (now_ < queue_reset_due_ns_ || !state_.up) return;
  for (const auto& q : queues_) {
    if (!q->broken()) continue;
    queue_reset_due_ns_ = now_ + kQueueResetIntervalNs;
    counters_.resets += q->reset();
  }
}

}  // namespace selvedge::transport
