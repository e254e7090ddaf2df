// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The address of an endpoint: 64 bytes that hold ADDRESS:PORT/NAME, filled up with zeros. The part
// before the slash is the daemon's address, NAME the service on which the endpoint's process
// listens. 64 bytes are FI_NAME_MAX, which is all that Open MPI has room for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>

#include <rdma/fabric.h>

namespace selvedge::provider {

/// fi_info::addr_format of these addresses.
inline constexpr std::uint32_t kAddressFormat = FI_PROV_SPECIFIC | 0x53564544U;

struct Address {
  static constexpr std::size_t kBytes = FI_NAME_MAX;
  std::array<char, kBytes> text{};

  /// Makes an address from its two parts; nothing if they do not fit, if one is empty, or if
  /// `daemon` holds a slash.
  static std::optional<Address> make(std::string_view daemon, std::string_view name);
  /// Reads an address from kBytes bytes of an application or a peer; nothing if they are no
  /// address.
  static std::optional<Address> read(const void* bytes);

  std::string_view view() const { return {text.data(), strnlen(text.data(), kBytes)}; }
  const char* c_str() const { return text.data(); }
  std::string_view name() const { return view().substr(view().find('/') + 1); }
  bool operator==(const Address&) const = default;
};

struct AddressHash {
  std::size_t operator()(const Address& a) const { return std::hash<std::string_view>{}(a.view()); }
};

}  // namespace selvedge::provider
