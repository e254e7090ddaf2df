// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The registry of patterns, and how a pattern becomes traffic.
#include <algorithm>
#include <array>
#include <utility>

#include "base/in_quotes.hpp"
#include "base/nearest.hpp"
#include "sim/traffic/checks.hpp"
#include "sim/traffic/class_traffic.hpp"
#include "sim/traffic/closed_loop.hpp"
#include "sim/traffic/collectives.hpp"
#include "sim/traffic/open_loop.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/pattern.hpp"
#include "sim/traffic/trace.hpp"

namespace selvedge::sim {
namespace {

using Destinations = std::unique_ptr<Pattern> (*)(const Terminals&, const TrafficSpec&,
                                                  std::uint64_t);
using Schedule = std::unique_ptr<Traffic> (*)(const TrafficSpec&, const Terminals&, const Model&,
                                              std::uint64_t);

std::unique_ptr<Traffic> all_to_all_of(const TrafficSpec& spec, const Terminals& terminals,
                                       const Model& model, std::uint64_t) {
  return all_to_all(spec, terminals, model);
}
std::unique_ptr<Traffic> ring_of(const TrafficSpec& spec, const Terminals& terminals,
                                 const Model& model, std::uint64_t) {
  return ring_allreduce(spec, terminals, model);
}
std::unique_ptr<Traffic> trace_of(const TrafficSpec& spec, const Terminals& terminals,
                                  const Model& model, std::uint64_t) {
  if (spec.trace.empty())
    throw InputError("the pattern trace has no trace", "the experiment's traffic",
                     "name a CSV file in [traffic] trace");
  Trace trace = read_trace_file(spec.trace, terminals.fabric());
  if (trace.messages.empty())
    throw InputError("the trace has no messages", spec.trace, "write one a line below its header");
  return replay(std::move(trace), terminals.fabric(), model, spec.time_compression);
}
std::unique_ptr<Traffic> io_of(const TrafficSpec& spec, const Terminals& terminals,
                               const Model& model, std::uint64_t seed) {
  return replay(synthetic_io(spec, terminals.fabric(), seed), terminals.fabric(), model,
                spec.time_compression);
}

/// A pattern of the registry. It has either `destinations`, for an open or a closed loop, or a
/// `schedule` that also gives the times of messages.
struct Entry {
  PatternHelp help;
  Destinations destinations;
  Schedule schedule;
};

constexpr std::array kEntries = {
    Entry{{"uniform", "any other host with equal probability"}, uniform, nullptr},
    Entry{{"bit-reversal", "the bits of the host's number, reversed"}, bit_reversal, nullptr},
    Entry{{"bit-complement", "the bits of the host's number, inverted"}, bit_complement, nullptr},
    Entry{{"perfect-shuffle", "the bits of the host's number, one to the left"},
          perfect_shuffle,
          nullptr},
    Entry{{"transpose", "the hosts as a matrix, rows and columns exchanged"}, transpose, nullptr},
    Entry{{"tornado", "almost half way around every ring of a torus"}, tornado, nullptr},
    Entry{{"shift", "host i to host i + shift"}, shift, nullptr},
    Entry{{"neighbour", "the nearest other switches with hosts"}, neighbour, nullptr},
    Entry{{"hot-spot", "a share of every host's messages to the hot spots, the rest uniform"},
          hot_spot,
          nullptr},
    Entry{{"hot-sources", "a share of the hosts only to the hot spot, the others uniform"},
          hot_sources,
          nullptr},
    Entry{{"same-digit", "only to hosts whose number ends in the same digit (worst for d-mod-k)"},
          same_digit,
          nullptr},
    Entry{{"permutations", "a sequence of random permutations"}, permutations, nullptr},
    Entry{
        {"all-to-all", "collective: every host to every other, in rounds"}, nullptr, all_to_all_of},
    Entry{{"ring-allreduce", "collective: around a ring, step by step"}, nullptr, ring_of},
    Entry{{"trace", "messages of a CSV file, each at its time or after others"}, nullptr, trace_of},
    Entry{{"io", "synthetic requests to disks and their answers"}, nullptr, io_of},
};

constexpr auto kHelp = [] {
  std::array<PatternHelp, kEntries.size()> help;
  for (std::size_t i = 0; i < kEntries.size(); ++i) help[i] = kEntries[i].help;
  return help;
}();

const Entry& entry(const std::string& name) {
  for (const Entry& e : kEntries)
    if (e.help.name == name) return e;
  std::vector<std::string> names;
  names.reserve(kHelp.size());
  for (const PatternHelp& help : kHelp) names.emplace_back(help.name);
  const std::string_view meant = nearest(name, names);
  throw InputError("unknown pattern " + in_quotes(name), "[traffic] pattern",
                   (meant.empty() ? "" : fmt::format("did you mean '{}'? ", meant)) +
                       fmt::format("known: {}", fmt::join(names, ", ")));
}

}  // namespace

std::span<const PatternHelp> patterns() { return kHelp; }

void check_enough_hosts(const Terminals& terminals) {
  if (terminals.count() < 2)
    throw InputError(fmt::format("{} attached hosts are too few for traffic", terminals.count()),
                     "the fabric", "take one with two hosts or more");
}

std::unique_ptr<Pattern> destinations_of(const TrafficSpec& spec, const Terminals& terminals,
                                         std::uint64_t seed) {
  const Entry& chosen = entry(spec.pattern);
  if (chosen.destinations == nullptr)
    throw InputError(fmt::format("the pattern {} gives the times of messages, too", spec.pattern),
                     "[[traffic.class]] pattern", "take a pattern of destinations, as uniform");
  return chosen.destinations(terminals, spec, seed);
}

std::unique_ptr<Traffic> make_traffic(const TrafficSpec& spec, const Fabric& fabric,
                                      const Model& model, std::uint64_t seed,
                                      const Tables* tables) {
  if (!spec.classes.empty()) return make_class_traffic(spec, fabric, model, seed, tables);
  const Entry& chosen = entry(spec.pattern);
  const Terminals terminals(fabric);
  check_enough_hosts(terminals);
  for (const auto& [key, bytes] : {std::pair{"payload_bytes", spec.payload_bytes},
                                   std::pair{"response_bytes", spec.response_bytes}})
    if (bytes > kMaxMessageBytes)
      throw bad_value(key, bytes, fmt::format("a number from 0 to {}", kMaxMessageBytes));
  if (chosen.schedule != nullptr) return chosen.schedule(spec, terminals, model, seed);
  std::unique_ptr<Pattern> pattern = chosen.destinations(terminals, spec, seed);
  return spec.window > 0 ? closed_loop(spec, terminals, model, std::move(pattern), seed)
                         : open_loop(spec, terminals, model, std::move(pattern), seed);
}

}  // namespace selvedge::sim
