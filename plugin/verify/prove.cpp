// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The full proof. It handles one destination tree (all paths to one DLID) after the other. LFTs are
// stored by switch, but a tree needs the entries of all switches for one DLID. So LFT entries are
// transposed for 64 DLIDs at a time: one cache line of each switch's LFT.
#include <algorithm>
#include <utility>

#include "plugin/verify/disjoint.hpp"
#include "plugin/verify/fingerprint.hpp"
#include "plugin/verify/state.hpp"

namespace selvedge::prover {
namespace {

constexpr unsigned kBlock = 64;

/// The entries of all switches for a block of DLIDs: one column of bytes for each DLID, indexed by
/// switch.
class Columns {
 public:
  explicit Columns(std::uint32_t switches)
      // The columns are an odd number of cache lines apart. So they spread over a cache's sets.
      : switches_(switches), stride_(((switches / 64 + 1) | 1) * std::size_t{64}) {
    bytes_.resize(stride_ * kBlock);
  }
  template <class Row>
  void load(unsigned first, unsigned count, Row row) {
    for (SwitchId s = 0; s < switches_; ++s) {
      const std::uint8_t* from = row(s) + first;
      for (unsigned i = 0; i < count; ++i) bytes_[i * stride_ + s] = from[i];
    }
  }
  const std::uint8_t* column(unsigned i) const { return bytes_.data() + i * stride_; }

 private:
  std::uint32_t switches_;
  std::size_t stride_;
  std::vector<std::uint8_t> bytes_;
};

class Prover {
 public:
  Prover(Proof::State& state, const Fabric& fabric, const Tables& tables,
         const FurtherSls* further);
  void run();

 private:
  void prove_lid(Lid dlid, const PortNum* next, const Sl* sls);
  void add_simple(ScopeGraph& graph);
  void add_flow(ScopeGraph& graph, Lid dlid, const Sl* sls);
  void reach(Lid dlid, const Sl* sls);
  void count_dropped_replies(Scope scope, Lid dlid, HostId requester);
  void close_host(HostId destination);
  const SlMask* replies_to(Scope scope, Lid dlid);
  template <class F>
  void each_source(SwitchId destination_switch, F f) const;

  Proof::State& state_;
  const Fabric& fabric_;
  const Tables& tables_;
  const Wiring& wiring_;
  RowMasks rows_;
  View view_;
  DestinationTree tree_;
  SlFlow flow_;
  std::vector<Dependencies::Cell> entry_, exit_;  // per channel; used if ScopeGraph::simple
  std::vector<Vl> vl_;                            // per switch: its only VL, for simple graphs
  std::vector<SlMask> further_;  // per switch: further SLs of paths to the current DLID; or empty
  /// For one scope: per host the SLs of its replies to hosts on one switch.
  struct RepliesTo {
    SwitchId requester = kNoSwitch;
    std::vector<SlMask> sls;
  };
  RepliesTo base_replies_, all_replies_;
  std::vector<bool> reachable_;  // per switch: whether its path leads to the LID's owner
  /// LIDs of a destination that a source does not reach. `excused`: need not reach
  /// (View::excused())
  struct Failing {
    std::uint16_t lids = 0, excused = 0;
  };
  std::vector<Failing> failing_lids_;  // per source host
  std::vector<HostId> failing_;        // source hosts that do not reach some LID
};

Prover::Prover(Proof::State& state, const Fabric& fabric, const Tables& tables,
               const FurtherSls* further)
    : state_(state),
      fabric_(fabric),
      tables_(tables),
      wiring_(state.wiring),
      rows_(tables.sl2vl),
      view_{&state.wiring, &tables, &tables.sl2vl, &rows_, &state.rules, nullptr, nullptr, further},
      tree_(state.wiring),
      flow_(state.wiring, state.rules, tables.sl2vl),
      failing_lids_(fabric.num_hosts()) {
  const ScopeGraph& paths = state.graphs.front();
  if (!paths.simple) return;
  for (SwitchId s = 0; s < wiring_.switches; ++s)
    vl_.push_back(only_vl(state.rules, tables.sl2vl, s));
  entry_.assign(wiring_.owner.size(), 0);
  exit_.assign(wiring_.owner.size(), 0);
  for (Channel c = 0; c < wiring_.owner.size(); ++c) {
    const Vl vl = vl_[wiring_.owner[c]];
    if (wiring_.to[c] != wiring_.nowhere())
      entry_[c] = paths.dependencies.entry(wiring_.to[c], wiring_.arrival[c], vl);
    exit_[c] = paths.dependencies.exit(wiring_.port(c), vl);
  }
}

void Prover::run() {
  const unsigned lids = tables_.top_lid() + 1u;
  Columns next(wiring_.switches), sls(wiring_.switches);
  std::vector<Sl> sl_row(lids);
  LidOwner owner;
  for (unsigned first = 0; first < lids; first += kBlock) {
    const unsigned count = std::min(kBlock, lids - first);
    next.load(first, count, [&](SwitchId s) { return tables_.lft(s).data(); });
    if (!tables_.one_sl())
      sls.load(0, count, [&](SwitchId s) {
        for (unsigned i = 0; i < count; ++i) sl_row[i] = tables_.sl(s, static_cast<Lid>(first + i));
        return sl_row.data();
      });
    for (unsigned i = first == 0 ? 1 : 0; i < count; ++i) {
      const auto dlid = static_cast<Lid>(first + i);
      if (owner.kind == LidOwner::Kind::kHost && wiring_.lid_owner[dlid] != owner)
        close_host(owner.id);
      owner = wiring_.lid_owner[dlid];
      prove_lid(dlid, next.column(i), tables_.one_sl() ? nullptr : sls.column(i));
    }
    if (const auto& progress = state_.options.progress)
      progress(first + count, lids + (state_.options.disjoint != 0 ? fabric_.num_hosts() : 0));
  }
  if (owner.kind == LidOwner::Kind::kHost) close_host(owner.id);
}

void Prover::prove_lid(Lid dlid, const PortNum* next, const Sl* sls) {
  tree_.load(dlid, next);
  if (view_.further != nullptr) {
    further_.resize(wiring_.switches);
    for (SwitchId s = 0; s < wiring_.switches; ++s) further_[s] = view_.further->at(s, dlid);
  }
  state_.loops[dlid] = tree_.loops();
  state_.looping_lids += tree_.loops();
  for (ScopeGraph& graph : state_.graphs) {
    if (graph.simple) {
      add_simple(graph);
    } else {
      add_flow(graph, dlid, sls);
    }
  }
  reach(dlid, sls);
}

/// Adds the turns of one destination tree to a simple graph. There every switch is a source, no
/// packet is dropped, and the VL depends on the switch alone. So each switch whose next hop
/// forwards to a switch causes exactly one turn at that next hop.
void Prover::add_simple(ScopeGraph& graph) {
  for (SwitchId y = 0; y < tree_.size(); ++y) {
    if (!tree_.forwards(y)) continue;
    ++state_.vl_uses[vl_[y]];
    const SwitchId x = tree_.parent(y);
    if (tree_.forwards(x)) graph.dependencies.add(entry_[tree_.out(y)] + exit_[tree_.out(x)]);
  }
}

void Prover::add_flow(ScopeGraph& graph, Lid dlid, const Sl* sls) {
  flow_.run(tree_, graph.scope, sls,
            has_replies(graph.scope) ? replies_to(graph.scope, dlid) : nullptr,
            further_.empty() ? nullptr : further_.data());
  flow_.for_each(tree_, [&](const Turn& t) { graph.dependencies.add(graph.dependencies.cell(t)); });
  for (SwitchId s = 0; s < tree_.size(); ++s) {
    const Leaving& leaving = flow_.leaving(s);
    graph.leaving_at(dlid, s, tree_.size()) = leaving.sls;
    if (graph.scope != Scope::kPaths) continue;
    for (VlMask vls = leaving.all_vls(); vls != 0; vls &= static_cast<VlMask>(vls - 1))
      ++state_.vl_uses[static_cast<unsigned>(std::countr_zero(vls))];
  }
}

/// For each host the SL classes of its replies to the owner of a LID; nullptr if no replies of this
/// scope have the LID.
const SlMask* Prover::replies_to(Scope scope, Lid dlid) {
  const SwitchId requester = view_.requester(scope, dlid);
  if (requester == wiring_.nowhere()) return nullptr;
  RepliesTo& known = scope == Scope::kBase ? base_replies_ : all_replies_;
  if (requester != known.requester) {
    known.requester = requester;
    known.sls.resize(fabric_.num_hosts());
    for (HostId h = 0; h < fabric_.num_hosts(); ++h)
      known.sls[h] = view_.reply_sls(scope, requester, fabric_.host(h));
  }
  return known.sls.data();
}

/// Calls f(host with its port, its switch) for the hosts that are physically connected to a switch.
template <class F>
void Prover::each_source(SwitchId destination_switch, F f) const {
  for (SwitchId s = 0; s < wiring_.switches; ++s) {
    if (wiring_.component[s] != wiring_.component[destination_switch]) continue;
    for (const Wiring::Attached& a : wiring_.attached(s)) f(a, s);
  }
}

void Prover::reach(Lid dlid, const Sl* sls) {
  const LidOwner owner = wiring_.lid_owner[dlid];
  const SwitchId destination_switch = wiring_.end[dlid].at;
  if (destination_switch == wiring_.nowhere()) return;
  const bool drops = state_.rules.drops;
  const bool replies = drops && state_.options.replies && owner.kind == LidOwner::Kind::kHost;
  std::uint32_t without = tree_.resolve(nullptr);
  if (replies) {
    reachable_.resize(wiring_.switches);
    for (SwitchId s = 0; s < wiring_.switches; ++s) reachable_[s] = tree_.arriving(s) != 0;
  }
  if (drops) without = tree_.resolve(&rows_);
  if (replies)
    for (const Scope scope : {Scope::kBase, Scope::kReplies})
      count_dropped_replies(scope, dlid, owner.id);
  if (without == 0 && !drops) return;

  const bool to_host = owner.kind == LidOwner::Kind::kHost;
  each_source(destination_switch, [&](const Wiring::Attached& a, SwitchId s) {
    if (to_host && a.host == owner.id) return;
    SlMask mask = tree_.arriving(s);
    if (drops && mask != 0) {
      const SlMask own =
          bit(sls == nullptr ? Sl{0} : sls[s]) | (further_.empty() ? SlMask{0} : further_[s]);
      mask &= state_.rules.from_hosts & rows_.passing(s, a.port, tree_.out_port(s));
      if ((own & ~mask) != 0) mask = 0;  // a packet on one of its SLs is dropped
    }
    if (mask != 0) return;
    if (!to_host) {
      ++state_.failed_of_switch[owner.id];
      return;
    }
    Failing& failing = failing_lids_[a.host];
    if (failing.lids + failing.excused == 0) failing_.push_back(a.host);
    ++(view_.excused(s, dlid) ? failing.excused : failing.lids);
  });
}

void Prover::count_dropped_replies(Scope scope, Lid dlid, HostId requester) {
  const SlMask* reply_sls = replies_to(scope, dlid);
  if (reply_sls == nullptr) return;
  std::uint32_t& dropped =
      (scope == Scope::kBase ? state_.dropped_base : state_.dropped_replies)[dlid];
  each_source(wiring_.host_at[requester], [&](const Wiring::Attached& a, SwitchId s) {
    if (a.host == requester || !reachable_[s]) return;
    const SlMask passing =
        tree_.arriving(s) & state_.rules.from_hosts & rows_.passing(s, a.port, tree_.out_port(s));
    dropped += (reply_sls[a.host] & ~passing) != 0;
  });
}

/// Adds up the pairs that fail for a destination, after its last LID.
void Prover::close_host(HostId destination) {
  const unsigned all = fabric_.host(destination).lid_count();
  for (const HostId source : failing_) {
    const Failing failing = std::exchange(failing_lids_[source], {});
    state_.failed_of_host[destination] +=
        failing.lids + failing.excused == all || (!state_.options.any_lid && failing.lids > 0);
  }
  failing_.clear();
}

SlMask count_sls(Proof::State& state, const Tables& tables, const FurtherSls* further) {
  for (SwitchId s = 0; further != nullptr && s < tables.num_switches(); ++s)
    for (std::size_t lid = 1; lid < tables.lft(s).size(); ++lid)
      if (tables.lft(s)[lid] != kNoPort)
        for (SlMask sls = further->at(s, static_cast<Lid>(lid)); sls != 0;
             sls &= static_cast<SlMask>(sls - 1))
          ++state.sl_uses[static_cast<unsigned>(std::countr_zero(sls))];
  for (SwitchId s = 0; s < tables.num_switches(); ++s) {
    const std::span<const PortNum> lft = tables.lft(s);
    if (tables.one_sl()) {
      const auto none = std::count(lft.begin() + 1, lft.end(), kNoPort);
      state.sl_uses[0] += lft.size() - 1 - static_cast<std::size_t>(none);
      continue;
    }
    for (std::size_t lid = 1; lid < lft.size(); ++lid)
      if (lft[lid] != kNoPort) ++state.sl_uses[tables.sl(s, static_cast<Lid>(lid))];
  }
  return sls_in_use(state.sl_uses);
}

}  // namespace

SlMask sls_in_use(const std::array<std::uint64_t, kSls>& uses) {
  SlMask used = 0;
  for (unsigned sl = 0; sl < kSls; ++sl)
    if (uses[sl] != 0) used |= bit(sl);
  return used == 0 ? bit(0) : used;
}

void prove(Proof::State& state, const Fabric& fabric, const Tables& tables,
           const FurtherSls* further) {
  if (further != nullptr && further->empty()) further = nullptr;
  const VerifyOptions options = state.options;
  state = {};
  state.options = options;
  state.fingerprint = fingerprint(tables);
  state.spare = tables.spare_lids();
  state.wiring = Wiring(fabric);
  const std::size_t lids = tables.top_lid() + std::size_t{1};
  state.loops.assign(lids, 0);
  state.dropped_replies.assign(lids, 0);
  state.dropped_base.assign(lids, 0);
  state.failed_of_host.assign(fabric.num_hosts(), 0);
  state.failed_of_switch.assign(fabric.num_switches(), 0);
  const SlMask used = count_sls(state, tables, further);
  state.rules = SlRules(tables.sl2vl, tables.host_sl2vl, fabric.num_switches(), used);

  constexpr std::size_t kSmall = std::size_t{16} << 20;
  const std::size_t bytes_max = std::max(kSmall, 2 * tables.bytes());
  auto open = [&](Scope scope, unsigned vls, bool simple) {
    ScopeGraph& graph = state.graphs.emplace_back();
    graph.scope = scope;
    graph.simple = simple;
    graph.dependencies = Dependencies(state.wiring, vls, bytes_max);
    if (!simple) graph.leaving.assign(lids * fabric.num_switches(), 0);
  };
  // SLs that every SL2VL table maps to the same VLs are one class. If all SLs of a wider scope are
  // one class, the graph for that scope equals the graph of the paths, and is not built.
  open(Scope::kPaths, state.rules.vls_used, state.rules.simple());
  if (options.replies && !state.rules.one_used_class) {
    open(Scope::kBase, state.rules.vls_used, false);
    open(Scope::kReplies, state.rules.vls_used, false);
  }
  if (options.any_sl && !state.rules.one_class) open(Scope::kAnySl, state.rules.vls_any, false);

  Prover(state, fabric, tables, further).run();
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (fabric.host(h).lid == kNoLid) state.failed_of_host[h] = sources_of(state.wiring, h);
  for (const auto& [mlid, tree] : tables.mft) prove_group_again(state, tables, mlid, nullptr);
  for (ScopeGraph& graph : state.graphs) graph.order.build(state.wiring, graph.dependencies);
  if (options.disjoint != 0) {
    Disjointness disjointness(state.wiring, state.rules, tables);
    for (HostId h = 0; h < fabric.num_hosts(); ++h) {
      state.disjoint_of_host.push_back(disjointness.fewest(fabric.host(h), h).paths);
      if (options.progress) options.progress(lids + h + 1, lids + fabric.num_hosts());
    }
  }
  conclude(state, fabric, tables, further);
}

}  // namespace selvedge::prover
