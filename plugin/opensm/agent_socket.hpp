// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The socket between the plugin and selvedge-smp-agent, the process that sends the fast path's
// SMPs. The plugin sends an SmpRequest in each message, the agent an SmpAnswer.
//
// Why a separate process? OpenSM has one queue of requests, and after a cable has failed that queue
// holds the requests of a whole discovery. Besides, where libumad2sim replaces libibumad (in
// simulations), a second umad agent for SMPs in opensm's process would receive answers meant for
// OpenSM.
#pragma once

namespace selvedge {

constexpr int kSmpAgentSocket = 3;  // the file descriptor of this socket in the agent's process

}  // namespace selvedge
