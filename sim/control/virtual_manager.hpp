// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A subnet manager under virtual time, for tests of the control plane (plugin/control). It sweeps
// as OpenSM does, and the control plane runs in it as in OpenSM.
//
//   trap → the fast path, then a sweep
//   sweep: discover → repair around lost links → defer restored links → plan → write → subnet up
//   subnet up → the fast path routes over restored links
//
// There is one thread: work that OpenSM's threads do in parallel is done here in sequence, in order
// of its due time. Virtual time passes during the work, so cables may fail or return meanwhile.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "plugin/control/command_queue.hpp"
#include "plugin/control/planner.hpp"
#include "plugin/control/repair_controller.hpp"
#include "plugin/control/writer_lock.hpp"
#include "sim/control/memory_subnet.hpp"

namespace selvedge::sim {

class VirtualManager : public SubnetManagerInterface {
 public:
  struct Settings {
    const Engine* engine = nullptr;
    const Engine* fallback = nullptr;
    bool guard = true;  // plans may map turns to VL 15, so that no mixture of LFTs deadlocks
    /// The grade of responses that tables get if LIDs, VLs and SLs suffice.
    ReplyGrade replies = ReplyGrade::kOwnSl;
    bool demand_replies = false;  // tables below that grade are refused
    std::chrono::milliseconds drain = SmpSettings{}.drain;
    SmpLimits limits;
    FlapSettings flaps;
    DriftSettings drift;
    bool readdress = false;  // whether pairs that a fault hits get fresh LIDs (fresh_lids.hpp)
    std::chrono::seconds keep_fresh{0};  // ControlSettings::keep_fresh()
    /// The virtual time until the engine's tables are ready; the plan of another engine is in force
    /// meanwhile. 0: every result is ready at once.
    std::chrono::milliseconds late{0};
    /// Without a guard, restored links are routed over by an order beyond this many LFT entries.
    std::size_t restore_at_once_max = kRestoreAtOnceMax;
  };

  VirtualManager(MemorySubnet& subnet, VirtualClock& clock, const Settings& settings);

  /// Works until no work is left and a periodic sweep finds no change. False if this takes more
  /// than `within` of virtual time.
  bool settle(std::chrono::nanoseconds within);
  /// Works for this long in virtual time.
  void run_for(std::chrono::nanoseconds time);

  void order(Order order);
  /// Simulates a restart of the manager's process: it keeps only its file of drained links. The
  /// switches keep their tables.
  void restart();

  /// The plan in force: tables with their fabric and proof. Null before the first plan, and while
  /// the switches' tables may differ from the plan.
  std::shared_ptr<const Plan> plan_in_force() override;
  /// The SLs of `tables` with those announced since the plan came into force: what path records
  /// report now. `tables`: with the ids of the plan in force.
  void announce(Tables& tables) const {
    for (const SlChange& c : announced_sls_) tables.set_sl(c.source, c.dlid, c.after);
  }
  /// The fabric that a sweep would route now: the discovered one without the links that are
  /// drained, or held because they flap.
  Fabric in_service() const { return changes_.in_service(subnet_.discovered()); }
  std::vector<std::string> drained() override { return changes_.excluded().drained(); }

  struct Counts {
    unsigned sweeps = 0, declined = 0, repairs = 0, restores = 0, restore_orders = 0, orders = 0,
             refused = 0, adopted = 0, pauses = 0;
    unsigned stale = 0;  // orders whose prepared change was out of date when it was to be executed
  };
  const Counts& counts() const { return counts_; }
  const std::vector<std::string>& log_lines() const { return lines_; }

 private:
  bool step();
  bool idle() const;
  Instant next_due() const;
  void sweep();
  bool write_sweep(const Fabric& discovered);
  bool write_groups(const Fabric& discovered);
  void drop_restarted(const Fabric& discovered);
  void execute_order();
  void give_up(const Order& order, const std::string& why);

  // SubnetManagerInterface
  bool fill_in(const Plan& plan, std::vector<BlockImage>& blocks) override;
  bool take_over(const std::shared_ptr<const Plan>& before, std::shared_ptr<const Plan> after,
                 const Confirmed& confirmed, const std::vector<std::string>& gone) override;
  GroupPorts group_ports() override { return changes_.group_ports(); }
  std::optional<std::vector<MftImage>> pause_groups(const Plan& plan,
                                                    const std::vector<PausedPorts>& ports) override;
  /// Only sweeps make trees here, and none runs while groups pause.
  void resume_groups() override {}
  void announce_sls(const std::vector<SlChange>& sls) override {
    announced_sls_.insert(announced_sls_.end(), sls.begin(), sls.end());
  }
  bool manager_writes_rows() override { return true; }
  void rows_replaced(const Fabric&, const std::vector<RowImage>&) override {}
  void rows_found(FoundRows) override {}
  void hoq_life_set(HoqReport) override {}
  void request_sweep() override;
  std::shared_ptr<const RestoredLinks> restored() override { return changes_.restored(); }
  void rediscover() override;
  void leave_to_sweep() override;
  void install_by_sweep() override;
  Plan compute(const std::string& engine, const Fabric& fabric) override;
  std::optional<Plan> plan_for(const Fabric& fabric) override;
  std::optional<Plan> awaited_plan(const Plan& interim) override;
  void prefer(const std::string& engine) override { preferred_ = &find_engine(engine); }
  void drain(const std::vector<std::string>& names) override;
  void undrain(const std::vector<std::string>& names) override;
  void hold(const std::string& name, Instant until) override;
  bool release_held() override { return changes_.excluded().release(clock_.now()); }
  bool is_master() override { return true; }
  SmpSettings smp() override;
  FlapSettings flaps() override { return settings_.flaps; }
  DriftSettings drift() override { return settings_.drift; }
  std::chrono::seconds keep_fresh() override { return settings_.keep_fresh; }
  void report(Event::Kind kind, Guid, std::uint32_t) override;
  void log(bool error, const std::string& line) override;

  PlanRequest request();
  std::optional<Computed> begin_late(const Computation& task);
  using MftPlace = std::pair<std::uint32_t, std::uint8_t>;  // block, group of 16 ports
  /// The manager's copy of a switch's tables: its LFT, and its SL2VL tables as bytes on the wire.
  struct Copy {
    unsigned restarts = 0;  // MemorySubnet::restarts() of the switch when the copy was made
    bool fresh = true;      // the next sweep writes every LFT block
    std::vector<std::uint8_t> lft;
    std::vector<std::optional<std::array<std::uint8_t, kSls / 2>>> rows;
    std::map<MftPlace, MftImage> mft;
    std::set<MftPlace> mft_held;  // the blocks that the switch is known to hold
  };
  Copy& copy_of(Guid guid);

  MemorySubnet& subnet_;
  VirtualClock& clock_;
  const Settings settings_;
  std::string drained_file_;

  SweepChanges changes_;
  std::optional<RepairController> controller_;
  WriterLock writer_;
  CommandQueue commands_;
  std::optional<std::pair<Order, PreparedChange>> prepared_;
  unsigned preparations_ = 0;  // how often the order in prepared_ has been prepared
  std::shared_ptr<const RestoredLinks> restore_ordered_;  // those of the last order kRestore
  std::vector<Lid> trap_issuers_;

  std::shared_ptr<const Plan> plan_;
  bool in_force_ = false;
  bool errors_ = false;  // some writes of the last sweep failed
  bool new_master_ = true;
  const Engine* preferred_ = nullptr;
  /// The computation under way, with the result that it will have.
  struct Late {
    std::string engine;
    Fabric fabric;
    Computed result;
    Instant ready;
    bool told = false;  // the order to install it was given
  };
  std::optional<Late> late_;
  bool recompute_ = false;  // the next sweep takes the result of `late_`
  std::map<Guid, Copy> copies_;
  std::vector<SlChange> announced_sls_;
  std::optional<Instant> sweep_due_;
  std::vector<Instant> hold_ends_;
  Counts counts_;
  std::vector<std::string> lines_;
};

}  // namespace selvedge::sim
