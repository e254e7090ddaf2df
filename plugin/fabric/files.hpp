// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Fabrics in files: the output of ibnetdiscover (infiniband-diags 44, with or without -f, -g, -m)
// and ibsim's .net form (0.10), which is the same grammar with fewer comments and more freedom.
//
// What is read:
//  - Switch, Ca (Hca, in any case) and Rt sections. A router's ports are ends of paths as an
//    adapter's are, so a router is read as hosts. A node of unknown type ("???") is passed over
//    with its cables.
//  - A name is the description in the header's comment, whatever characters it holds: from its
//    first quote to the last one of the line. Without a comment the node's id is its name.
//  - Every cable must be listed at both its ends, as ibsim demands too; so a file that was cut
//    short is found out. A file that was cut inside a line is too, but for the text of a comment.
//  - A cable from host to host leaves both unattached (`at` = kNoSwitch), a loopback plug (a port
//    cabled to itself) leaves the port empty, an adapter without any cable is left out: a remark
//    each.
//  - The rate of a cable is what the comments say ("4xQDR"), else ibsim's w=, s=, e= (masks of
//    what is enabled), else ibsim's width=, speed=, extspeed= lines, else 4xSDR; of two ends the
//    slower.
//  - GUIDs as given (`switchguid=`, `caguid=`, `(port GUID)`). Nodes of a .net file without such
//    lines are numbered as ibsim numbers them, so that they agree with what OpenSM sees there. The
//    GUID of a port that isn't given is the adapter's plus the port's number, as in ibsim.
//  - Ids ascend by GUID, switches' and hosts' (by the adapter's, then by port): they are the same
//    wherever ibnetdiscover began. Where the file does not give every
//    switch (every adapter) a GUID, they follow the file.
//  - `module` prefixes are understood; `include` and port aliases are refused with an InputError,
//    `do` lines are passed over with a remark.
//
// What write_net adds to the form, all of it in comments or in places that ibsim passes over:
//  - "failed" after a failed switch's description, "no ports" after that of a switch without any;
//  - a host's port line commented out, `#[1](guid) "S-0-0"[5]`: the host is unattached, but was
//    cabled there;
//  - "switch N" after a switch's description and "host N" after a host's rate, only where the ids
//    would be others;
//  - a GUID of "(0)" in parentheses: there is none, and the number before it is there for ibsim.
// The ids are the names, so that `Unlink "S-1-1"[1]` works at ibsim's console, unless a name is
// taken, empty, longer than ibsim's 63 bytes or holds one of "#@ or a control character.
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
  bool has_lids = false;  // every switch and every attached host came with one
  std::vector<std::string>
      remarks;  // oddities that were passed over, a line each; at most kMaxRemarks
};

inline constexpr std::size_t kMaxRemarks = 50;
inline constexpr std::size_t kMaxFabricFileBytes = std::size_t{1} << 30;

/// Reads either form, told apart by content. `where` is the file's name, for messages, which give
/// the line. Throws InputError.
FabricFile read_fabric(std::string_view text, const std::string& where);
FabricFile read_fabric_file(const std::string& path);

/// ibsim's .net form. read_fabric(write_net(f)) is f, unless f is empty (a file without any node is
/// refused), but for the LIDs, which .net does not hold, and for bytes that a line of text can't
/// hold (line feed and NUL become spaces). The ports of one adapter (equal node_guid, not 0) have
/// one name: the first port's. ibsim itself shortens a name at a quote or after 64 bytes, and lists
/// at most 253 bytes of a line. Throws InputError if two hosts claim one port of an adapter.
std::string write_net(const Fabric& fabric);

}  // namespace selvedge
