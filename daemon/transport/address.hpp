// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A daemon's address, the same for every transport: an IP address and a port. With UDP packets are
// sent there; with verbs the daemon announces its verbs address there (announcement.hpp).
#pragma once

#include <sys/socket.h>

#include <string>

#include "daemon/protocol/connection.hpp"

namespace selvedge::transport {

/// Parses ADDRESS:PORT; InputError (at `where`) when it is malformed. Names are not looked up.
protocol::PeerAddress parse_address(const std::string& text, const std::string& where);
std::string to_string(const protocol::PeerAddress& address);

/// To a socket address, its port higher by port_offset; returns its size.
socklen_t unpack(const protocol::PeerAddress& address, sockaddr_storage& to, unsigned port_offset);
/// From a socket address, its port lower by port_offset.
protocol::PeerAddress pack(const sockaddr_storage& from, unsigned port_offset);

}  // namespace selvedge::transport
