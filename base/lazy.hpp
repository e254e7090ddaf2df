// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#pragma once

#include <memory>

namespace selvedge {

/// A value that most objects of a kind never need: it has memory from its first change on.
template <class T>
class Lazy {
 public:
  T* operator->() {
    if (!value_) value_ = std::make_unique<T>();
    return value_.get();
  }
  T value() const { return value_ ? *value_ : T{}; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace selvedge
