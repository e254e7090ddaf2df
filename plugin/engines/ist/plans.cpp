// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/ist/plans.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "plugin/engines/data_lines.hpp"

namespace selvedge::ist {
namespace {

constexpr std::string_view kFile = "ist/plans.txt";
constexpr unsigned kMostRank = UINT16_MAX;

/// Reads a port: "3-" is the port in direction − of dimension 3.
Direction port(const DataLines& data, const DataLine& line, std::string_view word,
               const Torus& torus) {
  if (word.size() != 2 || (word[1] != '-' && word[1] != '+'))
    data.fail(line.number, fmt::format("'{}' is no port, as 0- is one", word));
  const unsigned dimension = data.number(line, word.substr(0, 1), torus.dimensions() - 1);
  return static_cast<Direction>(2 * dimension + (word[1] == '+' ? 1 : 0));
}

/// Reads a line of ranks, "rank VL OUT RANK…": for each place the rank of the channel on that VL
/// that leaves by port OUT.
void read_ranks(const DataLines& data, const DataLine& line, const Torus& torus, unsigned at,
                std::vector<std::uint16_t>& ranks) {
  const std::vector<std::string_view> word = words(line.text);
  const Direction directions = torus.directions();
  if (word.size() != 3 + std::size_t{torus.places()} || word[0] != "rank")
    data.fail(line.number, "no line of ranks: rank VL OUT and a rank for each place");
  if (data.number(line, word[1], 15) != at / directions ||
      port(data, line, word[2], torus) != at % directions)
    data.fail(line.number, "ranks are out of their order: VL by VL, port by port");
  for (Place p = 0; p < torus.places(); ++p)
    ranks.push_back(static_cast<std::uint16_t>(data.number(line, word[3 + p], kMostRank)));
}

/// Allows the turns on each VL that lead to a channel of higher rank. `ranks` is indexed [VL][port
/// of exit][place].
void allow_by(const std::vector<std::uint16_t>& ranks, const Torus& torus, Plan& plan) {
  const Direction directions = torus.directions();
  for (unsigned vl = 0; vl < plan.vls; ++vl) {
    const auto rank = [&](Place p, Direction d) {
      return ranks[(std::size_t{vl} * directions + d) * torus.places() + p];
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

/// Reads the VLs of one turn in one SL at all places: runs of a count (1 if omitted) and a letter,
/// which stands for the VL.
void read_runs(const DataLines& data, const DataLine& line, std::string_view runs,
               const Torus& torus, Turn first, std::span<Vl> vl, unsigned vls) {
  const std::size_t turns_of_place = std::size_t{torus.directions()} * torus.directions();
  Place p = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::size_t digits = i;
    while (i < runs.size() && runs[i] >= '0' && runs[i] <= '9') ++i;
    const unsigned left = torus.places() - p;
    const unsigned count =
        i == digits ? 1 : data.number(line, runs.substr(digits, i - digits), left);
    if (i == runs.size() || runs[i] < 'a' || runs[i] >= static_cast<char>('a' + vls))
      data.fail(line.number, fmt::format("a run without a VL of the plan's {}: a is VL 0", vls));
    if (count == 0 || count > left)
      data.fail(line.number, fmt::format("VLs for other than {} places", torus.places()));
    for (const Place end = p + count; p < end; ++p)
      vl[first + p * turns_of_place] = static_cast<Vl>(runs[i] - 'a');
  }
  if (p != torus.places())
    data.fail(line.number, fmt::format("VLs for {} of {} places", p, torus.places()));
}

/// Reads the head of the next plan. Returns false if there is none.
bool next_plan(DataLines& data, StoredPlan& plan) {
  DataLine line;
  if (!data.next(line)) return false;
  const std::vector<std::string_view> word = words(line.text);
  if (word.size() < 6 || word[0] != "plan" || word[4] != ":")
    data.fail(line.number, "no head of a plan: plan SIZES VLS SLS : HOW IT WAS FOUND");
  plan.sizes = word[1];
  plan.vls = data.number(line, word[2], 15);
  plan.sls = data.number(line, word[3], 16);
  plan.how = line.text.substr(static_cast<std::size_t>(word[5].data() - line.text.data()));
  plan.first_line = line.number + 1;
  plan.lines = data.skip_to("plan ");
  return true;
}

}  // namespace

std::vector<StoredPlan> list_plans(std::string_view text) {
  std::vector<StoredPlan> plans;
  DataLines data(kFile, text);
  for (StoredPlan plan; next_plan(data, plan);) plans.push_back(plan);
  return plans;
}

Plan decode(const StoredPlan& stored, const Torus& torus) {
  Plan plan = plan_by_rows(torus);
  plan.vls = stored.vls;
  plan.sls = stored.sls;
  plan.vl.assign(plan.sls * turn_count(torus), 0);
  const Direction directions = torus.directions();
  DataLines data(kFile, stored.lines, stored.first_line);
  DataLine line{{}, stored.first_line};
  const auto record = [&] {
    if (!data.next(line)) data.fail(line.number, "the plan ends too early");
  };

  record();
  if (line.text.starts_with("rank ")) {
    std::vector<std::uint16_t> ranks;
    for (unsigned at = 0; at < plan.vls * directions; ++at, record())
      read_ranks(data, line, torus, at, ranks);
    allow_by(ranks, torus, plan);
  }
  for (unsigned sl = 0; sl < plan.sls; ++sl)
    for (Direction in = 0; in < directions; ++in)
      for (Direction out = 0; out < directions; ++out) {
        if (in == out) continue;
        if (sl + in > 0 || out > 1) record();  // the first of these lines was read above
        const std::vector<std::string_view> word = words(line.text);
        if (word.size() != 4) data.fail(line.number, "no VLs of a turn: SL IN OUT RUNS");
        if (data.number(line, word[0], 15) != sl || port(data, line, word[1], torus) != in ||
            port(data, line, word[2], torus) != out)
          data.fail(line.number, "turns are out of their order: SL by SL, port in by port in");
        read_runs(data, line, word[3], torus, make_turn(torus, 0, in, out),
                  std::span(plan.vl).subspan(sl * turn_count(torus), turn_count(torus)), plan.vls);
      }
  if (data.next(line)) data.fail(line.number, "the plan goes on beyond its end");
  return plan;
}

namespace {

struct Asked {
  std::vector<unsigned> sizes;
  unsigned max_vls, max_sls;
  friend bool operator==(const Asked&, const Asked&) = default;
};

/// Keeps the result of the last search, which depends on the arguments only. A search may take
/// seconds, and a subnet manager requests the same one after every fault.
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
  DataLines data(kFile, plans_text());
  for (StoredPlan stored;
       // Plans of fewer VLs and SLs come first, so the first that fits is taken.
       next_plan(data, stored);)
    if (stored.sizes == sizes && stored.vls <= max_vls && stored.sls <= max_sls)
      return {decode(stored, torus), stored.sls};
  return search_once(torus, trees, max_vls, max_sls);
}

}  // namespace selvedge::ist
