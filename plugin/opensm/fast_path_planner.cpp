// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The part of FastPath that is the planner thread: how it receives orders, and how it hands
// prepared changes to the writer thread.
#include <fmt/format.h>

#include <future>
#include <utility>

#include "base/error.hpp"
#include "base/program.hpp"
#include "plugin/opensm/fast_path.hpp"

namespace selvedge {
namespace {

constexpr unsigned kPreparations = 3;  // how often an order is prepared if the tables keep changing

std::string environment_error(const std::string& what, const std::string& where,
                              const std::string& remedy) {
  return order_error(kLacksEnvironment, what, where, remedy);
}

PreparedRepair prepared(std::shared_ptr<const Plan> plan, unsigned max_vls) {
  try {
    return prepare_repair(std::move(plan), max_vls);
  } catch (const InputError& e) {  // the present tables are the cause, not the client's order
    throw EnvironmentError(e.problem(), e.where(), e.remedy());
  }
}

}  // namespace

std::string FastPath::carry_out(Order order) {
  const auto promise = std::make_shared<std::promise<std::string>>();
  std::future<std::string> answer = promise->get_future();
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || !planner_thread_.joinable())
      return environment_error("the fast path is off", "[repair] fast_path in plugin.toml",
                               "turn it on");
    number = commands_.add(std::move(order),
                           [promise](std::string text) { promise->set_value(std::move(text)); });
  }
  changed_.notify_all();
  if (answer.wait_for(patience_) != std::future_status::ready) {
    const std::lock_guard lock(mutex_);
    if (commands_.withdraw(number))
      return environment_error("the order was not started", "another order is running",
                               "see `selvedge-route status`, then repeat the order");
  }
  return answer.get();  // the order is being carried out: wait for its end
}

void FastPath::carry_out_later(Order order, std::function<void(std::string)> reply) {
  {
    const std::lock_guard lock(mutex_);
    if (!stopping_ && started_) {
      commands_.add(std::move(order), std::move(reply));
      changed_.notify_all();
      return;
    }
  }
  reply(
      environment_error("the fast path is off", "[repair] fast_path in plugin.toml", "turn it on"));
}

void FastPath::run_planner() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !commands_.empty(); });
    if (stopping_) break;
    const Command command = commands_.take();
    lock.unlock();
    std::string answer = reply_to(command.order);
    try {
      if (command.reply) command.reply(std::move(answer));
    } catch (const std::exception& e) {
      environment_.journal.log(true,
                               fmt::format("fast path: the answer to an order: {}", e.what()));
    }
    lock.lock();
  }
  while (!commands_.empty())
    if (const Command command = commands_.take(); command.reply)
      command.reply(environment_error("opensm is shutting down", "the order was not started",
                                      "repeat the order"));
}

void FastPath::leave_restored(const std::string& why) {
  environment_.sweeps.leave_to_sweep();
  environment_.journal.log(false,
                           fmt::format("fast path: restored links are left to the sweep: {}", why));
}

std::string FastPath::reply_to(const Order& order) {
  try {
    if (!environment_.settings.is_master())
      return environment_error("this opensm is not the master", "the status socket",
                               "ask the master's plugin");
    return execute(order);
  } catch (const Error& e) {
    if (order.kind == Order::Kind::kShorten)  // no client gets the answer, so it is logged
      environment_.journal.log(false,
                               fmt::format("repaired paths are not shortened: {}", e.what()));
    if (order.kind == Order::Kind::kReaddress || order.kind == Order::Kind::kReturnLids)
      environment_.journal.log(true, fmt::format("fresh LIDs: {}", e.what()));
    if (order.kind == Order::Kind::kRestore) leave_restored(e.what());
    if (order.kind == Order::Kind::kInstall)
      environment_.journal.log(true, fmt::format("interim tables: {}", e.what()));
    const bool input = dynamic_cast<const InputError*>(&e) != nullptr;
    if (order.kind == Order::Kind::kCompleteRepair) {
      const Incomplete incomplete = give_up_completion(e.what(), environment_);
      if (!incomplete.line.empty()) environment_.journal.log(true, incomplete.line);
      // retried if the cause may be temporary
      completion_again_ = !input && !incomplete.left_to_sweep;
    }
    return order_error(input ? kBadInput : kLacksEnvironment, e.problem(), e.where(), e.remedy());
  } catch (const std::exception& e) {
    environment_.journal.log(true, fmt::format("fast path: {}; the order was abandoned", e.what()));
    if (order.kind == Order::Kind::kRestore) leave_restored(e.what());
    if (order.kind == Order::Kind::kCompleteRepair)
      if (const Incomplete incomplete = give_up_completion(e.what(), environment_);
          !incomplete.line.empty())
        environment_.journal.log(true, incomplete.line);
    return environment_error(e.what(), "the plugin",
                             "this is a defect of Selvedge: please report it");
  }
}

/// Prepares a change of the present tables and has the writer carry it out. If a fault or a sweep
/// has changed the tables meanwhile, tries again, kPreparations times in all.
std::string FastPath::execute(const Order& order) {
  if (order.kind == Order::Kind::kUndrain) return undrain(order.words, environment_);
  using Carried = RepairController::Outcome;
  const Instant began = clock_.now();
  for (unsigned tries = 0; tries < kPreparations; ++tries) {
    const std::shared_ptr<const Plan> plan = environment_.tables.plan_in_force();
    std::optional<PreparedRepair> state;
    try {
      if (!plan || agent_missing_)
        throw EnvironmentError("no tables of Selvedge are in force, or no SMP agent is running",
                               "opensm's log", "look for the plugin's messages there");
      state = prepared(plan, repair_vls(environment_.tables.manager_writes_rows()));
    } catch (const EnvironmentError&) {
      if (order.kind != Order::Kind::kInstall) throw;
      // A sweep needs neither the agent nor in-place repair.
      environment_.sweeps.install_by_sweep();
      return "";
    }
    Handover handover{prepare_order(order, std::move(*state), environment_), {}, {}};
    hand_over(handover);
    if (handover.outcome == Carried::kDone) {
      OrderReport report = report_order(order, handover.change);
      if (!report.line.empty()) environment_.journal.log(false, report.line);
      if (auto event = event_of(order, handover.change)) {
        const std::chrono::duration<double, std::milli> ms = clock_.now() - began;
        event->ms = ms.count();
        environment_.journal.record(std::move(*event));
      }
      return std::move(report.answer);
    }
    if (handover.outcome == Carried::kRefused) break;
    environment_.journal.log(false,
                             "fast path: the tables have changed while an order was prepared");
  }
  throw EnvironmentError("a sweep interrupted the order, or must run first", "opensm",
                         "repeat the order");
}

/// Gives the change to the writer and waits until the writer has finished; rethrows the writer's
/// exception. If the writer does not begin in time, takes the change back and throws. This happens
/// if OpenSM abandons a sweep, which then holds the writer lock until the next sweep.
void FastPath::hand_over(Handover& handover) {
  std::unique_lock lock(mutex_);
  handover_ = &handover;
  changed_.notify_all();
  const auto waits = [&] { return handover_ == &handover; };
  changed_.wait_for(lock, patience_, [&] { return stopping_ || !waits(); });
  if (waits()) {
    handover_ = nullptr;
    if (stopping_)
      throw EnvironmentError("opensm is shutting down", "the order was not carried out",
                             "repeat the order");
    throw EnvironmentError("the order was not carried out", "a sweep is under way",
                           "see `selvedge-route status`, then repeat the order");
  }
  changed_.wait(lock, [&] { return handover.outcome.has_value(); });
  if (handover.error) std::rethrow_exception(handover.error);
}

}  // namespace selvedge
