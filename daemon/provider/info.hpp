// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the provider offers (fi_getinfo(3)).
#pragma once

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <string>

#include "daemon/client/selvedge.h"

namespace selvedge::provider {

inline constexpr std::uint64_t kCaps = FI_MSG | FI_TAGGED | FI_SEND | FI_RECV | FI_DIRECTED_RECV |
                                       FI_SOURCE | FI_LOCAL_COMM | FI_REMOTE_COMM;

/// 0, or -FI_ENODATA, -FI_ENOMEM.
int get_info(std::uint32_t version, const char* node, const char* service, std::uint64_t flags,
             const fi_info* hints, fi_info** info);

/// The path of the daemon's socket: the domain's name if `info` has one, else $SELVEDGE_SOCKET,
/// else selvedged's default /run/selvedged.sock.
std::string socket_path(const fi_info* info);
/// Opens a session and stores in `address` the ADDRESS:PORT that peers write before /NAME. Returns
/// 0, or an error of libselvedge after a line in the log.
int open_session(const std::string& path, selvedge_session*& session, std::string& address);

}  // namespace selvedge::provider
