// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/plugin_client.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace selvedge::route {
namespace {

constexpr timeval kPatience{30, 0};  // seconds; a sweep may lock the plugin's tables for a while
constexpr std::size_t kLongestAnswer = std::size_t{4} << 30;

const char* const kIsItRunning =
    "start opensm with 'event_plugin_name selvedge_opensm', or name its socket with --socket";

[[noreturn]] void fail(const std::string& socket, int reason) {
  const char* remedy = kIsItRunning;
  if (reason == EACCES || reason == EPERM) remedy = "run this as the user who runs opensm";
  throw EnvironmentError(fmt::format("no plugin answers ({})", std::strerror(reason)), socket,
                         remedy);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::string ask_plugin(const std::string& socket, const std::string& verb,
                       const std::vector<std::string>& words) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.empty() || socket.size() >= sizeof address.sun_path)
    throw InputError(fmt::format("a socket's path has 1 to {} bytes", sizeof address.sun_path - 1),
                     fmt::format("--socket '{}'", socket), "name the plugin's socket");
  socket.copy(address.sun_path, socket.size());

  const Descriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (fd.get() < 0) fail(socket, errno);
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    fail(socket, errno);
  Json asked = {{"verb", verb}};
  if (!words.empty()) asked["words"] = words;
  const std::string question = asked.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (::send(fd.get(), question.data(), question.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(question.size()))
    fail(socket, errno);

  std::string answer;
  std::string chunk(1 << 16, '\0');
  while (answer.size() < kLongestAnswer) {
    const ssize_t count = ::recv(fd.get(), chunk.data(), chunk.size(), 0);
    if (count == 0) return answer;
    if (count > 0) {
      answer.append(chunk, 0, static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      throw EnvironmentError(
          fmt::format("the plugin has not answered within {} s", kPatience.tv_sec), socket,
          "look at opensm's log");
    } else if (errno != EINTR) {
      fail(socket, errno);
    }
  }
  throw EnvironmentError("the answer is truncated", socket,
                         "check that this is the plugin's socket");
}

Json order_plugin(const std::string& socket, const std::string& verb,
                  const std::vector<std::string>& words) {
  Json answer = Json::parse(ask_plugin(socket, verb, words), nullptr, false);
  if (!answer.is_object())
    throw EnvironmentError("the answer is no JSON object", socket,
                           "check that this is the socket of Selvedge's plugin");
  const auto error = answer.find("error");
  if (error == answer.end()) return answer;
  if (!error->is_object())
    throw EnvironmentError(fmt::format("the plugin refused '{}'", verb), socket, error->dump());
  const auto part = [&](const char* key) { return error->value(key, ""); };
  if (error->value("status", 3) == kBadInput)
    throw InputError(part("what"), part("where"), part("remedy"));
  throw EnvironmentError(part("what"), part("where"), part("remedy"));
}

Json ask_plugin_json(const std::string& socket, const std::string& verb) {
  Json answer = Json::parse(ask_plugin(socket, verb), nullptr, false);
  if (!answer.is_object())
    throw EnvironmentError("the answer is no JSON object", socket,
                           "check that this is the socket of Selvedge's plugin");
  if (const auto it = answer.find("error"); it != answer.end())
    throw EnvironmentError(fmt::format("the plugin refused '{}'", verb), socket,
                           it->is_string() ? it->get<std::string>() : it->dump());
  return answer;
}

}  // namespace selvedge::route
