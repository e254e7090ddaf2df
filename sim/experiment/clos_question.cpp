// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/clos_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "sim/clos/last_step.hpp"
#include "sim/clos/single_switch.hpp"

namespace selvedge::sim {
namespace {

/// Rates are typed with few digits: 13.333 of 40 Gb/s is meant as a third.
constexpr double kTyped = 1e-3;

class Answering {
 public:
  Answering(const RecognisedClos& clos, const ClosQuestion& question,
            const std::function<void(unsigned, std::uint64_t)>& progress)
      : clos_(clos), question_(question), progress_(progress) {}

  ClosAnswer run() {
    answer_.link_gbps = clos_.link_gbps;
    answer_.host_gbps = clos_.host_gbps;
    std::vector<double> rates = question_.rates_gbps;
    if (rates.empty()) {
      rates.push_back(clos_.host_gbps);
      if (clos_.link_gbps / 2 < clos_.host_gbps) rates.push_back(clos_.link_gbps / 2);
    }
    for (const double rate : rates) check(rate);
    for (const double rate : rates) answer_.rates.push_back(fate_of(rate));
    find_highest();
    return std::move(answer_);
  }

 private:
  unsigned flows_per_link(double rate) const {
    return static_cast<unsigned>(clos_.link_gbps / rate + kTyped);
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
    if (question_.model == ClosModel::kSingle && bin_states(model_size()).size() > kMostBinStates)
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

  void apply_model(RateFate& fate) const {
    const bool single = question_.model == ClosModel::kSingle;
    fate.model = "none";
    if (question_.model == ClosModel::kNone || fate.flows_per_link > 2) return;
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
    fate.flows_without_place = flows_without_place(clos_.wiring, fate.flows_per_link);
    if (fate.flows_without_place > 0) {
      fate.model = "none";
      return fate;
    }
    apply_model(fate);
    fate.forecast = forecast_of(fate.flows_per_link);
    return fate;
  }

  void find_highest() {
    for (unsigned p = flows_per_link(std::min(clos_.link_gbps, clos_.host_gbps));
         p <= kMostFlowsPerLink && !answer_.highest_gbps; ++p)
      if (flows_without_place(clos_.wiring, p) == 0 && forecast_of(p).settles())
        answer_.highest_gbps = std::min(clos_.link_gbps / p, clos_.host_gbps);
  }

  const RecognisedClos& clos_;
  const ClosQuestion& question_;
  const std::function<void(unsigned, std::uint64_t)>& progress_;
  ClosAnswer answer_;
  std::map<unsigned, Forecast> forecasts_;  // by flows_per_link
};

}  // namespace

ClosAnswer answer(const RecognisedClos& clos, const ClosQuestion& question,
                  const std::function<void(unsigned, std::uint64_t)>& progress) {
  return Answering(clos, question, progress).run();
}

}  // namespace selvedge::sim
