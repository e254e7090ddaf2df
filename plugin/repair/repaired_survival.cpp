// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/repaired_survival.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <tuple>
#include <utility>

#include "base/threads.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/repair/readdress_state.hpp"
#include "plugin/verify/small_prover.hpp"
#include "plugin/verify/survival_pairs.hpp"
#include "plugin/verify/survival_parts.hpp"

namespace selvedge {

using survival::Element;
using survival::Elements;

namespace {

constexpr std::uint64_t kAtOnce = 64;  // draws that a thread takes; combinations between reports

/// A copy of the state for each depth: small tables are copied in a microsecond.
class ReaddressTrail final : public RepairTrail {
 public:
  explicit ReaddressTrail(const ReaddressState& start) {
    states_.push_back(std::make_unique<ReaddressState>(start));
  }
  void push(const Fault& fault) override {
    const ReaddressState& last = *states_[depth_];
    if (++depth_ == states_.size())
      states_.push_back(std::make_unique<ReaddressState>(last));
    else
      states_[depth_]->assign(last);
    ReaddressState::Changes& c = changes_;
    c.lft.clear();
    c.sl.clear();
    c.sl2vl.clear();
    c.readdressed.clear();
    c.failed = 0;
    states_[depth_]->lose(fault, c);
    if (c.failed > 0) states_[depth_]->begin_anew(c);
  }
  void pop() override { --depth_; }
  const Tables& tables() const override { return states_[depth_]->tables(); }
  unsigned top_offset() const override { return states_[depth_]->top_offset(); }

 private:
  std::vector<std::unique_ptr<ReaddressState>> states_;
  std::size_t depth_ = 0;
  ReaddressState::Changes changes_;
};

/// Goes back by making the same repairs again, up to the last but one.
class InPlaceTrail final : public RepairTrail {
 public:
  InPlaceTrail(const Fabric& fabric, const Tables& tables, RepairRequest request)
      : fabric_(fabric),
        tables_(tables),
        request_(request),
        repair_(fabric, tables, std::nullopt, request) {}
  void push(const Fault& fault) override {
    if (stale_) {
      repair_ = InPlaceRepair(fabric_, tables_, std::nullopt, request_);
      for (const Fault& f : faults_) repair_.fail(f);
      stale_ = false;
    }
    faults_.push_back(fault);
    repair_.fail(fault);
  }
  void pop() override {
    faults_.pop_back();
    stale_ = true;
  }
  const Tables& tables() const override { return repair_.tables(); }
  unsigned top_offset() const override { return 0; }
  const Tables* kept_from() const override { return &tables_; }

 private:
  const Fabric& fabric_;
  const Tables& tables_;
  const RepairRequest request_;
  InPlaceRepair repair_;
  std::vector<Fault> faults_;
  bool stale_ = false;
};

/// One thread's part.
class Counter {
 public:
  Counter(const Fabric& fabric, const Elements& elements, const SurvivalQuestion& question,
          std::unique_ptr<RepairTrail> trail)
      : fabric_(fabric),
        elements_(elements),
        question_(question),
        trail_(std::move(trail)),
        prover_(fabric) {}

  /// All combinations that begin with these elements.
  template <class Report>
  void count(const std::vector<Element>& first, Report report) {
    while (!chosen_.empty()) pop();
    for (const Element e : first) push(e);
    descend(first.empty() ? 0 : first.back() + 1, report);
    report(std::exchange(unreported_, 0));
  }
  /// One combination; what it shares with the last one is not repaired again.
  void count_one(const std::vector<Element>& combination) {
    std::size_t same = 0;
    while (same < chosen_.size() && same < combination.size() && chosen_[same] == combination[same])
      ++same;
    while (chosen_.size() > same) pop();
    for (std::size_t i = same; i < combination.size(); ++i) push(combination[i]);
    judge();
  }

  const RepairedSurvival& sum() const { return sum_; }
  const std::vector<Element>& witness() const { return witness_; }

 private:
  void push(Element e) {
    Fault& one = one_;
    one.links.clear();
    one.switches.clear();
    if (question_.of == FaultKind::kLinks) {
      one.links.push_back(elements_.id[e]);
      all_.links.push_back(elements_.id[e]);
    } else {
      one.switches.push_back(elements_.id[e]);
      all_.switches.push_back(elements_.id[e]);
    }
    chosen_.push_back(e);
    trail_->push(one);
  }
  void pop() {
    trail_->pop();
    chosen_.pop_back();
    (question_.of == FaultKind::kLinks ? all_.links : all_.switches).pop_back();
  }

  /// As deep as there are faults, and their repairs take longer.
  // NOLINTBEGIN(misc-no-recursion)
  template <class Report>
  void descend(Element from, Report report) {
    if (chosen_.size() == question_.faults) {
      judge();
      if (++unreported_ == kAtOnce) report(std::exchange(unreported_, 0));
      return;
    }
    const std::size_t wanted = question_.faults - chosen_.size();
    for (Element e = from; e + wanted <= elements_.size(); ++e) {
      push(e);
      descend(e + 1, report);
      pop();
    }
  }
  // NOLINTEND(misc-no-recursion)

  void judge() {
    const SmallProver::Finding found = prover_.prove(all_, trail_->tables());
    ++sum_.evaluated;
    sum_.max_vls =
        std::max<unsigned>(sum_.max_vls, static_cast<unsigned>(std::popcount(found.vls)));
    sum_.max_sls =
        std::max<unsigned>(sum_.max_sls, static_cast<unsigned>(std::popcount(found.sls)));
    sum_.max_lids = std::max(sum_.max_lids, trail_->top_offset() + 1);
    if (const Tables* start = trail_->kept_from(); start != nullptr)
      sum_.paths += kept_paths(fabric_, without(fabric_, all_), *start, trail_->tables());
    if (!found.connected || !found.deadlock_free) {
      ++sum_.singular;
      if (witness_.empty() || chosen_ < witness_) witness_ = chosen_;
    } else if (!found.whole) {
      ++sum_.disconnected;
    } else {
      ++sum_.tolerated;
    }
  }

  const Fabric& fabric_;
  const Elements& elements_;
  const SurvivalQuestion& question_;
  std::unique_ptr<RepairTrail> trail_;
  SmallProver prover_;
  std::vector<Element> chosen_;
  Fault one_, all_;
  RepairedSurvival sum_;
  std::vector<Element> witness_;
  std::uint64_t unreported_ = 0;
};

/// The ways to begin, in order: with nothing, one element or two, as many as it takes to deal work
/// out evenly.
std::vector<std::vector<Element>> beginnings(Element elements, unsigned faults) {
  std::vector<std::vector<Element>> all;
  const unsigned length = faults >= 4 ? 2 : faults - 1 > 1 ? 1 : faults - 1;
  if (length == 0) return {{}};
  for (Element a = 0; a + faults <= elements; ++a) {
    if (length == 1) all.push_back({a});
    for (Element b = a + 1; length == 2 && b + faults - 1 <= elements; ++b) all.push_back({a, b});
  }
  return all;
}

}  // namespace

MakeRepairTrail readdress_trails(const Fabric& fabric, const Tables& tables,
                                 RepairRequest request) {
  auto start = std::make_shared<const ReaddressState>(fabric, tables, request);
  return [start] { return std::make_unique<ReaddressTrail>(*start); };
}

MakeRepairTrail in_place_trails(const Fabric& fabric, const Tables& tables, RepairRequest request) {
  return [&fabric, &tables, request] {
    return std::make_unique<InPlaceTrail>(fabric, tables, request);
  };
}

RepairedSurvival survive_repaired(const Fabric& fabric, const MakeRepairTrail& make,
                                  const SurvivalQuestion& question) {
  const Elements elements(fabric, question.of);
  const std::uint64_t total =
      question.sample ? *question.sample
                      : combinations(elements.size(), question.faults).value_or(UINT64_MAX);
  std::atomic<std::uint64_t> done{0}, dealt{0};
  const auto report = [&](std::uint64_t more) {
    if (more == 0) return;
    const std::uint64_t now = done += more;
    if (question.progress) question.progress(now, total);
  };
  if (question.progress) question.progress(0, total);

  const std::vector<std::vector<Element>> shares =
      question.sample ? std::vector<std::vector<Element>>{}
                      : beginnings(elements.size(), question.faults);
  RepairedSurvival sum;
  std::mutex mutex;
  std::uint64_t order = 0;  // of a sample: the draw
  std::vector<Element> witness;
  run_threads(question.jobs, [&](unsigned) {
    Counter counter(fabric, elements, question, make());
    std::uint64_t witness_draw = 0;
    std::vector<Element> found;
    if (question.sample) {
      std::vector<Element> drawn;
      for (std::uint64_t first = 0; (first = dealt.fetch_add(kAtOnce)) < total;) {
        const std::uint64_t end = first + std::min(kAtOnce, total - first);
        for (std::uint64_t i = first; i < end; ++i) {
          survival::draw(survival::stream(question.seed, i), elements.size(), question.faults,
                         drawn);
          const std::uint64_t before = counter.sum().singular;
          counter.count_one(drawn);
          if (!found.empty() || counter.sum().singular == before) continue;
          found = drawn;
          witness_draw = i;
        }
        report(end - first);
      }
    } else {
      for (std::uint64_t i = 0; (i = dealt.fetch_add(1)) < shares.size();)
        counter.count(shares[i], report);
      found = counter.witness();
    }
    const std::lock_guard lock(mutex);
    const RepairedSurvival& mine = counter.sum();
    sum.evaluated += mine.evaluated;
    sum.tolerated += mine.tolerated;
    sum.singular += mine.singular;
    sum.disconnected += mine.disconnected;
    sum.max_vls = std::max(sum.max_vls, mine.max_vls);
    sum.max_sls = std::max(sum.max_sls, mine.max_sls);
    sum.max_lids = std::max(sum.max_lids, mine.max_lids);
    sum.paths += mine.paths;
    if (!found.empty() &&
        (witness.empty() || std::tie(witness_draw, found) < std::tie(order, witness))) {
      order = witness_draw;
      witness = found;
    }
  });
  if (!witness.empty()) sum.witness = elements.fault(witness);
  return sum;
}

}  // namespace selvedge
