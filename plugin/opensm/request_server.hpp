// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Serves a listening stream socket: a client sends one request, the server sends one answer and
// closes the connection. A RequestProtocol interprets their bytes.
//
// One thread polls all connections and never waits for one of them. So clients that send nothing,
// or that do not read, cost others nothing; when there are too many, those that have been silent
// for longest are disconnected. Answers are computed in threads of their own, because an order may
// take long; orders have fewer threads than there are, so that queries always find one.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace selvedge {

struct RequestProtocol {
  /// Whether these received bytes are a complete request.
  std::function<bool(std::string_view received)> complete;
  /// Whether this request may take long (an order).
  std::function<bool(std::string_view request)> takes_long;
  /// The answer to a request. It is complete, or all that came before the client ended its stream
  /// or used up its time or bytes. Several threads may call it at once.
  std::function<std::string(const std::string& request)> answer;
};

class RequestServer {
 public:
  static constexpr std::size_t kMaxClients = 256;
  static constexpr std::size_t kMaxRequest = 4096;  // most bytes of a request
  static constexpr std::size_t kMaxAnswering = 8;   // answers computed at a time
  static constexpr std::size_t kMaxOrders = 4;      // of these, answers to requests that take long
  static constexpr std::size_t kMaxSending = 16;    // answers held for clients that read slowly

  RequestServer() = default;
  ~RequestServer() { stop(); }
  RequestServer(const RequestServer&) = delete;
  RequestServer& operator=(const RequestServer&) = delete;

  /// Serves the listening, non-blocking socket `listener`, which the server closes in stop().
  void start(int listener, RequestProtocol protocol);
  /// Waits for the answers that are being computed; clients get as much of them as their sockets
  /// take without waiting.
  void stop();
  bool running() const { return thread_.joinable(); }

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Client {
    enum class State { kReading, kQueued, kAnswering, kSending };
    int socket = -1;
    State state = State::kReading;
    Time deadline;
    Time heard;  // when the last byte came or went
    std::string request, answer;
    std::size_t sent = 0;
    bool order = false;
    bool gone = false;
    std::thread thread;
  };
  using State = Client::State;

  void serve();
  void accept_clients(Time now);
  void receive(Client& client, Time now);
  void begin_answers();
  void take_answers(Time now);
  void send_some(Client& client, Time now);
  void expire(Time now);
  std::size_t count(State state) const;
  bool drop_oldest(State state);
  int wait_ms(Time now) const;
  void notify() const;

  RequestProtocol protocol_;
  int listener_ = -1;
  int wake_ = -1;  // an eventfd, readable if answers are ready or the server is to stop
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
  std::list<Client> clients_;  // used by thread_ only, oldest first
  Time listen_again_{};        // until then no client is accepted, since the last try failed

  std::mutex mutex_;
  std::vector<std::pair<Client*, std::string>> ready_;  // computed answers
};

}  // namespace selvedge
