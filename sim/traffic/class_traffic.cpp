// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/traffic/class_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "base/error.hpp"
#include "sim/traffic/arrivals.hpp"
#include "sim/traffic/checks.hpp"
#include "sim/traffic/deadlines.hpp"
#include "sim/traffic/frames.hpp"
#include "sim/traffic/groups.hpp"
#include "sim/traffic/packets.hpp"
#include "sim/traffic/pattern.hpp"
#include "sim/traffic/streams.hpp"

namespace selvedge::sim {
namespace {

// Of a tag: above it the class; below it the frame's slot, or with groups the stream.
constexpr unsigned kClassShift = 28;
constexpr double kNsPerS = 1e9, kNsPerMs = 1e6, kBitsPerByte = 8, kMega = 1e6;

/// A stream of video from one host to another.
struct VideoStream {
  VideoStream(Stream chance_in, Deadlines deadlines_in)
      : chance(chance_in), deadlines(deadlines_in) {}

  HostId from = kNoHost, to = kNoHost;
  std::uint8_t path = kAnyPath;       // Message::path
  std::size_t group = 0;              // of a class with groups, in place of `to`
  double frame_bytes = 0;             // synthetic: mean size on the wire
  const FrameTrace* trace = nullptr;  // else its frames
  double factor = 1;                  // on the sizes of `trace`
  std::uint64_t first_frame = 0;      // where in the GOP or the trace it begins
  std::uint32_t number = 0;           // of the next frame
  Tick start = 0;                     // when frame 0 is generated
  Stream chance;
  Deadlines deadlines;
  std::map<HostId, Deadlines> of_members;  // with groups: as they have been since the first frame
};

/// A frame whose packets are not all delivered or lost.
struct PendingFrame {
  std::uint32_t stream = 0, number = 0, packets = 0;
  bool cut_short = false;  // its last packet was lost
};

/// What one class sends from one host: the time of the next message, and how to make it.
struct Source {
  Message next;
  std::vector<Message> later;  // frames that an earlier one has come before, the latest first
  std::vector<HostId> more;    // groups without replication: to whom it goes after that, last first
  // --- Not video
  Arrivals arrivals;
  std::uint64_t sent = 0;
  // --- Video: (time of the next frame, stream) as a heap, the earliest first
  std::vector<std::pair<Tick, std::uint32_t>> frames;
};

/// Into a list with the latest message first.
void insert_by_time(std::vector<Message>& all, const Message& message) {
  all.insert(std::ranges::lower_bound(all, message.at, std::greater<>(), &Message::at), message);
}

class Classes final : public ClassTraffic {
 public:
  Classes(const TrafficSpec& spec, const Fabric& fabric, const Model& model, std::uint64_t seed,
          const Tables* tables)
      : spec_(spec),
        terminals_(fabric),
        model_(model),
        period_(model.time_base.at(kNsPerS / kFramesPerSecond)),
        figures_(spec.classes.size()),
        groups_(groups_of(spec, terminals_, seed)),
        queues_(model.hca_queues),
        given_(model.hca_queues * terminals_.count()),
        returned_(given_.size()) {
    if (has_probes(spec.classes)) {
      if (tables == nullptr)
        throw InputError("probes need the tables of a simulated fabric", "[[traffic.class]] paths",
                         "take another value than \"probe\" here");
      const std::size_t rule = spec.classes.size();
      probes_.emplace(fabric, *tables, model, spec.classes.size(), static_cast<std::uint8_t>(rule),
                      static_cast<std::uint32_t>(rule) << kClassShift);
    }
    for (std::size_t c = 0; c < spec.classes.size(); ++c) {
      queues_[model.classes[c].queue].push_back(c);
      TrafficSpec of = spec;
      of.pattern = spec.classes[c].pattern;
      patterns_.push_back(destinations_of(of, terminals_, seed));
      processes_.push_back(process_of(spec.classes[c]));
      traces_.push_back(spec.classes[c].frames.empty() ? std::vector<FrameTrace>()
                                                       : read_frames_file(spec.classes[c].frames));
    }
    for (std::size_t c = 0; c < spec.classes.size(); ++c)
      for (Terminal e = 0; e < terminals_.count(); ++e) {
        const std::uint64_t whose = c << 32U | terminals_.host(e);
        when_.push_back(stream_of(seed, StreamUse::kClassArrivals, whose));
        whom_.push_back(stream_of(seed, StreamUse::kClassDestinations, whose));
        sources_.emplace_back();
        if (spec.classes[c].arrival == ClassArrival::kVideo) add_streams(c, e, seed);
        advance(c, e);
      }
    copy_admission();
  }

  Message next(HostId /*from*/) override { return {}; }  // every message is of a queue
  Message next_of(HostId from, unsigned queue) override {
    const Terminal e = terminals_.of(from);
    if (e == kNoTerminal) return {};
    return given_[queue * terminals_.count() + e] = take_next(from, e, queue);
  }
  void put_back_of(HostId from, unsigned queue) override {
    const std::size_t of = queue * terminals_.count() + terminals_.of(from);
    insert_by_time(returned_[of], given_[of]);
  }
  bool inspects_management() const override { return probes_.has_value(); }
  Lid inspect(SwitchId at, PortNum out, const Delivery& d) override {
    return is_probe(d) ? probes_->inspect(at, out, d) : kNoLid;
  }
  bool sends_management() const override {
    return probes_.has_value() || std::ranges::any_of(spec_.classes, &ClassSpec::vl15);
  }
  bool sends_multicast() const override {
    return !groups_.empty() && model_.replication != Replication::kNone;
  }
  bool wants_deliveries() const override { return true; }

  void delivered(const Delivery& d, std::vector<HostId>& woken) override {
    if (is_probe(d)) {
      if (const auto admitted = probes_->delivered(d, woken)) begin_stream(*admitted, woken);
      return copy_admission();
    }
    const std::size_t c = d.tag >> kClassShift;
    ClassFigures& of = figures_[c];
    ++of.packets;
    of.bytes += d.bytes;
    of.latency.add(d.delivered - d.generated);
    end_packet(c, d, false);
  }
  void lost(const Delivery& d, std::vector<HostId>& woken) override {
    if (is_probe(d)) {
      probes_->lost(d, woken);
      return copy_admission();
    }
    end_packet(d.tag >> kClassShift, d, true);
  }
  void count_loss(const Delivery& d, Loss why) override {
    if (!is_probe(d)) ++figures_[d.tag >> kClassShift].lost[static_cast<unsigned>(why)];
  }

  const std::vector<ClassFigures>& figures() const override { return figures_; }
  void begin_measurement() override {
    figures_.assign(figures_.size(), {});
    copy_admission();
  }
  std::size_t streams(std::size_t of_class, HostId from) const override {
    return sources_[of_class * terminals_.count() + terminals_.of(from)].frames.size();
  }
  unsigned receivers(HostId from, const Message& message) const override {
    if (message.mlid == kNoLid) return 1;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (mlid_of(g, from, terminals_.fabric()) == message.mlid)
        return static_cast<unsigned>(groups_[g].receivers(from).size());
    return 0;
  }

 private:
  Source& source(std::size_t c, Terminal e) { return sources_[c * terminals_.count() + e]; }
  bool is_probe(const Delivery& d) const {
    return probes_ && d.tag >> kClassShift == spec_.classes.size();
  }

  void copy_admission() {
    for (std::size_t c = 0; probes_ && c < figures_.size(); ++c)
      figures_[c].admission = probes_->of_class(c);
  }

  /// The earliest of a queue's messages: put back ones, probes, and those of its classes.
  Message take_next(HostId from, Terminal e, unsigned queue) {
    std::size_t first = SIZE_MAX;
    for (const std::size_t c : queues_[queue])
      if (first == SIZE_MAX || source(c, e).next.at < source(first, e).next.at) first = c;
    const Tick of_classes = first == SIZE_MAX ? kNever : source(first, e).next.at;
    const Message* const probe = probes_ && queue == 0 ? probes_->next(from) : nullptr;
    const Tick of_probes = probe == nullptr ? kNever : probe->at;
    std::vector<Message>& returned = returned_[queue * terminals_.count() + e];
    if (!returned.empty() && returned.back().at <= std::min(of_classes, of_probes)) {
      const Message message = returned.back();
      returned.pop_back();
      return message;
    }
    if (of_probes < of_classes) {
      const Message message = *probe;
      probes_->take(from);
      return message;
    }
    if (of_classes == kNever) return {};
    Source& from_source = source(first, e);
    Message message = from_source.next;
    if (!spec_.classes[first].groups.empty())
      message.tag |= static_cast<std::uint32_t>(first) << kClassShift;
    else if (spec_.classes[first].arrival == ClassArrival::kVideo)
      begin_frame(message);
    if (from_source.more.empty()) {
      advance(first, e);
    } else {
      from_source.next.to = from_source.more.back();
      from_source.more.pop_back();
    }
    return message;
  }

  double link_bytes_per_ns() const { return 1 / model_.time_base.ns(model_.to_hosts.byte_time); }

  ArrivalProcess process_of(const ClassSpec& of) const {
    if (of.arrival == ClassArrival::kVideo) return {};
    TrafficSpec open;
    open.load = of.period_ms > 0 ? 1 : spec_.load * of.share;
    open.arrival = of.arrival == ClassArrival::kPoisson ? Arrival::kPoisson : Arrival::kPeriodic;
    ArrivalProcess process = ArrivalProcess::of(open, wire_ticks(of.size_bytes, model_));
    if (of.period_ms > 0)
      process.gap = static_cast<double>(model_.time_base.at(of.period_ms * kNsPerMs));
    return process;
  }

  /// As many streams as come nearest to the class's load; a common factor on their frames makes the
  /// load exact.
  void add_streams(std::size_t c, Terminal e, std::uint64_t seed) {
    const ClassSpec& of = spec_.classes[c];
    const double wanted = spec_.load * of.share * link_bytes_per_ns() * kNsPerS / kFramesPerSecond;
    const std::vector<FrameTrace>& traces = traces_[c];
    std::vector<double> means;  // bytes of a frame on the wire
    for (const FrameTrace& trace : traces) {
      double sum = 0;
      for (const Frame& frame : trace) sum += static_cast<double>(wire_bytes(frame.bytes, model_));
      means.push_back(sum / static_cast<double>(trace.size()));
    }
    if (traces.empty())
      for (const double rate : kVideoRates)
        means.push_back(rate * kMega / kBitsPerByte / kFramesPerSecond);
    const double mean =
        std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(means.size());
    const auto count = std::max<long long>(1, std::llround(wanted / mean));
    const auto kind = [&](long long k) { return (static_cast<std::size_t>(k) + e) % means.size(); };
    double sum = 0;
    for (long long k = 0; k < count; ++k) sum += means[kind(k)];
    for (long long k = 0; k < count; ++k) {
      Stream& whom = whom_[c * terminals_.count() + e];
      const bool grouped = !of.groups.empty();
      const Terminal to = grouped ? e : patterns_[c]->to(e, static_cast<std::uint64_t>(k), whom);
      if (to == kNoTerminal) return;
      const auto id = static_cast<std::uint32_t>(video_.size());
      Stream chance = stream_of(seed, StreamUse::kVideo, id);
      const Tick start = static_cast<Tick>(chance.real() * static_cast<double>(period_));
      VideoStream& stream = video_.emplace_back(
          chance, Deadlines(start + model_.time_base.at(of.first_deadline_ms * kNsPerMs), period_));
      stream.from = terminals_.host(e);
      stream.to = terminals_.host(to);
      if (grouped) stream.group = draw_group(c, whom);
      stream.start = start;
      stream.factor = wanted / sum;
      stream.frame_bytes = means[kind(k)] * stream.factor;
      const std::size_t length = traces.empty() ? kGopFrames : traces[kind(k)].size();
      if (!traces.empty()) stream.trace = &traces[kind(k)];
      stream.first_frame = stream.chance.below(static_cast<std::uint32_t>(length));
      if (of.paths == ClassSpec::Paths::kProbe)
        probe_for(c, stream);
      else
        source(c, e).frames.emplace_back(start, id);
    }
    std::ranges::make_heap(source(c, e).frames, std::greater<>());
  }

  void probe_for(std::size_t c, const VideoStream& stream) {
    const double bytes_per_tick = stream.frame_bytes / static_cast<double>(period_);
    const auto id = probes_->add({.from = stream.from,
                                  .to = stream.to,
                                  .of_class = c,
                                  .bytes_per_tick = bytes_per_tick,
                                  .share = spec_.classes[c].reserve},
                                 stream.start);
    if (id != streams_of_probes_.size() || id >= Probes::kMaxConnections)
      throw std::logic_error("connections are numbered in the order in which they are added");
    streams_of_probes_.emplace_back(c, static_cast<std::uint32_t>(video_.size() - 1));
  }

  /// The stream's path is reserved: its frames begin.
  void begin_stream(const Probes::Admitted& admitted, std::vector<HostId>& woken) {
    const auto [c, id] = streams_of_probes_[admitted.connection];
    VideoStream& stream = video_[id];
    stream.start = admitted.at;
    stream.path = static_cast<std::uint8_t>(admitted.offset);
    stream.deadlines = Deadlines(
        admitted.at + model_.time_base.at(spec_.classes[c].first_deadline_ms * kNsPerMs), period_);
    Source& from = source(c, terminals_.of(stream.from));
    from.frames.emplace_back(admitted.at, id);
    std::ranges::push_heap(from.frames, std::greater<>());
    if (from.next.at != kNever) insert_by_time(from.later, from.next);
    advance(c, terminals_.of(stream.from));
    woken.push_back(stream.from);
  }

  std::size_t draw_group(std::size_t c, Stream& chance) const {
    const auto count = static_cast<std::uint32_t>(spec_.classes[c].groups.size());
    return first_group(spec_, c) + chance.below(count);
  }

  /// Addresses the source's next message to the group: to its MLID, or to one member after the
  /// other if no switch replicates packets.
  void address(Source& from, std::size_t group, HostId host) {
    if (model_.replication != Replication::kNone) {
      from.next.mlid = mlid_of(group, host, terminals_.fabric());
      return;
    }
    from.more = groups_[group].receivers(host);
    std::ranges::reverse(from.more);
    from.next.to = from.more.back();
    from.more.pop_back();
  }

  /// Makes the source's next message.
  void advance(std::size_t c, Terminal e) {
    const ClassSpec& of = spec_.classes[c];
    Source& from = source(c, e);
    from.next = {};
    const std::size_t i = c * terminals_.count() + e;
    if (of.arrival == ClassArrival::kVideo) {
      if (!from.later.empty() && from.later.back().at <= from.frames.front().first) {
        from.next = from.later.back();
        from.later.pop_back();
      } else if (!from.frames.empty()) {
        next_frame(c, from);
      }
    } else {
      const bool grouped = !of.groups.empty();
      const Terminal to = grouped ? e : patterns_[c]->to(e, from.sent, whom_[i]);
      if (to == kNoTerminal) return;
      ++from.sent;
      from.next.at = from.arrivals.next(processes_[c], when_[i]);
      if (grouped)
        address(from, draw_group(c, whom_[i]), terminals_.host(e));
      else
        from.next.to = terminals_.host(to);
      from.next.bytes = of.size_bytes;
      from.next.tag = static_cast<std::uint32_t>(c) << kClassShift;
    }
    from.next.of_class = static_cast<std::uint8_t>(c);
    from.next.management = of.vl15;
  }

  /// Makes the source's next frame. Its tag names the stream, until the network takes it.
  void next_frame(std::size_t c, Source& from) {
    std::ranges::pop_heap(from.frames, std::greater<>());
    const auto [at, id] = from.frames.back();
    VideoStream& stream = video_[id];
    const std::uint64_t place = stream.first_frame + stream.number;
    Frame frame;
    if (stream.trace != nullptr) {
      frame = (*stream.trace)[place % stream.trace->size()];
      frame.bytes = static_cast<std::uint32_t>(
          std::clamp<double>(std::round(frame.bytes * stream.factor), 1, kMaxFrameBytes));
    } else {
      frame.type = gop_type(place);
      const double wire =
          stream.frame_bytes * gop_size(frame.type) * draw_frame_factor(stream.chance);
      const auto packets =
          std::max(1LL, std::llround(wire / (model_.mtu_bytes + model_.header_bytes)));
      frame.bytes = static_cast<std::uint32_t>(packets) * model_.mtu_bytes;
    }
    from.next.at = at;
    if (!spec_.classes[c].groups.empty())
      address(from, stream.group, stream.from);
    else
      from.next.to = stream.to;
    from.next.path = stream.path;
    from.next.bytes = frame.bytes;
    from.next.keep = frame.type == FrameType::kI ? Keep::kAll : Keep::kEnds;
    from.next.tag = id;
    ++stream.number;
    from.frames.back().first = at + period_;
    std::ranges::push_heap(from.frames, std::greater<>());
  }

  /// The network takes this message, a frame whose tag names its stream: it gets a slot.
  void begin_frame(Message& message) {
    const std::uint32_t id = message.tag;
    std::uint32_t slot = static_cast<std::uint32_t>(pending_.size());
    if (free_.empty()) {
      pending_.emplace_back();
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    const auto number = static_cast<std::uint32_t>((message.at - video_[id].start) / period_);
    pending_[slot] = {.stream = id, .number = number, .packets = packets_of(message.bytes, model_)};
    message.tag = std::uint32_t{message.of_class} << kClassShift | slot;
  }

  /// One packet of a frame was delivered or lost.
  void end_packet(std::size_t c, const Delivery& d, bool lost) {
    if (spec_.classes[c].arrival != ClassArrival::kVideo) return;
    const std::uint32_t slot = d.tag & ((1U << kClassShift) - 1);
    if (!spec_.classes[c].groups.empty()) {
      if (d.last) end_group_frame(c, slot, d, lost);
      return;
    }
    PendingFrame& frame = pending_[slot];
    frame.cut_short |= lost && d.last;
    if (--frame.packets > 0) return;
    free_.push_back(slot);
    ClassFigures& of = figures_[c];
    if (frame.cut_short) {
      ++of.frames_lost;
      return;
    }
    count_frame(of, video_[frame.stream].deadlines.arrived(frame.number, d.delivered));
  }

  static void count_frame(ClassFigures& of, Tick late) {
    ++of.frames;
    if (late == 0) return;
    ++of.missed;
    of.late += late;
  }

  /// The last packet of a frame to a group has come to a member, or a copy of it was lost. All its
  /// packets take one way to each member, in order, so the frame has arrived there.
  void end_group_frame(std::size_t c, std::uint32_t id, const Delivery& d, bool lost) {
    ClassFigures& of = figures_[c];
    if (lost) {
      ++of.frames_lost;
      return;
    }
    VideoStream& stream = video_[id];
    Deadlines& deadlines = stream.of_members.try_emplace(d.to, stream.deadlines).first->second;
    const auto number = static_cast<std::uint32_t>((d.generated - stream.start) / period_);
    count_frame(of, deadlines.arrived(number, d.delivered));
  }

  const TrafficSpec spec_;
  Terminals terminals_;
  const Model& model_;
  Tick period_;
  std::vector<ClassFigures> figures_;
  std::vector<MulticastGroup> groups_;            // of all classes
  std::vector<std::vector<std::size_t>> queues_;  // the classes of each queue
  std::vector<Message> given_;                    // [queue][terminal]: by next_of()
  std::vector<std::vector<Message>> returned_;    // the same: put back, the latest first
  std::optional<Probes> probes_;
  std::vector<std::pair<std::size_t, std::uint32_t>> streams_of_probes_;  // class and stream
  std::vector<std::unique_ptr<Pattern>> patterns_;
  std::vector<ArrivalProcess> processes_;
  std::vector<std::vector<FrameTrace>> traces_;
  std::vector<Source> sources_;      // [class][terminal]
  std::vector<Stream> when_, whom_;  // [class][terminal]
  std::vector<VideoStream> video_;
  std::vector<PendingFrame> pending_;
  std::vector<std::uint32_t> free_;  // slots of pending_
};

}  // namespace

std::unique_ptr<ClassTraffic> make_class_traffic(const TrafficSpec& spec, const Fabric& fabric,
                                                 const Model& model, std::uint64_t seed,
                                                 const Tables* tables) {
  check_enough_hosts(Terminals(fabric));
  return std::make_unique<Classes>(spec, fabric, model, seed, tables);
}

}  // namespace selvedge::sim
