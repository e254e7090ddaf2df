// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Any application may connect to the service of an endpoint and send what it likes.
#include "daemon/client/selvedge.h"
#include "tests/system/provider/cases.hpp"
#include "tests/system/provider/side.hpp"

namespace {

/// A header, as daemon/provider/message.hpp draws it.
std::string header(int kind, std::uint64_t length, std::uint64_t tag, std::uint64_t data) {
  std::string bytes(32, '\0');
  bytes[0] = static_cast<char>(kind);
  std::memcpy(&bytes[8], &length, 8);
  std::memcpy(&bytes[16], &tag, 8);
  std::memcpy(&bytes[24], &data, 8);
  return bytes;
}

std::string hello(const char* to, const char* from) {
  return header(1, 2 * kAddressBytes, 2, 0x53454c5645444745) + std::string(to, kAddressBytes) +
         std::string(from, kAddressBytes);
}

/// The header of a tagged message whose payload is fetched later.
std::string offer(std::uint64_t length) {
  std::string bytes = header(3, length, 77, 0);
  bytes[1] = 4;
  return bytes;
}

}  // namespace

void strangers(const char* a, const char* b) {
  Side s(a), r(b);
  const fi_addr_t to = s.add(r);
  selvedge_session* session = nullptr;
  CHECK_EQ(selvedge_open(a, &session), 0);
  // The peer from whom a hello may say that it comes.
  char from[kAddressBytes] = "127.0.0.1:9/nobody";
  const std::string good = hello(r.name, from);
  std::string nobody = good, version = good;
  nobody[32 + 20] ^= 1;
  version[16] = 9;
  const auto noise = bytes(3'000);
  char c = 0;
  std::string many;
  for (int i = 0; i < 200; ++i) many += header(3, 1, 77, 0) + "m";
  for (const std::string& sent :
       {std::string(noise.begin(), noise.end()), std::string("x"), header(3, 1, 0, 0) + "y", nobody,
        version, good + good, good + header(7, 0, 0, 0), good + header(4, 0, 0, 0),
        good + header(3, 1ULL << 33, 0, 0), good + header(3, 1ULL << 32, 0, 0) + "begun",
        // More than there is credit for, at once and together; a grant taken back, one too large.
        good + header(3, 32'768, 0, 0) + "x", good + many, good + header(7, 0, 1, 0),
        good + header(7, 0, 1ULL << 40, 0),
        // What was never offered is fetched; what was never fetched is sent: of an offer, of none.
        good + header(6, 0, 0, 1), good + header(5, 1, 0, 0) + "p",
        good + offer(9) + header(5, 1, 0, 0) + "p"}) {
    selvedge_connection* connection = nullptr;
    CHECK_EQ(selvedge_connect(session, r.name, &connection, 10'000), 0);
    CHECK_EQ(selvedge_send(connection, sent.data(), sent.size(), 1'000), 0);
    // What others send meanwhile arrives.
    CHECK_EQ(fi_tinject(s.ep, "m", 1, to, 5), 0);
    CHECK_EQ(fi_trecv(r.ep, &c, 1, nullptr, FI_ADDR_UNSPEC, 5, 0, nullptr), 0);
    completion(r.receives, s.sends);
    CHECK_EQ(c, 'm');
    const int closed = selvedge_close(connection, 2'000);
    CHECK(closed == 0 || closed == SELVEDGE_E_PEER_RESET || closed == SELVEDGE_E_CLOSED);
  }
  // A message that ends in the middle: its receive fails, and says why.
  std::vector<char> buffer(30'000);
  CHECK_EQ(fi_trecv(r.ep, buffer.data(), buffer.size(), nullptr, FI_ADDR_UNSPEC, 9, 0, &buffer), 0);
  selvedge_connection* connection = nullptr;
  CHECK_EQ(selvedge_connect(session, r.name, &connection, 10'000), 0);
  const std::string half = good + header(3, buffer.size(), 9, 0) + "half";
  CHECK_EQ(selvedge_send(connection, half.data(), half.size(), 1'000), 0);
  CHECK_EQ(selvedge_close(connection, 10'000), 0);
  const auto error = error_of(r.receives, s.sends);
  CHECK_EQ(error.err, FI_ECONNRESET);
  CHECK(error.op_context == &buffer);
  CHECK_EQ(error.len, 0);
  selvedge_shut(session);
}
