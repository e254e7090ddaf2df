// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/status_server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace selvedge {
namespace {

constexpr int kClientTimeoutMs = 1000;  // how long a client may take to send its request
/// How long a client may take to receive the answer: tables may be tens of megabytes.
constexpr int kAnswerTimeoutMs = 10'000;
constexpr std::size_t kMaxQuestion = 4096;  // most bytes of a request
constexpr std::size_t kMaxClients = 8;
constexpr int kRecheckMs = 5;  // if kMaxClients are served: how often their ends are checked for

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  return address;
}

/// Whether a process listens on the socket file. If not, the file is left over from an earlier
/// process and may be replaced.
bool somebody_listens(const sockaddr_un& address) {
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (probe < 0) return false;
  const int result = connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  const bool listens = result == 0 || errno == EAGAIN;
  close(probe);
  return listens;
}

class Deadline {
 public:
  explicit Deadline(int ms)
      : end_(std::chrono::steady_clock::now() + std::chrono::milliseconds(ms)) {}
  int left_ms() const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end_ - std::chrono::steady_clock::now());
    return left.count() < 0 ? 0 : static_cast<int>(left.count());
  }

 private:
  std::chrono::steady_clock::time_point end_;
};

/// Waits until `fd` is ready for `events`. False if the time is up, or if the server is to stop
/// (`wake` is readable).
bool ready(int fd, short events, const Deadline& deadline, int wake) {
  pollfd fds[2] = {{fd, events, 0}, {wake, POLLIN, 0}};
  return poll(fds, 2, deadline.left_ms()) > 0 && fds[1].revents == 0;
}

/// Reads a request up to the first newline or the end of the stream. After the time limit, or after
/// kMaxQuestion bytes, returns the bytes received by then.
std::string read_question(int client, int wake) {
  const Deadline deadline(kClientTimeoutMs);
  std::string question;
  char buffer[512];
  while (question.size() < kMaxQuestion && ready(client, POLLIN, deadline, wake)) {
    const ssize_t n = recv(client, buffer, sizeof(buffer), 0);
    if (n <= 0) break;
    question.append(buffer, static_cast<std::size_t>(n));
    if (const std::size_t end = question.find('\n'); end != std::string::npos)
      return question.substr(0, end);
  }
  return question;
}

/// Sends the answer. If the server is to stop, only as much is sent as the socket takes without
/// waiting.
void send_all(int client, const std::string& text, int wake) {
  const Deadline deadline(kAnswerTimeoutMs);
  std::size_t sent = 0;
  do {
    const ssize_t n = send(client, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR) return;
    if (n > 0) sent += static_cast<std::size_t>(n);
  } while (sent < text.size() && ready(client, POLLOUT, deadline, wake));
}

}  // namespace

void StatusServer::start(const std::string& path, Answer answer) {
  const sockaddr_un address = address_of(path);
  auto fail = [&](const std::string& what) {
    const int error = errno;
    if (listener_ >= 0) close(listener_);
    listener_ = -1;
    throw EnvironmentError(fmt::format("{} ({})", what, std::strerror(error)), path,
                           "set [status] socket in plugin.toml to a path that can be made");
  };
  if (somebody_listens(address)) {
    errno = EADDRINUSE;
    fail("another process serves this status socket");
  }
  struct stat found{};
  if (lstat(path.c_str(), &found) == 0 && !S_ISSOCK(found.st_mode)) {
    errno = EEXIST;
    fail("another file, not a socket, has this path");
  }
  unlink(path.c_str());
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener_ < 0) fail("cannot make the status socket");
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    fail("cannot make the status socket");
  chmod(path.c_str(), 0660);
  if (listen(listener_, 16) != 0) fail("cannot listen on the status socket");
  wake_ = eventfd(0, EFD_CLOEXEC);
  if (wake_ < 0) fail("cannot make an eventfd");
  path_ = path;
  answer_ = std::move(answer);
  thread_ = std::thread([this] { serve(); });
}

void StatusServer::stop() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  if (write(wake_, &one, sizeof(one)) != sizeof(one)) return;
  thread_.join();
  close(listener_);
  close(wake_);
  unlink(path_.c_str());
  listener_ = wake_ = -1;
}

void StatusServer::serve() {
  sigset_t all;  // blocked in this thread: OpenSM's own threads handle signals
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  for (;;) {
    join_clients(false);
    const bool full = clients_.size() >= kMaxClients;
    pollfd fds[2] = {{wake_, POLLIN, 0}, {listener_, POLLIN, 0}};
    if (poll(fds, full ? 1 : 2, full ? kRecheckMs : -1) < 0 && errno != EINTR) break;
    if (fds[0].revents != 0) break;
    if (full || (fds[1].revents & POLLIN) == 0) continue;
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) continue;
    Client& client = clients_.emplace_back();
    try {
      client.thread = std::thread([this, socket, &client] {
        serve_client(socket);
        close(socket);
        client.gone = true;
      });
    } catch (const std::system_error&) {  // no thread could be made
      clients_.pop_back();
      close(socket);
    }
  }
  join_clients(true);
}

/// Joins the threads of clients that have been served. `to_all`: also waits for all other clients.
void StatusServer::join_clients(bool to_all) {
  std::erase_if(clients_, [&](Client& client) {
    if (!to_all && !client.gone) return false;
    client.thread.join();
    return true;
  });
}

void StatusServer::serve_client(int client) const {
  std::string verb, answer;
  try {
    const auto question = nlohmann::json::parse(read_question(client, wake_));
    verb = question.at("verb").get<std::string>();
    answer = answer_(verb, question.value("words", std::vector<std::string>{}));
    if (answer.empty()) answer = nlohmann::json{{"error", "unknown verb: " + verb}}.dump() + "\n";
  } catch (const nlohmann::json::exception&) {
    answer = "{\"error\": \"ask one line of JSON such as {\\\"verb\\\": \\\"status\\\"}\"}\n";
  } catch (const std::exception& e) {
    answer = nlohmann::json{{"error", e.what()}}.dump(-1, ' ', false,
                                                      nlohmann::json::error_handler_t::replace) +
             "\n";
  }
  send_all(client, answer, wake_);
}

bool replace_file(const std::string& path, const std::string& content) {
  const std::string temporary = path + ".new";
  const int fd =
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd < 0) return false;
  std::size_t written = 0;
  while (written < content.size()) {
    const ssize_t n = write(fd, content.data() + written, content.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    written += static_cast<std::size_t>(n);
  }
  const bool whole = written == content.size();
  if (close(fd) == 0 && whole && rename(temporary.c_str(), path.c_str()) == 0) return true;
  const int error = errno;
  unlink(temporary.c_str());
  errno = error;
  return false;
}

}  // namespace selvedge
