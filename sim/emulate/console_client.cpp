// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/console_client.hpp"

#include <fmt/format.h>

#include <array>

#include "base/error.hpp"
#include "base/in_quotes.hpp"

namespace selvedge::sim {
namespace {

constexpr std::string_view kOk = "ok", kRefused = "error: ";

/// Makes an InputError from an error's text "WHAT: WHERE: WHAT TO DO", which Error::what() made.
InputError refusal(std::string_view text) {
  const std::size_t first = text.find(": ");
  const std::size_t last = text.rfind(": ");
  if (first == std::string_view::npos || first == last)
    return {std::string(text), "the emulator", "type help"};
  return {std::string(text.substr(0, first)), std::string(text.substr(first + 2, last - first - 2)),
          std::string(text.substr(last + 2))};
}

}  // namespace

ConsoleClient::ConsoleClient(const std::string& name) : name_(name) {
  if (name.empty() || name.size() > kMaxSocketName)
    throw InputError("this is no name of a socket", fmt::format("--socket '{}'", name),
                     fmt::format("write 1 to {} characters", kMaxSocketName));
  socket_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket_.open()) refused_by_system("no socket can be made", name, "raise the limits");
  const AbstractAddress address(name + ":console");
  if (::connect(socket_.get(), address.get(), address.size) != 0)
    throw EnvironmentError("no emulator is served under this name", name,
                           "start selvedge-sim emulate with this --socket");
}

std::string ConsoleClient::ask(std::string_view command) {
  if (command.find('\n') != std::string_view::npos)
    throw InputError("a command is one line", in_quotes(command), "give them one after the other");
  const std::string line = std::string(command) + "\n";
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t n = ::send(socket_.get(), left.data(), left.size(), MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) break;  // the reply will be missing too
    if (n > 0) left.remove_prefix(static_cast<std::size_t>(n));
  }
  std::string reply;
  std::array<char, 4096> buffer;
  while (true) {
    for (std::size_t end = input_.find('\n'); end != std::string::npos; end = input_.find('\n')) {
      const std::string text = input_.substr(0, end);
      input_.erase(0, end + 1);
      if (text == kOk) return reply;
      if (text.starts_with(kRefused)) throw refusal(std::string_view(text).substr(kRefused.size()));
      reply += text + "\n";
    }
    const ssize_t n = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw EnvironmentError("the emulator has ended", name_, "start it again");
    input_.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace selvedge::sim
