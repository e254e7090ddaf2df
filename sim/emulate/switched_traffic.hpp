// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Traffic that is turned on and off, and replaced by other traffic. While it is off no host has a
// message. When it is turned on, its times count from then: a fabric is brought up first, and its
// first sweep has no fixed length. Turned on again, it goes on where it was; traffic that has ended
// by itself (a trace, a number of messages) stays ended until it is replaced.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "sim/model/traffic.hpp"

namespace selvedge::sim {

class SwitchedTraffic : public Traffic {
 public:
  /// `inner` must outlive it, or its replacement.
  explicit SwitchedTraffic(Traffic& inner) : inner_(&inner) {}

  /// Poll the sources after each of these (Network::poll_sources).
  void turn_on(Tick now) {
    if (!on_ && !begun_) start_ = now;
    if (!on_ && begun_) start_ += now - stopped_;
    on_ = begun_ = true;
  }
  void turn_off(Tick now) {
    if (on_) stopped_ = now;
    on_ = false;
  }
  /// Other traffic begins. Packets of the old one that are under way, and messages that were due,
  /// go on; their deliveries do not concern the new one.
  void replace(std::shared_ptr<Traffic> inner, Tick now) {
    owned_ = std::move(inner);
    inner_ = owned_.get();
    given_.clear();
    // A tick later, to tell its messages from those that were due by now.
    start_ = first_ = now + 1;
    on_ = begun_ = true;
  }

  bool on() const { return on_; }

  Message next(HostId from) override {
    if (!on_) return {};
    if (given_.size() <= from) given_.resize(from + std::size_t{1});
    Given& given = given_[from];
    if (!given.returned) given.message = inner_->next(from);
    given.returned = false;
    given.valid = true;
    Message message = given.message;
    if (message.at != kNever) message.at += start_;
    return message;
  }
  void prefetch(HostId from) const override { inner_->prefetch(from); }
  /// Traffic that does not react has no put_back() of its own: its message is kept here.
  void put_back(HostId from) override {
    if (from >= given_.size() || !given_[from].valid) return;  // replaced traffic gave it
    if (inner_->wants_deliveries())
      inner_->put_back(from);
    else
      given_[from].returned = true;
  }
  /// Read once, when the network is made. A managed one has VL 15 in any case.
  bool sends_management() const override { return inner_->sends_management(); }
  bool wants_deliveries() const override { return inner_->wants_deliveries(); }
  void delivered(const Delivery& d, std::vector<HostId>& woken) override {
    if (d.generated >= first_) inner_->delivered(shifted(d), woken);
  }
  void lost(const Delivery& d, std::vector<HostId>& woken) override {
    if (d.generated >= first_) inner_->lost(shifted(d), woken);
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
    bool valid = false;  // `inner_` gave it
  };

  std::shared_ptr<Traffic> owned_;
  Traffic* inner_;
  std::vector<Given> given_;  // per host
  bool on_ = false, begun_ = false;
  Tick start_ = 0, stopped_ = 0;
  Tick first_ = 0;  // messages generated before are those of replaced traffic
};

}  // namespace selvedge::sim
