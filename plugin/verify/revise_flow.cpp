// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/revise_flow.hpp"

#include <algorithm>
#include <tuple>

namespace selvedge::prover {

FlowRevision::FlowRevision(Proof::State& state, const Fabric& fabric, const Change& change)
    : state_(state),
      fabric_(fabric),
      change_(change),
      journals_(state.graphs.size()),
      redo_(state.wiring.switches),
      downstream_(state.wiring.switches),
      dirty_(state.wiring.switches),
      pending_(state.wiring.switches, 0),
      sls_(state.wiring.switches, 0),
      tree_(state.wiring),
      flow_(state.wiring, state.rules, *change.after().sl2vl) {}

void FlowRevision::revise(Lid dlid, std::span<const ChangedEntry> changed_entries, bool looped) {
  for (ScopeGraph& graph : state_.graphs) {
    if (graph.simple) {
      revise_simple(dlid, changed_entries);
    } else if (looped) {
      revise_whole(graph, dlid);
    } else {
      revise_graph(graph, dlid, changed_entries);
    }
  }
}

/// For a simple graph (ScopeGraph::simple): adds (`in`) or removes the turn that packets from
/// switch y make at their next switch.
void FlowRevision::simple_turn(const View& view, Lid dlid, SwitchId y, bool in) {
  const Wiring& w = *view.wiring;
  const Channel c = view.forward(y, dlid);
  if (c == kNoChannel) return;
  const Vl from = only_vl(state_.rules, *view.sl2vl, y);
  state_.vl_uses[from] += in ? 1 : std::uint64_t(-1);
  const SwitchId x = w.to[c];
  const Channel out = view.forward(x, dlid);
  if (out == kNoChannel) return;
  Dependencies& dependencies = state_.graphs.front().dependencies;
  const auto cell = dependencies.cell(
      {x, w.arrival[c], w.port(out), from, only_vl(state_.rules, *view.sl2vl, x)});
  in ? add_turn(dependencies, cell, &journals_.front())
     : remove_turn(dependencies, cell, &journals_.front());
}

/// Notes the children of changed switches (the switches that forward to them): their packets turn
/// differently there. (A switch that became or ceased to be a child is itself changed.)
void FlowRevision::gather_children(Lid dlid, std::span<const ChangedEntry> changed_entries) {
  for (const ChangedEntry& entry : changed_entries)
    if (!entry.replies_only)
      each_child(change_.after(), entry.at, dlid, [&](SwitchId y, Channel) { redo_.add(y); });
}

void FlowRevision::revise_simple(Lid dlid, std::span<const ChangedEntry> changed_entries) {
  redo_.clear();
  for (const ChangedEntry& entry : changed_entries)
    if (!entry.replies_only) redo_.add(entry.at);
  gather_children(dlid, changed_entries);
  for (const SwitchId y : redo_.list()) {
    simple_turn(change_.after(), dlid, y, true);
    simple_turn(change_.before(), dlid, y, false);
  }
}

/// Computes which SLs leave switch s: those of packets from its own sources and from its children.
template <class Sls>
Leaving FlowRevision::gather(const View& view, Scope scope, Lid dlid, SwitchId s, Sls sls) const {
  Leaving leaving;
  const Channel c = view.forward(s, dlid);
  if (c == kNoChannel) return leaving;
  const PortNum out = view.wiring->port(c);
  const SwitchId requester =
      has_replies(scope) ? view.requester(scope, dlid) : view.wiring->nowhere();
  if (requester == view.wiring->nowhere() && has_replies(scope)) scope = Scope::kPaths;
  pass_sources(
      *view.wiring, state_.rules, *view.sl2vl, scope, s, out,
      state_.rules.representative(view.sl(s, dlid)),
      [&](HostId h) { return view.reply_sls(scope, requester, fabric_.host(h)); }, leaving);
  each_child(view, s, dlid, [&](SwitchId y, Channel at) {
    pass(sls(y), view.sl2vl->row(s, view.wiring->port(at), out), leaving);
  });
  return leaving;
}

void FlowRevision::turns(const ScopeGraph& graph, const View& view, Lid dlid, SwitchId y,
                         const Leaving& leaving, Cells& cells) const {
  cells.clear();
  const Wiring& w = *view.wiring;
  const Channel c = view.forward(y, dlid);
  if (c == kNoChannel) return;
  const SwitchId x = w.to[c];
  const Channel o = view.forward(x, dlid);
  if (o == kNoChannel) return;
  const PortNum in = w.arrival[c], out = w.port(o);
  for_each_turn(leaving, view.sl2vl->row(x, in, out), [&](Vl from, Vl to) {
    cells.push_back(graph.dependencies.cell({x, in, out, from, to}));
  });
}

void FlowRevision::replace(ScopeGraph& graph, Lid dlid, SwitchId y, const Leaving& was,
                           const Leaving& is) {
  if (graph.scope == Scope::kPaths) {
    const VlMask old_vls = was.all_vls(), new_vls = is.all_vls();
    for (unsigned v = 0; v < kSls; ++v)
      state_.vl_uses[v] += std::uint64_t((new_vls >> v) & 1) - ((old_vls >> v) & 1);
  }
  turns(graph, change_.before(), dlid, y, was, old_cells_);
  turns(graph, change_.after(), dlid, y, is, new_cells_);
  if (old_cells_ == new_cells_) return;
  Journal& journal = journals_[static_cast<std::size_t>(&graph - state_.graphs.data())];
  for (const auto cell : new_cells_) add_turn(graph.dependencies, cell, &journal);
  for (const auto cell : old_cells_) remove_turn(graph.dependencies, cell, &journal);
}

/// Follows the paths from the changed switches, children before parents, until the SLs that leave a
/// switch no longer differ.
void FlowRevision::revise_graph(ScopeGraph& graph, Lid dlid,
                                std::span<const ChangedEntry> changed_entries) {
  const View &before = change_.before(), &after = change_.after();
  const std::uint32_t switches = state_.wiring.switches;
  redo_.clear();
  downstream_.clear();
  dirty_.clear();
  auto seed = [&](SwitchId s) {
    dirty_.add(s);
    while (downstream_.add(s)) {
      const Channel c = after.forward(s, dlid);
      if (c == kNoChannel) break;
      s = after.wiring->to[c];
    }
  };
  for (const ChangedEntry& entry : changed_entries) {
    if (entry.replies_only && !has_replies(graph.scope)) continue;
    seed(entry.at);
    redo_.add(entry.at);
    if (const Channel c = before.forward(entry.at, dlid); c != kNoChannel)
      seed(before.wiring->to[c]);  // the old next hop may have lost a child
  }
  gather_children(dlid, changed_entries);

  for (const SwitchId s : downstream_.list()) pending_[s] = 0;
  for (const SwitchId s : downstream_.list())
    if (const Channel c = after.forward(s, dlid); c != kNoChannel) ++pending_[after.wiring->to[c]];
  queue_.clear();
  for (const SwitchId s : downstream_.list()) {
    sls_[s] = graph.leaving_at(dlid, s, switches);
    if (pending_[s] == 0) queue_.push_back(s);
  }
  auto old_sls = [&](SwitchId s) { return graph.leaving_at(dlid, s, switches); };
  auto new_sls = [&](SwitchId s) { return downstream_.has(s) ? sls_[s] : old_sls(s); };
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const SwitchId s = queue_[i];
    const Channel c = after.forward(s, dlid);
    if (dirty_.has(s)) {
      const Leaving was = gather(before, graph.scope, dlid, s, old_sls);
      const Leaving is = gather(after, graph.scope, dlid, s, new_sls);
      sls_[s] = is.sls;
      if (!(was == is)) redo_.add(s);
      const bool parent_sees = was.sls != is.sls || before.forward(s, dlid) != c;
      if (parent_sees && c != kNoChannel) dirty_.add(after.wiring->to[c]);
    }
    if (c != kNoChannel && --pending_[after.wiring->to[c]] == 0)
      queue_.push_back(after.wiring->to[c]);
  }
  for (const SwitchId y : redo_.list())
    replace(graph, dlid, y, gather(before, graph.scope, dlid, y, old_sls),
            gather(after, graph.scope, dlid, y, new_sls));
  for (const SwitchId s : downstream_.list()) graph.leaving_at(dlid, s, switches) = sls_[s];
}

/// Removes the whole tree of a DLID that loops and adds it again: on a loop there is no order of
/// children before parents.
void FlowRevision::revise_whole(ScopeGraph& graph, Lid dlid) {
  const View& after = change_.after();
  const std::uint32_t switches = state_.wiring.switches;
  next_column_.resize(switches);
  sl_column_.resize(switches);
  for (SwitchId s = 0; s < switches; ++s) {
    next_column_[s] = after.next(s, dlid);
    sl_column_[s] = after.sl(s, dlid);
  }
  tree_.load(dlid, next_column_.data());
  const SwitchId requester =
      has_replies(graph.scope) ? after.requester(graph.scope, dlid) : after.wiring->nowhere();
  const bool asks = requester != after.wiring->nowhere();
  if (asks) {
    replies_.resize(fabric_.num_hosts());
    for (HostId h = 0; h < fabric_.num_hosts(); ++h)
      replies_[h] = after.reply_sls(graph.scope, requester, fabric_.host(h));
  }
  flow_.run(tree_, graph.scope, sl_column_.data(), asks ? replies_.data() : nullptr);
  auto old_sls = [&](SwitchId s) { return graph.leaving_at(dlid, s, switches); };
  for (SwitchId y = 0; y < switches; ++y)
    replace(graph, dlid, y, gather(change_.before(), graph.scope, dlid, y, old_sls),
            flow_.leaving(y));
  for (SwitchId s = 0; s < switches; ++s)
    graph.leaving_at(dlid, s, switches) = flow_.leaving(s).sls;
}

void FlowRevision::finish() {
  for (std::size_t i = 0; i < state_.graphs.size(); ++i) settle(state_.graphs[i], journals_[i]);
}

void FlowRevision::settle(ScopeGraph& graph, Journal& journal) {
  if (!graph.order.holds()) {
    graph.order.build(state_.wiring, graph.dependencies);
    return;
  }
  // A turn is new if it exists now and did not exist before its first entry in the journal.
  std::stable_sort(journal.begin(), journal.end(),
                   [](const JournalEntry& a, const JournalEntry& b) { return a.cell < b.cell; });
  Cells fresh;
  for (std::size_t i = 0; i < journal.size(); ++i)
    if ((i == 0 || journal[i].cell != journal[i - 1].cell) && !journal[i].before &&
        graph.dependencies.has(journal[i].cell))
      fresh.push_back(journal[i].cell);
  constexpr std::size_t kAtOnce = 64;  // beyond about this many new turns a full sort is cheaper
  if (fresh.size() > kAtOnce + graph.dependencies.size() / 8) {
    graph.order.build(state_.wiring, graph.dependencies);
    return;
  }
  std::vector<std::uint16_t> counts;
  for (const auto cell : fresh) counts.push_back(graph.dependencies.set_aside(cell));
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    graph.dependencies.put_back(fresh[i], counts[i]);
    if (graph.order.holds())
      graph.order.insert(state_.wiring, graph.dependencies, graph.dependencies.turn(fresh[i]));
  }
}

}  // namespace selvedge::prover
