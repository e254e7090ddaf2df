// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/client/perf/many.hpp"

#include <sys/resource.h>

#include <atomic>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "daemon/client/perf/test.hpp"

namespace selvedge::perf {
namespace {

constexpr int kPatienceMs = 60'000;

struct Flow {
  std::unique_ptr<Connection> connection;
  std::uint64_t messages = 0;
  std::uint64_t delivered_before = 0, delivered = 0;  // bytes, at both ends of the measured time
  int error = 0;
  TestResult result;

  selvedge_connection* get() const { return connection->get(); }
  bool send(std::uint64_t size, bool verify) {
    void* to = nullptr;
    error = selvedge_reserve(get(), size, &to, kPatienceMs);
    if (error != 0) return false;
    fill_message(static_cast<std::byte*>(to), size, messages, verify);
    error = selvedge_commit(get(), size);
    messages += error == 0;
    return error == 0;
  }
  void end() {
    const EndOfTest last{.count = messages};
    if (error == 0) error = selvedge_send(get(), &last, sizeof last, kPatienceMs);
    if (error != 0) return;
    const ssize_t got = selvedge_receive(get(), &result, sizeof result, nullptr, kPatienceMs);
    if (got < 0) error = static_cast<int>(got);
  }
};

/// Notes what each has delivered at the beginning and at the end of the measured time.
class Clock {
 public:
  Clock(const ManyOptions& o, std::vector<Flow>& flows)
      : flows_(flows), begin_(now_ns() + ns(o.warm_up_seconds)), end_(begin_ + ns(o.seconds)) {}
  /// False when the time is over.
  bool goes_on() {
    const std::int64_t now = now_ns();
    if (began_ == 0 && now >= begin_) {
      began_ = now;
      for (Flow& f : flows_) f.delivered_before = selvedge_delivered(f.get());
    }
    if (now < end_) return true;
    ended_ = now;
    for (Flow& f : flows_) f.delivered = selvedge_delivered(f.get());
    return false;
  }
  double seconds() const { return static_cast<double>(ended_ - began_) * 1e-9; }

 private:
  static std::int64_t ns(double seconds) { return static_cast<std::int64_t>(seconds * 1e9); }
  std::vector<Flow>& flows_;
  std::int64_t begin_, end_, began_ = 0, ended_ = 0;
};

/// One thread serves all connections in turn.
void take_turns(const ManyOptions& o, std::vector<Flow>& flows, Clock& clock) {
  while (clock.goes_on()) {
    std::size_t full = 0;
    for (Flow& f : flows) {
      unsigned sent = 0;
      while (sent < o.batch && f.error == 0 && selvedge_poll(f.get(), SELVEDGE_ROOM) != 0)
        sent += f.send(o.size, o.verify);
      full += sent == 0;
    }
    // Most rings are full for a while, and the daemon may need this core.
    if (2 * full > flows.size()) std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
}

void send_by_threads(const ManyOptions& o, std::vector<Flow>& flows, Clock& clock) {
  std::atomic<bool> over{false};
  std::vector<std::jthread> threads;
  for (Flow& f : flows)
    threads.emplace_back([&o, &f, &over] {
      while (!over.load(std::memory_order_relaxed) && f.send(o.size, o.verify)) {
      }
    });
  while (clock.goes_on()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  over = true;
}

/// Jain's index of fairness: 1 if all are equal, 1/n if one has all.
double jain(const std::vector<double>& shares) {
  double sum = 0, squares = 0;
  for (const double x : shares) {
    sum += x;
    squares += x * x;
  }
  return squares == 0 ? 0 : sum * sum / (static_cast<double>(shares.size()) * squares);
}

int report(const ManyOptions& o, const std::vector<Flow>& flows, double seconds) {
  std::vector<double> bytes;
  std::uint64_t errors = 0;
  std::map<std::string, unsigned> ended;
  for (const Flow& f : flows) {
    bytes.push_back(static_cast<double>(f.delivered - f.delivered_before));
    errors += f.error == 0 && (f.result.errors != 0 || f.result.messages != f.messages);
    if (f.error != 0) ++ended[selvedge_strerror(f.error)];
  }
  double sum = 0;
  for (const double x : bytes) sum += x;
  const auto [least, most] = std::ranges::minmax(bytes);
  nlohmann::ordered_json j = {
      {"connections", flows.size()},  {"seconds", seconds},      {"bytes", sum},
      {"bytes_per_s", sum / seconds}, {"fairness", jain(bytes)}, {"least_bytes", least},
      {"most_bytes", most},           {"errors", errors}};
  j["ended"] = nlohmann::ordered_json::object();
  for (const auto& [why, count] : ended) j["ended"][why] = count;
  if (o.json) {
    fmt::print("{}\n", j.dump(2));
  } else {
    fmt::print(
        "{} connections, {:.1f} s: {:.3f} GB/s in all; fairness {:.3f} (Jain), from {:.1f} to "
        "{:.1f} MB each; {} with wrong messages, {} ended early\n",
        flows.size(), seconds, sum / seconds * 1e-9, jain(bytes), least * 1e-6, most * 1e-6, errors,
        std::ranges::count_if(flows, [](const Flow& f) { return f.error != 0; }));
    for (const auto& [why, count] : ended) fmt::print("{} ended: {}\n", count, why);
  }
  return errors == 0 && ended.empty() ? kDone : kDoesNotHold;
}

}  // namespace

void permit_many_descriptors() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

int many(const ManyOptions& o) {
  permit_many_descriptors();
  const Session session(o.socket);
  std::vector<Flow> flows(o.connections);
  const TestRequest request{
      .size = o.size, .last_size = o.size, .workload = Workload::kUntilEnd, .verify = o.verify};
  for (Flow& f : flows) f.connection = std::make_unique<Connection>(session, o.to);
  const std::size_t longest = selvedge_message_max(flows.front().get());
  if (o.size <= sizeof(EndOfTest) || o.size > longest)
    throw Failure{kBadInput, fmt::format("--size {} does not fit: the command line: give {} to {}",
                                         o.size, sizeof(EndOfTest) + 1, longest)};
  for (const Flow& f : flows)
    checked(selvedge_send(f.get(), &request, sizeof request, kPatienceMs), o.to);
  Clock clock(o, flows);
  o.threads ? send_by_threads(o, flows, clock) : take_turns(o, flows, clock);
  for (Flow& f : flows) f.end();
  return report(o, flows, clock.seconds());
}

}  // namespace selvedge::perf
