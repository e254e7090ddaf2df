// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The socket between the plugin and selvedge-smp-agent: SmpRequest one way, SmpAnswer the other,
// one per message.
//
// Why a separate process? OpenSM has one queue of requests, and after a cable has failed that queue
// holds a whole discovery. And where libumad2sim replaces libibumad, a second agent for the SMP
// class in opensm's process would receive answers meant for OpenSM.
#pragma once

namespace selvedge {

constexpr int kSmpAgentSocket = 3;  // the agent's descriptor for these messages

}  // namespace selvedge
