// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace selvedge::prover {
namespace {

// The number is a sum of products: of each word of eight LFT entries (or SLs), of each SL2VL row
// and of each switch's ports in a group with a key for its place.
enum class Part : std::uint8_t { kLft, kSl, kRowAt, kRowIn, kRowOut, kHostRow, kGroup };
constexpr unsigned kWordEntries = 8;

/// splitmix64 (Steele et al. 2014), without its counter.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Odd, so that a different value gives a different product.
constexpr std::uint64_t key_of(Part part, std::uint64_t a, std::uint64_t b = 0) {
  return mix(mix(static_cast<std::uint64_t>(part) << 56 | a) ^ b) | 1;
}

std::uint64_t number_of(const Sl2VlRow& row) {
  std::uint64_t number = 0;
  for (const Vl vl : row) number = number << 4 | (vl & 0xf);  // 16 SLs of 4 bits
  return mix(number);
}

std::uint64_t number_of(const PortSet& ports) {
  return ports.none() ? 0 : mix(std::hash<PortSet>{}(ports));
}

/// The sum over a switch's entries, given by entry(index).
template <class Entry>
std::uint64_t sum_of_words(Part part, SwitchId s, std::size_t entries, Entry entry) {
  std::uint64_t sum = 0;
  for (std::size_t first = 0; first < entries; first += kWordEntries) {
    std::uint64_t word = 0;
    const std::size_t count = std::min<std::size_t>(kWordEntries, entries - first);
    for (std::size_t i = 0; i < count; ++i) word |= std::uint64_t{entry(first + i)} << (8 * i);
    sum += key_of(part, s, first / kWordEntries) * word;
  }
  return sum;
}

std::uint64_t change_of_entry(Part part, SwitchId s, Lid dlid, std::uint8_t before,
                              std::uint8_t after) {
  const std::uint64_t grown = std::uint64_t{after} - before;
  return key_of(part, s, dlid / kWordEntries) * (grown << (8 * (dlid % kWordEntries)));
}

std::uint64_t row_key(SwitchId s, PortNum in, PortNum out) {
  return key_of(Part::kRowAt, s) * key_of(Part::kRowIn, in) * key_of(Part::kRowOut, out);
}

std::uint64_t number_of(const Sl2Vl& sl2vl, std::uint32_t switches) {
  std::vector<std::uint64_t> numbers;
  for (const Sl2VlRow& row : sl2vl.rows()) numbers.push_back(number_of(row));
  // The keys of all input ports, and of all output ports, up to each number of ports.
  std::array<std::uint64_t, 256> ins{}, outs{};
  for (unsigned p = 0; p < ins.size(); ++p) {
    ins[p] = key_of(Part::kRowIn, p) + (p > 0 ? ins[p - 1] : 0);
    outs[p] = key_of(Part::kRowOut, p) + (p > 0 ? outs[p - 1] : 0);
  }
  std::uint64_t sum = 0;
  for (SwitchId s = 0; s < switches; ++s) {
    const unsigned ports = sl2vl.ports(s);
    if (sl2vl.uniform(s)) {
      sum += key_of(Part::kRowAt, s) * ins[ports] * outs[ports] * number_of(sl2vl.default_row(s));
      continue;
    }
    for (unsigned in = 0; in <= ports; ++in) {
      const std::uint64_t here = key_of(Part::kRowAt, s) * key_of(Part::kRowIn, in);
      for (unsigned out = 0; out <= ports; ++out) {
        const Sl2VlRow& row = sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out));
        const std::uint64_t at_out = outs[out] - (out > 0 ? outs[out - 1] : 0);
        sum += here * at_out * numbers[static_cast<std::size_t>(&row - sl2vl.rows().data())];
      }
    }
  }
  return sum;
}

}  // namespace

std::uint64_t fingerprint(const Tables& tables) {
  std::uint64_t sum = key_of(Part::kHostRow, 0) * number_of(tables.host_sl2vl);
  const std::uint32_t switches = tables.num_switches();
  for (SwitchId s = 0; s < switches; ++s) {
    const std::span<const PortNum> lft = tables.lft(s);
    sum += sum_of_words(Part::kLft, s, lft.size(), [&](std::size_t lid) { return lft[lid]; });
    if (!tables.one_sl())
      sum += sum_of_words(Part::kSl, s, lft.size(),
                          [&](std::size_t lid) { return tables.sl(s, static_cast<Lid>(lid)); });
  }
  sum += number_of(tables.sl2vl, switches);
  for (const auto& [mlid, tree] : tables.mft)
    for (SwitchId s = 0; s < tree.size(); ++s)
      if (tree[s].any()) sum += key_of(Part::kGroup, mlid, s) * number_of(tree[s]);
  return sum;
}

std::uint64_t fingerprint_change(const Delta& delta) {
  std::uint64_t sum = key_of(Part::kHostRow, 0) *
                      (number_of(delta.host_sl2vl_after) - number_of(delta.host_sl2vl_before));
  for (const LftChange& c : delta.lft)
    sum += change_of_entry(Part::kLft, c.at, c.dlid, c.before, c.after);
  for (const SlChange& c : delta.sl)
    sum += change_of_entry(Part::kSl, c.source, c.dlid, c.before, c.after);
  for (const Sl2VlChange& c : delta.sl2vl)
    sum += row_key(c.at, c.in, c.out) * (number_of(c.after) - number_of(c.before));
  for (const MftChange& c : delta.mft)
    sum += key_of(Part::kGroup, c.mlid, c.at) * (number_of(c.after) - number_of(c.before));
  return sum;
}

bool has_all_of(const Tables& tables, const Delta& delta) {
  const std::uint32_t switches = tables.num_switches();
  const auto ports_of = [&](SwitchId s) { return tables.sl2vl.ports(s); };
  return std::ranges::all_of(
             delta.lft,
             [&](const LftChange& c) { return c.at < switches && c.dlid <= tables.top_lid(); }) &&
         std::ranges::all_of(delta.sl,
                             [&](const SlChange& c) {
                               return c.source < switches && c.dlid <= tables.top_lid();
                             }) &&
         std::ranges::all_of(delta.sl2vl,
                             [&](const Sl2VlChange& c) {
                               return c.at < switches && c.in <= ports_of(c.at) &&
                                      c.out <= ports_of(c.at);
                             }) &&
         std::ranges::all_of(delta.mft, [&](const MftChange& c) { return c.at < switches; });
}

}  // namespace selvedge::prover
