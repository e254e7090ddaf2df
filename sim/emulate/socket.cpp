// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/socket.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/error.hpp"

namespace selvedge::sim {

AbstractAddress::AbstractAddress(const std::string& name) {
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof(address.sun_path) - 2);
  std::memcpy(address.sun_path + 1, name.data(), length);
  size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length + 1);
}

Descriptor bound_socket(int type, const std::string& name) {
  Descriptor fd(::socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd.open()) refused_by_system("no socket can be made", name, "raise the limit of open files");
  const AbstractAddress address(name);
  if (::bind(fd.get(), address.get(), address.size) == 0) return fd;
  if (errno == EADDRINUSE)
    throw InputError("the socket's name is in use", fmt::format("'{}'", name),
                     "choose another --socket, or end the server that has it");
  refused_by_system("the socket cannot be bound", name, "choose another --socket");
}

}  // namespace selvedge::sim
