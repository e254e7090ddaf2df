// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/ist/layers.hpp"

#include <algorithm>

namespace selvedge::ist {
Layer::Layer(const Torus& torus, const Plan& rules, unsigned vls)
    : torus_(torus),
      rules_(rules),
      limit_(turn_count(torus), static_cast<Vl>(vls - 1)),
      vl_(turn_count(torus), 0),
      follows_(turn_count(torus) * torus.directions(), 0) {}

void Layer::clear() {
  std::ranges::fill(vl_, Vl{0});
  std::ranges::fill(follows_, std::uint8_t{0});
}

bool Layer::add(std::span<const Turn> path) {
  start();
  if (insert(path)) return true;
  undo();
  return false;
}

bool Layer::add_all(const TurnPaths& paths) {
  start();
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (!insert(paths[i])) {
      undo();
      return false;
    }
  return true;
}

void Layer::preset(Turn turn, Vl vl, bool fixed) {
  vl_[turn] = vl;
  if (fixed) limit_[turn] = vl;
}

void Layer::link(Turn turn, Direction out) {
  follows_[std::size_t{turn} * torus_.directions() + out] = 1;
}

void Layer::start() {
  raised_.clear();
  linked_.clear();
}

bool Layer::insert(std::span<const Turn> path) {
  pending_.clear();
  if (path.empty()) return true;
  if (!raise(path[0], rules_.least(path[0], 0))) return false;
  const Direction directions = torus_.directions();
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const std::size_t link = std::size_t{path[i]} * directions + path[i + 1] % directions;
    if (!follows_[link]) {
      follows_[link] = 1;
      linked_.push_back(link);
    }
    if (!raise(path[i + 1], rules_.least(path[i + 1], vl_[path[i]]))) return false;
  }
  return settle();
}

bool Layer::raise(Turn turn, Vl vl) {
  if (vl_[turn] >= vl) return true;
  if (vl > limit_[turn]) return false;
  raised_.emplace_back(turn, vl_[turn]);
  vl_[turn] = vl;
  pending_.push_back(turn);
  return true;
}

/// Propagates raised VLs to the turns that follow. Returns false if a turn's VL would exceed its
/// limit; undo() then restores the VLs.
bool Layer::settle() {
  const Direction directions = torus_.directions();
  while (!pending_.empty()) {
    const Turn turn = pending_.back();
    pending_.pop_back();
    const auto out = static_cast<Direction>(turn % directions);
    const Place there = torus_.neighbour(turn / directions / directions, out);
    const Turn onward = make_turn(torus_, there, opposite(out), 0);
    for (unsigned d = 0; d < directions; ++d)
      if (follows_[std::size_t{turn} * directions + d] &&
          !raise(onward + d, rules_.least(onward + d, vl_[turn])))
        return false;
  }
  return true;
}

void Layer::undo() {
  for (; !raised_.empty(); raised_.pop_back()) vl_[raised_.back().first] = raised_.back().second;
  for (const std::size_t link : linked_) follows_[link] = 0;
}

Plan plan_by_rows(const Torus& torus) {
  Plan plan;
  plan.allowed.reserve(turn_count(torus));
  for (Place p = 0; p < torus.places(); ++p)
    for (Direction in = 0; in < torus.directions(); ++in)
      for (Direction out = 0; out < torus.directions(); ++out)
        plan.allowed.push_back(torus.neighbour(p, in) < p && torus.neighbour(p, out) < p ? 0
                                                                                         : 0xFFFF);
  return plan;
}

bool extend(Plan& plan, const Torus& torus, std::vector<Layer>& taken, const TurnPaths& paths,
            unsigned max_vls, unsigned max_sls) {
  std::vector<std::uint8_t> changed(max_sls, 0);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::size_t l = 0;
    while (l < taken.size() && !taken[l].add(paths[i])) ++l;
    if (l == taken.size()) {
      if (taken.size() == max_sls) return false;
      taken.emplace_back(torus, plan, max_vls);
      if (!taken.back().add(paths[i])) return false;
    }
    changed[l] = 1;
  }
  plan.sls = static_cast<unsigned>(taken.size());
  plan.vl.resize(taken.size() * turn_count(torus), 0);
  for (std::size_t l = 0; l < taken.size(); ++l) {
    if (!changed[l]) continue;
    const std::vector<Vl>& vl = taken[l].vl();
    std::ranges::copy(vl, plan.vl.begin() + static_cast<std::ptrdiff_t>(l * turn_count(torus)));
    plan.vls = std::max(plan.vls, 1u + *std::ranges::max_element(vl));
  }
  return true;
}

Admission::Admission(const Torus& torus, const Plan& plan)
    : directions_(torus.directions()),
      all_(static_cast<SlSet>((1u << plan.sls) - 1)),
      begin_(turn_count(torus), 0),
      pass_(turn_count(torus) * torus.directions(), 0) {
  const std::size_t turns = turn_count(torus);
  for (unsigned sl = 0; sl < plan.sls; ++sl) {
    const Vl* vl = plan.vl.data() + sl * turns;
    const auto bit = static_cast<SlSet>(1u << sl);
    for (Turn turn = 0; turn < turns; ++turn) {
      if (vl[turn] >= plan.least(turn, 0)) begin_[turn] |= bit;
      const auto out = static_cast<Direction>(turn % directions_);
      const Place there = torus.neighbour(turn / directions_ / directions_, out);
      const Turn onward = make_turn(torus, there, opposite(out), 0);
      for (Direction d = 0; d < directions_; ++d)
        if (d != opposite(out) && vl[onward + d] >= plan.least(onward + d, vl[turn]))
          pass_[std::size_t{turn} * directions_ + d] |= bit;
    }
  }
}

}  // namespace selvedge::ist
