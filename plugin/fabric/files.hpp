// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Fabrics in files: the output of ibnetdiscover (infiniband-diags 44, with or without -f, -g, -m),
// and ibsim's .net form (0.10), whose grammar is the same with fewer comments and more optional
// parts.
//
// What is read from such a file:
//  - Sections Switch, Ca (or Hca, in any case) and Rt. A router's ports are ends of paths like
//    those of an adapter, so they are read as hosts. A node of unknown type ("???") is skipped with
//    its cables.
//  - A node's name is the description in the comment of the section's first line: from the first
//    quote to the last quote of the line, with any characters between. Without a comment the node's
//    id is its name.
//  - Every cable must be listed at both its ends, as ibsim requires too. So a truncated file is
//    detected, except if it ends in the text of a comment.
//  - Some things are read with a remark. A cable from host to host leaves both hosts unattached
//    (`at` = kNoSwitch). A loopback plug (a port cabled to itself) leaves the port empty. An
//    adapter without any cable is omitted.
//  - The rate of a cable is taken from the first of these: the comments ("4xQDR"); ibsim's w=, s=,
//    e= (masks of what is enabled); ibsim's width=, speed=, extspeed= lines; 4xSDR. If the two ends
//    differ, the slower rate counts.
//  - GUIDs are taken as given (`switchguid=`, `caguid=`, `(port GUID)`). Nodes of a .net file
//    without such lines get the GUIDs that ibsim assigns, because OpenSM then sees those. A port
//    without a GUID gets the adapter's GUID plus the port's number, as in ibsim.
//  - Ids of switches ascend by GUID, ids of hosts by the adapter's GUID and then by port. So ids do
//    not depend on the node on which ibnetdiscover was run. If the file does not give a GUID for
//    every switch (or every adapter), ids follow the order of the file.
//  - `module` prefixes are supported; `include` and port aliases are refused with an InputError;
//    `do` lines are skipped with a remark.
//
// What write_net() adds to the .net form, in comments or in places that ibsim ignores:
//  - "failed" after the description of a failed switch, "no ports" after that of a switch without
//    ports;
//  - a host's port line commented out, `#[1](guid) "S-0-0"[5]`: the host is unattached, but was
//    cabled to that port before;
//  - "switch N" after a switch's description and "host N" after a host's rate, but only if reading
//    the file would otherwise give other ids;
//  - "(0)" as the GUID in parentheses: the node has no GUID, and the number before the parentheses
//    serves only ibsim.
// The id of each node in the file is the node's name, so that `Unlink "S-1-1"[1]` works at ibsim's
// console. Exceptions are names that are used already, empty, longer than ibsim's 63 bytes, or that
// contain one of "#@ or a control character.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct FabricFile {
  enum class Form { kNet, kIbnetdiscover };

  Fabric fabric;
  Form form = Form::kNet;
  bool has_lids = false;  // whether the file gives every switch and every attached host a LID
  /// What was unusual and ignored, one line each; at most kMaxRemarks
  std::vector<std::string> remarks;
};

inline constexpr std::size_t kMaxRemarks = 50;
inline constexpr std::size_t kMaxFabricFileBytes = std::size_t{1} << 30;

/// Reads either form, which is recognised by its content. `where` is the file's name; messages add
/// the line number. Throws InputError.
FabricFile read_fabric(std::string_view text, const std::string& where);
FabricFile read_fabric_file(const std::string& path);

/// Writes ibsim's .net form. read_fabric(write_net(f)) equals f, with these exceptions. An empty f
/// gives a file without nodes, which read_fabric() refuses. LIDs are lost, because .net has no
/// place for them. Line feeds and NULs in names become spaces. All ports of one adapter (equal
/// node_guid, not 0) get the name of its first port. ibsim itself truncates a name at a quote or
/// after 64 bytes, and prints at most 253 bytes of a line. Throws InputError if two hosts claim one
/// port of an adapter.
std::string write_net(const Fabric& fabric);

}  // namespace selvedge
