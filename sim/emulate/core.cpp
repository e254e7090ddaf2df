// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/core.hpp"

#include <fmt/format.h>

namespace selvedge::sim {
namespace {

constexpr std::uint64_t kTransactionBits = 0x0000ffffffffffffULL;
constexpr unsigned kClientShift = 48;

/// Whether the sender waits for an answer. It does so even for a method that does not exist, which
/// is answered with an error (IBA 1.3 §13.4.5, §13.4.7).
bool expects_answer(const Mad& mad) {
  switch (mad.method()) {
    case mad_method::kSend:
    case mad_method::kTrap:
    case mad_method::kTrapRepress:
      return false;
    default:
      return !mad.response();
  }
}

/// Whether a directed-route MAD has a valid hop count, and its D bit agrees with its method. True
/// for all other MADs.
bool well_formed(const Mad& mad) {
  return !mad.directed() || (mad.hop_count() <= kMaxHops && mad.returning() == mad.response());
}

/// Whether its base version and class version are supported: class version 1 of subnet management
/// and performance management, up to 2 of other classes.
bool known_version(const Mad& mad) {
  constexpr std::uint8_t kHighest = 2;  // of all classes: the SA's
  if (mad.base_version() != 1) return false;
  const bool agents = mad.subnet_management() || mad.management_class() == mad_class::kPerformance;
  return agents ? mad.class_version() == 1 : mad.class_version() <= kHighest;
}

}  // namespace

Core::Core(EmulatedSubnet& subnet, MadTransport& transport, const CounterSource& counters,
           ClientOutput& output, const CoreSettings& settings, std::uint64_t seed)
    : subnet_(subnet),
      transport_(transport),
      output_(output),
      settings_(settings),
      performance_(subnet, counters),
      mishaps_(seed),
      traps_(subnet) {}

// --- MADs of clients

void Core::from_client(ClientId c, const MadDatagram& datagram) {
  if (client(c) == nullptr) return;
  Client& sender = clients_[c];
  ++statistics_.from_clients;
  MadPacket packet;
  packet.mad = datagram.mad;
  packet.dlid = host_lid(datagram.dlid);
  packet.slid = host_lid(datagram.slid);
  packet.destination_qp = host32(datagram.destination_qp);
  packet.source_qp = host32(datagram.source_qp);
  packet.length =
      static_cast<std::uint16_t>(std::min<std::uint64_t>(wire64(datagram.length), kMadBytes));
  if (!well_formed(packet.mad)) {
    ++statistics_.malformed;
    deliver(c, packet, kTimedOut);
    return;
  }
  Mad& mad = packet.mad;
  sender.classes.set(mad.management_class());
  if (mad.directed() && mad.directed_slid() == kPermissiveLid) packet.dlid = kPermissiveLid;
  if (packet.slid == 0) packet.slid = subnet_.agent(sender.at.node).end_port(sender.at.port).lid();
  if (mad.response()) {
    // A manager copies the request's hop pointer into its answer; on a real host the kernel sets
    // it.
    if (mad.directed()) mad.set_hop_pointer(mad.hop_count() + 1U);
    send_answer(sender.at, packet);
    return;
  }
  mad.set_transaction((mad.transaction() & kTransactionBits) | std::uint64_t{c} << kClientShift);
  // A manager that sends a trap itself waits for the TrapRepress, and does not sweep before.
  const bool own_trap = mad.method() == mad_method::kTrap && sender.is_sm;
  if (!expects_answer(mad) && !own_trap) {
    send(sender.at, packet);
    return;
  }
  RetryPolicy policy = mad.subnet_management() ? settings_.smp : settings_.gmp;
  if (mad.subnet_management() && !sender.repeats) policy.retries = 0;
  transactions_.add(c, sender.at, packet, policy);
  const Mad asked = mad;
  send(sender.at, packet);
  transactions_.wait(c, asked, now_);
}

void Core::ask(PortAt from, const Mad& mad) {
  MadPacket packet;
  packet.mad = mad;
  packet.mad.set_transaction((mad.transaction() & kTransactionBits) | std::uint64_t{kOwnRequests}
                                                                          << kClientShift);
  const PortAttributes& port = subnet_.agent(from.node).end_port(from.port);
  packet.slid = port.lid();
  packet.dlid = port.sm_lid();
  packet.source_qp = packet.destination_qp = 1;
  transactions_.add(kOwnRequests, from, packet, settings_.gmp);
  const Mad asked = packet.mad;
  send(from, packet);
  transactions_.wait(kOwnRequests, asked, now_);
}

// --- Arrivals

void Core::lost(const MadPacket&, LossCause cause) {
  ++statistics_.lost[static_cast<std::size_t>(cause)];
}

void Core::arrived(PortAt at, MadPacket& packet) {
  if (capture_ != nullptr) capture_->record(now_, at, MadCapture::Direction::kInbound, packet);
  const Mad& mad = packet.mad;
  if (!subnet_.running(at.node)) return;  // the node failed while the MAD was under way
  if (mad.response()) {
    to_requester(at, packet);
    return;
  }
  const Mishap mishap = mishaps_.take(at, mad);
  if (mishap == Mishap::kLost) return;
  if (mishap == Mishap::kDoubled) {
    MadPacket copy = packet;
    serve(at, copy);
  }
  serve(at, packet);
}

/// Handles a MAD other than an answer that has arrived at a running node.
void Core::serve(PortAt at, MadPacket& packet) {
  const Mad& mad = packet.mad;
  if (!known_version(mad)) {
    if (expects_answer(mad)) answer(at, packet, SmpStatus::kBadVersion);
    return;
  }
  if (mad.method() == mad_method::kTrapRepress) {
    const auto c = static_cast<ClientId>(mad.transaction() >> kClientShift);
    if (client(c) != nullptr && clients_[c].at.node == at.node && transactions_.answer(c, mad))
      return deliver(c, packet, 0);
    traps_.repress(at.node, mad.transaction());
    return;
  }
  if (mad.subnet_management()) {
    if (mad.method() == mad_method::kTrap) {
      if (to_manager(at, packet)) traps_.delivered(mad.transaction());
    } else if (mad.attribute() == smp_attribute::kSmInfo) {
      to_manager(at, packet);
    } else {
      execute_smp(at, packet);
    }
    return;
  }
  if (mad.management_class() == mad_class::kPerformance) {
    ++statistics_.executed;
    const SmpStatus status = performance_.execute(at, packet.mad);
    if (expects_answer(mad)) answer(at, packet, status);
    return;
  }
  // A request that nobody serves is refused, as Linux does for a class without an agent.
  if (!to_manager(at, packet) &&
      (mad.method() == mad_method::kGet || mad.method() == mad_method::kSet))
    answer(at, packet, SmpStatus::kUnsupportedAttribute);
}

void Core::execute_smp(PortAt at, MadPacket& packet) {
  Mad& mad = packet.mad;
  SmaRequest request;
  request.method = mad.method();
  request.attribute = mad.attribute();
  request.modifier = mad.modifier();
  request.m_key = mad.m_key();
  request.arrival = at.port;
  request.now_ms = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now_).count());
  SmaChange change;
  Sma& agent = subnet_.agent(at.node);
  const SmpStatus status = agent.execute(request, mad.data(), change);
  ++statistics_.executed;
  if (change.what == SmaChange::What::kPort) {
    subnet_.follow(at.node, change);
    // The Set may have changed the link, so the answer's attribute is read anew.
    agent.port(change.port).read(mad.data(), at.port);
    subnet_changed();
  }
  if (change.what != SmaChange::What::kNothing) transport_.follow(at.node, change);
  // A method without a response (TrapRepress, say) ends here, whatever its status.
  if (status != SmpStatus::kNoAnswer && expects_answer(mad)) answer(at, packet, status);
}

void Core::answer(PortAt at, MadPacket& packet, SmpStatus status) {
  packet.mad.turn(static_cast<std::uint16_t>(status));
  const Lid own = subnet_.agent(at.node).end_port(at.port).lid();
  const bool by_lid = packet.dlid != kPermissiveLid;
  packet.dlid = packet.slid;
  packet.slid = by_lid ? own : kPermissiveLid;
  std::swap(packet.source_qp, packet.destination_qp);
  send_answer(subnet_.agent(at.node).is_switch() ? PortAt{at.node, 0} : at, packet);
}

void Core::send_answer(PortAt from, MadPacket& packet) {
  const Mishap mishap = mishaps_.take(from, packet.mad);
  if (mishap == Mishap::kLost) return;
  if (mishap == Mishap::kDoubled) {
    MadPacket copy = packet;
    send(from, copy);
  }
  send(from, packet);
}

void Core::to_requester(PortAt at, const MadPacket& packet) {
  const auto c = static_cast<ClientId>(packet.mad.transaction() >> kClientShift);
  if (c == kOwnRequests && requester_ != nullptr && transactions_.answer(c, packet.mad))
    return requester_->answered(packet);
  if (client(c) == nullptr || clients_[c].at.node != at.node ||
      !transactions_.answer(c, packet.mad)) {
    ++statistics_.late_answers;
    return;
  }
  deliver(c, packet, 0);
}

/// Gives the MAD to a client at this port (of a switch: at this node) that is a subnet manager.
/// False if there is none that takes MADs of this class.
bool Core::to_manager(PortAt at, const MadPacket& packet) {
  const std::uint8_t management_class = packet.mad.management_class();
  const bool own = packet.mad.subnet_management() || management_class == mad_class::kSubnetAdm;
  for (ClientId c = 0; c < num_slots(); ++c) {
    const Client& manager = clients_[c];
    if (!manager.connected || !manager.is_sm || manager.at.node != at.node) continue;
    if (!subnet_.agent(at.node).is_switch() && manager.at.port != at.port) continue;
    if (!own && !manager.classes.test(management_class)) continue;
    deliver(c, packet, 0);
    return true;
  }
  ++statistics_.nobody;
  return false;
}

void Core::deliver(ClientId c, const MadPacket& packet, std::uint32_t status) {
  MadDatagram d;
  d.dlid = wire_lid(packet.dlid);
  d.slid = wire_lid(packet.slid);
  d.destination_qp = wire32(packet.destination_qp);
  d.source_qp = wire32(packet.source_qp);
  d.status = wire32(status);
  d.length = wire64(packet.length);
  d.mad = packet.mad;
  ++statistics_.to_clients;
  output_.deliver(c, d);
}

// --- Time

std::optional<Nanoseconds> Core::deadline() {
  const auto a = transactions_.deadline(), b = traps_.deadline();
  return a && b ? std::min(*a, *b) : a ? a : b;
}

void Core::on_time() {
  while (auto due = transactions_.next_due(now_)) {
    Transactions::Request& r = due->request;
    if (!due->again) {
      ++statistics_.timed_out;
      if (r.client == kOwnRequests) {
        if (requester_ != nullptr) requester_->gave_up(r.packet);
        continue;
      }
      deliver(r.client, r.packet, kTimedOut);
      continue;
    }
    ++statistics_.repeated;
    const Mad asked = r.packet.mad;
    send(r.from, r.packet);
    transactions_.wait(r.client, asked, now_);
  }
  while (auto due = traps_.next_due(now_)) {
    ++statistics_.traps;
    send(due->from, due->packet);
  }
}

void Core::subnet_changed() {
  for (const NodeId n : subnet_.take_changed()) {
    transport_.follow_links(n);
    traps_.raise({n, 0}, TrapNumber::kPortStateChange, now_);
  }
}

}  // namespace selvedge::sim
