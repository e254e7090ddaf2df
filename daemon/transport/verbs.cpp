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

constexpr protocol::TimeNs kTurnNs = kMillisecond;
constexpr protocol::TimeNs kLookNs = 20 * kMillisecond;
constexpr protocol::TimeNs kOrderAgainNs = 1 * kSecond;
constexpr protocol::TimeNs kMendEveryNs = 20 * kMillisecond;
constexpr protocol::TimeNs kForgetEveryNs = 10 * kSecond;
constexpr int kIntroductionsPerTurn = 64;

std::size_t hash_of(const void* bytes, std::size_t size) {
  return std::hash<std::string_view>{}({static_cast<const char*>(bytes), size});
}

/// On InfiniBand a Source holds the LID, in the first bytes of the GID.
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
  Introducer::Peer* peer = introducer_.want(now_, to);
  if (peer == nullptr) return nullptr;
  Route& r = routes_[to];
  r.peer = peer;
  next_turn_ns_ = next_look_ns_ = now_;  // ask the peer at once
  return &r;
}

void Verbs::send_items(const PeerAddress& to, unsigned /*peer_paths*/, std::uint8_t path,
                       const Item* items, unsigned count) {
  Route* r = route(to);
  const unsigned q = path % static_cast<unsigned>(queues_.size());
  if (r != nullptr) r->peer->sent_ns = now_;
  if (r == nullptr || !r->ready || !state_.up || r->handles[q] == nullptr) {
    transport_counters_.not_sent += count;
    return;
  }
  UdQueue& queue = *queues_[q];
  if (queue.room() < count) reap_sent();
  const unsigned fits = std::min(count, queue.room());
  for (unsigned i = 0; i < fits; ++i)
    queue.put({.header = items[i].header,
               .data = items[i].data,
               .header_bytes = kHeaderBytes,
               .data_bytes = items[i].length});
  const std::vector<std::uint32_t>& theirs = r->peer->description.queues;
  const unsigned sent =
      queue.flush(r->handles[q], theirs[path % theirs.size()], r->peer->description.qkey);
  ++transport_counters_.sent_calls;
  transport_counters_.sent_packets += sent;
  transport_counters_.not_sent += count - sent;
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
  // A cache of the last look-up: packets of one peer come in runs.
  if (last_peer_ == nullptr || !(source == last_source_)) {
    const auto known = sources_.find(source);
    if (known == sources_.end()) {
      ++counters_.unknown_senders;
      return {};
    }
    last_source_ = source;
    last_peer_ = known->second;
  }
  const Bytes datagram = opened(bytes.subspan(kGrhBytes));
  if (datagram.empty()) return {};
  last_peer_->heard_ns = now_;
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
  // Consume earlier events, or the descriptor would stay readable.
  ibv_cq* cq = nullptr;
  void* context = nullptr;
  unsigned told = 0;
  while (ibv_get_cq_event(channel_, &cq, &context) == 0) ++told;
  if (told != 0) ibv_ack_cq_events(received_, told);
  ibv_req_notify_cq(received_, 0);
}

std::vector<int> Verbs::descriptors() const {
  return {channel_->fd, port_.descriptor(), socket_, paths_->descriptor()};
}

std::uint16_t Verbs::payload_bytes() const {
  return static_cast<std::uint16_t>(
      std::min(protocol::kPayloadBytesDefault,
               state_.mtu_bytes - kHeaderBytes - (seal() != nullptr ? protocol::kSealBytes : 0)));
}

void Verbs::turn() {
  next_turn_ns_ = now_ + kTurnNs;
  reap_sent();
  handle_events();
  hear_introductions();
  take_handles();
  mend_queues();
  free_retired();
  if (now_ >= next_look_ns_) look_after_peers();
}

void Verbs::look_after_peers() {
  next_look_ns_ = now_ + kLookNs;
  introducer_.tick(now_, [this](const PeerAddress& to, Bytes bytes) { introduce(to, bytes); });
  for (auto& [address, r] : routes_) {
    const Introducer::Peer& p = *r.peer;
    const bool wanted = p.edition != 0 && p.sent_ns + kUnwantedNs > now_;
    // A silent peer's handles may be outdated, e.g. by a change of a neighbour's MAC address.
    const bool silent = p.sent_ns > p.heard_ns + 2 * kUnheardNs;
    // Not while an order is pending: one slower than kOrderAgainNs would always be superseded.
    const bool lacking = !r.ready || !r.trouble.empty() || silent;
    if (wanted && lacking && !r.pending && now_ >= r.ordered_ns + kOrderAgainNs) order(r);
  }
  if (now_ < next_forget_ns_) return;
  next_forget_ns_ = now_ + kForgetEveryNs;
  introducer_.forget(now_, [this](const Introducer::Peer& peer) {
    if (const auto it = routes_.find(peer.address); it != routes_.end()) {
      forget_sources(it->second);
      retire(it->second.handles);
      routes_.erase(it);
    }
  });
}

void Verbs::introduce(const PeerAddress& to, Bytes introduction) {
  std::array<std::byte, kIntroductionBytesMax + protocol::kSealBytes> sealed;
  if (seal() != nullptr)
    introduction = {sealed.data(),
                    seal()->seal(to, protocol::kIntroductionLane, introduction, {}, sealed.data())};
  sockaddr_storage s;
  const socklen_t size = unpack(to, s, 0);
  // Errors are ignored: the introducer asks again.
  sendto(socket_, introduction.data(), introduction.size(), MSG_NOSIGNAL,
         reinterpret_cast<sockaddr*>(&s), size);
}

void Verbs::hear_introductions() {
  std::array<std::byte, kIntroductionBytesMax + protocol::kSealBytes + 1> bytes;
  for (int n = 0; n < kIntroductionsPerTurn; ++n) {
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    const ssize_t got =
        recvfrom(socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&from), &size);
    if (got < 0) return;
    const PeerAddress address = pack(from, 0);
    const Bytes said =
        opened(protocol::MutableBytes{bytes.data(), static_cast<std::size_t>(got)}, true);
    if (said.empty() && seal() != nullptr) continue;
    const Introducer::Heard heard = introducer_.on_datagram(now_, address, said);
    if (!heard.answer.empty()) introduce(address, heard.answer);
    if (heard.learnt != nullptr) learnt(*heard.learnt);
  }
}

void Verbs::learnt(Introducer::Peer& peer) {
  Route& r = routes_[peer.address];
  r.peer = &peer;
  forget_sources(r);
  const Description& d = peer.description;
  for (unsigned i = 0; i < d.queues.size(); ++i) {
    const Gid& from = d.link == Link::kRoce ? d.gids[i % d.gids.size()] : lid_source(d.lid);
    r.sources.push_back({.queue = d.queues[i], .from = from});
    sources_[r.sources.back()] = &peer;
  }
  // The old handles may lead to another host by now.
  retire(r.handles);
  r.ready = false;
  order(r);
}

void Verbs::forget_sources(Route& r) {
  last_peer_ = nullptr;
  for (const Source& s : r.sources)
    // Another peer may have announced the same queue pair since.
    if (const auto it = sources_.find(s); it != sources_.end() && it->second == r.peer)
      sources_.erase(it);
  r.sources.clear();
}

Verbs::Trouble Verbs::trouble(const PeerAddress& peer) const {
  if (!state_.up) return {"port-down", fmt::format("{} is down", port_.name())};
  const auto it = routes_.find(peer);
  if (it == routes_.end() || it->second.peer->edition == 0)
    return {"peer-unknown",
            fmt::format("nobody at {} has told a verbs address yet", to_string(peer))};
  const Route& r = it->second;
  if (!r.ready) return {"no-way", r.trouble.empty() ? "no way to the peer yet" : r.trouble};
  return r.trouble.empty() ? Trouble{} : Trouble{"paths-missing", r.trouble};
}

void Verbs::order(Route& r) {
  r.ordered = ++orders_;
  r.ordered_ns = now_;
  r.pending = true;
  paths_->order({.peer = r.peer->address, .number = r.ordered, .description = r.peer->description});
}

void Verbs::take_handles() {
  for (VerbsPaths::Done& done : paths_->collect_events()) {
    const auto it = routes_.find(done.peer);
    if (it == routes_.end() || it->second.ordered != done.number) {
      retire(done.path, done.handle);  // of a superseded order
      continue;
    }
    Route& r = it->second;
    r.handles.resize(queues_.size(), nullptr);
    retire(done.path, std::exchange(r.handles[done.path], done.handle));
    r.ready = std::ranges::any_of(r.handles, [](const ibv_ah* h) { return h != nullptr; });
    if (!done.last) continue;
    r.pending = false;
    if (!done.trouble.empty() && r.trouble.empty())
      log_(fmt::format("{}: not every path works: {}", to_string(done.peer), done.trouble));
    if (done.trouble.empty() && !r.trouble.empty())
      log_(fmt::format("{}: every path works", to_string(done.peer)));
    r.trouble = std::move(done.trouble);
  }
}

void Verbs::retire(unsigned path, ibv_ah* handle) {
  if (handle != nullptr)
    retired_.push_back({.handle = handle,
                        .queue = path,
                        .life = queues_[path]->life(),
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
        q.life() == r.life && static_cast<std::int32_t>(r.posted - q.completed()) > 0;
    if (under_way) return false;
    ibv_destroy_ah(r.handle);
    return true;
  });
}

void Verbs::handle_events() {
  for (VerbsPort::Event e = port_.next_event(); e != VerbsPort::Event::kNone;
       e = port_.next_event()) {
    if (e == VerbsPort::Event::kDead)
      throw EnvironmentError("the verbs device has failed", port_.name(),
                             "see the kernel's log, then start selvedged again");
    port_dirty_ |= e == VerbsPort::Event::kPort;
    subnet_dirty_ |= e == VerbsPort::Event::kSubnet;
  }
  if (!port_dirty_ && !subnet_dirty_) return;
  const auto state = port_.read();
  if (!state) return;  // the next turn() tries again
  counters_.port_changes += port_dirty_;
  counters_.subnet_changes += subnet_dirty_;
  if (state->up != state_.up)
    log_(fmt::format("{} is {}", port_.name(), state->up ? "up again" : "down"));
  const PortState before = state_;
  const unsigned mtu_bytes = state_.mtu_bytes;
  state_ = *state;
  state_.mtu_bytes = mtu_bytes;  // the buffers keep their size
  if (state->up && state->mtu_bytes < mtu_bytes)
    log_(fmt::format("{}: its MTU is {} bytes now: start selvedged again, for packets are longer",
                     port_.name(), state->mtu_bytes));
  paths_->port_is(state_, subnet_dirty_ || state->sm_lid != before.sm_lid);
  port_dirty_ = subnet_dirty_ = false;
  if (!state_.up || state_.gids.empty()) return;
  describe();
  for (auto& [address, r] : routes_)
    if (r.peer->edition != 0) order(r);
}

void Verbs::describe() {
  Description d;
  d.link = state_.link;
  d.qkey = qkey_;
  if (d.link == Link::kInfiniBand) {
    d.lid = state_.lid;
    d.lmc = state_.lmc;
  }
  for (const auto& q : queues_) d.queues.push_back(q->number());
  for (const GidEntry& e : state_.gids) d.gids.push_back(e.gid);
  introducer_.describe(std::move(d));
}

void Verbs::mend_queues() {
  if (now_ < mend_ns_ || !state_.up) return;
  for (const auto& q : queues_) {
    if (!q->broken()) continue;
    mend_ns_ = now_ + kMendEveryNs;
    counters_.restarts += q->restart();
  }
}

}  // namespace selvedge::transport
