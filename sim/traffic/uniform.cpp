// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// uniform: any other host, with equal probability.
#include "sim/traffic/pattern.hpp"

namespace selvedge::sim {
namespace {

class Uniform final : public Pattern {
 public:
  explicit Uniform(Terminal count) : count_(count) {}
  Terminal to(Terminal from, std::uint64_t /*number*/, Stream& chance) override {
    return uniform_except(from, count_, chance);
  }

 private:
  Terminal count_;
};

}  // namespace

std::unique_ptr<Pattern> uniform(const Terminals& terminals, const TrafficSpec&, std::uint64_t) {
  return std::make_unique<Uniform>(terminals.count());
}

}  // namespace selvedge::sim
