// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Fabrics in files: the output of ibnetdiscover (infiniband-diags 44, with or without -f, -g, -m)
// and ibsim's .net form (0.10), which is the same grammar with fewer comments and more freedom.
//
// What is read:
//  - Switch, Ca (Hca, in any case) and Rt sections. A router's ports are ends of paths as an
//    adapter's are, so they are read as hosts. A node of unknown type ("???") is skipped with its
//    cables.
//  - A name is the description in the header's comment, from the first quote to the last one of the
//    line. It may hold any character. Without a comment the node's id is its name.
//  - Every cable must be listed at both its ends, as ibsim requires too. So a truncated file is
//    detected, also inside a line unless in the text of a comment.
//  - Each with a remark: a cable from host to host leaves both unattached (`at` = kNoSwitch); a
//    loopback plug (a port cabled to itself) leaves the port empty; an adapter without any cable is
//    omitted.
//  - The rate of a cable, in this order: from the comments ("4xQDR"); from ibsim's w=, s=, e=
//    (masks of what is enabled); from ibsim's width=, speed=, extspeed= lines; 4xSDR. If the two
//    ends differ the slower one counts.
//  - GUIDs as given (`switchguid=`, `caguid=`, `(port GUID)`). Nodes of a .net file without such
//    lines get the GUIDs that ibsim assigns, which OpenSM then sees. A port without a GUID gets the
//    adapter's GUID plus the port's number, as in ibsim.
//  - Ids of switches ascend by GUID, ids of hosts by the adapter's GUID and then by port. So they
//    do not depend on the node where ibnetdiscover was run. Where the file does not give every
//    switch (every adapter) a GUID, they follow the file.
//  - `module` prefixes are supported; `include` and port aliases are refused with an InputError;
//    `do` lines are skipped with a remark.
//
// What write_net adds to the form, in comments or in places that ibsim ignores:
//  - "failed" after the description of a failed switch, "no ports" after that of a switch without
//    ports;
//  - a host's port line commented out, `#[1](guid) "S-0-0"[5]`: the host is unattached, but was
//    cabled there;
//  - "switch N" after a switch's description and "host N" after a host's rate, only if the ids
//    would otherwise differ;
//  - "(0)" as the GUID in parentheses: the node has no GUID, and the number before it is for ibsim
//    only.
// Each node's id in the file is its name, so that `Unlink "S-1-1"[1]` works at ibsim's console.
// Exceptions: a name that is used already, empty, longer than ibsim's 63 bytes, or holds one of "#@
// or a control character.
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
  bool has_lids = false;             // every switch and every attached host came with one
  std::vector<std::string> remarks;  // oddities that were ignored, a line each; at most kMaxRemarks
};

inline constexpr std::size_t kMaxRemarks = 50;
inline constexpr std::size_t kMaxFabricFileBytes = std::size_t{1} << 30;

/// Reads either form, recognised by its content. `where` is the file's name; messages add the line.
/// Throws InputError.
FabricFile read_fabric(std::string_view text, const std::string& where);
FabricFile read_fabric_file(const std::string& path);

/// ibsim's .net form. read_fabric(write_net(f)) equals f with these exceptions. An empty f gives a
/// file without nodes, which is refused. LIDs are lost: .net does not hold them. Line feed and NUL
/// in names become spaces. The ports of one adapter (equal node_guid, not 0) have one name: the
/// first port's. ibsim itself truncates a name at a quote or after 64 bytes, and prints at most 253
/// bytes of a line. Throws InputError if two hosts claim one port of an adapter.
std::string write_net(const Fabric& fabric);

}  // namespace selvedge
