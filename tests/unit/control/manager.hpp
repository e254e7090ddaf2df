// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fake subnet manager for tests of the control plane's parts. It logs every call that the control
// plane makes, in order. Its subnet is in memory and loses nothing, and its time is virtual, so
// that times in the log are exact.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "plugin/control/fresh_lids.hpp"
#include "plugin/control/planner.hpp"
#include "plugin/control/repair_controller.hpp"
#include "sim/control/memory_subnet.hpp"
#include "sim/control/mft_blocks.hpp"

namespace selvedge::test {

class Manager : public SubnetManagerInterface {
 public:
  explicit Manager(const Fabric& fabric, bool guard = true, HostId at = 0)
      : subnet(clock, fabric, at, 1, {}), guarded(guard) {
    plan = std::make_shared<const Plan>(*make_plan(fabric, request()).plan);
  }

  sim::VirtualClock clock;
  sim::MemorySubnet subnet;
  bool guarded;
  std::shared_ptr<const Plan> plan;  // the plan in force
  SmpSettings smps{.port = subnet.manager_port(), .m_key = 0x1234, .limits = {}};
  FlapSettings flap;
  DriftSettings drifts;
  ExcludedLinks links;
  bool copies_match = true;     // fill_in()'s result: the copies match the tables in force
  bool takes_over = true;       // take_over()'s result; false: another plan has come into force
  bool writes_rows = true;      // false: as OpenSM with qos FALSE
  bool pauses = true;           // whether pause_groups() knows the switches
  bool proves = true;           // whether plan_for() finds proved tables
  bool ready = true;            // whether awaited_plan() has the plan
  std::string engine = "updn";  // the engine of sweeps
  ReplyGrade replies = ReplyGrade::kOwnSl;  // wanted where possible
  bool readdress = false;                   // whether LIDs are spare (fresh_lids.hpp)
  std::chrono::seconds kept{0};             // keep_fresh()
  FoundRows found;                          // what the last rows_found() was given
  HoqReport hoq;                            // what the last hoq_life_set() was given
  Confirmed confirmed;                      // what the last take_over() was given
  std::vector<RoutingEvent> events;         // what record() was given
  RepairController controller{with(clock), subnet};

  /// Returns the log so far, a line for each entry, and clears the log.
  std::string said() {
    std::string text;
    for (const std::string& line : std::exchange(lines_, {})) text += line + "\n";
    return text;
  }
  ControlEnvironment environment() { return with(clock); }

  PlanRequest request() const {
    PlanRequest r;
    r.engine = &find_engine(engine);
    if (engine == "updn") {
      r.request.tree = EngineRequest::Tree::kBfs;
      r.request.root = 0;
    }
    r.request.replies = replies;
    r.request.replies_if_possible = true;
    if (readdress) r.request.spare_lids = spare_rule(plan.get());
    r.last = plan.get();
    r.guard = guarded;
    return r;
  }

  std::shared_ptr<const Plan> plan_in_force() override { return plan; }
  bool fill_in(const Plan& of, std::vector<BlockImage>& blocks) override {
    for (BlockImage& block : blocks)
      for (std::size_t i = 0; i < kSmpDataBytes; ++i) {
        // A block may end beyond the last LID.
        const std::size_t lid = block.block * kSmpDataBytes + i;
        block.entries[i] =
            lid <= of.tables.top_lid() ? of.tables.next(block.at, static_cast<Lid>(lid)) : kNoPort;
      }
    return copies_match;
  }
  bool take_over(const std::shared_ptr<const Plan>& before, std::shared_ptr<const Plan> after,
                 const Confirmed& read, const std::vector<std::string>& gone) override {
    confirmed = read;
    lines_.push_back(fmt::format("take over: without [{}]", fmt::join(gone, ", ")));
    if (plan != before || !takes_over) return false;
    plan = std::move(after);
    return true;
  }
  GroupPorts group_ports() override { return {}; }
  std::optional<std::vector<MftImage>> pause_groups(
      const Plan& of, const std::vector<PausedPorts>& ports) override {
    lines_.push_back(fmt::format("pause groups at {} switches", ports.size()));
    if (!pauses) return std::nullopt;
    std::vector<MftImage> blocks;
    for (const PausedPorts& lost : ports)
      for (MftImage& block : sim::mft_blocks(of.tables.mft, lost.at)) {
        sim::take_ports(block, lost.ports);
        blocks.push_back(block);
      }
    return blocks;
  }
  void resume_groups() override { lines_.emplace_back("resume groups"); }
  void announce_sls(const std::vector<SlChange>& sls) override {
    lines_.push_back(fmt::format("announce {} SLs", sls.size()));
  }
  bool manager_writes_rows() override { return writes_rows; }
  void rows_replaced(const Fabric&, const std::vector<RowImage>& rows) override {
    lines_.push_back(fmt::format("{} rows replaced", rows.size()));
  }
  void rows_found(FoundRows report) override { found = std::move(report); }
  void hoq_life_set(HoqReport report) override { hoq = std::move(report); }
  void request_sweep() override { lines_.emplace_back("request a sweep"); }
  std::shared_ptr<const RestoredLinks> restored() override { return nullptr; }
  void rediscover() override { lines_.emplace_back("rediscover"); }
  void leave_to_sweep() override { lines_.emplace_back("leave it to the sweep"); }
  void install_by_sweep() override { lines_.emplace_back("install by a sweep"); }
  Plan compute(const std::string& name, const Fabric& fabric) override {
    return draft_plan(find_engine(name), fabric, request().request);
  }
  std::optional<Plan> plan_for(const Fabric& fabric) override {
    if (!proves) return std::nullopt;
    return std::move(make_plan(fabric, request()).plan);
  }
  std::optional<Plan> awaited_plan(const Plan& interim) override {
    if (!ready) return std::nullopt;
    const Engine& awaited = find_engine(interim.awaited);
    return run({&awaited, interim.fabric, request().request, guarded, {}, nullptr}).plan;
  }
  void prefer(const std::string& name) override { lines_.push_back("prefer " + name); }
  std::vector<std::string> drained() override { return links.drained(); }
  void drain(const std::vector<std::string>& names) override {
    lines_.push_back(fmt::format("drain [{}]", fmt::join(names, ", ")));
    links.drain(names);
  }
  void undrain(const std::vector<std::string>& names) override {
    lines_.push_back(fmt::format("undrain [{}]", fmt::join(names, ", ")));
    links.undrain(names);
  }
  void hold(const std::string& name, Instant until) override {
    lines_.push_back(
        fmt::format("hold {} until {} ms", name,
                    std::chrono::duration_cast<std::chrono::milliseconds>(until).count()));
  }
  bool release_held() override { return false; }
  bool is_master() override { return true; }
  SmpSettings smp() override { return smps; }
  FlapSettings flaps() override { return flap; }
  DriftSettings drift() override { return drifts; }
  std::chrono::seconds keep_fresh() override { return kept; }
  void report(Event::Kind kind, Guid guid, std::uint32_t number) override {
    lines_.push_back(guid == 0 && number == 0
                         ? std::string(name(kind))
                         : fmt::format("{} 0x{:x} {}", name(kind), guid, number));
  }
  void record(RoutingEvent event) override { events.push_back(std::move(event)); }
  void log(bool error, const std::string& line) override {
    lines_.push_back((error ? "error: " : "log: ") + line);
  }

 private:
  std::vector<std::string> lines_;
};

}  // namespace selvedge::test
