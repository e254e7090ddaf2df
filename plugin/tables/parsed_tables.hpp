// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The values of a tables file (JSON), before they are checked against each other.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge::tables_file {

inline constexpr std::size_t kMaxSwitches = kMaxUnicastLid;

/// Several rows of bytes, stored one after another. Row i ends before entries[ends[i]].
struct Rows {
  std::vector<std::uint8_t> entries;
  std::vector<std::size_t> ends;

  std::size_t count() const { return ends.size(); }
  std::size_t begin_of(std::size_t row) const { return row == 0 ? 0 : ends[row - 1]; }
  std::span<const std::uint8_t> row(std::size_t i) const {
    return {entries.data() + begin_of(i), ends[i] - begin_of(i)};
  }
};

struct Turn {
  static constexpr int kDefault = -1;
  SwitchId at;
  int in, out;  // kDefault: all pairs of ports without a row of their own
  Sl2VlRow row;

  auto place() const { return std::tuple(at, in, out); }
  std::string name() const {
    return in == kDefault ? fmt::format("sl2vl[{}].default", at)
                          : fmt::format("sl2vl[{}][\"{},{}\"]", at, in, out);
  }
};

struct Group {
  SwitchId at;
  Lid mlid;
  PortSet ports;
};

/// SLs of `further_path_sl`.
struct Further {
  SwitchId at;
  Lid dlid;
  std::vector<Sl> sls;
};

struct ParsedTables {
  std::vector<Switch> switches;
  std::vector<std::int64_t> switch_ids;
  std::vector<Host> hosts;
  std::vector<std::int64_t> host_ids;
  std::vector<bool> host_attached;
  std::vector<std::uint32_t> link_ends;  // four numbers for each link: switch, port, switch, port
  Rows lft, sls, host_sls;
  std::size_t sl2vl_count = 0, mft_count = 0, disjoint_count = 0, further_count = 0;
  bool has_disjoint = false, has_mft = false, has_further = false;
  std::vector<Turn> turns;
  Sl2VlRow host_sl2vl{};
  std::vector<Group> groups;
  std::vector<Further> further;
  std::vector<Lid> spare_lids;
  std::vector<std::string> remarks;
};

/// Parses the text, and checks that every value has a type and range that is allowed at its place.
/// Throws InputError.
ParsedTables parse_tables(std::string_view text, const std::string& where);

}  // namespace selvedge::tables_file
