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

#include <cstdint>

#include "plugin/control/smp.hpp"

namespace selvedge {

/// The status in the agent's first answer, which says that it is ready. A plugin that stays loaded
/// while its package is upgraded may start a newer agent; it refuses one with another number. So
/// the number changes with SmpRequest, SmpAnswer and their meaning. Agents older than this number
/// answer 0.
constexpr std::uint32_t kSmpAgentProtocol = 1;
static_assert(sizeof(SmpRequest) == 152 && sizeof(SmpAnswer) == 72,
              "other messages: change kSmpAgentProtocol");

constexpr int kSmpAgentSocket = 3;  // the file descriptor of this socket in the agent's process

}  // namespace selvedge
