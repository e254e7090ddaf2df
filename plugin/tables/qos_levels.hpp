// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Quality of service beside routing: both want SLs and VLs. An administrator maps SLs to VLs and
// gives these shares of each link; SLs with one VL form a level. An engine needs VLs and SLs for
// freedom from deadlock. QosLevels combines both. Tables are computed, repaired and proved with the
// engine's own SLs and VLs, and every SL2VL row is converted when it is written:
//
//   one VL    every SL has the engine's row of SL 0, shifted to the administrator's VL for the SL
//   n VLs     level l has the VLs l·n … l·n + n − 1; its SLs, in ascending order, have the
//             engine's rows of the SLs 0, 1, 2, …
//
// A VL of 15, by which a guard drops unused turns, stays 15.
//
// Why tables that are free of deadlock stay so: with n VLs a packet stays within the VLs of its
// level. So each level has a copy of the engine's dependencies, and none leads from one copy to
// another. With one VL every dependency between pairs of channel and VL is one between channels. In
// both cases a cycle of what is written would be a cycle of the engine's tables. That holds for
// every mixture of old and new tables too, as long as the levels stay the same.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// The administrator's mapping of SLs to VLs at the ports of switches and of hosts. VL 15 drops.
struct QosMap {
  Sl2VlRow switches{}, hosts{};
  friend bool operator==(const QosMap&, const QosMap&) = default;
};

class QosLevels {
 public:
  /// One level: rows are written as they are.
  QosLevels();
  /// Levels of `map` on ports with `vls` VLs (a power of two, or 15). `several`: whether engines
  /// may use several VLs. Then each level has as many VLs as fit; if only one fits, engines have
  /// one VL.
  QosLevels(const QosMap& map, unsigned vls, bool several);

  /// Whether rows are written as they are.
  bool plain() const { return plain_; }
  unsigned count() const { return count_; }
  /// The lowest SL of each level that carries packets.
  std::vector<Sl> lowest_sls() const;
  /// VLs and SLs that each level leaves to an engine.
  unsigned engine_vls() const { return engine_vls_; }
  unsigned engine_sls() const { return engine_sls_; }
  /// The levels in words: "2 QoS levels on 8 VLs and 16 SLs: 4 VLs and 8 SLs each".
  std::string arithmetic() const;

  Sl2VlRow at_switch(const Sl2VlRow& row) const { return convert(row, switches_); }
  Sl2VlRow at_host(const Sl2VlRow& row) const { return convert(row, hosts_); }
  /// The engine's SL whose SL2VL rows this SL gets.
  Sl engine_sl(Sl sl) const { return engine_sl_[sl]; }
  /// The SL for a path that the engine put on SL `own`, if the path query asks for SL `asked`: the
  /// one in the level of `asked`. `asked` itself if its level drops packets, or if the engine has
  /// one VL.
  Sl sl_in_level_of(Sl asked, Sl own) const;
  /// The VLs that are written for packets which the administrator maps to this VL. nullopt if no SL
  /// is mapped to it.
  struct VlRange {
    Vl first;
    unsigned count;
  };
  std::optional<VlRange> vls_of(Vl administrators) const;

  friend bool operator==(const QosLevels&, const QosLevels&) = default;

 private:
  Sl2VlRow convert(const Sl2VlRow& row, const Sl2VlRow& first) const;

  Sl2VlRow level_{};               // per SL: the administrator's VL at switches, as ports have it
  Sl2VlRow switches_{}, hosts_{};  // per SL: what is added to the engine's VL; 15: dropped
  std::array<Sl, kSls> engine_sl_{};
  unsigned vls_ = 0, count_ = 1, engine_vls_ = kMaxDataVls, engine_sls_ = kSls;
  bool plain_ = true;
};

/// The tables as they are written to switches. The SLs of paths are those in the level of SL
/// `asked`.
Tables as_written(const Fabric& fabric, const Tables& tables, const QosLevels& levels,
                  Sl asked = 0);

}  // namespace selvedge
