// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/ring/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <new>
#include <utility>

namespace selvedge::ring {
namespace {

bool valid_size(std::uint64_t bytes) {
  return bytes >= kRingBytesMin && bytes <= kRingBytesMax && std::has_single_bit(bytes);
}

/// Maps `bytes` bytes of the file, from `offset` on, at two consecutive address ranges.
std::byte* map_twice(int fd, std::size_t offset, std::size_t bytes) {
  void* room = mmap(nullptr, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return nullptr;
  auto* at = static_cast<std::byte*>(room);
  for (int i = 0; i < 2; ++i)
    if (mmap(at + i * bytes, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
             static_cast<off_t>(offset)) == MAP_FAILED) {
      munmap(room, 2 * bytes);
      return nullptr;
    }
  return at;
}

}  // namespace

Segment::~Segment() {
  if (tx_) munmap(tx_, 2 * tx_bytes_);
  if (rx_) munmap(rx_, 2 * rx_bytes_);
  if (control_) munmap(control_, kControlBytes);
}

Segment& Segment::operator=(Segment&& other) noexcept {
  std::swap(control_, other.control_);
  std::swap(tx_, other.tx_);
  std::swap(rx_, other.rx_);
  std::swap(tx_bytes_, other.tx_bytes_);
  std::swap(rx_bytes_, other.rx_bytes_);
  return *this;
}

bool Segment::map_all(int fd) {
  void* control = mmap(nullptr, kControlBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (control == MAP_FAILED) return false;
  control_ = static_cast<Control*>(control);
  if (tx_bytes_ == 0) {  // called by map(): the daemon has written the sizes
    tx_bytes_ = control_->tx_bytes;
    rx_bytes_ = control_->rx_bytes;
    struct stat s{};
    if (control_->magic != kMagic || control_->version != kLayoutVersion ||
        !valid_size(tx_bytes_) || !valid_size(rx_bytes_) || fstat(fd, &s) != 0 ||
        static_cast<std::uint64_t>(s.st_size) != kControlBytes + tx_bytes_ + rx_bytes_)
      return false;
  }
  tx_ = map_twice(fd, kControlBytes, tx_bytes_);
  rx_ = map_twice(fd, kControlBytes + tx_bytes_, rx_bytes_);
  return tx_ != nullptr && rx_ != nullptr;
}

Segment Segment::make(std::size_t tx_bytes, std::size_t rx_bytes, int& fd) {
  Segment s;
  fd = memfd_create("selvedge", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return s;
  s.tx_bytes_ = tx_bytes;
  s.rx_bytes_ = rx_bytes;
  if (!valid_size(tx_bytes) || !valid_size(rx_bytes) ||
      ftruncate(fd, static_cast<off_t>(kControlBytes + tx_bytes + rx_bytes)) != 0 ||
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0 || !s.map_all(fd)) {
    close(std::exchange(fd, -1));
    return {};
  }
  new (s.control_) Control{};
  s.control_->magic = kMagic;
  s.control_->version = kLayoutVersion;
  s.control_->tx_bytes = tx_bytes;
  s.control_->rx_bytes = rx_bytes;
  return s;
}

Segment Segment::map(int fd) {
  Segment s;
  struct stat size{};
  // The size is checked before any access, because reading beyond a file's end raises SIGBUS.
  if (fstat(fd, &size) != 0 || size.st_size < static_cast<off_t>(kControlBytes)) return s;
  // If map_all() fails, the destructor of s unmaps what was mapped before.
  return s.map_all(fd) ? std::move(s) : Segment{};
}

}  // namespace selvedge::ring
