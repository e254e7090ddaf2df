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
#include "plugin/verify/survival_random.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

using survival::Element;
using survival::Elements;

namespace {

constexpr std::uint64_t kAtOnce = 64;  // combinations drawn at a time, or between progress reports

/// Repairs by RFTR. Keeps a copy of the state for each number of faults; copying the state of small
/// tables takes a microsecond.
class ReaddressSequence final : public RepairSequence {
 public:
  explicit ReaddressSequence(const ReaddressState& start) {
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
    states_[depth_]->fail(fault, c);
    if (c.failed > 0) states_[depth_]->rebuild_indexes(c);
  }
  void pop() override { --depth_; }
  const Tables& tables() const override { return states_[depth_]->tables(); }
  unsigned top_offset() const override { return states_[depth_]->top_offset(); }

 private:
  std::vector<std::unique_ptr<ReaddressState>> states_;
  std::size_t depth_ = 0;
  ReaddressState::Changes changes_;
};

/// Repairs in place. After a pop(), the next push() first repeats all earlier repairs, because
/// InPlaceRepair cannot undo one.
class InPlaceSequence final : public RepairSequence {
 public:
  InPlaceSequence(const Fabric& fabric, const Tables& tables, RepairRequest request)
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
  const Tables* original_tables() const override { return &tables_; }

 private:
  const Fabric& fabric_;
  const Tables& tables_;
  const RepairRequest request_;
  InPlaceRepair repair_;
  std::vector<Fault> faults_;
  bool stale_ = false;
};

/// The results for combinations of K faults, for one K.
struct Count {
  RepairedSurvival sum;
  std::uint64_t draw = 0;  // if combinations are sampled: which draw gave the witness
  std::vector<Element> witness;

  void found_singular(std::uint64_t at, const std::vector<Element>& combination) {
    ++sum.singular;
    if (!witness.empty() && std::tie(draw, witness) <= std::tie(at, combination)) return;
    draw = at;
    witness = combination;
  }
  void operator+=(const Count& more) {
    sum.evaluated += more.sum.evaluated;
    sum.tolerated += more.sum.tolerated;
    sum.disconnected += more.sum.disconnected;
    sum.graded += more.sum.graded;
    sum.max_vls = std::max(sum.max_vls, more.sum.max_vls);
    sum.max_sls = std::max(sum.max_sls, more.sum.max_sls);
    sum.max_lids = std::max(sum.max_lids, more.sum.max_lids);
    sum.paths += more.sum.paths;
    if (more.sum.singular == 0) return;
    found_singular(more.draw, more.witness);
    sum.singular += more.sum.singular - 1;
  }
};

/// A share of the work: all combinations that begin with the elements `first`, or that combination
/// alone.
struct Share {
  std::vector<Element> first;
  bool alone = false;
};

/// Evaluates the shares of the combinations that one thread takes.
class Counter {
 public:
  Counter(const Fabric& fabric, const Elements& elements, unsigned fewest,
          const SurvivalRequest& request, std::unique_ptr<RepairSequence> sequence)
      : fabric_(fabric),
        elements_(elements),
        fewest_(fewest),
        request_(request),
        sequence_(std::move(sequence)),
        prover_(fabric),
        counts_(request.faults - fewest + 1) {}

  template <class Report>
  void count(const Share& share, Report report) {
    go_to(share.first);
    if (share.alone) {
      evaluate(0);
      ++unreported_;
    } else {
      descend(share.first.empty() ? 0 : share.first.back() + 1, report);
    }
    report(std::exchange(unreported_, 0));
  }
  /// Evaluates one combination of a sample, which was draw number `draw`.
  void count_one(const std::vector<Element>& combination, std::uint64_t draw) {
    go_to(combination);
    evaluate(draw);
  }

  /// The results, at index (number of faults − `fewest`).
  const std::vector<Count>& counts() const { return counts_; }

 private:
  void push(Element e) {
    Fault& one = one_;
    one.links.clear();
    one.switches.clear();
    if (request_.of == FaultKind::kLinks) {
      one.links.push_back(elements_.id[e]);
      all_.links.push_back(elements_.id[e]);
    } else {
      one.switches.push_back(elements_.id[e]);
      all_.switches.push_back(elements_.id[e]);
    }
    chosen_.push_back(e);
    sequence_->push(one);
  }
  /// Goes from the present combination of faults to `combination`. The repairs of their common
  /// beginning are kept.
  void go_to(const std::vector<Element>& combination) {
    std::size_t same = 0;
    while (same < chosen_.size() && same < combination.size() && chosen_[same] == combination[same])
      ++same;
    while (chosen_.size() > same) pop();
    for (std::size_t i = same; i < combination.size(); ++i) push(combination[i]);
  }
  void pop() {
    sequence_->pop();
    chosen_.pop_back();
    (request_.of == FaultKind::kLinks ? all_.links : all_.switches).pop_back();
  }

  /// Evaluates the present combination and all its extensions by elements from `from` on. The depth
  /// of the recursion is the number of faults.
  // NOLINTBEGIN(misc-no-recursion)
  template <class Report>
  void descend(Element from, Report report) {
    if (chosen_.size() >= fewest_) {
      evaluate(0);
      if (++unreported_ == kAtOnce) report(std::exchange(unreported_, 0));
    }
    if (chosen_.size() == request_.faults) return;
    const std::size_t wanted = chosen_.size() < fewest_ ? fewest_ - chosen_.size() : 1;
    for (Element e = from; e + wanted <= elements_.size(); ++e) {
      push(e);
      descend(e + 1, report);
      pop();
    }
  }
  // NOLINTEND(misc-no-recursion)

  void evaluate(std::uint64_t draw) {
    const SmallProver::Result found = prover_.prove(all_, sequence_->tables());
    Count& count = counts_[chosen_.size() - fewest_];
    RepairedSurvival& sum = count.sum;
    ++sum.evaluated;
    sum.max_vls = std::max<unsigned>(sum.max_vls, static_cast<unsigned>(std::popcount(found.vls)));
    sum.max_sls = std::max<unsigned>(sum.max_sls, static_cast<unsigned>(std::popcount(found.sls)));
    sum.max_lids = std::max(sum.max_lids, sequence_->top_offset() + 1);
    if (const Tables* start = sequence_->original_tables(); start != nullptr)
      sum.paths += kept_paths(fabric_, without(fabric_, all_), *start, sequence_->tables());
    if (!found.connected || !found.deadlock_free)
      count.found_singular(draw, chosen_);
    else if (!found.hosts_connected)
      ++sum.disconnected;
    else
      ++sum.tolerated;
    if (request_.replies && found.connected && found.deadlock_free && found.hosts_connected)
      sum.graded += has_grade(*request_.replies);
  }

  bool has_grade(ReplyGrade wanted) const {
    VerifyOptions asked;
    asked.replies = asked.any_lid = true;
    asked.grade = wanted;
    asked.max_witnesses = 1;
    const std::optional<ReplyGrade> found =
        verify(without(fabric_, all_), sequence_->tables(), asked).verdict().grade();
    return found && *found >= wanted;
  }

  const Fabric& fabric_;
  const Elements& elements_;
  const unsigned fewest_;
  const SurvivalRequest& request_;
  std::unique_ptr<RepairSequence> sequence_;
  SmallProver prover_;
  std::vector<Element> chosen_;
  Fault one_, all_;
  std::vector<Count> counts_;
  std::uint64_t unreported_ = 0;
};

/// Divides the combinations into shares by their first zero, one or two elements, to balance the
/// load of the threads. A combination with fewer elements is a share of its own.
std::vector<Share> shares(Element elements, unsigned fewest, unsigned faults) {
  const unsigned length = faults >= 4 ? 2 : faults >= 2 ? 1 : 0;
  if (length == 0) return {{}};
  std::vector<Share> all;
  const unsigned shortest = std::max(fewest, length);
  for (Element a = 0; a < elements; ++a) {
    if (fewest < length) all.push_back({{a}, true});
    if (length == 1 && a + shortest <= elements) all.push_back({{a}});
    for (Element b = a + 1; length == 2 && b + shortest - 1 <= elements; ++b)
      all.push_back({{a, b}});
  }
  return all;
}

std::vector<RepairedSurvival> search(const Fabric& fabric, const MakeRepairSequence& make,
                                     unsigned fewest, const SurvivalRequest& request) {
  const Elements elements(fabric, request.of);
  std::uint64_t total = request.sample.value_or(0);
  for (unsigned k = fewest; k <= request.faults && !request.sample; ++k) {
    const auto of_k = combinations(elements.size(), k);
    total = of_k && *of_k < UINT64_MAX - total ? total + *of_k : UINT64_MAX;
  }
  std::atomic<std::uint64_t> done{0}, dealt{0};
  const auto report = [&](std::uint64_t more) {
    if (more == 0) return;
    const std::uint64_t now = done += more;
    if (request.progress) request.progress(now, total);
  };
  if (request.progress) request.progress(0, total);

  const std::vector<Share> work =
      request.sample ? std::vector<Share>{} : shares(elements.size(), fewest, request.faults);
  std::vector<Count> counts(request.faults - fewest + 1);
  std::mutex mutex;
  run_threads(request.jobs, [&](unsigned) {
    Counter counter(fabric, elements, fewest, request, make());
    if (request.sample) {
      std::vector<Element> drawn;
      for (std::uint64_t first = 0; (first = dealt.fetch_add(kAtOnce)) < total;) {
        const std::uint64_t end = first + std::min(kAtOnce, total - first);
        for (std::uint64_t i = first; i < end; ++i) {
          survival::draw(survival::stream(request.seed, i), elements.size(), request.faults, drawn);
          counter.count_one(drawn, i);
        }
        report(end - first);
      }
    } else {
      for (std::uint64_t i = 0; (i = dealt.fetch_add(1)) < work.size();)
        counter.count(work[i], report);
    }
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += counter.counts()[i];
  });
  std::vector<RepairedSurvival> found;
  for (Count& count : counts) {
    if (!count.witness.empty()) count.sum.witness = elements.fault(count.witness);
    found.push_back(std::move(count.sum));
  }
  return found;
}

}  // namespace

MakeRepairSequence readdress_sequences(const Fabric& fabric, const Tables& tables,
                                       RepairRequest request) {
  auto start = std::make_shared<const ReaddressState>(fabric, tables, request);
  return [start] { return std::make_unique<ReaddressSequence>(*start); };
}

MakeRepairSequence in_place_sequences(const Fabric& fabric, const Tables& tables,
                                      RepairRequest request) {
  return [&fabric, &tables, request] {
    return std::make_unique<InPlaceSequence>(fabric, tables, request);
  };
}

RepairedSurvival survive_repaired(const Fabric& fabric, const MakeRepairSequence& make,
                                  const SurvivalRequest& request) {
  return std::move(search(fabric, make, request.faults, request).front());
}

std::vector<RepairedSurvival> survive_repaired_from(const Fabric& fabric,
                                                    const MakeRepairSequence& make, unsigned fewest,
                                                    const SurvivalRequest& request) {
  return search(fabric, make, fewest, request);
}

}  // namespace selvedge
