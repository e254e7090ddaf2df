// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/mishaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/in_quotes.hpp"

namespace selvedge::sim {
namespace {

using Kind = MadPattern::Kind;

struct NamedKind {
  std::string_view name;
  Kind kind;
};
constexpr NamedKind kKinds[] = {{"any", Kind::kAny},
                                {"get", Kind::kGet},
                                {"set", Kind::kSet},
                                {"trap", Kind::kTrap},
                                {"answer", Kind::kAnswer}};
struct NamedAttribute {
  std::string_view name;
  std::uint16_t attribute;
};
constexpr NamedAttribute kAttributes[] = {{"NodeDescription", smp_attribute::kNodeDescription},
                                          {"NodeInfo", smp_attribute::kNodeInfo},
                                          {"SwitchInfo", smp_attribute::kSwitchInfo},
                                          {"GUIDInfo", smp_attribute::kGuidInfo},
                                          {"PortInfo", smp_attribute::kPortInfo},
                                          {"PKey", smp_attribute::kPKeyTable},
                                          {"SL2VL", smp_attribute::kSl2Vl},
                                          {"VLArb", smp_attribute::kVlArbitration},
                                          {"LFT", smp_attribute::kLinearForwarding},
                                          {"MFT", smp_attribute::kMulticastForwarding},
                                          {"SMInfo", smp_attribute::kSmInfo},
                                          {"Notice", smp_attribute::kNotice}};

std::uint16_t parse_attribute(std::string_view text, const std::string& where) {
  for (const NamedAttribute& a : kAttributes)
    if (a.name == text) return a.attribute;
  std::string_view digits = text;
  int base = 10;
  if (digits.starts_with("0x")) digits.remove_prefix(2), base = 16;
  std::uint16_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size())
    throw InputError("no such attribute " + in_quotes(text), where,
                     "write its number, or a name like LFT, PortInfo, SL2VL");
  return value;
}

}  // namespace

bool MadPattern::matches(NodeId at, const Mad& mad) const {
  if (node != kNoNode && node != at) return false;
  if (attribute && *attribute != mad.attribute()) return false;
  switch (kind) {
    case Kind::kAny:
      return true;
    case Kind::kGet:
      return mad.method() == mad_method::kGet;
    case Kind::kSet:
      return mad.method() == mad_method::kSet;
    case Kind::kTrap:
      return mad.method() == mad_method::kTrap;
    case Kind::kAnswer:
      return mad.response();
  }
  return false;
}

MadPattern parse_mad_pattern(const EmulatedSubnet& subnet, std::string_view text) {
  const std::string where = in_quotes(text);
  MadPattern pattern;
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
    const std::string_view name = text.substr(at + 1);
    pattern.node = subnet.find_node(name);
    if (pattern.node == kNoNode)
      throw InputError("no such node " + in_quotes(name), where, "name a node of the fabric");
    text = text.substr(0, at);
  }
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    pattern.attribute = parse_attribute(text.substr(colon + 1), where);
    text = text.substr(0, colon);
  }
  const auto* const known = std::ranges::find(kKinds, text, &NamedKind::name);
  if (known == std::end(kKinds))
    throw InputError("no such kind of MAD " + in_quotes(text), where,
                     "write get, set, trap, answer or any");
  pattern.kind = known->kind;
  return pattern;
}

void Mishaps::add(Mishap what, const MadPattern& pattern, std::uint64_t count,
                  std::uint64_t after) {
  if (count > 0) rules_.push_back({what, pattern, count, after});
}

void Mishaps::set_error(NodeId node, std::optional<PortNum> port, unsigned percent,
                        std::uint16_t attribute) {
  std::erase_if(errors_,
                [&](const Share& s) { return s.node == node && (!port || s.port == port); });
  if (percent > 0) errors_.push_back({node, port, percent, attribute});
}

Mishap Mishaps::judge(PortAt at, const Mad& mad) {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    Rule& rule = rules_[i];
    if (!rule.pattern.matches(at.node, mad)) continue;
    if (rule.after > 0) {
      --rule.after;
      continue;
    }
    const Mishap what = rule.what;
    if (--rule.count == 0) rules_.erase(rules_.begin() + static_cast<std::ptrdiff_t>(i));
    ++(what == Mishap::kLost ? dropped_ : doubled_);
    return what;
  }
  if (mad.response()) return Mishap::kNone;
  for (const Share& s : errors_) {
    if (s.node != at.node || (s.port && *s.port != at.port)) continue;
    if (s.attribute != 0 && s.attribute != mad.attribute()) continue;
    if (!random_.chance(s.percent)) continue;
    ++dropped_;
    return Mishap::kLost;
  }
  return Mishap::kNone;
}

}  // namespace selvedge::sim
