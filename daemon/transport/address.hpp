// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A daemon's address is an IP address and a UDP port, whatever the transport. With UDP, packets are
// sent to it. With verbs, peers send announcements of their verbs addresses to it
// (announcement.hpp).
#pragma once

#include <sys/socket.h>

#include <string>

#include "daemon/protocol/connection.hpp"

namespace selvedge::transport {

/// Parses ADDRESS:PORT; InputError (at `where`) when it is malformed. Names are not looked up.
protocol::PeerAddress parse_address(const std::string& text, const std::string& where);
/// What is the same for all addresses of one machine: the address without the port, and without the
/// lower 64 bits of an IPv6 address, which a machine chooses itself.
protocol::PeerAddress source_of(const protocol::PeerAddress& address);
std::string to_string(const protocol::PeerAddress& address);

/// Converts to a socket address whose port is higher by port_offset; returns the socket address's
/// size.
socklen_t unpack(const protocol::PeerAddress& address, sockaddr_storage& to, unsigned port_offset);
/// Converts from a socket address; the result's port is lower by port_offset.
protocol::PeerAddress pack(const sockaddr_storage& from, unsigned port_offset);

}  // namespace selvedge::transport
