// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables under RFTR, the repair of Montañana 2008 (§5.2, §5.4), and how faults change them.
// readdress.hpp keeps the list of present faults. A state is a value that is cheap to assign. So a
// search over combinations of faults can share the repairs of a common beginning.
//
// The thesis keeps two tables of paths, each path a pair of switches with its list of links: the
// direct reachability table (DRT) of a source and the indirect one (IRT) of a destination. Here a
// path is a (switch, LID) with an LFT entry, and its links are found by following the LFTs. So the
// DRT rows of source A are the walks from A for every LID with an entry at A. The IRT rows of
// destination C are the switches that have an entry for a LID of C. Both are read from the LFTs, so
// they are always up to date. (Only the hops and VL transitions of IRT rows are stored.) The paths
// that a link fault breaks are found likewise: the LIDs whose entries lead to the failed port, at
// the port's switch and at the switches upstream of it.
//
// For each broken path, from source A to destination C:
//   1 every entry that leads into the fault is removed (kNoPort);
//   2 if another LID of C still has a path from A, the pair uses that LID from now on;
//   3 else a prefix of one of A's paths is joined to a suffix of a path to C at a switch where
//     they meet: by fewest VL transitions, then without a new SL, then by length;
//   4 a LID of C is chosen whose existing LFT entries agree with the new path (if possible another
//     LID than before), and an SL whose SL2VL entries on the new path agree or are not in use;
//   5 if no prefix and suffix can be joined, a path is searched switch by switch, and its LID and
//     SL are chosen as in 4.
// Every dependency (of channels on their VLs) of a new path must fit into a graph that is kept
// acyclic (dependency_order.hpp). Where a turn's dependency is not in the graph and cannot be
// added, the path changes to a higher VL: a VL transition. The graph keeps the dependencies of
// removed paths until rebuild_indexes().
//
// Departures from the thesis: a path cannot visit a switch twice, because an LFT has one entry for
// its LID and the packet would loop. The turns that are legal are learned from the tables, so that
// any engine can be used. Switches on a new path get entries for its LID and so have a path too,
// because a forwarding table does not distinguish sources.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <array>
#include <compare>
#include <memory>
#include <optional>
#include <span>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/repair/readdress_layout.hpp"
#include "plugin/repair/repair.hpp"

namespace selvedge {

class ReaddressState {
 public:
  /// Keeps a reference to the fabric. Throws InputError if the tables have a cycle of dependencies,
  /// or use more VLs than the request allows.
  ReaddressState(const Fabric& fabric, const Tables& tables, const RepairRequest& request);
  ReaddressState(const ReaddressState&) = default;
  ReaddressState& operator=(const ReaddressState&) = delete;
  /// Becomes a copy of `other`, which refers to the same fabric.
  void assign(const ReaddressState& other);

  struct Changes {
    std::vector<LftChange> lft;  // in the order in which they were made
    std::vector<SlChange> sl;
    std::vector<Sl2VlChange> sl2vl;
    std::vector<Readdressed> readdressed;
    std::uint64_t affected = 0;              // broken paths of switches with hosts
    std::uint64_t joined = 0, searched = 0;  // new paths, by steps 3 and 5 above
    std::uint64_t taken = 0;                 // pairs that switched to another LID with a path
    std::uint64_t failed = 0;  // pairs left without a path though physically connected
  };

  /// Applies a further fault: cables between switches, cables of hosts, switches. Repairs broken
  /// paths.
  void fail(const Fault& fault, Changes& changes);
  /// Applies a restoration. Pairs without a path get one if possible.
  void restore(const Fault& fault, Changes& changes);
  /// Builds the dependency graph again from the present tables, so that it loses the dependencies
  /// of removed paths. Then tries to find a path for each pair without one.
  void rebuild_indexes(Changes& changes);

  /// Makes a further path from `source` to the owner of LID `before`, under a spare LID; the paths
  /// to `before` stay. nullopt if no path fits, or no spare LID.
  std::optional<Readdressed> add_fresh_path(SwitchId source, Lid before, Changes& changes);
  /// Makes a path from `source` to this LID on this SL: over `channels` if they still lead there
  /// and no cycle closes, else over others. False if that fails, or if there is a path on another
  /// SL.
  bool keep_path(SwitchId source, Lid lid, Sl sl, std::span<const Channel> channels,
                 Changes& changes);

  const Tables& tables() const { return s_.tables; }
  DependencyOrder& order() { return order_; }
  /// Counts something other than a path (the multicast tree) as a user of the SL2VL entry, so that
  /// no new path changes it.
  void pin(std::size_t turn, Sl sl) { ++s_.users[turn * kSls + sl]; }
  void unpin(std::size_t turn, Sl sl) { --s_.users[turn * kSls + sl]; }
  /// Counts responses on the request's SL `sl`, from hosts of switch `at` to the LID: no new path
  /// closes a cycle with them, or changes SL2VL entries that they use. Responses that are not safe
  /// already are left out.
  void pin_response(SwitchId at, Lid lid, Sl sl);
  const ReaddressLayout& layout() const { return *layout_; }
  bool alive(Channel c) const { return s_.down[c] == 0; }
  bool switch_alive(SwitchId s) const { return s_.switch_down[s] == 0; }
  /// The number of pairs (switch with hosts, host) without a path though physically connected.
  std::uint64_t dead() const;
  /// The highest offset (LID − base LID) of any LID in use.
  unsigned top_offset() const;

  /// Memory in bytes. `reach`: what stands for the DRT and the IRT (the LFTs, the paths' SLs and
  /// PathLengths). `indexes`: the further data used to find and check new paths.
  struct Bytes {
    std::size_t reach, indexes;
  };
  Bytes bytes() const;

  /// A row of the DRT or the IRT (Montañana 2008, Table 5.1).
  struct Reach {
    SwitchId source, destination;
    SwitchId reached;
    unsigned transitions;  // VL transitions between the source (IRT: destination) and `reached`
    Channel link;          // the channel into `reached` (IRT: out of `reached`)
    unsigned hops;         // links between the source (IRT: destination) and `reached`
    friend bool operator==(const Reach&, const Reach&) = default;
  };
  /// direct(): the DRT rows of a source, sorted by LID, then hops. indirect(): the IRT rows of a
  /// destination, sorted by LID, then switch. indirect() omits frozen LIDs (frozen_), and its
  /// counts stop at 255.
  std::vector<Reach> direct(SwitchId source) const;
  std::vector<Reach> indirect(SwitchId destination) const;

 private:
  using Path = std::vector<Channel>;  // the channels between switches, in order
  struct BrokenPath {
    SwitchId at;
    Lid lid;
    Sl sl;
  };
  /// The first `hops` channels of the source's path to LID `via`, as the prefix of a new path. The
  /// prefix ends with channel `in`, on VL `vl`, at switch `at`. With 0 hops it is the source
  /// itself.
  struct Direct {
    Channel in;
    SwitchId at;
    Lid via;
    std::uint8_t hops, transitions;
    Vl vl;
  };
  /// The links and VL transitions of a path from a switch to the destination; each count stops at
  /// 255. hops = 0: there is no path, or it must not be the suffix of a new path.
  struct PathLength {
    std::uint8_t hops = 0, transitions = 0;
  };
  /// A prefix, and a suffix that begins where the prefix ends, packed into one number for
  /// comparison. Its fields: VL transitions, hops, index of the prefix in direct_, LID of the
  /// suffix (kNoLid: no suffix). settle() adds the VL transition that the turn between prefix and
  /// suffix may need.
  struct Candidate {
    /// From the top bit: transitions (9 bits), hops (9), prefix (29), suffix (16), settled (1).
    std::uint64_t rank;
    static constexpr unsigned kLid = 1, kDirect = kLid + 16, kHops = kDirect + 29,
                              kTransitions = kHops + 9;
    static_assert(kTransitions + 9 == 64);
    Candidate(unsigned transitions, unsigned hops, std::uint32_t direct, Lid suffix, bool settled)
        : rank(std::uint64_t{transitions} << kTransitions | std::uint64_t{hops} << kHops |
               std::uint64_t{direct} << kDirect | std::uint64_t{suffix} << kLid |
               (settled ? 1 : 0)) {}
    void settle(bool turns) { rank += (turns ? std::uint64_t{1} << kTransitions : 0) | 1; }
    bool settled() const { return (rank & 1) != 0; }
    unsigned transitions() const { return static_cast<unsigned>(rank >> kTransitions); }
    std::uint32_t direct() const { return rank >> kDirect & ((1u << 29) - 1); }
    Lid suffix() const { return static_cast<Lid>(rank >> kLid); }
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };

  void build_indexes();
  bool add_path(SwitchId at, Lid lid);
  template <class F>
  bool each_turn(SwitchId at, Lid lid, F f) const;
  Vl vl(std::size_t turn, Sl sl) const { return s_.vl[turn * kSls + sl]; }
  std::uint32_t users(std::size_t turn, Sl sl) const { return s_.users[turn * kSls + sl]; }
  std::uint16_t local_vls(SwitchId at, std::size_t turn, Sl sl) const;
  void count_path(SwitchId at, Lid lid, Sl sl, int by);
  void measure_path(SwitchId at, Lid lid, Sl sl);

  void count_faults(Channel c, int by);
  void find_components();
  void collect_broken_paths(SwitchId at, PortNum port);
  void remove_broken_paths(Changes& changes);
  void repair_pair(SwitchId at, std::uint32_t end, Lid before, Sl sl, Changes& changes);
  bool use_other_lid(SwitchId at, std::uint32_t end);
  void find_direct(SwitchId source);
  void add_direct(SwitchId source, Lid via);
  PathLength& path_length(SwitchId at, Lid lid) {
    return s_.path_length[at * (s_.tables.top_lid() + std::size_t{1}) + lid];
  }
  const PathLength& path_length(SwitchId at, Lid lid) const {
    return s_.path_length[at * (s_.tables.top_lid() + std::size_t{1}) + lid];
  }
  bool join(SwitchId source, std::uint32_t end, Lid before, Sl sl, Changes& changes);
  void settle_best(std::size_t first);
  bool turns(const Candidate& candidate) const;
  bool build_path(const Candidate& candidate, SwitchId source, std::uint32_t end);
  bool search(SwitchId source, std::uint32_t end, Lid before, Sl sl, Changes& changes);
  bool find_way(SwitchId source, std::uint32_t end, Lid lid, std::uint32_t foreign);
  bool simple(SwitchId source, std::uint32_t end) const;
  bool try_path(SwitchId source, std::uint32_t end, Lid before, Sl sl, unsigned limit, bool fresh,
                Changes& changes);
  bool fits(Lid lid, SwitchId source) const;
  bool permits(Lid lid, SwitchId source) const {
    if (only_.spare && s_.tables.next(source, lid) != kNoPort) return false;
    return only_.lid != kNoLid ? lid == only_.lid : !only_.spare || s_.tables.is_spare(lid);
  }
  bool is_base_sl(unsigned sl) const { return request_.base_lane && sl == request_.base_lane->sl; }
  bool is_base_vl(unsigned vl) const { return request_.base_lane && vl == request_.base_lane->vl; }
  bool fits_sl(SwitchId source, Lid lid, Sl sl, unsigned limit);
  bool admit(Channel from, std::uint16_t vls, Channel to, Vl vl);
  void retract();
  void install(SwitchId source, Lid lid, Sl sl, Changes& changes);
  void set_vl(SwitchId at, std::size_t turn, PortNum in, PortNum out, Sl sl, Vl vl,
              Changes& changes);
  SwitchId tail(std::size_t i, SwitchId source) const;

  /// The mutable state, copied as a whole.
  struct State {
    Tables tables;
    std::vector<std::uint8_t> down;         // per channel: the number of faults that take it down
    std::vector<std::uint8_t> switch_down;  // per switch: likewise
    std::vector<std::uint8_t> vl;           // per turn and SL: copy of the SL2VL tables
    std::vector<std::uint32_t> users;       // per turn and SL: how many paths use the SL2VL entry
    std::array<std::uint32_t, kSls> sl_paths{};  // per SL: the number of paths on it
    std::vector<PathLength> path_length;         // per (switch, LID): of the path to the LID
    std::vector<Lid> current;                    // per (switch, end): the LID in use; 0: no path
    std::vector<std::uint32_t> component;        // per switch: its connected component
    std::uint32_t components = 0;
  };

  const Fabric* fabric_;
  RepairRequest request_;
  std::shared_ptr<const ReaddressLayout> layout_;
  /// Per LID: whether it is frozen, which means that it gets no new path. This is so if some path
  /// to it does not arrive, or if it has no attached owner.
  std::shared_ptr<const std::vector<bool>> frozen_;
  State s_;
  DependencyOrder order_;

  /// What a new path must have, in add_fresh_path() and keep_path().
  struct Only {
    bool spare = false;    // a spare LID that has no path from the source
    Lid lid = kNoLid;      // this LID
    std::optional<Sl> sl;  // this SL
  };
  Only only_;

  // Buffers that are used within one call only.
  std::vector<BrokenPath> broken_paths_;
  std::vector<SwitchId> queue_;
  std::vector<Direct> direct_;
  std::vector<std::uint32_t> best_direct_;  // per channel: index + 1 into direct_
  SwitchId direct_of_ = kNoSwitch;
  std::vector<Candidate> candidates_;
  Path path_;
  std::vector<Vl> vls_;  // per channel of path_
  /// Dependencies added for path_ while it is not installed
  std::vector<DependencyOrder::Edge> admitted_;
  std::vector<DependencyOrder::Edge> one_;  // argument of DependencyOrder::add()
};

}  // namespace selvedge
