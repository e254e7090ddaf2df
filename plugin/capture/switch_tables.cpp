// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/capture/switch_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "plugin/control/directed_routes.hpp"
#include "plugin/fabric/naming.hpp"

namespace selvedge::capture {
namespace {

constexpr SmpLimits kLimits{.outstanding_max = 8, .timeout_ms = 500, .tries = 4};
constexpr std::size_t kLinearTopAt = 6;  // byte of SwitchInfo (IBA 1.3 §14.2.5.4)

class Reader {
 public:
  Reader(SubnetAccess& access, const Fabric& fabric)
      : access_(access), fabric_(fabric), routes_(fabric, access.port()) {
    read_.tables = Tables(fabric);
  }

  SwitchTables run(Progress& progress) && {
    std::uint64_t nodes = 0;
    progress.phase("reading LFTs and SL2VL tables",
                   std::uint64_t{fabric_.num_switches()} + fabric_.num_hosts(), "nodes");
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      read_lft(s);
      read_rows(s);
      progress.advance(++nodes);
    }
    read_host_rows();
    if (wrong_entries_ > 0)
      read_.remarks.push_back(fmt::format(
          "{} LFT entries name ports that their switch does not have: no routes", wrong_entries_));
    if (refused_ > 0)
      read_.remarks.push_back(fmt::format(
          "{} SL2VL rows were refused, the first by {}: taken as VL 0", refused_, refuser_));
    return std::move(read_);
  }

 private:
  SmpPath path_to(SwitchId s) const {
    const std::optional<SmpPath> path = routes_.to(s);
    if (!path) throw Unsettled{fmt::format("no route to {}", fabric_.node(s).name)};
    return *path;
  }

  static SmpRequest get(SmpAttribute attribute, std::uint32_t modifier, const SmpPath& path) {
    SmpRequest request;
    request.attribute = attribute;
    request.modifier = modifier;
    request.path = path;
    return request;
  }

  /// Asks one node. `name`: the node's, for messages.
  std::vector<SmpAnswer> ask(std::span<const SmpRequest> requests, const std::string& name) {
    std::vector<SmpAnswer> answers = access_.smps().run(requests, kLimits);
    for (const SmpAnswer& answer : answers)
      if (answer.status == kSmpNoAnswer) throw Unsettled{fmt::format("{} does not answer", name)};
    return answers;
  }

  void read_lft(SwitchId s) {
    const std::string& name = fabric_.node(s).name;
    const SmpPath path = path_to(s);
    const SmpRequest info = get(SmpAttribute::kSwitchInfo, 0, path);
    const SmpAnswer told = ask({&info, 1}, name).front();
    if (told.status != 0) throw Unsettled{fmt::format("{} refuses SwitchInfo", name)};
    const unsigned limit = told.data[kLinearTopAt] << 8u | told.data[kLinearTopAt + 1];
    const unsigned top = std::min<unsigned>(limit, read_.tables.top_lid());
    std::vector<SmpRequest> blocks;
    for (unsigned block = 0; block <= top / kLftBlockEntries; ++block)
      blocks.push_back(get(SmpAttribute::kLft, block, path));
    const std::vector<SmpAnswer> answers = ask(blocks, name);
    for (unsigned lid = 0; lid <= top; ++lid) {
      const SmpAnswer& answer = answers[lid / kLftBlockEntries];
      if (answer.status != 0) throw Unsettled{fmt::format("{} refuses a block of its LFT", name)};
      PortNum port = answer.data[lid % kLftBlockEntries];
      if (port != kNoPort && port > fabric_.node(s).ports) {
        ++wrong_entries_;
        port = kNoPort;
      }
      read_.tables.set_next(s, static_cast<Lid>(lid), port);
    }
  }

  Sl2VlRow row_of(const SmpAnswer& answer, const std::string& name) {
    Sl2VlRow row{};
    if (answer.status != 0) {
      if (refused_++ == 0) refuser_ = name;
      return row;
    }
    for (unsigned sl = 0; sl < kSls; ++sl)
      row[sl] = sl % 2 == 0 ? answer.data[sl / 2] >> 4u : answer.data[sl / 2] & 0xFu;
    return row;
  }

  void read_rows(SwitchId s) {
    const std::string& name = fabric_.node(s).name;
    const SmpPath path = path_to(s);
    std::vector<PortNum> cabled;
    for (unsigned p = 1; p <= fabric_.node(s).ports; ++p)
      if (fabric_.peer(fabric_.channel(s, static_cast<PortNum>(p))) != kNoChannel)
        cabled.push_back(static_cast<PortNum>(p));
    std::vector<SmpRequest> requests;
    for (const PortNum out : cabled) {
      requests.push_back(get(SmpAttribute::kSl2Vl, out, path));  // from port 0
      for (const PortNum in : cabled)
        requests.push_back(get(SmpAttribute::kSl2Vl, unsigned{in} << 8u | out, path));
    }
    const std::vector<SmpAnswer> answers = ask(requests, name);
    std::vector<Sl2VlRow> rows;
    std::map<Sl2VlRow, std::size_t> count;
    for (const SmpAnswer& answer : answers) ++count[rows.emplace_back(row_of(answer, name))];
    if (rows.empty()) return;
    Sl2Vl& sl2vl = read_.tables.sl2vl;
    sl2vl.set_all(s, std::ranges::max_element(count, {}, [](const auto& entry) {
                       return entry.second;
                     })->first);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!sl2vl.holds_or_fits(rows[i]))
        throw EnvironmentError(
            fmt::format("the switches have more than {} different SL2VL rows", Sl2Vl::kMaxRows),
            name, "no tables file can hold them");
      sl2vl.set(s, static_cast<PortNum>(requests[i].modifier >> 8u),
                static_cast<PortNum>(requests[i].modifier & 0xFFu), rows[i]);
    }
  }

  /// A tables file has one row for all hosts: the most frequent.
  void read_host_rows() {
    std::map<Sl2VlRow, std::vector<HostId>> found;
    for (HostId h = 0; h < fabric_.num_hosts(); ++h) {
      if (!fabric_.attached(h)) continue;
      const std::string name = host_label(fabric_, h);
      const std::optional<SmpPath> path = routes_.over(fabric_.peer(fabric_.injection(h)));
      if (!path) throw Unsettled{fmt::format("no route to {}", name)};
      const SmpRequest request = get(SmpAttribute::kSl2Vl, 0, *path);
      found[row_of(ask({&request, 1}, name).front(), name)].push_back(h);
    }
    if (found.empty()) return;
    const auto usual =
        std::ranges::max_element(found, {}, [](const auto& entry) { return entry.second.size(); });
    read_.tables.host_sl2vl = usual->first;
    for (const auto& [row, hosts] : found) {
      if (row == usual->first) continue;
      read_.remarks.push_back(fmt::format(
          "{} hosts have another SL2VL row than the other {}, the first {}: the file has that of "
          "the latter",
          hosts.size(), usual->second.size(), host_label(fabric_, hosts.front())));
    }
  }

  SubnetAccess& access_;
  const Fabric& fabric_;
  const DirectedRoutes routes_;
  SwitchTables read_;
  std::uint64_t wrong_entries_ = 0, refused_ = 0;
  std::string refuser_;
};

}  // namespace

SwitchTables read_switch_tables(SubnetAccess& access, const Fabric& fabric, Progress& progress) {
  return Reader(access, fabric).run(progress);
}

}  // namespace selvedge::capture
