// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The configuration of selvedged is a TOML file in which every key has a default. An error message
// names the line and the permitted values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/protocol/endpoint.hpp"
#include "daemon/service/users.hpp"
#include "daemon/transport/network.hpp"

namespace selvedge::service {

struct DaemonConfig {
  std::string socket = "/run/selvedged.sock";
  bool busy = false;               ///< the loop never sleeps
  unsigned spin_us = 100;          ///< the loop polls this long without work before it sleeps
  unsigned clients_max = 256;      ///< limit on connected applications
  unsigned mode = 0660;            ///< permissions of the local socket
  std::vector<std::string> users;  ///< users who may connect; empty: the socket's mode decides
  std::vector<unsigned> user_ids;  ///< numbers of `users`; set only by load_daemon_config
  std::string user, group;         ///< to run as, after a start as root; "": no switch
  unsigned workers = 1;            ///< threads that handle packets
  bool oversubscribe = false;      ///< permits more workers than CPUs
  std::string cpus;                ///< CPUs to run on, as "0-3,8"; "": any
  int numa_node = -1;              ///< NUMA node to take memory from; -1: any
  unsigned client_connections_max = 4'096;
  unsigned ring_bytes = 4 << 20;  ///< per connection and direction; untouched pages cost nothing
  UserLimits limits;
  bool insecure = false;      ///< permits addresses other than loopback without keys
  std::string keys_file;      ///< file of sealing keys; "": nothing is sealed
  protocol::SealConfig seal;  ///< its keys are set only by load_daemon_config
  std::string metrics_listen;
  transport::Backend backend = transport::Backend::kUdp;
  transport::UdpConfig udp;      ///< its `impair` is ignored: that below is used
  transport::VerbsConfig verbs;  ///< its `impair` is ignored: that below is used
  transport::ImpairConfig impair;
  protocol::EndpointConfig endpoint;  ///< its `secret` is not used: the server draws one
};

/// Reads the text of a configuration, but no other file. Throws InputError, which names the place
/// as `where`:line.
DaemonConfig parse_daemon_config(std::string_view text, const std::string& where);
DaemonConfig load_daemon_config(const std::string& path);

/// The rearrange memory that the longest packet takes. With verbs the port's MTU is not in the
/// configuration: no packet takes more.
std::size_t stored_packet_bytes(const DaemonConfig& config);

}  // namespace selvedge::service
