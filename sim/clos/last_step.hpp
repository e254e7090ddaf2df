// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The Last-Step models (Zahavi 2012 §3.2, §3.3): each output switch is good or bad. A good one
// becomes bad with probability B, a bad one becomes good with probability C, independently in each
// step; both depend only on U, the number of bad ones. All begin bad; when all are good, that is
// the end. The paper writes the chain with a state for each of the 2^r sets of bad switches. As
// the switches are alike, the states with equal U can be taken together exactly: the next U is the
// sum of two binomial numbers. So r may be large.
//
// The equations of §3.3 are damaged in our copy. Read by the text's sense they are
//   C_imp = (m − t') / m, with t' = n/2 − 2 full links beside the bad one (Fig. 7b);
//   C_ind = (U / r) · (3 / n) · ((m − t') / m): one of the bad link's three flows is moved, and not
//           onto a full link;
//   B     = (U / r) · q · B_max, B_max = (n/2 − 1) / m: a move of another output switch moves a
//           flow of this one too if the new port is full already, of which q is the chance.
// q is the chance that a port has two or more of n flows when these are thrown on m ports.
#pragma once

#include "sim/clos/absorbing.hpp"
#include "sim/clos/size.hpp"

namespace selvedge::sim {

/// The chances of one output switch while `bad` of all r are bad.
struct StepChances {
  long double good_to_bad = 0;  // B
  long double bad_to_good = 0;  // C
};

/// `flows_per_link` (p) is 1 or 2; 1 needs n ≤ m, 2 needs n ≤ 2 m.
StepChances last_step_chances(const ClosSize& size, unsigned flows_per_link, unsigned bad);

/// The chain of U = 0…r.
Chain last_step_chain(const ClosSize& size, unsigned flows_per_link);

/// log10 of the mean number of iterations until all output switches are good.
double last_step_log10_iterations(const ClosSize& size, unsigned flows_per_link);

}  // namespace selvedge::sim
