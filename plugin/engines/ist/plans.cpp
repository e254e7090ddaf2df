// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/ist/plans.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mutex>
#include <stdexcept>
#include <utility>

namespace selvedge::ist {
namespace {

/// Of a base64 digit.
unsigned digit(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0') + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  throw std::logic_error("a stored plan of ist has a character that is none of base64's");
}

/// What is allowed on the plan's VLs; the others keep the turns by rows.
void read_ranks(std::string_view text, const Torus& torus, Plan& plan) {
  const Direction directions = torus.directions();
  const std::size_t channels = std::size_t{torus.places()} * directions;
  if (text.size() != plan.vls * channels)
    throw std::logic_error("a stored plan of ist has a wrong number of ranks");
  for (unsigned vl = 0; vl < plan.vls; ++vl) {
    const auto rank = [&](Place p, Direction d) {
      return digit(text[vl * channels + std::size_t{d} * torus.places() + p]);
    };
    for (Place p = 0; p < torus.places(); ++p)
      for (Direction in = 0; in < directions; ++in)
        for (Direction out = 0; out < directions; ++out) {
          VlSet& allowed = plan.allowed[make_turn(torus, p, in, out)];
          const bool grows = rank(torus.neighbour(p, in), opposite(in)) < rank(p, out);
          allowed = static_cast<VlSet>((allowed & ~(1u << vl)) | (grows ? 1u << vl : 0u));
        }
  }
}

}  // namespace

Plan decode(const StoredPlan& stored, const Torus& torus) {
  Plan plan = plan_by_rows(torus);
  plan.vls = stored.vls;
  plan.sls = stored.sls;
  if (!stored.ranks.empty()) read_ranks(stored.ranks, torus, plan);
  plan.vl.assign(plan.sls * turn_count(torus), 0);
  std::size_t at = 0;
  unsigned value = 0, left = 0;
  for (unsigned sl = 0; sl < plan.sls; ++sl)
    for (Direction in = 0; in < torus.directions(); ++in)
      for (Direction out = 0; out < torus.directions(); ++out) {
        if (in == out) continue;
        for (Place p = 0; p < torus.places(); ++p) {
          if (left == 0) {
            if (at == stored.values.size())
              throw std::logic_error("a stored plan of ist is too short");
            const unsigned d = digit(stored.values[at++]);
            value = d / 8;
            left = d % 8 + 1;
          }
          --left;
          plan.vl[sl * turn_count(torus) + make_turn(torus, p, in, out)] = static_cast<Vl>(value);
        }
      }
  if (at != stored.values.size()) throw std::logic_error("a stored plan of ist is too long");
  return plan;
}

namespace {

struct Asked {
  std::vector<unsigned> sizes;
  unsigned max_vls, max_sls;
  friend bool operator==(const Asked&, const Asked&) = default;
};

/// A search may take seconds, and a subnet manager asks the same again after every fault: the last
/// answer is kept. (It depends on nothing but the question.)
Search search_once(const Torus& torus, const Trees& trees, unsigned max_vls, unsigned max_sls) {
  static std::mutex mutex;
  static std::optional<std::pair<Asked, Search>> last;
  Asked asked{torus.sizes(), max_vls, max_sls};
  {
    const std::lock_guard lock(mutex);
    if (last && last->first == asked) return last->second;
  }
  Search search = search_plan(torus, trees, max_vls, max_sls);
  const std::lock_guard lock(mutex);
  last = {std::move(asked), search};
  return search;
}

}  // namespace

Search find_plan(const Torus& torus, const Trees& trees, unsigned max_vls, unsigned max_sls) {
  const std::string sizes = fmt::format("{}", fmt::join(torus.sizes(), "x"));
  for (const StoredPlan& stored : stored_plans())
    if (stored.sizes == sizes && stored.vls <= max_vls && stored.sls <= max_sls)
      return {decode(stored, torus), stored.sls};
  return search_once(torus, trees, max_vls, max_sls);
}

}  // namespace selvedge::ist
