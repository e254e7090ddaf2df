// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/run_point.hpp"

#include <ctime>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sim/clos/recognise.hpp"
#include "sim/experiment/adaptive_proof.hpp"
#include "sim/experiment/around_cuts.hpp"
#include "sim/experiment/class_model.hpp"
#include "sim/experiment/diagnosis.hpp"
#include "sim/experiment/offered.hpp"
#include "sim/experiment/planned_faults.hpp"
#include "sim/experiment/reconfiguration_target.hpp"
#include "sim/model/network.hpp"

namespace selvedge::sim {
namespace {

constexpr unsigned kSamplesPerBatch = 5;
constexpr unsigned kMinBatches = 10;          // batches before a run may stop early
constexpr unsigned kWarmupSamples = 100;      // most samples in a warm-up of fixed length
constexpr unsigned kWarmupIntervals = 100;    // automatic warm-up: intervals in duration_us
constexpr unsigned kMinWarmupIntervals = 50;  // before an automatic warm-up's first check
constexpr unsigned kMaxWarmupIntervals = 800;
constexpr double kMovesPeriodUs = 10;  // Zahavi 2012 §5.2

double cpu_now_s() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::optional<double> mean_ns(const Histogram& histogram, double ns_per_tick) {
  if (histogram.count() == 0) return std::nullopt;
  return histogram.mean() * ns_per_tick;
}

/// The cables that are cut at time 0.
std::vector<Channel> cut_at_start(const std::vector<FaultStep>& faults) {
  std::vector<Channel> cut;
  for (const FaultStep& step : faults)
    if (step.at == 0 && !step.restore) cut.insert(cut.end(), step.links.begin(), step.links.end());
  return cut;
}

std::uint32_t attached_hosts(const Fabric& fabric) {
  std::uint32_t count = 0;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) count += fabric.attached(h) ? 1 : 0;
  return count;
}

/// The model, with the VLs that the tables of later changes need.
Model resolve_for(const Point& point, const RoutedFabric& routed) {
  const Model model = resolve_with_classes(point, routed.tables);
  if (!point.reconfiguration.on()) return model;
  const unsigned vls =
      try_target(point, routed, plan_faults(point.faults, routed.fabric, model.time_base));
  return resolve_with_classes(point, routed.tables, vls);
}

Model make_model(const Point& point, const RoutedFabric& routed) {
  Model model = resolve_for(point, routed);
  if (point.routing.around_cuts)
    model.path_offsets =
        offsets_around(routed.fabric, routed.tables,
                       cut_at_start(plan_faults(point.faults, routed.fabric, model.time_base)));
  return model;
}

/// The packets that a host sends in a permutation; 0 if the traffic is none of permutations.
std::uint64_t packets_of_permutation(const TrafficSpec& spec, const Model& model) {
  if (spec.pattern != "permutations") return 0;
  const auto parts = [](std::uint64_t whole, std::uint64_t part) {
    return whole / part + (whole % part != 0 ? 1 : 0);
  };
  return parts(spec.permutation_bytes, std::max<std::uint64_t>(spec.payload_bytes, 1)) *
         std::max<std::uint64_t>(parts(spec.payload_bytes, model.mtu_bytes), 1);
}

class Run {
 public:
  Run(const Point& point, const RoutedFabric& routed, std::atomic<std::uint64_t>* simulated_us)
      : point_(point),
        proved_(is_proved(point, routed)),
        fabric_(routed.fabric),
        model_(make_model(point, routed)),
        above_(model_above(point.hca, model_)),
        traffic_(make_traffic(point.traffic, fabric_, above_, point.seed, &routed.tables)),
        classes_(point.traffic.classes.empty() ? nullptr
                                               : static_cast<ClassTraffic*>(traffic_.get())),
        offered_(*traffic_, above_, fabric_.num_hosts(), classes_),
        hca_(make_hca(point.hca)),
        watch_(point.measure.rearrange
                   ? std::make_unique<RearrangeWatch>(offered_, model_, fabric_.num_hosts())
                   : nullptr),
        faults_(plan_faults(point.faults, fabric_, model_.time_base)),
        target_(point.reconfiguration.on() ? std::make_unique<Target>(make_target(point, routed))
                                           : nullptr),
        network_(
            fabric_,
            target_ ? target_->initial() : tables_with_classes(point, routed.fabric, routed.tables),
            model_, outermost(), point.seed, managed()),
        simulated_us_(simulated_us) {
    if (target_) start_manager();
    if (classes_ != nullptr)
      network_.on_loss([this](const Delivery& d, Loss why) { classes_->count_loss(d, why); });
    result_.ns_per_tick = model_.time_base.ns(1);
    result_.switches = fabric_.num_switches();
    for (HostId h = 0; h < fabric_.num_hosts(); ++h) {
      result_.hosts += fabric_.attached(h) ? 1 : 0;
      result_.lmc = std::max<unsigned>(result_.lmc, fabric_.host(h).lmc);
    }
    result_.vls = model_.vls;
    result_.link_byte_ns = model_.time_base.ns(model_.between_switches.byte_time);
    result_.host_link_bytes_per_ns = 1 / model_.time_base.ns(model_.to_hosts.byte_time);
    for (Channel c = 0; c < fabric_.num_channels(); ++c)
      if (fabric_.peer(c) != kNoChannel && fabric_.from_switch(fabric_.peer(c)))
        into_switches_.push_back(c);
    result_.use.resize(fabric_.num_channels());
    disconnected_.resize(fabric_.num_hosts());
    if (model_.selection == Selection::kEar) watch_self_routing();
  }

  PointResult run() {
    const double cpu_s = cpu_now_s();
    const auto began = std::chrono::steady_clock::now();
    const MeasureChoice& measure = point_.measure;
    if (measure.auto_warmup)
      warm_up_until_steady();
    else
      warm_up(ticks(measure.warmup_us));
    if (!ended()) measure_batches();
    conclude();
    result_.cpu_s = cpu_now_s() - cpu_s;
    result_.wall_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(result_);
  }

 private:
  std::unique_ptr<HcaTraffic> make_hca(const HcaSpec& spec) {
    if (!spec.on()) return nullptr;
    return make_hca_traffic(spec, model_, offered_, fabric_.num_hosts(), attached_hosts(fabric_));
  }
  /// The traffic that the network sees.
  Traffic& outermost() {
    if (hca_) return *hca_;
    if (watch_) return *watch_;
    return offered_;
  }
  Managed managed() const {
    if (!target_) return Managed::kNo;
    return managed_by(scheme_of(point_.reconfiguration.scheme));
  }
  void start_manager() {
    manager_ =
        std::make_unique<Manager>(point_.reconfiguration, fabric_, model_, *target_, subnet_);
    changes_ = std::make_unique<ReconfigurationWatch>(*manager_);
    manager_->on_step(
        [this](Tick at, const std::string& what) { result_.run_events.push_back({us(at), what}); });
    network_.on_delivery([this](const Delivery& d) { changes_->delivered(d); });
    network_.on_loss([this](const Delivery& d, Loss) { changes_->lost(d); });
    if (point_.reconfiguration.at_us) changes_->cause(ticks(*point_.reconfiguration.at_us));
  }
  void simulate(Tick until) {
    if (manager_)
      run_under(network_, *manager_, until);
    else if (until > network_.now())
      network_.run(until);
  }
  Tick ticks(double us) const { return model_.time_base.at(us * kNsPerUs); }
  double us(Tick t) const { return model_.time_base.ns(t) / kNsPerUs; }
  bool ended() const {
    return result_.state == RunState::kDeadlocked || result_.finished_us.has_value();
  }
  /// Packets that no network has seen yet.
  std::uint64_t waiting() const {
    return network_.waiting_at_sources() + (hca_ ? hca_->waiting() : 0);
  }
  bool finished() const {
    if (manager_ && !manager_->idle()) return false;
    if (hca_)  // its timers never end
      return hca_->idle() && next_fault_ == faults_.size() && network_.totals().in_flight() == 0;
    return (network_.idle() || manager_) && next_fault_ == faults_.size() &&
           network_.totals().in_flight() == 0 && network_.waiting_at_sources() == 0;
  }

  void watch_self_routing() {
    result_.self_routing.emplace(fabric_.num_switches(), fabric_.num_hosts(),
                                 packets_of_permutation(point_.traffic, model_),
                                 std::max<Tick>(ticks(kMovesPeriodUs), 1));
    network_.on_move([this](const FlowMove& move) { result_.self_routing->moved(move); });
    network_.on_delivery(
        [this](const Delivery& delivery) { result_.self_routing->delivered(delivery); });
  }

  /// Simulates to `until`, and applies the faults that are due.
  void advance(Tick until) {
    while (next_fault_ < faults_.size() && faults_[next_fault_].at <= until) {
      const FaultStep& step = faults_[next_fault_];
      simulate(step.at);
      if (changes_) changes_->cause(step.at);
      for (const Channel link : step.links) {
        if (step.restore)
          network_.restore(link);
        else
          network_.cut(link);
        if (manager_) manager_->set_cable(link, !step.restore);
        for (const Channel c : {link, fabric_.peer(link)})
          if (!fabric_.from_switch(c)) track_host_cable(fabric_.host_of(c), !step.restore);
      }
      result_.run_events.push_back({us(step.at), describe_step(step)});
      ++next_fault_;
    }
    simulate(until);
    if (simulated_us_ != nullptr) {
      const auto now = static_cast<std::uint64_t>(us(network_.now()));
      simulated_us_->fetch_add(now - reported_us_, std::memory_order_relaxed);
      reported_us_ = now;
    }
  }

  void track_host_cable(HostId host, bool cut) {
    disconnected_[host].now = cut;
    if (cut) disconnected_[host].ever = true;
  }

  /// Simulates to `until` and takes a sample there.
  void sample(Tick until, bool measured) {
    advance(until);
    const Totals& totals = network_.totals();
    const Window& window = network_.window();
    Sample s;
    s.at_us = us(until);
    s.measured = measured;
    s.delivered = totals.delivered - previous_.delivered;
    s.delivered_bytes = window.bytes - bytes_before_;
    for (unsigned i = 0; i < kLosses; ++i) s.lost[i] = totals.lost[i] - previous_.lost[i];
    const std::uint64_t count = window.latency.count() - latencies_before_;
    if (count > 0)
      s.latency_ns =
          model_.time_base.ns(window.latency.sum() - latency_before_) / static_cast<double>(count);
    s.in_flight = totals.in_flight();
    s.waiting = waiting();
    std::uint64_t taken = 0;
    unsigned most = 0;
    for (const Channel c : into_switches_) {
      const unsigned blocks = network_.occupied(c);
      taken += blocks;
      most = std::max(most, blocks);
    }
    const double room = static_cast<double>(model_.input_blocks) * model_.vls;
    s.occupied_mean = static_cast<double>(taken) /
                      (room * static_cast<double>(std::max<std::size_t>(into_switches_.size(), 1)));
    s.occupied_max = most / room;
    if (hca_) sample_rearrange_memory(s);
    result_.samples.push_back(s);
    previous_ = totals;
    save_window_totals();
    if (s.delivered > 0 || s.in_flight == 0) {
      last_delivery_ = until;
      at_last_delivery_ = totals;
    }
    if (s.delivered == 0 && s.in_flight > 0) check_deadlock();
    if (finished()) result_.finished_us = us(until);
  }

  void sample_rearrange_memory(Sample& s) {
    std::uint64_t sum = 0, most = 0;
    for (HostId h = 0; h < fabric_.num_hosts(); ++h) {
      if (!fabric_.attached(h)) continue;
      const std::uint64_t bytes = hca_->used_slots(h) * hca_->slot_bytes();
      sum += bytes;
      most = std::max(most, bytes);
      if (s.measured) host_bytes_.add(static_cast<Tick>(bytes));
    }
    s.rearrange_mean = static_cast<double>(sum) / std::max(1u, result_.hosts);
    s.rearrange_max = most;
    const std::vector<std::uint32_t>& connections = hca_->connections_by_slots().counts();
    std::uint64_t count = 0, fullest = 0;
    for (std::size_t slots = 0; slots < connections.size(); ++slots) {
      if (connections[slots] == 0) continue;
      count += connections[slots];
      fullest = slots * hca_->slot_bytes();
      for (std::uint32_t n = s.measured ? connections[slots] : 0; n > 0; --n)
        connection_bytes_.add(static_cast<Tick>(fullest));
    }
    s.rearrange_connection_mean =
        static_cast<double>(sum) / static_cast<double>(std::max<std::uint64_t>(1, count));
    s.rearrange_connection_max = fullest;
  }

  void save_window_totals() {
    const Window& window = network_.window();
    bytes_before_ = window.bytes;
    latencies_before_ = window.latency.count();
    latency_before_ = window.latency.sum();
  }
  void clear_window() {
    network_.clear_window();
    if (hca_) hca_->clear_window();
    save_window_totals();
  }

  void check_deadlock() {
    const std::vector<BlockedQueue> cycle = network_.deadlock();
    if (cycle.empty()) return;
    result_.state = RunState::kDeadlocked;
    const double now_us = us(network_.now());
    result_.diagnosis = describe_deadlock(fabric_, cycle, now_us);
    for (const BlockedQueue& queue : cycle)
      result_.run_events.push_back({now_us, describe_queue(fabric_, queue)});
  }

  void warm_up(Tick until) {
    const Tick step = std::max(sample_length(), until / kWarmupSamples + 1);
    while (network_.now() < until && !ended())
      sample(std::min(until, network_.now() + step), false);
  }

  void warm_up_until_steady() {
    const Tick interval_ticks =
        std::max<Tick>(1, ticks(point_.measure.duration_us) / kWarmupIntervals);
    std::vector<double> bytes, latencies;
    for (unsigned target = kMinWarmupIntervals; target <= kMaxWarmupIntervals; target *= 2) {
      while (bytes.size() < target) {
        clear_window();
        sample(network_.now() + interval_ticks, false);
        if (ended()) return;
        bytes.push_back(static_cast<double>(network_.window().bytes));
        latencies.push_back(network_.window().network_latency.mean());
      }
      if (mser5(bytes) < bytes.size() && mser5(latencies) < latencies.size()) return;
    }
    remark("no steady state was found in 8 times duration_us of warm-up");
  }

  Tick batch_length() const { return sample_length() * kSamplesPerBatch; }
  Tick sample_length() const {
    const Tick all = ticks(point_.measure.duration_us);
    return std::max<Tick>(1, all / (Tick{point_.measure.batches} * kSamplesPerBatch));
  }

  void measure_batches() {
    clear_window();
    if (classes_ != nullptr) classes_->begin_measurement();
    if (result_.self_routing) result_.self_routing->start_measuring();
    began_ = network_.now();
    if (changes_) changes_->begin(began_);
    result_.warmup_us = us(began_);
    offered_before_ = offered_.due(began_);
    waiting_before_ = waiting();
    if (hca_) hca_before_ = hca_->figures(began_);
    if (watch_) watch_->begin(began_);
    in_network_before_ = network_.totals().in_flight();
    lost_before_ = network_.totals().all_lost();
    for (Disconnected& host : disconnected_) host.ever = host.now;
    for (unsigned i = 0; i < point_.measure.batches && !ended(); ++i) {
      const Tick from = network_.now();
      for (unsigned k = 0; k < kSamplesPerBatch && !ended(); ++k)
        sample(network_.now() + sample_length(), true);
      end_batch(from);
      if (!ended()) check_deadlock();
      if (i + 1 >= kMinBatches && precise_enough()) break;
    }
  }

  void end_batch(Tick from) {
    const Window& window = network_.window();
    const double ns = result_.ns_per_tick;
    // With a protocol, what counts is what applications receive.
    const Histogram& latency = hca_ ? hca_->window().latency : window.latency;
    const std::uint64_t bytes = hca_ ? hca_->window().wire_bytes : window.bytes;
    Batch batch{us(from),
                us(network_.now()),
                window.packets,
                mean_ns(latency, ns),
                mean_ns(window.network_latency, ns),
                0};
    batch.accepted =
        static_cast<double>(bytes) / model_.time_base.ns(network_.now() - from) / result_.switches;
    result_.batches.push_back(batch);

    Window& sum = result_.window;
    sum.packets += window.packets;
    sum.messages += hca_ ? hca_->window().messages : window.messages;
    sum.bytes += bytes;
    sum.payload_bytes += hca_ ? hca_->window().payload_bytes : window.payload_bytes;
    sum.switches += window.switches;
    sum.out_of_order += window.out_of_order;
    sum.latency += latency;
    if (hca_) measured_hca_ += hca_->window();
    sum.network_latency += window.network_latency;
    const std::vector<ChannelUse> use = network_.use();
    for (std::size_t c = 0; c < use.size(); ++c) result_.use[c] += use[c];
    clear_window();
  }

  /// Computes the intervals from the batches so far.
  void compute_intervals() {
    std::vector<double> latency, network_latency, accepted;
    for (const Batch& b : result_.batches) {
      if (b.latency_ns) latency.push_back(*b.latency_ns);
      if (b.network_latency_ns) network_latency.push_back(*b.network_latency_ns);
      accepted.push_back(b.accepted);
    }
    result_.latency = interval(latency);
    result_.network_latency = interval(network_latency);
    result_.accepted = interval(accepted);
    result_.batch_correlation = correlation(latency);
    // Batches may hold different numbers of packets, so means are taken over all packets.
    result_.latency.mean = result_.window.latency.mean() * result_.ns_per_tick;
    result_.network_latency.mean = result_.window.network_latency.mean() * result_.ns_per_tick;
  }

  bool precise_enough() {
    const double wanted = point_.measure.relative_error;
    if (wanted <= 0) return false;
    compute_intervals();
    return result_.latency.half_width <= wanted * result_.latency.mean &&
           result_.accepted.half_width <= wanted * result_.accepted.mean;
  }

  void conclude() {
    if (manager_) result_.reconfiguration = result_of(*changes_, *manager_);
    result_.totals = network_.totals();
    result_.ended = network_.now();
    result_.waiting = waiting();
    if (result_.batches.empty()) {
      result_.warmup_us = us(network_.now());
    } else {
      compute_intervals();
      result_.measured_us = us(network_.now() - began_);
      if (hca_) conclude_hca();
      if (watch_) result_.rearranged = watch_->end(network_.now(), result_.hosts);
      if (classes_ != nullptr) result_.classes = classes_->figures();
    }
    const Backlog backlog = measure_backlog();
    if (result_.state == RunState::kDeadlocked) return;
    if (undelivered(result_, backlog)) {
      result_.state = RunState::kUndelivered;
    } else if (saturated(result_, backlog)) {
      result_.state = RunState::kSaturated;
      remark(describe_saturation(result_, backlog));
    }
    const Totals& totals = result_.totals;
    const Stagnation stagnation{us(network_.now() - last_delivery_),
                                totals.packet_hops - at_last_delivery_.packet_hops,
                                totals.all_lost() - at_last_delivery_.all_lost()};
    const std::string warnings = describe_warnings(result_, point_.measure, backlog, stagnation);
    if (!warnings.empty()) remark(warnings);
    if (manager_ && !manager_->idle()) remark("the change of the tables was not over at the end");
    if (hca_ && point_.hca.protocol != HcaProtocol::kThesis &&
        !holds_a_packet(point_.hca, model_, result_.hosts))
      remark(
          "a connection's rearrange memory holds no packet of the longest payload: each such one "
          "that comes early is rejected");
    // The remark is stored with the point, since a later run without --allow-unproved may reuse the
    // point.
    if (!proved_) remark("the tables are not proved");
  }

  void conclude_hca() {
    HcaResult& hca = result_.hca.emplace();
    hca.figures = hca_->figures(network_.now()) - hca_before_;
    hca.window = std::move(measured_hca_);
    hca.host_bytes = std::move(host_bytes_);
    hca.connection_bytes = std::move(connection_bytes_);
    const auto slot = static_cast<double>(hca_->slot_bytes());
    result_.rearranged =
        Rearranged{.received = hca.figures.received,
                   .early = hca.figures.early,
                   .distance = hca.window.distance,
                   .bytes_mean = hca.figures.used_slot_ticks * slot /
                                 static_cast<double>(network_.now() - began_) / result_.hosts,
                   .bytes_max = hca.window.used_slots_max * hca_->slot_bytes(),
                   .connection_bytes_max = hca.window.connection_slots_max * hca_->slot_bytes()};
  }

  Backlog measure_backlog() {
    Backlog backlog;
    if (result_.batches.empty()) return backlog;
    const Tick now = network_.now();
    backlog.waiting_before = waiting_before_;
    backlog.waiting_after = result_.waiting;
    backlog.in_network_before = in_network_before_;
    backlog.in_network_after = result_.totals.in_flight();
    backlog.lost = result_.totals.all_lost() - lost_before_;
    const std::vector<double> due = offered_.due(now);
    double all = 0, able = 0;  // bytes: of all hosts; of hosts that were never disconnected
    for (HostId h = 0; h < due.size(); ++h) {
      all += due[h] - offered_before_[h];
      if (disconnected_[h].ever) {
        ++backlog.disconnected;
        continue;
      }
      able += due[h] - offered_before_[h];
      backlog.overdue += offered_.overdue(h, now) ? 1 : 0;
    }
    if (has_offered_rate(point_.traffic)) {
      const double per = model_.time_base.ns(now - began_) * result_.switches;
      result_.offered = all / per;
      backlog.offered = able / per;
    }
    return backlog;
  }

  void remark(const std::string& text) {
    if (!result_.diagnosis.empty()) result_.diagnosis += "; ";
    result_.diagnosis += text;
  }

  struct Disconnected {  // a host whose own cable is or was down
    bool now = false;
    bool ever = false;  // at any time while measuring
  };

  const Point& point_;
  const bool proved_;
  const Fabric& fabric_;
  const Model model_;
  const Model above_;  // as the traffic above the protocol sees it
  const std::unique_ptr<Traffic> traffic_;
  ClassTraffic* const classes_;  // traffic_, if it has classes
  OfferedLoad offered_;
  const std::unique_ptr<HcaTraffic> hca_;  // null: protocol is "off"
  const std::unique_ptr<RearrangeWatch> watch_;
  const std::vector<FaultStep> faults_;
  const std::unique_ptr<Target> target_;  // null: no manager
  Network network_;
  SubnetOf<Network> subnet_{network_};
  std::unique_ptr<Manager> manager_;
  std::unique_ptr<ReconfigurationWatch> changes_;
  std::atomic<std::uint64_t>* simulated_us_;
  std::uint64_t reported_us_ = 0;
  std::vector<Channel> into_switches_;
  std::size_t next_fault_ = 0;

  Tick began_ = 0;
  std::vector<double> offered_before_;
  HcaFigures hca_before_;
  HcaWindow measured_hca_;
  Histogram host_bytes_, connection_bytes_;  // as in HcaResult
  std::uint64_t waiting_before_ = 0, in_network_before_ = 0, lost_before_ = 0;
  std::vector<Disconnected> disconnected_;
  Tick last_delivery_ = 0;   // time of the last sample with a delivery or an empty network
  Totals at_last_delivery_;  // the totals at last_delivery_
  Totals previous_;
  std::uint64_t bytes_before_ = 0, latencies_before_ = 0;
  Tick latency_before_ = 0;
  PointResult result_;
};

/// Switches with hosts are leaf switches for Selection::kEar. Throws InputError if the fabric is no
/// tree of two levels, or if another of its switches has a host.
void check_leaves(const Fabric& fabric) {
  const std::string where = "[model] selection = \"ear\"";
  const RecognisedClos tree = recognise_clos(fabric, {}, where);
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (fabric.attached(h) &&
        std::ranges::find(tree.leaves, fabric.host(h).at) == tree.leaves.end())
      throw InputError(
          fmt::format("{} has a host and is no leaf switch of the tree ({})",
                      fabric.node(fabric.host(h).at).name, tree.form),
          where, "leave out the hosts of spines and of other trees, or choose another selection");
}

}  // namespace

PointResult run_point(const Point& point, const RoutedFabric& routed,
                      std::atomic<std::uint64_t>* simulated_us) {
  return Run(point, routed, simulated_us).run();
}

void check_point(const Point& point, const RoutedFabric& routed) {
  const Model model = resolve_for(point, routed);
  check(point.reconfiguration, routed.fabric, model);
  if (model.selection == Selection::kEar) check_leaves(routed.fabric);
  check(point.hca, model, attached_hosts(routed.fabric));
  make_traffic(point.traffic, routed.fabric, model_above(point.hca, model), point.seed,
               &routed.tables);
  plan_faults(point.faults, routed.fabric, model.time_base);
}

const char* state_name(RunState state) {
  switch (state) {
    case RunState::kSaturated:
      return "saturated";
    case RunState::kUndelivered:
      return "undelivered";
    case RunState::kDeadlocked:
      return "deadlocked";
    case RunState::kSteady:
      break;
  }
  return "steady";
}

}  // namespace selvedge::sim
