// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/clos_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.hpp"
#include "sim/clos/last_step.hpp"
#include "sim/clos/single_switch.hpp"

namespace selvedge::sim {
namespace {

/// The share by which a rate may be above link / p: 66.6667 of 200 Gb/s is meant as a third.
constexpr double kTyped = 1e-5;

class Answering {
 public:
  Answering(const RecognisedClos& clos, const ClosQuestion& question,
            const std::function<void(unsigned, std::uint64_t)>& progress)
      : clos_(clos), question_(question), progress_(progress) {
    const ForecastRules& rules = question.rules;
    const std::size_t given = std::min<std::size_t>(rules.given.size(), rules.most_permutations);
    for (std::size_t i = 0; i < given; ++i)
      flows_up_.insert(flows_up(clos.wiring, flows_of(clos.wiring, rules.given[i])));
    if (given == 0) flows_up_.insert(clos.wiring.hosts);
  }

  ClosAnswer run() {
    answer_.link_gbps = clos_.link_gbps;
    answer_.host_gbps = clos_.host_gbps;
    std::vector<double> rates = question_.rates_gbps;
    if (rates.empty()) {
      rates.push_back(std::min(clos_.host_gbps, clos_.link_gbps));
      if (clos_.link_gbps / 2 < rates[0]) rates.push_back(clos_.link_gbps / 2);
    }
    for (const double rate : rates) check(rate);
    for (const double rate : rates) answer_.rates.push_back(fate_of(rate));
    find_highest();
    return std::move(answer_);
  }

 private:
  /// Of the permutation that lacks the most links.
  unsigned without_place(unsigned p) const {
    unsigned most = 0;
    for (const std::vector<unsigned>& up : flows_up_)
      most = std::max(most, flows_without_place(clos_.wiring, up, p));
    return most;
  }

  unsigned flows_per_link(double rate) const {
    return static_cast<unsigned>(clos_.link_gbps / rate * (1 + kTyped));
  }

  void check(double rate) const {
    const std::string where = fmt::format("--rate-gbps {:g}", rate);
    const double most = std::min(clos_.link_gbps, clos_.host_gbps);
    if (rate > most)
      throw InputError("the rate is above that of the links", where,
                       fmt::format("choose {:g} or less", most));
    const unsigned p = flows_per_link(rate);
    if (p > kMostFlowsPerLink)
      throw InputError("the rate is too low", where,
                       fmt::format("choose {:g} or more: {} flows a link are the most",
                                   clos_.link_gbps / kMostFlowsPerLink, kMostFlowsPerLink));
    const bool single = question_.model == ClosModel::kSingle && p != 1;
    const bool last_step = question_.model == ClosModel::kLastStep && p > 2;
    if (single || last_step)
      throw InputError(fmt::format("the model {} is not for {} flows a link",
                                   single ? "single" : "last-step", p),
                       where, p == 2 ? "choose --model last-step" : "choose --model none");
    if ((question_.model == ClosModel::kSingle || question_.model == ClosModel::kLastStep) &&
        !is_in_range_of_models(p) && without_place(p) == 0)
      throw InputError(
          fmt::format("the leaf switch with the fewest links up has too few for the model {}",
                      question_.model == ClosModel::kSingle ? "single" : "last-step"),
          fmt::format("{} links up, {} hosts at the largest leaf switch", model_size().m,
                      model_size().n),
          "choose --model none");
    if (question_.model == ClosModel::kSingle && is_in_range_of_models(p) &&
        bin_states(model_size()).size() > kMostBinStates)
      throw InputError("the model single has too many states for this tree",
                       fmt::format("{} hosts a leaf switch", model_size().n),
                       "choose --model last-step");
  }

  /// The models are for trees with all links. A damaged one counts as if every leaf switch had as
  /// few links up as the poorest.
  ClosSize model_size() const {
    ClosSize size = clos_.size();
    size.m = clos_.least_uplinks();
    return size;
  }

  /// The poorest leaf switch and the largest one need not be the same: then there may be a good
  /// routing where there would be none if one switch were both.
  bool is_in_range_of_models(unsigned p) const {
    const ClosSize size = model_size();
    return std::uint64_t{size.m} * p >= size.n;
  }

  void apply_model(RateFate& fate) const {
    const bool single = question_.model == ClosModel::kSingle;
    fate.model = "none";
    if (question_.model == ClosModel::kNone || fate.flows_per_link > 2 ||
        !is_in_range_of_models(fate.flows_per_link))
      return;
    fate.model = single ? "single" : "last-step";
    fate.model_log10_iterations =
        single ? *single_switch_log10_iterations(model_size(), question_.absorb_after_both
                                                                   ? Absorb::kAfterBoth
                                                                   : Absorb::kImproved)
               : last_step_log10_iterations(model_size(), fate.flows_per_link);
  }

  const Forecast& forecast_of(unsigned p) {
    const auto known = forecasts_.find(p);
    if (known != forecasts_.end()) return known->second;
    ForecastRules rules = question_.rules;
    rules.settle.flows_per_link = p;
    return forecasts_[p] = forecast(clos_.wiring, rules, [&](std::uint64_t done) {
             if (progress_) progress_(p, done);
           });
  }

  RateFate fate_of(double rate) {
    RateFate fate;
    fate.gbps = rate;
    fate.flows_per_link = flows_per_link(rate);
    fate.flows_without_place = without_place(fate.flows_per_link);
    if (fate.flows_without_place > 0) {
      fate.model = "none";
      return fate;
    }
    apply_model(fate);
    fate.forecast = forecast_of(fate.flows_per_link);
    return fate;
  }

  void find_highest() {
    const unsigned of_hosts = flows_per_link(std::min(clos_.link_gbps, clos_.host_gbps));
    for (unsigned p = of_hosts; p <= kMostFlowsPerLink && !answer_.highest_gbps; ++p)
      if (without_place(p) == 0 && forecast_of(p).settles())
        answer_.highest_gbps = std::min(clos_.link_gbps / p, clos_.host_gbps);
    answer_.hosts_fill_links = of_hosts * clos_.host_gbps > kFilled * clos_.link_gbps;
    if (answer_.highest_gbps && *answer_.highest_gbps < clos_.host_gbps)
      answer_.throttle_gbps = kFilled * *answer_.highest_gbps;
  }

  const RecognisedClos& clos_;
  const ClosQuestion& question_;
  const std::function<void(unsigned, std::uint64_t)>& progress_;
  std::set<std::vector<unsigned>> flows_up_;  // of each permutation, by leaf switch
  ClosAnswer answer_;
  std::map<unsigned, Forecast> forecasts_;  // by flows_per_link
};

}  // namespace

ClosAnswer answer(const RecognisedClos& clos, const ClosQuestion& question,
                  const std::function<void(unsigned, std::uint64_t)>& progress) {
  return Answering(clos, question, progress).run();
}

}  // namespace selvedge::sim
