// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Address vectors (fi_av(3)): both types number the addresses in the order of their insertion.
#pragma once

#include <rdma/fi_domain.h>

#include <optional>
#include <unordered_map>
#include <vector>

#include "daemon/provider/address.hpp"
#include "daemon/provider/fid.hpp"

namespace selvedge::provider {

class Domain;
class EventQueue;

class AddressVector : public fid_av {
 public:
  static int open(fid_domain* domain, fi_av_attr* attr, fid_av** av, void* context);

  /// The address with that number; null if it was never inserted or has been removed.
  const Address* address(fi_addr_t number) const;
  /// The number of an address, or FI_ADDR_NOTAVAIL.
  fi_addr_t number(const Address& address) const;
  unsigned users = 0;  ///< endpoints that are bound to it

 private:
  explicit AddressVector(Domain& domain) : domain_(domain) {}
  static AddressVector& of(fid_av* av) { return static_cast<AddressVector&>(*av); }
  static int close(fid_t f);
  static int bind(fid_t f, fid_t to, std::uint64_t flags);
  static int insert(fid_av* av, const void* addresses, std::size_t count, fi_addr_t* numbers,
                    std::uint64_t flags, void* context);
  static int insert_service(fid_av* av, const char* node, const char* service, fi_addr_t* number,
                            std::uint64_t flags, void* context);
  static int remove(fid_av* av, fi_addr_t* numbers, std::size_t count, std::uint64_t flags);
  static int lookup(fid_av* av, fi_addr_t number, void* address, std::size_t* length);
  static const char* text(fid_av* av, const void* address, char* buffer, std::size_t* length);
  static fi_ops base_ops_;
  static fi_ops_av ops_;

  fi_addr_t insert(const Address& address);

  Domain& domain_;
  bool asynchronous_ = false;
  EventQueue* events_ = nullptr;
  std::vector<std::optional<Address>> addresses_;
  std::unordered_map<Address, fi_addr_t, AddressHash> numbers_;
};

}  // namespace selvedge::provider
