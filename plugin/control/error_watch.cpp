// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/error_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace selvedge {
namespace {

constexpr double kMinute = 60;
constexpr std::chrono::hours kHour{1};

}  // namespace

std::optional<std::string> excess(const ErrorReading& reading, const ErrorSettings& settings) {
  if (reading.seconds < 1) return std::nullopt;  // too short for a rate
  const double minutes = reading.seconds / kMinute;
  const struct {
    std::string_view name;
    std::uint64_t count;
    double limit;
  } kinds[] = {{"symbol errors", reading.symbol, settings.symbol_per_min},
               {"link integrity errors", reading.integrity, settings.integrity_per_min},
               {"discarded packets", reading.discards, settings.discards_per_min}};
  double worst = 1;
  std::optional<std::string> found;
  for (const auto& kind : kinds) {
    if (kind.limit <= 0) continue;
    const double per_minute = static_cast<double>(kind.count) / minutes;
    if (per_minute / kind.limit <= worst) continue;
    worst = per_minute / kind.limit;
    found = fmt::format("{:.1f} {} a minute (limit {:g})", per_minute, kind.name, kind.limit);
  }
  return found;
}

std::optional<ErrorWatch::Decision> ErrorWatch::judge(const ErrorReading& reading,
                                                      const ErrorSettings& settings, Instant now) {
  if (settings.action == ErrorSettings::Action::kOff) return std::nullopt;
  while (!recent_.empty() && now - recent_.front().when >= kHour) recent_.pop_front();
  if (seen_.emplace(reading.node, reading.port).second) return std::nullopt;
  const auto why = excess(reading, settings);
  if (!why) return std::nullopt;
  if (std::ranges::any_of(recent_, [&](const Judged& j) {
        return j.node == reading.node && j.port == reading.port;
      }))
    return std::nullopt;
  const auto drains = std::ranges::count(recent_, true, &Judged::drain);
  const bool drain = static_cast<std::uint64_t>(drains) < settings.drains_per_hour;
  recent_.push_back({reading.node, reading.port, now, drain});
  return Decision{*why, drain};
}

void ErrorWatch::give_back(const ErrorReading& reading) {
  for (Judged& j : recent_)
    if (j.node == reading.node && j.port == reading.port) j.drain = false;
}

std::string cable_to_drain(const ErrorReading& reading) {
  return fmt::format("0x{:016x}:{}", reading.node, reading.port);
}

}  // namespace selvedge
