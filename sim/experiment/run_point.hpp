// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Simulates one point: a warm-up, then batches, then a verdict (RunState). The result depends on
// the point alone, except cpu_s and wall_s.
//
//   warm-up    of fixed length; or ("auto") until two series are steady by MSER-5
//              (batch_means.hpp): the bytes delivered and the mean network latency of successive
//              intervals of a hundredth of duration_us. The series are checked after 50, 100, 200,
//              400 and 800 intervals; all intervals so far are the warm-up
//   batches    the measurement: duration_us in equal parts. With relative_error it ends earlier,
//              after 10 batches or more, when the confidence intervals of latency and of accepted
//              traffic are both within that share of their means
//   offered    the rate that the sources try to send, if they have one. A closed loop, a
//              collective, and traffic that ends have none
//   states     deadlocked: a cycle of queues that wait for each other was found (checked after each
//              sample without a delivery, and after each batch); undelivered: no packet was
//              delivered while measuring, and some were lost, in flight or waiting; saturated: the
//              network accepted clearly less than the sources offered, and these fell behind or the
//              network filled up (disconnected hosts do not count); else steady
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "sim/experiment/batch_means.hpp"
#include "sim/experiment/rearrange_watch.hpp"
#include "sim/experiment/reconfiguration_watch.hpp"
#include "sim/experiment/routed_fabric.hpp"
#include "sim/experiment/self_routing.hpp"
#include "sim/hca/hca_traffic.hpp"
#include "sim/model/statistics.hpp"
#include "sim/traffic/class_traffic.hpp"

namespace selvedge::sim {

enum class RunState : std::uint8_t { kSteady, kSaturated, kUndelivered, kDeadlocked };

/// What the protocol of the HCAs did while measuring ([hca] protocol).
struct HcaResult {
  HcaFigures figures;
  HcaWindow window;
  // Rearrange memory in use at each sample: of each attached host; of each connection that there
  // is, at each receiving end.
  Histogram host_bytes, connection_bytes;
};

struct Batch {
  double from_us = 0, to_us = 0;
  std::uint64_t packets = 0;
  std::optional<double> latency_ns, network_latency_ns;  // means; nothing if no packet came
  double accepted = 0;                                   // bytes on the wire per ns and switch
};

struct Sample {
  double at_us = 0;
  bool measured = false;
  std::uint64_t delivered = 0, delivered_bytes = 0;  // since the sample before
  std::array<std::uint64_t, kLosses> lost{};         // since the sample before; index: Loss
  std::optional<double> latency_ns;
  std::uint64_t in_flight = 0, waiting = 0;
  double occupied_mean = 0, occupied_max = 0;  // share of switches' input buffers that is occupied
  // Bytes of rearrange memory in use, over attached hosts, and over connections as in HcaResult;
  // nothing without a protocol.
  std::optional<double> rearrange_mean, rearrange_connection_mean;
  std::optional<std::uint64_t> rearrange_max, rearrange_connection_max;
};

struct RunEvent {
  double at_us = 0;
  std::string what;
};

struct PointResult {
  RunState state = RunState::kSteady;
  std::string diagnosis;
  double ns_per_tick = 1;
  Totals totals;                      // since the start
  Window window;                      // of the measurement, after the warm-up
  std::vector<ChannelUse> use;        // per channel; of the measurement
  std::vector<ClassFigures> classes;  // by class; of the measurement
  std::vector<Batch> batches;
  std::vector<Sample> samples;
  std::vector<RunEvent> run_events;
  Interval latency, network_latency;  // ns; `mean` is over all packets, not over batches
  Interval accepted;                  // bytes on the wire per ns and switch
  std::optional<double> offered;      // bytes on the wire per ns and switch
  double batch_correlation = 0;
  double warmup_us = 0, measured_us = 0;
  Tick ended = 0;
  std::optional<double> finished_us;
  std::uint64_t waiting = 0;                     // packets at their sources at the end
  std::optional<SelfRoutingWatch> self_routing;  // only with Selection::kEar
  double host_link_bytes_per_ns = 0;
  double link_byte_ns = 0;           // time of a byte on a link between switches
  unsigned switches = 0, hosts = 0;  // all switches; attached hosts
  unsigned vls = 0, lmc = 0;
  std::optional<HcaResult> hca;          // nothing: protocol is "off", or nothing was measured
  std::optional<Rearranged> rearranged;  // with a protocol, or [measure] rearrange
  std::optional<ReconfigurationResult> reconfiguration;  // nothing: scheme is "off"
  double cpu_s = 0, wall_s = 0;
};

/// Simulates the point. Throws InputError for values that do not fit together (resolve(),
/// make_traffic(), unknown links in [faults]). The simulated time is added to `simulated_us` as it
/// passes.
PointResult run_point(const Point& point, const RoutedFabric& routed,
                      std::atomic<std::uint64_t>* simulated_us = nullptr);

/// Throws what run_point() would throw, without simulating.
void check_point(const Point& point, const RoutedFabric& routed);

const char* state_name(RunState state);

}  // namespace selvedge::sim
