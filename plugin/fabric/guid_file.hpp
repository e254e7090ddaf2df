// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// OpenSM's files of GUIDs: root_guid_file, cn_guid_file (compute nodes), io_guid_file. A line is
// empty, a comment (#), or a GUID that a space or # ends. What follows the GUID is free text,
// mostly the node's name. For a line that is none of these, OpenSM (parse_node_map) rejects the
// whole file, and so does Selvedge. OpenSM ignores GUIDs that the fabric does not have, and logs
// nothing at its default level. Here such GUIDs are counted, and the first one is named.
//
// A difference from OpenSM: OpenSM reads a number without 0x as decimal. Here it is hexadecimal,
// because no tool prints a GUID in decimal.
//
// Roots are node GUIDs of switches. Compute and I/O nodes are node or port GUIDs of adapters; a
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
    std::uint32_t number = 0;  // line number, from 1
    friend bool operator==(const Line&, const Line&) = default;
  };
  std::string path;
  std::vector<Line> lines;

  friend bool operator==(const GuidFile&, const GuidFile&) = default;
};

inline constexpr std::size_t kMaxGuidFileBytes = std::size_t{1} << 24;

/// Parses the text of a file of GUIDs. Throws InputError for a line that is no GUID, and for a file
/// without any GUID.
GuidFile parse_guid_file(std::string_view text, const std::string& path);
/// Reads a file of GUIDs. Throws InputError as parse_guid_file() does, and if the file cannot be
/// read or is larger than kMaxGuidFileBytes.
GuidFile read_guid_file(const std::string& path);

/// What a file of GUIDs is for; in the order in which the files are read and shown.
enum class HintRole { kRoots, kCompute, kIo };
inline constexpr std::size_t kHintRoles = 3;

/// GUIDs in a file that the fabric does not have, or that belong to nodes of another kind than the
/// file is for.
struct UnknownGuids {
  HintRole role = HintRole::kRoots;
  std::size_t count = 0;
  GuidFile::Line first;
  std::string is;  // the node that has the first GUID: "switch spine-01"; "": none
};

/// The contents of OpenSM's root_guid_file, cn_guid_file and io_guid_file, as far as given. GUIDs
/// remain valid if the fabric changes, ids do not.
struct HintFiles {
  std::array<std::optional<GuidFile>, kHintRoles> of;  // index: a HintRole

  bool empty() const;
  /// The hints as ids of the fabric, ascending and without duplicates; `unknown` gets the GUIDs
  /// that are not found. A failed switch does not count as unknown, but is no root either.
  LevelHints find(const Fabric& fabric, std::vector<UnknownGuids>& unknown) const;
  LevelHints find(const Fabric& fabric) const;

  friend bool operator==(const HintFiles&, const HintFiles&) = default;
};

/// The unknown GUIDs in words: "2 of 11 GUIDs are of no switch in this fabric, the first 0x…
/// (adapter node-001)".
std::string describe(const UnknownGuids& unknown, const GuidFile& file);

/// One line for each contradiction of the hints with each other or with the cables; it says which
/// of the two is used. If the fabric has no levels with these hints, only contradictions of hints
/// are listed: the engine then reports the cable (LevelClash).
std::vector<std::string> contradictions(const Fabric& fabric, const LevelHints& hints);

}  // namespace selvedge
