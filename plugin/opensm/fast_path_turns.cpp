// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast path's thread: whose turn it is to write, the sweep's or its own, and what it does next.
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "base/program.hpp"
#include "plugin/opensm/fast_path.hpp"

namespace selvedge {
namespace {

constexpr auto kReadyCheck = std::chrono::milliseconds(200);  // without a trap
constexpr auto kOrderPatience = std::chrono::seconds(20);
constexpr auto kSweepPatience = std::chrono::seconds(5);

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

void FastPath::start(std::string agent_program) {
  agent_program_ = std::move(agent_program);
  sigset_t all, before;  // OpenSM's threads handle its signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& e) {
    border_.log(true, fmt::format("no fast path: no thread: {}", e.what()));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void FastPath::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  agent_.stop();
}

void FastPath::notice(Lid issuer) {
  {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(issuers_, issuer) != issuers_.end()) return;
    issuers_.push_back(issuer);
  }
  changed_.notify_all();
}

bool FastPath::try_begin_sweep() {
  const std::lock_guard lock(mutex_);
  if (writer_ == Writer::kFastPath) return false;
  writer_ = Writer::kSweep;
  return true;
}

void FastPath::begin_sweep() {
  std::unique_lock lock(mutex_);
  const auto free = [this] { return writer_ != Writer::kFastPath && (!found_gone_ || stopping_); };
  if (!changed_.wait_for(lock, kSweepPatience, free)) {
    found_gone_.reset();
    agent_.hurry(true);
    changed_.wait(lock, free);
    agent_.hurry(false);
    border_.log(true, "the fast path kept a sweep waiting and was told to leave the rest to it");
  }
  writer_ = Writer::kSweep;
}

void FastPath::take_out_for_sweep(std::shared_ptr<const Plan> plan, Fault fault) {
  {
    const std::lock_guard lock(mutex_);
    found_gone_ = {std::move(plan), std::move(fault)};
    writer_ = Writer::kNobody;
  }
  changed_.notify_all();
  begin_sweep();
}

void FastPath::end_sweep() {
  {
    const std::lock_guard lock(mutex_);
    if (writer_ == Writer::kSweep) writer_ = Writer::kNobody;
    sweep_ended_ = true;
  }
  changed_.notify_all();
}

std::string FastPath::carry_out(Order order) {
  std::future<std::string> answer;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || !thread_.joinable())
      return lack("the fast path is off", "[repair] fast_path in plugin.toml", "turn it on");
    number = next_order_++;
    orders_.push_back({number, std::move(order), {}});
    answer = orders_.back().answer.get_future();
  }
  changed_.notify_all();
  if (answer.wait_for(kOrderPatience) != std::future_status::ready) {
    const std::lock_guard lock(mutex_);
    if (std::erase_if(orders_, [&](const Pending& p) { return p.number == number; }) > 0)
      return lack("the order was not begun", "a sweep or another order is under way",
                  "look at `selvedge-route status`, and order again");
  }
  return answer.get();  // it is being carried out
}

/// Faults first; then what waits since a sweep; then orders.
FastPath::Work FastPath::take_work() {
  Work work;
  work.issuers = std::exchange(issuers_, {});
  work.gone = std::exchange(found_gone_, {});
  if (work.fault()) return work;
  if (border_.is_master()) work.back = border_.come_back();
  if (!work.back && !orders_.empty()) {
    work.order = std::move(orders_.front());
    orders_.pop_front();
  }
  return work;
}

void FastPath::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait_for(lock, kReadyCheck, [this] {
      return stopping_ || (writer_ == Writer::kNobody &&
                           (sweep_ended_ || found_gone_ || !issuers_.empty() || !orders_.empty()));
    });
    if (stopping_) break;
    if (writer_ != Writer::kNobody) continue;
    sweep_ended_ = false;
    Work work = take_work();
    if (work.writes()) writer_ = Writer::kFastPath;
    lock.unlock();
    do_safely(work);
    prepared_ = ready_ ? ready_->plan.get() : nullptr;
    able_ = agent_.running();
    lock.lock();
    if (work.writes() && !ready_) sweep_ended_ = true;  // new tables: prepare at once
    if (writer_ == Writer::kFastPath) {
      writer_ = Writer::kNobody;
      changed_.notify_all();
    }
  }
  for (Pending& p : orders_)
    p.answer.set_value(lack("opensm is ending", "the order was not begun", "order again"));
  orders_.clear();
}

/// What fails is left to the sweep, and whoever ordered it is told why.
void FastPath::do_safely(Work& work) {
  std::string answer;
  bool failed = true;
  const auto say = [&](const std::exception& e) {
    border_.log(true, fmt::format("fast path: {}; the sweep goes on", e.what()));
  };
  try {
    answer = do_as_master(work);
    failed = false;
  } catch (const InputError& e) {  // (what an order has touched it has dropped itself)
    answer = complaint(kBadInput, e);
    if (!work.order) {
      ready_.reset();
      say(e);
    }
  } catch (const EnvironmentError& e) {
    ready_.reset();
    answer = complaint(kLacksEnvironment, e);
  } catch (const std::exception& e) {
    ready_.reset();
    answer = lack(e.what(), "the plugin", "this is an error of ours: please report it");
    say(e);
  }
  if (work.back && failed) border_.leave_to_sweep();  // it would fail again
  if (work.order) work.order->answer.set_value(std::move(answer));
}

std::string FastPath::do_as_master(Work& work) {
  if (!border_.is_master())
    return lack("this opensm is not the master", "the status socket", "ask the master's plugin");
  get_ready();
  std::string answer;
  if (!work.issuers.empty() && ready_) handle(work.issuers);
  if (work.gone && ready_ && ready_->plan == work.gone->plan) repair(work.gone->fault, 0);
  if (work.back) take_in(*work.back);
  if (work.order) answer = obey(work.order->order);
  if (border_.release_held()) border_.ask_for_sweep();
  if (!work.writes() && shortening_due()) {
    const std::lock_guard again(mutex_);
    orders_.push_back({next_order_++, {Order::Kind::kShorten, {}}, {}});
  }
  return answer;
}

}  // namespace selvedge
