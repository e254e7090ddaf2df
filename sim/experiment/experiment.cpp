// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/experiment.hpp"

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "sim/experiment/read_classes.hpp"
#include "sim/experiment/read_hca.hpp"
#include "sim/experiment/read_model.hpp"
#include "sim/experiment/read_reconfiguration.hpp"
#include "sim/experiment/schema.hpp"

namespace selvedge::sim {
namespace {

constexpr double kMaxUs = 1e9;
constexpr std::size_t kMaxNames = 4096;
constexpr std::string_view kFileSpec = "file:";

void read_fabric(Keys& keys, FabricChoice& fabric) {
  keys.read("spec", fabric.spec);
  keys.read("fail", fabric.fail, kMaxNames);
  keys.read("fail_links", fabric.fail_links, {.most = 1 << 20});
  keys.read("fail_seed", fabric.fail_seed, {});
}

void read_routing(Keys& keys, const FabricChoice& fabric, RoutingChoice& routing) {
  keys.read("engine", routing.engine);
  keys.read("tables", routing.tables);
  if (routing.engine.empty() == routing.tables.empty())
    throw keys.section().error(
        "engine", routing.engine.empty() ? "and tables are missing" : "and tables are both given",
        "give one of them: engine = \"updn\", or tables = \"FILE\"");
  if (fabric.spec.empty() && routing.tables.empty())
    throw InputError("[fabric] spec is missing", keys.section().at(""),
                     "add it, as spec = \"torus:8x8\"");
  keys.read("lmc", routing.lmc, {.most = kMaxLmc}, "engine's");
  keys.read("max_vls", routing.max_vls, {.least = 1, .most = kMaxDataVls}, "default");
  keys.read("max_sls", routing.max_sls, {.least = 1, .most = kSls}, "default");
  keys.read("fill_vls", routing.fill_vls);
  keys.read("root", routing.root);
  keys.choose("tree", routing.tree, {"best", "bfs", "dfs"});
  keys.read("paper", routing.paper);
  keys.choose("replies", routing.replies, {"own-sl", "base", "same-sl"});
  std::string repair = "none";
  keys.read("repair", repair);
  if (repair != "none" && repair != "rftr") throw keys.not_allowed("repair", "one of none, rftr");
  routing.repair = repair == "rftr";
  keys.choose("repair_mode", routing.repair_mode, {"in-place", "readdress"});
  keys.read("around_cuts", routing.around_cuts);
  if (!routing.tables.empty()) {
    for (const char* key :
         {"lmc", "max_vls", "max_sls", "fill_vls", "root", "tree", "paper", "replies", "repair"})
      if (keys.has(key))
        throw keys.section().error(key, "applies to an engine only, and tables are given",
                                   "leave it out, or give an engine instead");
  }
}

std::optional<double> read_restore(Keys& keys, double at_us) {
  if (!keys.has("restore_at_us")) {
    keys.record("restore_at_us", "never");
    return std::nullopt;
  }
  double restore = 0;
  keys.read("restore_at_us", restore, {.most = kMaxUs, .unit = "us"});
  if (restore <= at_us) throw keys.not_allowed("restore_at_us", "a time after at_us");
  return restore;
}

void read_faults(Keys& keys, KeyValues& recorded, FaultChoice& faults) {
  keys.read("random", faults.random, {.most = 1 << 20});
  keys.read("seed", faults.seed, {});
  keys.read("at_us", faults.at_us, {.most = kMaxUs, .unit = "us"});
  keys.read("apart_us", faults.apart_us, {.most = kMaxUs, .unit = "us"});
  faults.restore_at_us = read_restore(keys, faults.at_us);
  for (TomlSection& section : keys.section().sections("cut")) {
    Keys cut(section, recorded, fmt::format("faults.cut.{}", faults.cut.size()));
    PlannedFault fault;
    cut.read("what", fault.what);
    if (fault.what.empty())
      throw cut.not_allowed("what", "a link as \"S-0-0:2\" or \"S-0-0/S-0-1\", or a switch");
    cut.read("at_us", fault.at_us, {.most = kMaxUs, .unit = "us"});
    fault.restore_at_us = read_restore(cut, fault.at_us);
    faults.cut.push_back(std::move(fault));
  }
}

/// around_cuts and [model] paths both determine the DLID, so they exclude each other.
void check_paths(const Point& point, Keys& routing) {
  if (point.routing.around_cuts && point.model.paths != PathChoice::kFirst)
    throw routing.section().error("around_cuts", "chooses the path, and [model] paths does too",
                                  "leave one of them out");
}

/// Where switches replicate packets: what they cannot do, and that somebody sends such packets.
void check_replication(const Point& point, Keys& model, Keys& faults) {
  if (point.model.replication != Replication::kCentral && model.has("central_buffer_bytes"))
    throw model.section().error("central_buffer_bytes",
                                "is given, and replication is not \"central\"", "leave it out");
  if (point.model.replication == Replication::kNone) return;
  if (std::ranges::all_of(point.traffic.classes,
                          [](const ClassSpec& one) { return one.groups.empty(); }))
    throw model.section().error("replication", "is given, and no class has groups",
                                "give a [[traffic.class]] groups, or leave it out");
  if (point.faults.random > 0 || !point.faults.cut.empty())
    throw faults.section().error("random", "or a cut is given where switches replicate packets",
                                 "leave out [faults], or set replication = \"none\"");
}

/// What there cannot be beside a subnet manager.
void check_manager(const Point& point, Keys& keys) {
  if (!point.reconfiguration.on()) return;
  const auto error = [&](const char* what) {
    return keys.section().error("scheme", what, "leave one of them out");
  };
  if (!point.traffic.classes.empty()) throw error("is given, and there are classes");
  if (point.routing.around_cuts)
    throw error("is given, and [routing] around_cuts chooses the paths after a cut");
}

/// What of [model] applies only with classes, or never with them.
void check_classes(const Point& point, Keys& model) {
  if (point.traffic.classes.empty()) {
    if (point.model.drop == Drop::kSelective)
      throw model.section().error("drop", "is \"selective\", and no class says what is kept",
                                  "add [[traffic.class]], or leave it out");
    return;
  }
  if (point.model.selection == Selection::kEar)
    throw model.section().error("selection", "is \"ear\", and there are classes",
                                "leave one of them out");
  if (point.model.input_queues == InputQueues::kPerOutput)
    throw model.section().error("input_queues", "is \"per-output\", and there are classes",
                                "leave one of them out");
  if (model.has("paths"))
    throw model.section().error("paths", "is given, and there are classes",
                                "give each class its paths");
}

void read_measure(Keys& keys, MeasureChoice& measure) {
  std::size_t warmup = 0;
  keys.choose("warmup", warmup, {"fixed", "auto"});
  measure.auto_warmup = warmup == 1;
  if (measure.auto_warmup && keys.has("warmup_us"))
    throw keys.section().error("warmup_us", "is given, and warmup is \"auto\"",
                               "leave one of them out");
  keys.read("warmup_us", measure.warmup_us, {.most = kMaxUs, .unit = "us"});
  keys.read("duration_us", measure.duration_us, {.least = 0.001, .most = kMaxUs, .unit = "us"});
  keys.read("batches", measure.batches, {.least = 2, .most = 1000});
  keys.read("rearrange", measure.rearrange);
  keys.read("relative_error", measure.relative_error, {.most = 1, .most_excluded = true});
}

Point read_point(TomlSection root) {
  Point point;
  const auto section = [&](std::string_view name) { return Keys(root.section(name), point.keys); };
  Keys fabric = section("fabric"), routing = section("routing"), model = section("model"),
       traffic = section("traffic"), hca = section("hca"), faults = section("faults"),
       reconfiguration = section("reconfiguration"), measure = section("measure"),
       run = section("run");
  read_fabric(fabric, point.fabric);
  read_routing(routing, point.fabric, point.routing);
  const Preset& preset = read_model(model, point.model);
  check_paths(point, routing);
  read_traffic(traffic, preset, point.traffic);
  read_hca(hca, point.hca);
  read_classes(traffic, point.keys, point.traffic);
  if (point.hca.on() && !point.traffic.classes.empty())
    throw hca.section().error("protocol", "is for traffic without classes",
                              "leave out [[traffic.class]], or set protocol = \"off\"");
  check_classes(point, model);
  read_faults(faults, point.keys, point.faults);
  read_reconfiguration(reconfiguration, point.reconfiguration);
  check_manager(point, reconfiguration);
  check_replication(point, model, faults);
  read_measure(measure, point.measure);
  if (point.measure.rearrange && point.hca.on())
    throw measure.section().error("rearrange", "is what [hca] protocol does, and measures anyway",
                                  "leave it out");
  if (point.measure.rearrange && !point.traffic.classes.empty())
    throw measure.section().error("rearrange", "is for traffic without classes", "leave it out");
  run.read("seed", point.seed, {});
  return point;
}

std::string read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw InputError("no such file", path,
                     "name an existing file (paths are relative to the current folder)");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in)
    throw InputError("cannot read the file", path,
                     "name a readable file (paths are relative to the current folder)");
  return text.str();
}

/// The digest that names a point: a UUID of version 5 (SHA-1).
class Digest {
 public:
  explicit Digest(const std::string& simulator) : simulator_(simulator) {}

  std::string of(const Point& point) {
    std::string text = simulator_ + "\n";
    for (const auto& [key, value] : point.keys) text += fmt::format("{}={}\n", key, value);
    if (point.fabric.spec.starts_with(kFileSpec))
      add(text, point.fabric.spec.substr(kFileSpec.size()));
    if (!point.routing.tables.empty()) add(text, point.routing.tables);
    if (const std::string& to = point.reconfiguration.to;
        !to.empty() && to != "engine" && to != "in-place" && to != "readdress")
      add(text, to);
    if (!point.traffic.trace.empty()) add(text, point.traffic.trace);
    for (const ClassSpec& one : point.traffic.classes)
      if (!one.frames.empty()) add(text, one.frames);
    return boost::uuids::to_string(name_(text));
  }

 private:
  void add(std::string& text, const std::string& path) {
    const auto [file, fresh] = files_.try_emplace(path);
    if (fresh) file->second = boost::uuids::to_string(name_(read_file(path)));
    text += file->second + "\n";
  }

  const std::string& simulator_;
  boost::uuids::name_generator_sha1 name_{boost::uuids::ns::oid()};
  std::map<std::string, std::string> files_;
};

/// Changes `choice` to the next combination of the axes' values; the last axis varies fastest.
/// False after the last combination.
bool advance(const std::vector<TomlAxis>& axes, TomlChoice& choice) {
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    if (++choice[axis->key] < axis->values.size()) return true;
    choice[axis->key] = 0;
  }
  return false;
}

}  // namespace

std::string_view Point::value(std::string_view key) const {
  const auto it = std::ranges::find(keys, key, &KeyValues::value_type::first);
  return it == keys.end() ? std::string_view() : std::string_view(it->second);
}

std::string simulator_version() {
  return fmt::format("selvedge-sim {}, model {}, results {}", SELVEDGE_VERSION, kModelVersion,
                     kResultsFormat);
}

Experiment read_experiment(TomlFile& file, std::string name, const std::string& simulator) {
  Experiment experiment;
  experiment.file = std::move(name);
  Digest digest(simulator);
  TomlChoice choice;
  do {
    file.sweep(choice);
    TomlSection root = file.root();
    root.read("title", experiment.title);
    experiment.points.push_back(read_point(root));
    file.done();
    Point& point = experiment.points.back();
    point.digest = digest.of(point);
    std::size_t product = 1;
    for (const TomlAxis& axis : file.axes())
      product = std::min(product * axis.values.size(), kMaxPoints + 1);
    if (product > kMaxPoints)
      throw InputError(fmt::format("the experiment has more than {} points", kMaxPoints),
                       experiment.file, "make some of its lists shorter");
  } while (advance(file.axes(), choice));
  for (const TomlAxis& axis : file.axes()) experiment.axes.push_back(axis.key);
  if (experiment.title.empty()) experiment.title = experiment.file;
  return experiment;
}

Experiment load_experiment(const std::string& path, const std::vector<std::string>& set) {
  TomlFile file = TomlFile::load(path, "the experiment");
  for (const std::string& word : set) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError("no assignment", fmt::format("'{}'", word), "write SECTION.KEY=VALUE");
    file.set(word.substr(0, equals), word.substr(equals + 1));
  }
  return read_experiment(file, path);
}

}  // namespace selvedge::sim
