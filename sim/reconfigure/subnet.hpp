// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the manager and the agents need of the network under them. Network and Reference both have
// it (SubnetOf), so that one can be tested against the other.
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/tables.hpp"
#include "sim/model/smp.hpp"
#include "sim/model/statistics.hpp"

namespace selvedge::sim {

/// As the functions of Network with these names.
class Subnet {
 public:
  virtual ~Subnet() = default;
  virtual Tick now() const = 0;
  virtual void send(const SmpEnd& from, const Smp& smp) = 0;
  virtual std::vector<SmpArrival> take_arrivals() = 0;
  virtual std::vector<LostSmp> take_lost_smps() = 0;
  virtual void write_lft_block(SwitchId at, unsigned block, std::span<const PortNum> entries) = 0;
  virtual void write_sl2vl(SwitchId at, PortNum in, PortNum out, const Sl2VlRow& row) = 0;
  virtual void write_host_sl2vl(HostId host, const Sl2VlRow& row) = 0;
  virtual void write_path(HostId from, HostId to, Lid dlid, Sl sl) = 0;
  virtual void hold(HostId host, bool held) = 0;
  virtual void set_epoch(SwitchId at, unsigned epoch) = 0;
  virtual void set_layering(SwitchId at, Layering how) = 0;
  virtual void write_layer_block(SwitchId at, unsigned block, std::span<const PortNum> entries) = 0;
  virtual bool is_clear(Channel c, Vl vl) const = 0;
  virtual void open(Channel c, bool for_data) = 0;
  virtual void begin_tokens(SwitchId at, std::span<const Turn> turns, unsigned bytes) = 0;
  virtual void send_tokens(HostId host, unsigned bytes) = 0;
  virtual bool tokens_done(SwitchId at) const = 0;
  virtual void end_tokens(SwitchId at) = 0;
  virtual const Totals& totals() const = 0;
};

template <class Simulator>
class SubnetOf final : public Subnet {
 public:
  explicit SubnetOf(Simulator& of) : of_(of) {}
  Tick now() const override { return of_.now(); }
  void send(const SmpEnd& from, const Smp& smp) override { of_.send(from, smp); }
  std::vector<SmpArrival> take_arrivals() override { return of_.take_arrivals(); }
  std::vector<LostSmp> take_lost_smps() override { return of_.take_lost_smps(); }
  void write_lft_block(SwitchId at, unsigned block, std::span<const PortNum> entries) override {
    of_.write_lft_block(at, block, entries);
  }
  void write_sl2vl(SwitchId at, PortNum in, PortNum out, const Sl2VlRow& row) override {
    of_.write_sl2vl(at, in, out, row);
  }
  void write_host_sl2vl(HostId host, const Sl2VlRow& row) override {
    of_.write_host_sl2vl(host, row);
  }
  void write_path(HostId from, HostId to, Lid dlid, Sl sl) override {
    of_.write_path(from, to, dlid, sl);
  }
  void hold(HostId host, bool held) override { of_.hold(host, held); }
  void set_epoch(SwitchId at, unsigned epoch) override {
    of_.set_epoch(at, static_cast<std::uint8_t>(epoch));
  }
  void set_layering(SwitchId at, Layering how) override { of_.set_layering(at, how); }
  void write_layer_block(SwitchId at, unsigned block, std::span<const PortNum> entries) override {
    of_.write_layer_block(at, block, entries);
  }
  bool is_clear(Channel c, Vl vl) const override { return of_.is_clear(c, vl); }
  void open(Channel c, bool for_data) override { of_.open(c, for_data); }
  void begin_tokens(SwitchId at, std::span<const Turn> turns, unsigned bytes) override {
    of_.begin_tokens(at, turns, bytes);
  }
  void send_tokens(HostId host, unsigned bytes) override { of_.send_tokens(host, bytes); }
  bool tokens_done(SwitchId at) const override { return of_.tokens_done(at); }
  void end_tokens(SwitchId at) override { of_.end_tokens(at); }
  const Totals& totals() const override { return of_.totals(); }

 private:
  Simulator& of_;
};

}  // namespace selvedge::sim
