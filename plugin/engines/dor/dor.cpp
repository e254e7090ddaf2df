// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/dor/dor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace selvedge {
namespace {

constexpr unsigned kMinus = 0, kPlus = 1;  // directions in a dimension
constexpr unsigned kWhole = UINT32_MAX;

/// The switches by their positions, and the cables between neighbours.
class DorLattice {
 public:
  DorLattice(const Fabric& fabric, const Regularity& form)
      : sizes_(form.sizes),
        coordinates_(form.coordinates),
        torus_(form.kind == Regularity::Kind::kTorus),
        ports_(std::size_t{fabric.num_switches()} * 2 * dimensions()),
        cut_(std::size_t{fabric.num_switches()} * dimensions(), kWhole) {
    std::size_t places = 1;
    for (const unsigned size : sizes_) places *= size;
    at_.assign(places, kNoSwitch);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (!fabric.node(s).failed) at_[place(s)] = s;
    if (std::ranges::find(at_, kNoSwitch) != at_.end())
      refuse("a switch is missing", "choose updn or tftr, which go around it");
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (!fabric.node(s).failed) find_cables(fabric, s);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (!fabric.node(s).failed) find_cuts(fabric, s);
  }

  unsigned dimensions() const { return static_cast<unsigned>(sizes_.size()); }
  unsigned size(unsigned d) const { return sizes_[d]; }
  bool torus() const { return torus_; }
  unsigned coordinate(SwitchId s, unsigned d) const { return coordinates_[s * sizes_.size() + d]; }
  /// The ports to the neighbour in that direction; several if cables are parallel.
  const std::vector<PortNum>& ports(SwitchId s, unsigned d, unsigned direction) const {
    return ports_[(std::size_t{s} * dimensions() + d) * 2 + direction];
  }
  /// The neighbour in a ring, or in a line unless s is at its end.
  SwitchId neighbour(SwitchId s, unsigned d, unsigned direction) const {
    const unsigned from = coordinate(s, d), k = sizes_[d];
    const unsigned to = direction == kPlus ? (from + 1) % k : (from + k - 1) % k;
    return at_[place(s) + to * stride(d) - from * stride(d)];
  }
  /// The position of the ring's missing cable, which leads from there to the next position; kWhole:
  /// none is missing.
  unsigned cut(SwitchId s, unsigned d) const { return cut_[std::size_t{s} * dimensions() + d]; }

 private:
  [[noreturn]] static void refuse(std::string problem, std::string remedy) {
    throw InputError(std::move(problem), "engine dor", std::move(remedy));
  }
  std::size_t stride(unsigned d) const {
    std::size_t product = 1;
    for (unsigned i = d + 1; i < dimensions(); ++i) product *= sizes_[i];
    return product;
  }
  std::size_t place(SwitchId s) const {
    std::size_t sum = 0;
    for (unsigned d = 0; d < dimensions(); ++d) sum += coordinate(s, d) * stride(d);
    return sum;
  }
  void find_cables(const Fabric& fabric, SwitchId s) {
    for (unsigned d = 0; d < dimensions(); ++d)
      for (const unsigned direction : {kMinus, kPlus}) {
        const bool end = coordinate(s, d) == (direction == kPlus ? sizes_[d] - 1 : 0);
        if (end && !torus_) continue;
        const SwitchId to = neighbour(s, d, direction);
        for (const Channel c : fabric.out(s))
          if (fabric.target(c) == to)
            ports_[(std::size_t{s} * dimensions() + d) * 2 + direction].push_back(
                fabric.port_of(c));
      }
  }
  /// Each switch of a ring or line notes the missing cable of it.
  void find_cuts(const Fabric& fabric, SwitchId s) {
    for (unsigned d = 0; d < dimensions(); ++d) {
      if (!ports(s, d, kPlus).empty() || (!torus_ && coordinate(s, d) + 1 == sizes_[d])) continue;
      const SwitchId to = neighbour(s, d, kPlus);
      const std::string cable =
          fmt::format("the cable from {} to {}", fabric.node(s).name, fabric.node(to).name);
      if (!torus_)
        refuse(cable + " is missing, and a mesh has no other way in that dimension",
               "choose updn or tftr, which go around it");
      unsigned& known = cut_[std::size_t{s} * dimensions() + d];
      if (known != kWhole)
        refuse(cable + " is missing, and another one of its ring",
               "choose updn or tftr, which go around both");
      SwitchId at = s;
      do {
        cut_[std::size_t{at} * dimensions() + d] = coordinate(s, d);
        at = neighbour(at, d, kPlus);
      } while (at != s);
    }
  }

  std::vector<unsigned> sizes_;
  std::vector<std::uint16_t> coordinates_;
  bool torus_;
  std::vector<SwitchId> at_;                 // per place
  std::vector<std::vector<PortNum>> ports_;  // [switch][dimension][direction]
  std::vector<unsigned> cut_;                // [switch][dimension]
};

/// Which way a path takes in a ring of k positions without a cut, and whether it then crosses the
/// dateline. Where both ways are as long: with `both_ways_alike` a pair's two directions use the
/// same half of the ring; else sources at even positions go up, others down, so that all channels
/// carry the same load if k is a multiple of 4, and nearly so else.
unsigned way_in_ring(unsigned from, unsigned to, unsigned k, bool both_ways_alike) {
  const unsigned up = (to + k - from) % k, down = k - up;
  if (up != down) return up < down ? kPlus : kMinus;
  if (!both_ways_alike) return from % 2 == 0 ? kPlus : kMinus;
  const bool inside = std::min(from, to) % 2 == 0;
  return inside == (from < to) ? kPlus : kMinus;
}

bool crosses(unsigned from, unsigned to, unsigned way) {
  return way == kPlus ? to < from : to > from;
}

class DorRouter {
 public:
  DorRouter(const DorLattice& lattice, const EngineRequest& request)
      : lattice_(lattice), both_ways_alike_(request.replies != ReplyGrade::kOwnSl) {}

  struct Step {
    unsigned dimension, direction;
  };
  /// The next step from a switch to another one.
  Step step(SwitchId at, SwitchId to) const {
    unsigned d = lattice_.dimensions() - 1;
    while (lattice_.coordinate(at, d) == lattice_.coordinate(to, d)) --d;
    const unsigned from = lattice_.coordinate(at, d), end = lattice_.coordinate(to, d);
    if (!lattice_.torus()) return {d, from < end ? kPlus : kMinus};
    const unsigned cut = lattice_.cut(at, d), k = lattice_.size(d);
    if (cut == kWhole) return {d, way_in_ring(from, end, k, both_ways_alike_)};
    const bool up = (cut + k - from) % k >= (end + k - from) % k;  // the cut is not on the way up
    return {d, up ? kPlus : kMinus};
  }
  /// The SL of the paths between two switches: a bit for each dimension.
  Sl sl(SwitchId from, SwitchId to) const {
    unsigned bits = 0;
    for (unsigned d = 0; lattice_.torus() && d < lattice_.dimensions(); ++d) {
      const unsigned a = lattice_.coordinate(from, d), b = lattice_.coordinate(to, d);
      if (a != b && crosses(a, b, way_in_ring(a, b, lattice_.size(d), both_ways_alike_)))
        bits |= 1u << d;
    }
    return static_cast<Sl>(bits);
  }

 private:
  const DorLattice& lattice_;
  bool both_ways_alike_;
};

/// VL 1 where the SL's bit of the dimension is set.
Sl2VlRow row_of(unsigned dimension) {
  Sl2VlRow row{};
  for (unsigned sl = 0; sl < kSls; ++sl) row[sl] = static_cast<Vl>(sl >> dimension & 1);
  return row;
}

void write_sl2vl(const Fabric& fabric, const DorLattice& lattice, Tables& tables) {
  // Cables to hosts take part in no cycle. Two VLs there keep packets of the ring's two VLs apart.
  tables.host_sl2vl = row_of(lattice.dimensions() - 1);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned d = 0; d < lattice.dimensions(); ++d)
      for (const unsigned direction : {kMinus, kPlus})
        for (const PortNum out : lattice.ports(s, d, direction))
          for (unsigned in = 0; in <= tables.sl2vl.ports(s); ++in)
            tables.sl2vl.set(s, static_cast<PortNum>(in), out, row_of(d));
}

/// Each switch's parent is the next one towards coordinate 0 of the first dimension in which its
/// own coordinate is not 0, the other way round where the cut is between them. Up the tree a packet
/// turns to later dimensions at coordinate 0 alone, where no path of VL 0 goes back to.
SpanningTree tree_of(const Fabric& fabric, const DorLattice& lattice) {
  SpanningTree up(fabric.num_switches(), kNoChannel);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (fabric.node(s).failed) continue;
    for (unsigned d = 0; d < lattice.dimensions(); ++d) {
      const unsigned from = lattice.coordinate(s, d), cut = lattice.cut(s, d);
      if (from == 0) continue;
      const unsigned direction = cut != kWhole && cut < from ? kPlus : kMinus;
      up[s] = fabric.channel(s, lattice.ports(s, d, direction).front());
      break;
    }
  }
  return up;
}

void check_bounds(const DorLattice& lattice, const EngineRequest& request) {
  if (!lattice.torus()) return;
  const unsigned sls = 1u << lattice.dimensions();
  if (request.max_vls >= 2 && request.max_sls >= sls) return;
  throw InputError(
      fmt::format("dimension order on a torus of {} dimensions takes 2 VLs and {} SLs, and there "
                  "are {} and {}{}",
                  lattice.dimensions(), sls, request.max_vls, request.max_sls,
                  request.bounds.empty() ? "" : " (" + request.bounds + ")"),
      "engine dor", "permit as many, or choose updn");
}

Routing compute_dor(const Fabric& fabric, const EngineRequest& request) {
  return route_in_dimension_order(fabric, recognise(fabric), request);
}

}  // namespace

Routing route_in_dimension_order(const Fabric& fabric, const Regularity& form,
                                 const EngineRequest& request) {
  if (form.kind != Regularity::Kind::kTorus && form.kind != Regularity::Kind::kMesh)
    throw InputError(fmt::format("the fabric is {}, no torus or mesh", form.describe()),
                     "engine dor", "choose updn, or auto");
  if (form.kind == Regularity::Kind::kTorus && form.sizes.size() > kDorDimensionsMax)
    throw InputError(fmt::format("a torus of {} dimensions takes {} SLs, more than there are",
                                 form.sizes.size(), 1u << form.sizes.size()),
                     "engine dor", "choose updn");
  const DorLattice lattice(fabric, form);
  check_bounds(lattice, request);
  const DorRouter router(lattice, request);

  Routing routing;
  routing.tables = Tables(fabric);
  Tables& tables = routing.tables;
  if (lattice.torus()) write_sl2vl(fabric, lattice, tables);
  // `number`: which of parallel cables.
  const auto route = [&](SwitchId to, Lid lid, PortNum last, std::size_t number) {
    tables.set_next(to, lid, last);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      if (s == to || fabric.node(s).failed) continue;
      const DorRouter::Step step = router.step(s, to);
      const std::vector<PortNum>& ports = lattice.ports(s, step.dimension, step.direction);
      tables.set_next(s, lid, ports[number % ports.size()]);
      if (lattice.torus()) tables.set_sl(s, lid, router.sl(s, to));
    }
  };
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (fabric.node(s).failed) continue;
    if (fabric.node(s).lid != kNoLid) route(s, fabric.node(s).lid, 0, 0);
    for (const HostId h : fabric.hosts_at(s)) {
      const Host& host = fabric.host(h);
      if (host.lid == kNoLid) continue;
      for (unsigned i = 0; i < host.lid_count(); ++i)
        route(s, static_cast<Lid>(host.lid + i), host.port, std::size_t{h} + i);
    }
  }
  routing.multicast = tree_of(fabric, lattice);
  return routing;
}

extern const Engine kDor = {
    .name = "dor",
    .facts =
        {
            .topologies =
                "tori of up to 4 dimensions, also with a cable missing in a ring; whole meshes",
            .theorem =
                "paths correct one dimension after the other, and a path that crosses a ring's "
                "dateline has VL 1 in that ring: the channel dependency graph is acyclic at any "
                "size; all paths are shortest while the fabric is whole",
            .tolerated_faults =
                "0 with the tables as they are; a cable of each ring of a torus, once they are "
                "computed again",
            .vls = "2 (meshes: 1)",
            .sls = "2^n on a torus of n dimensions (meshes: 1)",
            .lmc = "any; all LIDs of a host have one path, but for parallel cables",
            .memory = "O(N·D) bytes of LFTs and SLs, else O(N)",
            .time = "O(N·D)",
            .after_a_fault = "LIDs and SLs stay; paths in the ring of the cut may change",
            .deadlock_free = true,
        },
    .compute = &compute_dor,
};

}  // namespace selvedge
