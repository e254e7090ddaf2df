// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a peer's provider sends is untrusted: read whole or byte by byte, the same messages are
// found or refused, and no payload is longer than its header says.
#include <algorithm>
#include <vector>

#include "daemon/provider/message.hpp"
#include "tests/fuzz/die.hpp"

namespace {

using namespace selvedge::provider;

struct Recorder : MessageReader::Sink {
  bool begin(const Header& header) override {
    headers.push_back(header);
    payload.clear();
    return header.kind != Kind::kHello || headers.size() == 1;
  }
  void append(std::span<const std::byte> bytes) override {
    payload.insert(payload.end(), bytes.begin(), bytes.end());
    if (payload.size() > payload_bytes(headers.back())) die("a payload is too long");
  }
  bool end() override {
    if (payload.size() != payload_bytes(headers.back())) die("a payload is too short");
    ++ended;
    if (headers.back().kind != Kind::kHello) return true;
    const auto hello = decode_hello(headers.back(), payload);
    if (!hello) return false;
    const auto again = encode(*hello);
    if (!std::equal(again.begin(), again.end(), payload.begin(), payload.end()))
      die("a hello is not what its addresses say");
    return true;
  }
  std::vector<Header> headers;
  std::vector<std::byte> payload;
  std::size_t ended = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  Recorder whole, single;
  MessageReader reader, slow;
  const bool good = reader.read(bytes, whole);
  bool slow_good = true;
  for (std::size_t i = 0; i < size && slow_good; ++i)
    slow_good = slow.read(bytes.subspan(i, 1), single);
  if (good != slow_good || whole.headers != single.headers || whole.ended != single.ended ||
      whole.payload != single.payload)
    die("byte by byte it reads otherwise");
  return 0;
}
