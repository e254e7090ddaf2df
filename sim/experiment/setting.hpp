// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a point is simulated on: the fabric, and its tables, proved. Points that differ in the load
// alone share one.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/verify/verify.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/model/model.hpp"

namespace selvedge::sim {

struct Setting {
  Fabric fabric;  // what [fabric] leaves of it
  Tables tables;
  Verdict verdict;
  std::string id;                    // of the fabric, in the results
  std::vector<std::string> remarks;  // the engine's

  bool proved() const { return verdict.connected && verdict.loop_free && verdict.deadlock_free; }
};

/// Makes the fabric and the tables, and proves these. Throws InputError: what the fabric, the
/// engine or the tables' file has to say, and a fabric without two hosts.
Setting make_setting(const FabricChoice& fabric, const RoutingChoice& routing);

/// Made once for all points that have the same [fabric] and [routing], as long as one of these is
/// still to come. May be asked by several threads.
class Settings {
 public:
  explicit Settings(const std::vector<const Point*>& points);
  std::shared_ptr<const Setting> of(const Point& point);
  /// The point is done: when it is the last one of its setting, this is forgotten.
  void release(const Point& point);

 private:
  struct Entry {
    std::mutex mutex;
    std::size_t points = 0;
    std::shared_ptr<const Setting> setting;
  };
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace selvedge::sim
