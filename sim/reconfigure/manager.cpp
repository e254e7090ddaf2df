// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Requests, answers and traps; manager_changes.cpp has what happens from a report to the last
// answer.
#include "sim/reconfigure/manager.hpp"

#include <algorithm>

namespace selvedge::sim {
namespace {

constexpr unsigned kTraps = 16;  // sent by a switch for one event at most
constexpr double kLookUs = 0.1;  // how often agents look whether they have something to say

}  // namespace

Manager::Manager(const ReconfigurationSpec& spec, const Fabric& fabric, const Model& model,
                 Target& target, Subnet& subnet)
    : spec_(spec),
      fabric_(fabric),
      model_(model),
      target_(target),
      subnet_(subnet),
      scheme_(scheme_of(spec.scheme)),
      host_(manager_host(spec, fabric)),
      agents_(fabric, target.initial(), subnet, spec.token_bytes),
      known_(fabric) {
  routes_.emplace(known_, host_);
  if (spec.at_us) planned_at_ = ticks(*spec.at_us);
  if (spec.detection == Detection::kSweep) sweep_at_ = ticks(spec.sweep_us);
}

Tick Manager::ticks(double us) const { return model_.time_base.at(us * 1000); }

Tick Manager::next() const {
  Tick at = sweep_at_;
  if (phase_ == Phase::kIdle) at = std::min(at, planned_at_);
  if (phase_ == Phase::kComputing || phase_ == Phase::kWaiting) at = std::min(at, wait_until_);
  for (const auto& [id, deadline] : open_) at = std::min(at, deadline);
  for (const auto& [s, trap] : traps_) at = std::min(at, trap.repeat_at);
  for (const auto& [s, notice] : notices_) at = std::min(at, notice.repeat_at);
  at = std::min(at, look_at_);
  return at;
}

void Manager::act() {
  for (const LostSmp& lost : subnet_.take_lost_smps()) under_way_.erase(lost.tag);
  std::vector<SmpArrival> arrivals = subnet_.take_arrivals();
  // The order of the arrivals of one tick has no meaning.
  std::ranges::sort(arrivals, {}, [](const SmpArrival& a) { return a.smp.tag; });
  for (const SmpArrival& arrival : arrivals) {
    const auto found = under_way_.find(arrival.smp.tag);
    Content content = std::move(found->second);
    under_way_.erase(found);
    receive(arrival, std::move(content));
  }
  expire();
  if (sweep_at_ <= subnet_.now()) sweep();
  repeat_traps();
  if (scheme_.must_confirm()) look();
  if (phase_ == Phase::kIdle && planned_at_ <= subnet_.now()) {
    planned_at_ = kNever;
    news_since_ = std::min(news_since_, subnet_.now());
    begin_change();
  }
  do pump();
  while (advance_phase());
  look_at_ = agents_.wait() ? subnet_.now() + std::max<Tick>(ticks(kLookUs), 1) : kNever;
}

/// Lets switches look whether they have something to say, and say it.
void Manager::look() {
  for (const SwitchId s : agents_.look()) notices_[s] = {agents_.says(s), subnet_.now()};
  repeat_notices();
}

void Manager::repeat_notices() {
  for (auto at = notices_.begin(); at != notices_.end();) {
    auto& [s, notice] = *at;
    if (agents_.says(s) != notice.change) {  // it has been told what follows
      at = notices_.erase(at);
      continue;
    }
    if (notice.repeat_at <= subnet_.now()) {
      const SmpEnd of{SmpEnd::Kind::kSwitch, s};
      send(of, ways_back_.at(s), {.kind = Content::Kind::kSays, .of = of, .change = notice.change});
      notice.repeat_at = subnet_.now() + std::max<Tick>(ticks(spec_.timeout_us), 1);
    }
    ++at;
  }
}

void Manager::send(const SmpEnd& from, Smp smp, Content content) {
  if (loses_(sent_++)) return;
  smp.tag = next_tag_++;
  smp.bytes = static_cast<std::uint16_t>(spec_.smp_bytes);
  under_way_.emplace(smp.tag, std::move(content));
  subnet_.send(from, smp);
}

void Manager::enqueue(Request request) {
  const std::uint32_t id = next_request_++;
  all_.emplace(id, std::move(request));
  queue_.push_back(id);
}

/// Sends queued requests as far as `outstanding` permits.
void Manager::pump() {
  while (!queue_.empty() && open_.size() < spec_.outstanding) {
    const std::uint32_t id = queue_.front();
    queue_.pop_front();
    transmit(id);
  }
}

void Manager::transmit(std::uint32_t id) {
  Request& request = all_.at(id);
  const std::optional<Smp> smp = routes_->to(request.at);
  if (!smp) {  // it is cut off: nobody can write there, and no packet of ours comes there
    all_.erase(id);
    return;
  }
  open_[id] = subnet_.now() + std::max<Tick>(ticks(spec_.timeout_us), 1);
  if (!changes_.empty() && request.why != Why::kSweep) {
    ++changes_.back().requests;
    if (request.tries > 0) ++changes_.back().repeated;
  }
  send({SmpEnd::Kind::kHost, host_}, *smp,
       {.kind = Content::Kind::kRequest,
        .request = id,
        .of = request.at,
        .writes = request.why == Why::kWrite,
        .write = request.write});
}

/// Repeats requests whose time is over, or gives them up.
void Manager::expire() {
  std::vector<std::uint32_t> over;
  for (const auto& [id, deadline] : open_)
    if (deadline <= subnet_.now()) over.push_back(id);
  for (const std::uint32_t id : over) {
    open_.erase(id);
    Request& request = all_.at(id);
    if (request.why != Why::kSweep && request.tries++ < spec_.retries) {
      transmit(id);
      continue;
    }
    if (request.why == Why::kWrite && scheme_.must_confirm()) {
      // Without this switch or host the change would not be safe. Others have their turn first.
      queue_.push_back(id);
      ask_switches();
      continue;
    }
    if (request.why == Why::kWrite) {
      ++changes_.back().unconfirmed;
      put_in_doubt(request.write);
    }
    if (request.why == Why::kLocate) ask_on_the_way(request.at);
    all_.erase(id);
  }
}

void Manager::receive(const SmpArrival& arrival, Content content) {
  const bool at_switch = arrival.end.kind == SmpEnd::Kind::kSwitch;
  switch (content.kind) {
    case Content::Kind::kRequest: {
      if (content.writes) agents_.apply(content.write);
      if (at_switch && scheme_.must_confirm())  // also of a question: cables may have failed
        ways_back_[arrival.end.id] = route_back(arrival.smp);
      Content answer{.kind = Content::Kind::kAnswer, .request = content.request, .of = arrival.end};
      if (at_switch) answer.ports = agents_.changed_ports(arrival.end.id);
      return send(arrival.end, route_back(arrival.smp), std::move(answer));
    }
    case Content::Kind::kAnswer:
      return answered(content.request, content);
    case Content::Kind::kTrap: {
      if (const auto back = routes_->to(content.of))
        send({SmpEnd::Kind::kHost, host_}, *back,
             {.kind = Content::Kind::kRepress, .of = content.of});
      // The trap says that a port of the switch has changed, not which.
      for (const auto& [id, request] : all_)
        if (request.why == Why::kLocate && request.at == content.of) return;
      enqueue({.at = content.of, .why = Why::kLocate});
      std::rotate(queue_.begin(), queue_.end() - 1, queue_.end());
      return;
    }
    case Content::Kind::kRepress:
      traps_.erase(arrival.end.id);
      return;
    case Content::Kind::kSays:
      if (content.change == changes_.size()) said_.insert(content.of.id);
      if (const auto back = routes_->to(content.of))
        send({SmpEnd::Kind::kHost, host_}, *back,
             {.kind = Content::Kind::kNoted, .of = content.of, .change = content.change});
      return;
    case Content::Kind::kNoted:
      if (const auto found = notices_.find(content.of.id);
          found != notices_.end() && found->second.change == content.change)
        notices_.erase(found);
      return;
  }
}

void Manager::answered(std::uint32_t id, const Content& content) {
  open_.erase(id);
  all_.erase(id);
  std::erase(queue_, id);  // it may have been about to be repeated
  learn(content.ports);
}

/// What a switch says about its ports.
void Manager::learn(const std::vector<Agents::PortState>& ports) {
  bool news = false;
  for (const Agents::PortState& port : ports) {
    const Channel cable = std::min(port.port, fabric_.peer(port.port));
    const auto [known, fresh] = cables_.try_emplace(cable, false, Tick{-1});
    auto& [down, since] = known->second;
    if (port.since <= since) continue;
    since = port.since;
    const bool same = std::exchange(down, port.down) == port.down;
    // With tokens a port that has come up again carries no data until it has been told to.
    if (same && (port.down || !scheme_.tokens)) continue;
    news = true;
    news_.push_back(cable);
    news_since_ = std::min(news_since_, port.since);
  }
  if (!news) return;
  if (phase_ == Phase::kIdle) return begin_change();
  if (!may_abort()) {
    again_ = true;
    if (scheme_.must_confirm()) look_at_cables();  // what must be confirmed takes other routes
    return;
  }
  abort_change();
  begin_change();
}

void Manager::set_cable(Channel cable, bool down) {
  if (!down && scheme_.tokens) agents_.close(cable);
  for (const Channel port : {cable, fabric_.peer(cable)}) {
    if (!fabric_.from_switch(port)) continue;
    agents_.set_port(port, down, subnet_.now());
    if (spec_.detection == Detection::kTrap)
      traps_[fabric_.switch_of(port)] = {subnet_.now(), kTraps};
  }
}

/// Lets switches send traps to the manager's LID, as their LFTs have it.
void Manager::repeat_traps() {
  for (auto at = traps_.begin(); at != traps_.end();) {
    auto& [s, trap] = *at;
    if (trap.repeat_at > subnet_.now()) {
      ++at;
      continue;
    }
    send({SmpEnd::Kind::kSwitch, s}, {.dlid = fabric_.host(host_).lid},
         {.kind = Content::Kind::kTrap, .of = {SmpEnd::Kind::kSwitch, s}});
    trap.repeat_at = subnet_.now() + std::max<Tick>(ticks(spec_.timeout_us), 1);
    at = --trap.left == 0 ? traps_.erase(at) : std::next(at);
  }
}

/// Asks every switch, unless a change or the last round is under way.
void Manager::sweep() {
  sweep_at_ += std::max<Tick>(ticks(spec_.sweep_us), 1);
  if (phase_ == Phase::kIdle && nothing_to_do()) ask_switches();
}

/// Asks the switches on the way to one whose trap came and that does not answer: the way may lead
/// over what has failed. The last switch that can be reached knows it, but its own trap may be
/// lost, for its LFT may lead over that too.
void Manager::ask_on_the_way(const SmpEnd& end) {
  const std::optional<Smp> smp = routes_->to(end);
  if (!smp) return;
  Channel by = fabric_.injection(host_);
  for (unsigned hop = 2; hop <= smp->hops; ++hop) {
    const SwitchId at = fabric_.target(by);
    const bool asked = std::ranges::any_of(all_, [at](const auto& one) {
      return one.second.why == Why::kOnTheWay && one.second.at.id == at;
    });
    if (!asked) enqueue({.at = {SmpEnd::Kind::kSwitch, at}, .why = Why::kOnTheWay});
    by = fabric_.channel(at, smp->out[hop]);
  }
}

/// Asks every switch for its ports, unless they are being asked.
void Manager::ask_switches() {
  for (const auto& [id, request] : all_)
    if (request.why == Why::kSweep) return;
  for (SwitchId s = 0; s < known_.num_switches(); ++s)
    if (routes_->links({SmpEnd::Kind::kSwitch, s}) > 0)
      enqueue({.at = {SmpEnd::Kind::kSwitch, s}, .why = Why::kSweep});
}

}  // namespace selvedge::sim
