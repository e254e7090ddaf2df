// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// HCAs with classes of traffic (docs/simulator.md, "Classes"): a queue for each SL. The HCA moves
// the heads of these queues into its port's VLs in the order of priority, while a VL has room.
// Arbitration at the port is as everywhere.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

template <class Features>
void Network::State<Features>::prepare_classes() {
  if (model.hca_queues == 0) throw std::logic_error("classes need a queue in each HCA");
  class_queues.resize(std::size_t{fabric.num_hosts()} * model.hca_queues);
}

/// Takes the first message of each queue of the host.
template <class Features>
Message Network::State<Features>::first_of_classes(HostId h) {
  Message earliest;
  for (unsigned q = 0; q < model.hca_queues; ++q) {
    Message& next = class_queues[std::size_t{h} * model.hca_queues + q].next;
    next = traffic.next_of(h, q);
    earliest.at = std::min(earliest.at, next.at);
  }
  return earliest;
}

/// As fill_queue(), for a host with a queue for each SL.
template <class Features>
void Network::State<Features>::fill_class_queues(HostId h) {
  const unsigned most = std::max(1u, model.hca_queue_packets / model.hca_queues);
  ClassQueue* const of_host = &class_queues[std::size_t{h} * model.hca_queues];
  Injector& injector = injectors[h];
  injector.has_due = false;
  injector.next.at = kNever;
  for (unsigned q = 0; q < model.hca_queues; ++q) {
    ClassQueue& from = of_host[q];
    make_packets(h, from, most, [&] { return traffic.next_of(h, q); });
    if (from.next.at <= wheel.now())
      injector.has_due = true;
    else
      injector.next.at = std::min(injector.next.at, from.next.at);
  }
  fill_port(h);
  schedule_source(h);
}

/// A packet of a host with a queue for each SL has started on its link.
template <class Features>
void Network::State<Features>::refill_after_start(HostId h) {
  injectors[h].has_due ? fill_class_queues(h) : fill_port(h);
}

/// A host with a queue for each SL has been woken: the next message of each queue may be due
/// earlier.
template <class Features>
void Network::State<Features>::wake_classes(HostId h) {
  for (unsigned q = 0; q < model.hca_queues; ++q) {
    Message& next = class_queues[std::size_t{h} * model.hca_queues + q].next;
    if (next.at <= wheel.now()) continue;
    if (next.at != kNever) traffic.put_back_of(h, q);
    next = traffic.next_of(h, q);
  }
  fill_class_queues(h);
}

/// Moves packets from the host's queues into its port's VLs, in the order of priority.
template <class Features>
void Network::State<Features>::fill_port(HostId h) {
  ClassQueue* const of_host = &class_queues[std::size_t{h} * model.hca_queues];
  for (unsigned q = 0; q < model.hca_queues; ++q) {
    Fifo& waiting = of_host[q].waiting;
    while (!waiting.empty()) {
      const Packet& head = packets[waiting.head];
      OutputQueue& vl = outputs[head.out];
      if (vl.free < head.blocks) break;
      vl.free = static_cast<std::uint16_t>(vl.free - head.blocks);
      const QueueId out = head.out;
      enqueue_output(out, take_head(waiting));
    }
  }
}

/// Puts a packet of a class, which has been made, into the HCA's queue of its SL.
template <class Features>
void Network::State<Features>::queue_by_class(PacketId id, const Message& message, QueueId out) {
  ClassQueue& queue_of =
      class_queues[std::size_t{packets[id].from} * model.hca_queues + queue_of_class(message)];
  const bool end = queue_of.sent_bytes == 0 || packets[id].last;
  const bool kept = message.keep == Keep::kAll || (message.keep == Keep::kEnds && end);
  marks[id] = {.of_class = message.of_class, .kept = kept && model.drop == Drop::kSelective};
  packets[id].out = out;
  ++queue_of.queued;
  ++injectors[packets[id].from].queued;
  append(queue_of.waiting, id);
}

/// A packet of a class starts on its host's link: its room in the HCA becomes free.
template <class Features>
void Network::State<Features>::leave_class_queue(QueueId q, PacketId id) {
  const unsigned of = model.classes[marks[id].of_class].queue;
  --class_queues[std::size_t{packets[id].from} * model.hca_queues + of].queued;
  outputs[q].free = static_cast<std::uint16_t>(outputs[q].free + packets[id].blocks);
}

template <class Features>
unsigned Network::State<Features>::queue_of_class(const Message& message) const {
  return model.classes.at(message.of_class).queue;
}

/// The path of a class's next packet: its SL is on top of the path's own.
template <class Features>
PathRecord Network::State<Features>::choose_class_path(HostId h, const Message& message) {
  const ClassRule& rule = model.classes.at(message.of_class);
  const Lid dlid = choose_lid(h, message.to, rule.paths, message.path);
  return {dlid, static_cast<Sl>((rule.sl + tables.sl(addresses[h].at, dlid)) & 0xF)};
}

}  // namespace selvedge::sim
