// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The performance management agent of every node (IBA 1.3 §16.1): ClassPortInfo, PortCounters and
// PortCountersExtended, with PortSelect 255 for all ports of a switch. The counters come from a
// CounterSource, which is not reset: a Set only stores the values of that moment, which are
// subtracted from then on. Counters of errors that cannot occur here are 0. So are all counters of
// the optional detail attributes, as on ibsim.
#pragma once

#include <span>

#include "sim/emulate/counters.hpp"

namespace selvedge::sim {

class PerformanceAgent {
 public:
  PerformanceAgent(const EmulatedSubnet& subnet, const CounterSource& source)
      : subnet_(subnet),
        source_(source),
        short_base_(subnet.num_ports()),
        long_base_(subnet.num_ports()) {}

  /// Executes a Get or Set that has reached node `at.node` by port `at.port`, and returns the
  /// answer's status. The attribute's bytes in `mad` become those of the answer.
  SmpStatus execute(PortAt at, Mad& mad);

  /// A counter of an attribute: the PortCounters member, its offset `at` from the attribute's
  /// start, its width in bytes, and its bit in CounterSelect.
  struct Place {
    std::uint64_t PortCounters::* field;
    std::size_t at;
    unsigned bytes, select;
  };

 private:
  void write_counters(std::uint8_t* data, std::span<const Place> places,
                      std::span<const PortAt> ports, std::vector<PortCounters>& bases,
                      unsigned reset);
  SmpStatus port_counters(PortAt at, Mad& mad, bool set);
  SmpStatus extended_counters(PortAt at, Mad& mad, bool set);
  /// The ports that PortSelect names; empty if it is not valid.
  std::vector<PortAt> selected(PortAt at, unsigned port_select) const;

  const EmulatedSubnet& subnet_;
  const CounterSource& source_;
  std::vector<PortCounters> short_base_, long_base_;  // per port index: values at the last reset
};

}  // namespace selvedge::sim
