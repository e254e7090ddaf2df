// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/experiment.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "sim/experiment/read_model.hpp"
#include "sim/model/model.hpp"
#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

using test::complaint;
using test::parse;

constexpr std::string_view kSmallest = "[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'updn'\n";

std::string with(std::string_view more) { return fmt::format("{}{}", kSmallest, more); }

TEST(Experiment, PointsAreTheProductOfItsLists) {
  const Experiment e = parse(
      "[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = ['updn', 'tftr']\n[traffic]\n"
      "load = [0.1, 0.2, 0.3]\n[run]\nseed = 7");
  ASSERT_EQ(e.points.size(), 6u);
  EXPECT_EQ(e.axes, (std::vector<std::string>{"routing.engine", "traffic.load"}));
  std::string order;
  std::set<std::string> digests;
  for (const Point& p : e.points) {
    order += fmt::format("{} {}\n", p.routing.engine, p.traffic.load);
    digests.insert(p.digest);
    EXPECT_EQ(p.seed, 7u);
  }
  EXPECT_EQ(order, "updn 0.1\nupdn 0.2\nupdn 0.3\ntftr 0.1\ntftr 0.2\ntftr 0.3\n");
  EXPECT_EQ(digests.size(), 6u);
  EXPECT_EQ(e.points[1].value("traffic.load"), "0.2");
  EXPECT_EQ(e.points[1].value("no.such"), "");
}

TEST(Experiment, KeysOverrideThePreset) {
  const Experiment e = parse(with("[model]\npreset = 'kim'\nrouting_ns = 50\n"));
  EXPECT_EQ(e.points[0].model.input_buffer_bytes, 4200u);
  EXPECT_EQ(e.points[0].model.routing_ns, 50);
  EXPECT_EQ(e.points[0].traffic.payload_bytes, 1024u);
  EXPECT_EQ(parse(with("[traffic]\npayload_bytes = 8")).points[0].traffic.payload_bytes, 8u);
}

/// What the grade `base` costs ist: a VL and an SL beside those of its trees.
TEST(Experiment, AnswersOnTheSlOfTheQuestionAreTheEnginesMatter) {
  const Experiment e = parse(
      "[fabric]\nspec = 'torus:5x5'\n[routing]\nengine = 'ist'\nlmc = 3\n"
      "replies = ['own-sl', 'base']\n");
  ASSERT_EQ(e.points.size(), 2u);
  std::vector<unsigned> vls;
  for (const Point& p : e.points)
    vls.push_back(make_routed_fabric(p.fabric, p.routing).verdict.vls_used);
  EXPECT_EQ(vls[1], vls[0] + 1);
  EXPECT_NE(complaint(with("replies = 'all'")).find("own-sl"), std::string::npos);
}

TEST(Experiment, TheDigestCoversAllKeys) {
  const std::string digest = parse(kSmallest).points[0].digest;
  // A key set to its default gives the same point; any other value gives another.
  EXPECT_EQ(parse(with("[traffic]\nload = 0.1\n[run]\nseed = 1")).points[0].digest, digest);
  EXPECT_EQ(parse(with("# the same\n")).points[0].digest, digest);
  std::set<std::string> others{digest};
  for (const char* more :
       {"[traffic]\nload = 0.2", "[run]\nseed = 2", "[model]\ncable_m = 21",
        "[model]\npreset = 'ndr'", "[measure]\nduration_us = 999", "[faults]\nrandom = 1",
        "[[faults.cut]]\nwhat = 'S-0-0:2'", "[[faults.cut]]\nwhat = 'S-0-0:2'\nat_us = 1",
        "[model]\narbitration_low = '0:1'", "[traffic]\nhot_hosts = ['H-0-0']"})
    EXPECT_TRUE(others.insert(parse(with(more)).points[0].digest).second) << more;
}

// Results of an older program are not reused.
TEST(Experiment, TheDigestCoversTheSimulatorsVersion) {
  const auto digest = [](const std::string& simulator) {
    TomlFile file = TomlFile::parse(kSmallest, "x.toml");
    return read_experiment(file, "x.toml", simulator).points[0].digest;
  };
  EXPECT_EQ(digest(simulator_version()), parse(kSmallest).points[0].digest);
  EXPECT_NE(digest(simulator_version() + "0"), parse(kSmallest).points[0].digest);
  EXPECT_NE(simulator_version().find(fmt::format("model {},", kModelVersion)), std::string::npos);
}

TEST(Experiment, TheDigestCoversTheContentsOfFiles) {
  const std::string path = fmt::format("{}/digest-{}.csv", ::testing::TempDir(), ::getpid());
  const auto digest = [&](const char* text) {
    FILE* f = std::fopen(path.c_str(), "w");
    std::fputs(text, f);
    std::fclose(f);
    return parse(with(fmt::format("[traffic]\npattern = 'trace'\ntrace = '{}'", path)))
        .points[0]
        .digest;
  };
  EXPECT_NE(digest("time_ns,from,to,bytes\n0,0,1,8\n"), digest("time_ns,from,to,bytes\n0,0,1,9\n"));
  std::filesystem::remove(path);
}

TEST(Experiment, ErrorsSayWhatWhereAndWhatToDo) {
  EXPECT_EQ(complaint(with("[traffic]\nlaod = 1")).substr(0, 66),
            "unknown key 'laod' in [traffic]: x.toml:6: did you mean 'load'? kn");
  EXPECT_EQ(complaint(with("[trafic]\nload = 1")),
            "unknown key 'trafic' in the file: x.toml:5: did you mean 'traffic'? known: title, "
            "fabric, routing, model, traffic, hca, faults, reconfiguration, measure, run");
  EXPECT_NE(complaint(with("[hca]\nmemory_bytes = 0")).find("protocol is \"off\""),
            std::string::npos);
  EXPECT_NE(complaint(with("[hca]\nprotocol = 'thesys'")).find("credits"), std::string::npos);
  for (const char* key : {"in_flight_packets", "burst_packets"})
    for (const char* protocol : {"off", "thesis"})
      EXPECT_NE(complaint(with(fmt::format("[hca]\nprotocol = '{}'\n{} = 4", protocol, key)))
                    .find(fmt::format("protocol is \"{}\"", protocol)),
                std::string::npos)
          << key;
  EXPECT_NE(complaint(with("[hca]\nprotocol = 'li'\n[measure]\nrearrange = true"))
                .find("rearrange is what [hca] protocol does"),
            std::string::npos);
  EXPECT_EQ(complaint(with("[model]\npreset = 'tehsis'")),
            "[model] preset has a value that is not allowed: x.toml:6: write one of thesis, "
            "martinez, gomez, zahavi, kim, ndr");
  EXPECT_EQ(complaint(with("[measure]\nbatches = [20, 1]")),
            "[measure] batches has a value that is not allowed: x.toml:6: write a whole number "
            "from 2 to 1000");
  EXPECT_EQ(complaint("[fabric]\nspec = 'torus:4x4'\n"),
            "[routing] engine and tables are missing: x.toml: give one of them: engine = \"updn\", "
            "or tables = \"FILE\"");
  EXPECT_EQ(complaint("[routing]\nengine = 'updn'\n"),
            "[fabric] spec is missing: x.toml:1: add it, as spec = \"torus:8x8\"");
  EXPECT_EQ(
      complaint("[routing]\ntables = 'x.json'\nlmc = 2"),
      "[routing] lmc applies to an engine only, and tables are given: x.toml:3: leave it out, or "
      "give an engine instead");
  EXPECT_EQ(
      complaint(with("[measure]\nwarmup = 'auto'\nwarmup_us = 10")),
      "[measure] warmup_us is given, and warmup is \"auto\": x.toml:7: leave one of them out");
  EXPECT_EQ(
      complaint(with("[[faults.cut]]\nwhat = 'S-0-0:2'\nat_us = 5\nrestore_at_us = 5")),
      "[faults.cut] restore_at_us has a value that is not allowed: x.toml:8: write a time after "
      "at_us");
  EXPECT_EQ(complaint(with("[model]\narbitration_low = '0:4,15:1'")),
            "[model] arbitration_low has an entry that is not allowed: x.toml:6, '15:1': write "
            "VL:WEIGHT, a VL from 0 to 14 and a weight from 0 to 255");
  EXPECT_NE(complaint(with("[traffic]\ntrace = '/nowhere/at/all'")), "");
}

// The reader and resolve() accept and refuse the same values.
TEST(Experiment, RangesEqualTheModels) {
  const Experiment e = parse(kSmallest);
  const RoutedFabric routed = make_routed_fabric(e.points[0].fabric, e.points[0].routing);
  struct Bound {
    const char* key;
    double Parameters::* value;
    double least, most;
  };
  const std::vector<Bound> bounds{
      {"link_rate_gbps", &Parameters::link_rate_gbps, 0.01, 2400},
      {"cable_m", &Parameters::cable_m, 0, 1e5},
      {"host_cable_m", &Parameters::host_cable_m, 0, 1e5},
      {"propagation_ns_per_m", &Parameters::propagation_ns_per_m, 0, 100},
      {"credit_delay_ns", &Parameters::credit_delay_ns, 0, 1e6},
      {"hca_processing_ns", &Parameters::hca_processing_ns, 0, 1e6},
      {"routing_ns", &Parameters::routing_ns, 0, 1e6},
      {"head_of_queue_life_us", &Parameters::head_of_queue_life_us, 0, 1e7},
      {"switch_life_us", &Parameters::switch_life_us, 0, 1e7}};
  const auto text = [&](const char* key, double n) {
    return with(fmt::format("[model]\n{} = {}\n", key, n));
  };
  for (const Bound& b : bounds) {
    for (const double n : {b.least, b.most}) {
      EXPECT_EQ(complaint(text(b.key, n)), "");
      EXPECT_NO_THROW(resolve(parse(text(b.key, n)).points[0].model, routed.tables)) << b.key;
    }
    EXPECT_NE(complaint(text(b.key, b.most * 1.01)).find("x.toml:6"), std::string::npos) << b.key;
    Parameters beyond;
    beyond.*b.value = b.most * 1.01;
    EXPECT_THROW(resolve(beyond, routed.tables), InputError) << b.key;
  }
  for (const auto& [key, most, at] :
       {std::tuple{"crossbar_speedup", 64u, &Parameters::crossbar_speedup},
        std::tuple{"hca_queue_packets", 1u << 20, &Parameters::hca_queue_packets}}) {
    EXPECT_NO_THROW(resolve(parse(text(key, most)).points[0].model, routed.tables)) << key;
    EXPECT_NE(complaint(text(key, most + 1)).find("x.toml:6"), std::string::npos) << key;
    Parameters beyond;
    beyond.*at = most + 1;
    EXPECT_THROW(resolve(beyond, routed.tables), InputError) << key;
  }
}

// The reader and make_traffic() accept and refuse the same values of [traffic].
TEST(Experiment, RangesEqualTheTraffics) {
  for (const char* more :
       {"time_compression = 0.9e-6", "io_rate_per_s = 0.9", "io_rate_per_s = 1.1e9",
        "io_requests = 100000001", "payload_bytes = 1073741825", "response_bytes = 1073741825"})
    EXPECT_NE(complaint(with(fmt::format("[traffic]\n{}\n", more))).find("x.toml:6"),
              std::string::npos)
        << more;
  const auto takes = [](const char* more) {
    const Experiment e = parse(with(fmt::format("[traffic]\n{}\n", more)));
    check_point(e.points[0], make_routed_fabric(e.points[0].fabric, e.points[0].routing));
  };
  for (const char* more : {"pattern = 'io'\ndisks = 4\nio_requests = 9\nio_rate_per_s = 1",
                           "pattern = 'io'\ndisks = 4\nio_requests = 9\nio_rate_per_s = 1e9",
                           "payload_bytes = 1073741824", "response_bytes = 1073741824"})
    EXPECT_NO_THROW(takes(more)) << more;
}

TEST(Experiment, TheNumberOfPointsIsLimited) {
  std::string list = "[0.1";
  for (int i = 0; i < 399; ++i) list += ", 0.1";
  list += "]";
  EXPECT_EQ(complaint(with(fmt::format("[traffic]\nload = {}\n[model]\ncable_m = {}", list, list))),
            "the experiment has more than 20000 points: x.toml: make some of its lists shorter");
}

TEST(Presets, AreConsistent) {
  const Experiment e = parse(kSmallest);
  const RoutedFabric routed = make_routed_fabric(e.points[0].fabric, e.points[0].routing);
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_NO_THROW(resolve(preset.parameters, routed.tables));
    EXPECT_GT(preset.payload_bytes, 0u);
  }
}

TEST(Presets, HaveThePapersValues) {
  const Experiment e = parse(kSmallest);
  const RoutedFabric routed = make_routed_fabric(e.points[0].fabric, e.points[0].routing);
  const auto model = [&](std::size_t i) { return resolve(presets()[i].parameters, routed.tables); };
  // A byte in 4 ns, 100 ns of propagation, 100 ns of routing, 58 bytes a packet (Montañana §7.2.4).
  const Model thesis = model(0);
  EXPECT_EQ(thesis.time_base.ns(thesis.between_switches.byte_time), 4);
  EXPECT_EQ(thesis.time_base.ns(thesis.between_switches.propagation), 100);
  EXPECT_EQ(thesis.time_base.ns(thesis.routing), 100);
  EXPECT_EQ(presets()[0].payload_bytes + thesis.header_bytes, 58u);
  EXPECT_EQ(presets()[1].payload_bytes + model(1).header_bytes, 256u);  // Martínez 2005 §4.2
  // 20 and 8 times the time of a flit (Gómez 2007 §5.1).
  const Model gomez = model(2);
  EXPECT_EQ(gomez.routing, 20 * gomez.between_switches.byte_time);
  EXPECT_EQ(gomez.between_switches.propagation, 8 * gomez.between_switches.byte_time);
  EXPECT_EQ(model(3).time_base.ns(model(3).to_hosts.byte_time), 0.2);   // 40 Gb/s
  EXPECT_EQ(model(5).time_base.ns(model(5).to_hosts.byte_time), 0.02);  // 400 Gb/s
}

RC_GTEST_PROP(Arbitration, TablesAreParsed, ()) {
  const auto vls =
      *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::inRange<std::uint8_t>(0, 15));
  std::vector<ArbitrationEntry> entries;
  std::string text;
  for (const std::uint8_t vl : vls) {
    if (entries.size() == 64) break;
    entries.push_back({vl, *rc::gen::arbitrary<std::uint8_t>()});
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", vl, entries.back().weight);
  }
  RC_ASSERT(read_arbitration(text, "k", "w") == entries);
}

}  // namespace
}  // namespace selvedge::sim
