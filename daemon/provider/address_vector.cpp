// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/provider/address_vector.hpp"

#include <algorithm>
#include <cstdio>
#include <new>

#include "daemon/provider/domain.hpp"
#include "daemon/provider/event_queue.hpp"

namespace selvedge::provider {

fi_ops AddressVector::base_ops_ = [] {
  fi_ops ops = kNoOps;
  ops.close = close;
  ops.bind = bind;
  return ops;
}();

fi_ops_av AddressVector::ops_ = {.size = sizeof(fi_ops_av),
                                 .insert = insert,
                                 .insertsvc = insert_service,
                                 .insertsym = unsupported,
                                 .remove = remove,
                                 .lookup = lookup,
                                 .straddr = text,
                                 .av_set = unsupported};

int AddressVector::open(fid_domain* domain, fi_av_attr* attr, fid_av** av, void* context) {
  if (attr == nullptr) return -FI_EINVAL;
  // Not supported: a vector that processes share by its name, and several receive contexts.
  if (attr->name != nullptr || (attr->flags & ~FI_EVENT) != 0 || attr->rx_ctx_bits != 0)
    return -FI_ENOSYS;
  auto& d = static_cast<Domain&>(*domain);
  auto* vector = new (std::nothrow) AddressVector(d);
  if (vector == nullptr) return -FI_ENOMEM;
  if (attr->type == FI_AV_UNSPEC) attr->type = FI_AV_TABLE;
  vector->fid = {FI_CLASS_AV, context, &base_ops_};
  vector->ops = &ops_;
  vector->asynchronous_ = (attr->flags & FI_EVENT) != 0;
  const std::lock_guard lock(d.mutex);
  ++d.users;
  *av = vector;
  return 0;
}

int AddressVector::close(fid_t f) {
  auto& vector = object_of<AddressVector, fid_av>(f);
  {
    const std::lock_guard lock(vector.domain_.mutex);
    if (vector.users != 0) return -FI_EBUSY;
    --vector.domain_.users;
  }
  delete &vector;
  return 0;
}

int AddressVector::bind(fid_t f, fid_t to, std::uint64_t flags) {
  if (to->fclass != FI_CLASS_EQ || flags != 0) return -FI_EINVAL;
  object_of<AddressVector, fid_av>(f).events_ = &EventQueue::of(to);
  return 0;
}

const Address* AddressVector::address(fi_addr_t number) const {
  if (number >= addresses_.size() || !addresses_[number]) return nullptr;
  return &*addresses_[number];
}

fi_addr_t AddressVector::number(const Address& address) const {
  const auto found = numbers_.find(address);
  return found == numbers_.end() ? FI_ADDR_NOTAVAIL : found->second;
}

fi_addr_t AddressVector::insert(const Address& address) {
  addresses_.emplace_back(address);
  const fi_addr_t number = addresses_.size() - 1;
  numbers_.try_emplace(address, number);
  return number;
}

int AddressVector::insert(fid_av* av, const void* addresses, std::size_t count, fi_addr_t* numbers,
                          std::uint64_t flags, void* context) {
  AddressVector& vector = of(av);
  if ((flags & ~(FI_MORE | FI_SYNC_ERR)) != 0) return -FI_EBADFLAGS;
  if (vector.asynchronous_ && vector.events_ == nullptr) return -FI_ENOEQ;
  int inserted = 0;
  {
    const std::lock_guard lock(vector.domain_.mutex);
    for (std::size_t i = 0; i < count; ++i) {
      const auto address =
          Address::read(static_cast<const std::byte*>(addresses) + i * Address::kBytes);
      const fi_addr_t number = address ? vector.insert(*address) : FI_ADDR_NOTAVAIL;
      inserted += address.has_value();
      if (numbers != nullptr) numbers[i] = number;
      // With this flag the context is an array of errors, one for each address.
      if ((flags & FI_SYNC_ERR) != 0) static_cast<int*>(context)[i] = address ? 0 : FI_EINVAL;
    }
  }
  if (!vector.asynchronous_) return inserted;
  const fi_eq_entry entry{&av->fid, context, static_cast<std::uint64_t>(inserted)};
  vector.events_->push(FI_AV_COMPLETE, &entry, sizeof entry);
  return 0;
}

int AddressVector::insert_service(fid_av* av, const char* node, const char* service,
                                  fi_addr_t* number, std::uint64_t flags, void* context) {
  if (node == nullptr || service == nullptr) return -FI_EINVAL;
  const auto address = Address::make(node, service);
  if (!address) return -FI_EINVAL;
  return insert(av, address->text.data(), 1, number, flags, context);
}

int AddressVector::remove(fid_av* av, fi_addr_t* numbers, std::size_t count, std::uint64_t flags) {
  AddressVector& vector = of(av);
  if (flags != 0) return -FI_EBADFLAGS;
  const std::lock_guard lock(vector.domain_.mutex);
  for (std::size_t i = 0; i < count; ++i)
    if (vector.address(numbers[i]) == nullptr) return -FI_EINVAL;
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<Address>& address = vector.addresses_[numbers[i]];
    if (!address) continue;
    if (vector.number(*address) == numbers[i]) vector.numbers_.erase(*address);
    address.reset();
  }
  return 0;
}

int AddressVector::lookup(fid_av* av, fi_addr_t number, void* address, std::size_t* length) {
  AddressVector& vector = of(av);
  const std::lock_guard lock(vector.domain_.mutex);
  const Address* found = vector.address(number);
  if (found == nullptr) return -FI_EINVAL;
  std::memcpy(address, found->text.data(), std::min(*length, Address::kBytes));
  *length = Address::kBytes;
  return 0;
}

const char* AddressVector::text(fid_av*, const void* address, char* buffer, std::size_t* length) {
  const auto read = Address::read(address);
  const int n = std::snprintf(buffer, *length, "%s", read ? read->c_str() : "");
  *length = static_cast<std::size_t>(n) + 1;  // what the whole text takes
  return buffer;
}

}  // namespace selvedge::provider
