// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/service/keys.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/error.hpp"

namespace selvedge::service {

using protocol::SealKey;
using protocol::SealKeys;

namespace {

constexpr std::size_t kFileBytesMax = (64 << 10) - 16;  // a block of secret memory
constexpr std::string_view kBlank = " \t\r";

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<SealKey> parse_key(std::string_view word) {
  SealKey key{};
  if (word.size() != 2 * key.size()) return std::nullopt;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const int high = digit(word[2 * i]), low = digit(word[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    key[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return key;
}

}  // namespace

SealKeys parse_keys(std::string_view text, const std::string& where) {
  const char* remedy = "write keys as `selvedged --new-key` prints them, a line each";
  SealKeys keys;
  for (unsigned line = 1; !text.empty(); ++line) {
    std::string_view word = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    word = word.substr(0, word.find('#'));
    word.remove_prefix(std::min(word.size(), word.find_first_not_of(kBlank)));
    word = word.substr(0, word.find_last_not_of(kBlank) + 1);
    if (word.empty()) continue;
    const std::string place = fmt::format("{}:{}", where, line);
    const auto key = parse_key(word);
    if (!key) throw InputError("not a key of 64 hexadecimal digits", place, remedy);
    if (std::ranges::find(keys, *key) != keys.end())
      throw InputError("duplicate key", place, "remove one of the two");
    if (keys.size() == kKeysMax)
      throw InputError(fmt::format("more than {} keys", kKeysMax), place, "remove old keys");
    keys.push_back(*key);
  }
  if (keys.empty()) throw InputError("no key in the file", where, remedy);
  return keys;
}

SealKeys load_keys(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const auto refused = [&](const std::string& what, const std::string& remedy) {
    if (fd >= 0) close(fd);
    return InputError(what, path, remedy);
  };
  if (fd < 0)
    throw refused(fmt::format("cannot read the keys: {}", std::strerror(errno)),
                  "give [seal] keys a file that the daemon's user can read");
  struct stat s{};
  if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode))
    throw refused("the keys are not in a regular file", "give [seal] keys a regular file");
  if ((s.st_mode & 077) != 0)
    throw refused("users other than the owner can read or write the keys",
                  "chmod 600 it, and make new keys");
  // Secret, so it is wiped.
  std::vector<char, protocol::SecretAllocator<char>> text(kFileBytesMax);
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0 && size < text.size();) {
    got = read(fd, text.data() + size, text.size() - size);
    if (got > 0) size += static_cast<std::size_t>(got);
  }
  if (size == text.size()) throw refused("the file of keys is too long", "give the right file");
  close(fd);
  return parse_keys({text.data(), size}, path);
}

std::string new_key() {
  SealKey key{};
  if (getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size()))
    throw EnvironmentError("no random numbers", "getrandom", "see why the system has none");
  std::string line;
  for (const std::uint8_t byte : key) line += fmt::format("{:02x}", byte);
  return line + '\n';
}

}  // namespace selvedge::service
