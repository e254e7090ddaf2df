// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// One thread's counter of combinations: all that begin with given elements, or single ones that
// were drawn.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugin/verify/survival_components.hpp"
#include "plugin/verify/survival_cycles.hpp"
#include "plugin/verify/survival_damage.hpp"

namespace selvedge::survival {

struct Counts {
  std::uint64_t tolerated = 0;
  std::uint64_t singular = 0;
  std::uint64_t disconnected = 0;

  std::uint64_t all() const { return tolerated + singular + disconnected; }
  void add(const Counts& other, std::uint64_t times) {
    tolerated += times * other.tolerated;
    singular += times * other.singular;
    disconnected += times * other.disconnected;
  }
};

/// What the counters of all threads read.
struct SurvivalContext {
  const Fabric& fabric;
  const Tables& tables;
  const FurtherSls* further;  // SLs that paths have besides; nullptr: none
  const Elements& elements;
  const Pairs& pairs;
  const ConnectedComponents& components;  // each thread copies it
  bool deadlock_free;
  unsigned faults;     // K, the elements of a combination
  unsigned least_cut;  // fewer faults than this disconnect no hosts
};

class Counter {
 public:
  explicit Counter(const SurvivalContext& context);

  /// Counts all combinations of K elements that contain `fixed` (unless it is kNoElement) and
  /// `first` (ascending). Their remaining elements are higher than those of `first`.
  Counts count(Element fixed, std::span<const Element> first);
  /// Counts one combination.
  Counts count_one(std::span<const Element> elements);

  /// The first singular combination of the last count, in lexicographic order; empty if there was
  /// none.
  const std::vector<Element>& witness() const { return witness_; }

 private:
  enum class Outcome { kTolerated, kSingular, kDisconnected };

  void push(Element e);
  void pop();
  Outcome outcome();
  bool cycle_with(Element e);
  void last(Element from);
  void count_word(std::size_t word, std::uint64_t candidates, bool disconnected_already);
  void note_singular(Element e);

  const SurvivalContext& context_;
  Damage damage_;
  ConnectedComponents components_;
  Cycles cycles_;
  Element fixed_ = kNoElement;
  std::vector<Element> chosen_;  // in the order in which they were added
  /// The length of a prefix of chosen_ whose failure leaves no cycle of dependencies, or kUnknown.
  /// Further faults only remove paths, so they leave no cycle either.
  std::size_t acyclic_at_;
  Bits cuts_;
  Counts tally_;
  std::vector<Element> witness_;
};

}  // namespace selvedge::survival
