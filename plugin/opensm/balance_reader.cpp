// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/balance_reader.hpp"

#include <fmt/format.h>

#include "base/regular_file.hpp"

namespace selvedge {
namespace {

constexpr std::string_view kOrder = "guid_routing_order_file", kWeights = "hop_weights_file",
                           kIgnored = "port_prof_ignore_file";

WatchedFile::Words words(std::string_view setting) {
  return {setting, "lines", "the fabric is routed without it"};
}

}  // namespace

bool BalanceReader::refresh(const Paths& paths, std::vector<Line>& log) {
  const auto guids = [](const std::string& path) {
    refuse_blocking_file(path);
    return read_guid_file(path);
  };
  const auto ports = [](bool with_weights) {
    return [with_weights](const std::string& path) { return read_port_file(path, with_weights); };
  };
  bool changed = order_.refresh(words(kOrder), paths.order, guids, in_force_.order, log);
  changed |= weights_.refresh(words(kWeights), paths.weights, ports(true), in_force_.weights, log);
  changed |= ignored_.refresh(words(kIgnored), paths.ignored, ports(false), in_force_.ignored, log);
  return changed;
}

void BalanceReader::match(const Fabric& fabric, std::vector<Line>& log) {
  UnknownInBalance unknown;
  find(in_force_, fabric, unknown);
  const auto tell = [&](WatchedFile& file, std::string_view setting, const std::string& what) {
    file.warn(what.empty() ? "" : fmt::format("{}: {}: the others are used", setting, what), log);
  };
  tell(order_, kOrder, unknown.order);
  tell(weights_, kWeights, unknown.weights);
  tell(ignored_, kIgnored, unknown.ignored);
}

BalanceOptions BalanceReader::options(const Fabric& fabric) const {
  UnknownInBalance ignored;
  return find(in_force_, fabric, ignored);
}

}  // namespace selvedge
