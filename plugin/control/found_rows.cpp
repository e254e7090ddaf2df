// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/found_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plugin/control/table_images.hpp"
#include "plugin/repair/detours.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kVlsAt = 43;  // byte of PortInfo with OperationalVLs in its high nibble
constexpr unsigned kDroppingVl = 15;
/// Bits of a MAD's status that say why a request is not carried out (IBA 1.3 §13.4.7): a node
/// without SL2VL tables does not support the attribute.
constexpr std::uint32_t kRefused = 0x1c;
constexpr std::string_view kRemedy =
    "write `qos TRUE` in opensm.conf and start opensm again, so that it writes these rows";

bool drops(const RowImage& row, unsigned data_vls) {
  return std::ranges::any_of(row.row, [&](std::uint8_t two) {
    return (two >> 4U) >= data_vls || (two & 0xfU) >= data_vls;
  });
}

std::vector<PortNum> cabled_ports(const Fabric& fabric, SwitchId s) {
  std::vector<PortNum> ports{0};
  for (unsigned p = 1; p <= fabric.node(s).ports; ++p)
    if (fabric.peer(fabric.channel(s, static_cast<PortNum>(p))) != kNoChannel)
      ports.push_back(static_cast<PortNum>(p));
  return ports;
}

}  // namespace

bool FoundRows::let_pass(const Plan& other) const {
  return failure.empty() && plan &&
         (plan.get() == &other || only_removals(plan->fabric, other.fabric));
}

FoundRows unknown_rows(const std::string& why) {
  FoundRows found;
  found.failure = fmt::format(
      "SL2VL rows in the switches are unknown, and may drop packets: with qos FALSE OpenSM writes "
      "none, and {}: {}",
      why, kRemedy);
  return found;
}

void RowChecker::forget() {
  if (plan_ || !told_.empty()) environment_.tables.rows_found({});
  good_.clear();
  good_hosts_.clear();
  plan_.reset();
  replaced_ = told_replaced_ = 0;
  told_.clear();
}

void RowChecker::fail(const std::string& why) {
  plan_.reset();
  const FoundRows found = unknown_rows(why);
  tell(found, true, found.failure);
}

bool RowChecker::step() {
  std::shared_ptr<const Plan> plan = environment_.tables.plan_in_force();
  if (!plan) return false;
  const bool same = plan_ && (plan_ == plan || same_subnet(plan_->fabric, plan->fabric));
  if (same && !finished_) {
    plan_ = std::move(plan);
  } else if (!same || (!bad_.empty() && environment_.clock.now() >= try_again_)) {
    begin(std::move(plan));
  } else {
    plan_ = std::move(plan);
    return false;
  }
  const std::size_t some = std::min(kRowsAtATime, pending_.size() - next_);
  check(std::span(pending_).subspan(next_, some));
  next_ += some;
  if (next_ < pending_.size()) return true;
  finish();
  return false;
}

/// Lists the rows that are not known to be harmless, and begins a pass over them.
void RowChecker::begin(std::shared_ptr<const Plan> plan) {
  plan_ = std::move(plan);
  pending_.clear();
  vls_.clear();
  bad_.clear();
  first_bad_.clear();
  next_ = unread_ = harmful_ = 0;
  finished_ = false;
  const Fabric& fabric = plan_->fabric;
  // A switch that was gone, for example switched off, may return with other rows.
  std::erase_if(good_, [&](const auto& s) { return fabric.find_switch(s.first) == kNoSwitch; });
  std::set<Guid> hosts;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    if (!fabric.node(s).failed) add_switch(s);
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    if (!fabric.attached(h)) continue;
    if (good_hosts_.contains(fabric.host(h).guid))
      hosts.insert(fabric.host(h).guid);
    else
      pending_.push_back({kNoSwitch, h, 0, 0, {}});
  }
  good_hosts_ = std::move(hosts);
}

void RowChecker::add_switch(SwitchId s) {
  const std::vector<PortNum> ports = cabled_ports(plan_->fabric, s);
  Ports here;
  for (const PortNum p : ports) here.set(p);
  Ports& good = good_[plan_->fabric.node(s).guid];
  good &= here;
  for (const PortNum in : ports)
    for (const PortNum out : ports)
      if (in != out && !(good[in] && good[out])) pending_.push_back({s, kNoHost, in, out, {}});
}

/// The switch port whose number of VLs is that of the row's output port. For a host's row it is the
/// port at the other end of the host's cable, because both ends have the same VLs.
std::pair<SwitchId, PortNum> RowChecker::vl_port(const RowImage& row) const {
  if (row.host == kNoHost) return {row.at, row.out};
  return {plan_->fabric.host(row.host).at, plan_->fabric.host(row.host).port};
}

/// How many data VLs the row's output port has; 0: not known. A switch's port 0 has no cable and
/// takes every VL below 15.
unsigned RowChecker::data_vls(const RowImage& row) const {
  const auto port = vl_port(row);
  if (port.second == 0) return kDroppingVl;
  const auto found = vls_.find(port);
  return found == vls_.end() ? 0 : found->second;
}

/// Reads from PortInfo how many VLs the output ports have, as far as this is unknown.
void RowChecker::read_vls(std::span<const RowImage> rows) {
  constexpr unsigned kVls[] = {1, 1, 2, 4, 8, 15};
  const SmpSettings smp = environment_.settings.smp();
  const DirectedRoutes routes(plan_->fabric, smp.port);
  std::vector<SmpRequest> requests;
  std::vector<std::pair<SwitchId, PortNum>> ports;
  for (const RowImage& row : rows) {
    const auto port = vl_port(row);
    const auto path = routes.to(port.first);
    if (port.second == 0 || !path || !vls_.emplace(port, 0).second) continue;
    SmpRequest r;
    r.attribute = SmpAttribute::kPortInfo;
    r.modifier = port.second;
    r.m_key = smp.m_key;
    r.path = *path;
    requests.push_back(r);
    ports.push_back(port);
  }
  const std::vector<SmpAnswer> answers = smps_.run(requests, smp.limits);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const unsigned code = answers[i].data[kVlsAt] >> 4U;
    if (answers[i].status == 0 && code < std::size(kVls)) vls_[ports[i]] = kVls[code];
  }
}

void RowChecker::check(std::span<const RowImage> rows) {
  if (rows.empty()) return;
  const SmpSettings smp = environment_.settings.smp();
  const TableImages images(plan_->fabric, smp);
  const DirectedRoutes routes(plan_->fabric, smp.port);
  read_vls(rows);
  const auto reached = [&](const RowImage& row) {
    return row.host == kNoHost
               ? routes.reaches(row.at)
               : routes.over(plan_->fabric.peer(plan_->fabric.injection(row.host))).has_value();
  };
  const auto run = [&](SmpMethod method, const std::vector<RowImage>& these) {
    std::vector<SmpRequest> requests;
    for (const RowImage& row : these) requests.push_back(images.request(method, row));
    return smps_.run(requests, smp.limits);
  };

  std::vector<RowImage> asked;
  for (const RowImage& row : rows) {
    if (reached(row))
      asked.push_back(row);
    else
      note(row, State::kUnread);
  }
  std::vector<SmpAnswer> held = run(SmpMethod::kGet, asked);
  std::vector<RowImage> harmful;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    RowImage row = asked[i];
    std::copy_n(held[i].data.begin(), row.row.size(), row.row.begin());
    const unsigned vls = data_vls(row);
    const bool no_table = held[i].status < kSmpNoAnswer && (held[i].status & kRefused) != 0;
    if (held[i].status != 0 || vls == 0)
      note(row, no_table ? State::kHarmless : State::kUnread);
    else if (!drops(row, vls))
      note(row, State::kHarmless);
    else
      harmful.push_back(row);
  }
  // If `qos` has changed, the rows may be the subnet manager's own.
  if (environment_.tables.manager_writes_rows()) return;
  for (RowImage& row : harmful) row.row.fill(0);
  run(SmpMethod::kSet, harmful);
  held = run(SmpMethod::kGet, harmful);
  std::vector<RowImage> replaced;
  for (std::size_t i = 0; i < harmful.size(); ++i) {
    const bool good = held[i].status == 0 && std::equal(harmful[i].row.begin(),
                                                        harmful[i].row.end(), held[i].data.begin());
    note(harmful[i], good ? State::kReplaced : State::kHarmful);
    if (good) replaced.push_back(harmful[i]);
  }
  if (!replaced.empty()) environment_.tables.rows_replaced(plan_->fabric, replaced);
}

void RowChecker::note(const RowImage& row, State state) {
  const Fabric& fabric = plan_->fabric;
  replaced_ += state == State::kReplaced;
  unread_ += state == State::kUnread;
  harmful_ += state == State::kHarmful;
  const Guid guid = row.host == kNoHost ? fabric.node(row.at).guid : fabric.host(row.host).guid;
  if (state == State::kHarmless || state == State::kReplaced) {
    if (row.host != kNoHost) good_hosts_.insert(guid);
    return;
  }
  bad_.insert(guid);
  if (first_bad_.empty()) first_bad_ = name_of(row);
}

std::string RowChecker::name_of(const RowImage& row) const {
  if (row.host != kNoHost) return plan_->fabric.host(row.host).name;
  return fmt::format("{}, from port {} to {}", plan_->fabric.node(row.at).name, row.in, row.out);
}

void RowChecker::finish() {
  finished_ = true;
  try_again_ = environment_.clock.now() + kTryAgain;
  const Fabric& fabric = plan_->fabric;
  FoundRows found;
  found.plan = plan_;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (fabric.node(s).failed) continue;
    const std::vector<PortNum> ports = cabled_ports(fabric, s);
    found.rows += ports.size() * (ports.size() - 1);
    if (bad_.contains(fabric.node(s).guid)) continue;
    Ports& good = good_[fabric.node(s).guid];
    for (const PortNum p : ports) good.set(p);
  }
  for (HostId h = 0; h < fabric.num_hosts(); ++h) found.rows += fabric.attached(h);
  found.replaced = replaced_;
  found.unread = unread_;
  found.harmful = harmful_;
  if (unread_ + harmful_ > 0) {
    found.failure = fmt::format(
        "SL2VL rows may drop packets: with qos FALSE OpenSM writes none, and of {} rows in "
        "switches "
        "and hosts {} could not be read and {} could not be replaced, the first: {}: {}",
        found.rows, unread_, harmful_, first_bad_, kRemedy);
    return tell(found, true, found.failure);
  }
  if (pending_.empty()) return environment_.tables.rows_found(std::move(found));
  const std::size_t news = replaced_ - std::exchange(told_replaced_, replaced_);
  tell(found, false,
       news > 0 ? fmt::format("with qos FALSE OpenSM writes no SL2VL rows: of {} in switches and "
                              "hosts {} dropped packets of some SL; each of these maps every SL to "
                              "VL 0 now, and was read back",
                              found.rows, news)
                : fmt::format("with qos FALSE OpenSM writes no SL2VL rows: of {} in switches and "
                              "hosts none drops packets",
                              found.rows));
}

/// Reports the result, and logs the line unless it was the last one.
void RowChecker::tell(FoundRows found, bool error, const std::string& line) {
  environment_.tables.rows_found(std::move(found));
  if (std::exchange(told_, line) != line) environment_.journal.log(error, line);
}

}  // namespace selvedge
