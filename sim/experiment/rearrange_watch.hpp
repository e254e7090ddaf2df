// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What rearrange memory receivers would need to deliver in order ([measure] rearrange; Martínez
// 2005 §4.2): a Traffic around the others that watches packets and changes nothing. A receiver
// without a limit stores each packet that comes ahead of a missing one of the same two hosts, until
// that has come or is lost. What is stored counts without headers.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <vector>

#include "sim/model/histogram.hpp"
#include "sim/model/model.hpp"
#include "sim/model/traffic.hpp"

namespace selvedge::sim {

/// Early packets and the memory that they take, of a watch or of HCAs that run a protocol.
struct Rearranged {
  std::uint64_t received = 0, early = 0;  // packets
  Histogram distance;                     // of early packets, ahead of the first missing one
  double bytes_mean = 0;                  // over time and hosts
  std::uint64_t bytes_max = 0;            // of any host
  std::uint64_t connection_bytes_max = 0;
};

class RearrangeWatch final : public Traffic {
 public:
  /// The traffic and the model must outlive this object. Not for classes, nor for traffic that
  /// drives hosts.
  RearrangeWatch(Traffic& traffic, const Model& model, std::uint32_t hosts)
      : traffic_(traffic), model_(model), sources_(hosts), receivers_(hosts) {}

  Message next(HostId from) override;
  void put_back(HostId from) override;
  void prefetch(HostId from) const override { traffic_.prefetch(from); }
  bool sends_management() const override { return traffic_.sends_management(); }
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& packet, std::vector<HostId>& woken) override;
  void lost(const Delivery& packet, std::vector<HostId>& woken) override;

  /// From now on it is counted.
  void begin(Tick now);
  /// `hosts`: over how many the mean is taken.
  Rearranged end(Tick now, unsigned hosts) const;

 private:
  struct Source {
    std::uint32_t sequence = 0;  // of the pending message's first packet
    std::uint32_t packets = 0;   // of the pending message; 0: there is none
    HostId to = kNoHost;
  };
  struct Packet {
    std::uint32_t sequence;
    std::uint32_t bytes;  // stored; of a packet that is missing 0
    bool here;
  };
  struct Pair {
    std::vector<Packet> packets;  // [first] is missing; those before it are done with
    std::size_t first = 0;
    std::uint64_t bytes = 0;  // stored
  };
  struct Receiver {
    std::uint64_t bytes = 0;
    Tick since = 0;
    double byte_ticks = 0;
  };

  static std::uint64_t key(HostId from, HostId to) { return std::uint64_t{from} << 32 | to; }
  void expect(HostId from);
  void take(const Delivery& packet, bool lost);
  void store(HostId at, Tick now, std::int64_t more);

  Traffic& traffic_;
  const Model& model_;
  std::vector<Source> sources_;      // per host
  std::vector<Receiver> receivers_;  // per host
  boost::unordered_flat_map<std::uint64_t, Pair> pairs_;
  Rearranged counted_;
  Tick began_ = 0;
};

}  // namespace selvedge::sim
