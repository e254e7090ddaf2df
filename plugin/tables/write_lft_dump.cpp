// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Writes LFTs in the form of dump_fts. OpenSM's engine `file` reads the headers' GUIDs, and of each
// entry LID, port, and the port GUID of the destination: by it the entry follows a host that has
// another LID by now.
#include <fmt/format.h>

#include <iterator>

#include "base/printable.hpp"
#include "plugin/tables/files.hpp"

namespace selvedge {
namespace {

std::string destination(const Fabric& fabric, Lid lid) {
  const LidOwner owner = fabric.owner(lid);
  if (owner.kind == LidOwner::Kind::kSwitch)
    return fmt::format("(Switch portguid 0x{:016x}: '{}')", fabric.node(owner.id).guid,
                       printable(fabric.node(owner.id).name));
  return fmt::format("(Channel Adapter portguid 0x{:016x}: '{}')", fabric.host(owner.id).guid,
                     printable(fabric.host(owner.id).name));
}

}  // namespace

std::string write_lft_dump(const Fabric& fabric, const Tables& tables) {
  std::string text;
  const auto end = std::back_inserter(text);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const auto& node = fabric.node(s);
    if (node.failed) continue;
    fmt::format_to(end, "Unicast lids [0x0-0x{:x}] of switch Lid {} guid 0x{:016x} ({}):\n",
                   fabric.top_lid(), node.lid, node.guid, printable(node.name));
    text += "  Lid  Out   Destination\n       Port     Info\n";
    unsigned entries = 0;
    for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid) {
      const auto dlid = static_cast<Lid>(lid);
      const PortNum port = tables.next(s, dlid);
      if (port == kNoPort || fabric.owner(dlid).kind == LidOwner::Kind::kUnassigned) continue;
      fmt::format_to(end, "0x{:04x} {:03d} : {}\n", lid, port, destination(fabric, dlid));
      ++entries;
    }
    fmt::format_to(end, "{} valid lids dumped\n", entries);
  }
  return text;
}

}  // namespace selvedge
