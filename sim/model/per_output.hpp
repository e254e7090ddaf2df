// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Step 2 with a queue for each output queue at every input (docs/simulator.md, "A queue for each
// output"): rounds in which output queues offer and input queues accept, until no offer is left.
#pragma once

#include <algorithm>

#include "sim/model/network_state.hpp"

namespace selvedge::sim {

template <class Features>
void Network::State<Features>::prepare_per_output() {
  std::size_t queues = 0;
  places_first.assign(1, 0);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    waiting_first.push_back(queues);
    queues += std::size_t{places(s)} * places(s);
    places_first.push_back(places_first.back() + (places(s) + 63) / 64);
  }
  waiting_by_output.resize(queues);
  wanted_outputs.resize(places_first.back());
  accepted.resize(inputs.size());
  switch_pending.resize(fabric.num_switches());
  pending_switches.ids.resize(fabric.num_switches());
}

template <class Features>
Fifo& Network::State<Features>::waiting_for(const InputQueue& input, QueueId out) {
  return waiting_by_output[waiting_first[input.at] + std::size_t{input.place} * places(input.at) +
                           place_at_output(out, input.at)];
}

/// A packet that has been routed joins its input queue's queue for its output queue, and requests
/// that output queue as long as it is there.
template <class Features>
void Network::State<Features>::enqueue_for_output(QueueId in, PacketId id) {
  const InputQueue& input = inputs[in];
  const QueueId out = packets[id].out;
  Fifo& fifo = waiting_for(input, out);
  if (fifo.empty()) {
    OutputQueue& output = outputs[out];
    output.requests()[input.place / 64] |= bit(input.place);
    const unsigned place = place_at_output(out, input.at);
    if (output.request_count++ == 0)
      wanted_outputs[places_first[input.at] + place / 64] |= bit(place);
  }
  append(fifo, id);
  mark_switch(input.at);
}

/// The next input queue, by round robin, of those that request this output queue and from which no
/// packet is crossing; kNone if there is none.
template <class Features>
QueueId Network::State<Features>::next_free_requester(QueueId out) const {
  const OutputQueue& output = outputs[out];
  const std::uint64_t* const requests = output.requests();
  const std::uint32_t from = links[channel(out)].arrivals;
  const auto first_in = [&](unsigned word, std::uint64_t bits) {
    for (; bits != 0; bits &= bits - 1) {
      const QueueId in = arrivals[from + word * 64 + static_cast<unsigned>(std::countr_zero(bits))];
      if (inputs[in].busy_until <= wheel.now()) return in;
    }
    return kNone;
  };
  const unsigned start = output.served / 64;
  const std::uint64_t later = ~std::uint64_t{0} << (output.served % 64);
  // The word where the turn begins comes first with its later bits, and last with the others.
  for (unsigned i = 0; i <= output.words; ++i) {
    const unsigned word = (start + i) % output.words;
    std::uint64_t bits = requests[word];
    if (i == 0) bits &= start < output.words ? later : ~std::uint64_t{0};
    if (const QueueId in = first_in(word, bits); in != kNone) return in;
  }
  return kNone;
}

/// Finds for each output queue that can take a packet the input queue that is next in turn, if its
/// packet fits.
template <class Features>
void Network::State<Features>::find_offers(SwitchId s) {
  offers.clear();
  for (std::uint32_t word = places_first[s]; word < places_first[s + 1]; ++word)
    for (std::uint64_t bits = wanted_outputs[word]; bits != 0; bits &= bits - 1) {
      const unsigned place =
          (word - places_first[s]) * 64 + static_cast<unsigned>(std::countr_zero(bits));
      const QueueId out = queue(switches[s].first, 0) + place;
      const OutputQueue& output = outputs[out];
      if (output.receiving_until > wheel.now()) continue;
      Link& link = links[channel(out)];
      free_sent_blocks(link, channel(out));
      const QueueId in = output.free == 0 ? kNone : next_free_requester(out);
      if (in != kNone && packets[waiting_for(inputs[in], out).head].blocks <= output.free) {
        const unsigned all = places(s);
        offers.push_back({in, out, (place + all - accepted[in]) % all});
      } else if (link.leaving_blocks != 0) {
        serve_later(out, link.free_at);
      }
    }
}

/// Crossbar arbitration at one switch (step 2 of a tick).
template <class Features>
void Network::State<Features>::match(SwitchId s) {
  switch_pending[s] = 0;
  for (find_offers(s); !offers.empty(); find_offers(s)) {
    std::ranges::sort(offers, {}, [](const Offer& one) { return std::tuple(one.in, one.turn); });
    QueueId last = kNone;
    for (const Offer& offer : offers)
      if (offer.in != std::exchange(last, offer.in)) accept(offer);
  }
}

template <class Features>
void Network::State<Features>::accept(const Offer& offer) {
  const auto [in, out, turn] = offer;
  const InputQueue& input = inputs[in];
  OutputQueue& output = outputs[out];
  Fifo& fifo = waiting_for(input, out);
  const PacketId id = take_head(fifo);
  const unsigned place = place_at_output(out, input.at);
  accepted[in] = static_cast<std::uint16_t>(place + 1);
  if (fifo.empty()) {
    output.requests()[input.place / 64] &= ~bit(input.place);
    if (--output.request_count == 0)
      wanted_outputs[places_first[input.at] + place / 64] &= ~bit(place);
  }
  const Tick end = cross(id, in, out);
  schedule_selection(input.at, end);
  if (is_dead(out)) wheel.schedule(end, {EventKind::kDeadPortCrossed, out});
  if (!send_at_once(out, id)) enqueue_output(out, id);
}

}  // namespace selvedge::sim
