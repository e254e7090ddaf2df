// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast path: what a trap sets off, long before OpenSM's sweep has seen the whole fabric again.
//
//   notice → locate → repair → prove → order → send → confirm    (fast_path.cpp, top to bottom)
//
// It has a thread of its own and an agent of its own for SMPs (smp.hpp). OpenSM's sweep follows by
// itself, since the trap set it off as well; it then finds the fabric that the tables in force were
// proved for, and nothing to send.
//
// What a sweep finds by itself goes the same way. Gone, and no trap told of it: the sweep waits
// while it is repaired, and then has nothing to write. Come back: the sweep sets it up and leaves
// its use to the fast path (fast_path_return.cpp).
//
// Two writers. LFTs and SL2VL tables are written by a sweep, from the moment that our engine is
// asked until OpenSM reports the routing done, or by the fast path, never by both: each waits for
// the other (Writer). What the fast path could not confirm, and all that it does not understand, it
// leaves to the sweep.
//
// Two threads. One writes, and nobody waits for it long. What the operator orders is first thought
// out by the other (fast_path_orders.cpp): that may take seconds on a large fabric, while faults
// are repaired and sweeps go on. The result is sent if the tables in force are still those that it
// starts from, else thought out again.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "plugin/opensm/config.hpp"
#include "plugin/opensm/locate.hpp"
#include "plugin/opensm/planner.hpp"
#include "plugin/opensm/smp_agent.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/transition/order.hpp"

namespace selvedge {

/// 64 entries of a switch's LFT.
struct BlockImage {
  SwitchId at = kNoSwitch;
  std::uint32_t block = 0;
  std::array<std::uint8_t, kSmpDataBytes> entries{};
};
/// A row of a switch's SL2VL tables, or the row of a host, as on the wire: two SLs a byte.
struct RowImage {
  SwitchId at = kNoSwitch;
  HostId host = kNoHost;
  PortNum in = 0, out = 0;
  std::array<std::uint8_t, kSls / 2> row{};
};

/// Two SLs a byte, the even one in the high nibble (IBA 1.3 §14.2.5.9).
std::array<std::uint8_t, kSls / 2> on_the_wire(const Sl2VlRow& row);

/// What was read back from the switches.
struct Confirmed {
  std::vector<BlockImage> blocks;
  std::vector<BlockImage> unknown;  // written, but the switch does not say with what outcome
  std::vector<RowImage> rows;
};

/// What a sweep has found beyond the plan in force and left out of its own, to be taken into use
/// in a proved order.
struct ComeBack {
  std::shared_ptr<const Plan> plan;  // in force, in the terms of…
  Fabric fabric;                     // …this, which has more
};

/// What the fast path needs of OpenSM. Called from its threads, without its locks.
class FastPathBorder {
 public:
  virtual ~FastPathBorder() = default;
  virtual bool is_master() = 0;
  /// The plan in force; null if there is none of ours.
  virtual std::shared_ptr<const Plan> plan_in_force() = 0;
  virtual SmpBorder smp() = 0;
  /// Fills in the entries as OpenSM last saw them acknowledged; false if a switch is not known, or
  /// if they are not those of the plan.
  virtual bool fill_in(const Plan& plan, std::vector<BlockImage>& blocks) = 0;
  /// This much was read back; and the new plan, without what `gone` names, is in force. False if
  /// another plan has come between: then that stays. Sweeps again if something waited to be taken
  /// into use: that sweep writes the groups' trees, or finds it anew beside this plan.
  virtual bool take_over(const std::shared_ptr<const Plan>& before,
                         std::shared_ptr<const Plan> after, const Confirmed& confirmed,
                         const std::vector<std::string>& gone) = 0;
  /// From now on path queries are answered with these SLs, until the next plan is in force.
  virtual void tell_sls(const std::vector<SlChange>& sls) = 0;
  /// The tables that an engine makes for this fabric, unproved. Throws InputError: there is no such
  /// engine, or it can't.
  virtual Plan compute(const std::string& engine, const Fabric& fabric) = 0;
  /// A proved plan for this fabric, as a sweep would make it from the plan in force; none if there
  /// is none, and the log says why.
  virtual std::optional<Plan> plan_for(const Fabric& fabric) = 0;
  /// What waits to be taken into use; asked for again, it is there still, until another plan is in
  /// force, a sweep plans, or one of the next two is called.
  virtual std::shared_ptr<const ComeBack> come_back() = 0;
  /// Sweeps again: what it finds then waits instead.
  virtual void look_again() = 0;
  /// Sweeps again, and that sweep takes into use by itself whatever it finds.
  virtual void leave_to_sweep() = 0;
  /// From now on sweeps ask this engine.
  virtual void prefer(const std::string& engine) = 0;
  virtual PluginConfig::Flaps flaps() = 0;
  virtual PluginConfig::Drift drift() = 0;
  /// What sweeps shall leave out, by its names (out_of_service.hpp). drain() and undrain() throw
  /// EnvironmentError if that cannot be written down; then nothing has changed.
  virtual void drain(const std::vector<std::string>& names) = 0;
  virtual void undrain(const std::vector<std::string>& names) = 0;
  virtual std::vector<std::string> drained() = 0;
  virtual void hold(const std::string& name, std::chrono::steady_clock::time_point until) = 0;
  /// Were holds over? Then a sweep is due.
  virtual bool release_held() = 0;
  virtual void ask_for_sweep() = 0;
  virtual void report(Event::Kind kind, Guid guid = 0, std::uint32_t number = 0) = 0;
  virtual void log(bool error, const std::string& line) = 0;
};

struct Order {
  enum class Kind { kDrain, kUndrain, kReroute, kShorten };  // the last by nobody's order
  Kind kind = Kind::kDrain;
  std::vector<std::string> words;  // names of switches and cables; an engine
};

class FastPath {
 public:
  /// `patience`: how long an order waits for its turn, and what has been thought out for a sweep.
  explicit FastPath(FastPathBorder& border,
                    std::chrono::milliseconds patience = std::chrono::seconds(20))
      : border_(border), patience_(patience) {}
  FastPath(const FastPath&) = delete;
  FastPath& operator=(const FastPath&) = delete;
  ~FastPath() { stop(); }

  void start(std::string agent_program);
  void stop();

  /// From any thread: the switch with this LID says that something about its ports has changed.
  void notice(Lid issuer);

  /// Carries out what the operator wants; returns a JSON document, {"error": {…}} if it can't be.
  /// Blocks until it is done. What has not been begun within the patience is not begun later.
  std::string carry_out(Order order);

  /// A sweep is about to plan and write. False: the fast path is writing; wait, without OpenSM's
  /// lock, by begin_sweep().
  /// After kSweepPatience the fast path is told to leave what it has not sent: never two writers.
  bool try_begin_sweep();
  void begin_sweep();
  /// From the sweep, which has begun: takes out what it found gone and no trap told of, as after a
  /// trap. Waits until that is done, or came to nothing; without OpenSM's lock.
  void take_out_for_sweep(std::shared_ptr<const Plan> plan, Fault fault);
  /// Its tables are in the switches, or it came to nothing.
  void end_sweep();

  /// Is everything prepared for a fault of this plan's fabric? From any thread.
  bool ready_for(const Plan* plan) const { return plan != nullptr && prepared_ == plan; }
  /// Can it write at all, once it has prepared? From any thread.
  bool able() const { return able_; }

 private:
  enum class Writer { kNobody, kSweep, kFastPath };

  /// What is kept ready for the next fault: it belongs to one plan.
  struct Ready {
    std::shared_ptr<const Plan> plan;
    std::unique_ptr<InPlaceRepair> repair;
    Proof proof;
  };

  /// A step from the plan in force to another one.
  struct Step {
    std::shared_ptr<const Plan> before;
    std::shared_ptr<Plan> after;
    Delta delta;
    Fault fault;                 // what the step takes out; empty for new tables
    std::vector<SwitchId> near;  // where it began: is written first
    bool lossless = false;       // what is taken out still works: no packet needs to be lost…
    std::size_t lossy_lids = 0;  // …but for these LIDs it may be,
    std::string lost;            // as here
    std::string method;          // for the log
    std::size_t readdressed = 0;
    SendPlan sent;  // once it is chosen:
    bool ordered = false;
    bool begun = false;  // to be written
    Confirmed confirmed;
    bool all_confirmed = false;
    double send_ms = 0;
  };
  /// What an order comes to: it hands a step from the one thread to the other.
  struct Thought {
    Step step;                         // its `after` is null: there is nothing to be sent
    std::unique_ptr<Ready> ready;      // for the tables that the step leads to; may be null
    std::vector<std::string> drained;  // names, from then on
    std::string engine;                // that sweeps ask from then on; "" = the same as before
    enum class Fate { kOpen, kSent, kStale, kRefused } fate = Fate::kOpen;
    std::exception_ptr error;
  };
  struct FoundGone {
    std::shared_ptr<const Plan> plan;
    Fault fault;
  };
  struct Pending {
    std::uint64_t number;
    Order order;
    std::promise<std::string> answer;
  };

  /// What is to be done next.
  struct Work {
    std::vector<Lid> issuers;
    std::optional<FoundGone> gone;
    std::shared_ptr<const ComeBack> back;
    Thought* thought = nullptr;
    Thought::Fate fate = Thought::Fate::kRefused;  // of it
    bool fault() const { return gone || !issuers.empty(); }
    bool writes() const { return fault() || back || thought != nullptr; }
  };

  // The thread that writes.
  void run();
  Work take_work();
  void do_safely(Work& work);
  void do_as_master(Work& work);
  void get_ready();
  void handle(const std::vector<Lid>& issuers);
  void repair(const Fault& fault, double locate_ms);
  void take_in(const ComeBack& back);
  void damp(const Fabric& fabric, const Fault& fault);
  Thought::Fate carry_through(Thought& thought);
  bool shortening_due();

  // The thread that thinks.
  void think();
  std::string answer_to(const Order& order);
  std::string obey(const Order& order);
  std::string drain(const std::vector<std::string>& words);
  std::string undrain(const std::vector<std::string>& words);
  std::string reroute(const std::string& engine);
  std::string shorten();
  template <class Think>
  Thought settle(Think think);
  void hand_over(Thought& thought);

  // Either.
  std::unique_ptr<Ready> prepare(std::shared_ptr<const Plan> plan);
  Step take_out(Ready& ready, const Fault& fault);
  Step replace(const Ready& ready, Plan plan);
  void guard_anew(const Ready& ready, Step& step);
  bool prove(Ready& ready, Step& step);
  void choose_order(Step& step);

  void say_order(const Step& step);
  bool put_in_force(Step& step);
  bool send_and_confirm(Step& step);
  bool send(const SendPlan& plan, class Images& images);
  bool read_back(const Images& images, Confirmed& confirmed);

  FastPathBorder& border_;
  const std::chrono::milliseconds patience_;
  std::string agent_program_;
  std::thread writer_thread_, thinker_thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  Writer writer_ = Writer::kNobody;
  bool sweep_ended_ = false;  // there may be a new plan to prepare for
  std::vector<Lid> issuers_;
  std::optional<FoundGone> found_gone_;  // by the sweep that waits for it
  std::deque<Pending> orders_;
  std::uint64_t next_order_ = 0;
  Thought* thought_ = nullptr;  // the thinker's, who waits for its outcome

  // The writing thread's own.
  SmpAgent agent_;
  std::chrono::steady_clock::time_point next_start_;  // of the agent, once it has failed
  std::unique_ptr<Ready> ready_;
  std::atomic<const Plan*> prepared_ = nullptr;  // ready_'s plan
  std::atomic<bool> able_ = false;               // the agent is running
  std::atomic<bool> lacks_agent_ = false;        // it is not, though it has been started
  struct Repaired {
    std::string name;
    std::chrono::steady_clock::time_point when;
  };
  std::shared_ptr<const Plan> looked_at_;             // the last plan whose lengths were compared
  std::chrono::steady_clock::time_point changed_at_;  // when the plan in force came
  std::deque<Repaired> recent_;  // cables, within the window that flaps are counted in
};

}  // namespace selvedge
