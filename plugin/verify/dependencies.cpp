// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/dependencies.hpp"

namespace selvedge::prover {

Dependencies::Dependencies(const Wiring& wiring, unsigned vls, std::size_t bytes_max)
    : vls_(vls), first_{0} {
  for (SwitchId s = 0; s < wiring.switches; ++s) {
    ports_.push_back(static_cast<std::uint16_t>(wiring.ports(s)));
    const Cell side = Cell{ports_[s] + 1u} * vls;
    first_.push_back(first_.back() + side * side);
  }
  if (first_.back() * sizeof(std::uint16_t) <= bytes_max) counts_.assign(first_.back(), 0);
}

Turn Dependencies::turn(Cell cell) const {
  const auto above = std::ranges::upper_bound(first_, cell);
  const auto at = static_cast<SwitchId>(above - first_.begin() - 1);
  const Cell side = Cell{ports_[at] + 1u} * vls_;
  const Cell from = (cell - first_[at]) / side, to = (cell - first_[at]) % side;
  return {at, static_cast<PortNum>(from / vls_), static_cast<PortNum>(to / vls_),
          static_cast<Vl>(from % vls_), static_cast<Vl>(to % vls_)};
}

bool Dependencies::remove(Cell cell) {
  if (!counts_.empty()) {
    if (--counts_[cell] != 0) return false;
  } else {
    const auto it = sparse_.find(cell);
    if (--it->second != 0) return false;
    sparse_.erase(it);
  }
  --size_;
  return true;
}

std::uint16_t Dependencies::set_aside(Cell cell) {
  std::uint16_t count = 0;
  if (!counts_.empty()) {
    std::swap(count, counts_[cell]);
  } else if (const auto it = sparse_.find(cell); it != sparse_.end()) {
    count = it->second;
    sparse_.erase(it);
  }
  if (count != 0) --size_;
  return count;
}

void Dependencies::put_back(Cell cell, std::uint16_t count) {
  if (count == 0) return;
  (counts_.empty() ? sparse_[cell] : counts_[cell]) = count;
  ++size_;
}

}  // namespace selvedge::prover
