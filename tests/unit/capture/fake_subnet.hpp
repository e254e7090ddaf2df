// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A subnet that is a value: switches answer from tables, and the SA from a function. It counts what
// is asked, and can change while it is read.
#pragma once

#include <functional>
#include <utility>

#include "plugin/capture/subnet_access.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge::capture::test {

class FakeSubnet : public SubnetAccess, public SmpTransport {
 public:
  Fabric fabric;
  Tables tables;
  HostId asker = 0;
  Lid manager_lid = 1;
  unsigned lft_top = 0xbfff;                      // LinearFDBTop of all switches
  SwitchId refuses_rows = kNoSwitch;              // refuses to tell its SL2VL table
  SwitchId silent = kNoSwitch;                    // does not answer SMPs
  std::function<Sl2VlRow(HostId)> host_row;       // empty: that of the tables
  std::function<SlAnswer(const SlQuestion&)> sa;  // empty: as in the tables
  std::function<void()> on_discovery = [] {};     // called before each
  std::uint64_t smps_sent = 0, questions = 0, waits = 0;

  FakeSubnet(Fabric f, Tables t) : fabric(std::move(f)), tables(std::move(t)) {}

  /// The SL that the tables have for the question's source.
  SlAnswer by_tables(const SlQuestion& q) const {
    return {SlAnswer::Kind::kSl, tables.sl(fabric.destination_switch(q.from), q.to)};
  }

  Fabric discover() override {
    on_discovery();
    return fabric;
  }
  Guid port() override { return fabric.host(asker).guid; }
  SmpTransport& smps() override { return *this; }
  std::vector<SlAnswer> ask(std::span<const SlQuestion> asked) override {
    questions += asked.size();
    std::vector<SlAnswer> answers;
    for (const SlQuestion& q : asked) answers.push_back(sa ? sa(q) : by_tables(q));
    return answers;
  }
  Lid manager() override { return manager_lid; }
  void wait() override { ++waits; }

  bool running() const override { return true; }
  std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits&,
                             const StopCondition&) override {
    std::vector<SmpAnswer> answers;
    for (const SmpRequest& request : requests) {
      ++smps_sent;
      answers.push_back(answer(request));
    }
    return answers;
  }

 private:
  static constexpr std::uint32_t kRefused = 0x000c;  // unsupported attribute

  SmpAnswer answer(const SmpRequest& request) const {
    SmpAnswer none;
    none.status = kSmpNoAnswer;
    if (request.method != SmpMethod::kGet) return none;
    Channel at = fabric.injection(asker);  // the channel by which the SMP has come so far
    for (unsigned hop = 2; hop <= request.path.hops; ++hop) {
      const Channel in = fabric.peer(at);
      if (!fabric.from_switch(in)) return none;
      at = fabric.channel(fabric.switch_of(in), request.path.ports[hop]);
      if (fabric.peer(at) == kNoChannel) return none;
    }
    const Channel end = fabric.peer(at);
    SmpAnswer found;
    if (!fabric.from_switch(end)) {
      if (request.attribute == SmpAttribute::kSl2Vl)
        put_row(host_row ? host_row(fabric.host_of(end)) : tables.host_sl2vl, found);
      return found;
    }
    const SwitchId s = fabric.switch_of(end);
    if (s == silent) return none;
    if (request.attribute == SmpAttribute::kSwitchInfo) {
      found.data[6] = static_cast<std::uint8_t>(lft_top >> 8);
      found.data[7] = static_cast<std::uint8_t>(lft_top);
    } else if (request.attribute == SmpAttribute::kLft) {
      for (unsigned i = 0; i < kLftBlockEntries; ++i) {
        const unsigned lid = request.modifier * kLftBlockEntries + i;
        found.data[i] =
            lid <= tables.top_lid() ? tables.next(s, static_cast<Lid>(lid)) : PortNum{kNoPort};
      }
    } else if (s == refuses_rows) {
      found.status = kRefused;
    } else {
      put_row(tables.sl2vl.row(s, static_cast<PortNum>(request.modifier >> 8),
                               static_cast<PortNum>(request.modifier & 0xff)),
              found);
    }
    return found;
  }

  static void put_row(const Sl2VlRow& row, SmpAnswer& to) {
    for (unsigned sl = 0; sl < kSls; ++sl)
      to.data[sl / 2] |= static_cast<std::uint8_t>(sl % 2 == 0 ? row[sl] << 4 : row[sl]);
  }
};

}  // namespace selvedge::capture::test
