// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A subnet manager at a host of a simulated network. It learns of faults, computes tables, and
// writes them by SMPs over VL 15, which take the time that the network takes, and may be lost.
//
//   detection     a trap of a switch, then a question to that switch; or the answer to a question
//                 of a sweep. "opensm" then asks every node for everything that OpenSM asks for
//   computing     a given time, and a given time for each LFT entry that changes
//   distribution  the stages of the scheme, at most `outstanding` requests at a time. A request
//                 without an answer is repeated after timeout_us, `retries` times; then it counts
//                 as unconfirmed, and the change goes on without it. With layers and tokens it is
//                 repeated without end, and all switches are asked what has failed
//
// A report that comes during a change begins another one after it. With epochs, and with layers and
// tokens as long as nobody has been told to use the new tables, the change under way is aborted
// instead: what has not been sent is not sent (Montañana 2008 §6.7).
//
// The caller simulates to next() or to the end of a tick in which an SMP ended, whichever is
// earlier, and then calls act(). All that the manager and the agents do is done between two ticks.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/reconfigure/agents.hpp"
#include "sim/reconfigure/routes.hpp"
#include "sim/reconfigure/schemes.hpp"
#include "sim/reconfigure/target.hpp"

namespace selvedge::sim {

/// One change of tables. kNever: it did not come to that.
struct Reconfiguration {
  Tick cause = kNever;        // the earliest fault that it answers; without one, as `detected`
  Tick detected = kNever;     // the manager knows what has failed
  Tick computed = kNever;     // it begins to write
  Tick distributed = kNever;  // the last answer has come
  bool aborted = false;       // another change took its place
  std::uint64_t writes = 0;   // SMPs that write something, each once
  std::uint64_t unconfirmed = 0;
  std::uint64_t lft_entries = 0;  // that differ
  /// Of this change, from its detection on, counting repetitions; answers not counted.
  std::uint64_t requests = 0, repeated = 0;
};

class Manager {
 public:
  /// All arguments must outlive the manager. The network must hold target.initial().
  Manager(const ReconfigurationSpec& spec, const Fabric& fabric, const Model& model, Target& target,
          Subnet& subnet);

  /// The next tick at which the manager or an agent does something by itself; kNever: none.
  Tick next() const;
  /// Receives what has arrived, and does what is due at now().
  void act();
  /// The cable of this channel has just been cut, or restored: its ports know it.
  void set_cable(Channel cable, bool down);
  /// No change is under way, and none is about to begin.
  bool idle() const { return phase_ == Phase::kIdle && !again_ && planned_at_ == kNever; }

  const std::vector<Reconfiguration>& changes() const { return changes_; }
  /// What the switches hold.
  const Tables& in_force() const { return agents_.tables(); }
  /// Whether the switches hold the tables of the last change.
  bool reached() const;
  HostId host() const { return host_; }
  std::uint64_t smps_sent() const { return sent_; }

  /// For tests: SMPs for whose number (from 0, in the order of sending, of the manager and agents
  /// alike) this is true are not sent. The sender does not learn of it.
  void lose(std::function<bool(std::uint64_t)> which) { loses_ = std::move(which); }
  /// Sets the function that is called with each step of a change, in words.
  void on_step(std::function<void(Tick, const std::string&)> listener) {
    step_ = std::move(listener);
  }

 private:
  enum class Phase : std::uint8_t {
    kIdle,
    kRediscovering,
    kHolding,
    kComputing,
    kWaiting,  // for the condition of a stage
    kWriting,
  };
  enum class Why : std::uint8_t { kLocate, kOnTheWay, kSweep, kRediscover, kWrite };
  struct Request {
    SmpEnd at;
    Why why = Why::kLocate;
    Write write = {};
    unsigned tries = 0;
  };
  /// What an SMP under way carries.
  struct Content {
    enum class Kind : std::uint8_t { kRequest, kAnswer, kTrap, kRepress, kSays, kNoted } kind;
    std::uint32_t request = 0;
    SmpEnd of = {};       // who sent it, or is asked
    bool writes = false;  // a request with a write
    Write write = {};
    std::vector<Agents::PortState> ports = {};  // in an answer of a switch
    unsigned change = 0;                        // of kSays
  };
  struct Trap {
    Tick repeat_at = 0;
    unsigned left = 0;
  };

  /// What a switch repeats until it is answered (Agents::look()).
  struct Notice {
    unsigned change = 0;
    Tick repeat_at = 0;
  };

  Tick ticks(double us) const;
  void send(const SmpEnd& from, Smp smp, Content content);
  void transmit(std::uint32_t id);
  void pump();
  void receive(const SmpArrival& arrival, Content content);
  void answered(std::uint32_t id, const Content& content);
  void learn(const std::vector<Agents::PortState>& ports);
  void expire();
  void enqueue(Request request);
  void begin_change();
  void compute();
  void write_stages();
  void begin_stage();
  bool advance_phase();
  void abort_change();
  void put_in_doubt(const Write& write);
  Delta delta_to(const Tables& to) const;
  void ask_everything();
  void sweep();
  void ask_switches();
  void ask_on_the_way(const SmpEnd& end);
  void repeat_traps();
  void look();
  void repeat_notices();
  bool can_tell(const SmpEnd& end) const;
  void tell(const Write& write);
  bool may_abort() const;
  bool all_have_said() const;
  /// How long a request is repeated.
  Tick patience() const { return std::max<Tick>(ticks(spec_.timeout_us * (spec_.retries + 1)), 1); }
  void look_at_cables();
  bool nothing_to_do() const { return queue_.empty() && open_.empty(); }
  std::vector<SwitchId> near() const;
  std::vector<Write> news_for_hosts(const Target::Change& change);
  void say(const std::string& what) { step_(subnet_.now(), what); }

  const ReconfigurationSpec& spec_;
  const Fabric& fabric_;
  const Model& model_;
  Target& target_;
  Subnet& subnet_;
  const Scheme& scheme_;
  const HostId host_;
  Agents agents_;
  Fabric known_;                          // the fabric as the manager knows it
  std::optional<DirectedRoutes> routes_;  // in known_
  /// What has been reported of a cable, by its lower channel, and when that came to be.
  std::map<Channel, std::pair<bool, Tick>> cables_;
  std::vector<Channel> news_;  // cables reported since the last change began

  Phase phase_ = Phase::kIdle;
  Tick news_since_ = kNever;                    // the earliest fault of news_
  bool again_ = false;                          // something was reported during a change
  Tick planned_at_ = kNever;                    // when a change without a fault begins
  std::deque<std::uint32_t> queue_;             // requests that have not been sent
  std::map<std::uint32_t, Request> all_;        // requests queued or waiting for an answer, by id
  std::map<std::uint32_t, Tick> open_;          // requests that have been sent: their deadlines
  std::map<std::uint32_t, Content> under_way_;  // by Smp::tag
  std::uint32_t next_request_ = 0, next_tag_ = 0;
  std::uint64_t sent_ = 0;
  std::map<SwitchId, Trap> traps_;
  std::map<SwitchId, Smp> ways_back_;  // of what a switch was sent last
  std::map<SwitchId, Notice> notices_;
  std::set<SwitchId> said_;  // switches that have said it in this change
  Tick look_at_ = kNever;    // when agents look next
  Tick sweep_at_ = kNever, wait_until_ = kNever;
  std::vector<Stage> stages_;
  std::size_t stage_ = 0;
  Target::Change to_;
  Epoch epoch_ = 0;
  std::map<std::pair<SwitchId, HostId>, PathEntry> told_;  // what hosts at a switch use, if told
  /// What a switch may hold or not: a write was sent and not confirmed. The next change writes it.
  std::set<std::pair<SwitchId, Lid>> doubtful_entries_;
  std::set<std::tuple<SwitchId, PortNum, PortNum>> doubtful_rows_;
  std::vector<Reconfiguration> changes_;
  std::function<bool(std::uint64_t)> loses_ = [](std::uint64_t) { return false; };
  std::function<void(Tick, const std::string&)> step_ = [](Tick, const std::string&) {};
};

/// Simulates to `until` under a manager.
template <class Simulator>
void run_under(Simulator& network, Manager& manager, Tick until) {
  while (network.now() < until) {
    const Tick next = std::min(until, manager.next());
    if (next > network.now()) network.run(next);
    manager.act();
  }
}

}  // namespace selvedge::sim
