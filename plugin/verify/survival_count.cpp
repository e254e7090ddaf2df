// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/survival_count.hpp"

#include <algorithm>

namespace selvedge::survival {
namespace {

constexpr std::size_t kUnknown = SIZE_MAX;

}  // namespace

Counter::Counter(const SurvivalContext& context)
    : context_(context),
      damage_(context.pairs, context.elements),
      components_(context.components),
      cycles_(context.fabric, context.tables, context.further, context.elements),
      acyclic_at_(context.deadlock_free ? 0 : kUnknown),
      cuts_(words(context.elements.size()), 0) {
  chosen_.reserve(context.faults);
}

Counts Counter::count(Element fixed, std::span<const Element> first) {
  tally_ = {};
  witness_.clear();
  fixed_ = fixed;
  if (fixed != kNoElement) push(fixed);
  for (const Element e : first) push(e);
  const std::size_t base = chosen_.size();
  const Element elements = context_.elements.size();

  if (base == context_.faults) {  // the caller gave all elements
    const std::vector<Element> all = chosen_;
    while (!chosen_.empty()) pop();
    const Counts one = count_one(all);
    if (!witness_.empty()) std::ranges::sort(witness_);
    return one;
  }
  // `next`: the least element that may be added at the current depth.
  Element next = first.empty() ? 0 : first.back() + 1;
  for (;;) {
    const std::size_t wanted = context_.faults - chosen_.size();
    if (wanted == 1) {
      last(next);
    } else {
      if (next == fixed_) ++next;
      const bool fixed_ahead = fixed_ != kNoElement && fixed_ > next;
      if (next + wanted + (fixed_ahead ? 1 : 0) <= elements) {
        push(next++);
        continue;
      }
    }
    if (chosen_.size() == base) break;
    next = chosen_.back() + 1;
    pop();
  }
  while (!chosen_.empty()) pop();
  return tally_;
}

Counts Counter::count_one(std::span<const Element> elements) {
  tally_ = {};
  witness_.clear();
  for (const Element e : elements) push(e);
  const Outcome found = outcome();
  while (!chosen_.empty()) pop();
  Counts one;
  one.tolerated = found == Outcome::kTolerated;
  one.singular = found == Outcome::kSingular;
  one.disconnected = found == Outcome::kDisconnected;
  if (found == Outcome::kSingular) witness_.assign(elements.begin(), elements.end());
  return one;
}

void Counter::push(Element e) {
  damage_.add(e);
  chosen_.push_back(e);
}

void Counter::pop() {
  damage_.remove(chosen_.back());
  chosen_.pop_back();
  if (acyclic_at_ != kUnknown && acyclic_at_ > chosen_.size()) acyclic_at_ = kUnknown;
}

/// The outcome if exactly the chosen elements fail.
Counter::Outcome Counter::outcome() {
  const bool whole = components_.find(damage_.failed());
  for (const std::uint32_t pair : damage_.lost()) {
    const Pairs::Ends ends = context_.pairs.ends[pair];
    if (components_.connected(ends.a, ends.b)) return Outcome::kSingular;
  }
  if (acyclic_at_ == kUnknown && cycles_.any_left(chosen_)) return Outcome::kSingular;
  return whole ? Outcome::kTolerated : Outcome::kDisconnected;
}

/// Counts all combinations that add one element, `from` or higher, to the K − 1 chosen ones.
void Counter::last(Element from) {
  const Element elements = context_.elements.size();
  if (from >= elements) return;
  const bool may_disconnect = context_.faults >= context_.least_cut;
  const bool disconnected_already =
      may_disconnect && !components_.find_cuts(damage_.failed(), cuts_);
  // If the K − 1 faults leave no cycle of dependencies, none of these combinations needs a proof.
  if (acyclic_at_ == kUnknown && !cycles_.any_left(chosen_)) acyclic_at_ = chosen_.size();
  for (std::size_t word = from / 64; word < cuts_.size(); ++word) {
    std::uint64_t candidates = ~std::uint64_t{0};
    if (word == from / 64) candidates &= ~(bit_of(from) - 1);
    if (word == elements / 64) candidates &= bit_of(elements) - 1;
    if (fixed_ != kNoElement && word == fixed_ / 64) candidates &= ~bit_of(fixed_);
    if (candidates != 0) count_word(word, candidates, disconnected_already);
  }
}

void Counter::count_word(std::size_t word, std::uint64_t candidates, bool disconnected_already) {
  const std::uint64_t cuts = (disconnected_already ? ~std::uint64_t{0} : cuts_[word]) & candidates;
  const std::uint64_t rest = candidates & ~cuts;
  std::uint64_t singular = rest == 0 ? 0 : damage_.fatal(word) & rest;
  if (acyclic_at_ == kUnknown)
    each_bit(rest & ~singular, word, [&](Element e) {
      if (cycle_with(e)) singular |= bit_of(e);
    });
  tally_.tolerated += static_cast<unsigned>(std::popcount(rest & ~singular));
  // A fault that disconnects hosts takes pairs out of consideration. So each such fault is applied
  // and its outcome examined.
  each_bit(cuts, word, [&](Element e) {
    push(e);
    const Outcome found = outcome();
    pop();
    tally_.tolerated += found == Outcome::kTolerated;
    tally_.disconnected += found == Outcome::kDisconnected;
    if (found == Outcome::kSingular) singular |= bit_of(e);
  });
  tally_.singular += static_cast<unsigned>(std::popcount(singular));
  if (singular != 0 && witness_.empty())
    note_singular(
        static_cast<Element>(word * 64 + static_cast<unsigned>(std::countr_zero(singular))));
}

bool Counter::cycle_with(Element e) {
  chosen_.push_back(e);
  const bool cycle = cycles_.any_left(chosen_);
  chosen_.pop_back();
  return cycle;
}

void Counter::note_singular(Element e) {
  witness_ = chosen_;
  witness_.push_back(e);
  std::ranges::sort(witness_);
}

}  // namespace selvedge::survival
