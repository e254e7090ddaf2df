// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "tools/ist/plan_sat.hpp"

#include <cadical.hpp>
#include <chrono>
#include <map>

#include "plugin/engines/ist/search.hpp"

namespace selvedge::ist {
namespace {

class Deadline : public CaDiCaL::Terminator {
 public:
  explicit Deadline(double seconds)
      : end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                 std::chrono::duration<double>(seconds))) {}
  bool terminate() override { return std::chrono::steady_clock::now() > end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

class Encoder {
 public:
  Encoder(const Torus& torus, const Trees& trees, const SatQuestion& question)
      : torus_(torus),
        question_(question),
        rules_(plan_by_rows(torus)),
        paths_(all_paths(torus, trees)),
        multicast_(tree_paths(torus, multicast_tree(torus))) {
    number_turns(paths_);
    number_turns(multicast_);
    const auto vls = question.vls, sls = question.sls;
    at_least_ = block(std::size_t{sls} * turns_.size() * (vls - 1));
    follows_ = block(std::size_t{sls} * links_.size());
    takes_ = block(paths_.size() * sls);
    if (question.ranks > 0) {
      stays_ = block(vls * turns_.size());
      rank_ = block(std::size_t{vls} * channels() * question.ranks);
    }
  }

  SatAnswer solve() {
    solver_.configure("sat");
    if (question_.ranks > 0) encode_ranks();
    for (unsigned sl = 0; sl < question_.sls; ++sl) encode_sl(sl);
    encode_paths();
    Deadline deadline(question_.seconds);
    solver_.connect_terminator(&deadline);
    const int status = solver_.solve();
    SatAnswer answer;
    answer.proved_none = status == 20;
    if (status == 10) read(answer);
    solver_.disconnect_terminator();
    return answer;
  }

 private:
  using Link = std::pair<std::uint32_t, std::uint32_t>;  // turn numbers

  std::size_t channels() const { return std::size_t{torus_.places()} * torus_.directions(); }

  int block(std::size_t size) {
    const int first = variables_ + 1;
    variables_ += static_cast<int>(size);
    return first;
  }

  void number_turns(const TurnPaths& paths) {
    for (const Turn turn : paths.turns)
      if (number_.emplace(turn, static_cast<std::uint32_t>(turns_.size())).second)
        turns_.push_back(turn);
    for (std::size_t i = 0; i < paths.size(); ++i)
      for (std::size_t j = 0; j + 1 < paths[i].size(); ++j) {
        const Link link{number_[paths[i][j]], number_[paths[i][j + 1]]};
        if (link_number_.emplace(link, static_cast<std::uint32_t>(links_.size())).second)
          links_.push_back(link);
      }
  }

  int at_least(unsigned sl, std::uint32_t turn, unsigned vl) const {  // vl ≥ 1
    return at_least_ + static_cast<int>((sl * turns_.size() + turn) * (question_.vls - 1) + vl - 1);
  }
  int follows(unsigned sl, std::uint32_t link) const {
    return follows_ + static_cast<int>(sl * links_.size() + link);
  }
  int takes(std::size_t path, unsigned sl) const {
    return takes_ + static_cast<int>(path * question_.sls + sl);
  }
  int stays(unsigned vl, std::uint32_t turn) const {
    return stays_ + static_cast<int>(vl * turns_.size() + turn);
  }
  int rank(unsigned vl, std::size_t channel, unsigned r) const {  // r ≥ 1
    return rank_ + static_cast<int>((vl * channels() + channel) * question_.ranks + r - 1);
  }

  void clause(std::initializer_list<int> literals) {
    for (const int l : literals)
      if (l != 0) solver_.add(l);
    solver_.add(0);
  }

  void encode_ranks() {
    const Direction directions = torus_.directions(), top = question_.ranks;
    for (unsigned vl = 0; vl < question_.vls; ++vl) {
      for (std::size_t c = 0; c < channels(); ++c)
        for (unsigned r = 1; r < top; ++r) clause({-rank(vl, c, r + 1), rank(vl, c, r)});
      for (std::uint32_t t = 0; t < turns_.size(); ++t) {
        const Place p = turns_[t] / directions / directions;
        const auto in = static_cast<Direction>(turns_[t] / directions % directions);
        const std::size_t from = std::size_t{torus_.neighbour(p, in)} * directions + opposite(in);
        const std::size_t to = std::size_t{p} * directions + turns_[t] % directions;
        clause({-stays(vl, t), rank(vl, to, 1)});
        for (unsigned r = 1; r < top; ++r)
          clause({-stays(vl, t), -rank(vl, from, r), rank(vl, to, r + 1)});
        clause({-stays(vl, t), -rank(vl, from, top)});
      }
    }
  }

  /// A literal that is true if a packet on VL `vl` may take the turn and stay on this VL. Without
  /// ranks to search there is no literal (0), and `always` says whether it may.
  int may_stay(unsigned vl, std::uint32_t turn, bool& always) const {
    always = question_.ranks == 0 && (rules_.allowed[turns_[turn]] >> vl & 1);
    return question_.ranks == 0 ? 0 : stays(vl, turn);
  }

  void encode_sl(unsigned sl) {
    const unsigned vls = question_.vls;
    for (std::uint32_t t = 0; t < turns_.size(); ++t)
      for (unsigned vl = 1; vl + 1 < vls; ++vl)
        clause({-at_least(sl, t, vl + 1), at_least(sl, t, vl)});
    for (std::uint32_t e = 0; e < links_.size(); ++e) {
      const auto [a, b] = links_[e];
      for (unsigned vl = 1; vl < vls; ++vl)
        clause({-follows(sl, e), -at_least(sl, a, vl), at_least(sl, b, vl)});
      for (unsigned vl = 0; vl < vls; ++vl) {
        bool always = false;
        const int stay = may_stay(vl, b, always);
        if (always) continue;
        clause({-follows(sl, e), vl > 0 ? -at_least(sl, a, vl) : 0,
                vl + 1 < vls ? at_least(sl, b, vl + 1) : 0, stay});
      }
    }
  }

  void encode_paths() {
    const auto begins = [&](int condition, unsigned sl, Turn turn) {
      bool always = false;
      const std::uint32_t t = number_.at(turn);
      const int stay = may_stay(0, t, always);
      if (!always) clause({condition, question_.vls > 1 ? at_least(sl, t, 1) : 0, stay});
    };
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      const auto path = paths_[i];
      if (path.empty()) continue;
      for (unsigned sl = 0; sl < question_.sls; ++sl) solver_.add(takes(i, sl));
      solver_.add(0);
      for (unsigned sl = 0; sl < question_.sls; ++sl) {
        begins(-takes(i, sl), sl, path[0]);
        for (std::size_t j = 0; j + 1 < path.size(); ++j)
          clause({-takes(i, sl), follows(sl, link(path[j], path[j + 1]))});
      }
    }
    for (std::size_t i = 0; i < multicast_.size(); ++i) {
      begins(0, 0, multicast_[i][0]);
      if (multicast_[i].size() == 2) clause({follows(0, link(multicast_[i][0], multicast_[i][1]))});
    }
  }

  std::uint32_t link(Turn a, Turn b) const {
    return link_number_.at({number_.at(a), number_.at(b)});
  }

  void read(SatAnswer& answer) {
    Plan plan = rules_;
    plan.vls = question_.vls;
    plan.sls = question_.sls;
    plan.vl.assign(plan.sls * turn_count(torus_), 0);
    for (unsigned sl = 0; sl < plan.sls; ++sl)
      for (std::uint32_t t = 0; t < turns_.size(); ++t) {
        Vl vl = 0;
        while (vl + 1u < plan.vls && solver_.val(at_least(sl, t, vl + 1u)) > 0) ++vl;
        plan.vl[sl * turn_count(torus_) + turns_[t]] = vl;
      }
    if (question_.ranks > 0) read_ranks(plan, answer.rank);
    answer.plan = std::move(plan);
  }

  void read_ranks(Plan& plan, std::vector<std::vector<unsigned>>& ranks) {
    const Direction directions = torus_.directions();
    ranks.assign(plan.vls, std::vector<unsigned>(channels(), 0));
    for (unsigned vl = 0; vl < plan.vls; ++vl)
      for (std::size_t c = 0; c < channels(); ++c)
        while (ranks[vl][c] < question_.ranks && solver_.val(rank(vl, c, ranks[vl][c] + 1)) > 0)
          ++ranks[vl][c];
    for (Turn turn = 0; turn < turn_count(torus_); ++turn) {
      const Place p = turn / directions / directions;
      const auto in = static_cast<Direction>(turn / directions % directions);
      const std::size_t from = std::size_t{torus_.neighbour(p, in)} * directions + opposite(in);
      const std::size_t to = std::size_t{p} * directions + turn % directions;
      for (unsigned vl = 0; vl < plan.vls; ++vl) {
        const VlSet bit = static_cast<VlSet>(1u << vl);
        if (ranks[vl][from] < ranks[vl][to])
          plan.allowed[turn] |= bit;
        else
          plan.allowed[turn] &= static_cast<VlSet>(~bit);
      }
    }
  }

  const Torus& torus_;
  SatQuestion question_;
  Plan rules_;
  TurnPaths paths_, multicast_;
  std::vector<Turn> turns_;
  std::vector<Link> links_;
  std::map<Turn, std::uint32_t> number_;
  std::map<Link, std::uint32_t> link_number_;
  int variables_ = 0, at_least_ = 0, follows_ = 0, takes_ = 0, stays_ = 0, rank_ = 0;
  CaDiCaL::Solver solver_;
};

}  // namespace

SatAnswer ask_sat(const Torus& torus, const Trees& trees, const SatQuestion& question) {
  return Encoder(torus, trees, question).solve();
}

}  // namespace selvedge::ist
