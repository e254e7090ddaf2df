// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Traffic that is turned on and off. While it is off no host has a message. When it is turned on,
// its times count from then: a fabric is brought up first, and its first sweep has no fixed length.
#pragma once

#include <vector>

#include "sim/model/traffic.hpp"

namespace selvedge::sim {

class SwitchedTraffic : public Traffic {
 public:
  explicit SwitchedTraffic(Traffic& inner) : inner_(inner) {}

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

  bool on() const { return on_; }

  Message next(HostId from) override {
    if (!on_) return {};
    if (given_.size() <= from) given_.resize(from + std::size_t{1});
    Given& given = given_[from];
    if (!given.returned) given.message = inner_.next(from);
    given.returned = false;
    Message message = given.message;
    if (message.at != kNever) message.at += start_;
    return message;
  }
  void prefetch(HostId from) const override { inner_.prefetch(from); }
  /// Traffic that does not react has no put_back() of its own: its message is kept here.
  void put_back(HostId from) override {
    if (inner_.wants_deliveries())
      inner_.put_back(from);
    else
      given_[from].returned = true;
  }
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

  struct Given {
    Message message;  // in the times of `inner_`
    bool returned = false;
  };

  Traffic& inner_;
  std::vector<Given> given_;  // per host
  bool on_ = false, begun_ = false;
  Tick start_ = 0, stopped_ = 0;
};

}  // namespace selvedge::sim
