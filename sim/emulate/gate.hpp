// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Traffic that is turned on and off. While it is off no host has a message. When it is turned on,
// its times count from then: a fabric is brought up first, and its first sweep has no fixed length.
#pragma once

#include "sim/model/traffic.hpp"

namespace selvedge::sim {

class Gate : public Traffic {
 public:
  explicit Gate(Traffic& inner) : inner_(inner) {}

  /// Poll the sources after either (Network::poll_sources).
  void turn_on(Tick now) {
    if (!on_ && !begun_) start_ = now;
    if (!on_ && begun_) start_ += now - stopped_;
    on_ = begun_ = true;
  }
  void turn_off(Tick now) {
    if (on_) stopped_ = now;
    on_ = false;
  }

  Message next(HostId from) override {
    if (!on_) return {};
    Message message = inner_.next(from);
    if (message.at != kNever) message.at += start_;
    return message;
  }
  void prefetch(HostId from) const override { inner_.prefetch(from); }
  void put_back(HostId from) override { inner_.put_back(from); }
  bool sends_management() const override { return inner_.sends_management(); }
  bool wants_deliveries() const override { return inner_.wants_deliveries(); }
  void delivered(const Delivery& d, std::vector<HostId>& woken) override {
    inner_.delivered(shifted(d), woken);
  }
  void lost(const Delivery& d, std::vector<HostId>& woken) override {
    inner_.lost(shifted(d), woken);
  }

 private:
  Delivery shifted(Delivery d) const {
    d.generated -= start_;
    d.injected -= start_;
    d.delivered -= start_;
    return d;
  }

  Traffic& inner_;
  bool on_ = false, begun_ = false;
  Tick start_ = 0, stopped_ = 0;
};

}  // namespace selvedge::sim
