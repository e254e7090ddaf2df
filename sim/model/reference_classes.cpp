// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// HCAs with classes of traffic in the reference simulator (docs/simulator.md, "Classes").
#include <algorithm>
#include <utility>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Hca;
using reference::Lane;
using reference::TransitPtr;

void Reference::State::prepare_classes() {
  check_invariant(managed == Managed::kNo && model.selection != Selection::kEar,
                  "classes are simulated without a manager and without EARs");
  for (HostId host = 0; host < fabric.num_hosts(); ++host) {
    hcas[host].queues.resize(model.hca_queues);
    for (unsigned q = 0; q < model.hca_queues; ++q)
      hcas[host].queues[q].message = traffic.next_of(host, q);
  }
  woken.clear();  // all hosts have just been asked
}

void Reference::State::wake_classes() {
  const std::vector<HostId> all = std::exchange(woken, {});
  for (HostId host = 0; host < fabric.num_hosts(); ++host) {
    if (std::ranges::find(all, host) == all.end()) continue;
    for (unsigned q = 0; q < model.hca_queues; ++q) {
      Message& message = hcas[host].queues[q].message;
      if (message.at <= now) continue;
      if (message.at != kNever) traffic.put_back_of(host, q);
      message = traffic.next_of(host, q);
    }
  }
}

void Reference::State::segment_classes(HostId host) {
  const unsigned room = std::max(1U, model.hca_queue_packets / model.hca_queues);
  for (unsigned q = 0; q < model.hca_queues; ++q) {
    Hca::ClassQueue& queue = hcas[host].queues[q];
    while (queue.message.at <= now && queue.queued < room) {
      const Message message = queue.message;
      const bool first = queue.segmented_bytes == 0;
      const unsigned payload = std::min(model.mtu_bytes, message.bytes - queue.segmented_bytes);
      queue.segmented_bytes += payload;
      const bool last = queue.segmented_bytes == message.bytes;
      check_invariant(model.classes[message.of_class].queue == q, "a class has one queue");
      if (const TransitPtr transit = make_packet(host, message, payload, last)) {
        const bool kept =
            message.keep == Keep::kAll || (message.keep == Keep::kEnds && (first || last));
        transit->packet->kept = kept && model.drop == Drop::kSelective;
        queue.waiting.push_back(transit);
        ++queue.queued;
        ++hcas[host].queued;
      }
      if (!last) continue;
      queue.segmented_bytes = 0;
      queue.message = traffic.next_of(host, q);
    }
  }
  fill_port(host);
}

void Reference::State::fill_port(HostId host) {
  for (Hca::ClassQueue& queue : hcas[host].queues)
    while (!queue.waiting.empty()) {
      const TransitPtr head = queue.waiting.front();
      Lane& lane = links[fabric.injection(host)].lanes[head->out_lane];
      unsigned taken = 0;
      for (const TransitPtr& transit : lane.output) taken += transit->packet->blocks;
      if (lane.output_blocks < taken + head->packet->blocks) break;
      queue.waiting.pop_front();
      lane.output.push_back(head);
    }
}

void Reference::State::leave_class_queue(HostId host, const reference::Packet& packet) {
  --hcas[host].queues[model.classes[packet.of_class].queue].queued;
}

bool Reference::State::may_select(const reference::Packet& packet) const {
  return !packet.management && (model.classes.empty() || model.classes[packet.of_class].selects);
}

}  // namespace selvedge::sim
