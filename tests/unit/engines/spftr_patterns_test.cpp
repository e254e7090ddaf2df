// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The thesis' own paths (Montañana 2008, App. A: 236 patterns of 155 sequences of movements, and
// which pattern serves which pair of a 7×7 torus) checked against Table 4.2 as spftr/tables.hpp has
// it. The engine does not use the patterns. They were made for that table, so an error in our table
// shows in one of their 9,408 paths.
//
// The drawings of Figs 4.22 and 4.23 are missing in our copy of the text. The text describes them:
// the pattern of two switches in one row of region 0, applied in a 6×6 and in a 7×7 torus.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/engines/spftr/tables.hpp"

namespace selvedge {
namespace {

/// Move until a coordinate is reached, or a number of hops.
struct Movement {
  enum class Until { kHops, kDestination, kLast, kCoordinate };
  Until until = Until::kHops;
  int number = 0;  // hops, offset from the destination, or the coordinate
  char way = 'U';
};

/// "1HU", "(DST-1)R", "MAXD", "0L", "U". Throws std::invalid_argument.
Movement movement(std::string text) {
  if (text.empty() || std::string_view("UDLR").find(text.back()) == std::string_view::npos)
    throw std::invalid_argument(text);
  Movement m;
  m.way = text.back();
  text.pop_back();
  using Until = Movement::Until;
  if (text.empty()) {
    m.until = Until::kDestination;
  } else if (text == "MAX") {
    m.until = Until::kLast;
  } else if (text.starts_with("(DST") && text.ends_with(")")) {
    m.until = Until::kDestination;
    m.number = std::stoi(text.substr(4));
  } else {
    m.until = text.ends_with("H") ? Until::kHops : Until::kCoordinate;
    m.number = std::stoi(text);
  }
  return m;
}

using Sequence = std::vector<Movement>;
constexpr unsigned kPrinted = 7;  // the maps' size

struct Patterns {
  std::map<unsigned, Sequence> sequences;
  std::map<unsigned, std::array<unsigned, 4>> patterns;
  std::map<unsigned, std::vector<unsigned>> maps;  // per source, the pattern for each destination
};

Patterns read_patterns() {
  std::ifstream file(SELVEDGE_SOURCE_DIR "/tests/unit/engines/data/spftr-patterns.txt");
  Patterns read;
  std::vector<unsigned>* map = nullptr;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first, word;
    unsigned number = 0;
    if (line.empty() || line[0] == '#' || !(words >> first)) continue;
    if (first == "sequence" && words >> number) {
      while (words >> word) read.sequences[number].push_back(movement(word));
    } else if (first == "pattern" && words >> number) {
      for (unsigned& sequence : read.patterns[number]) words >> sequence;
    } else if (first == "map" && words >> number) {
      map = &read.maps[number];
    } else if (map != nullptr) {
      words.seekg(0);
      while (words >> word)
        map->push_back(word == "-" ? 0 : static_cast<unsigned>(std::stoul(word)));
    }
  }
  return read;
}

const Patterns& patterns() {
  static const Patterns read = read_patterns();
  return read;
}

struct Place {
  unsigned row, column;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Walk {
  std::vector<Place> places;        // from the source on
  std::vector<std::uint8_t> kinds;  // of the arcs between them (spftr/tables.hpp)
};

/// Where the movements lead on a torus of size × size.
Walk follow(const Sequence& sequence, Place source, Place destination, unsigned size) {
  Walk walk{{source}, {}};
  for (const Movement& m : sequence) {
    const bool vertical = m.way == 'U' || m.way == 'D', forward = m.way == 'D' || m.way == 'R';
    const auto at = [&](Place& place) -> unsigned& { return vertical ? place.row : place.column; };
    Place here = walk.places.back();
    const int goal = m.until == Movement::Until::kLast ? static_cast<int>(size) - 1
                     : m.until == Movement::Until::kCoordinate
                         ? m.number
                         : static_cast<int>(at(destination) + size) + m.number;
    for (unsigned hop = 0; hop < size; ++hop) {
      const bool there = m.until == Movement::Until::kHops
                             ? hop == static_cast<unsigned>(m.number)
                             : at(here) == static_cast<unsigned>(goal) % size;
      if (there) break;
      at(here) = (at(here) + (forward ? 1 : size - 1)) % size;
      walk.places.push_back(here);
      const std::size_t dimension = vertical ? 0 : 1;
      walk.kinds.push_back(forward ? plus_in(dimension) : minus_in(dimension));
    }
  }
  return walk;
}

const Turn& turn_at(const LatticeRules& rules, const Walk& walk, std::size_t i, unsigned size) {
  const std::array<unsigned, 2> at = {walk.places[i].row, walk.places[i].column},
                                sizes = {size, size};
  return rules.turns[(rules.region_of(at, sizes) * rules.dimensions * 2 + walk.kinds[i - 1]) *
                         rules.dimensions * 2 +
                     walk.kinds[i]];
}

SlSet sls_of(const LatticeRules& rules, const Walk& walk, unsigned size) {
  SlState state{0b1111, 0};
  for (std::size_t i = 1; i < walk.kinds.size(); ++i)
    state = state.after(turn_at(rules, walk, i, size));
  return state.any();
}

unsigned forbidden_on(const LatticeRules& rules, const Walk& walk, unsigned size) {
  unsigned count = 0;
  for (std::size_t i = 1; i < walk.kinds.size(); ++i)
    count += turn_at(rules, walk, i, size).forbidden ? 1 : 0;
  return count;
}

/// The error in the four paths of a pair; empty if there is none.
std::string wrong(const LatticeRules& rules, const std::vector<Walk>& walks, Place source,
                  Place destination, unsigned size) {
  std::vector<Place> between;
  std::string found;
  for (const Walk& walk : walks) {
    if (walk.places.back() != destination) found += "ends elsewhere; ";
    between.insert(between.end(), walk.places.begin() + 1, walk.places.end() - 1);
    if (forbidden_on(rules, walk, size) > 1) found += "two forbidden turns; ";
    if (sls_of(rules, walk, size) == 0) found += "no SL; ";
  }
  between.insert(between.end(), {source, destination});
  std::ranges::sort(between);
  if (std::ranges::adjacent_find(between) != between.end()) found += "share a switch; ";
  return found;
}

std::vector<Walk> walks_of(unsigned pattern, Place source, Place destination, unsigned size) {
  std::vector<Walk> walks;
  for (const unsigned s : patterns().patterns.at(pattern))
    walks.push_back(follow(patterns().sequences.at(s), source, destination, size));
  return walks;
}

/// The place on the 7×7 torus whose map serves this one: as it is, or on a 6×6 torus with the row
/// and the column in between left out where they are alike for the patterns (§4.3.6).
Place on_map(Place place, unsigned size) {
  const auto stretch = [&](unsigned i) { return size == 6 && i >= 4 ? i + 1 : i; };
  return {stretch(place.row), stretch(place.column)};
}

unsigned pattern_for(Place source, Place destination, unsigned size) {
  const Place from = on_map(source, size), to = on_map(destination, size);
  return patterns().maps.at(from.row * kPrinted + from.column)[to.row * kPrinted + to.column];
}

template <typename Visit>  // (source, destination)
void for_each_pair(unsigned size, const Visit& visit) {
  for (unsigned s = 0; s < size * size; ++s)
    for (unsigned d = 0; d < size * size; ++d)
      if (s != d) visit(Place{s / size, s % size}, Place{d / size, d % size});
}

TEST(SpftrPatterns, are_as_many_as_the_thesis_says) {
  EXPECT_EQ(patterns().sequences.size(), 155u);
  EXPECT_EQ(patterns().patterns.size(), 236u);
  ASSERT_EQ(patterns().maps.size(), 49u);
  std::map<unsigned, unsigned> uses;
  for (const auto& [source, map] : patterns().maps) {
    ASSERT_EQ(map.size(), 49u) << "map " << source;
    for (unsigned d = 0; d < map.size(); ++d) uses[map[d]] += d == source ? 0 : 1;
  }
  EXPECT_EQ(uses.size(), 236u);  // each is applied somewhere
}

TEST(SpftrPatterns, serve_every_pair_of_7x7_under_table_42) {
  const LatticeRules rules = spftr_rules(2);
  std::size_t pairs = 0, hops = 0, longest = 0, forbidden = 0;
  for_each_pair(kPrinted, [&](Place from, Place to) {
    const auto walks = walks_of(pattern_for(from, to, kPrinted), from, to, kPrinted);
    EXPECT_EQ(wrong(rules, walks, from, to, kPrinted), "")
        << fmt::format("({}, {}) to ({}, {})", from.row, from.column, to.row, to.column);
    ++pairs;
    for (const Walk& walk : walks) {
      hops += walk.kinds.size();
      longest = std::max(longest, walk.kinds.size());
      forbidden += forbidden_on(rules, walk, kPrinted);
    }
  });
  EXPECT_EQ(pairs, 2'352u);
  EXPECT_NEAR(static_cast<double>(hops) / 4 / 2'352, 5.976, 0.0005);
  EXPECT_EQ(longest, 17u);
  EXPECT_GT(forbidden, 0u);
}

// If one entry of the table is changed to all VL 0 or to all VL 1, some path has no SL left. (No
// path depends on five of these changes.)
TEST(SpftrPatterns, notice_a_wrong_entry) {
  const LatticeRules right = spftr_rules(2);
  std::vector<Walk> all;
  for_each_pair(kPrinted, [&](Place from, Place to) {
    for (Walk& walk : walks_of(pattern_for(from, to, kPrinted), from, to, kPrinted))
      all.push_back(std::move(walk));
  });
  unsigned tried = 0, unnoticed = 0;
  for (std::size_t t = 0; t < right.turns.size(); ++t) {
    if (right.turns[t].on_vl1 == 0 && !right.turns[t].forbidden) continue;  // a U-turn
    for (const SlSet entry : {SlSet{0}, SlSet{0b1111}}) {
      if (entry == right.turns[t].on_vl1) continue;
      LatticeRules rules = right;
      rules.turns[t].on_vl1 = entry;
      ++tried;
      unnoticed += std::ranges::none_of(
          all, [&](const Walk& walk) { return sls_of(rules, walk, kPrinted) == 0; });
    }
  }
  EXPECT_EQ(tried, 72u);
  EXPECT_EQ(unnoticed, 5u);
}

/// The channel dependencies of all paths, each with every SL that it may use, are acyclic: no
/// choice of SLs can cause a deadlock.
TEST(SpftrPatterns, cannot_deadlock_whichever_valid_sl_a_path_takes) {
  const LatticeRules rules = spftr_rules(2);
  constexpr unsigned kChannels = kPrinted * kPrinted * 4 * 2;  // with the VL
  std::vector<std::vector<std::uint8_t>> follows(kChannels,
                                                 std::vector<std::uint8_t>(kChannels, 0));
  for_each_pair(kPrinted, [&](Place from, Place to) {
    for (const Walk& walk : walks_of(pattern_for(from, to, kPrinted), from, to, kPrinted))
      for (unsigned sl = 0; sl < 4; ++sl) {
        if ((sls_of(rules, walk, kPrinted) >> sl & 1u) == 0) continue;
        unsigned before = kChannels, vl = 0;
        for (std::size_t i = 0; i < walk.kinds.size(); ++i) {
          if (i > 0) vl = turn_at(rules, walk, i, kPrinted).on_vl1 >> sl & 1u;
          const Place at = walk.places[i];
          const unsigned channel = ((at.row * kPrinted + at.column) * 4 + walk.kinds[i]) * 2 + vl;
          if (before != kChannels) follows[before][channel] = 1;
          before = channel;
        }
      }
  });
  // Removes channels without predecessors; a cycle would remain.
  std::vector<unsigned> into(kChannels, 0);
  std::vector<unsigned> free;
  for (const auto& next : follows)
    for (unsigned c = 0; c < kChannels; ++c) into[c] += next[c];
  for (unsigned c = 0; c < kChannels; ++c)
    if (into[c] == 0) free.push_back(c);
  for (std::size_t i = 0; i < free.size(); ++i)
    for (unsigned c = 0; c < kChannels; ++c)
      if (follows[free[i]][c] != 0 && --into[c] == 0) free.push_back(c);
  EXPECT_EQ(free.size(), kChannels);
}

// --- Figs 4.22 and 4.23: two switches in one row of region 0. On 6×6 (a) and 7×7 (b) one pattern
// gives four disjoint paths: round above, straight on, round below, and the other way round.

//   6×6, from a to b:                  7×7: a row and a column more, in between
//      . 1 1 1 1 .                        . 1 1 1 1 1 .
//   ‹4 . a 2 2 b 4‹                    ‹4 . a 2 2 2 b 4‹
//      . 3 3 3 3 .                        . 3 3 3 3 3 .
TEST(SpftrPatterns, Figure423TheSamePatternOn6x6And7x7) {
  const LatticeRules rules = spftr_rules(2);
  constexpr std::array<unsigned, 4> kRound = {0, 1, 2, 3};  // 1HU R D, R, 1HD R U, L
  for (const auto& [size, to] : {std::pair(6u, 4u), std::pair(7u, 5u)}) {
    const Place a{2, 1}, b{2, to};
    SCOPED_TRACE(size);
    std::vector<Walk> walks;
    for (const unsigned s : kRound) walks.push_back(follow(patterns().sequences.at(s), a, b, size));
    EXPECT_EQ(wrong(rules, walks, a, b, size), "");
    const auto row = [&](unsigned r) {
      std::vector<Place> places;
      for (unsigned column = 1; column <= to; ++column) places.push_back({r, column});
      return places;
    };
    auto above = row(1), below = row(3);
    above.insert(above.begin(), a);
    above.push_back(b);
    below.insert(below.begin(), a);
    below.push_back(b);
    EXPECT_EQ(walks[0].places, above);
    EXPECT_EQ(walks[1].places, row(2));
    EXPECT_EQ(walks[2].places, below);
    EXPECT_EQ(walks[3].places, size == 6 ? (std::vector<Place>{a, {2, 0}, {2, 5}, b})
                                         : (std::vector<Place>{a, {2, 0}, {2, 6}, b}));
    // It is the one that the maps have for this pair.
    EXPECT_EQ(patterns().patterns.at(pattern_for(a, b, size)), kRound);
  }
}

/// And in general: leave out a row and a column of the 7×7 torus, and the patterns of what is left
/// serve every pair of the 6×6 one.
TEST(SpftrPatterns, serve_every_pair_of_6x6) {
  const LatticeRules rules = spftr_rules(2);
  for_each_pair(6, [&](Place from, Place to) {
    const auto walks = walks_of(pattern_for(from, to, 6), from, to, 6);
    EXPECT_EQ(wrong(rules, walks, from, to, 6), "")
        << fmt::format("({}, {}) to ({}, {})", from.row, from.column, to.row, to.column);
  });
}

}  // namespace
}  // namespace selvedge
