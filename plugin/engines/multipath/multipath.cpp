// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `multipath`: the paths of Kim 2007 §3.2 and §3.3, selected by the low bits of the DLID. plan.hpp
// says which bits a LID has, entries.hpp what the tables do for them. With EngineRequest::paper the
// tables stay as the paper has them, which may deadlock. Otherwise layering.hpp gives every path an
// SL, and replaces what fits on no VL.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/multipath/layering.hpp"
#include "plugin/engines/multipath/plan.hpp"

namespace selvedge {
namespace {

using multipath::BitPlan;
using multipath::Entries;
using multipath::EntryCounts;
using multipath::KeptBits;

unsigned highest_lmc(const Fabric& fabric) {
  unsigned lmc = 0;
  for (const Host& host : fabric.hosts())
    if (host.lid != kNoLid) lmc = std::max<unsigned>(lmc, host.lmc);
  return lmc;
}

/// Writes the paper's entries over the default paths that the tables hold.
class EntryWriter {
 public:
  EntryWriter(const Fabric& fabric, const BitPlan& plan, Tables& tables)
      : fabric_(fabric),
        plan_(plan),
        tables_(tables),
        arc_of_(fabric.num_switch_channels(), kNoArc) {
    for (Arc a = 0; a < plan.graph.num_arcs(); ++a) arc_of_[plan.graph.channel[a]] = a;
  }

  void write(SwitchId destination) {
    std::array<bool, kMaxLmc + 1> lmcs{};
    for (const HostId h : fabric_.hosts_at(destination))
      if (fabric_.host(h).lid != kNoLid) lmcs[fabric_.host(h).lmc] = true;
    std::optional<multipath::PathsTo> paths;
    for (unsigned lmc = 1; lmc <= kMaxLmc; ++lmc) {
      if (!lmcs[lmc]) continue;
      const KeptBits& kept = plan_.kept[lmc][plan_.pieces.of[destination]];
      if (kept.place.empty()) continue;
      if (!paths) {
        paths = paths_to(plan_.simple, destination, plan_.limit);
        cut += paths->cut;
      }
      const Entries entries = make_entries(plan_.simple, plan_.cycles, kept, *paths);
      counts += entries.counts;
      for (const HostId h : fabric_.hosts_at(destination))
        if (const Host& host = fabric_.host(h); host.lid != kNoLid && host.lmc == lmc)
          write(destination, host, kept, entries);
    }
  }

  EntryCounts counts;
  std::uint64_t entries_written = 0, looped = 0;
  std::uint64_t cut = 0;  // pairs of switches with more paths than the limit

 private:
  void write(SwitchId destination, const Host& host, const KeptBits& kept, const Entries& entries) {
    default_.assign(fabric_.num_switches(), kNoArc);
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
      if (const PortNum port = tables_.next(s, host.lid); s != destination && port != kNoPort)
        default_[s] = arc_of_[fabric_.channel(s, port)];
    for (unsigned offset = 1; offset < host.lid_count(); ++offset) {
      looped += make_column(plan_.simple, plan_.graph, entries, BitPlan::string_of(kept, offset),
                            default_, column_);
      for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
        if (column_[s] == kNoArc) continue;
        ++entries_written;
        tables_.set_next(s, static_cast<Lid>(host.lid + offset), plan_.graph.port[column_[s]]);
      }
    }
  }

  const Fabric& fabric_;
  const BitPlan& plan_;
  Tables& tables_;
  std::vector<Arc> arc_of_, default_, column_;
};

/// How many different paths the LIDs of hosts follow, one host for each pair of switches.
std::uint64_t paths_followed(const Fabric& fabric, const Tables& tables) {
  std::uint64_t followed = 0;
  std::vector<std::vector<SwitchId>> ways;
  for (SwitchId t = 0; t < fabric.num_switches(); ++t) {
    if (fabric.hosts_at(t).empty()) continue;
    const Host& host = fabric.host(fabric.hosts_at(t).front());
    if (host.lid == kNoLid) continue;
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      if (s == t || tables.next(s, host.lid) == kNoPort) continue;
      ways.clear();
      for (unsigned i = 0; i < host.lid_count(); ++i) {
        std::vector<SwitchId>& way = ways.emplace_back();
        for (SwitchId x = s; x != t;) {
          x = fabric.target(fabric.channel(x, tables.next(x, static_cast<Lid>(host.lid + i))));
          way.push_back(x);
        }
      }
      std::ranges::sort(ways);
      followed += static_cast<std::uint64_t>(std::ranges::unique(ways).begin() - ways.begin());
    }
  }
  return followed;
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "0"
                    : fmt::format("{} ({:.1f} %)", part,
                                  100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::vector<std::string> bit_remarks(const Fabric& fabric, const BitPlan& plan, unsigned lmc) {
  std::vector<std::string> lines;
  const std::uint32_t cycles = plan.cycles.most();
  if (cycles == 0)
    lines.emplace_back("the fabric has no cycle: every pair of switches has one path");
  else if (lmc == 0)
    lines.push_back(
        fmt::format("LMC 0 has no path bits: all paths are the default ones; the {} cycles need "
                    "LMC {}",
                    cycles, std::min(cycles + 1, unsigned{kMaxLmc})));
  if (cycles > 0 && lmc > 0) {
    std::vector<std::string> dropped;
    for (const KeptBits& kept : plan.kept[lmc])
      if (kept.place.size() == cycles && dropped.empty())
        for (std::size_t c = 0; c < kept.place.size(); ++c)
          if (kept.place[c] == KeptBits::kDropped) dropped.push_back(fmt::format("P{}", c + 1));
    constexpr std::size_t kShown = 8;
    const std::size_t shown = std::min(dropped.size(), kShown);
    if (!dropped.empty())
      lines.push_back(fmt::format(
          "{} cycles, and LMC {} has {} path bits: {}{} are 0 in every LID, and paths with a 1 "
          "there have none",
          cycles, lmc, lmc,
          fmt::join(dropped.begin(), dropped.begin() + std::ptrdiff_t(shown), ", "),
          dropped.size() > shown ? fmt::format(" and {} more", dropped.size() - shown) : ""));
    else
      lines.push_back(fmt::format("{} cycles, {} path bits{}", cycles, cycles,
                                  lmc > cycles ? ""
                                               : ": the string of zeros has no LID, because the "
                                                 "base LID has the default path"));
  }
  if (plan.simple.unused.empty()) return lines;
  std::vector<std::string> names;
  for (const Arc a : plan.simple.unused) names.push_back(fabric.port_name(plan.graph.channel[a]));
  constexpr std::size_t kNames = 6;
  const std::size_t shown = std::min(names.size(), kNames);
  lines.push_back(fmt::format(
      "parallel cables without path bits, only on default paths: those at {}{}",
      fmt::join(names.begin(), names.begin() + std::ptrdiff_t(shown), ", "),
      names.size() > shown ? fmt::format(" and {} more ports", names.size() - shown) : ""));
  return lines;
}

void add_counts(const EntryWriter& writer, const BitPlan& plan, std::uint64_t followed,
                std::vector<std::string>& lines) {
  const EntryCounts& counts = writer.counts;
  if (counts.strings == 0) return;
  lines.push_back(fmt::format(
      "of {} strings of bits, all pairs of switches: {} have no path, {} have two ports; {} of {} "
      "entries led in a circle and are default ones",
      counts.strings, share(counts.holes, counts.strings), share(counts.conflicts, counts.strings),
      share(writer.looped, writer.entries_written), writer.entries_written));
  lines.push_back(fmt::format("LIDs follow {} of {} paths; {} paths have contradicting bits",
                              followed, counts.paths, share(counts.undefined, counts.paths)));
  if (writer.cut > 0)
    lines.push_back(fmt::format("{} pairs of switches have more than {} paths: the shortest count",
                                writer.cut, plan.limit));
}

void add_layers(const multipath::LayeringCounts& counts, unsigned most,
                std::vector<std::string>& lines) {
  if (counts.moved + counts.like_base + counts.up_down == 0) return;
  lines.push_back(
      fmt::format("not all paths are free of deadlock on {} VL{}: {} entries have another next "
                  "hop, {} LIDs the "
                  "paths of their base LID, {} LIDs up*/down* paths",
                  most, most == 1 ? "" : "s", counts.moved, counts.like_base, counts.up_down));
}

Routing compute_multipath(const Fabric& fabric, const EngineRequest& request) {
  Routing routing;
  EngineRequest quiet = request;
  quiet.progress = {};
  routing.tables = find_engine("spf").compute(fabric, quiet).tables;
  const BitPlan plan = multipath::plan_bits(fabric);
  EntryWriter writer(fabric, plan, routing.tables);
  for (SwitchId t = 0; t < fabric.num_switches(); ++t) {
    writer.write(t);
    if (request.progress) request.progress(t + 1, fabric.num_switches());
  }
  const unsigned lmc = highest_lmc(fabric);
  routing.remarks = bit_remarks(fabric, plan, lmc);
  if (request.paper) {
    add_counts(writer, plan, paths_followed(fabric, routing.tables), routing.remarks);
    routing.remarks.emplace_back(
        "the paper's tables are on one VL and may deadlock: they are for comparison only");
    return routing;
  }
  Routing up_down = find_engine("updn").compute(fabric, quiet);
  const unsigned layers = std::min({request.max_vls, request.max_sls, kMaxDataVls + 0u});
  const multipath::LayeringCounts layered = multipath::layer_paths(
      fabric, plan.graph, up_down.tables, *up_down.multicast, layers, routing.tables);
  add_counts(writer, plan, paths_followed(fabric, routing.tables), routing.remarks);
  add_layers(layered, layers, routing.remarks);
  routing.multicast = std::move(up_down.multicast);
  if (!layered.base_both_ways) routing.base_paths = std::move(up_down.tables);
  return routing;
}

/// A bit for each cycle and one that distinguishes the default path, as far as IBA and the LIDs of
/// a subnet permit.
unsigned multipath_lmc(const Fabric& fabric) {
  const SwitchGraph graph = make_switch_graph(fabric);
  const std::uint32_t cycles =
      multipath::find_cycles(multipath::make_simple_graph(graph), components(graph)).most();
  if (cycles == 0) return 0;
  unsigned lmc = std::min(cycles + 1, unsigned{kMaxLmc});
  while (lmc > 0 && host_lids(fabric, lmc).last > kMaxUnicastLid) --lmc;
  return lmc;
}

}  // namespace

extern const Engine kMultipath = {
    .name = "multipath",
    .facts =
        {
            .topologies = "any; a path's bits tell cycles apart, so it suits few of them",
            .theorem =
                "the base LID's paths are shortest ones; each other LID has a string of path bits "
                "(Kim 2007), one bit for each cycle, and leads along a path with these bits where "
                "there is one; paths are layered on VLs, each layer acyclic, multicast included",
            .tolerated_faults =
                "those that miss some path of each pair, with the tables as they are; any that "
                "leave the fabric connected, once they are computed again",
            .vls = "as many as the layers take, at most the given number; with 1 most LIDs have "
                   "up*/down* paths",
            .sls = "one for each VL",
            .lmc = "1 + the number of cycles, at most 7 (with less: cycles without a bit)",
            .memory = "O(N·D) bytes of LFTs and SLs, else the paths to one switch",
            .time = "O(N·D·2^LMC), and at most 2^20 paths in all, or 4 a pair",
            .after_a_fault = "LIDs stay; cycles and bits are found anew, so any route and SL may "
                             "change",
            .deadlock_free = true,
        },
    .compute = &compute_multipath,
    .lmc = &multipath_lmc,
};

}  // namespace selvedge
