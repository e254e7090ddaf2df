// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/steering.hpp"

#include <sys/socket.h>

#include <bit>

#include "daemon/protocol/sharding.hpp"

namespace selvedge::transport {

std::array<sock_filter, kSteeringSteps> steering(unsigned workers) {
  constexpr unsigned kClear = protocol::kMagic, kSealed = 0x5358, kSaltAt = 4;  // "SV", "SX"
  const auto step = [](unsigned code, unsigned k, unsigned yes = 0, unsigned no = 0) {
    return sock_filter{.code = static_cast<std::uint16_t>(code),
                       .jt = static_cast<std::uint8_t>(yes),
                       .jf = static_cast<std::uint8_t>(no),
                       .k = k};
  };
  // A load beyond the end of a short datagram ends the program with 0.
  return {step(BPF_LD | BPF_H | BPF_ABS, 0),
          step(BPF_JMP | BPF_JEQ | BPF_K, kSealed, 3, 0),
          step(BPF_JMP | BPF_JEQ | BPF_K, kClear, 0, 5),
          step(BPF_LD | BPF_B | BPF_ABS, protocol::kConnectionLowByte),
          step(BPF_JMP | BPF_JA, 1),
          step(BPF_LD | BPF_B | BPF_ABS, kSaltAt),
          step(BPF_ALU | BPF_AND | BPF_K, std::bit_ceil(workers) - 1),
          step(BPF_JMP | BPF_JGE | BPF_K, workers, 0, 1),
          step(BPF_RET | BPF_K, 0),
          step(BPF_RET | BPF_A, 0)};
}

bool steer(int socket, unsigned workers) {
  auto program = steering(workers);
  const sock_fprog all{.len = static_cast<std::uint16_t>(program.size()), .filter = program.data()};
  return setsockopt(socket, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &all, sizeof all) == 0;
}

}  // namespace selvedge::transport
