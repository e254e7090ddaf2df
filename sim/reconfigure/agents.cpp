// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/reconfigure/agents.hpp"

#include <algorithm>

namespace selvedge::sim {

Agents::Agents(const Fabric& fabric, const Tables& tables, Subnet& subnet, unsigned token_bytes)
    : fabric_(fabric),
      tables_(tables),
      subnet_(subnet),
      epochs_(fabric.num_switches()),
      layers_(fabric.num_switches()),
      host_layers_(fabric.num_hosts()),
      token_bytes_(token_bytes),
      separations_(fabric.num_switches()),
      tokens_of_(fabric.num_hosts()) {}

void Agents::set_port(Channel port, bool down, Tick at) { ports_[port] = {port, down, at}; }

std::vector<Agents::PortState> Agents::changed_ports(SwitchId at) const {
  std::vector<PortState> found;
  const Channel first = fabric_.channel(at, 0);
  for (auto i = ports_.lower_bound(first);
       i != ports_.end() && i->first <= first + fabric_.node(at).ports; ++i)
    found.push_back(i->second);
  return found;
}

void Agents::apply(const Write& write) {
  if (write.layer != Write::LayerStep::kNone) return apply_layer(write);
  if (write.token != Write::TokenStep::kNone) return apply_token(write);
  if (!write.epoch) return take_effect(write);
  if (*write.epoch <= epochs_[write.at.id]) return;  // a repetition, or of an aborted change
  std::map<unsigned, Write>& parts = parts_[write.at.id];
  // Parts of an aborted change are of no use to the next one, and late ones are not either.
  if (!parts.empty() && *parts.begin()->second.epoch < *write.epoch) parts.clear();
  if (!parts.empty() && *parts.begin()->second.epoch > *write.epoch) return;
  parts[write.part] = write;
  if (parts.size() < write.parts) return;
  for (const auto& [part, one] : parts) take_effect(one);
  epochs_[write.at.id] = *write.epoch;
  subnet_.set_epoch(write.at.id, *write.epoch);
  parts.clear();
}

void Agents::apply_layer(const Write& write) {
  const bool of_switch = write.at.kind == SmpEnd::Kind::kSwitch;
  Layer& layer = (of_switch ? layers_ : host_layers_)[write.at.id];
  if (write.layer == Write::LayerStep::kUse) {
    if (write.change != layer.change || layer.state == Layer::State::kUsed) return;  // a repetition
    layer.state = Layer::State::kUsed;
    if (!of_switch) return take_effect(write);
    for (const auto& [part, one] : layer.parts) take_effect(one);
    layer.parts.clear();
    return subnet_.set_layering(write.at.id, Layering::kEscaping);
  }
  if (write.change < layer.change) return;  // of an aborted change
  if (write.change > layer.change) {
    if (of_switch && layer.state != Layer::State::kDraining) ++draining_;
    layer = {.state = Layer::State::kDraining, .change = write.change};
    if (!of_switch) return take_effect(write);
    subnet_.set_layering(write.at.id, Layering::kDraining);
  }
  if (write.layer == Write::LayerStep::kTable && layer.state == Layer::State::kDraining)
    layer.parts[write.part] = write;
}

/// Whether a switch has its next table, and no packet of VL 1 is in it or can come to it. Of the
/// far ends of its cables it learns by a protocol that costs nothing here (decision 0092).
bool Agents::is_emptied(SwitchId at) const {
  const Layer& layer = layers_[at];
  if (layer.parts.empty() || layer.parts.size() < layer.parts.begin()->second.parts) return false;
  for (unsigned port = 1; port <= fabric_.node(at).ports; ++port) {
    const Channel out = fabric_.channel(at, static_cast<PortNum>(port));
    const Channel in = fabric_.peer(out);
    if (in == kNoChannel) continue;
    if (!subnet_.is_clear(out, 1) || !subnet_.is_clear(in, 1)) return false;
    if (const auto state = ports_.find(out); state != ports_.end() && state->second.down) continue;
    const Layer& far = fabric_.from_switch(in) ? layers_[fabric_.switch_of(in)]
                                               : host_layers_[fabric_.host_of(in)];
    if (far.change != layer.change) return false;
  }
  return true;
}

void Agents::write_next_table(SwitchId at, const std::map<unsigned, Write>& parts) {
  std::vector<PortNum> lft(tables_.lft(at).begin(), tables_.lft(at).end());
  for (const auto& [part, one] : parts)
    for (const LftEntry& entry : one.lft) lft[entry.dlid] = entry.port;
  const std::span<const PortNum> all(lft);
  for (std::size_t first = 0; first < all.size(); first += kLftBlockEntries)
    subnet_.write_layer_block(
        at, static_cast<unsigned>(first / kLftBlockEntries),
        all.subspan(first, std::min<std::size_t>(kLftBlockEntries, all.size() - first)));
}

std::vector<SwitchId> Agents::look_at_layers() {
  std::vector<SwitchId> emptied;
  for (SwitchId s = 0; s < layers_.size() && draining_ > 0; ++s) {
    if (layers_[s].state != Layer::State::kDraining || !is_emptied(s)) continue;
    emptied.push_back(s);
  }
  for (const SwitchId s : emptied) {
    layers_[s].state = Layer::State::kEmptied;
    --draining_;
    write_next_table(s, layers_[s].parts);
    subnet_.set_layering(s, Layering::kSeparate);
  }
  return emptied;
}

void Agents::apply_token(const Write& write) {
  if (write.at.kind == SmpEnd::Kind::kHost) {
    if (write.change <=
        std::exchange(tokens_of_[write.at.id], std::max(tokens_of_[write.at.id], write.change)))
      return;  // a repetition
    open(fabric_.injection(write.at.id));
    return subnet_.send_tokens(write.at.id, token_bytes_);
  }
  Separation& here = separations_[write.at.id];
  if (write.change < here.change || here.begun) return;  // of an aborted change, or a repetition
  if (write.change > here.change) here = {.change = write.change};
  if (write.token == Write::TokenStep::kTable && !here.ended) here.parts[write.part] = write;
  if (write.token == Write::TokenStep::kSend) here.told = true;
  if (here.told && !here.ended && here.has_table()) begin(write.at.id);
}

/// A switch that has its next table begins to separate.
void Agents::begin(SwitchId at) {
  Separation& here = separations_[at];
  here.begun = true;
  ++separating_;
  write_next_table(at, here.parts);
  std::vector<Turn> turns;
  for (const auto& [part, one] : here.parts) {
    turns.insert(turns.end(), one.turns.begin(), one.turns.end());
    for (const PortNum port : one.ports) open(fabric_.channel(at, port));
  }
  subnet_.begin_tokens(at, turns, token_bytes_);
}

void Agents::close(Channel restored) {
  for (const Channel c : {restored, fabric_.peer(restored)})
    if (closed_.insert(c).second) subnet_.open(c, false);
}

void Agents::open(Channel c) {
  if (closed_.erase(c) > 0) subnet_.open(c, true);
}

std::vector<SwitchId> Agents::look_at_tokens() {
  std::vector<SwitchId> all;
  for (SwitchId s = 0; s < separations_.size() && separating_ > 0; ++s) {
    Separation& here = separations_[s];
    if (!here.begun || !subnet_.tokens_done(s)) continue;
    for (const auto& [part, one] : here.parts) take_effect(one);
    subnet_.end_tokens(s);
    here = {.change = here.change, .ended = true};
    --separating_;
    all.push_back(s);
  }
  return all;
}

std::vector<SwitchId> Agents::look() {
  std::vector<SwitchId> all = look_at_layers();
  std::ranges::move(look_at_tokens(), std::back_inserter(all));
  return all;
}

void Agents::take_effect(const Write& write) {
  if (write.at.kind == SmpEnd::Kind::kHost) {
    const HostId host = write.at.id;
    for (const PathEntry& path : write.paths) subnet_.write_path(host, path.to, path.dlid, path.sl);
    if (write.host_row) subnet_.write_host_sl2vl(host, *write.host_row);
    if (write.hold) subnet_.hold(host, *write.hold);
    return;
  }
  const SwitchId at = write.at.id;
  std::set<unsigned> blocks;
  for (const LftEntry& entry : write.lft) {
    tables_.set_next(at, entry.dlid, entry.port);
    blocks.insert(entry.dlid / kLftBlockEntries);
  }
  const std::span<const PortNum> lft = tables_.lft(at);
  for (const unsigned block : blocks) {
    const std::size_t first = std::size_t{block} * kLftBlockEntries;
    subnet_.write_lft_block(
        at, block, lft.subspan(first, std::min<std::size_t>(kLftBlockEntries, lft.size() - first)));
  }
  if (write.row) {
    tables_.sl2vl.set(at, write.row->in, write.row->out, write.row->row);
    subnet_.write_sl2vl(at, write.row->in, write.row->out, write.row->row);
  }
}

}  // namespace selvedge::sim
