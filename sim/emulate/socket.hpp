// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Sockets with abstract names, as libumad2sim uses them: a trailing NUL is part of the name.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace selvedge::sim {

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

struct AbstractAddress {
  explicit AbstractAddress(const std::string& name);
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }

  sockaddr_un address{};
  socklen_t size = 0;
};

/// The longest NAME: "NAME:in<pid>" has to fit into an address.
inline constexpr std::size_t kMaxSocketName = 80;

/// A socket with this name, which never blocks. Throws EnvironmentError, or InputError if the name
/// is in use.
Descriptor bound_socket(int type, const std::string& name);

}  // namespace selvedge::sim
