// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/status_server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace selvedge {
namespace {

constexpr int kBacklog = 256;  // connections that wait to be accepted
constexpr std::string_view kOrders[] = {"\"drain\"", "\"drain-with-hosts\"", "\"undrain\"",
                                        "\"reroute\""};

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

/// Whether the request is an order, which may take long: its verb is not that of a query. (A
/// request that is no JSON is answered at once.)
bool is_order(std::string_view request) {
  return std::ranges::any_of(
      kOrders, [&](std::string_view verb) { return request.find(verb) != std::string_view::npos; });
}

std::string answer_to(const std::string& request, const StatusServer::Answer& answer) {
  const auto error = [](const std::string& what) {
    return nlohmann::json{{"error", what}}.dump(-1, ' ', false,
                                                nlohmann::json::error_handler_t::replace) +
           "\n";
  };
  try {
    const auto question = nlohmann::json::parse(request.substr(0, request.find('\n')));
    const std::string verb = question.at("verb").get<std::string>();
    std::string text = answer(verb, question.value("words", std::vector<std::string>{}));
    return text.empty() ? error("unknown verb: " + verb) : text;
  } catch (const nlohmann::json::exception&) {
    return "{\"error\": \"ask one line of JSON such as {\\\"verb\\\": \\\"status\\\"}\"}\n";
  } catch (const std::exception& e) {
    return error(e.what());
  }
}

}  // namespace

int listen_on_path(const std::string& path, std::string_view kind, const std::string& remedy) {
  const sockaddr_un address = address_of(path);
  int listener = -1;
  auto fail = [&](const std::string& what) {
    const int error = errno;
    if (listener >= 0) close(listener);
    throw EnvironmentError(fmt::format("{} ({})", what, std::strerror(error)), path, remedy);
  };
  if (somebody_listens(address)) {
    errno = EADDRINUSE;
    fail(fmt::format("another process serves this {} socket", kind));
  }
  struct stat found{};
  if (lstat(path.c_str(), &found) == 0 && !S_ISSOCK(found.st_mode)) {
    errno = EEXIST;
    fail("another file, not a socket, has this path");
  }
  unlink(path.c_str());
  listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) fail(fmt::format("cannot make the {} socket", kind));
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    fail(fmt::format("cannot make the {} socket", kind));
  chmod(path.c_str(), 0660);
  if (listen(listener, kBacklog) != 0) fail(fmt::format("cannot listen on the {} socket", kind));
  return listener;
}

void StatusServer::start(const std::string& path, Answer answer) {
  const int listener = listen_on_path(
      path, "status", "set [status] socket in plugin.toml to a path that can be made");
  server_.start(
      listener,
      {.complete =
           [](std::string_view received) { return received.find('\n') != std::string_view::npos; },
       .takes_long = is_order,
       .answer = [answer = std::move(answer)](
                     const std::string& request) { return answer_to(request, answer); }});
  path_ = path;
}

void StatusServer::stop() {
  if (!server_.running()) return;
  server_.stop();
  unlink(path_.c_str());
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
