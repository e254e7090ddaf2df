// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// uniform: any other host, with equal probability.
#include "sim/traffic/pattern.hpp"

namespace selvedge::sim {
namespace {

class Uniform final : public Pattern {
 public:
  explicit Uniform(End count) : count_(count) {}
  End to(End from, std::uint64_t /*number*/, Stream& chance) override {
    return any_but(from, count_, chance);
  }

 private:
  End count_;
};

}  // namespace

std::unique_ptr<Pattern> uniform(const Ends& ends, const TrafficSpec&, std::uint64_t) {
  return std::make_unique<Uniform>(ends.count());
}

}  // namespace selvedge::sim
