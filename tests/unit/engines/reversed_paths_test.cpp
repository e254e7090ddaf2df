// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// How often the path back is the path there in reverse, if both ends use LIDs of the same offset,
// as OpenSM's path records pair them: with the engines' numbering of a host's LIDs, and with the
// best numbering that a search finds. docs/decisions/0074 stands on these figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "plugin/engines/reply_paths.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/tables/paths.hpp"
#include "tests/support/sanitized.hpp"

namespace selvedge {
namespace {

/// A numbering: for each host and offset, the offset whose path it takes. Offset 0 stays.
using Numbering = std::vector<std::vector<unsigned>>;

class Reversals {
 public:
  Reversals(const Fabric& fabric, const Tables& tables)
      : hosts_(fabric.num_hosts()), lids_(fabric.host(0).lid_count()) {
    std::map<std::vector<Channel>, int> ids;
    path_.assign(std::size_t{hosts_} * hosts_ * lids_, kNone);
    for (HostId a = 0; a < hosts_; ++a)
      for (HostId b = 0; b < hosts_; ++b)
        for (unsigned i = 0; i < lids_ && a != b; ++i) {
          const Host &from = fabric.host(a), &to = fabric.host(b);
          const Path path = walk(fabric, tables, from.at, from.port, static_cast<Lid>(to.lid + i));
          if (path.arrives())
            path_[index(a, b, i)] =
                ids.try_emplace(path.channels, static_cast<int>(ids.size())).first->second;
        }
    reverse_.assign(ids.size(), kNone);
    for (const auto& [channels, id] : ids) {
      std::vector<Channel> back;
      for (auto c = channels.rbegin(); c != channels.rend(); ++c) back.push_back(fabric.peer(*c));
      if (const auto found = ids.find(back); found != ids.end()) reverse_[id] = found->second;
    }
  }

  Numbering as_made() const {
    std::vector<unsigned> same(lids_);
    std::iota(same.begin(), same.end(), 0u);
    return Numbering(hosts_, same);
  }

  /// The share of (pair, offset) whose path back, at the same offset, is the reversed path.
  double same_offset(const Numbering& of) const {
    return share([&](HostId a, HostId b, unsigned i) { return is_back(a, b, of[b][i], of[a][i]); });
  }
  /// The share for which some offset of the source has the reversed path.
  double any_offset() const {
    return share([&](HostId a, HostId b, unsigned i) {
      for (unsigned k = 0; k < lids_; ++k)
        if (is_back(a, b, i, k)) return true;
      return false;
    });
  }

  /// Exchanges offsets of one host after another as long as that helps, from several beginnings.
  double best_found() const {
    double best = 0;
    for (unsigned seed = 0; seed < 4; ++seed) {
      Numbering numbering = as_made();
      std::mt19937 random(seed);
      if (seed > 0)
        for (auto& of : numbering) std::shuffle(of.begin() + 1, of.end(), random);
      for (bool moved = true; moved;) {
        moved = false;
        for (HostId b = 0; b < hosts_; ++b) moved |= improve(b, numbering);
      }
      best = std::max(best, same_offset(numbering));
    }
    return best;
  }

 private:
  static constexpr int kNone = -1;
  std::size_t index(HostId a, HostId b, unsigned i) const {
    return (std::size_t{a} * hosts_ + b) * lids_ + i;
  }
  bool is_back(HostId a, HostId b, unsigned i, unsigned k) const {
    const int there = path_[index(a, b, i)], home = path_[index(b, a, k)];
    return there != kNone && home != kNone && reverse_[there] == home;
  }
  template <class Holds>
  double share(Holds holds) const {
    std::size_t all = 0, count = 0;
    for (HostId a = 0; a < hosts_; ++a)
      for (HostId b = 0; b < hosts_; ++b)
        for (unsigned i = 0; i < lids_ && a != b; ++i) ++all, count += holds(a, b, i) ? 1 : 0;
    return static_cast<double>(count) / static_cast<double>(all);
  }
  bool improve(HostId b, Numbering& numbering) const {
    std::vector<int> gain(std::size_t{lids_} * lids_,
                          0);  // [offset][the offset whose path it takes]
    for (HostId a = 0; a < hosts_; ++a)
      for (unsigned i = 1; i < lids_ && a != b; ++i)
        for (unsigned k = 1; k < lids_; ++k)
          gain[i * lids_ + k] += is_back(a, b, k, numbering[a][i]);
    std::vector<unsigned>& of = numbering[b];
    bool moved = false;
    for (bool again = true; again;) {
      again = false;
      for (unsigned i = 1; i < lids_; ++i)
        for (unsigned k = i + 1; k < lids_; ++k)
          if (gain[i * lids_ + of[k]] + gain[k * lids_ + of[i]] >
              gain[i * lids_ + of[i]] + gain[k * lids_ + of[k]]) {
            std::swap(of[i], of[k]);
            again = moved = true;
          }
    }
    return moved;
  }

  HostId hosts_;
  unsigned lids_;
  std::vector<int> path_;     // [source][destination][offset]: a number for each set of cables
  std::vector<int> reverse_;  // per path: the number of the reversed one
};

TEST(ReversedPaths, NoNumberingOfLidsMakesMostResponsesReturnByTheReversedPath) {
  struct Case {
    const char* engine;
    unsigned lmc;
  };
  for (const char* torus : {"4x4", "5x5", "6x6", "7x7", "8x8"}) {
    if (test::sampled() && torus[0] > '6') break;
    for (const Case& c : {Case{"tftr", 4}, Case{"spftr", 4}, Case{"aspftr", 4}, Case{"ist", 3}}) {
      const Fabric f = make_fabric(std::string("torus:") + torus, c.lmc);
      EngineRequest request;
      request.replies = ReplyGrade::kBase;
      const Reversals r(f, compute_with_replies(find_engine(c.engine), f, request).tables);
      const double made = r.same_offset(r.as_made()), best = r.best_found(), any = r.any_offset();
      std::printf("%-6s %s LMC %u: same offset %.2f, numbered anew %.2f, any offset %.2f\n",
                  c.engine, torus, c.lmc, made, best, any);
      EXPECT_LE(made, best);
      EXPECT_LT(best, 0.55) << c.engine << ' ' << torus
                            << ": decision 0074 should be looked at again";
      EXPECT_GT(any, best);  // `selvedge-route paths` names these offsets
    }
  }
}

}  // namespace
}  // namespace selvedge
