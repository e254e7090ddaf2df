// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An endpoint (fi_endpoint(3)) of type FI_EP_RDM: sends to any address of its vector, and matches
// what arrives with the receives that the application has posted. endpoint_calls.cpp has
// libfabric's operations, sending.cpp and receiving.cpp what they do.
#pragma once

#include <rdma/fi_cm.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_tagged.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "daemon/provider/address_vector.hpp"
#include "daemon/provider/completion_queue.hpp"
#include "daemon/provider/domain.hpp"
#include "daemon/provider/matching.hpp"
#include "daemon/provider/peer.hpp"

namespace selvedge::provider {

inline constexpr std::size_t kInjectBytesMax = 16 << 10;
/// Limit on the sends to one peer that wait for room, and on the copies of injected messages that
/// wait until the peer fetches them; further ones are refused with -FI_EAGAIN.
inline constexpr std::size_t kQueueMax = 1'024;
/// Flags that a send or its endpoint may have; a receive likewise.
inline constexpr std::uint64_t kSendFlags = FI_COMPLETION | FI_INJECT | FI_INJECT_COMPLETE |
                                            FI_TRANSMIT_COMPLETE | FI_DELIVERY_COMPLETE |
                                            FI_REMOTE_CQ_DATA | FI_MORE | FI_PRIORITY;
inline constexpr std::uint64_t kReceiveFlags = FI_COMPLETION | FI_MORE;

class Endpoint : public fid_ep {
 public:
  static int open(fid_domain* domain, fi_info* info, fid_ep** ep, void* context);
  static Endpoint& of(fid_ep* ep) { return static_cast<Endpoint&>(*ep); }
  static Endpoint& of(fid_t f) { return object_of<Endpoint, fid_ep>(f); }

  Domain& domain() const { return domain_; }
  const Address& address() const { return address_; }
  std::uint64_t send_flags() const { return send_flags_; }
  std::uint64_t receive_flags() const { return receive_flags_; }
  bool enabled() const { return enabled_; }

  // ---- for the calls ----
  /// Sends `buffer`. flags: of the operation, FI_MSG or FI_TAGGED among them. silent: success is
  /// not reported, as by fi_inject(). Returns 0, or the reason for the refusal: -FI_EAGAIN if
  /// kQueueMax sends to that peer wait, else a wrong call.
  ssize_t send(const Buffer& buffer, fi_addr_t to, std::uint64_t tag, std::uint64_t data,
               void* context, std::uint64_t flags, bool silent = false);
  /// Posts a receive, or looks for a message (FI_PEEK). kind: FI_MSG or FI_TAGGED; flags: of the
  /// operation. Returns 0, or what is wrong with the call.
  ssize_t receive(std::uint64_t kind, const Buffer& buffer, fi_addr_t from, std::uint64_t tag,
                  std::uint64_t ignore, void* context, std::uint64_t flags);
  /// Ends a receive, or a send that has not begun, with FI_ECANCELED. Returns 0, or -FI_ENOENT.
  ssize_t cancel(void* context);

  // ---- for the domain and its channels ----
  Peer& peer(const Address& address);
  /// A peer has connected: from now on `channel` may be used to send to it.
  void met(Peer& peer, Channel& channel);
  /// A message begins, grows and ends. begin() returns null if there is no memory to store it. The
  /// payload of an offer arrives after fetch(), if at all.
  ArrivalPtr begin(const Header& header, Peer& from);
  static void append(Arrival& arrival, std::span<const std::byte> bytes);
  void end(const ArrivalPtr& arrival);
  /// Asks for the payload of an offer that has a receive.
  void fetch(Arrival& offer);
  /// The payload of an offer to `peer` is in the ring.
  void payload_written(Peer& peer, Send send);
  Budget& budget() { return budget_; }
  /// The peer has processed the oldest message that asked for it. False: there is none.
  bool processed(Peer& peer);
  /// Sends what waits, and completes what was waited for; returns whether anything moved.
  bool progress();
  /// To be called when the channel has ended with that error: what it has not delivered fails.
  void lost(Channel& channel, int error);

 private:
  Endpoint(Domain& domain, const fi_info& info);
  static int close(fid_t f);
  static int bind(fid_t f, fid_t to, std::uint64_t flags);
  static int control(fid_t f, int command, void* argument);
  static int set_name(fid_t f, void* address, std::size_t length);
  static int get_name(fid_t f, void* address, std::size_t* length);
  static fi_ops base_ops_;
  static fi_ops_cm cm_ops_;
  static fi_ops_ep ep_ops_;
  static fi_ops_msg message_ops_;
  static fi_ops_tagged tagged_ops_;

  int enable();
  int bind_queue(CompletionQueue& queue, std::uint64_t flags);
  int bind_counter(Counter& counter, std::uint64_t flags);
  /// Sends what is queued, while the domain makes progress; at most for some seconds.
  void flush(std::unique_lock<std::mutex>& lock);

  Peer* find_peer(fi_addr_t number);
  void mark_busy(Peer& peer);
  void connect(Peer& peer);
  bool push(Peer& peer);
  void send_to_self(Peer& peer, Send send);
  static void copy(Send& send);
  void written(Peer& peer, Send send);
  void sent(const Send& send);
  void failed(const Send& send, int err, int prov_errno);
  void fail_all(Peer& peer, int error);

  ssize_t peek(Matching& matching, const Receive& wanted, std::uint64_t flags, std::uint64_t kind);
  ssize_t claim(const Receive& receive, std::uint64_t flags, std::uint64_t kind);
  void take(const ArrivalPtr& arrival, const Receive& receive);
  /// No receive will take this message.
  void discard(Arrival& arrival);
  void received(const Arrival& arrival);
  /// To be called when the rest of this message will not arrive: its receive fails.
  void broken(const ArrivalPtr& arrival, int error);
  Completion describe(const Arrival& arrival, const Receive& receive) const;
  void report(const Completion& completion, bool success_too);
  Matching& matching(Kind kind) { return kind == Kind::kTagged ? tagged_ : untagged_; }

  Domain& domain_;
  Budget budget_;  // outlives all that is stored
  Address address_;
  bool enabled_ = false;
  AddressVector* addresses_ = nullptr;
  CompletionQueue *send_queue_ = nullptr, *receive_queue_ = nullptr;
  Counter *send_counter_ = nullptr, *receive_counter_ = nullptr;
  std::uint64_t caps_, send_flags_, receive_flags_;
  bool send_selective_ = false, receive_selective_ = false;

  std::shared_ptr<Promise> own_promise_ = std::make_shared<Promise>(budget_);
  Credit own_credit_;  // for what the endpoint sends to itself
  Matching tagged_, untagged_;
  std::unordered_map<const void*, ArrivalPtr> claimed_;  // by the context of FI_PEEK | FI_CLAIM
  std::unordered_map<Address, std::unique_ptr<Peer>, AddressHash> peers_;
  std::vector<Peer*> busy_;
};

}  // namespace selvedge::provider
