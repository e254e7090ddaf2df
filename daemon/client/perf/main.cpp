// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The program selvedge-perf measures throughput and latency of messages between two applications
// through their daemons, and can verify every byte. It uses only selvedge.h, as applications do.
//
//   serve    serves every sender: counts and verifies the messages of `send`, echoes for `latency`
//   send     sends COUNT messages of SIZE bytes, or a file in messages of that size; waits until
//            the other end has received all
//   latency  sends one message at a time and waits for its echo; reports half the round trip
//   many     sends over many connections at once; reports how evenly they share
//
// Both ends hash a file, and the sender compares the hashes.
#include <fmt/format.h>
#include <sodium.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/client/perf/many.hpp"
#include "daemon/client/perf/test.hpp"

namespace {

using namespace selvedge::perf;

std::atomic<bool> stop{false};

/// Serves one sender's connection until it ends.
void serve_one(selvedge_connection* c, const std::string& keep) {
  // Only touched pages cost memory, and there may be a thousand such buffers.
  const std::size_t size = selvedge_message_max(c);
  const auto buffer = std::make_unique_for_overwrite<std::byte[]>(size);
  TestRequest request;
  const auto receive = [&]() -> ssize_t {
    for (;;) {
      const ssize_t n = selvedge_receive(c, buffer.get(), size, nullptr, 200);
      if (n != SELVEDGE_E_TIMEOUT || stop) return n;
    }
  };
  if (receive() == sizeof request) {
    std::memcpy(&request, buffer.get(), sizeof request);
    TestResult result;
    const bool is_file = request.workload == Workload::kFile;
    Hash hash;
    ReceivedFile file(is_file ? keep : "");
    const bool until_end = request.workload == Workload::kUntilEnd;
    while (request.magic == kTestMagic && (until_end || result.messages < request.count)) {
      const ssize_t got = receive();
      if (got < 0) break;
      const auto n = static_cast<std::size_t>(got);
      if (EndOfTest last; until_end && n == sizeof last) {
        std::memcpy(&last, buffer.get(), sizeof last);
        result.errors += last.magic != kTestMagic || last.count != result.messages;
        break;
      }
      bool good = n == request.size_of(result.messages);
      if (is_file) {
        if (request.verify != 0) hash.add(buffer.get(), n);
        file.add(buffer.get(), n);
      } else {
        good = good && matches(buffer.get(), n, result.messages, request.verify != 0);
      }
      result.errors += !good;
      ++result.messages;
      if (request.workload == Workload::kEcho && selvedge_send(c, buffer.get(), n, 10'000) != 0)
        break;
    }
    if (is_file && result.messages == request.count) result.errors += !file.finish();
    result.digest = hash.digest();
    if (request.workload != Workload::kEcho) selvedge_send(c, &result, sizeof result, 10'000);
  }
  selvedge_close(c, 10'000);
}

int serve(const std::string& socket, const std::string& name, const std::string& keep) {
  permit_many_descriptors();
  const Session session(socket);
  checked(selvedge_listen(session.get(), name.c_str()), name);
  fmt::print(stderr, "serving '{}'\n", name);
  std::vector<std::jthread> threads;
  while (!stop) {
    selvedge_connection* c = nullptr;
    const int result = selvedge_accept(session.get(), &c, 200);
    if (result == SELVEDGE_E_TIMEOUT) continue;
    checked(result, socket);
    threads.emplace_back([c, &keep] { serve_one(c, keep); });
  }
  return kDone;
}

struct Options {
  std::string socket = "/run/selvedged.sock", to, name = "perf", file, keep;
  std::uint64_t size = 4'096, count = 100'000;
  bool verify = false, json = false;
};

int report(const Options& o, const TestRequest& request, std::uint64_t messages, double seconds,
           std::uint64_t errors, std::uint64_t retransmitted, std::uint64_t rejected,
           std::vector<double> us) {
  std::ranges::sort(us);
  const std::uint64_t bytes = messages == request.count ? request.bytes() : messages * request.size;
  const auto percentile = [&](double p) -> nlohmann::ordered_json {
    if (us.empty()) return nullptr;
    return us[std::min(us.size() - 1,
                       static_cast<std::size_t>(p * static_cast<double>(us.size())))];
  };
  const nlohmann::ordered_json j = {{"messages", messages},
                                    {"bytes", bytes},
                                    {"seconds", seconds},
                                    {"messages_per_s", static_cast<double>(messages) / seconds},
                                    {"bytes_per_s", static_cast<double>(bytes) / seconds},
                                    {"errors", errors},
                                    {"retransmitted", retransmitted},
                                    {"rejected", rejected},
                                    {"p50_us", percentile(0.5)},
                                    {"p90_us", percentile(0.9)},
                                    {"p99_us", percentile(0.99)},
                                    {"p999_us", percentile(0.999)},
                                    {"max_us", percentile(1)}};
  if (o.json) {
    fmt::print("{}\n", j.dump(2));
  } else {
    fmt::print(
        "{} messages of {} bytes in {:.3f} s: {:.0f} a second, {:.3f} GB/s; {} errors, {} "
        "packets retransmitted, {} rejected\n",
        messages, o.size, seconds, static_cast<double>(messages) / seconds,
        static_cast<double>(bytes) / seconds * 1e-9, errors, retransmitted, rejected);
    if (!us.empty())
      fmt::print(
          "half round trip: {:.2f} us median, {:.2f} at 90 %, {:.2f} at 99 %, {:.2f} at 99.9 %, "
          "{:.2f} at most\n",
          percentile(0.5).get<double>(), percentile(0.9).get<double>(),
          percentile(0.99).get<double>(), percentile(0.999).get<double>(),
          percentile(1).get<double>());
  }
  return errors == 0 && messages == request.count ? kDone : kDoesNotHold;
}

/// Opens the file to send, if there is one, and sets the sizes and the count of its messages.
std::optional<std::ifstream> open_file(const Options& o, TestRequest& request) {
  if (o.file.empty()) return std::nullopt;
  if (o.size == 0)
    throw Failure{kBadInput,
                  "--file needs messages of at least one byte: the command line: give a --size"};
  std::error_code why;
  const std::uint64_t bytes = std::filesystem::file_size(o.file, why);
  std::ifstream in(o.file, std::ios::binary);
  if (why || !in)
    throw Failure{kBadInput, fmt::format("cannot read the file: {}: {}", o.file,
                                         why ? why.message() : std::string("see its permissions"))};
  request.workload = Workload::kFile;
  request.count = (bytes + o.size - 1) / o.size;
  request.last_size = request.count == 0 ? 0 : bytes - (request.count - 1) * o.size;
  return in;
}

int send(const Options& o, bool latency) {
  TestRequest request{.size = o.size,
                      .count = o.count,
                      .last_size = o.size,
                      .workload = latency ? Workload::kEcho : Workload::kNumbered,
                      .verify = o.verify};
  std::optional<std::ifstream> file = open_file(o, request);
  const Session session(o.socket);
  Connection connection(session, o.to);
  selvedge_connection* c = connection.get();
  if (o.size > selvedge_message_max(c))
    throw Failure{kBadInput, fmt::format("--size {} is too long: the command line: give at most {}",
                                         o.size, selvedge_message_max(c))};
  checked(selvedge_send(c, &request, sizeof request, 10'000), o.to);
  std::vector<double> us;
  if (latency) us.reserve(o.count);
  Hash hash;
  std::vector<std::byte> echo(o.size);
  std::uint64_t errors = 0, messages = 0;
  const std::int64_t began = now_ns();
  for (std::uint64_t n = 0; n < request.count; ++n) {
    void* to = nullptr;
    const std::size_t size = request.size_of(n);
    const std::int64_t sent = latency ? now_ns() : 0;
    checked(selvedge_reserve(c, size, &to, 60'000), o.to);
    auto* bytes = static_cast<std::byte*>(to);
    if (!file) {
      fill_message(bytes, size, n, o.verify);
    } else {
      if (!file->read(static_cast<char*>(to), static_cast<std::streamsize>(size)))
        throw Failure{
            kBadInput,
            fmt::format("the file was truncated meanwhile: {}: send a file that does not change",
                        o.file)};
      if (o.verify) hash.add(bytes, size);
    }
    checked(selvedge_commit(c, size), o.to);
    if (!latency) continue;
    const ssize_t got = selvedge_receive(c, echo.data(), echo.size(), nullptr, 60'000);
    if (got < 0) fail(static_cast<int>(got), o.to);
    us.push_back(static_cast<double>(now_ns() - sent) / 2'000);
    errors +=
        static_cast<std::uint64_t>(got) != o.size || !matches(echo.data(), o.size, n, o.verify);
    ++messages;
  }
  if (!latency) {
    TestResult result;
    const ssize_t got = selvedge_receive(c, &result, sizeof result, nullptr, 60'000);
    if (got < 0) fail(static_cast<int>(got), o.to);
    messages = result.messages;
    errors = result.errors + (file && o.verify && result.digest != hash.digest());
  }
  const double seconds = static_cast<double>(now_ns() - began) * 1e-9;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the daemon updates the counters
  const std::uint64_t retransmitted = selvedge_retransmitted(c), rejected = selvedge_rejected(c);
  connection.close(10'000);
  return report(o, request, messages, seconds, errors, retransmitted, rejected, std::move(us));
}

int run(int argc, char** argv) {
  CLI::App app{"selvedge-perf: measures and checks delivery through selvedged"};
  app.set_version_flag("--version", "selvedge-perf " SELVEDGE_VERSION);
  app.require_subcommand(1);
  Options o;
  auto* serving = app.add_subcommand("serve", "receive or echo messages until stopped");
  serving->add_option("--service", o.name, "the name to listen to")->capture_default_str();
  serving->add_option("--keep", o.keep, "write the file that `send --file` sends to this path");
  auto* sending =
      app.add_subcommand("send", "send messages; measure the time until all are delivered");
  auto* waiting = app.add_subcommand("latency", "one message at a time, echoed: half round trip");
  auto* many =
      app.add_subcommand("many", "send over many connections at once; how evenly they share");
  ManyOptions m;
  for (CLI::App* verb : {serving, sending, waiting, many})
    verb->add_option("--socket", o.socket, "the local daemon's socket")->capture_default_str();
  for (CLI::App* verb : {sending, waiting, many}) {
    verb->add_option("--to", o.to, "ADDRESS:PORT/NAME of the other end")->required();
    verb->add_option("--size", o.size, "bytes of a message")->capture_default_str();
    verb->add_flag("--verify", o.verify, "compare every byte, not only length and number");
    verb->add_flag("--json", o.json, "print JSON");
  }
  many->add_option("--connections", m.connections, "connections")
      ->capture_default_str()
      ->check(CLI::Range(1u, 60'000u));
  many->add_option("--seconds", m.seconds, "the time that is measured")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  many->add_option("--warm-up", m.warm_up_seconds, "seconds of sending before that")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  auto* batch =
      many->add_option("--batch", m.batch, "messages of a connection before the next one's turn")
          ->capture_default_str()
          ->check(CLI::PositiveNumber);
  many->add_flag("--threads", m.threads, "a thread for each connection, instead of one for all")
      ->excludes(batch);
  for (CLI::App* verb : {sending, waiting}) {
    auto* count = verb->add_option("--count", o.count, "messages")
                      ->capture_default_str()
                      ->check(CLI::PositiveNumber);
    if (verb == sending)
      verb->add_option("--file", o.file, "send this file in messages of --size, instead of --count")
          ->excludes(count);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    throw Failure{kBadInput,
                  fmt::format("{}: the command line: see selvedge-perf --help", e.what())};
  }
  if (sodium_init() < 0)
    throw Failure{kLacksEnvironment,
                  "libsodium cannot be initialised: sodium_init: see why the system "
                  "has no random numbers"};
  if (*serving) return serve(o.socket, o.name, o.keep);
  if (*many) {
    m.socket = o.socket;
    m.to = o.to;
    m.size = o.size;
    m.verify = o.verify;
    m.json = o.json;
    return selvedge::perf::many(m);
  }
  return send(o, bool{*waiting});
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGTERM, [](int) { stop = true; });
  std::signal(SIGINT, [](int) { stop = true; });
  try {
    return run(argc, argv);
  } catch (const Failure& f) {
    fmt::print(stderr, "error: {}\n", f.line);
    return f.status;
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}: selvedge-perf: report it\n", e.what());
    return kLacksEnvironment;
  }
}
