// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/survival_damage.hpp"

#include <algorithm>

namespace selvedge::survival {

Damage::Damage(const Pairs& pairs, const Elements& elements)
    : pairs_(pairs),
      elements_(elements),
      failed_(elements.size(), 0),
      hits_(pairs.num_paths(), 0),
      left_(pairs.size()),
      out_(pairs.size(), 0),
      users_(elements.size(), 0),
      critical_(words(elements.size()), 0),
      lost_ends_(elements.size(), 0) {
  lost_.reserve(pairs.size());
  alive_.reserve(std::size_t{1} << kMaxLmc);
  just_hit_.reserve(std::size_t{1} << kMaxLmc);
  for (std::uint32_t p = 0; p < pairs.size(); ++p) {
    left_[p] = static_cast<std::uint8_t>(pairs.paths(p));
    if (left_[p] == 0) {
      lost_.push_back(p);
      count_lost(p, 1);
    } else if (left_[p] <= pairs.shared[p]) {
      leave_out(p, -1);
    }
  }
}

void Damage::add(Element e) {
  failed_[e] = 1;
  if (elements_.kind == FaultKind::kSwitches)
    for (const std::uint32_t p : pairs_.ending[e])
      if (out_[p]++ == 0) leave_out(p, 1);

  const std::span<const std::uint32_t> through = pairs_.through[e];
  for (std::size_t i = 0; i < through.size();) {
    const std::uint32_t p = pairs_.pair_of[through[i]], end = pairs_.first_path[p + 1];
    unsigned hit = 0;
    if (out_[p] == 0)
      for (std::size_t j = i; j < through.size() && through[j] < end; ++j)
        hit += hits_[through[j]]++ == 0;
    while (i < through.size() && through[i] < end) ++i;
    if (hit == 0) continue;
    left_[p] = static_cast<std::uint8_t>(left_[p] - hit);
    if (left_[p] <= pairs_.shared[p]) update_critical(p, e, 1);
  }
}

void Damage::remove(Element e) {
  const std::span<const std::uint32_t> through = pairs_.through[e];
  for (std::size_t i = 0; i < through.size();) {
    const std::uint32_t p = pairs_.pair_of[through[i]], end = pairs_.first_path[p + 1];
    const std::size_t first = i;
    unsigned hit = 0;
    if (out_[p] == 0)
      for (std::size_t j = i; j < through.size() && through[j] < end; ++j)
        hit += hits_[through[j]] == 1;
    while (i < through.size() && through[i] < end) ++i;
    if (out_[p] != 0) continue;
    if (hit != 0 && left_[p] <= pairs_.shared[p]) update_critical(p, e, -1);
    for (std::size_t j = first; j < i; ++j) --hits_[through[j]];
    left_[p] = static_cast<std::uint8_t>(left_[p] + hit);
  }

  if (elements_.kind == FaultKind::kSwitches)
    for (const std::uint32_t p : pairs_.ending[e])
      if (--out_[p] == 0) leave_out(p, -1);
  failed_[e] = 0;
}

std::uint64_t Damage::fatal(std::size_t word) const {
  if (lost_now_ == 0) return critical_[word];
  if (elements_.kind == FaultKind::kLinks) return ~std::uint64_t{0};
  std::uint64_t found = critical_[word];
  const std::size_t end = std::min<std::size_t>(word * 64 + 64, lost_ends_.size());
  for (std::size_t e = word * 64; e < end; ++e)
    if (lost_now_ > lost_ends_[e]) found |= bit_of(static_cast<Element>(e));
  return found;
}

/// Updates the critical elements of a pair after the fault `last` broke some of its paths. Sign 1:
/// from the state before that fault to the state after it; sign −1: back.
void Damage::update_critical(std::uint32_t pair, Element last, int sign) {
  just_hit_.clear();
  alive_.clear();
  for (std::uint32_t q = pairs_.first_path[pair]; q < pairs_.first_path[pair + 1]; ++q) {
    if (hits_[q] == 0)
      alive_.push_back(q);
    else if (hits_[q] == 1 && std::ranges::find(pairs_.needs[q], last) != pairs_.needs[q].end())
      just_hit_.push_back(q);
  }
  if (alive_.empty()) {
    for (const Element e : pairs_.needs[just_hit_[0]])
      if (needed_by_all(e, just_hit_)) count(e, -sign);
    if (sign > 0)
      lost_.push_back(pair);
    else
      lost_.pop_back();
    count_lost(pair, sign);
    return;
  }
  // Elements that all paths needed before remain critical. Only those are new that all remaining
  // paths need, but not all of the paths just broken.
  for (const Element e : pairs_.needs[alive_[0]])
    if (needed_by_all(e, alive_) && !needed_by_all(e, just_hit_)) count(e, sign);
}

/// With sign 1, takes a pair out of the counts because an end failed; with sign −1, takes it in
/// again.
void Damage::leave_out(std::uint32_t pair, int sign) {
  if (left_[pair] == 0) {
    count_lost(pair, -sign);
    return;
  }
  if (left_[pair] > pairs_.shared[pair]) return;
  alive_.clear();
  for (std::uint32_t q = pairs_.first_path[pair]; q < pairs_.first_path[pair + 1]; ++q)
    if (hits_[q] == 0) alive_.push_back(q);
  for (const Element e : pairs_.needs[alive_[0]])
    if (needed_by_all(e, alive_)) count(e, -sign);
}

void Damage::count(Element e, int sign) {
  if (sign > 0) {
    if (users_[e]++ == 0) critical_[e / 64] |= bit_of(e);
  } else if (--users_[e] == 0) {
    critical_[e / 64] &= ~bit_of(e);
  }
}

void Damage::count_lost(std::uint32_t pair, int sign) {
  const auto step = static_cast<std::uint32_t>(sign);  // a sign of −1 subtracts, modulo 2^32
  lost_now_ += step;
  if (elements_.kind == FaultKind::kLinks) return;
  const Pairs::Ends ends = pairs_.ends[pair];
  lost_ends_[elements_.of_switch[ends.a]] += step;
  if (ends.a != ends.b) lost_ends_[elements_.of_switch[ends.b]] += step;
}

bool Damage::needed_by_all(Element e, std::span<const std::uint32_t> paths) const {
  return std::ranges::all_of(paths, [&](std::uint32_t q) {
    return std::ranges::find(pairs_.needs[q], e) != pairs_.needs[q].end();
  });
}

}  // namespace selvedge::survival
