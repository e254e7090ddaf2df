// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Between the plugin and selvedge-smp-agent: SmpRequest one way, SmpAnswer the other, one a
// message.
//
// Why an agent, a process of its own? OpenSM puts its requests into one queue, and just when a
// cable has died that queue holds a whole discovery. And a second user of the SMP class inside
// opensm's process would take the answers away from OpenSM where libumad2sim stands in for
// libibumad.
#pragma once

namespace selvedge {

constexpr int kSmpAgentSocket = 3;  // the agent's descriptor for these messages

}  // namespace selvedge
