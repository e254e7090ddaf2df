// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/sources.hpp"

namespace selvedge::protocol {

bool Sources::admit(TimeNs now, const Source& source, const SourceLimits& limits) {
  const std::scoped_lock lock(mutex_);
  if (now / kSecond != second_) {
    second_ = now / kSecond;
    std::erase_if(uses_, [](const auto& use) { return use.second.connections == 0; });
    for (auto& [other, use] : uses_) use.new_in_second = 0;
  }
  Use& use = uses_[source];
  if (use.connections >= limits.connections || use.half_open >= limits.half_open ||
      use.new_in_second >= limits.new_per_second)
    return false;
  ++use.connections;
  ++use.half_open;
  ++use.new_in_second;
  return true;
}

void Sources::confirm(const Source& source) {
  const std::scoped_lock lock(mutex_);
  --uses_.at(source).half_open;
}

void Sources::close(const Source& source, bool half_open) {
  const std::scoped_lock lock(mutex_);
  Use& use = uses_.at(source);
  --use.connections;
  use.half_open -= half_open;
}

}  // namespace selvedge::protocol
