// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/table_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "plugin/control/hoq_window.hpp"
#include "plugin/control/locate.hpp"
#include "plugin/control/table_images.hpp"

namespace selvedge {
namespace {

/// Logs what the operator should know about the order of sending. Called when sending begins,
/// because some prepared changes are never sent.
void log_order(const Change& change, ControlLog& journal) {
  const SendPlan& order = change.order;
  if (change.lossy_lids > 0)
    journal.log(false, fmt::format("no lossless order is proved, so it is sent '{}': packets for "
                                   "{} LIDs may be lost, for example {}",
                                   name_of(order.method), change.lossy_lids, change.lossy_witness));
  if (order.method == SendPlan::Method::kWindow)
    journal.log(true, fmt::format("until the last block is written, packets may deadlock for the "
                                  "switches' head-of-queue lifetime: {}",
                                  order.why));
}

/// How often the writes of a phase that nobody answered are sent, each time with as many tries as
/// SmpLimits has.
constexpr unsigned kRounds = 3;

/// Looks for components that have failed on the routes of the requests `left`, since these routes
/// were computed, and leads the requests around them. If `may_drop`, it drops those to nodes that
/// no route reaches any more: a switch that is cut off stays in a state that the order's proof
/// covers, and exchanges no packets with the others. True if something has failed.
bool lead_around_failures(std::vector<SmpRequest>& requests, std::vector<std::size_t>& left,
                          bool may_drop, TableImages& images, const SmpSettings& smp,
                          SmpTransport& smps, ControlLog& journal) {
  std::vector<std::vector<SwitchId>> entered;
  std::set<SwitchId> suspects;
  for (const std::size_t i : left) {
    entered.push_back(images.entered_by(requests[i]));
    suspects.insert(entered.back().begin(), entered.back().end());
  }
  const std::vector<SwitchId> ordered(suspects.begin(), suspects.end());
  const Fault fault = locate(smps, smp, images.routed(), ordered).fault;
  if (fault.empty()) return false;
  journal.log(false, fmt::format("fast path: {} is gone too: what is left to be written goes "
                                 "around it",
                                 describe(images.routed(), fault)));
  images.avoid(fault);
  std::vector<std::size_t> reached;
  for (std::size_t k = 0; k < left.size(); ++k)
    if (images.lead_again(requests[left[k]], entered[k]) || !may_drop) reached.push_back(left[k]);
  left = std::move(reached);
  return true;
}

/// Sends the writes of one phase. Those without an answer are sent again, as long as a round brings
/// some answer or shows that a component on their routes has failed: in a phase any order is
/// proved, while a sweep would send the rest of the change in an order of its own. True if every
/// write to a switch that can be reached was acknowledged. `may_drop`: as above.
bool send_phase(std::vector<SmpRequest> requests, bool may_drop, TableImages& images,
                const SmpSettings& smp, SmpTransport& smps, ControlLog& journal,
                const SmpTransport::StopCondition& report) {
  std::vector<std::size_t> left(requests.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  bool all = true;
  for (unsigned round = 0; round < kRounds && !left.empty() && smps.running(); ++round) {
    std::vector<SmpRequest> batch;
    for (const std::size_t i : left) batch.push_back(requests[i]);
    const std::vector<SmpAnswer> answers =
        smps.run(batch, smp.limits,
                 [&](std::size_t i, const SmpAnswer& answer) { return report(left[i], answer); });
    std::vector<std::size_t> unanswered;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (answers[i].status == kSmpNoAnswer)
        unanswered.push_back(left[i]);
      else
        all &= answers[i].status == 0;  // a refusal is final
    }
    const bool silent = unanswered.size() == left.size();
    left = std::move(unanswered);
    if (!all || left.empty()) break;
    if (!lead_around_failures(requests, left, may_drop, images, smp, smps, journal) && silent)
      break;
  }
  return all && left.empty();
}

/// Whether writes to a switch that cables in use no longer reach may be dropped. Cables that are
/// being drained still carry packets, though SMPs avoid them.
bool may_drop(const Change& change) { return !change.lossless || change.lost.empty(); }

/// Carries out the phase in which groups lose ports, and the drain after it. Then reads the MFTs
/// back: a write of the subnet manager that was under way may have come later than this one. False
/// if some switch does not hold what it should. Then nothing else of the change may be written.
/// Else `lost` has the ports that groups have lost in switches that can be reached.
bool pause_groups(const Change& change, TableImages& images, const SmpSettings& smp,
                  SmpTransport& smps, const ControlEnvironment& environment,
                  std::vector<PausedPorts>& lost) {
  std::vector<PausedPorts> ports;
  std::size_t number = 0;
  for (const MftChange& c : change.order.phases.front().mft) {
    ports.push_back({c.at, c.before & ~c.after});
    number += ports.back().ports.count();
  }
  auto blocks = environment.tables.pause_groups(*change.before, ports);
  if (!blocks) return false;
  std::erase_if(*blocks, [&](const MftImage& block) { return !images.reaches(block.at); });
  environment.journal.log(
      false, fmt::format("groups pause: they lose {} ports of switches ({} MFT blocks) until a "
                         "sweep has written their new trees: some members receive no multicast "
                         "packets meanwhile",
                         number, blocks->size()));
  const auto requests = [&](SmpMethod method) {
    std::erase_if(*blocks, [&](const MftImage& block) { return !images.reaches(block.at); });
    std::vector<SmpRequest> all;
    for (const MftImage& block : *blocks) all.push_back(images.request(method, block));
    return all;
  };
  const auto ignore = [](std::size_t, const SmpAnswer&) { return false; };
  bool paused = send_phase(requests(SmpMethod::kSet), may_drop(change), images, smp, smps,
                           environment.journal, ignore);
  if (paused) {
    // The sweep that follows may begin to add ports at once if there is no further phase.
    if (change.order.phases.size() == 1 || change.order.phases[1].drain_first)
      environment.clock.wait(smp.drain);
    const std::vector<SmpAnswer> held = smps.run(requests(SmpMethod::kGet), smp.limits);
    for (std::size_t i = 0; i < held.size(); ++i)
      paused &= held[i].status == 0 && held[i].data == (*blocks)[i].entries;
  }
  if (!paused)
    environment.journal.log(true,
                            "groups could not be paused: a switch has not confirmed its multicast "
                            "table: nothing else was written");
  if (!paused) return false;
  std::erase_if(ports, [&](const PausedPorts& at) { return !images.reaches(at.at); });
  lost = std::move(ports);
  return true;
}

/// Sends the phases from `first` on. `drained`: whether packets have drained before that one.
bool send(const Change& change, std::size_t first, bool drained, TableImages& images,
          const SmpSettings& smp, SmpTransport& smps, const ControlEnvironment& environment) {
  for (const SendPhase& phase : std::span(change.order.phases).subspan(first)) {
    if (phase.drain_first && !std::exchange(drained, false)) environment.clock.wait(smp.drain);
    std::vector<std::size_t> blocks;
    std::vector<SmpRequest> requests = images.writes(phase, blocks);
    const auto report = [&](std::size_t i, const SmpAnswer& answer) {
      if (answer.status == 0 && i < blocks.size() && blocks[i] != SIZE_MAX) {
        const BlockImage& block = images.blocks()[blocks[i]];
        environment.journal.report(Event::Kind::kRepairBlock,
                                   change.after->fabric.node(block.at).guid, block.block);
      }
      return false;
    };
    const bool acknowledged = send_phase(std::move(requests), may_drop(change), images, smp, smps,
                                         environment.journal, report);
    if (!phase.sl.empty()) environment.tables.announce_sls(phase.sl);
    // The next phase may begin only if every write of this one was acknowledged.
    if (!acknowledged) return false;
  }
  return true;
}

/// Reads back all blocks and rows that were written, into `confirmed`. True if every switch holds
/// what was written.
bool read_back(const TableImages& images, const SmpSettings& smp, SmpTransport& smps,
               Confirmed& confirmed) {
  std::vector<SmpRequest> requests;
  bool all = true;
  // Whether the image can be read. Its request is the next one then.
  const auto asked = [&](const auto& image) {
    const bool reached = images.reaches(image);
    all &= reached;
    return reached;
  };
  for (const RowImage& row : images.rows())
    if (asked(row)) requests.push_back(images.request(SmpMethod::kGet, row));
  for (const BlockImage& block : images.blocks())
    if (asked(block)) requests.push_back(images.request(SmpMethod::kGet, block));
  const std::vector<SmpAnswer> held = smps.run(requests, smp.limits);
  auto next = held.begin();
  // What the switch holds; null if it did not say.
  const auto answer_of = [&](const auto& image) -> const SmpAnswer* {
    if (!images.reaches(image)) return nullptr;
    const SmpAnswer& answer = *next++;
    all &= answer.status == 0;
    return answer.status == 0 ? &answer : nullptr;
  };
  for (const RowImage& wanted : images.rows()) {
    const SmpAnswer* const answer = answer_of(wanted);
    if (answer == nullptr) {
      confirmed.unknown_rows.push_back(wanted);
      continue;
    }
    RowImage row = wanted;
    std::copy_n(answer->data.begin(), row.row.size(), row.row.begin());
    all &= row.row == wanted.row;
    confirmed.rows.push_back(row);
  }
  for (const BlockImage& wanted : images.blocks()) {
    const SmpAnswer* const answer = answer_of(wanted);
    if (answer == nullptr) {
      confirmed.unknown_blocks.push_back(wanted);
      continue;
    }
    all &= answer->data == wanted.entries;
    confirmed.blocks.push_back({wanted.at, wanted.block, answer->data});
  }
  return all;
}

}  // namespace

Written write_tables(const Change& change, SmpTransport& smps,
                     const ControlEnvironment& environment) {
  LapTimer timer(&environment.clock);
  Written written;
  const SmpSettings smp = environment.settings.smp();
  const Fabric& fabric = change.smp_fabric ? *change.smp_fabric : change.after->fabric;
  TableImages images(fabric, smp);
  images.gather(change.order);
  if (!environment.tables.fill_in(*change.before, images.blocks())) return written;
  const bool paused = change.order.groups_pause;
  if (paused && !pause_groups(change, images, smp, smps, environment, written.confirmed.paused))
    return written;
  written.begun = true;
  log_order(change, environment.journal);
  HoqWindow window(smps, smp, fabric, smp.window_hoq_life);
  const bool lower = change.order.method == SendPlan::Method::kWindow && smp.window_hoq_life > 0;
  const unsigned lowered = lower ? window.lower() : 0;
  const bool sent = send(change, paused ? 1 : 0, paused, images, smp, smps, environment);
  if (lower)
    environment.journal.log(
        false, fmt::format("head-of-queue lifetime lowered to {:.3f} ms at {} ports for that "
                           "time, put back at {}",
                           0.004096 * (1U << smp.window_hoq_life), lowered, window.restore()));
  written.all_confirmed = read_back(images, smp, smps, written.confirmed) && sent;
  written.ms = timer.lap_ms();
  return written;
}

}  // namespace selvedge
