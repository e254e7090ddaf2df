// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A class of traffic as an experiment describes it ([[traffic.class]]; docs/simulator.md,
// "Classes"). sim/model/class_rules.hpp says what the data plane does with its packets.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/model/model.hpp"

namespace selvedge::sim {

inline constexpr std::size_t kMaxGroups = 64;  // of a class
/// Classes per experiment; a packet's tag has four bits for its class.
inline constexpr std::size_t kMaxClasses = 8;

enum class ClassArrival : std::uint8_t {
  kPoisson,
  kPeriodic,
  kVideo,  // streams of frames, 30 frames/s (frames.hpp)
};

struct ClassSpec {
  std::string name;
  std::string pattern = "uniform";  // of messages; of video: of streams
  unsigned sl = 0;                  // without meaning on VL 15
  bool vl15 = false;
  std::uint32_t size_bytes = 1024;  // payload of a message; without meaning for video
  ClassArrival arrival = ClassArrival::kPoisson;
  double share = 0;      // of [traffic] load; 0 if period_ms is given
  double period_ms = 0;  // kPeriodic: one message of each host in this time; 0: by share
  /// Which of a destination's LIDs: kFirst, kRandom (each packet), at each switch, or the one whose
  /// path a probe has reserved for the stream (probes.hpp).
  enum class Paths : std::uint8_t { kFirst, kRandom, kAtSwitches, kProbe } paths = Paths::kFirst;
  double reserve = 0.8;  // kProbe: of a link's rate, what its class's streams may reserve
  /// The sizes of the class's multicast groups; empty: its messages go to one host each. Each
  /// message, and each stream of video, goes to one of the groups, drawn.
  std::vector<unsigned> groups;
  std::string frames;                    // kVideo: a CSV file of frames; "": synthetic ones
  double first_deadline_ms = 100.0 / 3;  // kVideo: of a stream's first frame, after its generation

  friend bool operator==(const ClassSpec&, const ClassSpec&) = default;
};

/// The SLs of the classes, each once, in descending priority: in the order in which the classes
/// name them.
std::vector<Sl> class_sls(std::span<const ClassSpec> classes);

/// Whether streams of one of the classes reserve their paths.
bool has_probes(std::span<const ClassSpec> classes);

/// What the data plane needs to know of the classes. VL 15 has a queue of its own, before all
/// others; the others have one for each SL, in descending priority. If a class sends probes, the
/// model has a class more, the last: that of the probes, on VL 15.
void set_classes(Model& model, std::span<const ClassSpec> classes);

}  // namespace selvedge::sim
