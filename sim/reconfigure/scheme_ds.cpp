// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// ds (Montañana 2008 §7.4): the double scheme. VL 0 and VL 1 carry half of the pairs each. As soon
// as the fault has been detected all are told to drain VL 1: packets go on on VL 0. Meanwhile
// tables are sent, whole, and stored beside those in use. A switch whose VL 1 is empty and whose
// table is there says so. When all have, all are told to use the new tables on both VLs. Packets in
// VL 0, old and new, may wait for each other; a head that lacks credits escapes to VL 1, where all
// are new. What the thesis does not say: docs/decisions/0092-the-double-scheme.md.
#include <algorithm>

#include "sim/reconfigure/schemes.hpp"

namespace selvedge::sim {
namespace {

/// A write with this step to each switch, then to each host, with its row of SL2VL.
std::vector<Write> to_all(const Fabric& left, unsigned change, Write::LayerStep step,
                          const Sl2VlRow& host_row) {
  std::vector<Write> all = to_every_node(left);
  for (Write& write : all) {
    write.layer = step;
    write.change = change;
    if (write.at.kind == SmpEnd::Kind::kHost) write.host_row = host_row;
  }
  return all;
}

std::vector<Write> drain(const Fabric& left, unsigned change) {
  return to_all(left, change, Write::LayerStep::kDrain, Sl2VlRow{});
}

std::vector<Stage> stages_of_ds(const TableChange& change) {
  std::vector<Stage> all(2);
  // What takes longest to arrive is sent first (§8.4.1 on the order of the schemes other than EBR).
  std::vector<SwitchId> order = nearest_first(change.left, {change.manager});
  std::ranges::reverse(order);
  for (const SwitchId s : order) {
    std::vector<Write> writes = whole_table(change, s);
    number_parts(writes);
    for (Write& write : writes) {
      write.layer = Write::LayerStep::kTable;
      write.change = change.change;
    }
    std::ranges::move(writes, std::back_inserter(all[0].writes));
  }
  all[1].after = Stage::After::kSaid;
  all[1].writes = to_all(change.left, change.change, Write::LayerStep::kUse, change.to.host_sl2vl);
  return all;
}

}  // namespace

const Scheme kDsScheme{.name = "ds",
                       .target = TargetKind::kEngine,
                       .layers = true,
                       .at_once = drain,
                       .stages = stages_of_ds};

}  // namespace selvedge::sim
