// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Traffic that can be turned on and off, and replaced by other traffic. While it is off, no host
// has a message. Its times count from when it is first turned on, since the fabric must be brought
// up before and the first sweep has no fixed length. When it is turned on again, it resumes where
// it was turned off. Traffic that has ended by itself (a trace, a number of messages) stays ended
// until it is replaced.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "sim/model/traffic.hpp"

namespace selvedge::sim {

class SwitchedTraffic : public Traffic {
 public:
  /// `inner` must live until it is replaced, or as long as this object.
  explicit SwitchedTraffic(Traffic& inner) : inner_(&inner) {}

  /// After turn_on(), turn_off() or replace() the caller must poll the sources
  /// (Network::poll_sources()).
  void turn_on(Tick now) {
    if (!on_ && !begun_) start_ = now;
    if (!on_ && begun_) start_ += now - stopped_;
    on_ = begun_ = true;
  }
  void turn_off(Tick now) {
    if (on_) stopped_ = now;
    on_ = false;
  }
  /// Replaces the traffic and turns it on. Packets of the old traffic that are under way, and its
  /// messages that were due, go on; the new traffic is not told of their deliveries.
  void replace(std::shared_ptr<Traffic> inner, Tick now) {
    owned_ = std::move(inner);
    inner_ = owned_.get();
    given_.clear();
    // The new traffic starts a tick later, so that Delivery::generated tells its messages from
    // those of the old traffic.
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
  /// Traffic that does not react to deliveries does not implement put_back(): its message is kept
  /// here.
  void put_back(HostId from) override {
    if (from >= given_.size() || !given_[from].valid) return;  // replaced traffic gave it
    if (inner_->wants_deliveries())
      inner_->put_back(from);
    else
      given_[from].returned = true;
  }
  /// The network asks only once, so later traffic may differ; but a managed network has VL 15 in
  /// any case.
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
    bool valid = false;  // `message` is from the present `inner_`
  };

  std::shared_ptr<Traffic> owned_;
  Traffic* inner_;
  std::vector<Given> given_;  // per host
  bool on_ = false, begun_ = false;
  Tick start_ = 0, stopped_ = 0;
  Tick first_ = 0;  // messages generated before are those of replaced traffic
};

}  // namespace selvedge::sim
