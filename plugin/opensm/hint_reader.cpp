// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/hint_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/regular_file.hpp"

namespace selvedge {

bool HintReader::refresh(const Paths& paths, std::vector<Line>& log) {
  bool changed = false;
  for (std::size_t i = 0; i < kHintRoles; ++i) {
    const auto read = [](const std::string& path) {
      refuse_blocking_file(path);
      return read_guid_file(path);
    };
    changed |= watched_[i].refresh(
        {setting_name(static_cast<HintRole>(i)), "GUIDs", "the levels are determined without it"},
        paths[i], read, read_.of[i], log);
  }
  return changed;
}

void HintReader::match(const Fabric& fabric, bool overruled, std::vector<Line>& log) {
  std::vector<UnknownGuids> unknown;
  HintFiles force = read_;
  force.find(fabric, unknown);
  overruled = overruled && force.of[0].has_value();
  const std::string notice =
      overruled ? "[engine] root of plugin.toml wins over root_guid_file" : "";
  if (std::exchange(last_override_notice_, notice) != notice && overruled)
    log.push_back({false, notice});
  states_.clear();
  for (std::size_t i = 0; i < kHintRoles; ++i) {
    WatchedFile& file = watched_[i];
    if (file.path().empty()) continue;
    HintState state;
    state.role = static_cast<HintRole>(i);
    state.path = file.path();
    state.fault = file.fault();
    state.overruled = overruled && state.role == HintRole::kRoots;
    if (read_.of[i]) state.guids = read_.of[i]->lines.size();
    std::string line;
    if (const auto u = std::ranges::find(unknown, state.role, &UnknownGuids::role);
        u != unknown.end()) {
      state.unknown = u->count;
      line = fmt::format("{}: {}: {}:{}: {}", setting_name(state.role), describe(*u, *read_.of[i]),
                         file.path(), u->first.number,
                         u->count < state.guids ? "the other GUIDs are used"
                                                : "the levels are determined without it");
    }
    file.warn(line, log);
    states_.push_back(std::move(state));
  }
  if (overruled) force.of[0].reset();
  if (force != *in_force_) in_force_ = std::make_shared<const HintFiles>(std::move(force));
}

}  // namespace selvedge
