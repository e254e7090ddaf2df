// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// results.sqlite (schema.hpp) and results.csv. A finished point is written in one transaction, so a
// killed run loses only the points that it was simulating.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sim/experiment/database.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/run_point.hpp"

namespace selvedge::sim {

/// What columns() are selected from: the points of the plan that are finished.
inline constexpr std::string_view kFiguresOfPlan =
    "plan JOIN points USING (digest) LEFT JOIN self_routing USING (digest) "
    "LEFT JOIN reconfiguration USING (digest)";

class Results {
 public:
  /// Opens or creates the file. Throws InputError if it holds other data, or results of another
  /// format.
  explicit Results(const std::string& path);
  /// Results in memory, to be sent to rank 0 (ranks.hpp) by bytes().
  Results();

  /// The digests of finished points.
  std::set<std::string> finished();
  /// Makes this experiment's points the file's plan: the list of points that readers of the file
  /// show (schema.hpp). It replaces the plan of the last run.
  void plan(const Experiment& experiment);
  void add(const Point& point, const RoutedFabric& routed, const PointResult& result);
  /// Copies the points of another database that this one lacks.
  void merge(const std::string& path);
  void merge_bytes(std::string_view bytes);
  std::string bytes() { return database_.bytes(); }

  /// The swept keys (those with several values), the one that varies slowest first.
  std::vector<std::string> axes();
  /// The names of a point's figures: the columns of the table `points`, and those of `self_routing`
  /// if a point of the plan has them, except those that only join tables.
  std::vector<std::string> columns();
  /// The columns that a class has.
  std::vector<std::string> class_columns();
  /// A key's value at a point; "" if the point lacks the key.
  std::string key(const std::string& digest, const std::string& key);
  /// A row for each finished point of the plan: its position, the swept keys, then columns().
  std::string csv();
  Database& database() { return database_; }

 private:
  void create_schema();
  /// Whether the file already has the schema. Throws InputError if it holds other data or another
  /// format.
  bool has_schema();
  std::vector<std::string> figures_of(std::string_view table);
  void add_fabric(const Point& point, const RoutedFabric& routed);
  void merge_from(Database& other);

  Database database_;
};

}  // namespace selvedge::sim
