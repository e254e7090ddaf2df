// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A subnet manager under virtual time: it sweeps as OpenSM does, as far as routing is concerned,
// and the control plane (plugin/control) works in it as in OpenSM.
//
//   trap → the fast path, then a sweep
//   sweep: discover → take out what is lost → defer what is restored → plan → write → subnet up
//   subnet up → the fast path leads paths over what is restored
//
// One thing at a time: what OpenSM's threads would do at once happens here one after the other, in
// the order in which it is due. Virtual time passes meanwhile, and with it cables come and go.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "plugin/control/command_queue.hpp"
#include "plugin/control/planner.hpp"
#include "plugin/control/repair_controller.hpp"
#include "plugin/control/writer_lock.hpp"
#include "sim/control/memory_subnet.hpp"

namespace selvedge::sim {

class VirtualManager : public Surrounding {
 public:
  struct Settings {
    const Engine* engine = nullptr;
    const Engine* fallback = nullptr;
    bool guard = true;  // SL2VL tables reach every switch
    SmpLimits limits;
    FlapSettings flaps;
    DriftSettings drift;
  };

  VirtualManager(MemorySubnet& subnet, VirtualClock& clock, const Settings& settings);

  /// Works until nothing is left to do, and a periodic sweep finds nothing. False: not within the
  /// time.
  bool settle(std::chrono::nanoseconds within);
  /// Works for so long.
  void run_for(std::chrono::nanoseconds time);

  void order(Order order);
  /// The manager's process is started again: it knows what its file of drained links holds, and
  /// finds tables at work.
  void restart();

  /// The plan in force; null before the first.
  std::shared_ptr<const Plan> plan_in_force() override;
  /// What sweeps see, without what is excluded.
  Fabric in_service() const { return changes_.in_service(subnet_.discovered()); }
  std::vector<std::string> drained() override { return changes_.excluded().drained(); }

  struct Counts {
    unsigned sweeps = 0, declined = 0, repairs = 0, restores = 0, orders = 0, refused = 0,
             adopted = 0;
    unsigned stale = 0;  // orders that were prepared again
  };
  const Counts& counts() const { return counts_; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  bool step();
  bool idle() const;
  Instant next_due() const;
  void sweep();
  bool write_sweep(const Fabric& discovered);
  void forget_restarted(const Fabric& discovered);
  void carry_out_order();

  // Surrounding
  bool fill_in(const Plan& plan, std::vector<BlockImage>& blocks) override;
  bool take_over(const std::shared_ptr<const Plan>& before, std::shared_ptr<const Plan> after,
                 const Confirmed& confirmed, const std::vector<std::string>& gone) override;
  void announce_sls(const std::vector<SlChange>&) override {}
  void request_sweep() override;
  std::shared_ptr<const RestoredLinks> restored() override { return changes_.restored(); }
  void look_again() override;
  void leave_to_sweep() override;
  Plan compute(const std::string& engine, const Fabric& fabric) override;
  std::optional<Plan> plan_for(const Fabric& fabric) override;
  void prefer(const std::string& engine) override { preferred_ = &find_engine(engine); }
  void drain(const std::vector<std::string>& names) override;
  void undrain(const std::vector<std::string>& names) override;
  void hold(const std::string& name, Instant until) override;
  bool release_held() override { return changes_.excluded().release(clock_.now()); }
  bool is_master() override { return true; }
  SmpSettings smp() override;
  FlapSettings flaps() override { return settings_.flaps; }
  DriftSettings drift() override { return settings_.drift; }
  void report(Event::Kind kind, Guid, std::uint32_t) override;
  void log(bool error, const std::string& line) override;

  PlanRequest request() const;
  /// What the manager last saw of a switch: its LFT, and its SL2VL rows as on the wire.
  struct Copy {
    unsigned restarts = 0;  // of the switch, when it was found
    bool fresh = true;      // nothing was written since it was found: all of it will be
    std::vector<std::uint8_t> lft;
    std::vector<std::optional<std::array<std::uint8_t, kSls / 2>>> rows;
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
  unsigned preparations_ = 0;  // of the order that is prepared
  std::vector<Lid> issuers_;

  std::shared_ptr<const Plan> plan_;
  bool in_force_ = false;
  bool errors_ = false;  // the last sweep could not write everything
  bool new_master_ = true;
  const Engine* preferred_ = nullptr;
  std::map<Guid, Copy> copies_;
  std::optional<Instant> sweep_due_;
  std::vector<Instant> holds_;
  Counts counts_;
  std::vector<std::string> lines_;
};

}  // namespace selvedge::sim
