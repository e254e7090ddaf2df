// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Traffic of several classes (docs/simulator.md, "Classes"; Kim 2007 §4), and what each class
// experienced: latencies, losses by cause, and for video the share of frames that missed their
// deadlines (DMP) and by how much (DMT).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sim/model/histogram.hpp"
#include "sim/model/statistics.hpp"
#include "sim/traffic/probes.hpp"
#include "sim/traffic/spec.hpp"

namespace selvedge::sim {

/// Counts of one class since the last begin_measurement().
struct ClassFigures {
  std::uint64_t packets = 0, bytes = 0;  // delivered; bytes on the wire
  std::array<std::uint64_t, kLosses> lost{};
  Histogram latency;  // of packets, from the generation of the message to the last byte's arrival
  // --- Video. Of a class with groups a frame counts for each member that gets its last packet, and
  // is lost once for each copy of that packet that is lost. Else a frame is delivered when all its
  // packets have been delivered or lost, the last one delivered; it is lost when the last one was
  // lost.
  std::uint64_t frames = 0;  // delivered
  std::uint64_t missed = 0;  // of these, after their deadlines
  std::uint64_t frames_lost = 0;
  Tick late = 0;        // sum over missed frames
  Admission admission;  // since the start of the simulation; Paths::kProbe

  std::uint64_t all_lost() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : lost) sum += n;
    return sum;
  }
};

class ClassTraffic : public Traffic {
 public:
  virtual const std::vector<ClassFigures>& figures() const = 0;  // by class
  virtual void begin_measurement() = 0;
  /// To be called for each lost packet, in Network::on_loss().
  virtual void count_loss(const Delivery& delivery, Loss why) = 0;
  /// Streams of video that a host sends; 0 for other classes.
  virtual std::size_t streams(std::size_t of_class, HostId from) const = 0;
  /// How many hosts get this message of this host.
  virtual unsigned receivers(HostId from, const Message& message) const = 0;
};

/// Makes the traffic of spec.classes. `model` has the classes set (set_classes()). Throws
/// InputError as make_traffic() does, and for frames that cannot be read. `tables`: as
/// make_traffic().
std::unique_ptr<ClassTraffic> make_class_traffic(const TrafficSpec& spec, const Fabric& fabric,
                                                 const Model& model, std::uint64_t seed,
                                                 const Tables* tables = nullptr);

}  // namespace selvedge::sim
