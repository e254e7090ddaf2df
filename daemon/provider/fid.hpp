// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Helpers for libfabric's objects. An object of ours is derived from libfabric's struct (fid_cq,
// ...), whose first member is a `fid`; so a pointer to either leads to the object.
#pragma once

#include <rdma/fabric.h>
#include <rdma/fi_errno.h>

#include <type_traits>

namespace selvedge::provider {

/// An operation that this provider does not have. libfabric permits no null pointers.
template <class R, class... A>
R unsupported(A...) {
  return static_cast<R>(-FI_ENOSYS);
}

/// The object of class T that `f` belongs to; Base is libfabric's struct from which T is derived.
template <class T, class Base>
T& object_of(fid_t f) {
  static_assert(std::is_standard_layout_v<Base> && std::is_base_of_v<Base, T>);
  return static_cast<T&>(*reinterpret_cast<Base*>(f));
}

/// The operations that every kind of object has, all unsupported. Each kind replaces those that it
/// supports.
inline constexpr fi_ops kNoOps = {.size = sizeof(fi_ops),
                                  .close = unsupported,
                                  .bind = unsupported,
                                  .control = unsupported,
                                  .ops_open = unsupported,
                                  .tostr = unsupported,
                                  .ops_set = unsupported};

}  // namespace selvedge::provider
