// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A routed fabric: the fabric and the proved tables on which a point is simulated. Points with the
// same [fabric] and [routing] share one.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "plugin/program/options.hpp"
#include "plugin/tables/tables.hpp"
#include "plugin/verify/verify.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/model/model.hpp"

namespace selvedge::sim {

struct RoutedFabric {
  Fabric fabric;  // without the links and switches that [fabric] makes fail
  Tables tables;
  Verdict verdict;
  std::string id;                    // fabrics.id in the results (schema.hpp)
  std::vector<std::string> remarks;  // remarks of the engine

  bool proved() const { return verdict.connected && verdict.loop_free && verdict.deadlock_free; }
};

/// What [routing] asks of an engine.
EngineOptions engine_options(const RoutingChoice& routing);

/// Makes the fabric and the tables, and proves the tables. Throws InputError for errors of the
/// fabric, the engine or the file of tables, and for a fabric with fewer than two hosts.
RoutedFabric make_routed_fabric(const FabricChoice& fabric, const RoutingChoice& routing);

/// The routed fabrics of several points. Makes each one once for all points that share it, and
/// keeps it until the last of these points is done. Thread-safe.
class RoutedFabrics {
 public:
  explicit RoutedFabrics(const std::vector<const Point*>& points);
  std::shared_ptr<const RoutedFabric> of(const Point& point);
  /// The point is done. The last point that uses a routed fabric frees it.
  void release(const Point& point);

 private:
  struct Entry {
    std::mutex mutex;
    std::size_t points = 0;
    std::shared_ptr<const RoutedFabric> routed;
  };
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace selvedge::sim
