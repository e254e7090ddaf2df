// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// same-digit: all messages go to the hosts whose number is ≡ digit (mod radix), with equal
// probability. With radix k it is the worst pattern for d-mod-k on a k-ary n-tree, where these
// messages use only one in k of the ascending links (Gómez 2007 §5.2.1).
#include "sim/traffic/checks.hpp"
#include "sim/traffic/pattern.hpp"

namespace selvedge::sim {
namespace {

class SameDigit final : public Pattern {
 public:
  SameDigit(Terminal count, Terminal digit, Terminal radix)
      : digit_(digit), radix_(radix), members_((count - digit + radix - 1) / radix) {}

  Terminal to(Terminal from, std::uint64_t /*number*/, Stream& chance) override {
    const bool member = from % radix_ == digit_;
    if (member && members_ == 1) return kNoTerminal;
    const Terminal drawn =
        member ? uniform_except(from / radix_, members_, chance) : chance.below(members_);
    return drawn * radix_ + digit_;
  }

 private:
  Terminal digit_, radix_, members_;
};

}  // namespace

std::unique_ptr<Pattern> same_digit(const Terminals& terminals, const TrafficSpec& spec,
                                    std::uint64_t) {
  const auto of_a_leaf = [&] {
    return static_cast<Terminal>(
        terminals.at(terminals.fabric().host(terminals.host(0)).at).size());
  };
  const Terminal radix = spec.radix == 0 ? of_a_leaf() : spec.radix;
  if (radix > terminals.count())
    throw bad_value("radix", radix,
                    fmt::format("at most {}, as many hosts as there are", terminals.count()));
  if (spec.digit >= radix)
    throw bad_value("digit", spec.digit, fmt::format("a number below the radix, {}", radix));
  return std::make_unique<SameDigit>(terminals.count(), spec.digit, radix);
}

}  // namespace selvedge::sim
