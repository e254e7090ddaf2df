// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Hosts ask subnet administration (the SA) for their paths, as MPI or IPoIB would: one SubnAdmGet
// of a PathRecord by GIDs for each ordered pair (IBA 1.3 §15.2.5.16), several at a time. An answer
// of the SA also says that the subnet is up: OpenSM's SA is silent or busy before its first sweep
// has ended.
//
// Hosts keep what they were told. About a host whose LIDs have changed they ask again, after a
// delay; so about one whose manager has asked it to register again (ClientReregister), which is how
// a manager can say that SLs alone have changed. A host that gets no answer to two questions in a
// row asks no more in that round: the SA cannot be reached from there.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sim/emulate/console.hpp"
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

  /// `ports`: for each host the port that it asks from; PortAt{} for a host without a cable.
  /// `changed` is called for every answer that differs from the previous answer for its pair.
  PathQueries(Core& core, std::vector<PortAt> ports, Listener changed);

  // --- Waiting until the subnet is up
  /// Asks for one path every kProbe until the SA answers, if only that it has no such record. An
  /// answer "busy" does not count.
  void await_subnet();
  bool up() const { return up_; }

  // --- All pairs
  /// Starts a new round: asks for every pair. Queries of the previous round are dropped.
  void ask_all();
  bool done() const {
    return !states_.empty() && next_turn_ == num_pairs() && again_.empty() && outstanding_ == 0;
  }
  /// The host has other LIDs, or is to register again: paths to it and from it are asked for once
  /// more, `kReaskDelay` later.
  void readdressed(HostId host);
  /// Number of answers in this round that differ from the previous answer for their pair. Before
  /// its first answer a pair counts as without a path.
  std::uint64_t changed_paths() const { return changed_paths_; }
  std::uint64_t without_path() const;
  /// The answers; index: source · number of hosts + destination.
  const std::vector<PathAnswer>& paths() const { return paths_; }

  std::optional<Nanoseconds> deadline() const override;
  void on_time() override;

  void answered(const MadPacket& packet) override;
  void gave_up(const MadPacket& packet) override;

 private:
  static constexpr std::uint32_t kMostOutstanding = 64;
  /// How long it takes until a host learns that another host's LIDs have changed. An assumption.
  static constexpr Nanoseconds kReaskDelay = std::chrono::milliseconds(1);
  static constexpr Nanoseconds kProbe = std::chrono::milliseconds(20);
  // After so many unanswered queries a host asks no more.
  static constexpr std::uint8_t kSilent = 2;

  std::uint64_t num_pairs() const { return std::uint64_t{ports_.size()} * ports_.size(); }
  /// The order in which pairs are asked for: first every host asks for the path to the next host
  /// (by id), then every host for the path to the host after that, …, so that many hosts ask at a
  /// time.
  std::uint64_t pair_of(std::uint64_t turn) const;
  std::uint64_t turn_of(std::uint64_t pair) const;
  bool silent(std::uint64_t pair) const { return unanswered_[pair / ports_.size()] >= kSilent; }
  bool is_pair(std::uint64_t pair) const;
  void send_query(std::uint64_t pair, std::uint64_t round);
  void ask(std::uint64_t pair);
  void ask_again(std::uint64_t pair);
  void ask_more();
  /// Ends the query to which this MAD belongs (its answer, or the query itself if given up), and
  /// returns the query's pair; nothing if the query is of an earlier round.
  std::optional<std::uint64_t> end_question(const MadPacket& packet);
  void keep(std::uint64_t pair, PathAnswer answer);

  enum class PairState : std::uint8_t { kIdle, kToBeAskedAgain, kAsked };

  Core& core_;
  const std::vector<PortAt> ports_;
  const Listener changed_;
  std::vector<PathAnswer> paths_;
  std::vector<PairState> states_;         // per pair; empty before the first ask_all()
  std::vector<std::uint8_t> unanswered_;  // per host: how many of its last queries got no answer
  std::uint64_t next_turn_;
  std::uint32_t outstanding_ = 0;  // pairs that are kAsked
  std::deque<std::uint64_t> again_;
  // Hosts, each with the time at which to ask.
  std::deque<std::pair<Nanoseconds, HostId>> readdressed_;
  std::uint64_t changed_paths_ = 0;
  std::uint64_t round_ = 0;  // number of the current round; answers of earlier rounds are ignored
  bool awaiting_ = false, up_ = false;
  Nanoseconds probe_due_{};
};

/// The console's `paths`, `wait subnet-up` and `wait paths`.
void add_path_commands(Console& console, PathQueries& queries);

}  // namespace selvedge::sim
