// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/routed_fabric.hpp"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

#include "base/progress.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/program/repaired.hpp"
#include "plugin/program/subject.hpp"
#include "sim/engine/random.hpp"

namespace selvedge::sim {
namespace {

constexpr std::uint64_t kFailStream = 0x6661696c;

/// The names of `count` different cables between switches, drawn at random.
std::vector<std::string> draw_links(const Fabric& fabric, unsigned count, std::uint64_t seed) {
  std::vector<Channel> links(fabric.links().begin(), fabric.links().end());
  if (count > links.size())
    throw InputError(fmt::format("[fabric] fail_links is {}", count),
                     fmt::format("a fabric with {} cables between switches", links.size()),
                     "choose fewer");
  Stream random(seed, kFailStream);
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i) {
    const auto j = i + random.below(static_cast<std::uint32_t>(links.size() - i));
    std::swap(links[i], links[j]);
    names.push_back(fabric.port_name(links[i]));
  }
  return names;
}

/// The point's [fabric] and [routing] as one text.
std::string key_of(const Point& point) {
  std::string text;
  for (const auto& [key, value] : point.keys)
    if (key.starts_with("fabric.") || key.starts_with("routing."))
      text += fmt::format("{}={}\n", key, value);
  return text;
}

}  // namespace

EngineOptions engine_options(const RoutingChoice& routing) {
  EngineOptions engine;
  engine.engine = routing.engine;
  engine.lmc = routing.lmc;
  engine.max_vls = routing.max_vls;
  engine.max_sls = routing.max_sls;
  engine.fill_vls = routing.fill_vls;
  engine.root = routing.root;
  engine.tree = routing.tree;
  engine.paper = routing.paper;
  if (routing.replies != ReplyGrade::kOwnSl) engine.replies = routing.replies;
  return engine;
}

RoutedFabric make_routed_fabric(const FabricChoice& choice, const RoutingChoice& routing) {
  FabricOptions fabric{choice.spec, choice.fail};
  if (choice.fail_links > 0) {
    if (choice.spec.empty())
      throw InputError("[fabric] fail_links has no fabric to draw from", "[fabric] spec is missing",
                       "add the fabric");
    const std::vector<std::string> drawn =
        draw_links(make_fabric(choice.spec), choice.fail_links, choice.fail_seed);
    fabric.fail.insert(fabric.fail.end(), drawn.begin(), drawn.end());
  }
  const EngineOptions engine = engine_options(routing);
  Progress progress;
  Subject subject;
  RoutedFabric routed;
  if (!routing.tables.empty()) {
    subject = read_subject(fabric, routing.tables, progress);
    VerifyOptions verify_options;
    verify_options.any_lid = !fabric.fail.empty();
    routed.verdict = prove(subject, verify_options, progress);
  } else if (routing.repair) {
    Repaired repaired = compute_repaired(fabric, engine, {"rftr", routing.repair_mode}, progress);
    subject = std::move(repaired.subject);
    routed.verdict = std::move(repaired.verdict);
  } else {
    subject = compute(fabric, engine, progress);
    routed.verdict = prove(subject, {}, progress);
  }
  unsigned attached = 0;
  for (HostId h = 0; h < subject.fabric.num_hosts(); ++h) attached += subject.fabric.attached(h);
  if (attached < 2)
    throw InputError("the fabric has no two hosts to send between", choice.spec,
                     "choose a larger one");
  routed.fabric = std::move(subject.fabric);
  routed.tables = std::move(subject.tables);
  routed.remarks = std::move(subject.remarks);

  std::string cables = choice.spec;
  for (const std::string& name : fabric.fail) cables += "\n" + name;
  if (!routing.tables.empty()) cables += "\n" + routing.tables;
  boost::uuids::name_generator_sha1 name(boost::uuids::ns::oid());
  routed.id = boost::uuids::to_string(name(cables));
  return routed;
}

RoutedFabrics::RoutedFabrics(const std::vector<const Point*>& points) {
  for (const Point* point : points) ++entries_[key_of(*point)].points;
}

std::shared_ptr<const RoutedFabric> RoutedFabrics::of(const Point& point) {
  Entry& entry = entries_.find(key_of(point))->second;
  const std::lock_guard lock(entry.mutex);
  if (!entry.routed)
    entry.routed =
        std::make_shared<const RoutedFabric>(make_routed_fabric(point.fabric, point.routing));
  return entry.routed;
}

void RoutedFabrics::release(const Point& point) {
  Entry& entry = entries_.find(key_of(point))->second;
  const std::lock_guard lock(entry.mutex);
  if (--entry.points == 0) entry.routed.reset();
}

}  // namespace selvedge::sim
