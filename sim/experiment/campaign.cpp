// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/campaign.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <thread>

#include "base/program.hpp"
#include "base/progress.hpp"
#include "plugin/program/report.hpp"
#include "sim/experiment/adaptive_proof.hpp"
#include "sim/experiment/workers.hpp"

namespace selvedge::sim {
namespace {

constexpr std::chrono::milliseconds kPoll{2};
constexpr char kSeparator = '\0';  // separates the parts of an error in a message between ranks

/// The points to simulate, without duplicates. The points with the most work (load times simulated
/// time) come first, so that no core is left with a long one at the end.
std::vector<const Point*> open_points(const Experiment& experiment,
                                      const std::set<std::string>& finished,
                                      const CampaignOptions& options, CampaignCount& count) {
  std::vector<const Point*> open;
  std::set<std::string_view> seen;
  for (std::size_t i = options.part; i < experiment.points.size(); i += options.parts) {
    const Point& point = experiment.points[i];
    if (!seen.insert(point.digest).second) continue;
    ++count.points;
    if (finished.contains(point.digest))
      ++count.found;
    else
      open.push_back(&point);
  }
  std::ranges::stable_sort(open, std::ranges::greater(), [](const Point* p) {
    return p->traffic.load * (p->measure.duration_us + p->measure.warmup_us);
  });
  return open;
}

std::uint64_t planned_us(const Point& point) {
  return static_cast<std::uint64_t>(point.measure.duration_us + point.measure.warmup_us);
}

void check_proved(const Point& point, const RoutedFabric& routed, const CampaignOptions& options) {
  if (is_proved(point, routed)) return;
  const std::string what = fmt::format(
      "{} are {}", point.routing.engine.empty() ? "the tables" : point.routing.engine + "'s tables",
      proof_summary(routed.verdict));
  const std::string where =
      routed.verdict.witnesses.empty() ? "the proof" : routed.verdict.witnesses.front().text;
  // The paper's tables were asked for as they are.
  if (!options.allow_unproved && !point.routing.paper)
    throw InputError(what, where, "choose other tables, or accept them with --allow-unproved");
  warn(what + ": " + where);
}

/// Checks that the adaptive forwarding of points is proved (adaptive_proof.hpp): once for each
/// routed fabric and AdaptiveUse.
class AdaptiveCheck {
 public:
  void operator()(const Point& point, const RoutedFabric& routed, const CampaignOptions& options) {
    const auto adaptive = adaptive_use_of(point, routed.fabric);
    if (!adaptive || !seen_.insert({&routed, *adaptive}).second) return;
    auto& mixture = mixtures_[{&routed, adaptive->carried}];
    if (!mixture) mixture = verify_adaptive(routed.fabric, routed.tables, adaptive->carried);
    const auto unproved = first_unproved(*adaptive, *mixture);
    if (!unproved) return;
    if (!options.allow_unproved && !point.routing.paper)
      throw InputError(unproved->what, unproved->where, unproved->remedy);
    warn(unproved->what + ": " + unproved->where);
  }

 private:
  std::set<std::pair<const RoutedFabric*, AdaptiveUse>> seen_;
  std::map<std::pair<const RoutedFabric*, Carried>, std::optional<AdaptiveVerdict>> mixtures_;
};

/// Checks every point as far as possible without simulating.
void check(const std::vector<const Point*>& points, RoutedFabrics& routed_fabrics,
           const CampaignOptions& options) {
  std::set<const RoutedFabric*> seen;
  std::set<std::pair<const RoutedFabric*, bool>> proofs;  // and Point's takes_mixtures_only()
  std::set<std::string> remarks;
  AdaptiveCheck check_adaptive;
  for (const Point* point : points) {
    const auto routed = routed_fabrics.of(*point);
    if (proofs.insert({routed.get(), takes_mixtures_only(*point, routed->fabric)}).second)
      check_proved(*point, *routed, options);
    if (seen.insert(routed.get()).second) {
      for (const std::string& remark : routed->remarks)
        if (remarks.insert(remark).second) note(remark);
    }
    check_adaptive(*point, *routed, options);
    check_point(*point, *routed);
  }
}

[[noreturn]] void throw_decoded(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == kSeparator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  parts.resize(4);
  if (parts[0] == "input") throw InputError(parts[1], parts[2], parts[3]);
  throw EnvironmentError(parts[1], parts[2], parts[3]);
}

std::string encode_error(const char* kind, const Error& e) {
  std::string text = kind;
  for (const std::string* part : {&e.problem(), &e.where(), &e.remedy()})
    text += kSeparator + *part;
  return text;
}

/// The InputError or EnvironmentError that `body` throws, packed for throw_decoded(); "" if it
/// throws nothing. Any other exception passes.
template <class Body>
std::string failure_of(Body&& body) {
  try {
    body();
  } catch (const InputError& e) {
    return encode_error("input", e);
  } catch (const EnvironmentError& e) {
    return encode_error("environment", e);
  }
  return "";
}

/// Rank 0: simulates its own share and stores the points that the other ranks send. Returns the
/// number of points stored.
std::size_t store_results(const std::vector<const Point*>& mine, RoutedFabrics& routed_fabrics,
                          unsigned jobs, std::uint64_t all_us, Results& results, Ranks& ranks) {
  std::mutex mutex;  // guards `results`
  std::size_t count = 0;
  Progress progress;
  progress.phase("simulating", std::max<std::uint64_t>(all_us, 1), "us");
  Workers workers(mine, routed_fabrics, jobs,
                  [&](const Point& point, const RoutedFabric& routed, const PointResult& result) {
                    const std::lock_guard lock(mutex);
                    results.add(point, routed, result);
                    ++count;
                  });
  std::string failure;
  for (unsigned others = ranks.count() - 1; others > 0 || !workers.finished();) {
    progress.advance(workers.simulated_us());
    const auto message = ranks.count() > 1 ? ranks.receive() : std::nullopt;
    if (!message) {
      std::this_thread::sleep_for(ranks.count() > 1 ? kPoll : 10 * kPoll);
      continue;
    }
    switch (message->what) {
      case Ranks::What::kPoint: {
        const std::string why = failure_of([&] {
          const std::lock_guard lock(mutex);
          results.merge_bytes(message->text);
          ++count;
        });
        if (failure.empty()) failure = why;
        break;
      }
      case Ranks::What::kFailure:
        if (failure.empty()) failure = message->text;
        break;
      case Ranks::What::kEnd:
        --others;
        break;
    }
  }
  workers.wait();
  if (!failure.empty()) throw_decoded(failure);
  return count;
}

/// The other ranks: simulate their share and send each point to rank 0 as a small database.
void send_results(const std::vector<const Point*>& mine, RoutedFabrics& routed_fabrics,
                  unsigned jobs, Ranks& ranks) {
  std::mutex mutex;
  std::deque<std::string> outbox;
  Workers workers(mine, routed_fabrics, jobs,
                  [&](const Point& point, const RoutedFabric& routed, const PointResult& result) {
                    Results alone;
                    alone.add(point, routed, result);
                    const std::lock_guard lock(mutex);
                    outbox.push_back(alone.bytes());
                  });
  while (true) {
    const bool last = workers.finished();
    std::deque<std::string> ready;
    {
      const std::lock_guard lock(mutex);
      ready.swap(outbox);
    }
    for (const std::string& bytes : ready) ranks.send(Ranks::What::kPoint, bytes);
    if (last) break;
    std::this_thread::sleep_for(kPoll);
  }
  workers.wait();
}

/// The digests of finished points, broadcast from rank 0.
std::set<std::string> broadcast_finished(Results* results, Ranks& ranks) {
  std::string text;
  if (results != nullptr)
    for (const std::string& digest : results->finished()) text += digest + "\n";
  text = ranks.broadcast(std::move(text));
  std::set<std::string> digests;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    digests.insert(text.substr(at, end - at));
  return digests;
}

}  // namespace

CampaignCount run_campaign(const Experiment& experiment, Results* results, Ranks& ranks,
                           const CampaignOptions& options) {
  CampaignCount count;
  const std::vector<const Point*> open =
      open_points(experiment, broadcast_finished(results, ranks), options, count);
  std::vector<const Point*> mine;
  std::uint64_t mine_us = 0;
  for (std::size_t i = ranks.rank(); i < open.size(); i += ranks.count()) {
    mine.push_back(open[i]);
    mine_us += planned_us(*open[i]);
  }
  const unsigned jobs = options.jobs != 0
                            ? options.jobs
                            : std::max(1u, cores() / std::max(1u, ranks.on_this_machine()));
  RoutedFabrics routed_fabrics(mine);
  if (ranks.rank() != 0) {
    const std::string failure = failure_of([&] {
      check(mine, routed_fabrics, options);
      send_results(mine, routed_fabrics, jobs, ranks);
    });
    if (!failure.empty()) ranks.send(Ranks::What::kFailure, failure);
    ranks.send(Ranks::What::kEnd, "");
    return count;
  }
  const std::string failure = failure_of([&] {
    check(mine, routed_fabrics, options);
    results->plan(experiment);
  });
  // The other ranks send until they are done, so rank 0 must receive even after a failure.
  count.simulated = store_results(failure.empty() ? mine : std::vector<const Point*>(),
                                  routed_fabrics, jobs, mine_us, *results, ranks);
  if (!failure.empty()) throw_decoded(failure);
  return count;
}

}  // namespace selvedge::sim
