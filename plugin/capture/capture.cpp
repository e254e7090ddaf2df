// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/capture/capture.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "plugin/capture/switch_tables.hpp"

namespace selvedge::capture {
namespace {

/// The first difference between two readings of the same fabric.
std::string difference(const Fabric& fabric, const Tables& before, const Tables& after) {
  std::uint64_t entries = 0;
  std::string first;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned lid = 0; lid <= before.top_lid(); ++lid)
      if (before.next(s, static_cast<Lid>(lid)) != after.next(s, static_cast<Lid>(lid)) &&
          entries++ == 0)
        first = fmt::format("{}, LID {}", fabric.node(s).name, lid);
  return entries > 0 ? fmt::format("{} LFT entries changed, the first at {}", entries, first)
                     : "SL2VL rows changed";
}

Capture read_once(SubnetAccess& access, const CaptureOptions& options, Progress& progress) {
  Capture found;
  progress.phase("discovering the topology");
  found.fabric = access.discover();
  found.manager = access.manager();
  if (found.manager == kNoLid)
    throw EnvironmentError("the port knows no subnet manager", "capture",
                           "start one, or choose another port with --ca and --port");
  SwitchTables before = read_switch_tables(access, found.fabric, progress);
  found.tables = before.tables;
  found.sls =
      read_path_sls(access, found.fabric, options.seed, options.most_hosts, found.tables, progress);
  progress.phase("discovering the topology again");
  if (!(access.discover() == found.fabric)) throw Unsettled{"the topology changed"};
  const SwitchTables after = read_switch_tables(access, found.fabric, progress);
  if (!(after.tables == before.tables))
    throw Unsettled{difference(found.fabric, before.tables, after.tables)};
  if (access.manager() != found.manager) throw Unsettled{"another subnet manager took over"};
  found.remarks = std::move(before.remarks);
  found.remarks.insert(found.remarks.end(), found.sls.remarks.begin(), found.sls.remarks.end());
  return found;
}

}  // namespace

Capture capture(SubnetAccess& access, const CaptureOptions& options, Progress& progress,
                const std::function<void(const std::string&)>& say) {
  for (unsigned tried = 1;; ++tried) {
    try {
      Capture found = read_once(access, options, progress);
      found.tries = tried;
      return found;
    } catch (const Unsettled& unsettled) {
      if (tried == options.tries)
        throw EnvironmentError(fmt::format("the subnet changed while it was read, {} times: {}",
                                           tried, unsettled.what),
                               "capture", "wait until the subnet manager is done, and try again");
      say(fmt::format("{} while the subnet was read: reading it again", unsettled.what));
      access.wait();
    }
  }
}

}  // namespace selvedge::capture
