// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge::sim::test {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  /// Uniform in least … most.
  unsigned from(unsigned least, unsigned most) {
    return least + static_cast<unsigned>(random_.below(most - least + 1));
  }
  bool chance(unsigned percent) { return random_.chance(percent); }
  std::uint64_t seed() { return random_.next(); }
  template <class T>
  void shuffle(std::vector<T>& values) {
    random_.shuffle(values);
  }

 private:
  StableRandom random_;
};

Fabric draw_fabric(Draw& draw, Features features) {
  if (features.ear && draw.chance(80))
    return assign_lids(clos(draw.from(1, 4), draw.from(2, 4), draw.from(1, 4)), draw.from(0, 1));
  const bool adaptive = features.adaptive;
  const bool one_lid = draw.chance(adaptive ? 10 : 60);
  const unsigned lmc = one_lid ? 0 : draw.from(1, 2);
  switch (draw.from(0, 9)) {
    case 0:
      return assign_lids(torus({3, 3}), lmc);
    case 1:
      return assign_lids(mesh({draw.from(1, 3), draw.from(1, 3)}, draw.from(1, 2)), lmc);
    case 2:
      return assign_lids(k_ary_n_tree(2, draw.from(1, 3)), lmc);
    case 3:
      return assign_lids(clos(draw.from(1, 3), 2, draw.from(1, 2)), lmc);
    default:
      return selvedge::test::random_irregular(
          {draw.from(1, 6), draw.from(0, 5), draw.from(2, 8), lmc, draw.seed()}, {});
  }
}

/// Tables with a random tree towards each LID, in some scenarios with entries that are missing or
/// arbitrary. Paths have random SLs, and pairs of ports random SL2VL tables, some with VL 15.
Tables random_tables(const Fabric& fabric, unsigned vls, Draw& draw) {
  Tables tables(fabric);
  const bool junk = draw.chance(20);
  for (unsigned l = 1; l <= fabric.top_lid(); ++l) {
    const auto lid = static_cast<Lid>(l);
    const SwitchId destination_switch = fabric.destination_switch(lid);
    if (destination_switch == kNoSwitch) continue;
    const LidOwner owner = fabric.owner(lid);
    tables.set_next(destination_switch, lid,
                    owner.kind == LidOwner::Kind::kHost ? fabric.host(owner.id).port : PortNum{0});
    std::vector<bool> reached(fabric.num_switches());
    std::vector<Channel> ways(fabric.out(destination_switch).begin(),
                              fabric.out(destination_switch).end());
    reached[destination_switch] = true;
    while (!ways.empty()) {
      draw.shuffle(ways);
      const Channel way = ways.back();
      ways.pop_back();
      const SwitchId next = fabric.target(way);
      if (reached[next]) continue;
      reached[next] = true;
      tables.set_next(next, lid, fabric.port_of(fabric.peer(way)));
      ways.insert(ways.end(), fabric.out(next).begin(), fabric.out(next).end());
    }
    for (SwitchId s = 0; junk && s < fabric.num_switches(); ++s) {
      if (draw.chance(3)) tables.set_next(s, lid, kNoPort);
      if (draw.chance(3))
        tables.set_next(s, lid, static_cast<PortNum>(draw.from(0, fabric.node(s).ports)));
    }
  }
  if (vls == 1 && draw.chance(50)) return tables;
  const auto row = [&](bool may_drop) {
    Sl2VlRow made{};
    for (Vl& vl : made)
      vl = may_drop && junk && draw.chance(2) ? kDropVl : static_cast<Vl>(draw.from(0, vls - 1));
    return made;
  };
  tables.host_sl2vl = row(false);
  const unsigned sls = draw.from(1, 6);
  const bool by_turn = draw.chance(50);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    for (Sl& sl : tables.sls(s)) sl = static_cast<Sl>(draw.from(0, sls - 1));
    tables.sl2vl.set_all(s, row(true));
    for (unsigned in = 1; by_turn && in <= fabric.node(s).ports; ++in)
      for (unsigned out = 1; out <= fabric.node(s).ports; ++out)
        tables.sl2vl.set(s, static_cast<PortNum>(in), static_cast<PortNum>(out), row(true));
  }
  return tables;
}

Tables draw_tables(const Fabric& fabric, unsigned vls, Draw& draw, Features features) {
  if (features.ear && draw.chance(60)) {
    EngineRequest request;
    request.max_vls = vls;
    return find_engine("updn").compute(fabric, request).tables;
  }
  if (draw.chance(60)) return random_tables(fabric, vls, draw);
  EngineRequest request;
  request.max_vls = vls;
  return find_engine(draw.chance(70) ? "updn" : "spf").compute(fabric, request).tables;
}

std::vector<ArbitrationEntry> draw_entries(unsigned vls, Draw& draw) {
  std::vector<ArbitrationEntry> entries(draw.from(0, 6));
  for (ArbitrationEntry& entry : entries)
    entry = {static_cast<std::uint8_t>(draw.from(0, vls)),
             static_cast<std::uint8_t>(draw.from(0, 9))};
  return entries;
}

Model draw_model(unsigned vls, Draw& draw) {
  Model m;
  m.vls = vls;
  const auto propagation = [&] { return Tick{draw.chance(20) ? 0 : draw.from(1, 60)}; };
  m.between_switches = {draw.from(1, 3), propagation()};
  m.to_hosts = draw.chance(60) ? m.between_switches : LinkClass{draw.from(1, 3), propagation()};
  m.routing = draw.chance(10) ? 0 : draw.from(1, 40);
  m.credit_delay = draw.chance(70) ? 0 : draw.from(1, 20);
  if (draw.chance(20)) m.switching = Switching::kStoreAndForward;
  if (draw.chance(40)) m.routing_header_bytes = draw.from(1, 50);
  if (m.routing + std::min(m.between_switches.propagation, m.to_hosts.propagation) == 0)
    m.routing = 1;
  if (draw.chance(40)) m.crossbar_speedup = draw.from(2, 4);
  m.header_bytes = draw.from(1, 30);
  m.mtu_bytes = draw.from(8, draw.chance(30) ? 250 : 90);
  const unsigned packet = blocks_of(m.mtu_bytes + m.header_bytes);
  m.input_blocks = packet * draw.from(1, 3) + draw.from(0, 1);
  m.output_blocks = packet * draw.from(1, 3) + draw.from(0, 1);
  if (draw.chance(25)) m.head_of_queue_life = draw.from(1, 1200);
  if (draw.chance(25)) m.switch_life = draw.from(1, 2000);
  for (unsigned vl = 0; vl < vls; ++vl)
    m.arbitration_low.push_back({static_cast<std::uint8_t>(vl), 1});
  if (draw.chance(60)) {
    for (ArbitrationEntry& entry : m.arbitration_low)
      entry.weight = static_cast<std::uint8_t>(draw.from(1, 9));
    const std::vector<ArbitrationEntry> more = draw_entries(vls, draw);
    m.arbitration_low.insert(m.arbitration_low.end(), more.begin(), more.end());
    draw.shuffle(m.arbitration_low);
    m.arbitration_high = draw_entries(vls, draw);
    m.arbitration_high_limit = draw.chance(20) ? 255 : draw.from(0, 1);
  }
  m.hca_queue_packets = draw.chance(50) ? 100 : draw.from(1, 5);
  m.paths = static_cast<PathChoice>(draw.from(0, 2));
  return m;
}

void make_adaptive(Model& m, Draw& draw) {
  m.selection = static_cast<Selection>(draw.from(1, 5));
  m.escape_queues = draw.chance(60);
  if (draw.chance(30)) m.adaptive_hops = draw.from(1, 4);
  if (!m.escape_queues) return;
  if (draw.chance(50)) m.own_port = OwnPort::kEscape;
  const unsigned packet = blocks_of(m.mtu_bytes + m.header_bytes);
  m.input_blocks += packet;
  m.output_blocks += packet;
}

void make_self_routing(Model& m, Draw& draw) {
  m.selection = Selection::kEar;
  m.congested_bytes = draw.chance(20) ? 0 : draw.from(1, 300);
  m.settle = draw.chance(15) ? 0 : draw.from(1, 1200);
  if (draw.chance(30))
    m.throttled_byte_time =
        static_cast<double>(m.to_hosts.byte_time) * (1 + draw.from(0, 30) / 10.0);
}

/// Gives the messages classes, and the model a head-of-queue lifetime that mostly spares some
/// packets.
void make_classes(Scenario& s, Draw& draw) {
  s.model.hca_queues = draw.from(1, 4);
  for (unsigned q = 0; q < s.model.hca_queues; ++q)
    for (unsigned i = draw.from(1, 2); i > 0; --i)
      s.model.classes.push_back({static_cast<Sl>(draw.from(0, 9)), q,
                                 static_cast<PathChoice>(draw.from(0, 2)), draw.chance(50)});
  draw.shuffle(s.model.classes);
  if (draw.chance(70)) s.model.head_of_queue_life = draw.from(1, draw.chance(50) ? 200 : 1200);
  if (draw.chance(75)) s.model.drop = Drop::kSelective;
  for (Planned& one : s.plan) {
    if (!s.wakes) one.answer_after = 0;
    one.message.of_class =
        static_cast<std::uint8_t>(draw.from(0, static_cast<unsigned>(s.model.classes.size()) - 1));
    one.message.keep = static_cast<Keep>(draw.from(0, 2));
  }
  s.model.management_blocks =
      std::max(s.model.management_blocks, blocks_of(s.model.mtu_bytes + s.model.header_bytes));
}

/// A random tree over the switches that reach each other from a random one, and some of their
/// hosts; sometimes a port is missing.
MulticastTree draw_tree(const Fabric& fabric, Draw& draw) {
  MulticastTree tree(fabric.num_switches());
  std::vector<bool> reached(fabric.num_switches());
  const SwitchId root = draw.from(0, fabric.num_switches() - 1);
  std::vector<Channel> ways(fabric.out(root).begin(), fabric.out(root).end());
  reached[root] = true;
  const unsigned leave_out = draw.chance(50) ? 0 : draw.from(1, 30);
  while (!ways.empty()) {
    draw.shuffle(ways);
    const Channel way = ways.back();
    ways.pop_back();
    const SwitchId next = fabric.target(way);
    if (reached[next] || draw.chance(leave_out)) continue;
    reached[next] = true;
    tree[fabric.switch_of(way)].set(fabric.port_of(way));
    tree[next].set(fabric.port_of(fabric.peer(way)));
    ways.insert(ways.end(), fabric.out(next).begin(), fabric.out(next).end());
  }
  for (const Host& host : fabric.hosts())
    if (draw.chance(70)) tree[host.at].set(host.port);
  if (draw.chance(20)) {  // a port that has no cable, perhaps, or that the switch lacks
    const SwitchId at = draw.from(0, fabric.num_switches() - 1);
    for (unsigned port = 0; port <= fabric.node(at).ports + 1U; ++port)
      if (port == 0 || port > fabric.node(at).ports ||
          fabric.peer(fabric.channel(at, static_cast<PortNum>(port))) == kNoChannel)
        tree[at].set(port);
  }
  return tree;
}

/// Sends some of the messages to multicast LIDs, of which the last has no tree.
void make_multicast(Scenario& s, Draw& draw) {
  s.model.replication = static_cast<Replication>(draw.from(1, 5));
  s.model.central_blocks =
      blocks_of(s.model.mtu_bytes + s.model.header_bytes) * draw.from(1, 3) + draw.from(0, 1);
  const unsigned groups = draw.from(1, 4);
  for (Tables* tables : {&s.tables, &s.other_tables[0], &s.other_tables[1]})
    for (unsigned i = 0; i < groups; ++i)
      tables->mft[static_cast<Lid>(kMinMulticastLid + 3 * i)] = draw_tree(s.fabric, draw);
  const unsigned share = draw.from(10, 90);
  for (Planned& one : s.plan) {
    if (!draw.chance(share)) continue;
    one.message.to = kNoHost;
    one.message.management = false;
    one.answer_after = 0;
    one.message.mlid = static_cast<Lid>(kMinMulticastLid +
                                        3 * (draw.chance(3) ? groups : draw.from(0, groups - 1)));
  }
}

/// A directed route of random ports, most of which have a cable; it may end anywhere or nowhere.
void draw_route(const Fabric& fabric, const SmpEnd& from, Smp& smp, Draw& draw) {
  const auto hops = draw.from(1, 6);
  Channel c = from.kind == SmpEnd::Kind::kHost ? fabric.injection(from.id) : kNoChannel;
  SwitchId at = from.kind == SmpEnd::Kind::kSwitch ? from.id : kNoSwitch;
  for (smp.hops = 0; smp.hops < hops;) {
    if (at != kNoSwitch) {
      const PortNum ports = fabric.node(at).ports;
      const auto port =
          static_cast<PortNum>(draw.from(ports == 0 || draw.chance(3) ? 0 : 1, ports));
      smp.out[++smp.hops] = port;
      c = fabric.channel(at, port);
    } else {
      smp.out[++smp.hops] = fabric.port_of(c);
    }
    const Channel there = fabric.peer(c);
    if (there == kNoChannel || !fabric.from_switch(there)) break;
    at = fabric.switch_of(there);
  }
  if (draw.chance(5) && smp.hops < kMaxSmpHops) smp.out[++smp.hops] = 1;  // beyond a host
}

/// Adds SMPs, and changes of everything that a subnet manager may change.
void draw_management(Scenario& s, unsigned transmission_time, Draw& draw) {
  s.managed = Managed::kYes;
  s.model.management_blocks = draw.from(1, 5);
  for (unsigned i = draw.from(5, 60); i > 0; --i) {
    PlannedSmp one;
    const bool of_switch = draw.chance(40);
    one.from = {of_switch ? SmpEnd::Kind::kSwitch : SmpEnd::Kind::kHost,
                draw.from(0, (of_switch ? s.fabric.num_switches() : s.fabric.num_hosts()) - 1)};
    one.smp.bytes =
        static_cast<std::uint16_t>(draw.from(1, s.model.management_blocks * kBlockBytes));
    one.smp.directed = draw.chance(60);
    one.smp.tag = static_cast<std::uint32_t>(s.smps.size());
    one.smp.dlid = static_cast<Lid>(draw.from(0, s.fabric.top_lid() + 1U));
    if (one.smp.directed) draw_route(s.fabric, one.from, one.smp, draw);
    one.answered = draw.chance(70);
    s.actions.push_back({Action::Kind::kSmp, draw.from(0, transmission_time + 300), one.smp.tag});
    s.smps.push_back(one);
  }
  constexpr auto kFirst = static_cast<unsigned>(Action::Kind::kBlock),
                 kLast = static_cast<unsigned>(Action::Kind::kDiscard);
  for (unsigned i = draw.from(0, 40); i > 0; --i) {
    const auto kind = static_cast<Action::Kind>(draw.from(kFirst, kLast));
    const Tick at = draw.from(0, transmission_time + 500);
    const unsigned subject = draw.from(0, 1'000'000);
    s.actions.push_back({kind, at, subject});
    // A channel that was closed, or a host that was held, is mostly opened or released later.
    if ((kind == Action::Kind::kOpen || kind == Action::Kind::kHold) && draw.chance(80)) {
      const bool holds = kind == Action::Kind::kHold;
      const unsigned same = subject % (holds ? s.fabric.num_hosts() : s.fabric.num_channels());
      const unsigned each = holds ? s.fabric.num_hosts() : s.fabric.num_channels();
      // The same subject, and the other value of (subject / 64) % 2.
      for (unsigned n = same; n < same + 128 * each; n += each)
        if ((n / 64) % 2 == (holds ? 1U : 0U)) {
          s.actions.push_back({kind, at + draw.from(0, 600), n});
          break;
        }
    }
  }
}

/// Dense traffic and small buffers, so that credits lack.
void make_dense(Scenario& s) {
  const unsigned packet = blocks_of(s.model.mtu_bytes + s.model.header_bytes);
  for (unsigned* blocks : {&s.model.input_blocks, &s.model.output_blocks}) {
    *blocks = std::min(*blocks, 2 * blocks_of(s.model.mtu_bytes) + 1);
    *blocks = std::max(*blocks, packet);
  }
  for (Planned& one : s.plan) one.message.at /= 8;
}

/// Drains layers, lets heads escape, and writes blocks of both layers' LFTs.
void draw_layers(Scenario& s, unsigned transmission_time, Draw& draw) {
  s.managed = Managed::kWithLayers;
  make_dense(s);
  const unsigned switches = s.fabric.num_switches();
  for (unsigned i = draw.from(switches, 6 * switches); i > 0; --i) {
    const Tick when = draw.from(0, transmission_time / 4 + 200);
    const unsigned at = draw.from(0, switches - 1);
    // Half of the changes let heads escape.
    const unsigned how = draw.chance(50) ? 2 : draw.from(0, 1);
    s.actions.push_back({Action::Kind::kLayering, when, at + switches * how});
    if (draw.chance(30))
      s.actions.push_back({draw.chance(50) ? Action::Kind::kBlock : Action::Kind::kLayerBlock, when,
                           at + switches * draw.from(0, 1'000'000 / switches)});
  }
}

/// Lets the epochs of switches rise up to three times, each switch in its own time, and writes
/// blocks of its LFT then. Traffic is dense and buffers are small, so that credits lack.
void draw_epochs(Scenario& s, unsigned transmission_time, Draw& draw) {
  s.managed = Managed::kWithEpochs;
  make_dense(s);
  const unsigned switches = s.fabric.num_switches(), spread = draw.from(1, 600);
  std::vector<Tick> last(switches, 0);
  Tick begins = 0;
  const unsigned epochs = draw.from(1, 3);
  for (unsigned epoch = 1; epoch <= epochs; ++epoch) {
    begins += draw.from(0, transmission_time / 8);
    for (SwitchId at = 0; at < switches; ++at) {
      if (draw.chance(20)) continue;  // the change does not come here, or is aborted
      last[at] = std::max(last[at], begins + draw.from(0, spread));
      s.actions.push_back({Action::Kind::kEpoch, last[at], at + switches * epoch});
      // A subject whose remainder is the switch, for any block of the other tables.
      if (draw.chance(80))
        s.actions.push_back(
            {Action::Kind::kBlock, last[at], at + switches * draw.from(0, 1'000'000 / switches)});
    }
  }
}

/// Lets most switches begin and hosts send their tokens, each in its own time, and switches end. In
/// half of the scenarios nothing else changes what becomes of a packet, so that the old packets are
/// known from the new ones.
void draw_tokens(Scenario& s, unsigned transmission_time, Draw& draw) {
  s.managed = Managed::kWithTokens;
  s.token_bytes = draw.from(1, 80);
  s.separates = draw.chance(50);
  const bool dense = draw.chance(s.separates ? 30 : 50);
  if (dense) make_dense(s);
  const unsigned switches = s.fabric.num_switches(), spread = draw.from(1, 600);
  const Tick begins = draw.from(0, transmission_time / (dense ? 8 : 2));
  const auto when = [&] { return begins + draw.from(0, spread); };
  const unsigned missing = draw.chance(80) ? 0 : draw.from(1, 20);
  for (unsigned rounds = s.separates ? 1 : draw.from(1, 2); rounds > 0; --rounds) {
    for (SwitchId at = 0; at < switches; ++at) {
      if (draw.chance(missing)) continue;
      s.actions.push_back({Action::Kind::kBeginTokens, when(), at});
    }
    for (HostId host = 0; host < s.fabric.num_hosts(); ++host)
      if (!draw.chance(missing)) s.actions.push_back({Action::Kind::kHostToken, when(), host});
    for (unsigned i = draw.from(0, 4 * switches); i > 0; --i)
      s.actions.push_back(
          {Action::Kind::kEndTokens, when() + draw.from(0, 2'000), draw.from(0, switches - 1)});
  }
  Sl2VlRow row{};  // packets stay on their VL
  for (Vl& vl : row) vl = static_cast<Vl>(draw.from(0, s.model.vls - 1));
  for (Tables* tables : {&s.tables, &s.other_tables[0], &s.other_tables[1]}) {
    tables->host_sl2vl = row;
    for (SwitchId at = 0; at < switches; ++at) tables->sl2vl.set_all(at, row);
  }
}

/// Removes what would change the paths of packets beside the tokens: a switch whose LFT is written,
/// or a link that carries data again after its far end has done without its token. `nothing_else`:
/// also whatever loses or delays packets.
void keep_separate(Scenario& s, bool nothing_else) {
  for (PlannedSmp& one : s.smps) one.answered = false;  // an answer writes a block
  if (nothing_else) s.model.head_of_queue_life = s.model.switch_life = kNever;
  std::erase_if(s.actions, [nothing_else](const Action& a) {
    using enum Action::Kind;
    return a.kind == kBlock || a.kind == kLayerBlock || a.kind == kSetLft || a.kind == kSetTables ||
           a.kind == kOpen || a.kind == kRestore || a.kind == kClear ||
           (nothing_else && a.kind != kSmp && a.kind != kObserve && a.kind < kBeginTokens);
  });
}

}  // namespace

Scenario random_scenario(std::uint64_t seed, Features features) {
  Draw draw(seed);
  Scenario s;
  s.seed = seed;
  do s.fabric = draw_fabric(draw, features);
  while (s.fabric.num_hosts() == 0);
  const unsigned vls = features.layers ? 2 : draw.chance(30) ? 1 : draw.from(2, 5);
  s.tables = draw_tables(s.fabric, vls, draw, features);
  s.other_tables.push_back(draw_tables(s.fabric, vls, draw, features));
  s.other_tables.push_back(draw_tables(s.fabric, vls, draw, features));
  s.model = draw_model(vls, draw);
  if (features.adaptive) make_adaptive(s.model, draw);
  if (features.ear) make_self_routing(s.model, draw);
  if (features.per_output) s.model.input_queues = InputQueues::kPerOutput;

  const unsigned hosts = s.fabric.num_hosts();
  const unsigned busy = draw.from(200, 3000);
  const HostId spot = draw.from(0, hosts - 1);
  const unsigned spot_share = draw.chance(30) ? draw.from(20, 90) : 0;
  const unsigned answered = draw.chance(50) ? draw.from(10, 100) : 0;
  const unsigned packets_most = draw.from(1, 4);
  for (unsigned i = draw.from(1, features.ear ? 250 : 80); i > 0; --i) {
    Planned one{draw.from(0, hosts - 1), {}};
    one.message.at = draw.from(0, busy);
    one.message.to = draw.chance(spot_share) ? spot : draw.from(0, hosts - 1);
    one.message.bytes = draw.chance(5) ? 0 : draw.from(1, packets_most * s.model.mtu_bytes);
    if (draw.chance(answered)) one.answer_after = draw.from(1, 100);
    s.plan.push_back(one);
  }

  if (features.management) {
    const unsigned share = draw.from(5, 60);
    for (Planned& one : s.plan) one.message.management = draw.chance(share);
    s.model.management_blocks =
        blocks_of(s.model.mtu_bytes + s.model.header_bytes) * draw.from(1, 2) - draw.from(0, 1);
    s.model.management_blocks = std::max(1u, s.model.management_blocks);
  }

  s.driven = features.driven;
  s.inspected = features.inspected;
  s.wakes = features.inspected && features.classes;
  if (features.classes) make_classes(s, draw);
  if (features.managed) draw_management(s, busy, draw);
  if (features.epochs) draw_epochs(s, busy, draw);
  if (features.layers) draw_layers(s, busy, draw);
  if (features.tokens) draw_tokens(s, busy, draw);
  if (features.multicast) make_multicast(s, draw);

  // The channels with a peer.
  std::vector<Channel> cables;
  for (Channel c = 0; c < s.fabric.num_channels(); ++c)
    if (s.fabric.peer(c) != kNoChannel) cables.push_back(c);
  if (draw.chance(60) && !cables.empty() && !features.multicast)
    for (unsigned i = draw.from(1, 4); i > 0; --i) {
      const Channel cable = cables[draw.from(0, static_cast<unsigned>(cables.size()) - 1)];
      const Tick at = draw.from(0, busy + 500);
      s.actions.push_back({Action::Kind::kCut, at, cable});
      if (draw.chance(80))
        s.actions.push_back({Action::Kind::kRestore, at + (draw.chance(10) ? 0 : draw.from(1, 600)),
                             draw.chance(50) ? cable : s.fabric.peer(cable)});
    }
  if (draw.chance(40))
    for (unsigned i = draw.from(1, 3); i > 0; --i)
      s.actions.push_back({draw.chance(60) ? Action::Kind::kSetLft : Action::Kind::kSetTables,
                           draw.from(0, busy + 500), draw.from(0, 1000)});
  s.until = busy + 4000;
  // Observations of the state, which split a run in two, must not change the result. Half of them
  // are at the tick of another action.
  for (unsigned i = 0; i < 6; ++i) {
    const auto others = static_cast<unsigned>(s.actions.size());
    const Tick when = draw.chance(50)
                          ? s.actions.empty() ? busy : s.actions[draw.from(0, others - 1)].at
                          : draw.from(0, busy + 500);
    s.actions.push_back({Action::Kind::kObserve, when});
  }
  if (draw.chance(50)) s.actions.push_back({Action::Kind::kClear, draw.from(0, busy)});
  if (draw.chance(20))
    for (std::size_t i = 0; i < std::size_t{s.fabric.num_switches()} * hosts; ++i)
      s.model.path_offsets.push_back(static_cast<std::uint8_t>(
          draw.from(0, s.fabric.host(static_cast<HostId>(i % hosts)).lid_count() - 1)));
  if (features.managed && draw.chance(50))
    for (unsigned i = draw.from(1, 20); i > 0; --i)
      s.actions.push_back({draw.chance(50) ? Action::Kind::kArbitration : Action::Kind::kPath,
                           draw.from(0, busy), draw.from(0, 1'000'000)});
  if (features.managed && draw.chance(30))
    for (unsigned i = draw.from(1, 6); i > 0; --i)
      s.actions.push_back({draw.chance(60) ? Action::Kind::kHeadLife : Action::Kind::kSwitchLife,
                           draw.from(0, busy), draw.from(0, 1'000'000)});
  if (draw.chance(15)) s.model.processing = draw.from(1, 150);
  if (s.separates) keep_separate(s, draw.chance(50));
  std::stable_sort(s.actions.begin(), s.actions.end(),
                   [](const Action& a, const Action& b) { return a.at < b.at; });
  return s;
}

namespace {
constexpr std::array kActionNames = {
    "cut",         "restore",       "LFT",         "tables",
    "look",        "clear",         "SMP",         "block of the LFT",
    "SL2VL row",   "SL2VL of host", "path",        "LIDs",
    "open",        "hold",          "poll",        "discard",
    "arbitration", "head life",     "switch life", "epoch",
    "layering",    "layer's block", "begin",       "end",
    "token"};
}

std::string Scenario::describe() const {
  const Model& m = model;
  std::string out = fmt::format(
      "seed {}: {} switches, {} hosts, {} cables, {} VLs; byte {}/{}, propagation {}/{}, routing "
      "{}, "
      "credit delay {}, processing {}, {}, routing header {}, speedup {}, MTU {} + {}, blocks {} "
      "in {} out, lives "
      "{} {}, queue {}, paths {}, selection {}{}, congested {}, settle {}, throttled {}, VL 15 {} "
      "blocks; until {}\n",
      seed, fabric.num_switches(), fabric.num_hosts(), fabric.links().size(), m.vls,
      m.between_switches.byte_time, m.to_hosts.byte_time, m.between_switches.propagation,
      m.to_hosts.propagation, m.routing, m.credit_delay, m.processing,
      m.switching == Switching::kCutThrough ? "cut-through" : "store and forward",
      m.routing_header_bytes, m.crossbar_speedup, m.mtu_bytes, m.header_bytes, m.input_blocks,
      m.output_blocks, m.head_of_queue_life, m.switch_life, m.hca_queue_packets,
      static_cast<unsigned>(m.paths), static_cast<unsigned>(m.selection),
      m.escape_queues ? " with escape queues" : "", m.congested_bytes, m.settle,
      m.throttled_byte_time, m.management_blocks, until);
  for (const ClassRule& rule : m.classes)
    out += fmt::format("class: SL {}, queue {}, paths {}{}\n", rule.sl, rule.queue,
                       static_cast<unsigned>(rule.paths), rule.selects ? ", selects" : "");
  if (m.replication != Replication::kNone)
    out += fmt::format("replication {}, FIFOs of {} blocks\n", static_cast<unsigned>(m.replication),
                       m.central_blocks);
  for (const auto& [mlid, tree] : tables.mft) {
    out += fmt::format("tree {}:", mlid);
    for (SwitchId s_of = 0; s_of < tree.size(); ++s_of)
      for (unsigned port = 0; port < tree[s_of].size(); ++port)
        if (tree[s_of].test(port)) out += fmt::format(" {}:{}", s_of, port);
    out += '\n';
  }
  const auto entries = [&](const char* name, const std::vector<ArbitrationEntry>& table) {
    out += name;
    for (const ArbitrationEntry& e : table) out += fmt::format(" {}:{}", e.vl, e.weight);
    out += '\n';
  };
  entries("high", m.arbitration_high);
  entries("low", m.arbitration_low);
  for (const Channel c : fabric.links())
    out += fmt::format("cable {} {} -- {} {}\n", c, fabric.port_name(c), fabric.peer(c),
                       fabric.port_name(fabric.peer(c)));
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    out += fmt::format("host {} (channel {}) at {}:{} LID {}\n", h, fabric.injection(h),
                       fabric.host(h).at, fabric.host(h).port, fabric.host(h).lid);
  for (const Planned& p : plan)
    out +=
        fmt::format("at {}: {} -> {}{}, {} bytes, answer after {}, class {}, keep {}\n",
                    p.message.at, p.from, p.message.mlid != kNoLid ? p.message.mlid : p.message.to,
                    p.message.management ? " on VL 15" : "", p.message.bytes, p.answer_after,
                    p.message.of_class, static_cast<unsigned>(p.message.keep));
  for (const Action& a : actions)
    out +=
        fmt::format("at {}: {} {}\n", a.at, kActionNames[static_cast<unsigned>(a.kind)], a.subject);
  for (const PlannedSmp& p : smps)
    out += fmt::format(
        "SMP {} from {} {}: {} bytes, {}{}\n", p.smp.tag,
        p.from.kind == SmpEnd::Kind::kHost ? "host" : "switch", p.from.id, p.smp.bytes,
        p.smp.directed
            ? fmt::format("by ports {}",
                          fmt::join(p.smp.out.begin() + 1, p.smp.out.begin() + 1 + p.smp.hops, " "))
            : fmt::format("to LID {}", p.smp.dlid),
        p.answered ? ", answered" : "");
  return out;
}

namespace {

std::string show(const Delivery& d) {
  return fmt::format(
      "{}->{} #{} DLID {} SL {} tag {} {} bytes{}: {} switches, generated {} injected {} at {}, {} "
      "ahead",
      d.from, d.to, d.sequence, d.dlid, d.sl, d.tag, d.bytes, d.last ? " (last)" : "", d.switches,
      d.generated, d.injected, d.delivered, d.ahead);
}

std::string show(const FlowMove& move) {
  return fmt::format("at {}: the flow of switch {} to {}: from port {} to {}", move.at, move.leaf,
                     move.to, move.from_port, move.to_port);
}

std::string show(const std::vector<LostSmp>& smps) {
  std::string out;
  for (const LostSmp& one : smps)
    out += fmt::format(" {} ({})", one.tag, kLossNames[static_cast<unsigned>(one.cause)]);
  return out;
}

template <class Item>
std::string first_difference(const char* what, const std::vector<Item>& a,
                             const std::vector<Item>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i < a.size() && i < b.size() && a[i] == b[i]) continue;
    return fmt::format("{} {}:\n  {}\n  {}\n", what, i, i < a.size() ? show(a[i]) : "none",
                       i < b.size() ? show(b[i]) : "none");
  }
  return {};
}

}  // namespace

std::string difference(const Scenario& scenario, const Record& a, const Record& b) {
  std::string out = first_difference("delivery", a.deliveries, b.deliveries) +
                    first_difference("loss", a.losses, b.losses) +
                    first_difference("move", a.moves, b.moves);
  const auto compare = [&](const std::string& what, auto x, auto y) {
    if (x != y) out += fmt::format("{}: {} and {}\n", what, x, y);
  };
  for (std::size_t i = 0; i < std::max(a.asks.size(), b.asks.size()); ++i) {
    if (i < a.asks.size() && i < b.asks.size() && a.asks[i] == b.asks[i]) continue;
    const auto show_ask = [i](const auto& asks) {
      return i < asks.size() ? fmt::format("host {} at {}", asks[i].second, asks[i].first) : "none";
    };
    out += fmt::format("question {}: {} and {}\n", i, show_ask(a.asks), show_ask(b.asks));
    break;
  }
  if (a.inspections != b.inspections) {
    const auto [x, y] = std::ranges::mismatch(a.inspections, b.inspections);
    const auto show = [](const auto& all, auto one) {
      if (one == all.end()) return std::string("none");
      const auto [at, where, port, from, sequence] = *one;
      return fmt::format("at {} switch {} port {} packet {} of host {}", at, where, port, sequence,
                         from);
    };
    out += fmt::format("inspection {}: {} and {}\n", x - a.inspections.begin(),
                       show(a.inspections, x), show(b.inspections, y));
  }
  const auto show_smp = [](const SmpArrival& s) {
    return fmt::format("SMP {} at {}: {} {} by port {}, {} links: in {}", s.smp.tag, s.at,
                       s.end.kind == SmpEnd::Kind::kHost ? "host" : "switch", s.end.id, s.port,
                       s.smp.passed, fmt::join(s.smp.in, " "));
  };
  for (std::size_t i = 0; i < std::max(a.smps.size(), b.smps.size()); ++i) {
    if (i < a.smps.size() && i < b.smps.size() && a.smps[i] == b.smps[i]) continue;
    out += fmt::format("SMP {}:\n  {}\n  {}\n", i, i < a.smps.size() ? show_smp(a.smps[i]) : "none",
                       i < b.smps.size() ? show_smp(b.smps[i]) : "none");
    break;
  }
  for (std::size_t i = 0; i < std::min(a.looks.size(), b.looks.size()); ++i) {
    const Observation &x = a.looks[i], &y = b.looks[i];
    const auto here = [&](const std::string& what) { return fmt::format("{} at {}", what, x.at); };
    compare(here("generated"), x.totals.generated, y.totals.generated);
    compare(here("injected"), x.totals.injected, y.totals.injected);
    compare(here("delivered"), x.totals.delivered, y.totals.delivered);
    compare(here("copies"), x.totals.copies, y.totals.copies);
    compare(here("packet hops"), x.totals.packet_hops, y.totals.packet_hops);
    compare(here("EARs sent"), x.totals.ears_sent, y.totals.ears_sent);
    compare(here("EARs received"), x.totals.ears_received, y.totals.ears_received);
    compare(here("EARs lost"), x.totals.ears_lost, y.totals.ears_lost);
    compare(here("moves"), x.totals.flow_moves, y.totals.flow_moves);
    compare(here("SMPs sent"), x.totals.smps_sent, y.totals.smps_sent);
    compare(here("SMPs received"), x.totals.smps_received, y.totals.smps_received);
    for (unsigned loss = 0; loss < kLosses; ++loss)
      compare(here(std::string("SMPs lost, ") + kLossNames[loss]), x.totals.smps_lost[loss],
              y.totals.smps_lost[loss]);
    for (unsigned loss = 0; loss < kLosses; ++loss)
      compare(here(std::string("lost, ") + kLossNames[loss]), x.totals.lost[loss],
              y.totals.lost[loss]);
    compare(here("waits for tokens"), x.totals.token_wait, y.totals.token_wait);
    compare(here("waiting at sources"), x.waiting_at_sources, y.waiting_at_sources);
    for (std::size_t q = 0; q < x.occupied.size(); ++q)
      compare(here(fmt::format("occupied after channel {}, VL {}", q / kVls, q % kVls)),
              x.occupied[q], y.occupied[q]);
  }
  for (Channel c = 0; c < scenario.fabric.num_channels(); ++c) {
    const ChannelUse &x = a.use[c], &y = b.use[c];
    const auto here = [&](const std::string& what) {
      return fmt::format("{} channel {}", what, c);
    };
    for (unsigned vl = 0; vl < kVls; ++vl) {
      compare(here(fmt::format("packets of VL {} on", vl)), x.by_vl[vl].packets,
              y.by_vl[vl].packets);
      compare(here(fmt::format("bytes of VL {} on", vl)), x.by_vl[vl].bytes, y.by_vl[vl].bytes);
    }
    compare(here("waits on"), x.xmit_wait, y.xmit_wait);
    for (unsigned loss = 0; loss < kLosses; ++loss)
      compare(here(fmt::format("lost, {}, at", kLossNames[loss])), x.lost[loss], y.lost[loss]);
  }
  if (a.separations != b.separations) out += "other switches ended, or at other ticks\n";
  if (a.lost_smps != b.lost_smps)
    out += fmt::format("lost SMPs: {} and {}\n", show(a.lost_smps), show(b.lost_smps));
  const Window &v = a.window, &w = b.window;
  compare("window's beginning", v.since, w.since);
  compare("window's packets", v.packets, w.packets);
  compare("window's messages", v.messages, w.messages);
  compare("window's bytes", v.bytes, w.bytes);
  compare("window's payload", v.payload_bytes, w.payload_bytes);
  compare("window's switches", v.switches, w.switches);
  compare("window's out of order", v.out_of_order, w.out_of_order);
  if (!(a.epoch_cases == b.epoch_cases)) out += "epochs of heads without credits differ\n";
  if (!(v.latency == w.latency)) out += "latencies differ\n";
  if (!(v.network_latency == w.network_latency)) out += "network latencies differ\n";
  return out;
}

namespace {

/// The channels of the path of this host to a LID, the host's own first. It ends where the tables
/// lead to no port, at a host, or before it would go on for ever.
std::vector<Channel> path_by(const Fabric& fabric, const Tables& tables, HostId from, Lid dlid) {
  std::vector<Channel> path{fabric.injection(from)};
  while (path.size() < 2 * std::size_t{fabric.num_switches()} + 2) {
    const Channel back = fabric.peer(path.back());
    if (back == kNoChannel || !fabric.from_switch(back)) break;
    const SwitchId at = fabric.switch_of(back);
    const PortNum out = tables.next(at, dlid);
    if (out == 0 || out > fabric.node(at).ports) break;
    path.push_back(fabric.channel(at, out));
  }
  return path;
}

}  // namespace

std::vector<Turn> turns_told(const Scenario& scenario, SwitchId at) {
  const Fabric& fabric = scenario.fabric;
  std::set<Turn> turns;
  const unsigned ports = fabric.node(at).ports;
  for (unsigned in = 1; in <= ports && !scenario.separates; ++in)
    for (unsigned out = 1; out <= ports; ++out)
      turns.insert({static_cast<PortNum>(in), static_cast<PortNum>(out)});
  for (HostId from = 0; from < fabric.num_hosts() && scenario.separates; ++from)
    for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid) {
      const std::vector<Channel> path =
          path_by(fabric, scenario.tables, from, static_cast<Lid>(lid));
      for (std::size_t i = 1; i < path.size(); ++i)
        if (fabric.switch_of(path[i]) == at)
          turns.insert({fabric.port_of(fabric.peer(path[i - 1])), fabric.port_of(path[i])});
    }
  return {turns.begin(), turns.end()};
}

std::string not_separated(const Scenario& scenario, const Record& record, Separated& count) {
  const Fabric& fabric = scenario.fabric;
  std::map<std::tuple<HostId, Lid, Sl>, std::uint32_t> last;
  // Packets and bytes by channel and VL.
  std::map<std::pair<Channel, unsigned>, std::pair<std::uint64_t, std::uint64_t>> expected;
  for (const Delivery& d : record.deliveries) {
    const auto sent = record.host_tokens.find(d.from);
    const bool is_old = sent == record.host_tokens.end() || d.injected < sent->second;
    const std::vector<Channel> before = path_by(fabric, scenario.tables, d.from, d.dlid),
                               after = path_by(fabric, scenario.other_tables[0], d.from, d.dlid);
    const std::vector<Channel>& path = is_old ? before : after;
    for (const Channel c : path) {
      auto& [packets, bytes] = expected[{c, scenario.tables.host_sl2vl[d.sl]}];
      ++packets;
      bytes += d.bytes;
    }
    if (before != after) ++(is_old ? count.old_paths : count.new_paths);
    const Channel end = fabric.peer(path.back());
    if (end == kNoChannel || fabric.from_switch(end) || fabric.host_of(end) != d.to ||
        path.size() != d.switches + 1U)
      return fmt::format("an {} packet took another path: {}\n", is_old ? "old" : "new", show(d));
    const auto [place, is_first] = last.try_emplace({d.from, d.dlid, d.sl}, d.sequence);
    if (!is_first && place->second >= d.sequence)
      return fmt::format("overtaken by packet {}: {}\n", place->second, show(d));
    place->second = d.sequence;
  }
  // If nothing was lost, and nothing is under way, each link has carried exactly these packets, and
  // on each VL at most a token.
  if (record.totals.all_lost() + record.totals.in_flight() > 0) return {};
  ++count.exact;
  for (Channel c = 0; c < fabric.num_channels(); ++c)
    for (unsigned vl = 0; vl < kManagementVl; ++vl) {
      const VlUse& carried = record.use[c].by_vl[vl];
      const auto& [packets, bytes] = expected[{c, vl}];
      const std::uint64_t tokens = carried.packets - packets;
      if (tokens > 1 || carried.bytes != bytes + tokens * scenario.token_bytes)
        return fmt::format("{} packets, {} bytes on VL {} of channel {}, not {}, {}\n",
                           carried.packets, carried.bytes, vl, c, packets, bytes);
    }
  return {};
}

}  // namespace selvedge::sim::test
