// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The rates of links, as the IBA names and codes them (IBA 1.3 §13.5.3 and later annexes:
// PathRecord:Rate). Names are nominal: 4x QDR is 40 Gb/s although 32 are data.
#pragma once

#include <span>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct RateCode {
  double gbps = 0;
  unsigned code = 0;
};

/// All rates that have a code, ascending by rate.
std::span<const RateCode> rate_codes();

/// The nominal rate in Gb/s; 0 if the speed is unknown.
double nominal_gbps(LinkRate rate);

/// The code of exactly this rate; 0 if it has none.
unsigned code_of_rate(double gbps);

}  // namespace selvedge
