// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/naming.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "base/error.hpp"

namespace selvedge {
namespace {

SwitchId by_guid(const Fabric& fabric, std::string_view text) {
  constexpr int kHex = 16;
  if (!text.starts_with("0x")) return kNoSwitch;
  text.remove_prefix(2);
  Guid guid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), guid, kHex);
  if (error != std::errc{} || end != text.data() + text.size()) return kNoSwitch;
  return fabric.find_switch(guid);
}

}  // namespace

SwitchId name_switch(const Fabric& fabric, std::string_view text) {
  constexpr unsigned kListed = 4;  // there may be hundreds
  SwitchId first = kNoSwitch;
  unsigned count = 0;
  std::string guids;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (fabric.node(s).name != text) continue;
    if (count == 0) first = s;
    if (count++ < kListed)
      guids += fmt::format("{}0x{:016x}", guids.empty() ? "" : ", ", fabric.node(s).guid);
  }
  if (count == 0) return by_guid(fabric, text);
  if (count == 1) return first;
  if (count > kListed) guids += ", …";
  throw InputError(fmt::format("{} switches have this name ({})", count, guids),
                   fmt::format("'{}'", text), "name the one you mean by its GUID");
}

}  // namespace selvedge
