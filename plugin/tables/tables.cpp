// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/tables.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace selvedge {

Sl2Vl::Sl2Vl(const Fabric& fabric)
    : rows_{Sl2VlRow{}},
      users_{fabric.num_switches()},
      unused_(fabric.num_switches() == 0 ? 1 : 0),
      default_(fabric.num_switches(), 0),
      first_(fabric.num_switches(), kUniform) {
  for (const Switch& s : fabric.switches()) ports_.push_back(s.ports);
}

std::size_t Sl2Vl::find(const Sl2VlRow& row) const {
  // Most engines have few distinct rows (one per class of turns), so the search is linear. ist has
  // thousands of rows, so each is compared as two words.
  using Words = std::array<std::uint64_t, 2>;
  const Words wanted = std::bit_cast<Words>(row);
  const auto it = std::ranges::find_if(rows_, [&](const Sl2VlRow& other) {
    const Words words = std::bit_cast<Words>(other);
    return ((words[0] ^ wanted[0]) | (words[1] ^ wanted[1])) == 0;
  });
  return static_cast<std::size_t>(it - rows_.begin());
}

bool Sl2Vl::holds_or_fits(const Sl2VlRow& row) const {
  return rows_.size() < kMaxRows || unused_ > 0 || find(row) < rows_.size();
}

std::uint16_t Sl2Vl::add_user(const Sl2VlRow& row) {
  std::size_t id = find(row);
  if (id == rows_.size() && unused_ > 0) {
    id = static_cast<std::size_t>(std::ranges::find(users_, 0U) - users_.begin());
    rows_[id] = row;
  } else if (id == rows_.size()) {
    if (id == kMaxRows) throw std::length_error("more than 65,536 distinct SL2VL rows");
    rows_.push_back(row);
    users_.push_back(0);
    ++unused_;
  }
  if (users_[id]++ == 0) --unused_;
  return static_cast<std::uint16_t>(id);
}

void Sl2Vl::release(std::uint16_t id) {
  if (--users_[id] == 0) ++unused_;
}

void Sl2Vl::set(SwitchId s, PortNum in, PortNum out, const Sl2VlRow& row_in) {
  const Sl2VlRow wanted = row_in;  // a copy, as row_in may be one of rows_
  if (first_[s] == kUniform) {
    if (wanted == rows_[default_[s]]) return;
    const std::size_t side = ports_[s] + 1u;
    first_[s] = static_cast<std::uint32_t>(index_.size());
    index_.insert(index_.end(), side * side, default_[s]);
    users_[default_[s]] += static_cast<std::uint32_t>(side * side);
  }
  std::uint16_t& here = index_[first_[s] + in * (ports_[s] + 1u) + out];
  if (rows_[here] == wanted) return;
  const std::uint16_t before = here;
  here = add_user(wanted);
  release(before);
}

void Sl2Vl::set_all(SwitchId s, const Sl2VlRow& row_in) {
  const Sl2VlRow wanted = row_in;  // a copy, as row_in may be one of rows_
  const std::uint16_t id = add_user(wanted);
  release(std::exchange(default_[s], id));
  if (first_[s] == kUniform) return;
  const std::size_t side = ports_[s] + 1u;
  for (std::uint16_t& entry : std::span(index_).subspan(first_[s], side * side)) {
    release(entry);
    entry = id;
  }
  users_[id] += static_cast<std::uint32_t>(side * side);
}

bool operator==(const Sl2Vl& a, const Sl2Vl& b) {
  if (a.ports_ != b.ports_) return false;
  for (SwitchId s = 0; s < a.ports_.size(); ++s) {
    if (a.uniform(s) && b.uniform(s)) {
      if (a.default_row(s) != b.default_row(s)) return false;
      continue;
    }
    for (unsigned in = 0; in <= a.ports_[s]; ++in)
      for (unsigned out = 0; out <= a.ports_[s]; ++out)
        if (a.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)) !=
            b.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out)))
          return false;
  }
  return true;
}

Tables::Tables(const Fabric& fabric)
    : sl2vl(fabric),
      num_switches_(fabric.num_switches()),
      stride_(fabric.top_lid() + std::size_t{1}),
      lft_(num_switches_ * stride_, kNoPort) {}

void Tables::set_sl(SwitchId s, Lid dlid, Sl sl) {
  if (path_sl_.empty()) {
    if (sl == 0) return;
    path_sl_.assign(lft_.size(), 0);
  }
  path_sl_[s * stride_ + dlid] = sl;
}

void Tables::set_spare(Lid lid) {
  if (spare_.empty()) spare_.assign(stride_, false);
  spare_[lid] = true;
}

std::span<Sl> Tables::sls(SwitchId s) {
  if (path_sl_.empty()) path_sl_.assign(lft_.size(), 0);
  return {path_sl_.data() + s * stride_, stride_};
}

std::size_t Tables::bytes() const {
  std::size_t total = lft_.size() + path_sl_.size();
  for (SwitchId s = 0; s < num_switches_; ++s)
    if (!sl2vl.uniform(s)) total += (sl2vl.ports(s) + 1u) * (sl2vl.ports(s) + 1u) * 2u;
  return total + mft.size() * num_switches_ * sizeof(PortSet);
}

bool operator==(const Tables& a, const Tables& b) {
  if (a.num_switches_ != b.num_switches_ || a.stride_ != b.stride_ || a.lft_ != b.lft_ ||
      a.sl2vl != b.sl2vl || a.host_sl2vl != b.host_sl2vl || a.mft != b.mft || a.spare_ != b.spare_)
    return false;
  if (a.path_sl_.empty() && b.path_sl_.empty()) return true;
  for (SwitchId s = 0; s < a.num_switches_; ++s)
    for (std::size_t lid = 0; lid < a.stride_; ++lid)
      if (a.sl(s, static_cast<Lid>(lid)) != b.sl(s, static_cast<Lid>(lid))) return false;
  return true;
}

}  // namespace selvedge
