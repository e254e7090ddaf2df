// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Steering: the kernel gives each datagram to the socket of the worker that owns its connection.
// The sockets of all workers at one port are a group (SO_REUSEPORT), in the order in which they
// were bound. A classic BPF program (SO_ATTACH_REUSEPORT_CBPF), which needs no privilege, takes the
// worker from the datagram: from byte 7 of a packet in the clear, the low byte of its connection
// (protocol/sharding.hpp), and from byte 4 of a sealed one, the first byte of its salt.
//  `connection` is encrypted there, so the sender has put the worker into the salt. Everything else
// goes to worker 0.

#pragma once

#include <linux/filter.h>

#include <array>
#include <cstdint>

namespace selvedge::transport {

inline constexpr unsigned kSteeringSteps = 10;

/// The program for `workers` workers. It returns the socket's place in the group.
std::array<sock_filter, kSteeringSteps> steering(unsigned workers);

/// Attaches the program to the group of a bound socket; false: the system refuses.
bool steer(int socket, unsigned workers);

}  // namespace selvedge::transport
