// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// results.sqlite (schema.hpp) and results.csv. A point is written in one transaction when it is
// done, so that a run that is killed loses no more than what it was at.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sim/experiment/database.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/run_point.hpp"

namespace selvedge::sim {

class Results {
 public:
  /// Opens the file, or makes it. Throws InputError if it holds something else, or results of
  /// another format.
  explicit Results(const std::string& path);
  /// In memory, to be sent to somebody who keeps it.
  Results();

  /// The digests of finished points.
  std::set<std::string> finished();
  /// From now on this is what the file is about.
  void plan(const Experiment& experiment);
  void add(const Point& point, const Setting& setting, const PointResult& result);
  /// Takes over the points of another database that this one lacks.
  void merge(const std::string& path);
  void merge_bytes(std::string_view bytes);
  std::string bytes() { return database_.bytes(); }

  /// The swept keys, slowest first.
  std::vector<std::string> axes();
  /// The figures of a point: the columns of `points` but for those that only join tables.
  std::vector<std::string> columns();
  /// A key's value at a point; "" if it has none there.
  std::string key(const std::string& digest, const std::string& key);
  /// A row for each point of the plan: its place, the swept keys, then the columns of `points`.
  std::string csv();
  Database& database() { return database_; }

 private:
  void make();
  /// Is there something in the file already? Throws InputError if that is nothing of ours.
  bool made();
  void add_fabric(const Point& point, const Setting& setting);
  void merge_from(Database& other);

  Database database_;
};

}  // namespace selvedge::sim
