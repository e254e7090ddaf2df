// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/survival.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <tuple>
#include <utility>

#include "base/threads.hpp"
#include "plugin/verify/further.hpp"
#include "plugin/verify/survival_count.hpp"
#include "plugin/verify/survival_random.hpp"
#include "plugin/verify/survival_symmetry.hpp"

namespace selvedge {

using namespace survival;

namespace {

constexpr std::uint64_t kDrawsAtOnce = 256;

/// The unit of work of a thread: all combinations that contain `fixed` and begin with `first`. Each
/// one counted stands for `weight` combinations.
struct Share {
  Element fixed;
  std::uint32_t weight;
  std::vector<Element> first;
};

/// Hands out the shares in order: for each orbit (survival_symmetry.hpp), every list of first
/// elements. Without symmetry there is one orbit of weight 1, and no fixed element.
class Shares {
 public:
  Shares(std::vector<Orbits::Orbit> orbits, bool fixing, Element elements, unsigned faults)
      : orbits_(std::move(orbits)), fixing_(fixing), elements_(elements) {
    const unsigned free = faults - (fixing ? 1 : 0);
    // Lists of this length give enough shares to all threads, but are long enough to outweigh the
    // lock.
    length_ = free >= 4 && elements < 2000 ? 2 : std::min(free, 2u) / 2;
  }

  bool next(Share& share) {
    const std::lock_guard lock(mutex_);
    do {
      if (orbit_ == orbits_.size()) return false;
      if (!step()) {
        begun_ = false;
        ++orbit_;
      }
    } while (!begun_);
    share.fixed = fixing_ ? orbits_[orbit_].lowest : kNoElement;
    share.weight = fixing_ ? orbits_[orbit_].size : 1;
    share.first = first_;
    return true;
  }

 private:
  /// Moves to the next ascending list of length_ elements without the fixed one. Returns false
  /// after the last list.
  bool step() {
    const Element fixed = fixing_ ? orbits_[orbit_].lowest : kNoElement;
    if (!begun_) {
      begun_ = true;
      first_.clear();
      return fill(fixed, 0);
    }
    while (!first_.empty()) {
      const Element from = first_.back() + 1;
      first_.pop_back();
      if (fill(fixed, from)) return true;
    }
    return false;
  }
  bool fill(Element fixed, Element from) {
    const std::size_t kept = first_.size();
    for (Element e = from; first_.size() < length_ && e < elements_; ++e)
      if (e != fixed) first_.push_back(e);
    if (first_.size() == length_) return true;
    first_.resize(kept);
    return false;
  }

  std::mutex mutex_;
  std::vector<Orbits::Orbit> orbits_;
  bool fixing_;
  Element elements_;
  std::size_t length_;
  std::size_t orbit_ = 0;
  bool begun_ = false;
  std::vector<Element> first_;
};

/// Collects the threads' results. They do not depend on the order of the threads: counts are added,
/// and the witness is the least in lexicographic order.
class Results {
 public:
  explicit Results(const SurvivalRequest& request) : progress_(request.progress) {}

  void begin(std::uint64_t total) {
    total_ = total;
    if (progress_) progress_(0, total);
  }
  void advance(std::uint64_t combinations) {
    if (combinations == 0) return;
    const std::uint64_t done = done_ += combinations;
    if (progress_) progress_(done, total_);
  }
  void add(const Counts& tally, std::uint64_t order, const std::vector<Element>& witness) {
    const std::lock_guard lock(mutex_);
    sum_.add(tally, 1);
    if (witness.empty()) return;
    if (witness_.empty() || std::tie(order, witness) < std::tie(order_, witness_)) {
      order_ = order;
      witness_ = witness;
    }
  }

  const Counts& sum() const { return sum_; }
  std::uint64_t done() const { return done_; }
  const std::vector<Element>& witness() const { return witness_; }

 private:
  const std::function<void(std::uint64_t, std::uint64_t)>& progress_;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
  Counts sum_;
  std::uint64_t order_ = 0;  // of the witness: the number of the draw, if sampled
  std::vector<Element> witness_;
};

void count_all(const SurvivalContext& context, const SurvivalRequest& request, const Orbits* fixing,
               Results& results) {
  const std::uint64_t n = context.elements.size(), k = request.faults;
  results.begin(fixing == nullptr
                    ? combinations(n, k).value_or(UINT64_MAX)
                    : fixing->count() * combinations(n - 1, k - 1).value_or(UINT64_MAX));
  Shares shares(fixing == nullptr ? std::vector<Orbits::Orbit>{{kNoElement, 1}} : fixing->all(),
                fixing != nullptr, context.elements.size(), request.faults);
  run_threads(request.jobs, [&](unsigned) {
    Counter counter(context);
    Share share;
    Counts sum;
    std::vector<Element> witness;
    while (shares.next(share)) {
      const Counts found = counter.count(share.fixed, share.first);
      sum.add(found, share.weight);
      if (const std::vector<Element>& w = counter.witness();
          !w.empty() && (witness.empty() || w < witness))
        witness = w;
      results.advance(found.all());
    }
    results.add(sum, 0, witness);
  });
}

void count_sample(const SurvivalContext& context, const SurvivalRequest& request,
                  std::uint64_t draws, Results& results) {
  std::atomic<std::uint64_t> dealt{0};
  run_threads(request.jobs, [&](unsigned) {
    Counter counter(context);
    std::vector<Element> drawn, witness;
    std::uint64_t witness_number = 0;
    Counts sum;
    std::uint64_t first = 0;
    while ((first = dealt.fetch_add(kDrawsAtOnce)) < draws) {
      const std::uint64_t end = first + std::min(kDrawsAtOnce, draws - first);
      for (std::uint64_t i = first; i < end; ++i) {
        draw(stream(request.seed, i), context.elements.size(), request.faults, drawn);
        sum.add(counter.count_one(drawn), 1);
        if (!witness.empty() || counter.witness().empty()) continue;
        witness = counter.witness();
        witness_number = i;
      }
      results.advance(end - first);
    }
    results.add(sum, witness_number, witness);
  });
}

SurvivalWitness explain(const Fabric& fabric, const Tables& tables, const FurtherSls* further,
                        Fault fault) {
  SurvivalWitness witness;
  const Fabric left = without(fabric, fault);
  witness.fault = std::move(fault);
  const PathWalker walker(left, tables, further);
  std::vector<Channel> channels;
  for (HostId d = 0; d < left.num_hosts(); ++d) {
    const Host& host = left.host(d);
    for (const PathWalker::Source& source : walker.sources()) {
      if (!walker.counts_pair(source, d)) continue;
      bool works = false;
      for (unsigned i = 0; i < (host.lid == kNoLid ? 0 : host.lid_count()) && !works; ++i)
        works = walker.walk(source, static_cast<Lid>(host.lid + i), channels);
      if (works) continue;
      witness.destination = d;
      witness.source = source.host;
      for (const prover::Wiring::Attached& a : walker.wiring().attached(source.at))
        if (witness.source == kNoHost && a.host != d) witness.source = a.host;
      return witness;
    }
  }
  VerifyOptions options;
  options.any_lid = true;
  const Proof proof =
      further == nullptr ? verify(left, tables, options) : verify(left, tables, *further, options);
  for (const Witness& w : proof.verdict().witnesses)
    if (w.kind == Witness::Kind::kCycle && witness.cycle.empty()) witness.cycle = w.text;
  return witness;
}

}  // namespace

std::uint32_t faultable(const Fabric& fabric, FaultKind of) { return Elements(fabric, of).size(); }

std::optional<std::uint64_t> combinations(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  __extension__ using Wide = unsigned __int128;
  Wide result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) {
    result = result * (n - k + i) / i;  // divisible: i! divides a product of i consecutive factors
    if (result > UINT64_MAX) return std::nullopt;
  }
  return static_cast<std::uint64_t>(result);
}

Survival survive(const Fabric& fabric, const Tables& tables, bool deadlock_free,
                 const SurvivalRequest& request) {
  const Elements elements(fabric, request.of);
  const PathWalker walker(fabric, tables, request.further);
  const Pairs pairs(walker, fabric, elements);
  ConnectedComponents components(walker.wiring(), elements);
  Survival survival;

  // Only for tables without cycles: a symmetry need not map a cycle of dependencies to a cycle, as
  // the SLs may differ.
  std::optional<Orbits> orbits;
  if (request.symmetry && !request.sample) {
    orbits.emplace(fabric, walker, elements);
    if (deadlock_free)
      each_lattice_map(fabric, [&](const SwitchMap& map) {
        orbits->use(map);
        return orbits->count() > 1;
      });
    survival.orbits = orbits->count();
  }

  // The least cut decides which combinations can be disconnected. For a sample, examining each
  // combination is cheaper than computing the least cut.
  const unsigned least_cut = request.sample ? 0 : components.least_cut(request.faults);
  const SurvivalContext context{fabric,     tables,        request.further, elements, pairs,
                                components, deadlock_free, request.faults,  least_cut};
  Results results(request);
  Counts sum;
  if (request.sample) {
    results.begin(*request.sample);
    count_sample(context, request, *request.sample, results);
    sum = results.sum();
  } else {
    // With symmetry each combination is counted once for each of its K elements. That is worth it
    // only if it is less work than examining all combinations.
    const bool fixing = orbits && std::uint64_t{orbits->count()} * request.faults < elements.size();
    count_all(context, request, fixing ? &*orbits : nullptr, results);
    sum = results.sum();
    if (fixing) {
      sum.tolerated /= request.faults;
      sum.singular /= request.faults;
      sum.disconnected /= request.faults;
    }
  }
  survival.computed = results.done();
  survival.tolerated = sum.tolerated;
  survival.singular = sum.singular;
  survival.disconnected = sum.disconnected;
  survival.evaluated = sum.all();
  if (const std::vector<Element>& w = results.witness(); !w.empty())
    survival.witness = explain(fabric, tables, request.further, elements.fault(w));
  return survival;
}

}  // namespace selvedge
