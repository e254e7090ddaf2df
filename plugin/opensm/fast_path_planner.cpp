// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The planner thread: how it receives orders, and how it hands prepared changes to the writer.
#include <fmt/format.h>

#include <future>
#include <utility>

#include "base/error.hpp"
#include "base/program.hpp"
#include "plugin/opensm/fast_path.hpp"

namespace selvedge {
namespace {

constexpr unsigned kPreparations = 3;  // of one order, while the tables keep changing

std::string lack(const std::string& what, const std::string& where, const std::string& remedy) {
  return order_error(kLacksEnvironment, what, where, remedy);
}

PreparedRepair prepared(std::shared_ptr<const Plan> plan) {
  try {
    return prepare_repair(std::move(plan));
  } catch (const InputError& e) {  // the tables are the cause, not the order
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
      return lack("the fast path is off", "[repair] fast_path in plugin.toml", "turn it on");
    number = commands_.add(std::move(order),
                           [promise](std::string text) { promise->set_value(std::move(text)); });
  }
  changed_.notify_all();
  if (answer.wait_for(patience_) != std::future_status::ready) {
    const std::lock_guard lock(mutex_);
    if (commands_.withdraw(number))
      return lack("the order was not begun", "another order is under way",
                  "look at `selvedge-route status`, and order again");
  }
  return answer.get();  // it is being carried out
}

void FastPath::run_planner() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !commands_.empty(); });
    if (stopping_) break;
    const Command command = commands_.take();
    lock.unlock();
    std::string answer = answer_to(command.order);
    if (command.reply) command.reply(std::move(answer));
    lock.lock();
  }
  while (!commands_.empty())
    if (const Command command = commands_.take(); command.reply)
      command.reply(lack("opensm is ending", "the order was not begun", "order again"));
}

std::string FastPath::answer_to(const Order& order) {
  try {
    if (!around_.settings.is_master())
      return lack("this opensm is not the master", "the status socket", "ask the master's plugin");
    return obey(order);
  } catch (const Error& e) {
    if (order.kind == Order::Kind::kShorten)  // no client waits for it
      around_.journal.log(false,
                          fmt::format("repaired paths stay as long as they are: {}", e.what()));
    const bool input = dynamic_cast<const InputError*>(&e) != nullptr;
    return order_error(input ? kBadInput : kLacksEnvironment, e.problem(), e.where(), e.remedy());
  } catch (const std::exception& e) {
    around_.journal.log(true, fmt::format("fast path: {}; nothing more is done", e.what()));
    return lack(e.what(), "the plugin", "this is an error of ours: please report it");
  }
}

/// Prepares a change of the tables in force and has the writer carry it out. If a fault or a sweep
/// has changed the tables meanwhile, tries again, kPreparations times in all.
std::string FastPath::obey(const Order& order) {
  if (order.kind == Order::Kind::kUndrain) return undrain(order.words, around_);
  using Carried = RepairController::Outcome;
  for (unsigned tries = 0; tries < kPreparations; ++tries) {
    const std::shared_ptr<const Plan> plan = around_.tables.plan_in_force();
    if (!plan || lacks_agent_)
      throw EnvironmentError("there are no tables of ours to change, or no SMP agent",
                             "opensm's log", "see what the plugin says there");
    Handover handover{prepare_order(order, prepared(plan), around_), {}, {}};
    hand_over(handover);
    if (handover.outcome == Carried::kDone) {
      OrderReport report = report_order(order, handover.change);
      if (!report.line.empty()) around_.journal.log(false, report.line);
      return std::move(report.answer);
    }
    if (handover.outcome == Carried::kRefused) break;
    around_.journal.log(false, "fast path: the tables have changed while an order was prepared");
  }
  throw EnvironmentError("a sweep came between, or must come first", "opensm", "order it again");
}

/// Waits until the writer has finished; rethrows the writer's exception. Takes the change back if
/// the writer does not begin it in time: a sweep that OpenSM abandons holds the writer lock until
/// the next one.
void FastPath::hand_over(Handover& handover) {
  std::unique_lock lock(mutex_);
  handover_ = &handover;
  changed_.notify_all();
  const auto waits = [&] { return handover_ == &handover; };
  changed_.wait_for(lock, patience_, [&] { return stopping_ || !waits(); });
  if (waits()) {
    handover_ = nullptr;
    if (stopping_)
      throw EnvironmentError("opensm is ending", "the order was not carried out", "order again");
    throw EnvironmentError("the order was not carried out", "a sweep is under way",
                           "look at `selvedge-route status`, and order again");
  }
  changed_.wait(lock, [&] { return handover.outcome.has_value(); });
  if (handover.error) std::rethrow_exception(handover.error);
}

}  // namespace selvedge
