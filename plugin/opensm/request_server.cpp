// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/request_server.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace selvedge {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kRequestTime{1000};  // how long a client may take to send its request
/// How long a client may take to receive the answer: tables may be tens of megabytes.
constexpr milliseconds kAnswerTime{10'000};
/// If a client cannot be accepted (no descriptors are left): when the next try is made.
constexpr milliseconds kAcceptAgain{100};

bool would_block() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

void RequestServer::start(int listener, RequestProtocol protocol) {
  listener_ = listener;
  protocol_ = std::move(protocol);
  stopping_ = false;
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const char* const remedy = "give opensm more descriptors and threads (ulimit -n, -u)";
  if (wake_ < 0) {
    close(std::exchange(listener_, -1));
    throw EnvironmentError("cannot make an eventfd", std::strerror(errno), remedy);
  }
  try {
    thread_ = std::thread([this] { serve(); });
  } catch (const std::system_error& e) {
    close(std::exchange(listener_, -1));
    close(std::exchange(wake_, -1));
    throw EnvironmentError("cannot start a thread", e.what(), remedy);
  }
}

void RequestServer::stop() {
  if (!thread_.joinable()) return;
  stopping_ = true;
  notify();
  thread_.join();
  close(std::exchange(listener_, -1));
  close(std::exchange(wake_, -1));
}

void RequestServer::notify() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(wake_, &one, sizeof one);  // full: it is readable
}

void RequestServer::serve() {
  sigset_t all;  // blocked in this thread: OpenSM's own threads handle signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::vector<pollfd> fds;
  std::vector<Client*> at;
  while (!stopping_) {
    const Time now = std::chrono::steady_clock::now();
    fds = {{wake_, POLLIN, 0}, {now < listen_again_ ? -1 : listener_, POLLIN, 0}};
    at.clear();
    for (Client& c : clients_) {
      // Of clients whose answer is being computed nothing is asked.
      if (c.state != State::kReading && c.state != State::kSending) continue;
      fds.push_back(
          {c.socket, static_cast<short>(c.state == State::kReading ? POLLIN : POLLOUT), 0});
      at.push_back(&c);
    }
    if (poll(fds.data(), fds.size(), wait_ms(now)) < 0) {
      if (errno != EINTR) std::this_thread::sleep_for(kAcceptAgain);  // no memory, for now
      continue;
    }
    const Time then = std::chrono::steady_clock::now();
    std::uint64_t ignored = 0;
    if (fds[0].revents != 0) [[maybe_unused]]
      const ssize_t n = read(wake_, &ignored, sizeof ignored);
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (fds[i + 2].revents == 0) continue;
      if (at[i]->state == State::kReading)
        receive(*at[i], then);
      else
        send_some(*at[i], then);
    }
    if (fds[1].revents != 0) accept_clients(then);
    take_answers(then);
    expire(then);
    begin_answers();
    std::erase_if(clients_, [](Client& c) {
      if (c.gone) close(c.socket);
      return c.gone;
    });
  }
  for (Client& c : clients_)
    if (c.thread.joinable()) c.thread.join();
  take_answers(std::chrono::steady_clock::now());
  for (Client& c : clients_) close(c.socket);
  clients_.clear();
}

std::size_t RequestServer::count(State state) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      clients_, [state](const Client& c) { return !c.gone && c.state == state; }));
}

/// Disconnects the client in this state that has sent or received nothing for longest; false if
/// there is none.
bool RequestServer::drop_oldest(State state) {
  Client* oldest = nullptr;
  for (Client& c : clients_)
    if (!c.gone && c.state == state && (oldest == nullptr || c.heard < oldest->heard)) oldest = &c;
  if (oldest != nullptr) oldest->gone = true;
  return oldest != nullptr;
}

void RequestServer::accept_clients(Time now) {
  const auto here = [this] {
    return static_cast<std::size_t>(
        std::ranges::count_if(clients_, [](const Client& c) { return !c.gone; }));
  };
  for (;;) {
    if (here() >= kMaxClients && !drop_oldest(State::kReading) && !drop_oldest(State::kSending)) {
      listen_again_ = now + kAcceptAgain;  // all clients wait for orders
      return;
    }
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) {
      if (!would_block()) listen_again_ = now + kAcceptAgain;
      return;
    }
    Client& client = clients_.emplace_back();
    client.socket = socket;
    client.deadline = now + kRequestTime;
    client.heard = now;
    receive(client, now);  // most requests arrive with the connection
  }
}

void RequestServer::receive(Client& client, Time now) {
  char bytes[1024];
  bool ended = false;
  while (!protocol_.complete(client.request) && client.request.size() < kMaxRequest && !ended) {
    const ssize_t n = recv(client.socket, bytes, sizeof bytes, 0);
    if (n < 0 && would_block()) return;
    ended = n <= 0;
    if (n <= 0) break;
    client.heard = now;
    client.request.append(bytes, static_cast<std::size_t>(n));
  }
  client.state = State::kQueued;
}

/// Handles clients whose time is up: disconnects those that do not read; answers incomplete
/// requests as they are.
void RequestServer::expire(Time now) {
  for (Client& c : clients_) {
    if (now < c.deadline) continue;
    if (c.state == State::kReading) c.state = State::kQueued;
    if (c.state == State::kSending) c.gone = true;
  }
}

/// Starts the computation of answers, oldest client first.
void RequestServer::begin_answers() {
  std::size_t answering = count(State::kAnswering);
  auto orders = static_cast<std::size_t>(std::ranges::count_if(
      clients_, [](const Client& c) { return c.state == State::kAnswering && c.order; }));
  for (Client& c : clients_) {
    if (c.gone || c.state != State::kQueued) continue;
    c.order = protocol_.takes_long(c.request);
    if (answering >= kMaxAnswering || (c.order && orders >= kMaxOrders)) continue;
    try {
      c.thread = std::thread([this, &c] {
        std::string answer;
        try {
          answer = protocol_.answer(c.request);
        } catch (...) {  // there is no memory; the client gets nothing
        }
        {
          const std::lock_guard lock(mutex_);
          ready_.emplace_back(&c, std::move(answer));
        }
        notify();
      });
    } catch (const std::system_error&) {  // no thread could be made
      c.gone = true;
      continue;
    }
    c.state = State::kAnswering;
    ++answering;
    orders += c.order ? 1 : 0;
  }
}

void RequestServer::take_answers(Time now) {
  std::vector<std::pair<Client*, std::string>> ready;
  {
    const std::lock_guard lock(mutex_);
    ready.swap(ready_);
  }
  for (auto& [client, answer] : ready) {
    if (client->thread.joinable()) client->thread.join();
    if (count(State::kSending) >= kMaxSending) drop_oldest(State::kSending);
    client->answer = std::move(answer);
    client->state = State::kSending;
    client->deadline = now + kAnswerTime;
    client->heard = now;
    send_some(*client, now);
  }
}

void RequestServer::send_some(Client& client, Time now) {
  while (client.sent < client.answer.size()) {
    const ssize_t n = send(client.socket, client.answer.data() + client.sent,
                           client.answer.size() - client.sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0) break;
    client.sent += static_cast<std::size_t>(n);
    client.heard = now;
  }
  shutdown(client.socket, SHUT_WR);
  // Unread bytes would make TCP reset the connection, so that the client would lose the answer.
  char bytes[4096];
  [[maybe_unused]] const ssize_t n = recv(client.socket, bytes, sizeof bytes, 0);
  client.gone = true;
}

/// How long poll() may wait: until a client's time is up, or clients are accepted again.
int RequestServer::wait_ms(Time now) const {
  Time next = Time::max();
  if (now < listen_again_) next = listen_again_;
  for (const Client& c : clients_)
    if (c.state == State::kReading || c.state == State::kSending) next = std::min(next, c.deadline);
  if (next == Time::max()) return -1;
  const auto left = std::chrono::ceil<milliseconds>(next - now).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

}  // namespace selvedge
