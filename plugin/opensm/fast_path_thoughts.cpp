// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast path's other thread: how an order comes to it, and how what it makes of the order comes
// to the thread that writes.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "base/program.hpp"
#include "plugin/opensm/fast_path.hpp"

namespace selvedge {
namespace {

/// What an order that can't be carried out answers; `status` is the exit status of its program.
std::string complaint(int status, const Error& e) {
  return nlohmann::ordered_json{{"error",
                                 {{"what", e.problem()},
                                  {"where", e.where()},
                                  {"remedy", e.remedy()},
                                  {"status", status}}}}
             .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}
std::string lack(const std::string& what, const std::string& where, const std::string& remedy) {
  return complaint(kLacksEnvironment, EnvironmentError(what, where, remedy));
}

}  // namespace

std::string FastPath::carry_out(Order order) {
  std::future<std::string> answer;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || !thinker_thread_.joinable())
      return lack("the fast path is off", "[repair] fast_path in plugin.toml", "turn it on");
    number = next_order_++;
    orders_.push_back({number, std::move(order), {}});
    answer = orders_.back().answer.get_future();
  }
  changed_.notify_all();
  if (answer.wait_for(patience_) != std::future_status::ready) {
    const std::lock_guard lock(mutex_);
    if (std::erase_if(orders_, [&](const Pending& p) { return p.number == number; }) > 0)
      return lack("the order was not begun", "another order is under way",
                  "look at `selvedge-route status`, and order again");
  }
  return answer.get();  // it is being carried out
}

void FastPath::think() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !orders_.empty(); });
    if (stopping_) break;
    Pending pending = std::move(orders_.front());
    orders_.pop_front();
    lock.unlock();
    pending.answer.set_value(answer_to(pending.order));
    lock.lock();
  }
  for (Pending& p : orders_)
    p.answer.set_value(lack("opensm is ending", "the order was not begun", "order again"));
  orders_.clear();
}

std::string FastPath::answer_to(const Order& order) {
  try {
    if (!border_.is_master())
      return lack("this opensm is not the master", "the status socket", "ask the master's plugin");
    return obey(order);
  } catch (const Error& e) {
    if (order.kind == Order::Kind::kShorten)  // which nobody waits for
      border_.log(false, fmt::format("repaired paths stay as long as they are: {}", e.what()));
    const bool input = dynamic_cast<const InputError*>(&e) != nullptr;
    return complaint(input ? kBadInput : kLacksEnvironment, e);
  } catch (const std::exception& e) {
    border_.log(true, fmt::format("fast path: {}; nothing more is done", e.what()));
    return lack(e.what(), "the plugin", "this is an error of ours: please report it");
  }
}

/// Waits until the thread that writes has done with it; throws what it has met. It may be that this
/// thread does not come to it: a sweep that OpenSM gives up lasts until the next one.
void FastPath::hand_over(Thought& thought) {
  std::unique_lock lock(mutex_);
  thought_ = &thought;
  changed_.notify_all();
  const auto waits = [&] { return thought_ == &thought; };
  changed_.wait_for(lock, patience_, [&] { return stopping_ || !waits(); });
  if (waits()) {
    thought_ = nullptr;
    if (stopping_)
      throw EnvironmentError("opensm is ending", "the order was not carried out", "order again");
    throw EnvironmentError("the order was not carried out", "a sweep is under way",
                           "look at `selvedge-route status`, and order again");
  }
  changed_.wait(lock, [&] { return thought.fate != Thought::Fate::kOpen; });
  if (thought.error) std::rethrow_exception(thought.error);
}

/// Sends what was thought out, if the tables in force are still those that it starts from.
FastPath::Thought::Fate FastPath::carry_through(Thought& thought) {
  using Fate = Thought::Fate;
  Step& step = thought.step;
  if (!step.after && thought.drained.empty()) return Fate::kSent;
  const std::shared_ptr<const Plan> now = border_.plan_in_force();
  if (!now || !same_plan(*now, *step.before)) return Fate::kStale;
  step.before = now;
  const std::vector<std::string> noted = border_.drained();  // whatever comes of this order
  std::erase_if(thought.drained, [&](const std::string& name) {
    return std::ranges::find(noted, name) != noted.end();
  });
  if (!step.after) {  // out of use already, and still
    if (!thought.drained.empty()) border_.drain(thought.drained);
    return Fate::kSent;
  }
  if (!agent_.running())
    throw EnvironmentError("there is no SMP agent to write with", "opensm's log",
                           "see what the plugin says there");
  if (!thought.drained.empty()) border_.drain(thought.drained);
  const auto fail = [&] {
    ready_.reset();
    if (!thought.drained.empty()) border_.undrain(thought.drained);
  };
  try {
    if (!put_in_force(step)) {
      fail();
      return Fate::kRefused;
    }
  } catch (...) {
    fail();
    throw;
  }
  if (!thought.engine.empty()) border_.prefer(thought.engine);
  ready_ = std::move(thought.ready);  // its indexes are of the new tables
  if (ready_) ready_->plan = step.after;
  return Fate::kSent;
}

}  // namespace selvedge
