// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the manager writes, as values. A write is what one SMP carries to a switch or a host. The
// writes of a stage may be under way together; the next stage begins when all of them have been
// confirmed, and its own condition holds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "plugin/transition/epochs.hpp"
#include "sim/model/smp.hpp"

namespace selvedge::sim {

struct LftEntry {
  Lid dlid = kNoLid;
  PortNum port = kNoPort;
};

struct Sl2VlEntry {
  PortNum in = 0, out = 0;
  Sl2VlRow row{};
};

/// What a host uses for another from now on, as a path record says.
struct PathEntry {
  HostId to = kNoHost;
  Lid dlid = kNoLid;
  Sl sl = 0;
};

struct Write {
  SmpEnd at;
  // To a switch
  std::vector<LftEntry> lft = {};
  std::optional<Sl2VlEntry> row = {};
  /// Its parts take effect together, with the epoch, when the last of them has come (EBR).
  std::optional<Epoch> epoch = {};
  unsigned part = 0, parts = 1;
  /// A step of the double scheme, to a switch or a host, in the change of this number.
  enum class LayerStep : std::uint8_t {
    kNone,
    kDrain,  // nothing takes VL 1 any more
    kTable,  // a part of the next table, which is stored beside the present one; drains too
    kUse,    // the next table and both VLs are used
  };
  LayerStep layer = LayerStep::kNone;
  /// A step of Simple Reconfiguration, to a switch or a host, in the change of this number.
  enum class TokenStep : std::uint8_t {
    kNone,
    kTable,  // a part of the next table, which is stored beside the present one
    kSend,   // tokens are sent, by a switch when it has its next table
  };
  TokenStep token = TokenStep::kNone;
  unsigned change = 0;
  std::vector<Turn> turns = {};     // with kTable: those of the present routing
  std::vector<PortNum> ports = {};  // with kTable: those with a cable that may be used
  // To a host
  std::vector<PathEntry> paths = {};
  std::optional<Sl2VlRow> host_row = {};
  std::optional<bool> hold = {};  // whether it holds its injection
};

struct Stage {
  enum class After : std::uint8_t {
    kNothing,
    kDrain,  // ReconfigurationSpec::drain_us
    kEmpty,  // no data packet is in the network
    kSaid,   // every switch has said that VL 1 is empty, or its tokens have passed
  };
  After after = After::kNothing;
  std::vector<Write> writes = {};
};

}  // namespace selvedge::sim
