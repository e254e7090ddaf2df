// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `balanced`: evenly loaded, nearly shortest paths on any fabric, within the VLs that there are.
//
//   1. A fat tree is routed by its levels, as `dmodk` does it.
//   2. Else trees of shortest paths are laid and improved (forest.hpp): once by loads alone, once
//      in dimension order if the cables have dimensions. The better forest is the aim.
//   3. If the aim fits one VL as it is, as in dimension order on a mesh or HyperX, that is it.
//   4. Else both directions of each pair of switches get one SL, and VLs that rise at each turn
//      from a down channel into an up channel (symmetric_layers.hpp). Few VLs are tried first,
//      each with the aim and with a forest whose paths make only as many such turns as the VLs
//      permit. That forest is taken if it costs little more than the aim.
//   5. If SLs or VLs do not suffice, the paths make fewer such turns; in the end none. Then they
//      are up*/down* paths on one VL. So no fabric is refused.
//   6. Further LIDs follow, as disjoint as they fit. The base LIDs' paths stay as they are.
//   7. Where tables of a torus with one LID a host need VLs, dimension order with datelines
//      (dor/) is taken if it is about as even: two VLs suffice, and repairs keep it well.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "plugin/engines/balanced/dimensions.hpp"
#include "plugin/engines/balanced/layout.hpp"
#include "plugin/engines/balanced/one_vl.hpp"
#include "plugin/engines/dor/dor.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/engines/filled_vls.hpp"
#include "plugin/engines/row_order.hpp"
#include "plugin/engines/symmetric_layers.hpp"
#include "plugin/engines/tree/near_tree.hpp"
#include "plugin/tables/bandwidth.hpp"

namespace selvedge {
namespace {

using namespace balanced;
using Tree = EngineRequest::Tree;

constexpr std::uint32_t kMostSwitches = 4'000;  // larger fabrics are left to updn
static_assert(kMostSwitches <= Ways::kMostSwitches);
/// LFT entries that are laid in all rounds of one forest, about: large fabrics have fewer rounds.
constexpr std::size_t kEntriesInAll = 10'000'000;
constexpr std::size_t kMostRounds = 10;
/// On fabrics of more entries than this, rounds end when fewer than one next hop in so many has
/// changed.
constexpr std::size_t kSmall = 100'000, kWorthARound = 200;
/// From so many LFT entries on, the hosts of a switch share a tree: else there would be too many
/// paths for layers (kMostTurns).
constexpr std::size_t kSharedFrom = 8'000'000;
/// A forest of fewer turns may cost so much more than the aim.
constexpr double kWorthAVl = 1.01;
constexpr unsigned kMostTurnsTried = 2;
constexpr std::size_t kMostLimited = 4;  // one tree in so many
constexpr std::size_t kRoots = 4;        // for up*/down*: roots that are tried
/// Sets of ways for further LIDs; more LIDs share them.
constexpr unsigned kWays = 7;
/// Random flows to choose between other engines' paths and these: few hosts need many permutations.
constexpr std::size_t kFlows = 40'000;
constexpr unsigned kPermutationsMin = 50, kPermutationsMax = 600;
/// Dimension order with datelines may have so much less bandwidth, as it takes fewer VLs.
constexpr double kDatelines = 0.99;
/// The busiest channel of a closed form may have so many times the load that it has otherwise.
constexpr double kBusiest = 1.1;

/// An order of the switches, and the ways that make no turn from down to up in it.
struct Order {
  Orientation orientation;
  mutable std::optional<Ways> ways = std::nullopt;  // once up_down() is called
  const Ways& up_down(const SwitchGraph& graph) const {
    if (!ways) ways = Ways::up_down(graph, orientation);
    return *ways;
  }
};

class Balanced {
 public:
  Balanced(const Fabric& fabric, const EngineRequest& request)
      : fabric_(fabric),
        request_(request),
        graph_(make_switch_graph(fabric, request.balance.weight)),
        pieces_(components(graph_)),
        shortest_(Ways::shortest(graph_)) {
    const std::size_t entries = std::size_t{fabric.num_switches()} * fabric.num_hosts();
    shared_ = entries > kSharedFrom;
    targets_ = base_targets(fabric, request.balance.first, shared_);
    rounds_ = std::clamp<std::size_t>(
        kEntriesInAll / std::max<std::size_t>(targets_.size() * fabric.num_switches(), 1), 1,
        kMostRounds);
    for (const Target& target : targets_)
      further_ = further_ || (target.host != kNoHost && fabric.host(target.host).lmc > 0);
    list_orders();
  }

  Routing run() {
    std::unique_ptr<Forest> aim = make_aim();
    if (one_vl(*aim)) return std::move(routing_);
    if (!layers_fit()) {
      aim.reset();
      go_up_down();
      routing_.remarks.push_back(
          fmt::format("the tables hold {} different SL2VL rows: on so large a fabric all VLs but "
                      "one stay unused",
                      Sl2Vl::kMaxRows));
      return std::move(routing_);
    }
    for (unsigned vls = 2; vls <= request_.max_vls; ++vls) {
      for (const Order& order : orders_)
        if (fit(*aim, order, vls)) return std::move(routing_);
      if (vls - 1 > kMostTurnsTried) continue;
      for (const Order& order : orders_) {
        const std::unique_ptr<Forest> forest = lay_within(order, vls - 1);
        if (forest->cost() <= kWorthAVl * aim->cost() && fit(*forest, order, vls))
          return std::move(routing_);
      }
    }
    unsigned most = 1;  // with more turns the forests would be the same
    for (const Order& order : orders_)
      most = std::max(most, aim->most_turns(order.orientation.rank));
    for (unsigned turns = std::min(request_.max_vls - 1, most); turns > 0; --turns) {
      std::unique_ptr<Forest> best;
      const Order* in = nullptr;
      for (const Order& order : orders_) {
        std::unique_ptr<Forest> forest = lay_within(order, turns);
        if (best && best->cost() <= forest->cost()) continue;
        best = std::move(forest);
        in = &order;
      }
      if (fit(*best, *in, request_.max_vls)) return std::move(routing_);
    }
    go_up_down();
    return std::move(routing_);
  }

 private:
  /// Whether the SL2VL rows of all turns surely fit the tables, or the fabric is small enough to
  /// try. (Layers on large fabrics take minutes, and so many rows of their own.)
  bool layers_fit() const {
    std::size_t turns = 0;
    for (SwitchId s = 0; s < graph_.num_switches(); ++s) {
      const std::size_t arcs = graph_.first[s + 1] - graph_.first[s];
      turns += arcs * arcs;
    }
    return !shared_ || turns < Sl2Vl::kMaxRows;
  }

  /// The orders for VLs that rise: by rows on a torus or mesh, depth first, breadth first; or as
  /// the request says.
  void list_orders() {
    const auto add = [&](Orientation orientation) { orders_.push_back({std::move(orientation)}); };
    if (request_.tree != Tree::kBest) {
      add(orient(fabric_, graph_, pieces_, request_.tree, request_.root));
      return;
    }
    if (!request_.root)
      if (std::optional<Orientation> rows = order_by_rows(recognise(fabric_), graph_, pieces_))
        add(std::move(*rows));
    add(orient(fabric_, graph_, pieces_, Tree::kDfs, request_.root));
    add(orient(fabric_, graph_, pieces_, Tree::kBfs, request_.root));
  }

  std::unique_ptr<Forest> lay(const Ways& ways, const std::vector<std::uint8_t>& preference = {}) {
    auto forest =
        std::make_unique<Forest>(fabric_, graph_, ways, targets_, request_.balance.ignored);
    forest->lay(preference);
    improve(*forest);
    return forest;
  }

  /// A forest whose paths make at most so many turns from down to up. If many trees cannot, it is
  /// not improved, since it will hardly be taken.
  std::unique_ptr<Forest> lay_within(const Order& order, unsigned turns) {
    const TurnLimit limit{order.orientation.rank, turns, order.up_down(graph_)};
    auto forest = std::make_unique<Forest>(fabric_, graph_, shortest_, targets_,
                                           request_.balance.ignored, &limit);
    forest->lay();
    if (forest->limited_trees() * kMostLimited < targets_.size()) improve(*forest);
    return forest;
  }

  void improve(Forest& forest) {
    StableRandom random(1);
    for (std::size_t round = 0; round < rounds_; ++round) {
      if (request_.progress) request_.progress(round, rounds_);
      const std::size_t changes = forest.improve(random);
      const std::size_t entries = forest.targets().size() * fabric_.num_switches();
      if (changes == 0 || (entries > kSmall && changes * kWorthARound < entries)) break;
    }
    if (request_.progress) request_.progress(rounds_, rounds_);
  }

  std::unique_ptr<Forest> make_aim() {
    std::unique_ptr<Forest> aim = lay(shortest_);
    const std::vector<std::uint8_t> dimensions = find_dimensions(graph_);
    if (dimensions.empty()) return aim;
    std::unique_ptr<Forest> in_order = lay(shortest_, dimensions);
    return in_order->cost() <= aim->cost() ? std::move(in_order) : std::move(aim);
  }

  /// Takes the forest as it is, on one VL, if it cannot deadlock there. Further LIDs repeat the
  /// base LIDs' paths, so with more VLs layers serve them better.
  bool one_vl(const Forest& forest) {
    if (further_ && request_.max_vls > 1 && request_.max_sls > 1) return false;
    std::optional<SpanningTree> tree = tree_on_one_vl(fabric_, graph_, pieces_, forest);
    if (!tree) return false;
    write(forest);
    routing_.multicast = std::move(tree);
    routing_.remarks.emplace_back("one VL: the shortest paths have no cycle of dependencies");
    if (further_)
      routing_.remarks.emplace_back("on one VL all LIDs of a host have the path of its base LID");
    return true;
  }

  void write(const Forest& forest) {
    routing_.tables = Tables(fabric_);
    write_base(fabric_, graph_, forest, routing_.tables);
    if (further_) repeat_base(fabric_, routing_.tables);
  }

  /// Makes tables of the forest with so many VLs. Returns false if SLs or VLs do not suffice.
  bool fit(const Forest& forest, const Order& order, unsigned vls) {
    if (forest.most_turns(order.orientation.rank) >= vls) return false;
    write(forest);
    SymmetricLayers layers = layer(order, vls, vls);
    if (!layers.found) return false;
    if (further_) add_further(forest, order, layers);
    routing_.multicast = layers.multicast;
    routing_.remarks.push_back(
        fmt::format("both directions of every pair are on one SL: {} SL{}, {} VL{}", layers.sls,
                    layers.sls == 1 ? "" : "s", layers.vls, layers.vls == 1 ? "" : "s"));
    if (forest.limited_trees() > 0)
      routing_.remarks.push_back(
          fmt::format("{} of {} trees are up*/down*: with more VLs paths would be shorter",
                      forest.limited_trees(), targets_.size()));
    return true;
  }

  SymmetricLayers layer(const Order& order, unsigned least_vls, unsigned max_vls) {
    return layer_both_directions(fabric_, order.orientation, least_vls, max_vls, request_.max_sls,
                                 routing_.tables);
  }

  /// Replaces the paths of further LIDs, which repeat the base LIDs', by others: the more different
  /// ones first.
  void add_further(const Forest& base, const Order& order, SymmetricLayers& layers) {
    for (const bool longer : {true, false})
      for (unsigned turns = request_.max_vls - 1; turns > 0; turns = turns > 2 ? 2 : turns - 1) {
        std::vector<Ways> ways;
        if (longer)
          for (unsigned i = 0; i < std::min(kWays, most_lids() - 1); ++i)
            ways.push_back(Ways::relaxed(graph_, i + 1));
        else
          ways.push_back(shortest_);
        const TurnLimit limit{order.orientation.rank, turns, order.up_down(graph_)};
        Forest forest(base, ways, further_targets(fabric_, targets_), &limit);
        forest.lay();
        improve(forest);
        const Tables before = routing_.tables;
        write_further(fabric_, graph_, forest, routing_.tables);
        const SymmetricLayers more = layer(order, 1, request_.max_vls);
        if (more.found) {
          layers = more;
          return;
        }
        routing_.tables = before;
      }
    routing_.remarks.emplace_back(
        "all LIDs of a host have the path of its base LID: others do not fit SLs and VLs");
  }

  unsigned most_lids() const {
    unsigned most = 1;
    for (const Host& host : fabric_.hosts()) most = std::max(most, host.lid_count());
    return most;
  }

  /// Up*/down* paths on one VL, in the order with which they cost least.
  void go_up_down() {
    std::unique_ptr<Forest> best;
    double least = 0;
    const Order* in = nullptr;
    if (request_.tree == Tree::kBest && !request_.root) add_roots();
    for (const Order& order : orders_) {
      std::unique_ptr<Forest> forest = lay(order.up_down(graph_));
      const double cost = forest->cost();
      if (!further_) {  // large fabrics: one forest, and the ways of one order, at a time
        forest->finish();
        order.ways.reset();
      }
      if (best && least <= cost) continue;
      best = std::move(forest);
      least = cost;
      in = &order;
    }
    write(*best);
    routing_.multicast = in->orientation.tree;
    routing_.remarks.emplace_back("up*/down* paths on one VL");
    if (!further_) return;
    const std::vector<Ways> ways{in->up_down(graph_)};
    Forest forest(*best, ways, further_targets(fabric_, targets_), nullptr);
    forest.lay();
    improve(forest);
    write_further(fabric_, graph_, forest, routing_.tables);
  }

  /// More orders, from the most central switches, for paths that make no turn from down to up.
  void add_roots() {
    const std::vector<std::uint64_t> sums = distance_sums(graph_);
    std::vector<SwitchId> roots(fabric_.num_switches());
    std::iota(roots.begin(), roots.end(), SwitchId{0});
    std::erase_if(roots, [&](SwitchId s) { return graph_.first[s] == graph_.first[s + 1]; });
    std::ranges::sort(roots, {}, [&](SwitchId s) { return std::tuple(sums[s], s); });
    roots.resize(std::min(roots.size(), shared_ ? std::size_t{1} : kRoots));
    for (const SwitchId root : roots)
      for (const Tree tree : {Tree::kBfs, Tree::kDfs})
        orders_.push_back({orient(fabric_, graph_, pieces_, tree, root, sums)});
  }

  const Fabric& fabric_;
  const EngineRequest& request_;
  const SwitchGraph graph_;
  const Components pieces_;
  const Ways shortest_;
  bool shared_ = false;   // whether the hosts of a switch share a tree
  bool further_ = false;  // whether hosts have further LIDs
  std::size_t rounds_ = 0;
  std::vector<Target> targets_;
  std::vector<Order> orders_;
  Routing routing_;
};

Routing by_up_down(const Fabric& fabric, const EngineRequest& request, std::string remark) {
  Routing routing = find_engine("updn").compute(fabric, request);
  routing.remarks.insert(routing.remarks.begin(), std::move(remark));
  return routing;
}

double bandwidth(const Fabric& fabric, const Routing& routing) {
  const std::size_t permutations = kFlows / std::max<std::size_t>(fabric.num_hosts(), 1);
  return effective_bandwidth(
      fabric, routing.tables,
      std::clamp(static_cast<unsigned>(permutations), kPermutationsMin, kPermutationsMax), 1);
}

/// Whether tables of a closed form may replace the engine's own: a cable that is missing may double
/// the load of its ring or level, which EBB, a mean, hardly shows.
bool as_even(const Fabric& fabric, const Routing& form, const Routing& own) {
  return static_cast<double>(base_channel_load_max(fabric, form.tables)) <=
         kBusiest * static_cast<double>(base_channel_load_max(fabric, own.tables));
}

/// How many VLs are used once they are filled.
unsigned filled(const EngineRequest& request, const UsedLanes& used) {
  return used.vls * std::max(1u, copies_of(used, request.max_vls, request.max_sls));
}

/// Dimension order with datelines, if that is better on this torus than `than`, which may be on any
/// VLs. Only as the engine's own choice: dimension order knows no roots and orders.
std::optional<Routing> by_datelines(const Fabric& fabric, const EngineRequest& request,
                                    const Routing& than) {
  const auto has_one_lid = [](const Host& host) { return host.lid_count() == 1; };
  if (!request.balance.empty() || !std::ranges::all_of(fabric.hosts(), has_one_lid))
    return std::nullopt;
  const UsedLanes lanes = used_lanes(fabric, than.tables);
  if (lanes.vls < 2) return std::nullopt;
  const Regularity form = recognise(fabric);
  if (form.kind != Regularity::Kind::kTorus) return std::nullopt;
  EngineRequest alike = request;
  alike.replies = ReplyGrade::kSameSl;  // as all tables of this engine
  try {
    Routing routing = route_in_dimension_order(fabric, form, alike);
    if (request.fill_vls &&
        filled(request, used_lanes(fabric, routing.tables)) < filled(request, lanes))
      return std::nullopt;
    const double least = lanes.vls > 2 ? kDatelines : 1;
    if (!as_even(fabric, routing, than) ||
        bandwidth(fabric, routing) < least * bandwidth(fabric, than))
      return std::nullopt;
    routing.remarks.emplace_back(
        "dimension order with datelines: two VLs, an SL for each set of dimensions");
    return routing;
  } catch (const InputError&) {  // a ring that lacks more than a cable, or too few SLs
    return std::nullopt;
  }
}

Routing compute_balanced(const Fabric& fabric, const EngineRequest& request) {
  check_root(fabric, request.root, "balanced");
  std::uint32_t working = 0;
  for (const Switch& s : fabric.switches()) working += !s.failed;
  if (working < 2) return find_engine("updn").compute(fabric, request);
  if (fabric.num_switches() > kMostSwitches)
    return by_up_down(
        fabric, request,
        fmt::format("updn was chosen: the fabric has more than {} switches", kMostSwitches));
  std::string why;
  const bool by_levels = request.tree == Tree::kBest && !request.root;
  if (by_levels && find_fat_tree(fabric, request.hints, why))
    return by_up_down(fabric, request, "the fabric is a fat tree: its levels decide");
  Routing routing = Balanced(fabric, request).run();
  if (by_levels && !request.hints.empty())
    routing.remarks.push_back(
        fmt::format("with the given {} the fabric is no tree ({})",
                    request.hints.roots.empty() ? "compute or I/O nodes" : "roots", why));
  if (by_levels && find_near_tree(fabric, request.hints)) {
    Routing levels =
        by_up_down(fabric, request, "most of the fabric is a fat tree: its levels decide");
    if (as_even(fabric, levels, routing) && bandwidth(fabric, levels) >= bandwidth(fabric, routing))
      return levels;
  }
  if (by_levels)
    if (std::optional<Routing> datelines = by_datelines(fabric, request, routing))
      return *std::move(datelines);
  return routing;
}

}  // namespace

extern const Engine kBalanced = {
    .name = "balanced",
    .facts =
        {
            .topologies = "any",
            .theorem =
                "in each piece of the fabric every two switches have a path; both directions of a "
                "pair are on one SL, and along a path the VL never falls and rises at each turn "
                "from a down channel into an up channel, so that the channel dependency graph is "
                "acyclic, replies between any LIDs included; with one VL no path makes such a turn "
                "(or the shortest paths have no cycle as they are); on a torus with one LID a host "
                "it may be dimension order with datelines, by dor's theorem",
            .tolerated_faults =
                "0 with the tables as they are; any that leave the fabric connected, once they are "
                "computed again",
            .vls = "1 on fat trees, meshes and HyperX, else 2 or more as the paths need, never "
                   "more than there are; one suffices, with longer paths",
            .sls = "1 to 16, as the paths need; one suffices, with longer paths",
            .lmc = "any; the LIDs of a host have paths as different as VLs and SLs permit",
            .memory = "O(N·D) bytes of trees beside the LFTs, and two bytes for each cable and "
                      "switch on fabrics of up to 16 million of these",
            .time = "O(N·D·diameter) for each of up to ten rounds, and the layers",
            .after_a_fault = "computed again, any route may change, and with it its SL",
            .deadlock_free = true,
        },
    .compute = &compute_balanced,
};

}  // namespace selvedge
