// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/clos/permutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>

#include "base/error.hpp"

namespace selvedge::sim {
namespace {

constexpr std::size_t kMixing = 20;  // exchanges tried for each flow

template <class T>
void shuffle(std::vector<T>& values, std::size_t first, std::size_t end, Stream& chance) {
  for (std::size_t i = end; i > first + 1; --i)
    std::swap(values[i - 1], values[first + chance.below(static_cast<std::uint32_t>(i - first))]);
}

std::vector<unsigned> leaf_of_each_host(const Wiring& wiring) {
  std::vector<unsigned> leaf;
  for (unsigned l = 0; l < wiring.leaves(); ++l) leaf.insert(leaf.end(), wiring.hosts[l], l);
  return leaf;
}

/// Destinations such that any r in a row are on r different leaf switches (while all of these have
/// hosts left): the first host of each leaf switch, then the second of each, …
std::vector<unsigned> in_turn(const Wiring& wiring, const std::vector<unsigned>& order) {
  std::vector<unsigned> to;
  const unsigned most = std::ranges::max(wiring.hosts);
  for (unsigned turn = 0; turn < most; ++turn)
    for (const unsigned leaf : order)
      if (turn < wiring.hosts[leaf]) to.push_back(leaf);
  return to;
}

/// Exchanges the destinations of random pairs of flows, wherever no pair of leaf switches then has
/// more flows than one of the two had before. Without it leaf switches with turns that begin at the
/// same place have the same destinations: with n = 4, r = 16 the network falls into four parts that
/// never meet, and settles far too soon.
void mix(const Wiring& wiring, std::vector<unsigned>& to, Stream& chance) {
  const std::size_t leaves = wiring.leaves();
  const std::vector<unsigned> from = leaf_of_each_host(wiring);
  std::vector<unsigned> flows(leaves * leaves, 0);
  const auto between = [&](std::size_t source, std::size_t destination) -> unsigned& {
    return flows[from[source] * leaves + to[destination]];
  };
  for (std::size_t h = 0; h < to.size(); ++h) ++between(h, h);
  const bool even = std::ranges::adjacent_find(flows, std::not_equal_to{}) == flows.end();
  if (even) return;
  const auto hosts = static_cast<std::uint32_t>(to.size());
  for (std::size_t i = 0; i < kMixing * to.size(); ++i) {
    const std::uint32_t a = chance.below(hosts), b = chance.below(hosts);
    if (between(a, b) >= between(a, a) || between(b, a) >= between(b, b)) continue;
    --between(a, a), --between(b, b);
    std::swap(to[a], to[b]);
    ++between(a, a), ++between(b, b);
  }
}

std::vector<unsigned> worst_destinations(const Wiring& wiring, Stream& chance) {
  std::vector<unsigned> sources(wiring.leaves()), order(wiring.leaves());
  std::iota(sources.begin(), sources.end(), 0U);
  std::iota(order.begin(), order.end(), 0U);
  shuffle(sources, 0, sources.size(), chance);
  shuffle(order, 0, order.size(), chance);
  const std::vector<unsigned> turns = in_turn(wiring, order);
  std::vector<std::size_t> first(wiring.leaves() + 1, 0);
  for (unsigned l = 0; l < wiring.leaves(); ++l) first[l + 1] = first[l] + wiring.hosts[l];
  std::vector<unsigned> to(turns.size());
  std::size_t next = 0;
  for (const unsigned leaf : sources) {
    for (std::size_t host = first[leaf]; host < first[leaf + 1]; ++host) to[host] = turns[next++];
    shuffle(to, first[leaf], first[leaf + 1], chance);
  }
  mix(wiring, to, chance);
  return to;
}

[[noreturn]] void refuse(const std::string& what, const std::string& where, std::size_t line) {
  throw InputError(what, fmt::format("{}, line {}", where, line),
                   "write each host's destination once, as 1 2 0 for three hosts");
}

std::vector<unsigned> read_line(std::string_view text, unsigned hosts, const std::string& where,
                                std::size_t line) {
  std::vector<unsigned> to;
  std::vector<bool> taken(hosts, false);
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto space = [](char c) { return c == ' ' || c == ',' || c == '\t' || c == '\r'; };
  while (true) {
    while (at != end && space(*at)) ++at;
    if (at == end) break;
    unsigned host = 0;
    const auto [rest, error] = std::from_chars(at, end, host);
    if (error != std::errc{} || (rest != end && !space(*rest)))
      refuse("not a list of numbers", where, line);
    if (host >= hosts)
      refuse(fmt::format("there is no host {} among {}", host, hosts), where, line);
    if (taken[host]) refuse(fmt::format("host {} receives twice", host), where, line);
    taken[host] = true;
    to.push_back(host);
    at = rest;
  }
  if (to.size() != hosts)
    refuse(fmt::format("{} destinations for {} hosts", to.size(), hosts), where, line);
  return to;
}

}  // namespace

std::vector<Flow> draw_permutation(const Wiring& wiring, PermutationKind kind, Stream& chance) {
  const std::vector<unsigned> from = leaf_of_each_host(wiring);
  std::vector<unsigned> to;
  if (kind == PermutationKind::kWorst) {
    to = worst_destinations(wiring, chance);
  } else {
    to = from;
    shuffle(to, 0, to.size(), chance);
  }
  std::vector<Flow> flows(from.size());
  for (std::size_t h = 0; h < from.size(); ++h) flows[h] = {from[h], to[h]};
  return flows;
}

std::vector<std::vector<unsigned>> read_permutations(std::string_view text, unsigned hosts,
                                                     const std::string& where) {
  std::vector<std::vector<unsigned>> permutations;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t start = content.find_first_not_of(" \t\r");
    if (start == std::string_view::npos || content[start] == '#') continue;
    permutations.push_back(read_line(content, hosts, where, line));
  }
  if (permutations.empty())
    throw InputError("the file has no permutation", where,
                     "write a line with each host's destination");
  return permutations;
}

std::vector<Flow> flows_of(const Wiring& wiring, const std::vector<unsigned>& destinations) {
  const std::vector<unsigned> leaf = leaf_of_each_host(wiring);
  std::vector<Flow> flows(leaf.size());
  for (std::size_t h = 0; h < leaf.size(); ++h) flows[h] = {leaf[h], leaf[destinations[h]]};
  return flows;
}

}  // namespace selvedge::sim
