// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// selvedged's configuration: a TOML file in which every key has a default. An error names the line
// and what is allowed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/protocol/endpoint.hpp"
#include "daemon/transport/network.hpp"

namespace selvedge::service {

struct DaemonConfig {
  std::string socket = "/run/selvedged.sock";
  bool busy = false;               ///< never sleep
  unsigned spin_us = 100;          ///< poll this long without work before sleeping
  unsigned clients_max = 256;      ///< applications
  unsigned mode = 0660;            ///< of the socket
  std::vector<std::string> users;  ///< permitted applications; empty: the socket's mode decides
  std::vector<unsigned> user_ids;  ///< numbers of `users`; set only by load_daemon_config
  std::string user, group;         ///< to switch to at the start; "": no switch
  std::string cpus;                ///< to run on, as "0-3,8"; "": any
  int numa_node = -1;              ///< to take memory from; -1: any
  unsigned client_connections_max = 4'096;
  unsigned ring_bytes = 4 << 20;  ///< per connection and direction; only touched pages cost memory
  bool insecure = false;          ///< permits addresses other than loopback without keys
  std::string keys_file;          ///< "": nothing is sealed
  protocol::SealConfig seal;      ///< its keys are set only by load_daemon_config
  std::string metrics_listen;
  transport::Backend backend = transport::Backend::kUdp;
  transport::UdpConfig udp;      ///< without its impair
  transport::VerbsConfig verbs;  ///< likewise
  transport::ImpairConfig impair;
  protocol::EndpointConfig endpoint;  ///< without its secret, which the server draws at random
};

/// InputError names the place (`where`:line).
DaemonConfig parse_daemon_config(std::string_view text, const std::string& where);
DaemonConfig load_daemon_config(const std::string& path);

}  // namespace selvedge::service
