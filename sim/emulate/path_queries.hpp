// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Hosts ask the subnet administrator for their paths, as MPI or IPoIB would: one SubnAdmGet of a
// PathRecord by GIDs for each ordered pair (IBA 1.3 §15.2.5.16), several at a time. An answer of
// the SA also says that the subnet is up: OpenSM's is silent or busy before its first sweep has
// ended.
//
// Hosts keep what they were told. About a host whose LIDs have changed they ask again, after a
// delay. A host that gets no answer to two questions in a row asks no more in that round: the SA
// cannot be reached from there.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sim/emulate/core.hpp"
#include "sim/emulate/course.hpp"

namespace selvedge::sim {

struct PathAnswer {
  Lid dlid = kNoLid;  // kNoLid: there is no path
  Sl sl = 0;
  friend bool operator==(const PathAnswer&, const PathAnswer&) = default;
};

class PathQueries : public Requester, public Course {
 public:
  using Listener = std::function<void(HostId from, HostId to, PathAnswer)>;

  /// `ports`: per host, the port it asks from; PortAt{} for a host without a cable. `changed` hears
  /// of every answer that differs from the one before.
  PathQueries(Core& core, std::vector<PortAt> ports, Listener changed);

  // --- Is the subnet up?
  /// Asks for one path every kProbe until an answer comes.
  void await_subnet();
  bool up() const { return up_; }

  // --- All pairs
  /// Asks for every pair again. Whatever was still to be asked is asked too.
  void ask_all();
  bool done() const {
    return !states_.empty() && next_turn_ == num_pairs() && again_.empty() && outstanding_ == 0;
  }
  /// The host has other LIDs: paths to it and from it are asked for once more, `kReaskDelay` later.
  void readdressed(HostId host);
  /// Of the last complete round: pairs whose answer differs from the round before.
  std::uint64_t changed_paths() const { return changed_paths_; }
  std::uint64_t without_path() const;
  /// [from · hosts + to]
  const std::vector<PathAnswer>& paths() const { return paths_; }

  std::optional<Nanoseconds> deadline() const override;
  void on_time() override;

  void answered(const MadPacket& packet) override;
  void gave_up(const MadPacket& packet) override;

 private:
  static constexpr std::uint32_t kMostOutstanding = 64;
  /// An assumption: what it takes until a host has heard of it.
  static constexpr Nanoseconds kReaskDelay = std::chrono::milliseconds(1);
  static constexpr Nanoseconds kProbe = std::chrono::milliseconds(20);
  static constexpr std::uint8_t kSilent = 2;  // questions without an answer

  std::uint64_t num_pairs() const { return std::uint64_t{ports_.size()} * ports_.size(); }
  /// The pairs are asked for in turns: every host asks for the path to the host after it, then for
  /// that to the next one, …, so that many hosts ask at a time.
  std::uint64_t pair_of(std::uint64_t turn) const;
  std::uint64_t turn_of(std::uint64_t pair) const;
  bool silent(std::uint64_t pair) const { return unanswered_[pair / ports_.size()] >= kSilent; }
  bool is_pair(std::uint64_t pair) const;
  void send_query(std::uint64_t pair, std::uint64_t round);
  void ask(std::uint64_t pair);
  void ask_again(std::uint64_t pair);
  void ask_more();
  /// Ends the question that this MAD answers or repeats, and returns its pair; nothing if it is of
  /// an earlier round.
  std::optional<std::uint64_t> end_question(const MadPacket& packet);
  void keep(std::uint64_t pair, PathAnswer answer);

  enum class PairState : std::uint8_t { kIdle, kToBeAskedAgain, kAsked };

  Core& core_;
  const std::vector<PortAt> ports_;
  const Listener changed_;
  std::vector<PathAnswer> paths_;
  std::vector<PairState> states_;         // per pair, once all were asked for
  std::vector<std::uint8_t> unanswered_;  // per host: its last questions without an answer
  std::uint64_t next_turn_;
  std::uint32_t outstanding_ = 0;  // pairs that are kAsked
  std::deque<std::uint64_t> again_;
  std::deque<std::pair<Nanoseconds, HostId>> readdressed_;  // by the time at which to ask
  std::uint64_t changed_paths_ = 0;
  std::uint64_t round_ = 0;  // of ask_all(); answers of the one before are none
  bool awaiting_ = false, up_ = false;
  Nanoseconds probe_due_{};
};

}  // namespace selvedge::sim
