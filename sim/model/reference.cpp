// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The reference simulator's time, the three steps of a tick, and its short public functions.
#include "sim/model/reference.hpp"

#include <algorithm>

#include "sim/model/reference_state.hpp"

namespace selvedge::sim {

using reference::Lane;
using reference::Link;
using reference::Transit;

reference::Link::Link(const Model& model, Stream of)
    : escape_next(model.vls, false),
      arbiter(model.arbitration_high, model.arbitration_low, model.arbitration_high_limit),
      head_life(model.head_of_queue_life),
      selection(of) {
  const bool has_escape = model.escape_queues && selects_per_packet(model.selection);
  const unsigned escape = has_escape ? blocks_of(model.mtu_bytes + model.header_bytes) : 0;
  for (unsigned vl = 0; vl < model.vls; ++vl) {
    Lane& lane = lanes.emplace_back();
    lane.vl = vl;
    lane.input_blocks = lane.credits = model.input_blocks - escape;
    lane.output_blocks = model.output_blocks - escape;
    if (!has_escape) continue;
    Lane& other = lanes.emplace_back();
    other.vl = vl;
    other.escape = true;
    other.input_blocks = other.credits = other.output_blocks = escape;
  }
  Lane& last = lanes.emplace_back();
  last.vl = kManagementVl;
  last.input_blocks = last.output_blocks = model.management_blocks;
}

Reference::State::State(const Fabric& of, const Tables& with, const Model& as, Traffic& from,
                        std::uint64_t seed, Managed by, Stepping at)
    : fabric(of),
      tables(with),
      model(as),
      traffic(from),
      managed(by),
      stepping(at),
      switch_lives(of.num_switches(), as.switch_life),
      switch_epochs(of.num_switches(), 0),
      copied_last(of.num_switches()),
      use(of.num_channels()) {
  for (Channel c = 0; c < fabric.num_channels(); ++c) {
    Link& link = links.emplace_back(model, Stream(seed, fabric.num_hosts() + std::uint64_t{c}));
    const Channel back = fabric.peer(c);
    link.channel = c;
    link.speed = model.link(fabric, c);
    const bool of_port_0 = fabric.from_switch(c) && fabric.port_of(c) == 0;
    if (of_port_0) link.speed = model.between_switches;
    link.from_host = !fabric.from_switch(c);
    link.exists = link.up = back != kNoChannel;
    link.to_host = link.exists && !fabric.from_switch(back);
  }
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    reference::Hca& hca = hcas.emplace_back(Stream(seed, h));
    hca.lid = fabric.host(h).lid;
    hca.lids = fabric.host(h).lid_count();
    hca.sl2vl = tables.host_sl2vl;
    woken.push_back(h);
  }
  check_invariant(model.input_queues == InputQueues::kFifo ||
                      (managed == Managed::kNo && !selects_per_packet(model.selection)),
                  "queues per output need one port a packet, and no subnet manager");
  check_invariant(model.replication == Replication::kNone ||
                      (managed == Managed::kNo && model.selection == Selection::kDeterministic &&
                       model.input_queues == InputQueues::kFifo && !traffic.drives_hosts()),
                  "packets are replicated without a manager, selection, queues per output and "
                  "hosts that are asked for packets");
  check_invariant(model.replication != Replication::kNone || !traffic.sends_multicast(),
                  "multicast needs switches that replicate");
  check_invariant(managed != Managed::kWithEpochs || !selects_per_packet(model.selection),
                  "epochs need one port a packet");
  check_invariant(
      managed != Managed::kWithLayers || (!selects_per_packet(model.selection) && model.vls == 2),
      "layers are two VLs, with one port a packet");
  check_invariant(managed != Managed::kWithTokens || !selects_per_packet(model.selection),
                  "tokens need one port a packet");
  layering.assign(fabric.num_switches(), Layering::kSeparate);
  for (SwitchId s = 0; s < fabric.num_switches() &&
                       (managed == Managed::kWithLayers || managed == Managed::kWithTokens);
       ++s)
    upper_lfts.emplace_back(tables.lft(s).begin(), tables.lft(s).end());
  if (model.selection == Selection::kEar) {
    check_invariant(managed == Managed::kNo, "no subnet manager is in a self-routing tree");
    prepare_ears(seed);
  }
  if (!model.classes.empty()) prepare_classes();
}

void Reference::State::run(Tick until) {
  constexpr Tick kTicksBetweenChecks = 256;
  for (;;) {
    Tick next = std::max(now, done + 1);
    if (stepping == Stepping::kDueTicks && !dirty) next = std::max(next, next_due());
    if (next >= until) break;
    accumulate_wait(next);
    now = next;
    dirty = false;
    tick();
    done = now;
    check_buffers();
    if (!arrivals.empty()) until = std::min(until, now + 1);
    if (++totals.events % kTicksBetweenChecks == 0) check_flows();
  }
  if (until > now) {
    accumulate_wait(until);
    now = until;
  }
  check_flows();
}

void Reference::State::tick() {
  act_on_doomed();
  pass_tokens();
  deliver_processed();
  // Step 1: state updates that fall due in this tick. Links are cut and restored between calls of
  // run(), so before all of them.
  move_bytes();
  for (Link& link : links) route_due(link);
  for (Link& link : links) receive_credits(link);
  for (Link& link : links) expire_lifetimes(link);
  for (Link& link : links) admit_management(link);
  for (Link& link : links) route_due(link);
  inspect_management();
  generate();

  // Step 2: crossbars.
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) serve_outputs(s);

  // Step 3: links.
  for (Link& link : links) start_sending(link);
  for (Link& link : links) {
    // On a link of length 0 the front arrives at once. It is routed in a later tick, so this order
    // of links does not matter.
    receive(link);
    admit_management(link);
    link.waits = link.up && sends_data(link) && !link.to_host && !link.sending &&
                 link.throttled_until <= now &&
                 std::any_of(link.lanes.begin(), link.lanes.end(), [&](const Lane& lane) {
                   return lane.vl != kManagementVl && !lane.output.empty() &&
                          lane.output.front()->ready_at <= now &&
                          lane.credits < lane.output.front()->packet->blocks;
                 });
  }
  count_lost_at_sources();
  react();
  look_at_heads();
  dirty = dirty || tokens_may_pass();
  dirty = dirty || !woken.empty();  // sources notified after generate() are polled in the next tick
}

Tick Reference::State::next_due() const {
  Tick next = kNever;
  const auto due = [&](Tick at) {
    if (at > done) next = std::min(next, at);
  };
  for (const Link& link : links) {
    if (!link.wire.empty()) due(link.wire.front().arrives);
    if (!link.credits_back.empty()) due(link.credits_back.front().arrives);
    if (link.sending) due(link.sending->start + link.time_of(link.sending->transit->left + 1));
    due(link.throttled_until);
    if (!link.unrouted.empty()) due(link.unrouted.front()->routed_at);
    for (const Lane& lane : link.lanes) {
      if (lane.crossing_out && lane.crossing_out->crossed < lane.crossing_out->arrived)
        due(crossing_time(link, *lane.crossing_out, lane.crossing_out->crossed + 1));
      due(lane.aside_until);
      for (const reference::TransitPtr& copy : lane.copies)
        if (copy->granted_at != kNever && copy->crossed < copy->arrived)
          due(crossing_time(rate_of(link, *copy), *copy, copy->crossed + 1));
      if (lane.output.empty()) continue;
      const Transit& head = *lane.output.front();
      due(head.ready_at);
      if (!link.from_host && !head.packet->management) due(deadline_of(link, head).first);
    }
  }
  if (!processed.empty()) due(processed.front().at);
  for (const reference::Hca& hca : hcas) {
    if (hca.message.at != kNever) due(hca.message.at);
    for (const reference::Hca::ClassQueue& queue : hca.queues)
      if (queue.message.at != kNever) due(queue.message.at);
  }
  return next;
}

void Reference::State::accumulate_wait(Tick until) {
  for (const Link& link : links)
    if (link.waits) use[link.channel].xmit_wait += until - wait_counted_until;
  wait_counted_until = until;
}

Reference::Reference(const Fabric& fabric, const Tables& tables, const Model& model,
                     Traffic& traffic, std::uint64_t seed, Managed managed, Stepping stepping)
    : state_(std::make_unique<State>(fabric, tables, model, traffic, seed, managed, stepping)) {}
Reference::~Reference() = default;
Reference::Reference(Reference&&) noexcept = default;

void Reference::run(Tick until) { state_->run(until); }
Tick Reference::now() const { return state_->now; }
bool Reference::idle() const { return !state_->dirty && state_->next_due() == kNever; }

void Reference::set_lft(SwitchId at, std::span<const PortNum> lft) {
  const std::span<PortNum> mine = state_->tables.lft(at);
  check_invariant(lft.size() == mine.size(), "an LFT has an entry for each LID");
  std::copy(lft.begin(), lft.end(), mine.begin());
}

void Reference::set_tables(const Tables& tables) {
  state_->tables = tables;
  for (reference::Hca& hca : state_->hcas) hca.sl2vl = tables.host_sl2vl;
}

const Totals& Reference::totals() const { return state_->totals; }
const Window& Reference::window() const { return state_->window; }
std::vector<ChannelUse> Reference::use() const { return state_->use; }

void Reference::clear_window() {
  state_->window = Window();
  state_->window.since = state_->now;
  std::fill(state_->use.begin(), state_->use.end(), ChannelUse());
}

unsigned Reference::occupied(Channel c) const {
  unsigned blocks = 0;
  for (const Lane& lane : state_->links[c].lanes) blocks += lane.input_occupied;
  return blocks;
}

std::uint64_t Reference::waiting_at_sources() const {
  return state_->totals.generated - state_->totals.injected;
}

void Reference::on_move(std::function<void(const FlowMove&)> listener) {
  state_->move_listener = std::move(listener);
}

void Reference::on_delivery(std::function<void(const Delivery&)> listener) {
  state_->listener = std::move(listener);
}

}  // namespace selvedge::sim
