// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// TFTR, transition-based fault-tolerant routing (Montañana 2008 §4.2): for every pair as many
// disjoint paths as the fabric, the VLs and the SLs allow, on any topology. Its six stages, and the
// files with them:
//
//   1  paths between two switches, short ones first              path_candidates.hpp
//   2  the forbidden turns: those of up*/down* in an order of    orientation.hpp, order_rules()
//      the switches
//   3  only paths with at most one forbidden turn, at which      path_candidates.hpp
//      they go over from VL 0 to VL 1
//   4  mapping conflicts. There are none: which VL follows from  turn_rules.hpp
//      an SL at a turn is laid down beforehand by the kind of
//      the turn, so that paths that fit some SL never conflict
//   5  the set with most disjoint paths and least length;        disjoint/search.hpp,
//      SLs such that both VLs carry load                         column_writer.hpp
//   6  DLIDs (trees), LFTs, SL2VL tables, path SLs               path_columns.hpp,
//                                                                column_writer.hpp
//
// The order of the switches: on tori and meshes row by row, because then most paths make at most
// one forbidden turn; elsewhere the order of a depth-first tree (§4.2.1).
//
// In fat trees no search is needed: the LIDs of a host take different spines, as with dmodk. That
// also spreads the base LIDs over all spines (tree/router.hpp). tree_detours.hpp adds the paths
// with a forbidden turn.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "plugin/engines/column_writer.hpp"
#include "plugin/engines/disjoint/path_columns.hpp"
#include "plugin/engines/disjoint/tree_detours.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/parallel_cables.hpp"
#include "plugin/engines/row_order.hpp"
#include "plugin/engines/tree/fat_tree.hpp"
#include "plugin/engines/turn_rules.hpp"
#include "plugin/engines/updn/orientation.hpp"
#include "plugin/engines/updn/up_down.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {
namespace {

constexpr unsigned kLmc = 4;

/// On tori and meshes: for each arc its dimension and sense, so that changes of direction can be
/// counted. Empty on other fabrics.
std::vector<std::uint8_t> directions(const SwitchGraph& graph, const Regularity& form) {
  std::vector<std::uint8_t> direction;
  if (form.kind != Regularity::Kind::kTorus && form.kind != Regularity::Kind::kMesh)
    return direction;
  const std::size_t n = form.sizes.size();
  for (SwitchId s = 0; s < graph.num_switches(); ++s)
    for (Arc a = graph.first[s]; a < graph.first[s + 1]; ++a) {
      std::uint8_t d = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const unsigned from = form.coordinates[s * n + i];
        const unsigned to = form.coordinates[graph.target[a] * n + i];
        if (from == to) continue;
        const bool forward = (from + 1) % form.sizes[i] == to;
        d = static_cast<std::uint8_t>(2 * i + (forward ? 1 : 0) + 1);
      }
      direction.push_back(d);
    }
  return direction;
}

void check(const EngineRequest& request) {
  if (request.max_vls == 0 || request.max_sls == 0)
    throw InputError("no VL or no SL to route on", "tftr", "give it at least one of each");
}

/// An order of the switches, and the number of SLs to route with.
struct Plan {
  const Orientation* orientation;
  unsigned sls;
};

/// The result of one attempt to make the tables.
struct Outcome {
  Tables tables;
  std::uint64_t shortfall = 0;  // disjoint paths that pairs lack, in all
  unsigned columns = 0;         // the most that any destination uses
};

class Tftr {
 public:
  Tftr(const Fabric& fabric, const EngineRequest& request)
      : fabric_(fabric),
        request_(request),
        bare_(make_switch_graph(fabric)),
        pieces_(components(bare_)),
        form_(recognise(fabric)) {
    for (const Host& host : fabric.hosts()) lmc_ = std::max<unsigned>(lmc_, host.lmc);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (!fabric.node(s).failed && !fabric.hosts_at(s).empty()) with_hosts_.push_back(s);
  }

  Routing run() {
    std::string why;
    // A row of switches with hosts at both ends is a mesh and also a tree. It is routed as a tree,
    // because that uses its parallel cables.
    const bool tree_requested = request_.root || request_.tree != EngineRequest::Tree::kBest;
    if (form_.kind != Regularity::Kind::kTorus && !tree_requested)
      if (std::optional<FatTree> tree = find_fat_tree(fabric_, request_.hints, why))
        return on_tree(std::move(*tree));
    if (reserves_a_lid() && (1u << lmc_) <= most_disjoint())
      throw InputError(
          fmt::format(
              "responses between base LIDs need a LID beside those of {} disjoint paths, and "
              "a host has {}",
              most_disjoint(), 1u << lmc_),
          "replies base, engine tftr", "give a higher LMC, or ask for own-sl");
    const std::vector<Orientation> orders = make_orders();
    auto [plan, outcome] = best(orders);
    if (reserves_a_lid() && outcome.shortfall > 0) {
      EngineRequest own = request_;
      own.replies = ReplyGrade::kOwnSl;
      if (Tftr(fabric_, own).best(orders).second.shortfall < outcome.shortfall)
        throw InputError("responses between base LIDs need a LID that disjoint paths need too",
                         "replies base, engine tftr", "give a higher LMC, or ask for own-sl");
    }
    return finish(plan, outcome);
  }

 private:
  /// The tables by the first order and number of SLs that give every pair all its disjoint paths.
  /// If none does, the tables by the first order with most SLs.
  std::pair<Plan, Outcome> best(const std::vector<Orientation>& orders) {
    const unsigned most = request_.max_vls == 1 ? 1 : std::min(request_.max_sls, kMostSls);
    for (unsigned sls = std::min(most, kFewestSls); sls <= most; ++sls)
      for (const Orientation& order : orders)
        if (std::optional<Outcome> outcome = attempt({&order, sls}, true))
          return {{&order, sls}, std::move(*outcome)};
    const Plan fallback{&orders.front(), most};
    return {fallback, std::move(*attempt(fallback, false))};
  }

  /// Whether base LIDs get up*/down* paths of their own, so that responses on the request's SL
  /// cannot deadlock. With one SL or VL all paths are safe for them; with one LID there is no room.
  bool reserves_a_lid() const {
    return request_.replies == ReplyGrade::kBase && request_.max_vls > 1 && request_.max_sls > 1 &&
           lmc_ > 0;
  }

  /// An upper bound on the disjoint paths of any two switches with hosts: the second highest number
  /// of neighbours of such a switch.
  unsigned most_disjoint() const {
    unsigned most = 0, second = 0;
    for (const SwitchId s : with_hosts_) {
      std::vector<SwitchId> near(bare_.target.begin() + bare_.first[s],
                                 bare_.target.begin() + bare_.first[s + 1]);
      std::ranges::sort(near);
      const auto n = static_cast<unsigned>(std::ranges::unique(near).begin() - near.begin());
      second = std::max(second, std::min(n, most));
      most = std::max(most, n);
    }
    return std::min(second, kMaxDisjoint);
  }

  static constexpr unsigned kMostSls = 4, kFewestSls = 2;
  /// Several orders are tried in fabrics of at most this many switches.
  static constexpr std::uint32_t kSmall = 36;
  static constexpr unsigned kTies = 12;

  /// In a fat tree no search is needed: each LID of a host takes another spine.
  Routing on_tree(FatTree tree) const {
    Routing routing;
    routing.tables = route_fat_tree(fabric_, tree, request_.progress);
    add_detours(fabric_, tree, request_, routing.tables);
    routing.remarks = tree_remarks(fabric_, tree);
    routing.multicast = std::move(tree.order.tree);
    return routing;
  }

  std::vector<Orientation> make_orders() const {
    using Tree = EngineRequest::Tree;
    if (request_.tree != Tree::kBest)
      return {orient(fabric_, bare_, pieces_, request_.tree, request_.root)};
    std::vector<Orientation> orders;
    if (!request_.root)
      if (std::optional<Orientation> rows = order_by_rows(form_, bare_, pieces_))
        orders.push_back(std::move(*rows));
    if (orders.empty())
      orders.push_back(orient(fabric_, bare_, pieces_, Tree::kDfs, request_.root));
    if (fabric_.num_switches() > kSmall) return orders;
    const Orientation breadth = orient(fabric_, bare_, pieces_, Tree::kBfs, request_.root);
    for (std::uint32_t i = 0; i < kTies; ++i) orders.push_back(reorder(breadth, i));
    return orders;
  }

  /// An orientation with the same levels and roots, but with the switches of each level in another
  /// order. Variant 0 is `breadth` itself.
  Orientation reorder(const Orientation& breadth, std::uint32_t variant) const {
    std::vector<std::uint32_t> level(fabric_.num_switches(), 0);
    Orientation o = breadth;
    for (const SwitchId s : breadth.order)
      if (o.tree[s] != kNoChannel) level[s] = level[fabric_.target(o.tree[s])] + 1;
    const auto mixed = [&](SwitchId s) {
      std::uint64_t x = (std::uint64_t{variant} << 32 | s) * 0x9E3779B97F4A7C15u;
      return (x ^ x >> 29) * 0xBF58476D1CE4E5B9u >> 32;
    };
    if (variant > 0)
      std::ranges::stable_sort(o.order, {},
                               [&](SwitchId s) { return std::pair(level[s], mixed(s)); });
    for (std::uint32_t i = 0; i < o.order.size(); ++i) o.rank[o.order[i]] = i;
    return o;
  }

  /// Makes the tables by one plan. Returns nullopt if `perfect` is set and some pair lacks disjoint
  /// paths.
  std::optional<Outcome> attempt(const Plan& plan, bool perfect) {
    const SwitchGraph cables = directed(bare_, plan.orientation->rank);
    const NeighbourGraph neighbours = neighbour_graph(cables);
    const SwitchGraph& graph = neighbours.graph;
    const TurnRules rules = order_rules(graph, request_.max_vls, plan.sls);
    const TurnRules cable_rules = order_rules(cables, request_.max_vls, plan.sls);
    std::vector<std::uint32_t> parallel;
    for (Arc a = 0; a < graph.num_arcs(); ++a) parallel.push_back(neighbours.cables(a));
    PackRequest pack;
    pack.columns = std::min(1u << lmc_, kMaxColumns);
    if (reserves_a_lid()) --pack.columns;
    pack.cables = parallel;
    const std::vector<Arc> safe = arcs_of(neighbours, cables, plan.orientation->tree);
    PathCandidates candidates(graph, rules, directions(graph, form_));
    PathColumns columns(graph, rules, candidates, safe, pack);

    Outcome outcome;
    CableChoice choice(fabric_, cables, neighbours);
    ColumnWriter writer(fabric_, cables, cable_rules);
    std::uint64_t done = 0;
    for (SwitchId d = 0; d < fabric_.num_switches(); ++d) {
      if (fabric_.node(d).failed) continue;
      columns.pack(d, with_hosts_, fabric_.hosts_at(d).empty() ? 1 : kMaxDisjoint);
      outcome.shortfall += columns.shortfall();
      if (perfect && outcome.shortfall > 0) return {};
      outcome.columns = std::max(outcome.columns, columns.used());
      writer.write(d, choice.choose(d, columns.columns()));
      if (request_.progress) request_.progress(++done, fabric_.num_switches());
    }
    outcome.tables = std::move(writer).finish();
    return outcome;
  }

  std::vector<Arc> arcs_of(const NeighbourGraph& neighbours, const SwitchGraph& cables,
                           const SpanningTree& tree) const {
    std::vector<Arc> arc_of(fabric_.num_switch_channels(), kNoArc), arcs;
    for (Arc a = 0; a < neighbours.graph.num_arcs(); ++a)
      for (Arc i = neighbours.first_cable[a]; i < neighbours.first_cable[a + 1]; ++i)
        arc_of[cables.channel[neighbours.cable[i]]] = a;
    for (const Channel c : tree) arcs.push_back(c == kNoChannel ? kNoArc : arc_of[c]);
    return arcs;
  }

  Routing finish(const Plan& plan, Outcome& outcome) const {
    const unsigned vls = std::min(request_.max_vls, 2u);
    Routing routing;
    routing.tables = std::move(outcome.tables);
    routing.multicast = plan.orientation->tree;
    if (request_.replies == ReplyGrade::kBase) {
      // Up*/down* paths make no forbidden turn, and SL 0 keeps them on VL 0 (order_rules()).
      UpDown base(fabric_, bare_, *plan.orientation);
      base.route_base({});
      routing.base_paths = std::move(base).finish();
    }
    routing.remarks.push_back(
        fmt::format("LIDs of a host with distinct paths: at most {} "
                    "of {}",
                    outcome.columns, 1u << lmc_));
    if (outcome.shortfall > 0)
      routing.remarks.push_back(fmt::format(
          "LMC {}, {} VL{}, {} SL{}: the pairs of switches lack {} of the disjoint "
          "paths that the fabric has for them",
          lmc_, vls, vls == 1 ? "" : "s", plan.sls, plan.sls == 1 ? "" : "s", outcome.shortfall));
    return routing;
  }

  const Fabric& fabric_;
  const EngineRequest& request_;
  const SwitchGraph bare_;
  const Components pieces_;
  const Regularity form_;
  unsigned lmc_ = 0;
  std::vector<SwitchId> with_hosts_;
};

Routing compute_tftr(const Fabric& fabric, const EngineRequest& request) {
  check(request);
  return Tftr(fabric, request).run();
}

unsigned lmc_for(const Fabric&) { return kLmc; }

}  // namespace

extern const Engine kTftr = {
    .name = "tftr",
    .facts =
        {
            .topologies = "any",
            .theorem =
                "every path crosses at most one forbidden turn, and there goes over to VL 1, so "
                "that the channel dependency graph is acyclic with the SL of each path; a pair "
                "has as many switch-disjoint paths as it says",
            .tolerated_faults =
                "k − 1 of links or switches for a pair with k disjoint paths, with the tables as "
                "they are: 3 on 2D tori, 5 on 3D tori",
            .vls = "2 (with 1: fewer disjoint paths)",
            .sls = "2 to 4, the fewest that do (with fewer: fewer disjoint paths)",
            .lmc = "4 (with less: fewer disjoint paths)",
            .memory = "O(N·D) bytes of LFTs and SLs, else O(N) paths of one destination",
            .time = "O(N²) searches, each bounded; 10×10 in about 2 s",
            .after_a_fault =
                "pairs whose other paths work need no change; recomputed, any route and SL may "
                "change",
            .deadlock_free = true,
        },
    .compute = &compute_tftr,
    .lmc = &lmc_for,
};

}  // namespace selvedge
