// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever datagrams reach a receiver with a key, it accepts only those sealed with that key, and
// each of them once. The input is a sequence of datagrams, each after two bytes of length and a
// byte for what is done: it is handed over as it is; it is sealed first; it is sealed and then
// changed by the rest of the bytes; or an earlier genuine datagram is repeated instead. The whole
// input is also read as a file of keys.
#include <cstring>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "daemon/service/keys.hpp"
#include "tests/fuzz/die.hpp"

namespace {

using namespace selvedge::protocol;

void read_keys(std::string_view text) {
  try {
    if (selvedge::service::parse_keys(text, "f").empty()) die("no keys, and no error");
  } catch (const selvedge::InputError& e) {
    must_be_one_line(e.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_keys({reinterpret_cast<const char*>(data), size});
  SealConfig config;
  config.keys.resize(2);
  config.keys[1].fill(1);
  Seal receiver(config, {1});
  Seal sender(config, {2});
  std::vector<std::vector<std::byte>> genuine;
  for (std::size_t at = 0; at + 3 <= size;) {
    const std::size_t length = std::min<std::size_t>(data[at] << 8 | data[at + 1], size - at - 3);
    const unsigned what = data[at + 2] & 3, lane = data[at + 2] >> 2 & 15;
    at += 3;
    std::vector<std::byte> given(length);
    if (length != 0) std::memcpy(given.data(), data + at, length);
    at += length;
    if (what == 0) {
      if (!receiver.open(given).empty()) die("let in what nobody sealed");
      continue;
    }
    if (what == 3) {
      if (genuine.empty()) continue;
      std::vector<std::byte> again = genuine[length % genuine.size()];
      if (!receiver.open(again).empty()) die("let in twice");
      continue;
    }
    const std::byte text[1] = {std::byte{7}};
    std::vector<std::byte> wire(length + 1 + kSealBytes);
    sender.seal({}, 0, lane, text, given, wire.data());
    if (what == 2) {
      std::vector<std::byte> changed = wire;
      for (std::size_t i = 0; i < given.size(); ++i) changed[i * 7 % wire.size()] ^= given[i];
      if (changed != wire && !receiver.open(changed).empty()) die("let in what was changed");
    }
    genuine.push_back(wire);
    const Bytes opened = receiver.open(wire);
    if (opened.size() != length + 1 || opened[0] != text[0] ||
        (length != 0 && std::memcmp(opened.data() + 1, given.data(), length) != 0))
      die("something else came out");
  }
  return 0;
}
