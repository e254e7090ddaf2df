// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/balance_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/regular_file.hpp"

namespace selvedge {
namespace {

constexpr std::string_view kOrder = "guid_routing_order_file", kWeights = "hop_weights_file",
                           kIgnored = "port_prof_ignore_file";

}  // namespace

template <class Content, class Read>
bool BalanceReader::refresh(Watched& file, std::string_view setting, const std::string& path,
                            std::optional<Content>& content, Read read, std::vector<Line>& log) {
  bool changed = false;
  const FileVersion now = version_of(path);
  if (path != file.path) {
    file = {.path = path, .version = {}, .fault = {}, .last_warning = {}};
    changed = std::exchange(content, std::nullopt).has_value();
  } else if (now == file.version && (file.fault.empty() || now.there)) {
    return false;
  }
  file.version = now;
  if (path.empty()) return changed;
  std::string fault;
  try {
    Content fresh = read(path);
    if (fresh != content) {
      log.push_back({false, fmt::format("{} {}: {} lines", setting, path, fresh.lines.size())});
      content = std::move(fresh);
      changed = true;
    }
  } catch (const InputError& e) {
    fault = fmt::format("{}: {}", setting, e.what());
    if (fault != file.fault)
      log.push_back({true, fmt::format("{}; {}", fault,
                                       content ? "its previous content stays in force"
                                               : "the fabric is routed without it")});
  }
  file.fault = std::move(fault);
  return changed;
}

bool BalanceReader::refresh(const Paths& paths, std::vector<Line>& log) {
  const auto guids = [](const std::string& path) {
    refuse_blocking_file(path);
    return read_guid_file(path);
  };
  const auto ports = [](bool with_weights) {
    return [with_weights](const std::string& path) { return read_port_file(path, with_weights); };
  };
  bool changed = refresh(order_, kOrder, paths.order, in_force_.order, guids, log);
  changed |= refresh(weights_, kWeights, paths.weights, in_force_.weights, ports(true), log);
  changed |= refresh(ignored_, kIgnored, paths.ignored, in_force_.ignored, ports(false), log);
  return changed;
}

void BalanceReader::match(const Fabric& fabric, std::vector<Line>& log) {
  UnknownInBalance unknown;
  find(in_force_, fabric, unknown);
  const auto tell = [&](Watched& file, std::string_view setting, const std::string& what) {
    const std::string line =
        what.empty() ? "" : fmt::format("{}: {}: the others are used", setting, what);
    if (std::exchange(file.last_warning, line) != line && !line.empty())
      log.push_back({false, line});
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
