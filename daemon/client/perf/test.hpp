// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the two ends of selvedge-perf say to each other, and what its verbs have in common. The
// first message of a connection is a TestRequest, the last one back a TestResult (except for
// echoes).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "daemon/client/perf/file.hpp"
#include "daemon/client/selvedge.h"

namespace selvedge::perf {

inline constexpr int kDone = 0, kDoesNotHold = 1, kBadInput = 2, kLacksEnvironment = 3;
inline constexpr std::uint64_t kTestMagic = 0x53565045'52463033;  // "SVPERF03"

/// The kind of a connection's messages.
/// kUntilEnd: numbered ones, until an EndOfTest.
enum class Workload : std::uint8_t { kNumbered, kEcho, kFile, kUntilEnd };

struct TestRequest {
  std::uint64_t magic = kTestMagic, size = 0, count = 0;
  std::uint64_t last_size = 0;  ///< size of the last message of a file
  Workload workload = Workload::kNumbered;
  std::uint8_t verify = 0;

  std::uint64_t size_of(std::uint64_t n) const { return n + 1 == count ? last_size : size; }
  std::uint64_t bytes() const { return count == 0 ? 0 : (count - 1) * size + last_size; }
};
/// Messages of kUntilEnd are longer than this one.
struct EndOfTest {
  std::uint64_t magic = kTestMagic, count = 0;
};
struct TestResult {
  std::uint64_t messages = 0, errors = 0;
  Digest digest{};  ///< of a file: BLAKE2b of its bytes
};

struct Failure {
  int status;
  std::string line;
};
[[noreturn]] inline void fail(int error, const std::string& where) {
  const bool input = error == SELVEDGE_E_ADDRESS || error == SELVEDGE_E_REQUEST;
  throw Failure{input ? kBadInput : kLacksEnvironment,
                fmt::format("{}: {}: see selvedged's log and selvedgectl status",
                            selvedge_strerror(error), where)};
}
inline int checked(int result, const std::string& where) {
  if (result < 0) fail(result, where);
  return result;
}

inline std::int64_t now_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

/// Message n consists of its number and of words computed from the number. The words differ within
/// a message and between neighbouring messages, so that lost, duplicated and moved bytes are
/// detected.
inline std::uint64_t word(std::uint64_t n, std::size_t i) {
  std::uint64_t x = n * 0x9e3779b97f4a7c15 + i * 0xbf58476d1ce4e5b9;
  return x ^ x >> 29;
}
inline void fill_message(std::byte* to, std::size_t size, std::uint64_t n, bool all) {
  if (size >= 8) std::memcpy(to, &n, 8);
  if (!all) return;
  for (std::size_t i = size >= 8 ? 8 : 0; i < size; i += 8) {
    const std::uint64_t w = word(n, i);
    std::memcpy(to + i, &w, std::min<std::size_t>(8, size - i));
  }
}
inline bool matches(const std::byte* from, std::size_t size, std::uint64_t n, bool all) {
  std::uint64_t number = 0;
  if (size >= 8) {
    std::memcpy(&number, from, 8);
    if (number != n) return false;
  }
  if (!all) return true;
  for (std::size_t i = size >= 8 ? 8 : 0; i < size; i += 8) {
    const std::uint64_t w = word(n, i);
    if (std::memcmp(from + i, &w, std::min<std::size_t>(8, size - i)) != 0) return false;
  }
  return true;
}

class Session {
 public:
  explicit Session(const std::string& socket) {
    checked(selvedge_open(socket.c_str(), &session_), socket);
  }
  ~Session() { selvedge_shut(session_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  selvedge_session* get() const { return session_; }

 private:
  selvedge_session* session_ = nullptr;
};

/// A connection that is closed at the end of its scope.
class Connection {
 public:
  Connection(const Session& session, const std::string& to) {
    checked(selvedge_connect(session.get(), to.c_str(), &connection_, 10'000), to);
  }
  ~Connection() { close(0); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  selvedge_connection* get() const { return connection_; }
  void close(int timeout_ms) {
    if (connection_ != nullptr) selvedge_close(std::exchange(connection_, nullptr), timeout_ms);
  }

 private:
  selvedge_connection* connection_ = nullptr;
};

}  // namespace selvedge::perf
