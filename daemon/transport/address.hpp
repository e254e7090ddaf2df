// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A daemon's address as every transport writes it: an IP address and a port. Over UDP it is where
// packets go; over verbs it is where the daemon tells its verbs address (introduction.hpp).
#pragma once

#include <sys/socket.h>

#include <string>

#include "daemon/protocol/connection.hpp"

namespace selvedge::transport {

/// ADDRESS:PORT as a PeerAddress; InputError (at `where`) when it is none. Names are not looked up.
protocol::PeerAddress parse_address(const std::string& text, const std::string& where);
std::string to_string(const protocol::PeerAddress& address);

/// As the socket calls want it, its port that much higher; gives its size.
socklen_t unpack(const protocol::PeerAddress& address, sockaddr_storage& to, unsigned port_offset);
/// The other way round, its port that much lower.
protocol::PeerAddress pack(const sockaddr_storage& from, unsigned port_offset);

}  // namespace selvedge::transport
