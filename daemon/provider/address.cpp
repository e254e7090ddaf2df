// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/provider/address.hpp"

#include <algorithm>

namespace selvedge::provider {

std::optional<Address> Address::make(std::string_view daemon, std::string_view name) {
  // The last byte stays zero, so that the text ends.
  if (daemon.empty() || name.empty() || daemon.size() + 1 + name.size() >= kBytes) return {};
  if (daemon.find('/') != std::string_view::npos) return {};
  Address a;
  char* end = std::copy(daemon.begin(), daemon.end(), a.text.begin());
  *end++ = '/';
  std::copy(name.begin(), name.end(), end);
  return a;
}

std::optional<Address> Address::read(const void* bytes) {
  Address a;
  std::memcpy(a.text.data(), bytes, kBytes);
  const std::string_view text = a.view();
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {};
  const auto same = make(text.substr(0, slash), text.substr(slash + 1));
  // Two addresses are the same if their bytes are: so what follows the text must be zeros.
  return same == a ? same : std::nullopt;
}

}  // namespace selvedge::provider
