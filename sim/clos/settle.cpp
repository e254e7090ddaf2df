// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/settle.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace selvedge::sim {
namespace {

constexpr unsigned kNowhere = UINT32_MAX;

unsigned draw(const std::vector<unsigned>& from, Stream& chance) {
  return from[chance.below(static_cast<std::uint32_t>(from.size()))];
}

}  // namespace

SelfRouting::SelfRouting(const Wiring& wiring, unsigned flows_per_link)
    : leaves_(wiring.leaves()),
      middles_(wiring.middles),
      limit_(flows_per_link),
      complete_(wiring.complete()),
      folded_(wiring.folded),
      every_middle_(wiring.middles),
      ports_(std::size_t{leaves_} * middles_),
      load_(std::size_t{leaves_} * middles_, 0),
      received_(leaves_) {
  std::iota(every_middle_.begin(), every_middle_.end(), 0U);
  if (complete_) return;
  ways_.reserve(std::size_t{leaves_} * leaves_);
  for (unsigned from = 0; from < leaves_; ++from)
    for (unsigned to = 0; to < leaves_; ++to) ways_.push_back(wiring.ways(from, to));
}

void SelfRouting::reset(std::span<const Flow> flows) {
  flows_ = flows;
  slot_.assign(flows.size(), 0);
  middle_.assign(flows.size(), kNowhere);
  for (Port& p : ports_) p.flows.clear();
  std::ranges::fill(load_, 0U);
  for (auto& of : received_) of.clear();
  std::vector<unsigned> hosts(leaves_, 0);
  for (unsigned f = 0; f < flows.size(); ++f) {
    slot_[f] = hosts[flows[f].from]++;
    if (!folded_ || flows[f].from != flows[f].to) received_[flows[f].to].push_back(f);
  }
}

void SelfRouting::put(unsigned flow, unsigned middle) {
  std::vector<unsigned>& there = port(flow, middle).flows;
  there.insert(std::ranges::lower_bound(there, flow), flow);
  ++load(flow, middle);
  middle_[flow] = middle;
}

void SelfRouting::take(unsigned flow) {
  std::vector<unsigned>& there = port(flow, middle_[flow]).flows;
  there.erase(std::ranges::lower_bound(there, flow));
  --load(flow, middle_[flow]);
}

/// Finds the flow a port by moving others of its leaf switch (an augmenting path, Kuhn 1955).
bool SelfRouting::make_room(unsigned flow, std::vector<bool>& tried) {
  for (const unsigned k : ways(flow)) {
    if (tried[k]) continue;
    tried[k] = true;
    if (port(flow, k).flows.size() < limit_) {
      put(flow, k);
      return true;
    }
    const std::vector<unsigned> there = port(flow, k).flows;
    for (const unsigned other : there) {
      take(other);
      if (make_room(other, tried)) {
        put(flow, k);
        return true;
      }
      put(other, k);
    }
  }
  return false;
}

bool SelfRouting::assign(FirstAssignment first, Stream& chance) {
  for (unsigned f = 0; f < flows_.size(); ++f) {
    if (folded_ && flows_[f].from == flows_[f].to) continue;
    candidates_.clear();
    for (const unsigned k : ways(f))
      if (port(f, k).flows.size() < limit_) candidates_.push_back(k);
    if (candidates_.empty()) {
      std::vector<bool> tried(middles_, false);
      if (!make_room(f, tried)) return false;
    } else if (first == FirstAssignment::kSemiRandom) {
      put(f, draw(candidates_, chance));
    } else {  // the first at or after its number, cyclically
      const auto at = std::ranges::lower_bound(candidates_, slot_[f] % middles_);
      put(f, at == candidates_.end() ? candidates_.front() : *at);
    }
  }
  return true;
}

void SelfRouting::pick_bad_flows(Stream& chance) {
  picked_.clear();
  for (unsigned leaf = 0; leaf < leaves_; ++leaf) {
    const auto first = load_.begin() + std::ptrdiff_t{leaf} * middles_;
    const unsigned worst = *std::max_element(first, first + middles_);
    if (worst <= limit_) continue;
    candidates_.clear();
    for (const unsigned f : received_[leaf])
      if (load(f, middle_[f]) == worst) candidates_.push_back(f);
    picked_.push_back(draw(candidates_, chance));
  }
}

bool SelfRouting::move(unsigned flow, NewMiddle choice, Stream& chance) {
  const unsigned old = middle_[flow];
  const std::vector<unsigned>& all = ways(flow);
  unsigned next = old;
  if (choice == NewMiddle::kAny) {
    next = draw(all, chance);
  } else if (all.size() > 1) {
    const unsigned i = chance.below(static_cast<std::uint32_t>(all.size() - 1));
    next = all[i] == old ? all.back() : all[i];
  }
  if (next == old) return false;
  unsigned other = kNowhere;
  const std::vector<unsigned>& there = port(flow, next).flows;
  if (there.size() >= limit_) {
    candidates_.clear();
    for (const unsigned f : there)
      if (complete_ || std::ranges::binary_search(ways(f), old)) candidates_.push_back(f);
    if (candidates_.empty()) return false;
    other = draw(candidates_, chance);
  }
  take(flow);
  if (other != kNowhere) {
    take(other);
    put(other, old);
  }
  put(flow, next);
  return true;
}

std::optional<Settled> SelfRouting::run(std::span<const Flow> flows, const SettleRules& rules,
                                        Stream& chance) {
  reset(flows);
  if (!assign(rules.first, chance)) return std::nullopt;
  Settled result;
  while (true) {
    pick_bad_flows(chance);
    result.settled = picked_.empty();
    if (result.settled || result.iterations == rules.most_iterations) break;
    ++result.iterations;
    for (std::size_t i = picked_.size(); i > 1; --i)
      std::swap(picked_[i - 1], picked_[chance.below(static_cast<std::uint32_t>(i))]);
    for (const unsigned f : picked_) result.moves += move(f, rules.choice, chance) ? 1 : 0;
  }
  result.middle = middle_;
  return result;
}

}  // namespace selvedge::sim
