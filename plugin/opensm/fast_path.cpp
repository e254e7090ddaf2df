// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/fast_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/opensm/directed_routes.hpp"
#include "plugin/opensm/stopwatch.hpp"

namespace selvedge {
namespace {

constexpr auto kReadyCheck = std::chrono::milliseconds(200);  // without a trap

VerifyOptions fast_options() {
  VerifyOptions options;
  options.replies = options.any_sl = options.any_lid = true;
  return options;
}

bool holds(const Verdict& v) {
  return v.connected && v.loop_free && v.deadlock_free && v.multicast_faults == 0;
}

std::vector<SwitchId> switches_of(const Fabric& fabric, const std::vector<Lid>& lids) {
  std::vector<SwitchId> found;
  for (const Lid lid : lids)
    if (const SwitchId s = fabric.home(lid);
        s != kNoSwitch && std::ranges::find(found, s) == found.end())
      found.push_back(s);
  return found;
}

std::vector<Channel> channels_of(const Fabric& fabric, const Fault& fault) {
  std::vector<Channel> gone;
  const auto add = [&](Channel c) {
    if (fabric.peer(c) == kNoChannel) return;
    gone.push_back(c);
    gone.push_back(fabric.peer(c));
  };
  for (const Channel c : fault.links) add(c);
  for (const SwitchId s : fault.switches)
    for (unsigned p = 1; p <= fabric.node(s).ports; ++p)
      add(fabric.channel(s, static_cast<PortNum>(p)));
  std::ranges::sort(gone);
  const auto twice = std::ranges::unique(gone);
  gone.erase(twice.begin(), twice.end());
  return gone;
}

/// The multicast part of a delta: one group stands for all.
void add_multicast(Delta& delta, const Tables& before, const MulticastTables& after) {
  const PortSet none;
  for (SwitchId s = 0; s < before.num_switches(); ++s) {
    const auto ports = [&](const MulticastTables& mft) {
      const auto group = mft.find(kMinMulticastLid);
      return group == mft.end() ? none : group->second[s];
    };
    const PortSet was = ports(before.mft), is = ports(after);
    if (was != is) delta.mft.push_back({kMinMulticastLid, s, was, is});
  }
}

/// Distance of every switch from the fault, in links of the fabric before it.
std::vector<std::uint32_t> distances(const Fabric& before, const std::vector<Channel>& gone) {
  std::vector<std::uint32_t> distance(before.num_switches(), UINT32_MAX);
  std::vector<SwitchId> queue;
  for (const Channel c : gone)
    if (before.from_switch(c) && distance[before.switch_of(c)] != 0) {
      distance[before.switch_of(c)] = 0;
      queue.push_back(before.switch_of(c));
    }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Channel c : before.out(queue[i]))
      if (const SwitchId t = before.target(c); distance[t] == UINT32_MAX) {
        distance[t] = distance[queue[i]] + 1;
        queue.push_back(t);
      }
  return distance;
}

std::array<std::uint8_t, kSls / 2> wire(const Sl2VlRow& row) {
  std::array<std::uint8_t, kSls / 2> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(row[2 * i] << 4 | row[2 * i + 1]);
  return bytes;
}

std::string names(const Fabric& fabric, const Fault& fault) {
  std::string text;
  const auto add = [&](const std::string& name) { text += (text.empty() ? "" : ", ") + name; };
  for (const SwitchId s : fault.switches) add("switch " + fabric.node(s).name);
  for (const Channel c : fault.links)
    add(fmt::format("{} – {}", fabric.port_name(c), fabric.port_name(fabric.peer(c))));
  return text;
}

}  // namespace

// --- Its thread, and who may write

void FastPath::start(std::string agent_program) {
  agent_program_ = std::move(agent_program);
  thread_ = std::thread([this] { run(); });
}

void FastPath::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  agent_.stop();
}

void FastPath::notice(Lid issuer) {
  {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(issuers_, issuer) != issuers_.end()) return;
    issuers_.push_back(issuer);
  }
  changed_.notify_all();
}

bool FastPath::try_begin_sweep() {
  const std::lock_guard lock(mutex_);
  if (writer_ == Writer::kFastPath) return false;
  writer_ = Writer::kSweep;
  return true;
}

void FastPath::begin_sweep() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return writer_ != Writer::kFastPath; });
  writer_ = Writer::kSweep;
}

void FastPath::end_sweep() {
  {
    const std::lock_guard lock(mutex_);
    if (writer_ == Writer::kSweep) writer_ = Writer::kNobody;
    sweep_ended_ = true;
  }
  changed_.notify_all();
}

void FastPath::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait_for(lock, kReadyCheck, [this] {
      return stopping_ || (writer_ == Writer::kNobody && (sweep_ended_ || !issuers_.empty()));
    });
    if (stopping_) return;
    sweep_ended_ = false;
    if (writer_ != Writer::kNobody) continue;
    const std::vector<Lid> issuers = std::exchange(issuers_, {});
    if (!issuers.empty()) writer_ = Writer::kFastPath;
    lock.unlock();
    try {
      if (border_.is_master()) {
        get_ready();
        if (!issuers.empty() && ready_) handle(issuers);
      }
    } catch (const std::exception& e) {
      ready_.reset();
      border_.log(true, fmt::format("fast path: {}; the sweep goes on without it", e.what()));
    }
    prepared_ = ready_ ? ready_->plan.get() : nullptr;
    lock.lock();
    if (writer_ == Writer::kFastPath) {
      writer_ = Writer::kNobody;
      changed_.notify_all();
    }
  }
}

/// Everything that can be done before a fault, for the plan in force.
void FastPath::get_ready() {
  const std::shared_ptr<const Plan> plan = border_.plan_in_force();
  if (!plan) {
    ready_.reset();
    return;
  }
  if (!agent_.running() && !agent_failed_) {
    if (const auto why = agent_.start(agent_program_, border_.smp().port)) {
      agent_failed_ = true;
      border_.log(true, fmt::format("no fast path: {}; faults wait for OpenSM's sweep", *why));
    }
  }
  if (!agent_.running() || (ready_ && ready_->plan == plan)) return;
  ready_.reset();
  Ready ready;
  ready.plan = plan;
  try {
    ready.repair = std::make_unique<InPlaceRepair>(plan->fabric, plan->tables, plan->multicast);
  } catch (const InputError& e) {
    border_.log(false, fmt::format("no fast path for these tables: {}", e.what()));
    return;
  }
  ready.proof = verify(plan->fabric, plan->tables, fast_options());
  ready_ = std::move(ready);
}

// --- One fault

void FastPath::handle(const std::vector<Lid>& issuers) {
  const std::shared_ptr<const Plan> before = ready_->plan;
  const Fabric& whole = before->fabric;
  const SmpBorder smp = border_.smp();
  Stopwatch watch;

  // Locate. Nothing down: it was something else, or has healed already; the sweep sees to it.
  const Located located = locate(agent_, smp, whole, switches_of(whole, issuers));
  if (located.unanswered > 0)
    border_.log(false, fmt::format("fast path: {} ports did not answer", located.unanswered));
  if (located.fault.empty()) return;
  border_.report(Event::Kind::kFaultLocated);
  const double locate_ms = watch.lap_ms();

  // Repair.
  Repair repair = ready_->repair->fail(located.fault);
  auto after = std::make_shared<Plan>(*before);
  after->outcome = Outcome::kRepaired;
  after->whole = before->whole ? before->whole : before;
  after->fabric = without(whole, located.fault);
  after->multicast = repair.multicast;
  apply(after->tables, repair.delta);
  MulticastTables mft;
  if (after->multicast)
    mft = {{kMinMulticastLid, broadcast_tree(after->fabric, *after->multicast)}};
  add_multicast(repair.delta, before->tables, mft);
  after->tables.mft = std::move(mft);
  border_.report(Event::Kind::kTablesComputed);
  after->steps = {};
  after->steps.compute_ms = watch.lap_ms();

  // Prove.
  const std::vector<Channel> gone = channels_of(whole, located.fault);
  Proof proof = verify(std::move(ready_->proof), after->fabric, after->tables, repair.delta, gone);
  after->verdict = proof.verdict();
  after->steps.prove_ms = watch.lap_ms();
  border_.report(Event::Kind::kProved);
  if (!holds(after->verdict)) {
    ready_.reset();
    border_.log(true, fmt::format("fast path: {}: the repair ({}) could not be proved; it is left "
                                  "to the sweep",
                                  names(whole, located.fault), repair.method));
    return;
  }

  // Order, send, confirm.
  Confirmed confirmed;
  const bool all = send_and_confirm(whole, smp, located.fault, repair.delta, confirmed);
  const double send_ms = watch.lap_ms();
  after->remarks = (after->whole ? after->whole : before)->remarks;
  after->remarks.push_back(
      fmt::format("{} LFT entries lead around what has gone, everything else is as it was",
                  repair.delta.lft.size()));
  if (!repair.readdressed.empty() || !repair.delta.sl.empty())
    after->remarks.push_back(
        fmt::format("{} paths have another LID or SL now: connections over them must ask for the "
                    "path again",
                    std::max(repair.readdressed.size(), repair.delta.sl.size())));
  if (!border_.take_over(before, after, confirmed)) {
    ready_.reset();
    return;
  }
  border_.report(Event::Kind::kRepairConfirmed);
  ready_->plan = after;
  ready_->proof = std::move(proof);
  border_.log(
      !all, fmt::format(
                "fast path: {} is gone: {} LFT entries in {} blocks and {} SL2VL rows changed "
                "({}), proved{}; located {:.1f} ms, repaired {:.1f} ms, proved {:.1f} ms, sent and "
                "read back {:.1f} ms",
                names(whole, located.fault), repair.delta.lft.size(), confirmed.blocks.size(),
                confirmed.rows.size(), repair.method,
                all ? "" : "; NOT ALL were confirmed: the sweep sends those again", locate_ms,
                after->steps.compute_ms, after->steps.prove_ms, send_ms));
}

/// Nearest to the fault first. True if every switch holds what it should.
bool FastPath::send_and_confirm(const Fabric& fabric, const SmpBorder& smp, const Fault& fault,
                                const Delta& delta, Confirmed& confirmed) {
  const Fabric left = without(fabric, fault);
  const DirectedRoutes routes(left, smp.port);
  const std::vector<std::uint32_t> distance = distances(fabric, channels_of(fabric, fault));

  std::vector<LftBlock> blocks;
  for (const LftChange& change : delta.lft) {
    if (left.node(change.at).failed) continue;
    const std::uint32_t block = change.dlid / kSmpDataBytes;
    if (blocks.empty() || blocks.back().at != change.at || blocks.back().block != block)
      blocks.push_back({change.at, block, {}});
  }
  if (!border_.fill_in(fabric, blocks)) return false;
  auto block = blocks.begin();
  for (const LftChange& change : delta.lft) {
    if (left.node(change.at).failed) continue;
    while (block->at != change.at || block->block != change.dlid / kSmpDataBytes) ++block;
    block->entries[change.dlid % kSmpDataBytes] = change.after;
  }
  std::ranges::stable_sort(blocks, {}, [&](const LftBlock& b) { return distance[b.at]; });

  std::vector<Sl2VlWire> rows;
  for (const Sl2VlChange& change : delta.sl2vl)
    if (!left.node(change.at).failed)
      rows.push_back({change.at, change.in, change.out, wire(change.after)});

  const auto request = [&](SmpMethod method, SmpAttribute attribute, SwitchId at,
                           std::uint32_t modifier) {
    SmpRequest r;
    r.method = method;
    r.attribute = attribute;
    r.modifier = modifier;
    r.m_key = smp.m_key;
    if (const auto path = routes.to(at)) r.path = *path;
    return r;
  };
  const auto to_rows = [&](SmpMethod method) {
    std::vector<SmpRequest> requests;
    for (const Sl2VlWire& row : rows) {
      requests.push_back(request(method, SmpAttribute::kSl2Vl, row.at, row.in << 8U | row.out));
      std::ranges::copy(row.row, requests.back().data.begin());
    }
    return requests;
  };
  const auto to_blocks = [&](SmpMethod method) {
    std::vector<SmpRequest> requests;
    for (const LftBlock& b : blocks) {
      requests.push_back(request(method, SmpAttribute::kLft, b.at, b.block));
      requests.back().data = b.entries;
    }
    return requests;
  };

  agent_.run(to_rows(SmpMethod::kSet), smp.limits);
  agent_.run(to_blocks(SmpMethod::kSet), smp.limits, [&](std::size_t i, const SmpAnswer& answer) {
    if (answer.status == 0)
      border_.report(Event::Kind::kRepairBlock, fabric.node(blocks[i].at).guid, blocks[i].block);
    return false;
  });

  bool all = true;
  const std::vector<SmpAnswer> held_rows = agent_.run(to_rows(SmpMethod::kGet), smp.limits);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (held_rows[i].status != 0) {
      all = false;
      continue;
    }
    Sl2VlWire held = rows[i];
    std::copy_n(held_rows[i].data.begin(), held.row.size(), held.row.begin());
    all &= held.row == rows[i].row;
    confirmed.rows.push_back(held);
  }
  const std::vector<SmpAnswer> held_blocks = agent_.run(to_blocks(SmpMethod::kGet), smp.limits);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (held_blocks[i].status != 0) {
      all = false;
      continue;
    }
    all &= held_blocks[i].data == blocks[i].entries;
    confirmed.blocks.push_back({blocks[i].at, blocks[i].block, held_blocks[i].data});
  }
  return all;
}

}  // namespace selvedge
