// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// OpenSM's files of GUIDs: root_guid_file, cn_guid_file (compute nodes), io_guid_file. A line is
// empty, a comment (#), or a GUID, which a space or # ends. The rest of the line is free text,
// mostly the node's name. OpenSM (parse_node_map) rejects the whole file for one line that is none
// of these, and so does Selvedge. OpenSM ignores a GUID that the fabric does not have, and logs
// nothing at its default level. Here such GUIDs are counted and the first one is named.
//
// Departure: OpenSM reads a number without 0x as decimal. No tool prints a GUID so; here it is
// hexadecimal.
//
// Roots are node GUIDs of switches; compute and I/O nodes are node or port GUIDs of adapters. A
// node GUID stands for all ports of the adapter.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/levels.hpp"

namespace selvedge {

struct GuidFile {
  struct Line {
    Guid guid = 0;
    std::uint32_t number = 0;  // from 1
    friend bool operator==(const Line&, const Line&) = default;
  };
  std::string path;
  std::vector<Line> lines;

  friend bool operator==(const GuidFile&, const GuidFile&) = default;
};

inline constexpr std::size_t kMaxGuidFileBytes = std::size_t{1} << 24;

/// Throws InputError for a line that is no GUID and for a file without any.
GuidFile parse_guid_file(std::string_view text, const std::string& path);
/// Likewise; also for a file that cannot be read or is larger than kMaxGuidFileBytes.
GuidFile read_guid_file(const std::string& path);

/// The order in which they are read and shown.
enum class HintRole { kRoots, kCompute, kIo };
inline constexpr std::size_t kHintRoles = 3;

/// GUIDs of a file that the fabric does not have, or that belong to the wrong kind of node.
struct UnknownGuids {
  HintRole role = HintRole::kRoots;
  std::size_t count = 0;
  GuidFile::Line first;
  std::string is;  // what the first one belongs to instead: "switch spine-01"; "" = no node here
};

/// The files in force. They hold GUIDs, not ids, so they stay valid when the fabric changes.
struct HintFiles {
  std::array<std::optional<GuidFile>, kHintRoles> of;  // by HintRole

  bool empty() const;
  /// The hints as ids of the fabric, ascending, without duplicates. A failed switch is not counted
  /// as unknown, but is no root either.
  LevelHints find(const Fabric& fabric, std::vector<UnknownGuids>& unknown) const;
  LevelHints find(const Fabric& fabric) const;

  friend bool operator==(const HintFiles&, const HintFiles&) = default;
};

/// "2 of 11 GUIDs are of no switch in this fabric, the first 0x… (adapter node-001)".
std::string describe(const UnknownGuids& unknown, const GuidFile& file);

/// Where the hints contradict each other or the cables: a line for each, which says what takes
/// precedence. Without levels only the first kind is listed: the engine then reports the cable
/// (LevelClash).
std::vector<std::string> contradictions(const Fabric& fabric, const LevelHints& hints);

}  // namespace selvedge
