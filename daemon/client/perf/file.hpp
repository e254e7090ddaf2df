// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Classes for a file that selvedge-perf transfers: its hash, and the copy that the receiver keeps.
#pragma once

#include <fmt/format.h>
#include <sodium.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace selvedge::perf {

using Digest = std::array<std::uint8_t, 32>;

/// An incremental BLAKE2b hash.
class Hash {
 public:
  Hash() { crypto_generichash_init(&state_, nullptr, 0, sizeof(Digest)); }
  void add(const std::byte* bytes, std::size_t n) {
    crypto_generichash_update(&state_, reinterpret_cast<const unsigned char*>(bytes), n);
  }
  Digest digest() {
    Digest d;
    crypto_generichash_final(&state_, d.data(), d.size());
    return d;
  }

 private:
  crypto_generichash_state state_;
};

/// The file received from `send --file`. `serve --keep` writes it under a temporary name, and
/// renames it when it is complete.
class ReceivedFile {
 public:
  /// path: where to keep the file; "": nowhere.
  explicit ReceivedFile(const std::string& path) : path_(path) {
    static std::atomic<unsigned> number{0};
    if (path.empty()) return;
    part_ = fmt::format("{}.part{}.{}", path, getpid(), ++number);
    out_.open(part_, std::ios::binary | std::ios::trunc);
  }
  ~ReceivedFile() {
    std::error_code ignored;
    if (!part_.empty()) std::filesystem::remove(part_, ignored);
  }
  ReceivedFile(const ReceivedFile&) = delete;
  ReceivedFile& operator=(const ReceivedFile&) = delete;

  void add(const std::byte* bytes, std::size_t n) {
    if (!part_.empty())
      out_.write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(n));
  }
  /// Completes the file. If it cannot be written, prints an error and returns false.
  bool finish() {
    if (part_.empty()) return true;
    out_.close();
    std::error_code why = std::make_error_code(std::errc::io_error);
    if (out_) std::filesystem::rename(part_, path_, why);
    if (why)
      fmt::print(stderr, "error: cannot keep the file: {}: {}: give --keep another path\n", path_,
                 why.message());
    return !why;
  }

 private:
  std::string path_, part_;
  std::ofstream out_;
};

}  // namespace selvedge::perf
