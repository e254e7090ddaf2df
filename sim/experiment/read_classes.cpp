// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/read_classes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/traffic/packets.hpp"

namespace selvedge::sim {
namespace {

constexpr double kShareError = 1e-6;  // of the sum of shares
constexpr double kMaxMs = 1e6;
constexpr unsigned kMaxGroupMembers = 1 << 16;

/// Keys of [traffic] that say what one class sends.
constexpr std::string_view kOfOneClass[] = {
    "pattern", "payload_bytes",  "arrival",     "burst_messages",    "burst_load",
    "window",  "response_bytes", "rounds",      "messages_per_host", "think_ns",
    "trace",   "disks",          "io_requests", "io_rate_per_s",     "time_compression"};

void refuse(Keys& keys, bool given, std::string_view key, std::string_view why) {
  if (given && keys.has(key)) throw keys.section().error(key, why, "leave it out");
}

void check_name(Keys& keys, const ClassSpec& of, const TrafficSpec& traffic) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  if (of.name.empty() || of.name.size() > 32 || !std::ranges::all_of(of.name, allowed))
    throw keys.not_allowed("name", "1 to 32 of a-z, 0-9, - and _");
  if (std::ranges::find(traffic.classes, of.name, &ClassSpec::name) != traffic.classes.end())
    throw keys.section().error("name", "is another class's, too", "give every class its own");
}

/// `groups = "2,4,4"`: three groups with so many members.
void read_groups(Keys& keys, ClassSpec& of) {
  const bool given = keys.has("groups");
  std::string text;
  keys.read("groups", text);
  if (!given) return;
  refuse(keys, true, "pattern", "is given, and groups say to whom");
  refuse(keys, of.vl15, "groups", "are given, and VL 15 has no multicast");
  refuse(keys, of.paths != ClassSpec::Paths::kFirst, "groups",
         "are given, and packets to a group have one way");
  for (std::string_view left = text;;) {
    const std::size_t comma = left.find(',');
    const std::string_view one = left.substr(0, comma);
    unsigned size = 0;
    const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), size);
    if (error != std::errc() || end != one.data() + one.size() || size < 2 ||
        size > kMaxGroupMembers || of.groups.size() == kMaxGroups)
      throw keys.not_allowed(
          "groups", fmt::format("1 to {} numbers of members from 2 to {}, as \"2,4,4\"", kMaxGroups,
                                kMaxGroupMembers));
    of.groups.push_back(size);
    if (comma == std::string_view::npos) return;
    left.remove_prefix(comma + 1);
  }
}

ClassSpec read_class(Keys& keys, const TrafficSpec& traffic) {
  ClassSpec of;
  of.name = fmt::format("class-{}", traffic.classes.size() + 1);
  of.pattern = traffic.pattern;
  of.size_bytes = traffic.payload_bytes;
  keys.read("name", of.name);
  check_name(keys, of, traffic);
  keys.read("pattern", of.pattern);
  keys.read("vl15", of.vl15);
  refuse(keys, of.vl15, "sl", "is given, and VL 15 has none");
  keys.read("sl", of.sl, {.most = kSls - 1});
  keys.choose("arrival", of.arrival, {"poisson", "periodic", "video"});
  const bool video = of.arrival == ClassArrival::kVideo;
  refuse(keys, video, "size", "is given, and frames have sizes of their own");
  keys.read("size", of.size_bytes, {.most = kMaxMessageBytes, .unit = "bytes"});
  refuse(keys, of.arrival != ClassArrival::kPeriodic, "period_ms",
         "is given, and arrival is not \"periodic\"");
  keys.read("period_ms", of.period_ms, {.most = kMaxMs, .unit = "ms"});
  refuse(keys, of.period_ms > 0, "share", "and period_ms are both given");
  keys.read("share", of.share, {.most = 1});
  if (of.share == 0 && of.period_ms == 0)
    throw keys.section().error("share", "is missing", "add it, or a period_ms");
  if (of.vl15 && of.period_ms == 0)
    throw keys.section().error("share", "is given for VL 15, which is no part of the load",
                               "give a period_ms");
  keys.choose("paths", of.paths, {"first", "random", "at-switches", "probe"});
  refuse(keys, of.vl15, "paths", "is given, and packets on VL 15 take the first");
  const bool probes = of.paths == ClassSpec::Paths::kProbe;
  if (probes && !video)
    throw keys.section().error("paths", "is \"probe\", and only streams are connections",
                               "take arrival = \"video\", or another value");
  refuse(keys, !probes, "reserve", "is given, and paths is not \"probe\"");
  keys.read("reserve", of.reserve, {.most = 1});
  read_groups(keys, of);
  for (const char* key : {"frames", "first_deadline_ms"})
    refuse(keys, !video, key, "is given, and arrival is not \"video\"");
  keys.read("frames", of.frames);
  keys.read("first_deadline_ms", of.first_deadline_ms, {.most = kMaxMs, .unit = "ms"});
  return of;
}

}  // namespace

void read_classes(Keys& traffic_keys, KeyValues& recorded, TrafficSpec& traffic) {
  double sum = 0;
  for (TomlSection& section : traffic_keys.section().sections("class")) {
    Keys keys(section, recorded, fmt::format("traffic.class.{}", traffic.classes.size()));
    if (traffic.classes.size() == kMaxClasses)
      throw section.error("name", fmt::format("is that of class {}", kMaxClasses + 1),
                          fmt::format("give at most {} classes", kMaxClasses));
    traffic.classes.push_back(read_class(keys, traffic));
    sum += traffic.classes.back().share;
  }
  if (traffic.classes.empty()) return;
  for (const std::string_view key : kOfOneClass)
    refuse(traffic_keys, true, key, "is given, and there are classes");
  if (std::ranges::all_of(traffic.classes, &ClassSpec::vl15))
    throw traffic_keys.section().error("class", "has VL 15 only", "add a class with an SL");
  if (std::abs(sum - 1) > kShareError)
    throw InputError(fmt::format("the shares of the classes sum to {:.6g}", sum),
                     traffic_keys.section().at("class"), "make them sum to 1");
}

}  // namespace selvedge::sim
