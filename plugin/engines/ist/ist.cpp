// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `ist`: independent spanning trees on tori. A host needs as many LIDs as its switch has cables to
// other switches. Each LID has a tree of its own (ist/trees.hpp), so the paths of a pair to these
// LIDs are disjoint. That takes four LIDs (LMC 2) on a 2D torus, where trees packed from freely
// chosen disjoint paths need six to sixteen. For VLs and SLs see ist/layers.hpp, for missing cables
// and switches ist/routes.hpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/ist/multicast.hpp"
#include "plugin/engines/ist/plans.hpp"
#include "plugin/engines/ist/routes.hpp"
#include "plugin/fabric/nearest_torus.hpp"

namespace selvedge {
namespace {

using namespace ist;

/// Which tree each of a host's LIDs has, by its offset from the base LID and the number of LIDs:
///
///   one                             the tree of shortest paths (Trees::shortest)
///   at most as many as trees        the independent trees; each host begins with another tree. If
///                                   offset 0 had the same tree for all hosts, base LIDs would
///                                   overload the directions of that tree
///   more                            offset 0 the tree of shortest paths, then all independent
///                                   trees, then these again
class Offsets {
 public:
  Offsets(const Torus& torus, const Trees& trees) : shortest_(trees.shortest()) {
    std::vector<std::uint64_t> sum(trees.independent(), 0);
    for (unsigned t = 0; t < trees.independent(); ++t) {
      by_length_.push_back(t);
      for (Place p = 0; p < torus.places(); ++p) sum[t] += trees.length(t, p);
    }
    std::ranges::stable_sort(by_length_, {}, [&](unsigned t) { return sum[t]; });
  }

  /// `first`: any number of the host; the tree with which the host begins depends on it.
  unsigned tree(unsigned offset, unsigned lids, std::size_t first) const {
    if (lids == 1) return shortest_;
    if (lids <= by_length_.size()) return by_length_[(first + offset) % by_length_.size()];
    return offset == 0 ? shortest_ : by_length_[(offset - 1) % by_length_.size()];
  }

 private:
  unsigned shortest_;
  std::vector<unsigned> by_length_;
};

/// Collects the paths to some roots (destination switches) and writes them into the LFTs together.
/// An LFT is stored by switch, so writing root by root would visit all LFTs for each root.
class Writer {
 public:
  Writer(const Fabric& fabric, const PlacedTorus& placed, const Offsets& offsets,
         std::span<const unsigned> trees)
      : fabric_(fabric),
        placed_(placed),
        offsets_(offsets),
        trees_(trees),
        tables_(fabric),
        slot_(*std::ranges::max_element(trees) + 1, 0) {
    for (unsigned i = 0; i < trees.size(); ++i) slot_[trees[i]] = i;
    const std::size_t cells = kRoots * trees.size() * placed.torus().places();
    port_.resize(cells);
    sl_.resize(cells);
  }

  void add(Place root, Routes& routes) {
    const Torus& torus = placed_.torus();
    routes.set_root(root);
    for (unsigned i = 0; i < trees_.size(); ++i) {
      const TreeRoutes& way = routes.tree(trees_[i]);
      const std::size_t column = (roots_.size() * trees_.size() + i) * torus.places();
      for (Place p = 0; p < torus.places(); ++p) {
        port_[column + p] = kNoPort;
        if (p == root || way.next[p] == kNoDirection) continue;
        const std::span<const PortNum> ports = placed_.ports(p, way.next[p]);
        port_[column + p] = ports.size() == 1 ? ports[0] : ports[(root + trees_[i]) % ports.size()];
        sl_[column + p] = way.sl[p];
      }
    }
    roots_.push_back(root);
    if (roots_.size() == kRoots) flush();
  }

  Tables finish() && {
    flush();
    return std::move(tables_);
  }

 private:
  std::size_t diagonal(Place p) const {
    std::size_t sum = 3;  // any start value is correct; 3 makes repairs on 8×8 tori move least
    for (unsigned d = 0; d < placed_.torus().dimensions(); ++d)
      sum += placed_.torus().coordinate(p, d);
    return sum;
  }

  void flush() {
    const Place places = placed_.torus().places();
    for (Place p = 0; p < places; ++p) {
      const SwitchId s = placed_.at(p);
      if (s == kNoSwitch) continue;
      const std::span<PortNum> lft = tables_.lft(s);
      for (std::size_t r = 0; r < roots_.size(); ++r) {
        const SwitchId destination = placed_.at(roots_[r]);
        const auto write = [&](Lid lid, unsigned tree, PortNum last) {
          const std::size_t cell = (r * trees_.size() + slot_[tree]) * places + p;
          lft[lid] = s == destination ? last : port_[cell];
          if (lft[lid] != kNoPort && s != destination) tables_.set_sl(s, lid, sl_[cell]);
        };
        if (const Lid own = fabric_.node(destination).lid; own != kNoLid)
          write(own, offsets_.tree(0, 1, 0), 0);
        std::size_t first = diagonal(roots_[r]);
        for (const HostId h : fabric_.hosts_at(destination)) {
          const Host& host = fabric_.host(h);
          if (host.lid == kNoLid) continue;
          for (unsigned o = 0; o < host.lid_count(); ++o)
            write(static_cast<Lid>(host.lid + o), offsets_.tree(o, host.lid_count(), first),
                  host.port);
          ++first;
        }
      }
    }
    roots_.clear();
  }

  static constexpr std::size_t kRoots = 16;
  const Fabric& fabric_;
  const PlacedTorus& placed_;
  const Offsets& offsets_;
  std::span<const unsigned> trees_;
  Tables tables_;
  std::vector<unsigned> slot_;  // per tree: its index in trees_
  std::vector<Place> roots_;
  std::vector<PortNum> port_;  // [root][tree][place]: the port at that place
  std::vector<Sl> sl_;
};

/// Writes the plan's function f(SL, turn) → VL (layers.hpp) as SL2VL tables. SLs that no path uses
/// repeat those in use cyclically.
void write_sl2vl(const PlacedTorus& placed, const Plan& plan, Sl2Vl& sl2vl) {
  if (plan.vls == 1) return;
  const Torus& torus = placed.torus();
  const std::size_t turns = turn_count(torus);
  for (Place p = 0; p < torus.places(); ++p)
    for (Direction in = 0; in < torus.directions(); ++in)
      for (Direction out = 0; out < torus.directions(); ++out) {
        if (in == out || !placed.cabled(p, in) || !placed.cabled(p, out)) continue;
        Sl2VlRow row;
        for (unsigned sl = 0; sl < kSls; ++sl)
          row[sl] = plan.vl[sl % plan.sls * turns + make_turn(torus, p, in, out)];
        for (const PortNum by : placed.ports(p, in))
          for (const PortNum on : placed.ports(p, out)) sl2vl.set(placed.at(p), by, on, row);
      }
}

/// The least LMC that gives each tree a LID.
unsigned lmc_for(unsigned trees) { return static_cast<unsigned>(std::bit_width(trees - 1)); }

/// The LMC for the independent trees and `more` LIDs.
unsigned ist_lmc(const Fabric& fabric, unsigned more) {
  const Regularity form = recognise(fabric);
  if (form.kind != Regularity::Kind::kTorus) return 0;
  return lmc_for(2 * static_cast<unsigned>(form.sizes.size()) + more);
}
unsigned lmc_of_trees(const Fabric& fabric) { return ist_lmc(fabric, 0); }
unsigned lmc_with_base(const Fabric& fabric) { return ist_lmc(fabric, 1); }

[[noreturn]] void refuse(const Torus& torus, unsigned sls_needed, unsigned max_vls,
                         unsigned max_sls) {
  const std::string sizes = fmt::format("torus {}", fmt::join(torus.sizes(), "x"));
  if (sls_needed == 0)
    throw InputError(fmt::format("ist needs more than {} VLs here", max_vls), sizes,
                     "allow more VLs (4 to 8 mostly suffice), or choose updn, which needs one");
  throw InputError(fmt::format("ist would need {} SLs here with {} VLs, and {} are allowed",
                               sls_needed, max_vls, max_sls),
                   sizes,
                   max_sls < kSls ? "allow more SLs or VLs, or choose updn, which needs one"
                                  : "allow more VLs, or choose updn, which needs one");
}

std::vector<std::string> remarks(const Fabric& fabric, const Regularity& form,
                                 const PlacedTorus& placed, const Routes& routes, unsigned trees,
                                 bool multicast) {
  std::vector<std::string> lines;
  unsigned least = kMaxLmc;
  for (const Host& host : fabric.hosts()) least = std::min(least, unsigned{host.lmc});
  if (fabric.num_hosts() > 0 && (1u << least) < trees)
    lines.push_back(fmt::format(
        "LMC {} has LIDs for {} of the {} disjoint paths between two switches; LMC {} for all",
        least, 1u << least, trees, lmc_for(trees)));
  if (!placed.whole())
    lines.push_back(fmt::format(
        "{}: {} of the trees have paths that go round the holes; these paths may share cables and "
        "switches with others, all others are as on the whole torus",
        form.describe(), routes.detours()));
  if (!form.surplus.empty())
    lines.push_back(
        fmt::format("{} cables do not belong to the torus and stay unused", form.surplus.size()));
  if (!multicast)
    lines.push_back("no multicast tree of all switches is deadlock free with these tables on SL 0");
  return lines;
}

Routing compute_ist(const Fabric& fabric, const EngineRequest& request) {
  const Regularity form = recognise(fabric);
  if (form.kind != Regularity::Kind::kTorus)
    throw InputError(
        fmt::format("ist needs a torus; this is {}", nearest_torus_text(fabric)),
        fmt::format("{} switches, {} links", fabric.num_switches(), fabric.links().size()),
        "choose updn, which routes any fabric");
  const PlacedTorus placed(fabric, form);
  const Torus& torus = placed.torus();
  const Trees trees(torus);
  const unsigned max_vls = std::min(request.max_vls, kMaxDataVls);
  const unsigned max_sls = std::min(request.max_sls, kSls);
  Search search = find_plan(torus, trees, max_vls, max_sls);
  if (!search.plan) refuse(torus, search.sls_needed, max_vls, max_sls);

  const Offsets offsets(torus, trees);
  std::vector<unsigned> used{trees.shortest()};
  for (const Host& host : fabric.hosts())
    for (unsigned first = 0; first < trees.independent(); ++first)
      for (unsigned o = 0; o < host.lid_count(); ++o)
        used.push_back(offsets.tree(o, host.lid_count(), first));
  std::ranges::sort(used);
  used.erase(std::ranges::unique(used).begin(), used.end());

  Routes routes(placed, trees, std::move(*search.plan));
  if (!routes.make_detours(used, max_vls, max_sls))
    throw InputError(
        fmt::format("{} paths that go round missing links need more than {} SLs with {} VLs",
                    routes.paths_without_sl(), max_sls, max_vls),
        form.describe(), "repair the links, allow more VLs or SLs, or choose updn meanwhile");

  Writer writer(fabric, placed, offsets, used);
  for (Place root = 0; root < torus.places(); ++root) {
    if (placed.at(root) != kNoSwitch) writer.add(root, routes);
    if (request.progress) request.progress(root + 1, torus.places());
  }

  Routing routing;
  routing.tables = std::move(writer).finish();
  Plan plan = routes.plan();
  routing.multicast = spanning_tree(fabric, placed, routes, used, max_vls, plan);
  write_sl2vl(placed, plan, routing.tables.sl2vl);
  routing.remarks =
      remarks(fabric, form, placed, routes, trees.independent(), routing.multicast.has_value());
  return routing;
}

}  // namespace

extern const Engine kIst = {
    .name = "ist",
    .facts =
        {
            .topologies = "tori of any number of dimensions, also with cables or switches missing",
            .theorem =
                "the paths of a switch to the 2n LIDs of a host on an n-dimensional torus share no "
                "cable and no switch but the two ends, on every torus; no VL falls along a path, "
                "and the turns that packets take within a VL order its channels, so that the "
                "channel dependency graph is acyclic (not so for responses on the request's SL, "
                "nor "
                "for any SL from anywhere); channel loads are even on odd squares and cubes",
            .tolerated_faults =
                "2n - 1 cables and switches of any kind with the tables as they are: of the LIDs "
                "of a pair at least one still works; any that leave the fabric recognisable as a "
                "torus and the detours within the SLs, once the tables are computed again",
            .vls = "2 to 4 up to 12x12, 7 at 16x16; 3 to 8 on cubes up to 8x8x8 (docs/engines.md)",
            .sls = "2 to 8 up to 10x10, 16 at 16x16; at least a third of the longest ring; refused "
                   "beyond 16",
            .lmc = "2 on 2D tori, 3 on 3D: a LID for each of the 2n trees; fewer give fewer "
                   "disjoint paths. With more (3 on 2D tori) base LIDs have shortest paths, or "
                   "paths on which responses are safe, and are repaired first",
            .memory = "O(N·D) bytes of LFTs and as much of path SLs; SL2VL tables of all switches",
            .time = "O(N·D) where a plan of SLs is stored (squares, cubes); else seconds for it",
            .after_a_fault =
                "LIDs stay; SLs and paths change for the pairs and LIDs whose path crossed it",
            .deadlock_free = true,
        },
    .compute = &compute_ist,
    .lmc = &lmc_of_trees,
    .base_lmc = &lmc_with_base,
};

}  // namespace selvedge
