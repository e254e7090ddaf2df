// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// RFTR's tables and how they change (Montañana 2008 §5.2, §5.4), without the fabric's bookkeeping
// around it (readdress.hpp has that). A value that is cheap to copy into another of its kind, so
// that a search over combinations of faults shares what they have in common.
//
// The reachability tables. A path of the thesis is a pair and its list of links; here it is a
// (switch, LID) with an LFT entry, and its links are read off the LFTs. So the DRT's rows of source
// A are the walks from A by every LID that it has an entry for, and the IRT's rows of destination C
// are the switches that have an entry for a LID that ends at C. Both are the LFTs themselves: they
// are ready for the next fault the moment the LFTs are written. (Of the IRT's rows, hops and
// transitions are kept beside them.) The paths that a link fault hits are found the same way: the
// LIDs that leave by that port, and the switches upstream.
//
// For each path that was hit, from source A to destination C:
//   1 every entry that leads into the fault goes (kNoPort);
//   2 if another LID of C still has a path from A, that one is used from now on;
//   3 else a prefix of one of A's paths is joined to a suffix of a path to C at a switch where
//     they meet: by fewest VL transitions, then without a new SL, then by length;
//   4 a LID of C is found whose LFT entries agree with the new path where it has any (another one
//     than before, if there is), and an SL whose SL2VL entries agree, or that has none yet there;
//   5 if nothing can be joined, a path is searched switch by switch with the same two conditions.
// Every dependency of channels and VLs that a new path brings is asked for in an order that is kept
// acyclic (dependency_order.hpp): a transition is required where the turn is not in it and cannot
// be added. Dependencies are never taken out of it but by begin_anew().
//
// Where this departs from the thesis: a path can't visit a switch twice, since its LID would then
// loop; the turns that are legal are learned from the tables, so that any engine will do; switches
// on the way get the new LID's path as well (a forwarding table can't tell who asks).
//
// Of this room only.
#pragma once

#include <array>
#include <compare>
#include <memory>

#include "plugin/repair/dependency_order.hpp"
#include "plugin/repair/readdress_layout.hpp"
#include "plugin/repair/repair.hpp"

namespace selvedge {

class ReaddressState {
 public:
  /// Refers to the fabric, which must stay. Throws InputError if the tables have a cycle of
  /// dependencies, or use more VLs than the request allows.
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
    std::uint64_t affected = 0;
    std::uint64_t joined = 0, searched = 0;  // new paths
    std::uint64_t taken = 0;                 // pairs that took another LID which had a path
    std::uint64_t failed = 0;                // to find a path though there is one physically
  };

  /// Cables between switches, cables of hosts, switches: what is out now. What is out already stays
  /// so.
  void lose(const Fault& fault, Changes& changes);
  /// What is back; pairs that had no path and could have one get it.
  void regain(const Fault& fault, Changes& changes);
  /// Learns the dependencies anew from what is in force, and tries again where there is no path.
  void begin_anew(Changes& changes);

  const Tables& tables() const { return s_.tables; }
  DependencyOrder& order() { return order_; }
  /// Keeps an SL2VL entry as it is, because something else than a path relies on it.
  void pin(std::size_t turn, Sl sl) { ++s_.relied_on[turn * kSls + sl]; }
  void unpin(std::size_t turn, Sl sl) { --s_.relied_on[turn * kSls + sl]; }
  const ReaddressLayout& layout() const { return *layout_; }
  bool alive(Channel c) const { return s_.down[c] == 0; }
  bool switch_alive(SwitchId s) const { return s_.switch_down[s] == 0; }
  /// (switch with hosts, host) without a path though there is one physically.
  std::uint64_t dead() const;
  /// The highest offset of a LID in use within its range.
  unsigned top_offset() const;

  /// Memory: the DRT and the IRT, which are the LFTs, the paths' SLs and their stretches; and what
  /// else is kept to find and check new paths quickly.
  struct Bytes {
    std::size_t reach, indexes;
  };
  Bytes bytes() const;

  /// A row of the DRT or the IRT (thesis, Table 5.1).
  struct Reach {
    SwitchId source, destination;
    SwitchId reached;
    unsigned transitions;  // of VLs, between the source (IRT: the destination) and `reached`
    Channel link;          // the channel into `reached` (IRT: out of it)
    unsigned hops;
    friend bool operator==(const Reach&, const Reach&) = default;
  };
  /// The DRT's rows of a source: by LID, then hops. The IRT's of a destination: by LID, then
  /// switch; without LIDs that take no new path, and counted up to 255.
  std::vector<Reach> direct(SwitchId source) const;
  std::vector<Reach> indirect(SwitchId destination) const;

 private:
  using Path = std::vector<Channel>;  // between switches
  struct Hit {
    SwitchId at;
    Lid lid;
    Sl sl;
  };
  /// A way to a switch: the first `hops` channels of a path of the source; none: the source.
  struct Direct {
    Channel in;
    SwitchId at;
    Lid via;
    std::uint8_t hops, transitions;
    Vl vl;
  };
  /// What is left of a path from one of its switches on, up to 255 each; no hops: no path, or none
  /// that others may use.
  struct Stretch {
    std::uint8_t hops = 0, transitions = 0;
  };
  /// A way to a switch and a way on from there, as one number by which candidates are compared:
  /// transitions, hops, the index of the direct one, the LID of the other (kNoLid: none). Whether
  /// the turn between the two needs a transition is counted when that is looked at.
  struct Candidate {
    std::uint64_t rank;  // from the top: 9 bits, 9, 29, 16, and whether the turn was looked at
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

  void learn();
  bool track(SwitchId at, Lid lid);
  template <class F>
  bool each_turn(SwitchId at, Lid lid, F f) const;
  Vl vl(std::size_t turn, Sl sl) const { return s_.vl[turn * kSls + sl]; }
  std::uint32_t relied_on(std::size_t turn, Sl sl) const { return s_.relied_on[turn * kSls + sl]; }
  std::uint16_t local_vls(SwitchId at, std::size_t turn, Sl sl) const;
  void rely(SwitchId at, Lid lid, Sl sl, int by);
  void measure(SwitchId at, Lid lid, Sl sl);

  void take_out(Channel c, int by);
  void find_pieces();
  void gather_hits(SwitchId at, PortNum port);
  void drop_hits(Changes& changes);
  void mend(SwitchId at, std::uint32_t end, Lid before, Sl sl, Changes& changes);
  bool take_other(SwitchId at, std::uint32_t end);
  void find_direct(SwitchId source);
  void add_direct(SwitchId source, Lid via);
  Stretch& stretch(SwitchId at, Lid lid) {
    return s_.stretch[at * (s_.tables.top_lid() + std::size_t{1}) + lid];
  }
  const Stretch& stretch(SwitchId at, Lid lid) const {
    return s_.stretch[at * (s_.tables.top_lid() + std::size_t{1}) + lid];
  }
  bool join(SwitchId source, std::uint32_t end, Lid before, Sl sl, Changes& changes);
  void settle_best(std::size_t first);
  bool turns(const Candidate& candidate) const;
  bool make(const Candidate& candidate, SwitchId source, std::uint32_t end);
  bool search(SwitchId source, std::uint32_t end, Lid before, Sl sl, Changes& changes);
  bool find_way(SwitchId source, std::uint32_t end, Lid lid, std::uint32_t foreign);
  bool simple(SwitchId source, std::uint32_t end) const;
  bool try_path(SwitchId source, std::uint32_t end, Lid before, Sl sl, unsigned limit, bool fresh,
                Changes& changes);
  bool fits(Lid lid, SwitchId source) const;
  bool fits_sl(SwitchId source, Lid lid, Sl sl, unsigned limit);
  bool admit(Channel from, std::uint16_t vls, Channel to, Vl vl);
  void retract();
  void install(SwitchId source, Lid lid, Sl sl, Changes& changes);
  void set_vl(SwitchId at, std::size_t turn, PortNum in, PortNum out, Sl sl, Vl vl,
              Changes& changes);
  SwitchId tail(std::size_t i, SwitchId source) const;

  /// All that changes; copied as one.
  struct State {
    Tables tables;
    std::vector<std::uint8_t> down;              // per channel: for how many reasons it is out
    std::vector<std::uint8_t> switch_down;       // per switch
    std::vector<std::uint8_t> vl;                // per turn and SL: what the SL2VL tables say
    std::vector<std::uint32_t> relied_on;        // per turn and SL: by how many paths
    std::array<std::uint32_t, kSls> sl_paths{};  // how many paths have the SL
    std::vector<Stretch> stretch;                // per switch and LID
    std::vector<Lid> current;          // per switch and end: the LID asked for; 0: no path
    std::vector<std::uint32_t> piece;  // per switch
    std::uint32_t pieces = 0;
  };

  const Fabric* fabric_;
  RepairRequest request_;
  std::shared_ptr<const ReaddressLayout> layout_;
  /// Per LID: takes no new path, since not all of its paths arrive, or it is nobody's.
  std::shared_ptr<const std::vector<bool>> frozen_;
  State s_;
  DependencyOrder order_;

  // Used within one call only.
  std::vector<Hit> hits_;
  std::vector<SwitchId> front_;
  std::vector<Direct> direct_;
  std::vector<std::uint32_t> best_direct_;  // per channel: index + 1 into direct_
  SwitchId direct_of_ = kNoSwitch;
  std::vector<Candidate> candidates_;
  Path path_;
  std::vector<Vl> vls_;                          // of path_
  std::vector<DependencyOrder::Edge> admitted_;  // and not yet installed
  std::vector<DependencyOrder::Edge> one_;
};

}  // namespace selvedge
