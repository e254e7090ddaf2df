// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "tools/spftr/trees_sat.hpp"

#include <array>
#include <cadical.hpp>
#include <chrono>
#include <initializer_list>
#include <map>

namespace selvedge::spftr {
namespace {

class Deadline : public CaDiCaL::Terminator {
 public:
  explicit Deadline(double seconds)
      : end_(std::chrono::steady_clock::now() +
             std::chrono::milliseconds(static_cast<long>(seconds * 1000))) {}
  bool terminate() override { return std::chrono::steady_clock::now() > end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

class Question {
 public:
  Question(const std::vector<Sample>& samples, unsigned trees) : trees_(trees) {
    solver_.configure("sat");  // where there are trees, up to thirty times as fast
    const unsigned cells = samples.front().torus.shape.cells();
    goes_.resize(cells);
    for (auto& cell : goes_) {
      cell.resize(std::size_t{trees} * 4);
      for (int& v : cell) v = variable();
      for (unsigned t = 0; t < trees; ++t) at_most_one({&cell[t * 4], 4});
    }
    for (const Sample& sample : samples)
      for (std::size_t i = 0; i < sample.sources.size(); ++i)
        ask(sample.torus, sample.sources[i], sample.offers[i]);
  }

  Answer solve(double seconds) {
    Deadline deadline(seconds);
    solver_.connect_terminator(&deadline);
    // If no set of trees reaches every source, the requirement is dropped for the sources that
    // prevent it.
    const std::size_t all = covers_.size();
    int verdict = 0;
    for (bool again = true; again;) {
      for (const int cover : covers_) solver_.assume(cover);
      verdict = solver_.solve();
      again = verdict == 20 &&
              std::erase_if(covers_, [&](int cover) { return solver_.failed(cover); }) > 0;
    }
    solver_.disconnect_terminator();
    Answer answer;
    answer.proved_none = verdict == 20;
    answer.unreached = static_cast<unsigned>(all - covers_.size());
    if (verdict != 10) return answer;
    for (unsigned t = 0; t < trees_; ++t) {
      auto& tree = answer.trees.emplace_back(goes_.size(), 0);
      for (std::size_t cell = 0; cell < goes_.size(); ++cell)
        for (unsigned k = 0; k < 4; ++k)
          if (solver_.val(goes_[cell][t * 4 + k]) > 0) tree[cell] = k;
    }
    return answer;
  }

 private:
  int variable() { return ++variables_; }
  void clause(std::initializer_list<int> literals) {
    for (const int l : literals) solver_.add(l);
    solver_.add(0);
  }
  void some_of(const std::vector<int>& literals) {
    for (const int l : literals) solver_.add(l);
    solver_.add(0);
  }
  void at_most_one(std::span<const int> literals) {
    for (std::size_t i = 0; i < literals.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) clause({-literals[i], -literals[j]});
  }

  /// For each tree a literal: whether the tree has the whole path. Paths with the same end share
  /// literals for that end.
  const std::vector<int>& holds(const SampleTorus& torus, unsigned source, const ZonePath& path) {
    // (cell, direction), with a straight run as one item.
    std::vector<std::pair<unsigned, unsigned>> way;
    unsigned at = source;
    for (const unsigned k : path.directions) {
      if (way.empty() || way.back() != std::pair{torus.cell(at), k})
        way.push_back({torus.cell(at), k});
      at = torus.step(at, k);
    }
    std::vector<std::pair<unsigned, unsigned>> end;
    const std::vector<int>* rest = nullptr;
    for (auto step = way.rbegin(); step != way.rend(); ++step) {
      end.push_back(*step);
      std::vector<int>& held = ends_[end];
      if (held.empty()) {
        for (unsigned t = 0; t < trees_; ++t) {
          held.push_back(variable());
          clause({-held[t], goes_[step->first][t * 4 + step->second]});
          if (rest != nullptr) clause({-held[t], (*rest)[t]});
        }
      }
      rest = &held;
    }
    return *rest;
  }

  void ask(const SampleTorus& torus, unsigned source, const SourcePaths& offer) {
    std::array<std::vector<int>, 4> chosen;         // per first direction
    std::vector<std::vector<int>> reached(trees_);  // per tree, the paths that it may hold
    std::map<unsigned, std::array<int, 4>> passes;  // per switch and first direction
    for (std::size_t p = 0; p < offer.paths.size(); ++p) {
      const ZonePath& path = offer.paths[p];
      const std::vector<int>& held = holds(torus, source, path);
      for (unsigned t = 0; t < trees_; ++t) reached[t].push_back(held[t]);
      if (!offer.disjoint[p]) continue;
      const int choice = variable();
      chosen[path.directions[0]].push_back(choice);
      solver_.add(-choice);
      some_of(held);
      for (const unsigned s : path.switches) {
        auto [entry, fresh] = passes.try_emplace(s);
        if (fresh) {
          for (int& v : entry->second) v = variable();
          at_most_one(entry->second);
        }
        clause({-choice, entry->second[path.directions[0]]});
      }
    }
    for (const auto& group : chosen) some_of(group);
    covers_.push_back(variable());
    for (auto& paths : reached) {
      paths.push_back(-covers_.back());
      some_of(paths);
    }
  }

  unsigned trees_;
  int variables_ = 0;
  CaDiCaL::Solver solver_;
  std::vector<int> covers_;             // per source: a literal that every tree reaches it
  std::vector<std::vector<int>> goes_;  // [cell][tree · 4 + direction]
  std::map<std::vector<std::pair<unsigned, unsigned>>, std::vector<int>> ends_;
};

}  // namespace

Answer find_trees(const std::vector<Sample>& samples, unsigned trees, double seconds) {
  return Question(samples, trees).solve(seconds);
}

}  // namespace selvedge::spftr
